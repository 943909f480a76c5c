//! The many ways in which a file may say the same.

use crate::sample::corners;
use impinge_io::{Format, MeshData, PartRange, parse};

fn mesh(format: Format, text: impl AsRef<[u8]>) -> MeshData {
    parse(text.as_ref(), format, "file").unwrap()
}

const SQUARE: [[f64; 3]; 4] = [[0.0; 3], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];
const FAN: [[u32; 3]; 2] = [[0, 1, 2], [0, 2, 3]];

fn assert_square(format: Format, text: impl AsRef<[u8]>) {
    let mesh = mesh(format, text.as_ref());
    assert_eq!(mesh.vertices, SQUARE, "{}", text.as_ref().escape_ascii());
    assert_eq!(mesh.triangles, FAN, "{}", text.as_ref().escape_ascii());
}

#[test]
fn obj_index_forms() {
    let vertices = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\n";
    for face in [
        "f 1 2 3 4",
        "f 1/1 2/1 3/1 4/1",
        "f 1//1 2//1 3//1 4//1",
        "f 1/1/1 2/1/1 3/1/1 4/1/1",
        "f 1/1/ 2/1/ 3/1/ 4/1/",
        "f -4 -3 -2 -1",
        "f -4/-1/-1 2//1 +3 -1",
        "f 1 2 3 4 # quad",
        "f\t1  2\t\t3 4  ",
        "fo 1 2 3 4",
        "f 1 2 \\\n 3 4",
        "f 1 2\\\r\n3 4",
        "f\\\n1\\\n2 3\\\n\\\n4",
        "f 1 2 3 4\\",
    ] {
        assert_square(Format::Obj, format!("{vertices}{face}"));
        assert_square(
            Format::Obj,
            format!("{vertices}{face}\n").replace('\n', "\r\n").replace("\r\r\n", "\r\n"),
        );
        assert_square(Format::Obj, format!("\u{feff}# C:\\models\\\n\n  {vertices}{face}\n"));
    }
}

#[test]
fn obj_statements_that_are_skipped() {
    assert_square(
        Format::Obj,
        "mtllib a.mtl\nv 0 0 0 1.0\nv 1 0 0 0.5 0.5 0.5\nv 1 1 0 # C:\\\nv\\\n 0 1\\\n 0\nusemtl red\ns off\n\
         vp 1 2\nl 1 2 \\\n 3\np 1\nunheard of \\\nf 1 1 1\nf 1 2 3 4",
    );
    assert_square(Format::Obj, "v 0 0 0\rv 1 0 0\rv 1 1 0\rv 0 1 0\rf 1 2 3 4");
}

#[test]
fn obj_faces_may_come_before_their_vertices() {
    assert_square(Format::Obj, "f 1 2 3 4\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n");
    // Negative indices count from where they stand.
    let mesh = mesh(Format::Obj, "v 0 0 0\nv 1 0 0\nv 1 1 0\nf -3 -2 -1\nv 5 5 5\nf -4 -3 -1\n");
    assert_eq!(mesh.triangles, [[0, 1, 2], [0, 1, 3]]);
}

#[test]
fn obj_parts() {
    let mesh = mesh(
        Format::Obj,
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3\no  left arm \nf 1 2 3\nf 3 2 1\ng empty\ng\nf 1 1 1\ng hand\nf 2 2 2\n",
    );
    let part = |name: &str, triangles| PartRange { name: name.into(), triangles };
    assert_eq!(mesh.parts, [part("left arm", 1..3), part("hand", 4..5)]);
}

#[test]
fn unreferenced_and_double_vertices_stay() {
    let mesh = mesh(Format::Obj, "v 9 9 9\nv 0 0 0\nv 0 0 0\nv 1 0 0\nf 2 3 4\n");
    assert_eq!(mesh.vertices.len(), 4);
    assert_eq!(mesh.triangles, [[1, 2, 3]]);
}

