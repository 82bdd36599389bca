//! Which language codes hreflang may have.
//!
//! Google takes a language of ISO 639-1, an optional script of ISO 15924 and an optional region of ISO 3166-1 alpha-2, or
//! `x-default` (developers.google.com/search/docs/specialty/international/localized-versions). BCP 47 (RFC 5646) writes
//! them in that order; the subtags are those of the IANA registry.

/// An excerpt of the registry: kind, subtag, and what took the place of a retired one.
const SUBTAGS: &str = include_str!("../../data/subtags.tsv");

/// Regions of the registry that are no countries of ISO 3166-1 but reserved there: search engines know no such place.
const RESERVED: [&str; 10] = ["AC", "CP", "DG", "EA", "EU", "EZ", "IC", "TA", "UN", "QO"];

/// What is wrong with a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wrong {
    /// Not of the form of a code.
    Form,
    /// No language of two letters.
    Language,
    /// No script.
    Script,
    /// No country.
    Region,
    /// Something that BCP 47 knows and search engines do not: variants, extensions, three letters.
    Unsupported,
}

/// What a code is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Judged {
    /// `x-default`.
    Default,
    /// A code that search engines take, in the spelling that BCP 47 recommends; a retired subtag with what took its place.
    Right { canonical: String, retired: Option<String> },
    /// One that they do not.
    Wrong { why: Wrong, message: String },
}

impl Judged {
    /// The code in one spelling, for comparison; none when it is wrong.
    pub(crate) fn canonical(&self) -> Option<&str> {
        match self {
            Self::Default => Some("x-default"),
            Self::Right { canonical, .. } => Some(canonical),
            Self::Wrong { .. } => None,
        }
    }
}

/// The registry's answer: whether there is such a subtag, and what took its place. One that is retired without a
/// successor, as that of a country that is no more, is none.
fn registered(kind: &str, subtag: &str) -> Option<Option<&'static str>> {
    let place = SUBTAGS.lines().find_map(|line| {
        let mut fields = line.split('\t');
        let same = fields.next() == Some(kind) && fields.next() == Some(subtag);
        same.then(|| fields.next())
    })?;
    (place != Some("-")).then_some(place)
}

/// Judges a code as written.
pub(crate) fn judge(code: &str) -> Judged {
    let wrong = |why: Wrong, message: String| Judged::Wrong { why, message };
    if code.eq_ignore_ascii_case("x-default") {
        return Judged::Default;
    }
    let shown = kit::text::clip(code, 40);
    if code.contains('_') {
        return wrong(
            Wrong::Form,
            format!("`{shown}` has an underscore; codes are joined by hyphens: {}", shown.replace('_', "-")),
        );
    }
    let parts: Vec<&str> = code.split('-').collect();
    let letters = |it: &str| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if !parts.iter().all(|it| letters(it) && it.len() <= 8) {
        return wrong(Wrong::Form, format!("`{shown}` is no language code; write en, en-GB or zh-Hant-TW"));
    }
    let mut rest = parts.into_iter();
    let language = rest.next().unwrap_or_default().to_ascii_lowercase();
    if language.len() != 2 {
        let known = language.len() == 3 && language.bytes().all(|it| it.is_ascii_lowercase());
        let why = if known { Wrong::Unsupported } else { Wrong::Language };
        return wrong(why, format!("`{language}` is not of the two letters of ISO 639-1 that search engines take"));
    }
    let Some(place) = registered("l", &language) else {
        let country = registered("r", &language.to_ascii_uppercase()).is_some();
        let hint = if country { "; it is a country, which stands after a language" } else { "" };
        return wrong(Wrong::Language, format!("`{language}` is no language of ISO 639-1{hint}"));
    };
    let mut canonical = place.unwrap_or(&language).to_owned();
    let mut retired = place.map(|_| format!("`{language}` is retired; write `{canonical}`"));
    let mut next = rest.next();
    if let Some(script) = next.filter(|it| it.len() == 4 && it.bytes().all(|byte| byte.is_ascii_alphabetic())) {
        let script = format!("{}{}", script[..1].to_ascii_uppercase(), script[1..].to_ascii_lowercase());
        if registered("s", &script).is_none() {
            return wrong(Wrong::Script, format!("`{script}` is no script of ISO 15924"));
        }
        canonical = format!("{canonical}-{script}");
        next = rest.next();
    }
    if let Some(region) = next {
        if region.len() != 2 || !region.bytes().all(|it| it.is_ascii_alphabetic()) {
            let message = format!(
                "`{}` is no country of ISO 3166-1 with two letters; search engines take nothing else here",
                kit::text::clip(region, 20)
            );
            return wrong(Wrong::Unsupported, message);
        }
        let region = region.to_ascii_uppercase();
        let place = match registered("r", &region) {
            Some(place) if !RESERVED.contains(&region.as_str()) => place,
            _ => {
                let hint = if region == "UK" { "; the United Kingdom is GB" } else { "" };
                return wrong(Wrong::Region, format!("`{region}` is no country of ISO 3166-1{hint}"));
            }
        };
        let now = place.unwrap_or(&region);
        if place.is_some() {
            retired = Some(format!("`{region}` is retired; write `{now}`"));
        }
        canonical = format!("{canonical}-{now}");
        next = rest.next();
    }
    if let Some(more) = next {
        return wrong(
            Wrong::Unsupported,
            format!("`{more}` is more than search engines take: language, script and country"),
        );
    }
    Judged::Right { canonical, retired }
}

#[cfg(test)]
mod tests;
