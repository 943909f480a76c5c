//! On which machine, and when.

use std::time::{SystemTime, UNIX_EPOCH};

/// What times depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// The processor's name.
    pub processor: String,
    /// How many threads it runs at a time.
    pub threads: usize,
}

impl Machine {
    /// The one that this runs on.
    pub fn this() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Self { processor: impinge::geom::simd::processor(), threads }
    }

    /// As the name of a file: small letters, digits and hyphens.
    pub fn file_name(&self) -> String {
        let mut name = String::new();
        for letter in self.processor.to_lowercase().chars() {
            if letter.is_ascii_alphanumeric() {
                name.push(letter);
            } else if !name.ends_with('-') && !name.is_empty() {
                name.push('-');
            }
        }
        match name.trim_matches('-') {
            "" => "unknown".into(),
            name => name.into(),
        }
    }
}

/// The date of today, in UTC, such as 2026-11-16.
pub fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    date((seconds / 86400) as i64)
}

/// The date a number of days after the first of January 1970. Years begin in March here, so that leap days come last.
fn date(days: i64) -> String {
    // 1970-01-01 is 719468 days after the first of March of the year 0; 400 years have 146097 days.
    let days = days + 719_468;
    let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day_of_month = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{day_of_month:02}", year + era * 400 + next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        for (days, text) in [
            (0, "1970-01-01"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (20_773, "2026-11-16"),
            (-1, "1969-12-31"),
        ] {
            assert_eq!(date(days), text);
        }
        assert_eq!(today().len(), 10);
    }

    #[test]
    fn names_of_files() {
        let machine = |processor: &str| Machine { processor: processor.into(), threads: 2 };
        assert_eq!(machine("AMD EPYC(TM) 9V74 @ 2.6GHz ").file_name(), "amd-epyc-tm-9v74-2-6ghz");
        assert_eq!(machine("…").file_name(), "unknown");
        assert!(!Machine::this().file_name().is_empty());
    }
}
