//! Which language versions pages declare, in their head, their headers and in sitemaps.

use std::collections::BTreeMap;

use kit::crawled::page_id;
use kit::page::{Canonical, Indexability, PageFacts, Place};
use sdk::Degraded;
use sdk::prelude::*;

use crate::sitemap::{self, xml};
use site::Run;
use site::live::{self, Reach};

/// Pages that are read beside those that are looked at: the versions that they name.
const TARGETS: usize = 500;
/// The same of live pages.
const LIVE_TARGETS: usize = 50;
/// Sitemaps that are read.
const SITEMAPS: usize = 3;
/// Bytes of a live page.
const BYTES: u32 = 192 << 10;

/// A version that a page names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Alternate {
    /// As written.
    pub(crate) lang: String,
    /// Normalised; none for what is no address.
    pub(crate) url: Option<String>,
    /// `html`, `header` or `sitemap`; `body` where search engines do not look.
    pub(crate) source: &'static str,
}

/// Pages of a crawl that are judged together, so that those with problems come first.
pub(crate) const JUDGED: usize = 200;

/// One address of a crawl: what counts for its versions.
#[foreign(collection = "crawl.pages", thing = "page", index(run, seq))]
struct Page {
    run: String,
    seq: u64,
    facts: Head,
}

/// What a page's head and its answer say of its versions.
#[value]
#[derive(Default)]
#[serde(default)]
struct Head {
    status: u16,
    indexability: Indexability,
    redirect_to: Option<String>,
    canonicals: Vec<Canonical>,
    lang: Option<String>,
    hreflang: Vec<kit::page::Alternate>,
}

/// What is wrong on all pages that were judged together.
#[value]
pub(crate) struct Totals {
    /// Pages that declare versions.
    pub(crate) pages: u64,
    /// Of these, judged for these totals: the first 200 by address.
    pub(crate) judged: u64,
    /// Of these, with problems. They come first.
    pub(crate) with_problems: u64,
    /// How many problems there are of each code.
    pub(crate) problems: BTreeMap<String, u64>,
}

/// What is known of one page.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Version {
    pub(crate) status: u16,
    /// `ok`, or what stands against it.
    pub(crate) reason: String,
    /// Where it redirects.
    pub(crate) redirect_to: Option<String>,
    pub(crate) canonical: Option<String>,
    /// The language of `<html lang>`.
    pub(crate) lang: Option<String>,
    pub(crate) alternates: Vec<Alternate>,
}

/// Pages with their versions.
pub(crate) struct Declared {
    /// Pages that are looked at.
    pub(crate) asked: Vec<String>,
    /// Those and the versions that they name, as far as they are known.
    pub(crate) known: BTreeMap<String, Version>,
    /// Of a crawl's pages, on the pages of the result that they order.
    pub(crate) totals: Option<Totals>,
    /// Where to go on.
    pub(crate) next: Option<usize>,
    pub(crate) seen_at: Moment,
    pub(crate) degraded: Vec<Degraded>,
}

