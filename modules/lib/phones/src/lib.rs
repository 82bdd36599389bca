//! Telephone numbers: read in any spelling of their country, valid or not, in their international form and as their own
//! country writes them.
//!
//! Source: ITU-T E.164, and the rules of the countries from libphonenumber 9.0.33. The crate that has all of it brings 2.35 MB
//! and the whole of a regular expression engine into every module that is built beside it; this brings 230 KB.

mod metadata;
mod shape;

use metadata::{Region, Rule};

/// A number that its country has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phone {
    code: &'static str,
    national: String,
}

/// The most characters that are read.
const MOST: usize = 60;

impl Phone {
    /// Reads a number as it is written in a country (ISO 3166-1 alpha-2), or with `+` in any; none for what no country has.
    #[must_use]
    pub fn read(text: &str, country: &str) -> Option<Self> {
        let (digits, is_international) = digits(text)?;
        let home = metadata::region(country);
        let (code, rest) = if is_international {
            split(&digits)?
        } else {
            let home = home?;
            match shape::prefix(home.international, &digits) {
                Some(length) if digits.len() > length => split(&digits[length..])?,
                _ => (home.code, without_code(home, &digits)),
            }
        };
        let regions = metadata::of_code(code);
        let national = without_prefix(regions.first()?, &rest);
        let phone = Self { code, national };
        regions.iter().any(|it| phone.is_of(it)).then_some(phone)
    }

    /// The international form, such as `+442079460101`.
    #[must_use]
    pub fn e164(&self) -> String {
        format!("+{}{}", self.code, self.national)
    }

    /// As its own country writes it, such as `020 7946 0101`.
    #[must_use]
    pub fn national(&self) -> String {
        self.written(|it| &it.formats, true).unwrap_or_else(|| self.national.clone())
    }

    /// As others write it, such as `+44 20 7946 0101`.
    #[must_use]
    pub fn international(&self) -> String {
        let abroad = metadata::of_code(self.code).first().is_some_and(|it| !it.formats_abroad.is_empty());
        let written =
            if abroad { self.written(|it| &it.formats_abroad, false) } else { self.written(|it| &it.formats, false) };
        format!("+{} {}", self.code, written.unwrap_or_else(|| self.national.clone()))
    }

    fn is_of(&self, region: &Region) -> bool {
        if !region.leading.is_empty() && shape::prefix(region.leading, &self.national).is_none() {
            return false;
        }
        let fits =
            |rule: &Rule| rule.lengths.contains(&self.national.len()) && shape::whole(rule.pattern, &self.national);
        shape::whole(region.general.pattern, &self.national) && region.kinds.iter().any(fits)
    }

