//! Bytes to points, such that small changes of bytes reach every kind of degeneracy.

/// The points that the bytes stand for: the first two choose a kind and a scale.
pub fn from_bytes(bytes: &[u8]) -> Vec<[f64; 3]> {
    let [kind, scale, rest @ ..] = bytes else { return Vec::new() };
    // From the smallest subnormal number to 2^249.
    let unit = power(i32::from(*scale) * 1323 / 255 - 1074);
    match kind % 8 {
        0 => triples(rest).map(|b| b.map(|b| f64::from(b % 4))).collect(),
        1 => triples(rest).map(|b| b.map(nudged)).collect(),
        2 => rest.chunks_exact(24).map(any).collect(),
        3 => triples(rest).map(|b| b.map(|b| f64::from(b % 128) * unit / 128.0)).collect(),
        4 => triples(rest)
            .map(|[a, b, c]| {
                let (x, y) = (f64::from(a) * 0.1, f64::from(b) * 0.1);
                [x, y, 0.3 * x + 0.7 * y + f64::from(c % 2) * f64::EPSILON]
            })
            .collect(),
        5 => rest
            .chunks_exact(6)
            .map(|b| {
                [0, 2, 4].map(|i| f64::from(b[i] as i8) * power(i32::from(b[i + 1]) * 5 - 1074))
            })
            .collect(),
        6 => triples(rest).map(on_sphere).collect(),
        _ => {
            triples(rest)
                .map(|[a, b, c]| {
                    if c % 2 == 0 {
                        on_sphere([a, b, 128])
                    } else {
                        [0.0, 0.0, f64::from(c) / 64.0]
                    }
                })
                .collect()
        }
    }
}

fn triples(bytes: &[u8]) -> impl Iterator<Item = [u8; 3]> {
    bytes.chunks_exact(3).map(|b| [b[0], b[1], b[2]])
}

/// 2^exponent, down to the smallest subnormal number.
fn power(exponent: i32) -> f64 {
    2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2)
}

/// One of four values, moved by up to two units in the last place.
fn nudged(byte: u8) -> f64 {
    let value = 0.1 + f64::from(byte % 4) * 0.7;
    match byte / 4 % 5 {
        0 => value.next_down().next_down(),
        1 => value.next_down(),
        2 => value,
        3 => value.next_up(),
        _ => value.next_up().next_up(),
    }
}

/// Any numbers up to 2^250; larger exponents, infinities and NaN are folded into that range.
fn any(bytes: &[u8]) -> [f64; 3] {
    [0, 8, 16].map(|at| {
        let bits = bytes[at..at + 8].iter().fold(0u64, |bits, byte| bits << 8 | u64::from(*byte));
        let exponent = (bits >> 52 & 0x7ff) % (1023 + 250);
        f64::from_bits(bits & !(0x7ff << 52) | exponent << 52)
    })
}

fn on_sphere(bytes: [u8; 3]) -> [f64; 3] {
    let [x, y, z] = bytes.map(|b| f64::from(b) - 128.0);
    let length = (x * x + y * y + z * z).sqrt();
    if length > 0.0 { [x / length, y / length, z / length] } else { [0.0; 3] }
}