impl Declared {
    /// Pages of a crawl that declare versions, from a place on.
    pub(crate) fn of_crawl(cx: &Cx, run: &Id<Run>, from: usize, limit: usize) -> Result<Self> {
        let run = site::readable(cx, run)?;
        let pages = addresses::of(cx, &run.id);
        let mut degraded: Vec<Degraded> = pages.degraded.into_iter().collect();
        let own = kit::url::Url::parse(&run.0.origin).ok();
        let named = run.0.robots.sitemaps.iter().filter_map(|it| kit::url::resolve_normal(own.as_ref()?, it));
        let mut sitemaps: Vec<String> = named.take(SITEMAPS).collect();
        if sitemaps.is_empty() {
            sitemaps.push(format!("{}/sitemap.xml", run.0.origin));
        }
        let listed = from_sitemaps(cx, &sitemaps, &mut degraded);
        let mut declaring: Vec<&str> = pages
            .all
            .iter()
            .filter(|it| it.hreflang > 0 || listed.contains_key(&it.url))
            .map(|it| it.url.as_str())
            .collect();
        declaring.sort_unstable();
        let total = declaring.len();
        let next = (from + limit < total).then_some(from + limit);
        let first = from < JUDGED;
        let slice = if first { 0..total.min(JUDGED.max(from + limit)) } else { from..total.min(from + limit) };
        let asked: Vec<String> = declaring.drain(slice).map(str::to_owned).collect();
        let read = |url: &str| {
            let page = cx.records::<Page>().find(&Id::new(page_id(run.id.as_str(), url)))?;
            Some(version(page.it.facts))
        };
        let mut known: BTreeMap<String, Version> = BTreeMap::new();
        for url in &asked {
            known.insert(url.clone(), read(url).unwrap_or_default());
        }
        join(&mut known, &listed);
        let targets = targets(&known);
        if targets.len() > TARGETS {
            degraded
                .push(Degraded::new("versions", format!("{TARGETS} of {} were held against the pages", targets.len())));
        }
        for url in targets.into_iter().take(TARGETS) {
            if let Some(version) = read(&url) {
                known.insert(url, version);
            }
        }
        join(&mut known, &listed);
        let seen_at = site::ended_at(&run);
        let mut found = Self { asked, known, totals: None, next, seen_at, degraded };
        if first {
            found.put_problems_first(total);
            found.asked = found.asked.into_iter().skip(from).take(limit).collect();
        }
        Ok(found)
    }

    /// Judges all pages that were read, counts what is wrong, and puts those with the most errors first.
    fn put_problems_first(&mut self, total: usize) {
        let rest = self.asked.split_off(self.asked.len().min(JUDGED));
        let mut problems: BTreeMap<String, u64> = BTreeMap::new();
        let mut of_page: BTreeMap<String, (u64, u64)> = BTreeMap::new();
        for problem in super::judging::problems(self) {
            *problems.entry(problem.code).or_default() += 1;
            let (errors, all) = of_page.entry(problem.url).or_default();
            *errors += u64::from(problem.error);
            *all += 1;
        }
        let rank = |url: &String| of_page.get(url).copied().unwrap_or_default();
        self.asked.sort_by(|a, b| rank(b).cmp(&rank(a)).then_with(|| a.cmp(b)));
        self.totals = Some(Totals {
            pages: total as u64,
            judged: self.asked.len() as u64,
            with_problems: of_page.len() as u64,
            problems,
        });
        self.asked.extend(rest);
    }

    /// Pages as they are now, from a place in the list on.
    pub(crate) fn live(cx: &Cx, urls: &[Url], from: usize, limit: usize) -> Result<Self> {
        let mut degraded = Vec::new();
        let next = (from + limit < urls.len()).then_some(from + limit);
        let now: Vec<Url> = urls.iter().skip(from).take(limit).cloned().collect();
        let mut known: BTreeMap<String, Version> = BTreeMap::new();
        let mut asked = Vec::new();
        for facts in live::unfollowed(cx, &now, Reach::bytes(BYTES)) {
            if !asked.contains(&facts.url) {
                asked.push(facts.url.clone());
            }
            known.insert(facts.url.clone(), version(Head::of(&facts)));
        }
        let origin = urls.first().map(|url| crate::robots::origin(url, "/urls/0")).transpose()?;
        let listed = from_sitemaps(
            cx,
            &origin.map(|it| format!("{it}/sitemap.xml")).into_iter().collect::<Vec<_>>(),
            &mut degraded,
        );
        join(&mut known, &listed);
        let targets: Vec<Url> = targets(&known).iter().filter_map(|it| it.parse().ok()).collect();
        if targets.len() > LIVE_TARGETS {
            degraded.push(Degraded::new("versions", format!("{LIVE_TARGETS} of {} were fetched", targets.len())));
        }
        let targets: Vec<Url> = targets.into_iter().take(LIVE_TARGETS).collect();
        for facts in live::unfollowed(cx, &targets, Reach::bytes(BYTES)) {
            known.insert(facts.url.clone(), version(Head::of(&facts)));
        }
        join(&mut known, &listed);
        Ok(Self { asked, known, totals: None, next, seen_at: cx.now(), degraded })
    }
}

