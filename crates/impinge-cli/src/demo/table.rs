//! Aligned columns, coloured on a terminal.

use std::io::{self, IsTerminal, Write};

/// The colours in use; none of them where colour is off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colour {
    Plain,
    Bold,
    Red,
    Yellow,
    Green,
}

/// Whether colour is wanted: on a terminal only, and not with NO_COLOR (<https://no-color.org>).
pub(crate) fn colour_wanted() -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    !refused && io::stdout().is_terminal()
}

/// The text in a colour.
pub(crate) fn painted(text: &str, colour: Colour, wanted: bool) -> String {
    let code = match colour {
        Colour::Plain => return text.to_string(),
        Colour::Bold => "1",
        Colour::Red => "31",
        Colour::Yellow => "33",
        Colour::Green => "32",
    };
    if wanted { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_string() }
}

/// A row of cells and its colour.
pub(crate) type Row = ([String; COLUMNS], Colour);

const COLUMNS: usize = 6;

/// Writes the head and the rows; numbers stand to the right, words to the left.
pub(crate) fn write(
    output: &mut impl Write,
    head: [&str; COLUMNS],
    to_the_right: [bool; COLUMNS],
    rows: &[Row],
    wanted: bool,
) -> io::Result<()> {
    let mut widths = head.map(|cell| cell.chars().count());
    for (cells, _) in rows {
        for (width, cell) in widths.iter_mut().zip(cells) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let line = |cells: &[String; COLUMNS]| {
        let aligned = cells.iter().zip(widths).zip(to_the_right).map(|((cell, width), right)| {
            if right { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
        });
        aligned.collect::<Vec<_>>().join("  ").trim_end().to_string()
    };
    writeln!(output, "{}", painted(&line(&head.map(str::to_string)), Colour::Bold, wanted))?;
    for (cells, colour) in rows {
        writeln!(output, "{}", painted(&line(cells), *colour, wanted))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Colour, painted, write};

    #[test]
    fn columns_line_up_also_with_letters_of_several_bytes() {
        let row = |first: &str, last: &str| {
            let mut cells = ["", "", "", "", "", ""].map(str::to_string);
            (cells[0], cells[5]) = (first.to_string(), last.to_string());
            (cells, Colour::Plain)
        };
        let mut text = Vec::new();
        let right = [true, false, false, false, false, false];
        write(
            &mut text,
            ["µ", "", "", "", "", "x"],
            right,
            &[row("12.5", "a"), row("−3", "b")],
            false,
        )
        .unwrap();
        let text = String::from_utf8(text).unwrap();
        let ends: Vec<_> = text.lines().map(|line| line.chars().count()).collect();
        assert_eq!(ends, [15, 15, 15], "{text}");
    }

    #[test]
    fn no_escape_codes_unless_wanted() {
        assert_eq!(painted("x", Colour::Red, false), "x");
        assert_eq!(painted("x", Colour::Red, true), "\x1b[31mx\x1b[0m");
    }
}
