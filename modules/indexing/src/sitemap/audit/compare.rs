//! The addresses of sitemaps held against those of a crawl.

use std::collections::{BTreeMap, HashMap, HashSet};

use sdk::Basis;
use sdk::Degraded;
use sdk::Fix;
use sdk::json;
use sdk::prelude::*;

use super::{Checkpoint, Listed, Unread, look};
use crate::sitemap::datetime;
use crate::sitemap::generate::History;
use addresses::Known;
use site::Run;

/// Problems of one sort that are told.
const EACH: usize = 100;
/// Addresses that only sitemaps name, as they are kept.
const ONLY: usize = 50_000;

/// Something wrong with an address.
#[value]
pub(crate) struct Problem {
    pub(crate) url: String,
    /// `not_200`, `redirect`, `noindex`, `canonicalised`, `blocked`, `other`, `orphaned`, `not_crawled`,
    /// `missing_from_sitemap`, `lastmod_future`, `lastmod_stale` or `lastmod_untrue`.
    pub(crate) problem: String,
    /// The status, target or date that shows it.
    pub(crate) detail: String,
    /// The file that names it; none for a page that none names.
    pub(crate) sitemap: Option<String>,
    /// What acts on it.
    pub(crate) fix: Fix,
}

/// The job's result.
#[value]
pub(crate) struct Findings {
    /// Addresses that sitemaps and the crawl have.
    pub(crate) in_both: u64,
    /// Addresses that only sitemaps have.
    pub(crate) only_sitemap: u64,
    /// Indexable pages that only the crawl has.
    pub(crate) only_crawl: u64,
    /// At most 100 of each sort.
    pub(crate) problems: Vec<Problem>,
    /// How many there are of each sort.
    pub(crate) counts: BTreeMap<String, u64>,
    /// Files that were read.
    pub(crate) files: Vec<String>,
    /// Files that could not be read.
    pub(crate) unread: Vec<Unread>,
    pub(crate) basis: Basis,
    pub(crate) degraded: Vec<Degraded>,
}

/// What is found, by sort, as it is told.
#[derive(Default)]
struct Told {
    problems: Vec<Problem>,
    counts: BTreeMap<String, u64>,
}

impl Told {
    fn push(&mut self, problem: &str, url: &str, detail: String, sitemap: Option<&str>, fix: Fix) {
        let count = self.counts.entry(problem.to_owned()).or_default();
        *count += 1;
        if *count <= EACH as u64 {
            let (url, problem, sitemap) = (url.to_owned(), problem.to_owned(), sitemap.map(str::to_owned));
            self.problems.push(Problem { url, problem, detail, sitemap, fix });
        }
    }
}

/// Compares; what was found, and the addresses that only sitemaps name.
pub(super) fn compare(cx: &Cx, run: &Stored<Run>, listed: Vec<Listed>, state: &Checkpoint) -> (Findings, Vec<String>) {
    let pages = addresses::of(cx, &run.id);
    let mut degraded = state.degraded.clone();
    degraded.extend(pages.degraded);
    let visited = visited(cx, run, &mut degraded);
    let history = History::of(cx, run, &mut degraded);
    let known: HashMap<&str, &Known> = pages.all.iter().map(|it| (it.url.as_str(), it)).collect();
    let mut told = Told::default();
    let (mut seen, mut only) = (HashSet::new(), Vec::new());
    let (mut in_both, mut only_sitemap) = (0_u64, 0_u64);
    for entry in &listed {
        if !seen.insert(entry.url.as_str()) {
            continue;
        }
        let file = state.files.get(entry.file as usize).map(String::as_str);
        match known.get(entry.url.as_str()) {
            None => {
                only_sitemap += 1;
                if only.len() < ONLY {
                    only.push(entry.url.clone());
                }
                let detail = "the crawl does not have it".to_owned();
                told.push("not_crawled", &entry.url, detail, file, look(&entry.url));
            }
            Some(page) => {
                in_both += 1;
                judge(page, file, &mut told);
                if visited.as_ref().is_some_and(|it| page.is_indexable() && !it.contains(&page.url)) {
                    let detail = "no visit of Googlebot is in the imported logs".to_owned();
                    let act = Fix::new("indexing.url.inspect", json!({ "site_id": run.0.site_id, "url": page.url }));
                    told.push("not_visited", &page.url, detail, file, act);
                }
                dates(page, entry, file, &history, cx.now(), run, &mut told);
            }
        }
    }
    let mut only_crawl = 0;
    for page in pages.all.iter().filter(|it| it.is_indexable() && it.status == 200 && !seen.contains(it.url.as_str())) {
        only_crawl += 1;
        told.push("missing_from_sitemap", &page.url, "an indexable page".to_owned(), None, generate(run));
    }
    let findings = Findings {
        in_both,
        only_sitemap,
        only_crawl,
        problems: told.problems,
        counts: told.counts,
        files: state.files.clone(),
        unread: state.unread.clone(),
        basis: site::basis(cx, run),
        degraded,
    };
    (findings, only)
}

