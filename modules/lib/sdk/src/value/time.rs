//! Times of the day.

use std::str::FromStr;

use schemars::json_schema;

use super::string_value;

/// A time of the day to the minute, written `09:30`: `00:00` to `23:59`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(u16);

impl Time {
    /// The time so many minutes after midnight; a whole day later is midnight again.
    pub const fn from_minutes(minutes: u16) -> Self {
        Self(minutes % 1_440)
    }

    /// Minutes after midnight: 0 to 1,439.
    pub const fn minutes(self) -> u16 {
        self.0
    }

    fn to_text(self) -> String {
        format!("{:02}:{:02}", self.0 / 60, self.0 % 60)
    }
}

impl FromStr for Time {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let read = || {
            let (hours, minutes) = text.split_once(':')?;
            let number = |part: &str| {
                (part.len() == 2 && part.bytes().all(|it| it.is_ascii_digit())).then(|| part.parse::<u16>().ok())?
            };
            let (hours, minutes) = (number(hours)?, number(minutes)?);
            (hours < 24 && minutes < 60).then_some(Self(hours * 60 + minutes))
        };
        read().ok_or_else(|| "must be a time of the day from 00:00 to 23:59".to_owned())
    }
}

string_value!(
    Time,
    json_schema!({
        "type": "string",
        "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$",
        "description": "a time of the day, such as 09:30"
    })
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_read_and_written_alike_and_what_is_none_is_refused() {
        for text in ["00:00", "09:30", "23:59"] {
            assert_eq!(text.parse::<Time>().map(|it| it.to_string()), Ok(text.to_owned()));
        }
        assert_eq!("09:30".parse::<Time>().map(Time::minutes), Ok(570));
        for text in ["", "9:30", "24:00", "12:60", "12-30", "12:3a", "+1:00", "12:300"] {
            assert!(text.parse::<Time>().is_err(), "{text}");
        }
    }
}
