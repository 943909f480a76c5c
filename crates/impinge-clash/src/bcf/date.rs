//! Dates as XML has them.

use std::fmt;

/// A moment, as `xs:dateTime` writes it: `2026-11-16T17:40:00Z`.
///
/// ```
/// use impinge_clash::bcf::Date;
/// assert_eq!(Date::from_unix_seconds(951_827_696).to_string(), "2000-02-29T12:34:56Z");
/// assert!("2026-11-16T17:40:00.5+01:00".parse::<Date>().is_ok());
/// assert!("yesterday".parse::<Date>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Date(String);

impl Date {
    /// A time in seconds since the beginning of 1970, in UTC; years end at 9999.
    pub fn from_unix_seconds(seconds: u64) -> Self {
        let seconds = seconds.min(253_402_300_799);
        let (days, rest) = (seconds / 86_400, seconds % 86_400);
        // The calendar repeats after 146,097 days; years begin in March, so that the leap day is the last (H. Hinnant, "chrono-Compatible
        // Low-Level Date Algorithms", 2014).
        let shifted = days + 719_468;
        let (era, day) = (shifted / 146_097, shifted % 146_097);
        let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
        let in_year = day - (365 * year + year / 4 - year / 100);
        let month = (5 * in_year + 2) / 153;
        let date = in_year - (153 * month + 2) / 5 + 1;
        let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
        let year = 400 * era + year + next;
        let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
        Self(format!("{year:04}-{month:02}-{date:02}T{hour:02}:{minute:02}:{second:02}Z"))
    }

    /// Its text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Date {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&self.0)
    }
}

impl std::str::FromStr for Date {
    type Err = String;

    /// Four digits of a year, and the rest as XML Schema has it (part 2, section 3.2.7); a time zone may be left out.
    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let well_formed = || -> Option<()> {
            let bytes = text.as_bytes();
            let number = |from: usize, count: usize, low: u32, high: u32| {
                let digits = bytes.get(from..from + count)?;
                let value = digits.iter().try_fold(0, |value, byte| {
                    byte.is_ascii_digit().then(|| 10 * value + u32::from(byte - b'0'))
                })?;
                (low..=high).contains(&value).then_some(value)
            };
            let mark = |at: usize, byte: u8| (bytes.get(at) == Some(&byte)).then_some(());
            number(0, 4, 1, 9999)?;
            mark(4, b'-')?;
            let month = number(5, 2, 1, 12)?;
            mark(7, b'-')?;
            let longest = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
            number(8, 2, 1, *longest.get(month as usize - 1)?)?;
            mark(10, b'T')?;
            number(11, 2, 0, 23)?;
            mark(13, b':')?;
            number(14, 2, 0, 59)?;
            mark(16, b':')?;
            number(17, 2, 0, 59)?;
            let mut at = 19;
            if mark(at, b'.').is_some() {
                let digits = bytes.get(at + 1..)?.iter().take_while(|byte| byte.is_ascii_digit());
                let count = digits.count();
                at += 1 + count;
                (1..=12).contains(&count).then_some(())?;
            }
            match bytes.get(at..)? {
                [] | [b'Z'] => Some(()),
                [b'+' | b'-', rest @ ..] if rest.len() == 5 => {
                    number(at + 1, 2, 0, 13)?;
                    mark(at + 3, b':')?;
                    number(at + 4, 2, 0, 59).map(|_| ())
                }
                _ => None,
            }
        };
        match well_formed() {
            Some(()) => Ok(Self(text.to_string())),
            None => Err(format!(
                "\"{}\" is not a date; write 2026-11-16T17:40:00Z",
                text.chars().take(40).collect::<String>()
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Date;

    #[test]
    fn days_are_those_of_the_calendar() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (86_399, "1970-01-01T23:59:59Z"),
            (1_709_164_800, "2024-02-29T00:00:00Z"),
            (1_709_251_200, "2024-03-01T00:00:00Z"),
            (4_107_542_399, "2100-02-28T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (u64::MAX, "9999-12-31T23:59:59Z"),
        ] {
            let date = Date::from_unix_seconds(seconds);
            assert_eq!(date.as_str(), text);
            assert_eq!(text.parse(), Ok(date));
        }
    }

    #[test]
    fn damaged_dates_are_refused() {
        for text in [
            "",
            "2026-11-16",
            "2026-13-16T00:00:00Z",
            "2026-04-31T00:00:00Z",
            "2026-11-16T24:00:00Z",
            "2026-11-16T00:00:00.",
            "2026-11-16T00:00:00+1:00",
            "2026-11-16T00:00:00Zx",
            "２026-11-16T00:00:00Z",
        ] {
            assert!(text.parse::<Date>().is_err(), "{text}");
        }
        for text in
            ["2026-11-16T00:00:00", "2026-11-16T00:00:00.123456-05:30", " 2026-11-16T00:00:00Z\n"]
        {
            assert!(text.parse::<Date>().is_ok(), "{text}");
        }
    }
}
