//! Fetching the pages of the queue, nearest first.

use kit::challenge;
use kit::crawled::{PageRecord, StopReason};
use kit::pace::{Sign, retry_after_ms};
use kit::page::{self, Answer, Hop, PageFacts, Timing};
use kit::url::{Url, path_and_query};
use sdk::Failure;
use sdk::prelude::*;

use super::Phase;
use super::budget::readable;
use super::crawl::Crawl;
use super::discover::CLASS;
use super::fetch;
use super::keep::MainText;
use crate::fields;
use crate::stored::{Frontier, Known, Page, Row};

/// Bytes of a page that are kept and read: as many as one step has fuel for. The largest pages of real manuals have 2.5 MB.
const MOST_BYTES: u32 = 2_700_000;
/// For one page.
const TIMEOUT_MS: u32 = 12_000;
/// For the headers of a file.
const HEAD_TIMEOUT_MS: u32 = 5_000;
/// Bytes of facts in one record: the host takes 256 KiB.
const MOST_FACTS: usize = 200_000;
/// Requests for an address that answers with trouble.
const MOST_TRIES: u32 = 3;
/// Challenges in a row that end a crawl.
const MOST_CHALLENGES: u32 = 3;

/// What was read of an answer beside its facts.
#[derive(Default)]
pub(super) struct Read {
    pub(super) body: Vec<u8>,
    pub(super) text: MainText,
    /// Whether bytes and text are to be kept.
    pub(super) keep: bool,
}