    fn written(
        &self,
        formats: impl Fn(&'static Region) -> &'static [metadata::Format],
        is_home: bool,
    ) -> Option<String> {
        let region = metadata::of_code(self.code).first().copied()?;
        let fits = |it: &&metadata::Format| {
            (it.leading.is_empty() || shape::prefix(it.leading, &self.national).is_some())
                && shape::whole(it.pattern, &self.national)
        };
        let format = formats(region).iter().find(fits)?;
        let mut written = format.format.to_owned();
        // The rule stands in the place of the first group: of `0\1` and `\2 15-\3` comes `0\2 15-\3`.
        if let Some(at) = written.find('\\').filter(|_| is_home && !format.prefix.is_empty()) {
            let group = written[at..at + 2].to_owned();
            written.replace_range(at..at + 2, &format.prefix.replace("\\1", &group));
        }
        shape::filled(format.pattern, &written, &self.national)
    }
}

/// The digits of what reads like a number, and whether its country stands before it. Extensions are left out; three letters or
/// more are those of a keypad.
fn digits(text: &str) -> Option<(String, bool)> {
    let begin = text.find(|c: char| c.is_ascii_digit() || matches!(c, '+' | '＋'))?;
    let mut number = text.get(begin..).filter(|_| text.len() <= 4 * MOST)?;
    let lower = number.to_lowercase();
    for mark in ["ext", " x", ";", " durchwahl", " app.", " poste"] {
        if let Some(at) = lower.find(mark).filter(|at| number.is_char_boundary(*at) && *at < number.len()) {
            number = &number[..at.min(number.len())];
            break;
        }
    }
    let is_international = number.starts_with(['+', '＋']);
    let letters = number.chars().filter(char::is_ascii_alphabetic).count();
    if letters > 0 && letters < 3 {
        return None;
    }
    let key = |c: char| -> Option<char> {
        const KEYS: &str = "22233344455566677778889999";
        match c {
            '0'..='9' => Some(c),
            'a'..='z' => KEYS.chars().nth(c as usize - 'a' as usize),
            _ => None,
        }
    };
    let digits: String = number.chars().take(MOST).filter_map(|it| key(it.to_ascii_lowercase())).collect();
    (2..=17).contains(&digits.len()).then_some((digits, is_international))
}

/// The country's code and the rest.
fn split(digits: &str) -> Option<(&'static str, String)> {
    (1..=3).find_map(|length| {
        let code = digits.get(..length)?;
        let region = *metadata::of_code(code).first()?;
        Some((region.code, digits[length..].to_owned()))
    })
}

/// A number whose country's code was written without a sign: it goes where the number is none with it and one without.
fn without_code(home: &Region, digits: &str) -> String {
    let Some(rest) = digits.strip_prefix(home.code) else { return digits.to_owned() };
    let bare = without_prefix(home, rest);
    let fits = |text: &str| shape::whole(home.general.pattern, text);
    let too_long = home.general.lengths.iter().all(|it| digits.len() > *it);
    if (!fits(digits) && fits(&bare)) || too_long { bare } else { digits.to_owned() }
}

/// The number without the prefix that is dialled within its country, unless that makes it none.
fn without_prefix(region: &Region, digits: &str) -> String {
    let Some((length, has_group)) = shape::prefix_with_group(region.prefix, digits).filter(|it| it.0 > 0) else {
        return digits.to_owned();
    };
    let was_one = shape::whole(region.general.pattern, digits);
    let stripped = if region.transform.is_empty() || !has_group {
        digits[length..].to_owned()
    } else {
        match shape::replaced(region.prefix, region.transform, digits) {
            Some(stripped) => stripped,
            None => return digits.to_owned(),
        }
    };
    let becomes_one = shape::whole(region.general.pattern, &stripped);
    let has_length = region.general.lengths.iter().any(|it| *it <= stripped.len())
        && region.general.lengths.contains(&stripped.len())
        || region.general.lengths.iter().all(|it| stripped.len() > *it);
    if (was_one && !becomes_one) || !has_length { digits.to_owned() } else { stripped }
}

#[cfg(test)]
mod tests {
    //! Numbers of thirty countries, as PyPI `phonenumbers` 9.0.33 reads and writes them.

    use super::*;

    #[test]
    fn numbers_are_read_and_written_as_by_the_reference() {
        let mut wrong = Vec::new();
        let mut lines = 0;
        for line in include_str!("tests/reference.tsv").lines() {
            let parts: Vec<&str> = line.split('\t').collect();
            let phone = Phone::read(parts[1], parts[0]);
            let ours = phone
                .as_ref()
                .map_or([const { String::new() }; 3], |it| [it.e164(), it.national(), it.international()]);
            lines += 1;
            if ours != [parts[2], parts[3], parts[4]] {
                wrong.push(format!("{line}: {ours:?}"));
            }
        }
        assert!(lines >= 2_000 && wrong.is_empty(), "{} of {lines}: {:#?}", wrong.len(), &wrong[..wrong.len().min(12)]);
    }

    #[test]
    fn what_is_no_number_is_none_whatever_it_is() {
        for text in
            ["", "+", "0", "++++", "€ 12,50", "2026-11-30", "1 Lamp Lane", "é".repeat(500).as_str(), "+999 12345678"]
        {
            assert_eq!(Phone::read(text, "GB"), None, "{text}");
        }
        assert_eq!(Phone::read("020 7946 0101", "XX"), None, "no such country");
        assert!(Phone::read("+44 20 7946 0101", "XX").is_some());
    }
}
