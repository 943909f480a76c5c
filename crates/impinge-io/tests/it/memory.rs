//! Memory and time follow the size of the file, never a count that it claims.

use crate::sample::{Random, cube};
use allocation_counter::measure;
use impinge_io::{Encoding, ErrorKind, Format, MeshData, encode, parse};

/// The most bytes in use at a time while parsing; the parse must fail.
#[track_caller]
fn refused_within(bytes: &[u8], format: Format, limit: u64) {
    let mut error = None;
    let used = measure(|| error = parse(bytes, format, "bomb").err());
    let error = error.unwrap();
    let kinds = [ErrorKind::Truncated, ErrorKind::TooMany, ErrorKind::Malformed];
    assert!(kinds.contains(&error.kind()), "{error}");
    assert!(
        used.bytes_max <= limit,
        "{} bytes for a file of {}: {error}",
        used.bytes_max,
        bytes.len()
    );
}

#[test]
fn claimed_counts() {
    for count in
        ["1000000", "4294967295", "4294967296", "999999999999999999", "99999999999999999999"]
    {
        let off = format!("OFF\n{count} {count} 0\n0 0 0\n");
        refused_within(off.as_bytes(), Format::Off, 4096);
        let off = format!("OFF\n1 {count} 0\n0 0 0\n3 0 0 0\n");
        refused_within(off.as_bytes(), Format::Off, 4096);
        let off = format!("OFF\n1 1 0\n0 0 0\n{count} 0 0 0\n");
        refused_within(off.as_bytes(), Format::Off, 4096);
        for kind in ["ascii", "binary_little_endian", "binary_big_endian"] {
            let header = |vertices: &str, faces: &str| {
                format!(
                    "ply\nformat {kind} 1.0\nelement vertex {vertices}\nproperty uchar x\nproperty uchar y\n\
                     property uchar z\nelement face {faces}\nproperty list uint uint vertex_indices\n\
                     property list uint double extra\nelement other {count}\nproperty uchar a\nend_header\n"
                )
            };
            for (vertices, faces) in [(count, "1"), ("1", count), ("1", "1"), ("0", "0")] {
                let mut bytes = header(vertices, faces).into_bytes();
                bytes.extend_from_slice(b"0 0 0 3 0 0 0 4294967295 0");
                refused_within(&bytes, Format::Ply, 16384);
            }
            let mut bytes = header("1", "1").into_bytes();
            bytes.extend_from_slice(b"0 0 4294967295 0 0 0 0");
            refused_within(&bytes, Format::Ply, 16384);
        }
    }
    let mut stl = vec![0; 80];
    stl.extend_from_slice(&u32::MAX.to_le_bytes());
    refused_within(&stl, Format::Stl, 4096);
}

/// An element without properties takes no bytes and must take no time.
#[test]
fn empty_elements() {
    let text = "ply\nformat ascii 1.0\nelement a 4294967295\nelement vertex 0\nproperty float x\nproperty float y\n\
        property float z\nelement face 0\nelement b 4294967295\nend_header\n";
    assert_eq!(parse(text.as_bytes(), Format::Ply, "empty").unwrap(), MeshData::default());
}

/// A fixed multiple of the size, also for the densest files that can be written.
#[test]
fn memory_follows_the_size() {
    let mut files: Vec<(Format, Vec<u8>)> = vec![
        (Format::Obj, b"v 0 0 0\n".repeat(100_000)),
        (Format::Obj, [&b"v 0 0 0\nf"[..], &b" 1".repeat(400_000)].concat()),
        (Format::Obj, [&b"v 0 0 0\n"[..], &b"g a\nf 1 1 1\n".repeat(50_000)].concat()),
        (Format::Off, [&b"OFF 100000 0 0\n"[..], &b"0 0 0\n".repeat(100_000)].concat()),
        (Format::Off, [&b"OFF 1 100000 0\n0 0 0\n"[..], &b"3 0 0 0\n".repeat(100_000)].concat()),
    ];
    let mut random = Random::new(5);
    let vertices = (0..50_000).map(|_| [0; 3].map(|_| random.below(1_000_000) as f64)).collect();
    let triangles = (0..100_000).map(|_| [0; 3].map(|_| random.below(50_000) as u32)).collect();
    let mesh = MeshData::new(vertices, triangles);
    for encoding in Encoding::ALL {
        files.push((encoding.format(), encode(&mesh, encoding, "mesh").unwrap()));
    }
    for (format, bytes) in files {
        let used = measure(|| {
            parse(&bytes, format, "large").unwrap();
        });
        assert!(
            used.bytes_max <= 24 * bytes.len() as u64,
            "{format:?}: {} for {}",
            used.bytes_max,
            bytes.len()
        );
        assert!(used.count_total <= 200_000, "{format:?}: {} allocations", used.count_total);
    }
}

/// Many parts, many equal and many different positions: no step may look at all that came before.
#[test]
fn time_follows_the_size() {
    let start = std::time::Instant::now();
    let mut text = b"v 0 0 0\n".to_vec();
    for i in 0..200_000 {
        text.extend_from_slice(format!("o {i}\nf 1 1 1\n").as_bytes());
    }
    assert_eq!(parse(&text, Format::Obj, "parts").unwrap().parts.len(), 200_000);
    let mut text = Vec::new();
    let facet = String::from_utf8(encode(&cube(), Encoding::StlText, "cube").unwrap()).unwrap();
    for _ in 0..2_000 {
        text.extend_from_slice(facet.as_bytes());
    }
    assert_eq!(parse(&text, Format::Stl, "cubes").unwrap().vertices.len(), 8);
    // Quadratic work would take minutes.
    assert!(start.elapsed().as_secs() < 20);
}