impl Head {
    fn of(facts: &PageFacts) -> Self {
        Self {
            status: facts.status,
            indexability: facts.indexability,
            redirect_to: facts.redirect_to.clone(),
            canonicals: facts.canonicals.clone(),
            lang: facts.lang.clone(),
            hreflang: facts.hreflang.clone(),
        }
    }
}

/// What a page declares.
fn version(facts: Head) -> Version {
    let source = |place: Place| match place {
        Place::Head => "html",
        Place::Header => "header",
        Place::Body => "body",
    };
    let counted = facts.canonicals.iter().filter(|it| it.place != Place::Body && it.restricted.is_none());
    let canonical = counted.cloned().find_map(|it| it.url);
    Version {
        status: facts.status,
        reason: facts.indexability.reason.word().to_owned(),
        redirect_to: facts.redirect_to,
        canonical,
        lang: facts.lang,
        alternates: facts
            .hreflang
            .into_iter()
            .map(|it| Alternate { lang: it.lang, url: it.url, source: source(it.place) })
            .collect(),
    }
}

/// Versions that are named and not known yet.
fn targets(known: &BTreeMap<String, Version>) -> Vec<String> {
    let named = known.values().flat_map(|it| &it.alternates).filter_map(|it| it.url.as_ref());
    let mut out: Vec<String> = named.filter(|url| !known.contains_key(*url)).cloned().collect();
    out.sort();
    out.dedup();
    out
}

/// Adds what sitemaps declare, where it is not declared already.
fn join(known: &mut BTreeMap<String, Version>, listed: &BTreeMap<String, Vec<Alternate>>) {
    for (url, version) in known.iter_mut() {
        for alternate in listed.get(url).into_iter().flatten() {
            if !version.alternates.iter().any(|it| it.lang == alternate.lang && it.url == alternate.url) {
                version.alternates.push(alternate.clone());
            }
        }
    }
}

fn from_sitemaps(cx: &Cx, sitemaps: &[String], degraded: &mut Vec<Degraded>) -> BTreeMap<String, Vec<Alternate>> {
    let urls: Vec<Url> = sitemaps.iter().filter_map(|it| it.parse().ok()).collect();
    let answers = cx.web().fetch_many(urls.iter().map(|it| Request::get(it).max_bytes(2 << 20).timeout(8_000)));
    let mut out: BTreeMap<String, Vec<Alternate>> = BTreeMap::new();
    for (url, answer) in urls.iter().zip(answers) {
        match answer {
            Ok(response) if response.is_success() => {
                let file = sitemap::Fetched::of(&response, 2 << 20);
                if file.truncated {
                    degraded.push(Degraded::new(url.as_str(), "only its first 2 MiB were read"));
                }
                let read = xml::read(&file.text);
                if read.kind == xml::Kind::Index {
                    degraded.push(Degraded::new(url.as_str(), "an index; the files that it lists were not read"));
                }
                for item in read.items.into_iter().filter(|it| !it.alternates.is_empty()) {
                    let Some(page) = kit::url::normalize(&item.loc) else { continue };
                    let alternate = |(lang, href): (String, String)| Alternate {
                        lang,
                        url: kit::url::normalize(&href),
                        source: "sitemap",
                    };
                    out.entry(page).or_default().extend(item.alternates.into_iter().map(alternate));
                }
            }
            Ok(response) => degraded
                .push(Degraded::new(url.as_str(), format!("status {}; versions in it are not known", response.status))),
            Err(failure) => {
                degraded.push(Degraded::new(url.as_str(), format!("{}; versions in it are not known", failure.name())))
            }
        }
    }
    out
}