impl Crawl<'_> {
    /// Visits the next addresses of the queue; ends the phase when there is none, or enough is fetched.
    pub(crate) fn visit_some(&mut self) -> Result<()> {
        if let Some(from) = self.point.aside.take() {
            self.take_aside(&from)?;
            return self.flush_frontier();
        }
        let (most, queued) = if self.point.again {
            (u64::MAX, Known::Again)
        } else {
            (u64::from(self.run.0.settings.max_pages), Known::Queued)
        };
        let left = most.saturating_sub(self.run.0.totals.fetched);
        let wanted = u64::from(self.budget.pages).min(left).max(1);
        self.budget.call();
        let queue = self.cx.records::<Frontier>().by("run_state_rank").equals(self.run.id.as_str()).equals(queued);
        let batch = queue.page(wanted, None)?.items;
        if batch.is_empty() || left == 0 {
            let ended = self.reason(!batch.is_empty());
            return self.end_pages(ended);
        }
        let class = batch[0].rank >> CLASS;
        for row in batch {
            // What this batch finds is nearer than an address of a further class: that one waits for the next question.
            if row.rank >> CLASS != class {
                break;
            }
            if !self.budget.lasts(self.cx) || self.pause_ms > 0 || self.run.0.totals.fetched >= most {
                break;
            }
            self.visit(row)?;
            if let Some(ended) = self.point.ended {
                return self.end_pages(ended);
            }
        }
        self.flush_frontier()
    }

    fn end_pages(&mut self, ended: StopReason) -> Result<()> {
        self.point.ended = Some(ended);
        let checks = self.run.0.settings.check_external;
        self.point.phase = if checks { Phase::Externals } else { Phase::Resources };
        self.flush_frontier()
    }

    /// Why the fetching of pages is over.
    fn reason(&self, more: bool) -> StopReason {
        let totals = &self.run.0.totals;
        if self.point.again {
            self.run.0.stop_reason.unwrap_or(StopReason::Completed)
        } else if more {
            StopReason::PageLimit
        } else if totals.fetched == 0 && totals.blocked > 0 {
            if self.run.0.robots.status == 0 { StopReason::Unreachable } else { StopReason::RobotsDisallowed }
        } else if self.run.0.status_counts.get("0").copied().unwrap_or(0) == totals.fetched {
            StopReason::Unreachable
        } else if self.point.too_many {
            StopReason::KnownLimit
        } else if self.point.too_deep {
            StopReason::DepthLimit
        } else {
            StopReason::Completed
        }
    }

    fn visit(&mut self, mut row: Stored<Frontier>) -> Result<()> {
        if let Some(changed) = self.frontier.remove(&self.id(&row.url)) {
            // A page of this very batch links to it.
            row.it = changed;
        }
        let Ok(url) = Url::parse(&row.url) else { return Ok(()) };
        if self.point.again && self.thin(&row.url)? {
            return self.put_back(row);
        }
        let Some(rules) = self.rules_of(&url)? else { return self.put_back(row) };
        if let Some(failure) = rules.absent() {
            return self.unanswered(row, failure);
        }
        if !rules.robots.allows(&row.url) {
            self.run.0.totals.blocked += 1;
            let facts = page::unanswered(&row.url, "robots");
            return self.record(row, facts, Read::default(), Known::Robots);
        }
        if self.pause_ms > 0 || !self.keep_pace() {
            return self.put_back(row);
        }
        let answer = self.fetch_page(&row.url);
        match answer {
            Err(Failure::Paced(seconds)) if self.rest(seconds) => return self.put_back(row),
            Err(Failure::Disallowed) => {
                self.run.0.totals.blocked += 1;
                let facts = page::unanswered(&row.url, "robots");
                return self.record(row, facts, Read::default(), Known::Robots);
            }
            _ => {}
        }
        let sign = match &answer {
            // A page that asks for a pause again and again is given one.
            Ok(answer) => {
                let asked = answer.header("retry-after").filter(|_| row.tries == 0);
                Sign::of_status(answer.status, asked.and_then(retry_after_ms))
            }
            Err(Failure::Timeout) => Sign::Trouble(None),
            Err(_) => Sign::Clean,
        };
        self.run.0.pace.note(sign);
        let asks_to_wait =
            answer.as_ref().map_or_else(|failure| *failure == Failure::Timeout, |it| matches!(it.status, 429 | 503));
        let challenged = answer.as_ref().ok().and_then(|it| challenge::of_answer(it.status, &it.headers, &it.body));
        if asks_to_wait && challenged.is_none() && row.tries + 1 < MOST_TRIES {
            let mut again = row.into_inner();
            again.tries += 1;
            self.frontier.insert(self.id(&again.url), again);
            return Ok(());
        }
        match challenged {
            Some(who) => {
                self.point.challenged += 1;
                self.cx.log().info(&format!("a challenge of kind {who}"));
                if self.run.0.totals.fetched == 0 || self.point.challenged >= MOST_CHALLENGES {
                    self.point.ended = Some(StopReason::BlockedByChallenge);
                }
            }
            None => self.point.challenged = 0,
        }
        match answer {
            Ok(answer) => self.answered(row, answer),
            Err(failure) => self.unanswered(row, fetch::name(&failure)),
        }
    }

    fn unanswered(&mut self, row: Stored<Frontier>, failure: &str) -> Result<()> {
        *self.run.0.failures.entry(failure.to_owned()).or_default() += 1;
        let facts = page::unanswered(&row.url, failure);
        self.record(row, facts, Read::default(), Known::Fetched)
    }

    /// Leaves an address in the queue, with what this batch learnt of it.
    fn put_back(&mut self, row: Stored<Frontier>) -> Result<()> {
        let row = row.into_inner();
        self.frontier.insert(self.id(&row.url), row);
        Ok(())
    }

    /// Files that hold no links are asked for their headers only, where the server knows how to answer that.
    fn fetch_page(&mut self, url: &str) -> Result<Response, Failure> {
        if is_file(url) {
            let head = self.ask_head(url, |request| request.follow(0).timeout(HEAD_TIMEOUT_MS));
            if !fetch::head_is_doubtful(&head) {
                return head;
            }
        }
        self.ask(url, |request| {
            request
                .follow(0)
                .max_bytes(MOST_BYTES)
                .timeout(TIMEOUT_MS)
                .header("accept", "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5")
        })
    }

    fn answered(&mut self, row: Stored<Frontier>, mut answer: Response) -> Result<()> {
        let readable = readable(&answer.body);
        answer.truncated |= readable < answer.body.len();
        answer.body.truncate(readable);
        if !self.budget.holds_bytes(&answer.body) {
            // Too much for what is left of this step: the next one begins with it.
            self.budget.end();
            return Ok(());
        }
        let timing = answer.timing;
        let timing = Timing {
            dns_ms: timing.dns_ms,
            connect_ms: timing.connect_ms,
            first_byte_ms: timing.first_byte_ms,
            total_ms: timing.total_ms,
        };
        let hops: Vec<Hop> = answer
            .hops
            .iter()
            .map(|hop| Hop { url: hop.url.clone(), status: hop.status, location: hop.location.clone() })
            .collect();
        let (facts, document) = page::read_whole(&Answer {
            url: &row.url,
            final_url: &answer.url,
            status: answer.status,
            hops: &hops,
            headers: &answer.headers,
            body: &answer.body,
            truncated: answer.truncated,
            timing,
        });
        let replaced = self.links_to_replace(&row.url);
        let links = facts.links.len();
        if !self.budget.holds_links(&answer.body, links + replaced) {
            self.budget.end();
            return Ok(());
        }
        self.budget.page(&answer.body, links + replaced);
        self.run.0.totals.bytes += answer.body.len() as u64;
        let keep = self.run.0.settings.store_html && facts.is_html && !answer.body.is_empty();
        let text = if keep { MainText::of(document.as_ref(), &answer.url) } else { MainText::default() };
        drop(document);
        self.record(row, facts, Read { body: answer.body, text, keep }, Known::Fetched)
    }

    /// Records an address, counts it, and follows where it leads.
    fn record(&mut self, row: Stored<Frontier>, mut facts: PageFacts, read: Read, state: Known) -> Result<()> {
        let id = self.id(&row.url);
        let mut html_blob = None;
        if read.keep {
            let key = format!("html/{id}");
            self.budget.call();
            self.cx.blobs().write(&key, &read.body)?;
            html_blob = Some(key);
        }
        let before = if self.point.again { self.forget(&row.url)? } else { None };
        let seq = before.as_ref().map(|before| before.seq).unwrap_or_else(|| {
            self.point.seq += 1;
            self.point.seq
        });
        self.budget.pages = self.budget.pages.saturating_sub(1);
        let links = std::mem::take(&mut facts.links);
        fit(&mut facts);
        let mut record = PageRecord {
            run: self.reference(),
            seq,
            url: row.url.clone(),
            status: facts.status,
            depth: row.depth,
            found: row.found,
            referrer: row.referrer.clone(),
            in_sitemap: row.in_sitemap,
            fetched_ms: self.clock_ms(),
            html_blob,
            text: None,
            facts,
        };
        self.keep(&mut record, &links, &read)?;
        if state == Known::Fetched {
            self.count(&record);
            if self.point.again {
                self.renewed(&record, before.as_ref());
            }
        }
        self.follow(&record, row.hops)?;
        if record.facts.is_html && (200..300).contains(&record.status) {
            if links.len() >= page::MOST_LINKS {
                let all = record.facts.link_counts.internal + record.facts.link_counts.external;
                self.drop_links(u64::from(all).saturating_sub(links.len() as u64));
            }
            self.take_links(&record.url, record.depth, links)?;
        }
        let known = Frontier { state, ..row.into_inner() };
        self.seen.insert(id.clone());
        self.frontier.insert(id.clone(), known);
        for _ in 0..3 {
            self.budget.row();
        }
        self.rows.push((Id::new(id.clone()), Row(fields::row(&record))));
        self.pages.push((Id::new(id), Page(record)));
        Ok(())
    }

    /// Counts an address that was asked for.
    pub(crate) fn count(&mut self, record: &PageRecord) {
        self.units += 1;
        let run = &mut self.run.0;
        run.totals.fetched += 1;
        run.totals.html += u64::from(record.facts.is_html && record.status == 200);
        run.totals.indexable += u64::from(record.facts.indexability.is_indexable());
        run.totals.redirects += u64::from((300..400).contains(&record.status));
        run.totals.errors += u64::from(record.status == 0 || record.status >= 400);
        *run.status_counts.entry(record.status.to_string()).or_default() += 1;
        if record.found.is_linked() {
            let depth = record.depth as usize;
            if run.depth_histogram.len() <= depth {
                run.depth_histogram.resize(depth + 1, 0);
            }
            run.depth_histogram[depth] += 1;
        }
    }
}

