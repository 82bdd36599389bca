//! The operation `backlinks.disavow.build`.

use std::collections::BTreeSet;

use sdk::prelude::*;
use sdk::{Degraded, Media, Next, Share, json};
use site::Site;

use super::file::{self, Entry, Line};
use super::given_up::{GivenUp, given_up};
use crate::link::{bare, host};
use crate::stored::Links;

/// Seconds for which the file can be fetched.
const SECONDS: u32 = 7 * 86_400;
/// Warnings that are told.
const TOLD: usize = 200;

#[args]
pub(crate) struct Build {
    /// The website.
    site_id: Id<Site>,
    /// Domains to give up, such as `spam.example`.
    domains: Option<List<Text<3, 300>, 0, 5_000>>,
    /// Pages to give up.
    urls: Option<List<Url, 0, 5_000>>,
    /// The file that is in force: its entries and comments are kept.
    existing: Option<Text<1, 2_000_000>>,
}

/// What to look at before the file is handed in.
#[value]
pub(crate) struct Warning {
    entry: String,
    #[own]
    problem: String,
    #[own]
    message: String,
}

/// A disavow file.
#[value]
pub(crate) struct Built {
    file_ref: Id<Share>,
    /// Where the file can be fetched for 7 days.
    #[own]
    download_url: String,
    expires_at: Moment,
    /// Lines of the file, comments and blank ones too.
    lines: u64,
    /// Entries that are new.
    added: u64,
    /// Entries of the existing file that are kept.
    kept_entries: u64,
    /// Entries that others cover, and are left out.
    covered: u64,
    /// The first 200.
    warnings: Vec<Warning>,
    warnings_total: u64,
    /// The file, when it has at most 200 KB; fetch it where it is larger.
    text: Option<String>,
    degraded: Vec<Degraded>,
    next: Vec<Next>,
}

