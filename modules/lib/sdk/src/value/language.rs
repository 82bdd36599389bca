//! Languages.

use std::str::FromStr;

use schemars::json_schema;

use super::string_value;

/// A language tag of BCP 47, at most 8 characters: a language, and perhaps a region or script (`de`, `pt-BR`, `zh-Hant`).
/// Written in the case that RFC 5646 section 2.1.1 recommends.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Language(String);

impl Language {
    /// Its text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The language alone: `pt` of `pt-BR`.
    pub fn primary(&self) -> &str {
        self.0.split('-').next().unwrap_or(&self.0)
    }

    fn to_text(&self) -> &str {
        &self.0
    }
}

impl FromStr for Language {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "must be a language tag such as de or pt-BR".to_owned();
        let mut parts = text.split('-');
        let primary = parts.next().unwrap_or_default();
        if text.len() > 8 || !(2..=3).contains(&primary.len()) || !primary.bytes().all(|it| it.is_ascii_alphabetic()) {
            return Err(wrong());
        }
        let mut written = primary.to_ascii_lowercase();
        for part in parts {
            let cased = match part.len() {
                2 if part.bytes().all(|it| it.is_ascii_alphabetic()) => part.to_ascii_uppercase(),
                3 if part.bytes().all(|it| it.is_ascii_digit()) => part.to_owned(),
                4 if part.bytes().all(|it| it.is_ascii_alphabetic()) => {
                    part[..1].to_ascii_uppercase() + &part[1..].to_ascii_lowercase()
                }
                _ => return Err(wrong()),
            };
            written = written + "-" + &cased;
        }
        Ok(Self(written))
    }
}

string_value!(
    Language,
    json_schema!({ "type": "string", "minLength": 2, "maxLength": 8, "pattern": "^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,4})*$", "description": "BCP 47, such as de or pt-BR" })
);
