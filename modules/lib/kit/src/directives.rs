//! Index directives of meta elements and headers, read in one place for every rule that asks (Google, "Robots meta tag,
//! data-nosnippet, and X-Robots-Tag specifications").

use crate::dates;

/// Directives that are written with a value behind a colon.
pub const VALUED: [&str; 4] = ["max-image-preview", "max-snippet", "max-video-preview", "unavailable_after"];

/// The crawler whose directives count where none is named.
pub const CRAWLER: &str = "googlebot";

const DAY: i64 = 86_400_000;

/// The directives of one value, in lower case. A comma inside the date of `unavailable_after` separates nothing
/// (`Wed, 03 Jan 2029 00:00:00 GMT`, RFC 822; `June 25, 2029`): no directive begins with a digit.
#[must_use]
pub fn split(content: &str) -> Vec<String> {
    let mut directives: Vec<String> = Vec::new();
    for part in content.split(',') {
        let part = part.trim().to_ascii_lowercase();
        match directives.last_mut() {
            Some(last) if is_dated(last) && part.starts_with(|it: char| it.is_ascii_digit()) => {
                last.push_str(", ");
                last.push_str(&part);
            }
            _ if part.is_empty() => {}
            _ => directives.push(part),
        }
    }
    directives
}

fn is_dated(directive: &str) -> bool {
    directive.split_once(':').is_some_and(|(_, rest)| {
        directive.starts_with("unavailable_after") || rest.trim_start().starts_with("unavailable_after")
    })
}

/// The directives of the values of `X-Robots-Tag` that are for this crawler or for all. A value may begin with the name
/// of a crawler (`otherbot: noindex`), which then holds for what follows in that value, until another name.
#[must_use]
pub fn of_headers(values: &[String], crawler: &str) -> Vec<String> {
    let mut found = Vec::new();
    for value in values {
        let mut applies = true;
        for directive in split(value) {
            let mut directive = directive.as_str();
            if let Some((name, rest)) = directive.split_once(':')
                && !VALUED.contains(&name.trim())
            {
                applies = name.trim() == "*" || is_for(name, crawler);
                directive = rest.trim();
            }
            if applies && !directive.is_empty() {
                found.push(directive.to_owned());
            }
        }
    }
    found
}

/// Whether what names this crawler is for that one: its own name, or, for one of Google's special crawlers such as
/// `Googlebot-Image`, `Googlebot`.
#[must_use]
pub fn is_for(name: &str, crawler: &str) -> bool {
    let (name, crawler) = (name.trim(), crawler.trim());
    let family = || {
        let general = crawler.split_once('-').map_or("", |(general, _)| general);
        general.eq_ignore_ascii_case(CRAWLER) && name.eq_ignore_ascii_case(CRAWLER)
    };
    name.eq_ignore_ascii_case(crawler) || family()
}

/// Whether a `<meta>` of this name has directives for the crawler. Only `name` counts, not `property`.
#[must_use]
pub fn is_meta_for(name: &str, crawler: &str) -> bool {
    name.trim().eq_ignore_ascii_case("robots") || is_for(name, crawler)
}

/// Whether a directive keeps a page out of the index at this moment, in milliseconds since 1970: `noindex`, `none`, or
/// `unavailable_after` a day that is over.
#[must_use]
pub fn forbids(directive: &str, now: i64) -> bool {
    let directive = directive.trim();
    match directive.split_once(':') {
        Some((name, date)) if name.trim() == "unavailable_after" => {
            // Also `25-Aug-2010 15:00:00 EST` (RFC 850).
            let day = dates::parse(date.trim()).or_else(|| dates::parse(&date.trim().replace('-', " ")));
            day.is_some_and(|day| day.days() < now.div_euclid(DAY))
        }
        _ => matches!(directive, "noindex" | "none"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 20 November 2026.
    const NOW: i64 = 20_777 * DAY;

    /// A value, and whether it keeps Googlebot's index shut.
    const FORMS: [(&str, bool); 40] = [
        ("", false),
        ("all", false),
        ("index", false),
        ("index, follow", false),
        ("noindex", true),
        ("NOINDEX", true),
        (" noindex ", true),
        ("noindex,nofollow", true),
        ("nofollow, noindex", true),
        ("none", true),
        ("nofollow", false),
        ("noindexing", false),
        ("noarchive", false),
        ("nosnippet", false),
        ("max-snippet:20", false),
        ("max-snippet: -1, noindex", true),
        ("max-image-preview:none", false),
        ("max-image-preview:large, max-snippet:-1", false),
        ("unavailable_after: 2020-01-01", true),
        ("unavailable_after: 2999-01-01", false),
        ("unavailable_after:2020-01-01", true),
        ("unavailable_after: 25 Jun 2010 15:00:00 PST", true),
        ("unavailable_after: 25-Aug-2010 15:00:00 EST", true),
        ("unavailable_after: Wed, 03 Jan 2029 00:00:00 GMT", false),
        ("unavailable_after: Wed, 25 Aug 2010 16:00:00 GMT", true),
        ("unavailable_after: Wed, 03 Jan 2029 00:00:00 GMT, noindex", true),
        ("noarchive, unavailable_after: Wed, 03 Jan 2029 00:00:00 GMT, nosnippet", false),
        ("unavailable_after: June 25, 2010", true),
        ("unavailable_after: June 25, 2999", false),
        ("unavailable_after: 2020-01-01T00:00:00Z", true),
        ("unavailable_after: soon", false),
        ("unavailable_after:", false),
        (",,noindex,,", true),
        (",", false),
        ("noindex;nofollow", false),
        ("noimageindex", false),
        ("indexifembedded, noindex", true),
        ("notranslate, nositelinkssearchbox", false),
        ("none, all", true),
        ("follow, index, noodp", false),
    ];

    #[test]
    fn forty_forms_of_directives_are_read_alike_in_elements_and_headers() {
        for (content, expected) in FORMS {
            assert_eq!(split(content).iter().any(|it| forbids(it, NOW)), expected, "element: {content}");
            let header = of_headers(&[content.to_owned()], CRAWLER);
            assert_eq!(header.iter().any(|it| forbids(it, NOW)), expected, "header: {content}");
            let named = of_headers(&[format!("googlebot: {content}")], CRAWLER);
            assert_eq!(named.iter().any(|it| forbids(it, NOW)), expected, "named header: {content}");
            let other = of_headers(&[format!("otherbot: {content}")], CRAWLER);
            assert!(!other.iter().any(|it| forbids(it, NOW)), "header for another crawler: {content}");
        }
    }

    #[test]
    fn a_value_may_name_several_crawlers_and_a_date_keeps_its_commas() {
        let value =
            "otherbot: noindex, googlebot: unavailable_after: Wed, 03 Jan 2029 00:00:00 GMT, nofollow".to_owned();
        let found = of_headers(&[value], CRAWLER);
        assert_eq!(found, ["unavailable_after: wed, 03 jan 2029 00:00:00 gmt", "nofollow"]);
    }

    #[test]
    fn special_crawlers_of_google_fall_back_to_its_general_one() {
        for crawler in ["Googlebot-Image", "googlebot-news", "Googlebot-Video"] {
            assert!(is_for("Googlebot", crawler) && is_for(crawler, crawler), "{crawler}");
        }
        assert!(!is_for("Googlebot-Image", "Googlebot") && !is_for("Googlebot", "Bingbot"));
        assert!(is_meta_for("ROBOTS", "Bingbot") && !is_meta_for("googlebot", "Bingbot"));
    }
}