/// Builds a disavow file from chosen links and domains, merges an existing one, explains each line and warns against valuable ones.
///
/// There is no interface to hand the file in: it is uploaded in Search Console, where it replaces the one before. Google says that
/// most websites need none; it is for links that were bought or made, where a manual action is there or to be feared.
#[operation(
    write,
    scope = "assets:write",
    cost = write,
    side_effects = ["keeps the file for 7 days at an address for whoever has it"],
    needs = ["store"],
    phrasings = ["make a disavow file", "disavow these domains", "get rid of spam links"],
    examples = [{ "site_id": "4503599627370496", "domains": ["spam.example"], "existing": "# 2025\ndomain:old-spam.example" }]
)]
pub(crate) fn build(cx: &Cx, args: Build) -> Result<Built> {
    let site = site::get(cx, &args.site_id)?;
    let links = Links::of(cx, &site.id);
    let mut wanted: Vec<Entry> = Vec::new();
    for (at, domain) in args.domains.iter().flat_map(|it| it.iter()).enumerate() {
        let domain = domain.as_str().to_lowercase();
        let read = file::domain_of(domain.strip_prefix("domain:").unwrap_or(&domain));
        wanted.push(Entry::Domain(
            read.map_err(|wrong| Fault::invalid(format!("/domains/{at}"), "not_a_domain", wrong.advice()))?,
        ));
    }
    wanted.extend(args.urls.iter().flat_map(|it| it.iter()).map(|it| Entry::Page(it.as_str().to_owned())));
    if wanted.is_empty() && args.existing.is_none() {
        let message = "name domains or pages to give up, or an existing file";
        return Err(Fault::invalid("/domains", "nothing_to_disavow", message));
    }
    if let Some(own) = wanted.iter().position(|it| matches!(it, Entry::Domain(domain) if is_own(&site, domain))) {
        let pointer = format!("/domains/{own}");
        return Err(Fault::invalid(pointer, "own_domain", "this is the website itself; its links cannot be given up"));
    }
    let (mut out, mut warnings): (Vec<String>, Vec<Warning>) = (Vec::new(), Vec::new());
    let mut known: Vec<(u64, Entry)> = Vec::new();
    for raw in args.existing.as_ref().map_or("", |it| it.as_str()).trim_start_matches('\u{feff}').lines() {
        match file::line(raw) {
            Line::Blank => out.push(raw.trim_end().to_owned()),
            Line::Entry(entry) => {
                out.push(entry.line());
                known.push((out.len() as u64, entry));
            }
            Line::Wrong(wrong) => warnings.push(Warning {
                entry: raw.trim().chars().take(300).collect(),
                problem: wrong.name().to_owned(),
                message: format!("this line of the existing file is left out: {}", wrong.advice()),
            }),
        }
    }
    let kept = known.len() as u64;
    let mut fresh: Vec<Entry> = Vec::new();
    let seen: BTreeSet<String> = known.iter().map(|(_, it)| key(it)).collect();
    let mut new: BTreeSet<String> = BTreeSet::new();
    for entry in wanted {
        let key = key(&entry);
        if !seen.contains(&key) && new.insert(key) {
            fresh.push(entry);
        }
    }
    fresh.sort_by_key(|it| (matches!(it, Entry::Page(_)), it.line()));
    let given = given_up(cx, &site.id, (0..).zip(&fresh))?;
    let all: Vec<(u64, Entry)> = known
        .iter()
        .map(|it| it.1.clone())
        .chain(fresh.iter().cloned())
        .enumerate()
        .map(|(at, it)| (at as u64, it))
        .collect();
    let covered: BTreeSet<u64> = file::redundant(&all).into_iter().map(|it| it.0).collect();
    let mut added = 0;
    let mut left_out = 0;
    let mut lines: Vec<(String, String)> = Vec::new();
    for (at, entry) in fresh.iter().enumerate() {
        if covered.contains(&(kept + at as u64)) {
            left_out += 1;
            continue;
        }
        added += 1;
        let it = given.get(&(at as u64)).copied().unwrap_or_default();
        if let Some(why) = it.is_valuable() {
            warnings.push(Warning {
                entry: entry.line(),
                problem: "valuable".to_owned(),
                message: format!("{why}; make sure that they do harm"),
            });
        }
        lines.push((entry.line(), explained(it)));
    }
    if added > 0 {
        if !out.is_empty() {
            out.push(String::new());
        }
        out.push(format!("# Added on {}", cx.now().day()));
        for (line, why) in lines {
            out.push(format!("# {why}"));
            out.push(line);
        }
    }
    let text = out.join("\n") + "\n";
    if text.len() > file::MAX_BYTES || out.len() > file::MAX_LINES {
        let message = "the file would have more than 2 MB or 100,000 lines; write domains in place of pages";
        return Err(Fault::conflict("file_too_large", message));
    }
    let name = format!("disavow/{}/{}", site.id, kit::text::hex(&kit::text::sha256(text.as_bytes())[..12]));
    cx.blobs().write(&name, text.as_bytes())?;
    let share = cx.shares().publish(&name, Media::Csv, Some("disavow.txt"), SECONDS)?;
    let mut degraded = Vec::new();
    if links.profile.links == 0 {
        let why = "no links to this website are imported, so it is not known what the entries give up";
        degraded.push(Degraded::new("links", why).supplied_by("backlinks.import.run", json!({ "site_id": site.id })));
    }
    let warnings_total = warnings.len() as u64;
    warnings.truncate(TOLD);
    let annotation =
        json!({ "site_id": site.id, "date": cx.now().day(), "title": "Disavow file handed in", "kind": "technical" });
    let next = vec![Next::new(
        "websites.annotation.add",
        annotation,
        "marks the day in every series, once you handed the file in",
    )];
    Ok(Built {
        file_ref: share.id,
        download_url: share.url,
        expires_at: share.expires,
        lines: out.len() as u64,
        added,
        kept_entries: kept,
        covered: left_out,
        warnings,
        warnings_total,
        text: (text.len() <= 200 << 10).then_some(text),
        degraded,
        next,
    })
}

fn key(entry: &Entry) -> String {
    match entry {
        Entry::Domain(domain) => format!("domain:{domain}"),
        Entry::Page(url) => bare(url).to_owned(),
    }
}

fn is_own(site: &Site, domain: &str) -> bool {
    let own = host(&site.origin).trim_start_matches("www.");
    own == domain || own.ends_with(&format!(".{domain}")) || domain.strip_prefix("www.") == Some(own)
}

/// The comment above a line.
fn explained(it: GivenUp) -> String {
    if it.links == 0 {
        return "no link from here is among the imported ones".to_owned();
    }
    let mut parts = vec![format!("{} links, {} of them followed", it.links, it.followed)];
    if it.lost > 0 {
        parts.push(format!("{} lost", it.lost));
    }
    if it.spam > 0 {
        parts.push(format!("{} marked as spam", it.spam));
    }
    if let Some(rating) = it.rating {
        parts.push(format!("rated {rating} of 100"));
    }
    if let Some(value) = it.value {
        parts.push(format!("value {value} of 100 by what was seen"));
    }
    parts.join(", ")
}
