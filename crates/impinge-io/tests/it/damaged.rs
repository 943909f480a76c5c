//! Files cut short anywhere or changed at random: an error or a mesh whose indices hold, and never a panic.

use crate::sample::{Random, cube, soup};
use impinge_io::{Encoding, Format, LARGEST, MeshData, encode, parse};

fn assert_sound(mesh: &MeshData) {
    let count = mesh.vertices.len();
    assert!(mesh.triangles.iter().flatten().all(|&corner| (corner as usize) < count));
    assert!(mesh.vertices.iter().flatten().all(|value| value.abs() <= LARGEST));
    let mut end = 0;
    for part in &mesh.parts {
        assert!(end <= part.triangles.start && part.triangles.start < part.triangles.end);
        end = part.triangles.end;
    }
    assert!(end <= mesh.triangles.len());
}

/// Reads as every format; what is read must be sound, and what is refused must say why.
fn survives(bytes: &[u8]) -> usize {
    let mut accepted = 0;
    for format in Format::ALL {
        match parse(bytes, format, "damaged") {
            Ok(mesh) => {
                assert_sound(&mesh);
                accepted += 1;
            }
            Err(error) => {
                let message = error.to_string();
                assert!(message.starts_with("damaged: ") && message.len() < 400, "{message}");
                assert!(!message.contains('\n'), "{message}");
            }
        }
    }
    accepted
}

#[test]
fn cut_at_every_byte() {
    for encoding in Encoding::ALL {
        let bytes = encode(&cube(), encoding, "cube").unwrap();
        let length = bytes.trim_ascii_end().len();
        for end in 0..bytes.len() {
            survives(&bytes[..end]);
            // Counts and end marks tell; OBJ has neither, and may lose whole lines unseen.
            let cut = parse(&bytes[..end], encoding.format(), "cube");
            let inside =
                if encoding == Encoding::StlText { length - "endsolid ".len() } else { length - 1 };
            if encoding != Encoding::Obj && end < inside {
                assert!(cut.is_err(), "{encoding:?} cut at {end} of {}", bytes.len());
            }
        }
    }
}

/// Words that matter somewhere.
const WORDS: [&[u8]; 22] = [
    b"-1",
    b"0",
    b"3",
    b"4294967295",
    b"4294967296",
    b"99999999999999999999",
    b"nan",
    b"1e999",
    b"\n",
    b"\r",
    b" ",
    b"\\\n",
    b"#",
    b"solid",
    b"endsolid",
    b"f 1 2 3\n",
    b"v ",
    b"list",
    b"element vertex 1000000000\n",
    b"end_header\n",
    b"OFF",
    b"\xff\xff\xff\xff",
];

fn mutate(bytes: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..1 + random.below(4) {
        let at = random.below(bytes.len() + 1);
        match random.below(6) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            1 if at < bytes.len() => bytes[at] = random.bits() as u8,
            2 => bytes.truncate(at),
            3 => {
                let word = WORDS[random.below(WORDS.len())];
                bytes.splice(at..at, word.iter().copied());
            }
            4 => {
                let end = (at + random.below(20)).min(bytes.len());
                bytes.drain(at..end);
            }
            _ => {
                let end = (at + random.below(40)).min(bytes.len());
                let copy = bytes[at..end].to_vec();
                let to = random.below(bytes.len() + 1);
                bytes.splice(to..to, copy);
            }
        }
    }
}

#[test]
fn changed_at_random() {
    let mut random = Random::new(3);
    let (mut accepted, mut tried) = (0, 0);
    for round in 0..400 {
        let mut mesh = if round % 2 == 0 { cube() } else { soup(&mut random) };
        for vertex in &mut mesh.vertices {
            *vertex = vertex.map(|value| value.clamp(-1e30, 1e30));
        }
        for encoding in Encoding::ALL {
            let original = encode(&mesh, encoding, "mesh").unwrap();
            for _ in 0..10 {
                let mut bytes = original.clone();
                mutate(&mut bytes, &mut random);
                accepted += survives(&bytes);
                tried += 1;
            }
        }
    }
    // The damage is neither always fatal nor never seen.
    assert!(accepted > tried / 20 && accepted < tried, "{accepted} of {tried}");
}

#[test]
fn noise() {
    let mut random = Random::new(4);
    let starts: [&[u8]; 6] =
        [b"", b"solid ", b"OFF ", b"ply\nformat ascii 1.0\n", b"f ", b"v 0 0 0\n"];
    for round in 0..20_000 {
        let mut bytes = starts[round % starts.len()].to_vec();
        for _ in 0..random.below(200) {
            match random.below(4) {
                0 => bytes.push(random.bits() as u8),
                1 => bytes.extend_from_slice(WORDS[random.below(WORDS.len())]),
                _ => bytes.push(b" \n0123456789.-/v"[random.below(16)]),
            }
        }
        survives(&bytes);
    }
}
