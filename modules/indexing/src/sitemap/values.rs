//! The values that a sitemap's elements may have.

use super::datetime;
use super::fault::{Code, Fault, Faults};
use crate::hreflang::codes::{self, Judged};

/// The most characters of an address (sitemaps.org).
const LONGEST: usize = 2_048;
/// The fewest, by the schema.
const SHORTEST: usize = 12;
/// The words of `changefreq`.
const OFTEN: [&str; 7] = ["always", "hourly", "daily", "weekly", "monthly", "yearly", "never"];

/// An address of the protocol.
pub(super) fn loc(value: &str, line: u32, faults: &mut Faults) {
    let length = value.chars().count();
    if length > LONGEST {
        let message = format!("the address has {length} characters; at most {LONGEST} are allowed");
        faults.push(Fault::of_schema(Code::LocTooLong, line, message));
        return;
    }
    let short = length < SHORTEST;
    match kit::url::Url::parse(value) {
        Ok(url) if matches!(url.scheme(), "http" | "https") && url.has_host() => {
            if value.contains(char::is_whitespace) {
                let message = "the address has white space in it".to_owned();
                faults.push(Fault::beside_schema(Code::LocInvalid, line, message));
            } else if short {
                let message = format!("the schema wants at least {SHORTEST} characters");
                faults.push(Fault::of_schema(Code::LocInvalid, line, message));
            }
            if url.fragment().is_some() {
                faults.push(Fault::new(Code::LocFragment, line, "search engines drop what follows #".to_owned()));
            }
        }
        _ => {
            let message = format!("`{}` is no whole http(s) address", kit::text::clip(value, 100));
            let make = if short { Fault::of_schema } else { Fault::beside_schema };
            faults.push(make(Code::LocInvalid, line, message));
        }
    }
}

/// A date of the last change.
pub(super) fn lastmod(value: &str, line: u32, faults: &mut Faults) {
    match datetime::read(value) {
        None => {
            let message =
                format!("`{}` is no date; write 2026-09-28 or 2026-09-28T07:30:00+00:00", kit::text::clip(value, 60));
            faults.push(Fault::new(Code::LastmodInvalid, line, message));
        }
        Some(date) if !date.schema => {
            let message =
                "W3C Datetime knows this form, the schema does not; write the day, or a time with seconds".to_owned();
            faults.push(Fault::of_schema(Code::LastmodForm, line, message));
        }
        Some(date) if !date.w3c => {
            let message =
                "the schema knows this form, W3C Datetime does not; a time has a zone, a day has none".to_owned();
            faults.push(Fault::beside_schema(Code::LastmodForm, line, message));
        }
        Some(_) => {}
    }
}

/// How often an address changes; search engines hardly look at it.
pub(super) fn changefreq(value: &str, line: u32, faults: &mut Faults) {
    if !OFTEN.contains(&value) {
        let message = format!("changefreq is one of {}", OFTEN.join(", "));
        faults.push(Fault::new(Code::ChangefreqInvalid, line, message));
    }
}

/// How an address ranks among those of its website; search engines hardly look at it.
pub(super) fn priority(value: &str, line: u32, faults: &mut Faults) {
    // xsd:decimal has no exponent.
    let shaped = !value.is_empty() && value.bytes().all(|it| it.is_ascii_digit() || matches!(it, b'.' | b'+' | b'-'));
    let fits = shaped && value.parse::<f64>().is_ok_and(|it| (0.0..=1.0).contains(&it));
    if !fits {
        faults.push(Fault::new(Code::PriorityInvalid, line, "priority is a number from 0.0 to 1.0".to_owned()));
    }
}

/// The code and address of an `xhtml:link`.
pub(super) fn alternate(attributes: &[(String, String)], line: u32, faults: &mut Faults) -> Option<(String, String)> {
    let get = |name: &str| attributes.iter().find(|(it, _)| it == name).map(|(_, value)| value.trim());
    let mut tell = |message: &str| faults.push(Fault::new(Code::HreflangInvalid, line, message.to_owned()));
    if get("rel") != Some("alternate") {
        tell("an xhtml:link says rel=\"alternate\"");
    }
    let (Some(lang), Some(href)) = (get("hreflang"), get("href")) else {
        tell("an xhtml:link has hreflang and href");
        return None;
    };
    if !kit::url::Url::parse(href).is_ok_and(|url| matches!(url.scheme(), "http" | "https")) {
        tell("the href of an xhtml:link is a whole http(s) address");
    }
    if let Judged::Wrong { message, .. } = codes::judge(lang) {
        tell(&message);
    }
    Some((lang.to_owned(), href.to_owned()))
}

/// A value of an extension.
pub(super) fn extension(name: &str, value: &str, line: u32, faults: &mut Faults) {
    let is_url = || kit::url::Url::parse(value).is_ok_and(|url| matches!(url.scheme(), "http" | "https"));
    let number = |least: f64, most: f64| value.parse::<f64>().is_ok_and(|it| (least..=most).contains(&it));
    let (fits, rule) = match name {
        "image:loc" | "video:thumbnail_loc" | "video:content_loc" | "video:player_loc" => {
            (is_url(), "a whole http(s) address")
        }
        "video:duration" => (value.parse::<u32>().is_ok_and(|it| (1..=28_800).contains(&it)), "1 to 28,800 seconds"),
        "video:rating" => (number(0.0, 5.0), "0.0 to 5.0"),
        "video:view_count" => (value.parse::<u64>().is_ok(), "a whole number"),
        "video:family_friendly" | "video:requires_subscription" | "video:live" => {
            (matches!(value.to_ascii_lowercase().as_str(), "yes" | "no"), "yes or no")
        }
        "video:expiration_date" | "video:publication_date" | "news:publication_date" => {
            (datetime::read(value).is_some_and(|it| it.w3c), "a W3C date")
        }
        "video:title" | "news:title" | "news:name" => (!value.is_empty(), "a text"),
        "video:description" => ((1..=2_048).contains(&value.chars().count()), "1 to 2,048 characters"),
        // ISO 639 with two or three letters, and zh-cn and zh-tw (Google's document of news sitemaps).
        "news:language" => {
            let word = |it: &str| (2..=3).contains(&it.len()) && it.bytes().all(|byte| byte.is_ascii_lowercase());
            (word(value) || matches!(value, "zh-cn" | "zh-tw"), "a language of ISO 639, or zh-cn or zh-tw")
        }
        _ => return,
    };
    if !fits {
        faults.push(Fault::new(Code::ExtensionInvalid, line, format!("<{name}> is {rule}")));
    }
}
