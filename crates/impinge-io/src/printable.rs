//! Text from files, fit for a terminal.

use std::borrow::Cow;
use std::fmt::Write as _;

/// The text with control characters written out, so that a name in a file cannot move the cursor, ring the bell or turn the reading direction.
///
/// ```
/// assert_eq!(impinge_io::printable("bolt\x1b[31m\u{202e}7"), "bolt\\u{1b}[31m\\u{202e}7");
/// assert_eq!(impinge_io::printable("ødeland × 7"), "ødeland × 7");
/// ```
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unprintable) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for letter in text.chars() {
        if is_unprintable(letter) {
            // Into a string: this does not fail.
            let _ = write!(shown, "\\u{{{:x}}}", u32::from(letter));
        } else {
            shown.push(letter);
        }
    }
    Cow::Owned(shown)
}

/// Control characters, and those that change the direction of writing (Unicode Standard Annex 9, section 2).
fn is_unprintable(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
