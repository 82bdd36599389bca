//! The job that fetches a part of an ended crawl again, into the same crawl.

use kit::crawled::{Again as Renewed, Found, PageRecord, RunState};
use kit::sitemap;
use kit::url::{resolve, same_site};
use sdk::Failure;
use sdk::prelude::*;

use super::crawl::Crawl;
use super::{Checkpoint, Outcome, Phase, Progress, go_on};
use crate::run::Only;
use crate::stored::{Frontier, Known, Linked, Page, Row, Run};

/// Addresses chosen in one job.
pub(crate) const MOST: u32 = 5_000;
/// Of these, in one step.
const AT_ONCE: usize = 500;
/// Links of an address that one step takes away: with as many that it writes they are within its rows.
const REPLACED: usize = 4_000;
/// Sitemap files read for dates.
const MOST_FILES: usize = 20;

/// What is to be fetched again.
#[value]
pub(crate) struct Again {
    /// The run.
    pub(crate) run: Id<Run>,
    /// Which addresses.
    pub(crate) only: Only,
    /// The addresses that were named, normalised.
    #[serde(default)]
    pub(crate) urls: Vec<String>,
}

/// Chooses addresses, then goes on as a crawl does.
#[step]
pub(crate) fn again(
    cx: &Cx,
    payload: Again,
    checkpoint: Option<Checkpoint>,
) -> Result<Step<Checkpoint, Progress, Outcome>> {
    let mut crawl = Crawl::load(cx, &payload.run, checkpoint)?;
    if !crawl.point.again {
        crawl.point.again = true;
        crawl.point.phase = Phase::Robots;
        crawl.run.0.state = RunState::Running;
        crawl.point.seq = cx.records::<Row>().by("run_seq").equals(&payload.run).count();
        crawl.run.0.recrawled_ms = Some(crawl.clock_ms());
        crawl.run.0.again = Some(Renewed::default());
        crawl.forget_columns()?;
    }
    if crawl.point.phase == Phase::Robots && !crawl.is_stopped() {
        let chosen = match payload.only {
            Only::Listed => crawl.choose_listed(&payload.urls)?,
            Only::Failed => crawl.choose_failed(&payload.urls)?,
            Only::ChangedLastmod => crawl.choose_changed(&payload.urls)?,
        };
        if chosen {
            crawl.point.phase = Phase::Pages;
            if let Some(renewed) = &mut crawl.run.0.again {
                renewed.chosen = match payload.only {
                    Only::Listed => payload.urls.len() as u64,
                    Only::Failed | Only::ChangedLastmod => crawl.point.chosen.into(),
                };
            }
            crawl.point.chosen = 0;
            crawl.point.cursor = None;
        }
        crawl.flush_frontier()?;
        crawl.budget.end();
    }
    go_on(crawl)
}