/// The addresses that Googlebot asked for, by the imported logs; none, and said, where there are none or they cannot be read.
fn visited(cx: &Cx, run: &Stored<Run>, degraded: &mut Vec<Degraded>) -> Option<HashSet<String>> {
    let store = visits::Store::of(cx, &Id::new(run.0.site_id.clone()));
    if store.is_empty() {
        let save = json!({ "site_id": run.0.site_id, "name": "web", "format": "combined" });
        let missing = Degraded::new("logs", "no log files of this website are stored");
        degraded.push(missing.supplied_by("logs.source.save", save));
        return None;
    }
    let mut found: HashMap<String, bool> = HashMap::new();
    let mut any_verified = false;
    let read = store.all_newest(|url, family, it| {
        if family == "googlebot" {
            any_verified |= it.last_verified > 0;
            found.insert(url.to_owned(), it.last_verified > 0);
        }
    });
    if read.is_err() {
        degraded.push(Degraded::new("logs", "the visits of the imported logs are too many to be looked at here"));
        return None;
    }
    Some(found.into_iter().filter(|(_, verified)| *verified || !any_verified).map(|(url, _)| url).collect())
}

fn generate(run: &Stored<Run>) -> Fix {
    Fix::new("indexing.sitemap.generate", json!({ "run_ref": run.id, "base_url": format!("{}/", run.0.origin) }))
}

/// What stands against an address that a sitemap names.
fn judge(page: &Known, file: Option<&str>, told: &mut Told) {
    let (problem, detail) = match page.reason.as_str() {
        "ok" => {
            if page.found == "sitemap" {
                let act = Fix::on("indexing.url.check", &page.url);
                told.push("orphaned", &page.url, "no link of the website leads to it".to_owned(), file, act);
            }
            return;
        }
        "redirect" | "meta_refresh" => {
            ("redirect", page.redirect_to.clone().unwrap_or_else(|| page.status.to_string()))
        }
        "noindex" | "noindex_header" => ("noindex", page.reason.clone()),
        "canonicalised" => ("canonicalised", page.canonical.clone().unwrap_or_default()),
        "robots_blocked" => ("blocked", "robots.txt forbids it".to_owned()),
        "client_error" | "server_error" => ("not_200", page.status.to_string()),
        "unreachable" => ("not_200", "no answer".to_owned()),
        other => ("other", other.to_owned()),
    };
    told.push(problem, &page.url, detail, file, look(&page.url));
}

/// What a date says that is not so.
fn dates(
    page: &Known,
    entry: &Listed,
    file: Option<&str>,
    history: &History,
    now: Moment,
    run: &Stored<Run>,
    told: &mut Told,
) {
    let Some(date) = entry.lastmod.as_deref().and_then(datetime::read) else { return };
    let now = i64::try_from(now.millis()).unwrap_or(i64::MAX);
    if date.millis > now + 86_400_000 {
        told.push("lastmod_future", &page.url, entry.lastmod.clone().unwrap_or_default(), file, generate(run));
        return;
    }
    let Some(day) = u64::try_from(date.millis).ok().map(|it| Moment::from_millis(it).day()) else { return };
    if let Some((problem, seen)) = history.judge(page, day) {
        let written = entry.lastmod.as_deref().unwrap_or_default();
        let detail = match problem {
            "lastmod_stale" => format!("says {written}; a crawl saw another text and {seen} the one of now"),
            _ => format!("says {written}; the text is the same since {seen} at least"),
        };
        told.push(problem, &page.url, detail, file, generate(run));
    }
}
