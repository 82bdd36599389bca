//! Under which names a crawler looks for rules, as its operator documents them.

/// The names of a crawler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Names<'a> {
    /// Product tokens. The groups of the first that a file names hold, and no others.
    pub tokens: [Option<&'a str>; 2],
    /// Whether it obeys the groups for `*` where a file has none of its tokens.
    pub heeds_everyone: bool,
}

/// Crawlers that obey the group of another where a file has none for them.
///
/// Sources: developers.google.com/crawling/docs/crawlers-fetchers (common crawlers), support.apple.com/en-us/119829,
/// blogs.bing.com/webmaster ("BingPreview" obeys the rules for bingbot).
const FOLLOWERS: [(&str, &str); 9] = [
    ("Googlebot-Image", "Googlebot"),
    ("Googlebot-News", "Googlebot"),
    ("Googlebot-Video", "Googlebot"),
    ("Google-InspectionTool", "Googlebot"),
    ("Google-CloudVertexBot", "Googlebot"),
    ("GoogleOther-Image", "GoogleOther"),
    ("GoogleOther-Video", "GoogleOther"),
    ("Applebot", "Googlebot"),
    ("BingPreview", "Bingbot"),
];

/// Crawlers that take no notice of groups for `*`.
///
/// Source: developers.google.com/crawling/docs/crawlers-fetchers (special-case crawlers).
const OWN_GROUPS_ONLY: [&str; 4] = ["AdsBot-Google", "AdsBot-Google-Mobile", "APIs-Google", "Mediapartners-Google"];

/// Under which names the crawler with this product token, or with a whole `User-Agent` that begins with it, looks for
/// rules. A crawler that nobody is known to have documented looks for its own token, then for `*`.
#[must_use]
pub fn names_of(agent: &str) -> Names<'_> {
    let token = product_token(agent);
    let follows = FOLLOWERS.iter().find(|(name, _)| name.eq_ignore_ascii_case(token)).map(|(_, general)| *general);
    Names {
        tokens: [Some(token).filter(|it| !it.is_empty()), follows],
        heeds_everyone: !OWN_GROUPS_ONLY.iter().any(|name| name.eq_ignore_ascii_case(token)),
    }
}

/// The letters, hyphens and underscores that a value begins with (RFC 9309 section 2.2.1).
#[must_use]
pub fn product_token(value: &str) -> &str {
    let end = value.find(|c: char| !c.is_ascii_alphabetic() && c != '-' && c != '_').unwrap_or(value.len());
    &value[..end]
}

/// Whether a `User-agent` value means every crawler: `*` alone or followed by white space.
#[must_use]
pub fn is_everyone(value: &str) -> bool {
    value.strip_prefix('*').is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
}