impl Crawl<'_> {
    /// Those that were named; true when all are chosen.
    fn choose_listed(&mut self, urls: &[String]) -> Result<bool> {
        let from = self.point.chosen as usize;
        for url in urls.iter().skip(from).take(AT_ONCE) {
            self.choose(url);
            self.point.chosen += 1;
        }
        Ok(self.point.chosen as usize >= urls.len())
    }

    /// Those without an answer, with 4xx or 5xx.
    fn choose_failed(&mut self, among: &[String]) -> Result<bool> {
        // First the range from 400, then no answer at all; the cursor says which.
        let (unanswered, cursor) = match self.point.cursor.take() {
            None => (false, None),
            Some(text) => {
                let (part, rest) = text.split_once(':').unwrap_or(("0", ""));
                (part == "1", (!rest.is_empty()).then(|| Cursor::new(rest)))
            }
        };
        self.budget.call();
        let rows = self.cx.records::<Row>().by("run_status").equals(&self.run.id);
        let rows = if unanswered { rows.equals(0) } else { rows.at_least(400) };
        let page = rows.page(AT_ONCE as u64, cursor)?;
        for row in page.items {
            let robots = row.0.get("failure").and_then(serde_json::Value::as_str) == Some("robots");
            let Some(url) = row.0.get("url").and_then(serde_json::Value::as_str) else { continue };
            if !robots && self.point.chosen < MOST && (among.is_empty() || among.iter().any(|it| it == url)) {
                self.choose(url);
                self.point.chosen += 1;
            }
        }
        let part = if page.next.is_some() || unanswered { u8::from(unanswered) } else { 1 };
        let ended = unanswered && page.next.is_none();
        self.point.cursor = Some(format!("{part}:{}", page.next.as_ref().map_or("", Cursor::as_str)));
        Ok(ended || self.point.chosen >= MOST)
    }

    /// Those whose sitemap names a change after they were fetched.
    fn choose_changed(&mut self, among: &[String]) -> Result<bool> {
        let mut files = self.run.0.robots.sitemaps.clone();
        if files.is_empty() {
            files.extend(kit::url::resolve_normal(&self.origin, "/sitemap.xml"));
        }
        let mut at = 0;
        while at < files.len().min(MOST_FILES) && self.budget.lasts(self.cx) {
            let Some(url) = resolve(&self.origin, &files[at]).filter(|url| same_site(&self.origin, url)) else {
                at += 1;
                continue;
            };
            at += 1;
            let Some(rules) = self.rules_of(&url)? else { return Ok(false) };
            if !rules.robots.allows(url.as_str()) {
                continue;
            }
            self.keep_pace();
            let answer = self.ask(url.as_str(), |request| request.follow(5).max_bytes(8 << 20).timeout(12_000));
            if let Err(Failure::Paced(seconds)) = answer
                && self.rest(seconds)
            {
                return Ok(false);
            }
            let Some(answer) = answer.ok().filter(Response::is_success) else { continue };
            let file = sitemap::read(&answer.body);
            files.extend(file.sitemaps.into_iter().map(|entry| entry.url));
            for entry in file.urls {
                let changed = entry.lastmod.as_deref().and_then(moment);
                let url = resolve(&url, &entry.url).and_then(|url| kit::url::normal(&url));
                let (Some(changed), Some(url)) = (changed, url) else { continue };
                if self.budget.is_spent() || self.point.chosen >= MOST || (!among.is_empty() && !among.contains(&url)) {
                    continue;
                }
                self.budget.call();
                let page = self.cx.records::<Row>().find(&Id::new(self.id(&url)));
                let fetched = page.and_then(|row| row.0.get("fetched_ms").and_then(serde_json::Value::as_u64));
                if fetched.is_some_and(|fetched| fetched < changed) {
                    self.choose(&url);
                    self.point.chosen += 1;
                }
            }
        }
        Ok(true)
    }

    /// Puts an address in the queue of this job.
    fn choose(&mut self, url: &str) {
        let id = self.id(url);
        self.budget.call();
        self.budget.row();
        let known = self.cx.records::<Frontier>().find(&Id::new(id.clone())).map(Stored::into_inner);
        let run = self.reference();
        let row = known.unwrap_or_else(|| Frontier {
            run,
            state: Known::Again,
            rank: 0,
            url: url.to_owned(),
            depth: 0,
            found: Found::Seed,
            referrer: None,
            in_sitemap: false,
            hops: 0,
            tries: 0,
        });
        let rank = u64::from(self.point.chosen);
        self.frontier.insert(id, Frontier { state: Known::Again, rank, tries: 0, ..row });
    }

    /// Counts an address that was fetched again.
    pub(super) fn renewed(&mut self, now: &PageRecord, before: Option<&PageRecord>) {
        let Some(renewed) = &mut self.run.0.again else { return };
        renewed.fetched += 1;
        renewed.errors += u64::from(now.status == 0 || now.status >= 400);
        renewed.added += u64::from(before.is_none());
        let text = |it: &PageRecord| (it.status, it.facts.text_sha256.clone());
        renewed.changed += u64::from(before.is_some_and(|before| text(before) != text(now)));
    }

    /// Links of an address that fetching it again replaces.
    pub(super) fn links_to_replace(&mut self, url: &str) -> usize {
        if !self.point.again {
            return 0;
        }
        self.budget.call();
        let links = self.cx.records::<Linked>().by("run_source").equals(&self.run.id).equals(url).count();
        usize::try_from(links).unwrap_or(usize::MAX)
    }

    /// Whether an address has more links than the step that fetches it again may replace; then as many of them go as one step
    /// may take away, and the step ends.
    pub(super) fn thin(&mut self, url: &str) -> Result<bool> {
        if self.links_to_replace(url) <= REPLACED {
            return Ok(false);
        }
        let links = self.cx.records::<Linked>().by("run_source").equals(&self.run.id).equals(url);
        let links: Vec<_> = links.scan().take(REPLACED).collect();
        self.budget.reserve(links.len());
        for link in &links {
            self.uncount(link);
            self.budget.call();
            self.cx.records::<Linked>().remove(link)?;
        }
        self.budget.end();
        Ok(true)
    }

    fn uncount(&mut self, link: &Linked) {
        let run = &mut self.run.0;
        let scope = if link.0.internal { "internal" } else { "external" };
        less(run.link_counts.entry(format!("{scope}.{}", link.0.placement.word())).or_default(), 1);
        less(&mut run.totals.links, 1);
        less(&mut run.totals.internal_links, u64::from(link.0.internal));
    }

    /// Takes away what the crawl counted for an address, with its links; what it was.
    pub(super) fn forget(&mut self, url: &str) -> Result<Option<PageRecord>> {
        self.budget.call();
        let Some(old) = self.cx.records::<Page>().find(&Id::new(self.id(url))) else { return Ok(None) };
        let old = old.into_inner().0;
        let links: Vec<_> =
            self.cx.records::<Linked>().by("run_source").equals(&self.run.id).equals(url).scan().collect();
        self.budget.reserve(links.len());
        links.iter().for_each(|link| self.uncount(link));
        let run = &mut self.run.0;
        if old.facts.failure.as_deref() == Some("robots") {
            less(&mut run.totals.blocked, 1);
        } else {
            let totals = &mut run.totals;
            less(&mut totals.fetched, 1);
            less(&mut totals.html, u64::from(old.facts.is_html && old.status == 200));
            less(&mut totals.indexable, u64::from(old.facts.indexability.is_indexable()));
            less(&mut totals.redirects, u64::from((300..400).contains(&old.status)));
            less(&mut totals.errors, u64::from(old.status == 0 || old.status >= 400));
            less(run.status_counts.entry(old.status.to_string()).or_default(), 1);
            if let Some(failure) = &old.facts.failure {
                less(run.failures.entry(failure.clone()).or_default(), 1);
            }
            if let Some(count) = run.depth_histogram.get_mut(old.depth as usize).filter(|_| old.found.is_linked()) {
                less(count, 1);
            }
        }
        run.status_counts.retain(|_, count| *count > 0);
        run.failures.retain(|_, count| *count > 0);
        if !links.is_empty() {
            self.budget.call();
            self.cx.records::<Linked>().by("run_source").equals(&self.run.id).equals(url).remove();
        }
        Ok(Some(old))
    }
}

fn less(count: &mut u64, by: u64) {
    *count = count.saturating_sub(by);
}

/// Milliseconds since 1970 UTC of a sitemap's date: a day, or a time with its zone (W3C Datetime).
fn moment(text: &str) -> Option<u64> {
    let text = text.trim();
    if text.len() == 10 {
        return format!("{text}T00:00:00Z").parse().ok().map(Moment::millis);
    }
    let (time, zone) = text.split_at_checked(text.rfind(['Z', '+', '-']).filter(|at| *at > 10)?)?;
    let time = if time.len() == 16 { format!("{time}:00Z") } else { format!("{time}Z") };
    let local = time.parse::<Moment>().ok()?.millis();
    let Some((hours, minutes)) = zone.get(1..).and_then(|zone| zone.split_once(':')) else {
        return (zone == "Z").then_some(local);
    };
    let ahead = (hours.parse::<u64>().ok()? * 60 + minutes.parse::<u64>().ok()?) * 60_000;
    if zone.starts_with('+') { local.checked_sub(ahead) } else { Some(local + ahead) }
}
