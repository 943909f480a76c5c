"""Checks a BCF file with the published schemas and with bcf-client, changes a status, and tells in JSON what was read.

usage: bcf_client.py SCHEMAS FILE.bcfzip CHANGED.bcfzip

SCHEMAS is the folder `src/bcf` of bcf-client's source package, which carries buildingSMART's XSDs for 2.1 (v2/xsd) and 3.0 (v3/xsd).
"""

import json
import sys
import uuid
import zipfile
from pathlib import Path

import xmlschema
from bcf import bcfxml
from xsdata.models.datatype import XmlDateTime


def validated(schemas: Path, file: Path) -> int:
    """Validates every XML entry; the number of entries."""
    with zipfile.ZipFile(file) as archive:
        assert archive.testzip() is None
        version = "3.0" if b'"3.0"' in archive.read("bcf.version") else "2.1"
        folder = schemas / ("v3" if version == "3.0" else "v2") / "xsd"
        by_name = {
            "bcf.version": "version.xsd",
            "project.bcfp": "project.xsd",
            "extensions.xml": "extensions.xsd",
            "markup.bcf": "markup.xsd",
            ".bcfv": "visinfo.xsd",
        }
        known = {xsd: xmlschema.XMLSchema(str(folder / xsd)) for xsd in set(by_name.values()) if (folder / xsd).exists()}
        count = 0
        for entry in archive.namelist():
            xsd = next((xsd for end, xsd in by_name.items() if entry.endswith(end)), None)
            if xsd is None:
                assert entry.endswith((".png", "extensions.xsd")), entry
                continue
            try:
                known[xsd].validate(archive.read(entry).decode())
            except xmlschema.XMLSchemaValidationError as error:
                raise SystemExit(f"{entry}: {error}") from error
            count += 1
        if version == "2.1":
            # It redefines types of markup.xsd, which must be beside it.
            place = Path(sys.argv[3]).with_suffix(".xsds")
            place.mkdir(exist_ok=True)
            (place / "markup.xsd").write_bytes((folder / "markup.xsd").read_bytes())
            (place / "extensions.xsd").write_bytes(archive.read("extensions.xsd"))
            words = xmlschema.XMLSchema(str(place / "extensions.xsd"))
            for entry in archive.namelist():
                if entry.endswith("markup.bcf"):
                    words.validate(archive.read(entry).decode())
        return count


def plain(point) -> list:
    return [point.x, point.y, point.z]


def told(topic) -> dict:
    """What bcf-client reads of a topic."""
    (view,) = topic.viewpoints.values()
    info = view.visualization_info
    camera = info.perspective_camera
    groups = info.components.coloring.color
    components = lambda group: getattr(group, "components", group).component
    return {
        "guid": topic.guid,
        "title": topic.topic.title,
        "status": topic.topic.topic_status,
        "created": str(topic.topic.creation_date),
        "comments": [[c.guid, c.author, c.comment] for c in topic.comments],
        "position": plain(camera.camera_view_point),
        "direction": plain(camera.camera_direction),
        "up": plain(camera.camera_up_vector),
        "field_of_view": camera.field_of_view,
        "selection": [[c.ifc_guid, c.authoring_tool_id] for c in info.components.selection.component],
        "colours": {group.color: [c.authoring_tool_id for c in components(group)] for group in groups},
        "picture": len(view.snapshot),
    }


def changed(topic) -> None:
    """A decision and a remark, as somebody would make them in another tool."""
    topic.topic.topic_status = "Closed"
    comment = type(topic.comments[0]) if topic.comments else None
    if comment is None:
        import bcf.v2.model as v2
        import bcf.v3.model as v3

        comment = v3.Comment if "v3" in type(topic).__module__ else v2.Comment
    remark = comment(
        date=XmlDateTime.from_string("2026-11-16T12:00:00Z"),
        author="berta@example.org",
        comment="moved the bracket by 20 mm",
        guid=str(uuid.UUID(int=7)),
    )
    topic.comments = [*topic.comments, remark]


def main() -> None:
    schemas, file, result = (Path(argument) for argument in sys.argv[1:4])
    entries = validated(schemas, file)
    with bcfxml.load(file) as archive:
        topics = [told(topic) for topic in archive.topics.values()]
        changed(archive.topics[topics[0]["guid"]])
        archive.save(result)
    print(json.dumps({"entries": entries, "topics": topics}))


main()
