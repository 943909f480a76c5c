//! Text from files, fit to be shown.

use std::borrow::Cow;
use std::fmt::Write as _;

/// The text with control characters written out, so that a name in a file cannot move the cursor, ring the bell or turn the reading direction.
///
/// ```
/// assert_eq!(impinge_io::printable("bolt\x1b[31m\u{202e}7"), "bolt\\u{1b}[31m\\u{202e}7");
/// assert_eq!(impinge_io::printable("ødeland × 7"), "ødeland × 7");
/// ```
pub fn printable(text: &str) -> Cow<'_, str> {
    shown(text, is_unprintable)
}

/// The same for text of several lines: tabs and line ends stay.
///
/// ```
/// assert_eq!(impinge_io::printable_lines("one\r\n\ttwo\x1b"), "one\r\n\ttwo\\u{1b}");
/// ```
pub fn printable_lines(text: &str) -> Cow<'_, str> {
    shown(text, |letter| is_unprintable(letter) && !matches!(letter, '\t' | '\n' | '\r'))
}

/// JSON that stands for the same values with the text of [`printable_lines`].
///
/// ```
/// let json = r#""\\u001b \u001b\n""#;
/// assert_eq!(impinge_io::shown_json(json), r#""\\u001b \\u{1b}\n""#);
/// ```
pub fn shown_json(json: &str) -> String {
    let mut shown = String::with_capacity(json.len() + 8);
    let mut rest = json;
    while let Some(place) = rest.find('\\') {
        let (before, escape) = rest.split_at(place);
        shown.push_str(before);
        // `\u` and four digits, or `\` and one letter; line ends and tabs have escapes of one letter.
        let code = escape.get(2..6).filter(|_| escape[1..].starts_with('u'));
        let code = code.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let hidden = code.and_then(char::from_u32).filter(|letter| is_unprintable(*letter));
        let end = match hidden {
            Some(letter) => {
                // Into a string: this does not fail.
                let _ = write!(shown, "\\\\u{{{:x}}}", u32::from(letter));
                6
            }
            None => {
                let end = escape.char_indices().nth(2).map_or(escape.len(), |(end, _)| end);
                shown.push_str(&escape[..end]);
                end
            }
        };
        rest = &escape[end..];
    }
    shown.push_str(rest);
    shown
}

fn shown(text: &str, is_hidden: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for letter in text.chars() {
        if is_hidden(letter) {
            // Into a string: this does not fail.
            let _ = write!(shown, "\\u{{{:x}}}", u32::from(letter));
        } else {
            shown.push(letter);
        }
    }
    Cow::Owned(shown)
}

/// JSON that stands for the same values, with such characters as escapes. Those below U+0020 are escapes in all JSON.
///
/// ```
/// assert_eq!(impinge_io::printable_json("\"b\u{202e}7\u{7f}\"".to_string()), r#""b\u202e7\u007f""#);
/// ```
pub fn printable_json(text: String) -> String {
    if text.bytes().all(|byte| byte < 0x7f) {
        return text;
    }
    // Line ends between values stay.
    let is_hidden = |letter: char| letter >= '\u{7f}' && is_unprintable(letter);
    let mut shown = String::with_capacity(text.len() + 8);
    for letter in text.chars() {
        if is_hidden(letter) {
            for unit in letter.encode_utf16(&mut [0; 2]) {
                // Into a string: this does not fail.
                let _ = write!(shown, "\\u{unit:04x}");
            }
        } else {
            shown.push(letter);
        }
    }
    shown
}

/// Control characters, those that change the direction of writing (Unicode Standard Annex 9, section 2), ends of lines and paragraphs, marks without width,
/// and tags. Joiners of letters, which some scripts need, are text.
fn is_unprintable(letter: char) -> bool {
    letter.is_control()
        || matches!(letter,
            '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}
