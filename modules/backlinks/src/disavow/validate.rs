//! The operation `backlinks.disavow.validate`.

use std::collections::BTreeMap;

use sdk::prelude::*;
use sdk::{Degraded, json};
use site::Site;

use super::file::{self, Entry, Line};
use super::given_up::given_up;
use crate::stored::Links;

/// Findings of each kind that are told; all are counted.
const TOLD: usize = 200;

#[args]
pub(crate) struct Validate {
    /// The file.
    text: Text<1, 2_100_000>,
    /// The website whose imported links the entries are held against.
    site_id: Option<Id<Site>>,
}

/// A line that Google does not read, or reads as something else.
#[value]
pub(crate) struct WrongLine {
    /// From 1; 0 for the file as a whole.
    line: u64,
    #[own]
    problem: String,
    entry: String,
    #[own]
    advice: String,
}

/// A line that another one covers.
#[value]
pub(crate) struct Redundant {
    line: u64,
    entry: String,
    #[own]
    why: String,
}

/// A line that gives up links that seem to be worth something.
#[value]
pub(crate) struct Risky {
    line: u64,
    entry: String,
    /// Links of the imported profile that it gives up.
    links: u64,
    followed_links: u64,
    /// The highest rating that a tool gives the domain, 0 to 100; null where none does.
    rating: Option<u8>,
    /// The value of the domain by what was seen of it, 0 to 100; null where nobody looked.
    value: Option<u8>,
    watched_links: u64,
    #[own]
    why: String,
}

/// What is to be said of a disavow file.
#[value]
pub(crate) struct Validated {
    /// Whether Google takes the file and reads each line.
    valid: bool,
    bytes: u64,
    lines: u64,
    domains: u64,
    urls: u64,
    /// The first 200.
    errors: Vec<WrongLine>,
    errors_total: u64,
    /// What is read, and likely not meant: the first 200.
    warnings: Vec<WrongLine>,
    /// The first 200.
    redundant: Vec<Redundant>,
    redundant_total: u64,
    /// The first 200, watched links first, then the greatest value or rating; empty without a website.
    risky: Vec<Risky>,
    risky_total: u64,
    degraded: Vec<Degraded>,
}

/// Validates a disavow file: syntax, encoding, size and line limits, duplicates, covered lines and entries that hit good links.
///
/// The rules are Google's: plain text of at most 2 MB and 100,000 lines, one domain (`domain:`) or page a line, `#` for comments.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    needs = ["store"],
    phrasings = ["check my disavow file", "is this disavow file valid", "disavow file errors"],
    examples = [{ "text": "# bought links\ndomain:spam.example\nhttps://bad.example/page" }]
)]
pub(crate) fn validate(cx: &Cx, args: Validate) -> Result<Validated> {
    let text = args.text.as_str();
    let site = args.site_id.as_ref().map(|it| site::get(cx, it)).transpose()?;
    let (mut errors, mut warnings, mut entries) = (Vec::new(), Vec::new(), Vec::new());
    let whole = |problem: &str, advice: &str| WrongLine {
        line: 0,
        problem: problem.to_owned(),
        entry: String::new(),
        advice: advice.to_owned(),
    };
    let lines = text.lines().count() as u64;
    if text.len() > file::MAX_BYTES {
        errors.push(whole("too_many_bytes", "a file has at most 2 MB; write domains in place of pages"));
    }
    if lines > file::MAX_LINES as u64 {
        errors.push(whole("too_many_lines", "a file has at most 100,000 lines, blank ones and comments too"));
    }
    if text.starts_with('\u{feff}') {
        warnings.push(whole("byte_order_mark", "save the file as UTF-8 without a byte order mark"));
    }
    if text.contains('\u{fffd}') {
        errors.push(whole("not_utf8", "save the file as UTF-8"));
    }
    for (number, raw) in (1..).zip(text.lines()) {
        match file::line(raw) {
            Line::Blank => {}
            Line::Entry(entry) => {
                if let Entry::Domain(domain) = &entry
                    && let Some(rest) = domain.strip_prefix("www.")
                {
                    warnings.push(WrongLine {
                        line: number,
                        problem: "www_only".to_owned(),
                        entry: entry.line(),
                        advice: format!("this covers www.{rest} alone; domain:{rest} covers all of it"),
                    });
                }
                entries.push((number, entry));
            }
            Line::Wrong(wrong) => errors.push(WrongLine {
                line: number,
                problem: wrong.name().to_owned(),
                entry: raw.trim().chars().take(300).collect(),
                advice: wrong.advice().to_owned(),
            }),
        }
    }
    let covered = file::redundant(&entries);
    let mut degraded = Vec::new();
    let mut risky = match &site {
        Some(site) => risky(cx, &site.id, &entries)?,
        None => Vec::new(),
    };
    if let Some(site) = site.filter(|it| Links::of(cx, &it.id).profile.links == 0) {
        let why = "no links to this website are imported, so it is not known what the entries give up";
        degraded.push(Degraded::new("links", why).supplied_by("backlinks.import.run", json!({ "site_id": site.id })));
    }
    let (errors_total, redundant_total, risky_total) = (errors.len() as u64, covered.len() as u64, risky.len() as u64);
    risky.truncate(TOLD);
    let count =
        |is_domain: bool| entries.iter().filter(|it| matches!(it.1, Entry::Domain(_)) == is_domain).count() as u64;
    let (domains, urls) = (count(true), count(false));
    errors.truncate(TOLD);
    warnings.truncate(TOLD);
    Ok(Validated {
        valid: errors_total == 0,
        bytes: text.len() as u64,
        lines,
        domains,
        urls,
        errors,
        errors_total,
        warnings,
        redundant: covered.into_iter().take(TOLD).map(|(line, entry, why)| Redundant { line, entry, why }).collect(),
        redundant_total,
        risky,
        risky_total,
        degraded,
    })
}

/// The entries that give up links of domains that are worth something, and watched links.
fn risky(cx: &Cx, site: &Id<Site>, entries: &[(u64, Entry)]) -> Result<Vec<Risky>> {
    let found = given_up(cx, site, entries.iter().map(|it| (it.0, &it.1)))?;
    let text: BTreeMap<u64, String> = entries.iter().map(|(line, entry)| (*line, entry.line())).collect();
    let mut out: Vec<Risky> = found
        .into_iter()
        .filter_map(|(line, it)| {
            Some(Risky {
                why: it.is_valuable()?,
                line,
                entry: text.get(&line).cloned().unwrap_or_default(),
                links: it.links,
                followed_links: it.followed,
                watched_links: it.watched,
                rating: it.rating,
                value: it.value,
            })
        })
        .collect();
    out.sort_by(|a, b| {
        let worth = |it: &Risky| (it.watched_links > 0, it.value.max(it.rating));
        worth(b).cmp(&worth(a)).then(a.line.cmp(&b.line))
    });
    Ok(out)
}