#[test]
fn off_headers() {
    let square = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n";
    for header in
        ["OFF\n4 1 4\n", "OFF 4 1 4\n", "OFF4 1 4\n", "4 1 4\n", "OFF\n4 1\n", "OFF\n\n4\n1 0\n"]
    {
        assert_square(Format::Off, format!("{header}{square}"));
        assert_square(
            Format::Off,
            format!("# comment\n\n{header}# another\n{square}").replace('\n', "\r\n"),
        );
    }
    assert_square(
        Format::Off,
        "OFF\n4 1 4 # counts\n0 0 0 # v\n1 0 0\n1 1 0\n0 1 0\n\n4 0 1 2 3 255 0 0\n# end",
    );
    assert_square(
        Format::Off,
        "COFF\n4 1 4\n0 0 0 255 0 0 255\n1 0 0 255 0 0 255\n1 1 0 1 1 1\n0 1 0 1 1 1\n4 0 1 2 3",
    );
    assert_square(
        Format::Off,
        "NOFF\n4 1 4\n0 0 0 0 0 1\n1 0 0 0 0 1\n1 1 0 0 0 1\n0 1 0 0 0 1\n4 0 1 2 3 0.5 0.5 0.5",
    );
    assert_square(
        Format::Off,
        "STOFF 4 1 4\n0 0 0 0 0\n1 0 0 1 0\n1 1 0 1 1\n0 1 0 0 1\n4 0\n1 2\n3",
    );
    assert_square(Format::Off, "STCNOFF 4 1 4\n0 0 0 a\n1 0 0 b\n1 1 0 c\n0 1 0 d\n4 0 1 2 3");
}

const PLY_TEXT: &str = "ply\nformat ascii 1.0\ncomment a square\nobj_info made by hand\nelement vertex 4\n\
    property float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n\
    0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n";

#[test]
fn ply_text() {
    assert_square(Format::Ply, PLY_TEXT);
    assert_square(Format::Ply, PLY_TEXT.replace('\n', "\r\n"));
    assert_square(Format::Ply, PLY_TEXT.replace('\n', "\r"));
    assert_square(Format::Ply, PLY_TEXT.replace("vertex_indices", "vertex_index"));
    assert_square(Format::Ply, PLY_TEXT.replace("0 1 0\n4 0 1", "0 1\n0 4\n0 1"));
    let mixed = PLY_TEXT
        .replace(
            "property float y",
            "property uchar red\nproperty list int float weights\nproperty double y",
        )
        .replace(
            "element face",
            "element edge 2\nproperty int a\nelement nothing 4000000000\nelement face",
        )
        .replace("end_header", "property list uchar float texcoord\nproperty int flags\nend_header")
        .replace(
            "\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n",
            "\n0 255 0 0 0\n1 255 1 .5 0 0\n1 255 2 .5 .5 1 0\n0 255 0 1 0\n7\n8\n",
        )
        .replace("4 0 1 2 3", "4 0 1 2 3 2 0.5 0.5 17");
    assert_square(Format::Ply, mixed);
    let faces_first = "ply\nformat ascii 1.0\nelement face 1\nproperty list uchar int vertex_index\nelement vertex 4\n\
        property float z\nproperty float y\nproperty float x\nend_header\n4 0 1 2 3\n0 0 0\n0 0 1\n0 1 1\n0 1 0";
    assert_square(Format::Ply, faces_first);
}

/// A number in either byte order.
fn put<const N: usize>(bytes: &mut Vec<u8>, big: bool, mut little: [u8; N]) {
    if big {
        little.reverse();
    }
    bytes.extend_from_slice(&little);
}

