//! Whether a map result is the business: by place id, then by name, phone and domain.
//!
//! A chain has many branches with one name and one website, so these two say nothing when the branch is elsewhere; a place
//! id is Google's own and decides alone, unless it was given anew to the same name and phone number.

use sdk::prelude::*;
use serde::{Deserialize, Serialize};

use crate::geodesy::Point;

/// How far a result may be from the business and still be it, in metres: map positions are moved by their owners.
const NEAR: f64 = 400.0;
/// How alike two names are that mean the same, from 0 to 1.
const ALIKE: f64 = 0.9;
/// Digits of a phone number, from its end, that tell subscribers of one country apart.
const DIGITS: usize = 9;

/// How a business is recognised.
#[value]
#[derive(Default)]
pub(crate) struct Rules {
    /// Google's name of the place.
    pub(crate) place_id: Option<String>,
    /// Its name, and other names that it goes by.
    pub(crate) names: Vec<String>,
    /// Its phone number, digits alone.
    pub(crate) phone: Option<String>,
    /// The host of its website, without `www.`.
    pub(crate) domain: Option<String>,
}

/// By what a business was recognised.
#[value]
pub(crate) enum Evidence {
    /// The place id is the same.
    PlaceId,
    /// Name and phone number are the same.
    NameAndPhone,
    /// Name and website are the same, at the same place.
    NameAndDomain,
    /// The name is the same, at the same place.
    NameAndPlace,
    /// Phone number and website are the same, under another name.
    PhoneAndDomain,
}

/// In how many pins something told the business.
#[value]
pub(crate) struct Matched {
    /// By what it was recognised.
    pub(crate) by: Evidence,
    /// In so many pins.
    pub(crate) pins: u32,
}

/// What a map result says of a business.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Seen {
    pub(crate) place_id: Option<String>,
    pub(crate) name: String,
    pub(crate) phone: Option<String>,
    pub(crate) domain: Option<String>,
    pub(crate) address: Option<String>,
    pub(crate) point: Option<Point>,
}

impl Rules {
    /// By what a result is recognised as the business that stands at a point; none when it is another.
    pub(crate) fn recognise(&self, centre: Point, seen: &Seen) -> Option<Evidence> {
        let same_id = self.place_id.as_ref().zip(seen.place_id.as_ref()).map(|(ours, theirs)| ours == theirs);
        if same_id == Some(true) {
            return Some(Evidence::PlaceId);
        }
        let named = self.names.iter().any(|name| alike(name, &seen.name));
        let phone = self.phone.as_ref().zip(seen.phone.as_ref()).is_some_and(|(ours, theirs)| same_phone(ours, theirs));
        if named && phone {
            return Some(Evidence::NameAndPhone);
        }
        // Google says that this is another place, and nothing that belongs to one branch alone says otherwise.
        if same_id == Some(false) {
            return None;
        }
        let domain = self.domain.as_ref().zip(seen.domain.as_ref()).is_some_and(|(ours, theirs)| ours == &host(theirs));
        let near = seen.point.map(|point| centre.to(point).0 <= NEAR);
        match (named, near) {
            (true, Some(true)) if domain => Some(Evidence::NameAndDomain),
            (true, Some(true)) => Some(Evidence::NameAndPlace),
            (true, None) if domain => Some(Evidence::NameAndDomain),
            _ if phone && domain => Some(Evidence::PhoneAndDomain),
            _ => None,
        }
    }
}

/// The digits of a phone number, without what stands for an international call.
pub(crate) fn digits(phone: &str) -> String {
    let digits: String = phone.chars().filter(char::is_ascii_digit).collect();
    digits.strip_prefix("00").map(str::to_owned).unwrap_or(digits)
}

/// A host in lower case without `www.`.
pub(crate) fn host(domain: &str) -> String {
    let lower = domain.trim().to_ascii_lowercase();
    lower.strip_prefix("www.").map(str::to_owned).unwrap_or(lower)
}

/// Whether two numbers end in the same nine digits: one may be written for calls from abroad.
fn same_phone(ours: &str, theirs: &str) -> bool {
    let (ours, theirs) = (digits(ours), digits(theirs));
    let end = |number: &str| number[number.len().saturating_sub(DIGITS)..].to_owned();
    ours.len() >= 7 && theirs.len() >= 7 && end(&ours) == end(&theirs)
}

/// Words of a name in lower case, without punctuation, each once and in order.
pub(crate) fn words(name: &str) -> Vec<String> {
    let lower = name.to_lowercase().replace('&', " and ");
    let mut words: Vec<String> =
        lower.split(|letter: char| !letter.is_alphanumeric()).filter(|it| !it.is_empty()).map(str::to_owned).collect();
    words.sort();
    words.dedup();
    words
}

/// Whether two names mean the same: the same words in any order, or nearly the same letters.
fn alike(ours: &str, theirs: &str) -> bool {
    let (ours, theirs) = (words(ours), words(theirs));
    !ours.is_empty() && (ours == theirs || strsim::normalized_levenshtein(&ours.join(" "), &theirs.join(" ")) >= ALIKE)
}

#[cfg(test)]
mod tests;