/// Shortens the lists of facts until they fit into a record; the counts beside them stay.
fn fit(facts: &mut PageFacts) {
    for _ in 0..12 {
        if serde_json::to_string(facts).is_ok_and(|text| text.len() <= MOST_FACTS) {
            return;
        }
        let half = |length: usize| length / 2;
        facts.images.truncate(half(facts.images.len()));
        facts.resources.truncate(half(facts.resources.len()));
        facts.headings.truncate(half(facts.headings.len()));
        facts.hreflang.truncate(half(facts.hreflang.len()));
        facts.mixed_content.truncate(half(facts.mixed_content.len()));
        facts.open_graph.truncate(half(facts.open_graph.len()));
        facts.twitter.truncate(half(facts.twitter.len()));
        facts.forms.truncate(half(facts.forms.len()));
        facts.canonicals.truncate(half(facts.canonicals.len()).max(1));
        facts.titles.truncate(half(facts.titles.len()).max(1));
        facts.descriptions.truncate(half(facts.descriptions.len()).max(1));
    }
}

/// Whether an address names a file of a kind that holds no links.
fn is_file(url: &str) -> bool {
    let path = path_and_query(url).split('?').next().unwrap_or_default();
    let Some((_, extension)) = path.rsplit('/').next().unwrap_or_default().rsplit_once('.') else { return false };
    matches!(
        extension.to_ascii_lowercase().as_str(),
        "jpg"
            | "jpeg"
            | "png"
            | "gif"
            | "webp"
            | "avif"
            | "svg"
            | "ico"
            | "mp3"
            | "mp4"
            | "webm"
            | "mov"
            | "avi"
            | "wav"
            | "ogg"
            | "zip"
            | "gz"
            | "bz2"
            | "xz"
            | "7z"
            | "rar"
            | "tar"
            | "tgz"
            | "exe"
            | "dmg"
            | "msi"
            | "deb"
            | "rpm"
            | "iso"
            | "apk"
            | "woff"
            | "woff2"
            | "ttf"
            | "otf"
            | "pdf"
            | "doc"
            | "docx"
            | "xls"
            | "xlsx"
            | "ppt"
            | "pptx"
            | "odt"
            | "ods"
            | "epub"
    )
}