#[test]
fn ply_binary_of_every_type_and_order() {
    for big in [false, true] {
        for line_end in ["\n", "\r\n", "\r"] {
            let order = if big { "binary_big_endian" } else { "binary_little_endian" };
            let header = format!(
                "ply\nformat {order} 1.0\nelement vertex 4\nproperty short x\nproperty list uint ushort rest\n\
                 property double y\nproperty float z\nproperty uint8 tail\nelement face 1\nproperty char a\n\
                 property list int32 uint16 vertex_indices\nproperty list int16 float64 b\nend_header\n"
            );
            let mut bytes = header.replace('\n', line_end).into_bytes();
            for (i, [x, y, z]) in SQUARE.into_iter().enumerate() {
                put(&mut bytes, big, (x as i16).to_le_bytes());
                put(&mut bytes, big, (i as u32).to_le_bytes());
                for _ in 0..i {
                    put(&mut bytes, big, 0x0a0du16.to_le_bytes());
                }
                put(&mut bytes, big, y.to_le_bytes());
                put(&mut bytes, big, (z as f32).to_le_bytes());
                bytes.push(0xff);
            }
            bytes.push(0x0a);
            put(&mut bytes, big, 4i32.to_le_bytes());
            for i in 0..4u16 {
                put(&mut bytes, big, i.to_le_bytes());
            }
            put(&mut bytes, big, 1i16.to_le_bytes());
            put(&mut bytes, big, f64::NAN.to_le_bytes());
            assert_square(Format::Ply, &bytes);
            bytes.extend_from_slice(b"\n\0\0");
            assert_square(Format::Ply, &bytes);
        }
    }
}

/// Data that begins with the bytes of a line end.
#[test]
fn ply_data_right_behind_the_header() {
    let header = "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty uchar x\nproperty uchar y\n\
        property uchar z\nend_header\n";
    for (line_end, first) in
        [("\n", b'\n'), ("\n", b'\r'), ("\r", b'\n'), ("\r", b'\r'), ("\r\n", b'\n')]
    {
        let mut bytes = header.replace('\n', line_end).into_bytes();
        bytes.extend_from_slice(&[first, 2, 3]);
        assert_eq!(mesh(Format::Ply, &bytes).vertices, [[f64::from(first), 2.0, 3.0]]);
    }
}

#[test]
fn ply_strips() {
    let text = PLY_TEXT
        .replace("element face 1", "element tristrips 1")
        .replace("4 0 1 2 3", "8 0 1 2 3 -1 3 2 1");
    assert_eq!(mesh(Format::Ply, text).triangles, [[0, 1, 2], [2, 1, 3], [3, 2, 1]]);
}

const STL_TEXT: &str = "solid  left part \nfacet normal 0 0 1\n outer loop\n  vertex 0 0 0\n  vertex 1 0 0\n  vertex 1 1 0\n \
    endloop\nendfacet\nfacet normal nan -nan(ind) 1.#QNAN\n outer loop\n  vertex -0 0 -0.0\n  vertex 1e0 1 0\n  vertex 0 +1 0\n \
    endloop\nendfacet\nendsolid left part\n";

#[test]
fn stl_text() {
    assert_square(Format::Stl, STL_TEXT);
    assert_square(
        Format::Stl,
        STL_TEXT.to_uppercase().replace("NAN(IND)", "nan").replace('\n', "\r\n"),
    );
    assert_square(Format::Stl, format!("\u{feff}\n {}", STL_TEXT.replace('\n', "\r")));
    let two = format!("{STL_TEXT}solid\nendsolid\n{}", STL_TEXT.replace("left", "right"));
    let mesh = mesh(Format::Stl, two);
    assert_eq!(mesh.vertices, SQUARE);
    let part = |name: &str, triangles| PartRange { name: name.into(), triangles };
    assert_eq!(mesh.parts, [part("left part", 0..2), part("right part", 2..4)]);
}

#[test]
fn stl_text_keeps_doubles() {
    let text = STL_TEXT.replace("1e0", "0.1234567890123456789");
    assert_eq!(corners(&mesh(Format::Stl, text))[1][1][0], 0.123_456_789_012_345_68);
}

#[test]
fn stl_binary_that_begins_like_text() {
    let mut bytes = b"solid facet normal 0 0 1 ".to_vec();
    bytes.resize(80, b' ');
    bytes.extend_from_slice(&2u32.to_le_bytes());
    for [a, b, c] in FAN {
        bytes.extend_from_slice(&[0xff; 12]);
        for value in [a, b, c].into_iter().flat_map(|corner| SQUARE[corner as usize]) {
            bytes.extend_from_slice(&(value as f32).to_le_bytes());
        }
        bytes.extend_from_slice(&[7, 7]);
    }
    assert_square(Format::Stl, &bytes);
    // Padding that is shorter than a triangle.
    bytes.resize(bytes.len() + 49, 0);
    assert_square(Format::Stl, &bytes);
}
