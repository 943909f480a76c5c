//! Numbers that stand for what they were made of, the same on every machine and in every version.

/// FNV-1a, 64 bits, by G. Fowler, L. C. Noll and K.-P. Vo. Not safe against people who want to deceive; nobody gains by it here.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fingerprint(u64);

impl Default for Fingerprint {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fingerprint {
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    pub(crate) fn number(&mut self, number: u64) {
        self.0 = (self.0 ^ number).wrapping_mul(0x0100_0000_01b3);
        self.0 ^= self.0 >> 29;
    }

    /// Zero has one sign here.
    pub(crate) fn point(&mut self, point: [f64; 3]) {
        point.iter().for_each(|x| self.number((x + 0.0).to_bits()));
    }

    /// A text and its end, so that two texts are not their sum.
    pub(crate) fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
        self.bytes(&[0xff]);
    }

    pub(crate) fn value(self) -> u64 {
        self.0
    }
}
