//! The processor's name, for figures that hold on one machine only.

/// The processor's name, or the architecture where it has none.
///
/// ```
/// assert!(!impinge_geom::simd::processor().is_empty());
/// ```
pub fn processor() -> String {
    let name = brand().unwrap_or_default();
    // Names are padded in the middle and at both ends.
    let words: Vec<&str> = name.split_whitespace().collect();
    if words.is_empty() { std::env::consts::ARCH.into() } else { words.join(" ") }
}

/// The brand string of x86-64: AMD64 Architecture Programmer's Manual, volume 3, appendix E.4.2, functions 8000_0002 to 8000_0004.
#[cfg(target_arch = "x86_64")]
fn brand() -> Option<String> {
    use std::arch::x86_64::__cpuid;
    if __cpuid(0x8000_0000).eax < 0x8000_0004 {
        return None;
    }
    let mut bytes = Vec::new();
    for leaf in 0x8000_0002..=0x8000_0004 {
        let found = __cpuid(leaf);
        for register in [found.eax, found.ebx, found.ecx, found.edx] {
            bytes.extend(register.to_le_bytes());
        }
    }
    // Whatever the processor says, it stays on one line.
    let plain = |byte: &u8| if byte.is_ascii_graphic() { char::from(*byte) } else { ' ' };
    Some(bytes.iter().take_while(|byte| **byte != 0).map(plain).collect())
}

#[cfg(not(target_arch = "x86_64"))]
fn brand() -> Option<String> {
    None
}
