//! Lines of bounded length from a reader.

use std::io::{self, BufRead, BufReader, Read};

/// The longest line that is read, in bytes; longer ones are skipped and reported.
pub(crate) const LONGEST: usize = 64 << 20;

/// What the next line is.
#[derive(Debug, PartialEq)]
pub(crate) enum Line {
    /// A line, without its newline, left in the caller's buffer.
    Whole,
    /// A line beyond the limit, skipped.
    TooLong,
    /// The end of the input.
    End,
}

/// A reader that hands out lines and never holds more than one of at most `longest` bytes.
pub(crate) struct Lines<R> {
    reader: BufReader<R>,
    longest: usize,
}

impl<R: Read> Lines<R> {
    pub(crate) fn new(reader: R, longest: usize) -> Self {
        Self { reader: BufReader::with_capacity(1 << 16, reader), longest }
    }

    /// Reads the next line into `line`. `before_read` runs before every read that could block, which is when answers that wait
    /// in a buffer must go out.
    pub(crate) fn next(
        &mut self,
        line: &mut Vec<u8>,
        mut before_read: impl FnMut() -> io::Result<()>,
    ) -> io::Result<Line> {
        line.clear();
        let (mut seen_any, mut too_long) = (false, false);
        loop {
            if self.reader.buffer().is_empty() {
                before_read()?;
            }
            let chunk = match self.reader.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            if chunk.is_empty() {
                return Ok(match (seen_any, too_long) {
                    (false, _) => Line::End,
                    (true, true) => Line::TooLong,
                    (true, false) => Line::Whole,
                });
            }
            seen_any = true;
            let newline = chunk.iter().position(|byte| *byte == b'\n');
            let part = newline.map_or(chunk, |end| &chunk[..end]);
            if too_long || part.len() > self.longest - line.len() {
                too_long = true;
                *line = Vec::new();
            } else {
                line.extend_from_slice(part);
            }
            let used = newline.map_or(chunk.len(), |end| end + 1);
            self.reader.consume(used);
            if newline.is_some() {
                return Ok(if too_long { Line::TooLong } else { Line::Whole });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Line, Lines};

    /// All lines of a text, `None` for the ones that are too long.
    fn split(text: &str, longest: usize) -> Vec<Option<String>> {
        let mut lines = Lines::new(text.as_bytes(), longest);
        let (mut found, mut buffer) = (Vec::new(), Vec::new());
        loop {
            match lines.next(&mut buffer, || Ok(())).unwrap() {
                Line::Whole => found.push(Some(String::from_utf8(buffer.clone()).unwrap())),
                Line::TooLong => found.push(None),
                Line::End => return found,
            }
        }
    }

    #[test]
    fn lines_end_at_newlines_and_at_the_end() {
        let whole =
            |texts: &[&str]| texts.iter().map(|t| Some((*t).to_string())).collect::<Vec<_>>();
        assert_eq!(split("a\n\nbc", 9), whole(&["a", "", "bc"]));
        assert_eq!(split("a\nbc\n", 9), whole(&["a", "bc"]));
        assert_eq!(split("", 9), whole(&[]));
    }

    #[test]
    fn a_line_beyond_the_limit_is_skipped_alone() {
        let long = "x".repeat(1 << 18);
        let text = format!("1234\n12345\n{long}\n4\n{long}");
        let four = Some("1234".to_string());
        assert_eq!(split(&text, 4), [four, None, None, Some("4".to_string()), None]);
    }

    #[test]
    fn the_hook_runs_before_each_read_only() {
        let mut lines = Lines::new(&b"1\n2\n3\n"[..], 9);
        let (mut buffer, mut hooks) = (Vec::new(), 0);
        while lines
            .next(&mut buffer, || {
                hooks += 1;
                Ok(())
            })
            .unwrap()
            != Line::End
        {}
        assert_eq!(hooks, 2, "once for the only chunk, once for the end");
    }
}
