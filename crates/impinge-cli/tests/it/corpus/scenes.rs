//! Hostile scenes: glTF, URDF, COLLADA and scene files; test files, decision files and queries.

use super::{File, noise, sizes};
use std::fmt::Write as _;

fn listed(count: usize, between: &str, item: impl Fn(usize) -> String) -> String {
    (0..count).map(item).collect::<Vec<_>>().join(between)
}

/// A glTF of a triangle, with these nodes and whatever else.
fn gltf(roots: &str, nodes: &str, more: &str) -> Vec<u8> {
    // Three corners in base 64: 0 0 0, 1 0 0, 0 1 0.
    let data = "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA";
    format!(
        r#"{{"asset":{{"version":"2.0"}},"scenes":[{{"nodes":[{roots}]}}],"nodes":[{nodes}],
        "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}],
        "accessors":[{{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}}],
        "bufferViews":[{{"buffer":0,"byteLength":36}}],
        "buffers":[{{"uri":"data:application/octet-stream;base64,{data}","byteLength":36}}]{more}}}"#
    )
    .into_bytes()
}

fn gltfs() -> Vec<File> {
    let below = |k: usize, n: usize| {
        if k + 1 < n { format!(r#","children":[{}]"#, k + 1) } else { String::new() }
    };
    let mut files = sizes("chain", "gltf", |n| {
        gltf("0", &listed(n, ",", |k| format!(r#"{{"mesh":0{}}}"#, below(k, n))), "")
    });
    files.extend(sizes("chain_moved", "gltf", |n| {
        gltf(
            "0",
            &listed(n, ",", |k| format!(r#"{{"mesh":0,"translation":[0,0,1]{}}}"#, below(k, n))),
            "",
        )
    }));
    files.extend(sizes("grown", "gltf", |n| {
        gltf(
            "0",
            &listed(n, ",", |k| format!(r#"{{"mesh":0,"scale":[2,3,4]{}}}"#, below(k, n))),
            "",
        )
    }));
    files.extend(sizes("copies", "gltf", |n| {
        gltf(&listed(n, ",", |k| k.to_string()), &listed(n, ",", |_| r#"{"mesh":0}"#.into()), "")
    }));
    files.extend(sizes("stretched", "gltf", |n| {
        gltf(
            &listed(n, ",", |k| k.to_string()),
            &listed(n, ",", |k| format!(r#"{{"mesh":0,"scale":[1,2,{}]}}"#, k + 1)),
            "",
        )
    }));
    files.extend(sizes("children", "gltf", |n| {
        let children = listed(n, ",", |k| (k + 1).to_string());
        gltf(
            "0",
            &format!(r#"{{"children":[{children}]}},{}"#, listed(n, ",", |_| "{}".into())),
            "",
        )
    }));
    files.extend(sizes("name", "gltf", |n| {
        gltf(
            "0,1,2,3",
            &listed(4, ",", |_| format!(r#"{{"mesh":0,"name":"{}"}}"#, "\\u001b".repeat(n))),
            "",
        )
    }));
    files.extend(sizes("named_mesh", "gltf", |n| {
        let text = String::from_utf8(gltf(
            &listed(n, ",", |k| k.to_string()),
            &listed(n, ",", |_| r#"{"mesh":0}"#.into()),
            "",
        ))
        .unwrap();
        text.replace(r#""meshes":[{"#, &format!(r#""meshes":[{{"name":"{}","#, "n".repeat(10 * n)))
            .into_bytes()
    }));
    files.extend(sizes("deep", "gltf", |n| {
        gltf("0", r#"{"mesh":0}"#, &format!(r#","extras":{}{}"#, "[".repeat(n), "]".repeat(n)))
    }));
    files.extend(sizes("members", "gltf", |n| {
        gltf("0", r#"{"mesh":0}"#, &format!(",{}", listed(n, ",", |k| format!(r#""m{k}":0"#))))
    }));
    files.extend(sizes("extras", "gltf", |n| {
        let extras = listed(n, ",", |k| format!(r#""k{k}":"v""#));
        gltf(
            &listed(40, ",", |k| k.to_string()),
            &listed(40, ",", |_| format!(r#"{{"mesh":0,"extras":{{{}}}}}"#, &extras)),
            "",
        )
    }));
    files.extend(sizes("open", "gltf", |n| "[".repeat(n).into_bytes()));
    files
}

fn urdf(body: &str) -> Vec<u8> {
    format!("<robot name=\"r\">{body}</robot>").into_bytes()
}

fn link(name: &str) -> String {
    format!(
        r#"<link name="{name}"><visual><geometry><box size="1 1 1"/></geometry></visual></link>"#
    )
}

fn joint(k: usize, parent: &str, child: &str, more: &str) -> String {
    format!(
        r#"<joint name="j{k}" type="revolute"><parent link="{parent}"/><child link="{child}"/>{more}</joint>"#
    )
}

fn urdfs() -> Vec<File> {
    let names = |k: usize| format!("l{k}");
    let chain = |n: usize, more: &dyn Fn(usize) -> String| {
        urdf(
            &(listed(n, "", |k| link(&names(k)))
                + &listed(n.saturating_sub(1), "", |k| {
                    joint(k, &names(k), &names(k + 1), &more(k))
                })),
        )
    };
    let mut files = sizes("chain", "urdf", |n| chain(n, &|_| String::new()));
    files.extend(sizes("mimic", "urdf", |n| {
        chain(n, &|k| format!(r#"<mimic joint="j{}"/>"#, k + 1))
    }));
    files.extend(sizes("far", "urdf", |n| {
        chain(n, &|_| r#"<origin xyz="1e70 0 0" rpy="1 1 1"/>"#.into())
    }));
    files.extend(sizes("star", "urdf", |n| {
        urdf(&(link("hub") + &listed(n, "", |k| link(&names(k)) + &joint(k, "hub", &names(k), ""))))
    }));
    files.extend(sizes("dummy", "urdf", |n| {
        urdf(
            &("<link name=\"hub\"/>".to_string()
                + &listed(n, "", |k| link(&names(k)) + &joint(k, "hub", &names(k), ""))),
        )
    }));
    files.extend(sizes("empty", "urdf", |n| {
        urdf(&listed(n, "", |k| format!("<link name=\"{k}\"/>")))
    }));
    files.extend(sizes("one_link", "urdf", |n| {
        urdf(&format!(
            "<link name=\"a\">{}</link>",
            "<visual><geometry><sphere radius=\"1\"/></geometry></visual>".repeat(n)
        ))
    }));
    files.extend(sizes("different", "urdf", |n| {
        let visual = |k: usize| {
            format!("<visual><geometry><sphere radius=\"{}\"/></geometry></visual>", k + 1)
        };
        urdf(&format!("<link name=\"a\">{}</link>", listed(n, "", visual)))
    }));
    files.extend(sizes("deep", "urdf", |n| urdf(&("<a>".repeat(n) + &"</a>".repeat(n)))));
    files.extend(sizes("attributes", "urdf", |n| {
        urdf(&format!("<link {} name=\"a\"/>", listed(n, " ", |k| format!("a{k}=\"\""))))
    }));
    files.extend(sizes("spaces", "urdf", |n| {
        let deep = listed(n, "", |k| format!("<a xmlns:n{k}=\"x\">"));
        urdf(&(deep + &"</a>".repeat(n)))
    }));
    files.extend(sizes("missing", "urdf", |n| {
        let visual = |k: usize| {
            format!(
                "<visual><geometry><mesh filename=\"package://p/{k}.stl\"/></geometry></visual>"
            )
        };
        urdf(&format!("<link name=\"a\">{}</link>", listed(n, "", visual)))
    }));
    files
}

fn collada(nodes: &str, scene: &str) -> Vec<u8> {
    let mesh = r##"<geometry id="g"><mesh><source id="s"><float_array id="f" count="9">0 0 0 1 0 0 0 1 0</float_array>
        <technique_common><accessor source="#f" count="3" stride="3"/></technique_common></source>
        <vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
        <triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>0 1 2</p></triangles></mesh></geometry>"##;
    format!(
        "<COLLADA version=\"1.4.1\"><library_geometries>{mesh}</library_geometries><library_nodes>{nodes}</library_nodes>\
         <library_visual_scenes><visual_scene id=\"x\">{scene}</visual_scene></library_visual_scenes>\
         <scene><instance_visual_scene url=\"#x\"/></scene></COLLADA>"
    )
    .into_bytes()
}

fn colladas() -> Vec<File> {
    let shown = "<instance_geometry url=\"#g\"/>";
    let mut files =
        sizes("copies", "dae", |n| collada("", &format!("<node>{}</node>", shown.repeat(n))));
    files.extend(sizes("chain", "dae", |n| {
        collada("", &("<node>".repeat(n) + shown + &"</node>".repeat(n)))
    }));
    files.extend(sizes("doubled", "dae", |n| {
        let node = |k: usize| {
            let below = format!("<instance_node url=\"#n{}\"/>", k + 1);
            format!(
                "<node id=\"n{k}\">{}</node>",
                if k + 1 < n { below.repeat(2) } else { shown.into() }
            )
        };
        collada(&listed(n, "", node), "<node><instance_node url=\"#n0\"/></node>")
    }));
    files.extend(sizes("circle", "dae", |n| {
        let node = |k: usize| {
            format!("<node id=\"n{k}\"><instance_node url=\"#n{}\"/></node>", (k + 1) % n)
        };
        collada(&listed(n, "", node), "<node><instance_node url=\"#n0\"/></node>")
    }));
    files.extend(sizes("moves", "dae", |n| {
        collada(
            "",
            &format!(
                "<node>{}{shown}</node>",
                "<rotate>1 2 3 4</rotate><scale>1 2 1</scale>".repeat(n)
            ),
        )
    }));
    files
}

fn tomls() -> Vec<File> {
    let places = |n: usize, shape: &str, place: &dyn Fn(usize) -> String| {
        format!("[[part]]\n{shape}\nplaces = [{}]\n", listed(n, ",", place)).into_bytes()
    };
    let mut files = Vec::new();
    for (name, shape) in [
        ("boxes", "box = [1,1,1]"),
        ("balls", "sphere = 1"),
        ("rods", "cylinder = {radius=1,length=9}"),
    ] {
        files.extend(sizes(&format!("{name}_copies"), "toml", |n| {
            places(n, shape, &|_| "{}".into())
        }));
        files.extend(sizes(&format!("{name}_near"), "toml", |n| {
            places(n, shape, &|k| {
                format!("{{translation=[{:.4},{:.4},0]}}", noise(k), noise(k + n))
            })
        }));
        files.extend(sizes(&format!("{name}_turned"), "toml", |n| {
            places(n, shape, &|k| format!("{{rotation={{axis=[1,2,3],degrees={k}}}}}"))
        }));
        files.extend(sizes(&format!("{name}_scaled"), "toml", |n| {
            places(n, shape, &|k| format!("{{scale={}}}", 1.0 + k as f64 * 1e-3))
        }));
    }
    files.extend(sizes("parts", "toml", |n| {
        listed(n, "", |k| format!("[[part]]\nsphere={}\n", k + 1)).into_bytes()
    }));
    files.extend(sizes("variants", "toml", |n| {
        ("[[part]]\nsphere=1\nname=\"a\"\n[[part]]\nbox=[1,1,1]\n".to_string()
            + &listed(n, "", |k| format!("[[variant]]\nname=\"v{k}\"\n")))
            .into_bytes()
    }));
    files.extend(sizes("properties", "toml", |n| {
        let all = listed(n, ",", |k| format!("k{k}=\"v\""));
        format!(
            "[[part]]\nsphere=1\nproperties={{{all}}}\nplaces=[{}]\n",
            listed(100, ",", |_| "{}".into())
        )
        .into_bytes()
    }));
    files.extend(sizes("itself", "toml", |n| {
        "[[part]]\nfile=\"itself.toml\"\n".repeat(n).into_bytes()
    }));
    files.extend(sizes("deep", "toml", |n| {
        format!("a = {}{}", "[".repeat(n), "]".repeat(n)).into_bytes()
    }));
    files.extend(sizes("dotted", "toml", |n| format!("{}a = 1", "a.".repeat(n)).into_bytes()));
    files
}

fn others() -> Vec<File> {
    let mut files = sizes("tests", "test", |n| {
        listed(n, "", |k| format!("[[test]]\nname=\"{k}\"\n")).into_bytes()
    });
    files.extend(sizes("rules", "test", |n| {
        listed(n, "", |k| format!("[[rule]]\nname=\"{k}\"\nreason=\"x\"\na=\"*{k}\"\n"))
            .into_bytes()
    }));
    files.extend(sizes("stars", "test", |n| {
        format!("[[test]]\nname=\"x\"\na=\"{}b\"\n", "*a".repeat(n)).into_bytes()
    }));
    files.extend(sizes("sets", "test", |n| {
        format!("[[test]]\nname=\"x\"\na=[{}]\n", listed(n, ",", |k| format!("\"*{k}*\"")))
            .into_bytes()
    }));
    let finding = |k: usize| {
        format!(r#""{k:016x}":{{"status":"new","test":"t","parts":["a","b"],"prints":["1","2"]}}"#)
    };
    files.extend(sizes("findings", "status", |n| {
        format!(r#"{{"version":1,"findings":{{{}}}}}"#, listed(n, ",", finding)).into_bytes()
    }));
    files.extend(sizes("parts", "status", |n| {
        let parts = listed(n, ",", |k| format!("\"{k}\""));
        format!(r#"{{"version":1,"findings":{{"0123456789abcdef":{{"status":"new","test":"t","parts":[{parts}],"prints":[]}}}}}}"#).into_bytes()
    }));
    files.extend(sizes("deep", "status", |n| {
        format!(r#"{{"version":1,"findings":{}"#, "{\"a\":".repeat(n)).into_bytes()
    }));
    let asked = |a: &str| {
        format!(r#"{{"ask":"penetration","a":{a},"b":{{"sphere":{{"radius":1}}}}}}"#).into_bytes()
    };
    let sphere = |k: usize, n: usize| {
        let (z, turn) = (1.0 - 2.0 * (k as f64 + 0.5) / n as f64, k as f64 * 2.399_963);
        let r = (1.0 - z * z).sqrt();
        format!("[{:.6},{:.6},{z:.6}]", r * turn.cos(), r * turn.sin())
    };
    files.extend(sizes("hull", "lines", |n| {
        asked(&format!(r#"{{"hull":[{}]}}"#, listed(n, ",", |k| sphere(k, n))))
    }));
    files.extend(sizes("flat_hull", "lines", |n| {
        asked(&format!(r#"{{"hull":[{}]}}"#, listed(n, ",", |k| format!("[{k},{},0]", k * k))))
    }));
    files.extend(sizes("grid_hull", "lines", |n| {
        asked(&format!(
            r#"{{"hull":[{}]}}"#,
            listed(n, ",", |k| format!("[{},{},{}]", k % 20, k / 20 % 20, k / 400))
        ))
    }));
    files.extend(sizes("soup", "lines", |n| {
        let corners = listed(3 * n, ",", |k| {
            format!("[{:.3},{:.3},{:.3}]", noise(k), noise(k + 1), noise(k + 2))
        });
        let faces = listed(n, ",", |k| format!("[{},{},{}]", 3 * k, 3 * k + 1, 3 * k + 2));
        asked(&format!(
            r#"{{"mesh":{{"vertices":[{corners}],"triangles":[{faces}],"solid":true}}}}"#
        ))
    }));
    files.extend(sizes("deep", "lines", |n| "[".repeat(n).into_bytes()));
    files.extend(sizes("many", "lines", |n| {
        let mut text = String::new();
        (0..n).for_each(|k| writeln!(text, r#"{{"ask":"impact","a":{{"sphere":{{"radius":1}}}},"b":{{"sphere":{{"radius":1e{}}}}}}}"#, k % 70).unwrap());
        text.into_bytes()
    }));
    files
}

/// All of them.
pub(super) fn all() -> Vec<File> {
    let mut files = gltfs();
    files.extend(urdfs());
    files.extend(colladas());
    files.extend(tomls());
    files.extend(others());
    files
}
