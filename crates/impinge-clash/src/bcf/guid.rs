//! GUIDs that stay the same as long as their subject does.

use crate::fingerprint::Fingerprint;

/// What a GUID identifies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Of {
    /// The topic of a finding, by its id.
    Finding,
    /// The topic of a group, by its name.
    Group,
    /// The viewpoint of a topic, by what the topic is about.
    Viewpoint,
    /// What people wrote here about a finding, by its id.
    Comment,
    /// The project, by its name.
    Project,
}

/// A GUID made of a text: a UUID of version 8, for values by a rule of one's own (RFC 9562, section 5.8). Version 5 would want SHA-1;
/// the ids of findings are 64 bits by FNV-1a already, and nothing is gained by hashing those more strongly.
pub(super) fn guid(of: Of, text: &str) -> String {
    let half = |salt: u64| {
        let mut print = Fingerprint::default();
        print.number(salt);
        print.text(match of {
            Of::Finding => "finding",
            Of::Group => "group",
            Of::Viewpoint => "viewpoint",
            Of::Comment => "comment",
            Of::Project => "project",
        });
        print.text(text);
        mixed(print.value())
    };
    let (high, low) = (half(1), half(2));
    let high = high & !0xf000 | 0x8000;
    let low = low & !(0b11 << 62) | 0b10 << 62;
    format!(
        "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
        high >> 32,
        high >> 16 & 0xffff,
        high & 0xffff,
        low >> 48,
        low & 0xffff_ffff_ffff
    )
}

/// Spreads what FNV leaves in the low bits: the finaliser of SplitMix64 (G. Steele, D. Lea and C. Flood, "Fast Splittable Pseudorandom
/// Number Generators", OOPSLA 2014).
fn mixed(mut x: u64) -> u64 {
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// True for 22 characters that stand for 128 bits as IFC writes them (ISO 16739, `IfcGloballyUniqueId`): the first holds two bits only.
pub(super) fn is_ifc_guid(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() == 22
        && matches!(bytes[0], b'0'..=b'3')
        && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$'))
}

#[cfg(test)]
mod tests {
    use super::{Of, guid, is_ifc_guid};

    #[test]
    fn guids_are_uuids_that_differ() {
        let one = guid(Of::Finding, "0123456789abcdef");
        assert_eq!(one, guid(Of::Finding, "0123456789abcdef"));
        let mut all: Vec<String> =
            (0..2000).map(|k| guid(Of::Finding, &format!("{k:016x}"))).collect();
        all.extend([Of::Group, Of::Viewpoint, Of::Comment, Of::Project].map(|of| guid(of, "x")));
        for text in &all {
            let places: Vec<usize> = text.match_indices('-').map(|(place, _)| place).collect();
            assert_eq!((text.len(), places.as_slice()), (36, [8, 13, 18, 23].as_slice()), "{text}");
            assert!(
                text.as_bytes()[14] == b'8' && b"89ab".contains(&text.as_bytes()[19]),
                "{text}"
            );
            assert!(text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f' | b'-')));
        }
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 2004);
    }

    #[test]
    fn ifc_guids_are_known() {
        assert!(is_ifc_guid("2O2Fr$t4X7Zf8NOew3FNr2"));
        for text in
            ["", "2O2Fr$t4X7Zf8NOew3FNr", "7O2Fr$t4X7Zf8NOew3FNr2", "2O2Fr-t4X7Zf8NOew3FNr2"]
        {
            assert!(!is_ifc_guid(text), "{text}");
        }
    }
}
