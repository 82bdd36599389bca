//! What an analysis stands on: the latest crawl or its audit, and the live pages that come to it.

use std::collections::BTreeMap;

use kit::page::PageFacts;
use sdk::prelude::*;

use super::{Crawl, Looked, REQUESTS, Source};
use crate::engine::{self, Choice, Hit, Tally};
use crate::index::{Entry, SiteIndex};
use crate::opportunity::{self, Found};
use crate::rule::{Rule, SiteContext};
use crate::run;
use crate::settings::Settings;
use crate::stored::{Audit, Issue, Part};
use site::{Crawled, Site};

/// Addresses of a crawl judged in one call; an audit reads them all.
const CRAWLED: u64 = 100;

/// What is known before live pages are read, and what comes to it.
pub(super) struct Ground {
    pub(super) choice: Choice,
    pub(super) tally: Tally,
    pub(super) found: BTreeMap<&'static str, Found>,
    pub(super) looked: Vec<Looked>,
    /// Pages near the home page, the nearest first.
    pub(super) near: Vec<String>,
    /// The counts are those of a whole audit; live pages are among its pages and are not counted again.
    whole: bool,
}

impl Ground {
    /// Nothing known yet.
    pub(super) fn new(settings: &Settings) -> Self {
        Self {
            choice: settings.choice(|_| true),
            tally: Tally::default(),
            found: BTreeMap::new(),
            looked: Vec::new(),
            near: Vec::new(),
            whole: false,
        }
    }

    /// What the latest finished crawl of a website says, by its audit when there is one.
    pub(super) fn read(cx: &Cx, site: &Id<Site>, settings: &Settings, into: &mut Crawl) -> Self {
        let mut ground = Self::new(settings);
        let Some(crawl) = site::newest(cx, site) else { return ground };
        let run = crawl.id.as_str().to_owned();
        match run::latest(cx, site.as_str()).filter(|audit| audit.run_ref == run) {
            Some(audit) => ground.take_audit(cx, &audit, into),
            None => {
                let pages = cx.records::<Crawled>().by("run_seq").equals(&run);
                let pages = pages.page(CRAWLED, None).map(|page| page.items).unwrap_or_default();
                into.pages = u32::try_from(pages.len()).unwrap_or(u32::MAX);
                let context = SiteContext { origin: crawl.0.origin.clone(), limits: settings.limits() };
                ground.judge_crawl(&pages, &context);
            }
        }
        into.basis = Some(site::basis(cx, &crawl));
        ground
    }

    /// Takes over what a stored audit found; its compact index is enough to know where to look now.
    fn take_audit(&mut self, cx: &Cx, audit: &Stored<Audit>, into: &mut Crawl) {
        into.audit_ref = Some(audit.id.clone());
        into.by_clicks = audit.by_clicks;
        into.pages = audit.pages;
        self.whole = true;
        for issue in cx.records::<Issue>().by("audit_rank").equals(&audit.id).scan() {
            let Some(rule) = self.choice.find(&issue.rule).copied() else { continue };
            let Some(first) = issue.examples.first() else { continue };
            let count = issue.count();
            self.tally.set(&rule, count);
            let urls = issue.examples.iter().map(|example| example.url.clone()).collect();
            let found = Found { rule, count, urls, evidence: first.evidence.clone(), home: issue.home };
            self.found.insert(rule.id, found);
        }
        let part = cx.records::<Part>().by("audit_number").equals(&audit.id).first();
        self.look_near(&part.map(|part| part.into_inner().entries).unwrap_or_default());
    }

    fn look_near(&mut self, entries: &[Entry]) {
        let mut near: Vec<&Entry> = entries.iter().filter(|entry| entry.indexable && entry.depth.is_some()).collect();
        near.sort_by_key(|entry| entry.depth);
        self.near = near.iter().map(|entry| entry.url.clone()).take(2 * REQUESTS).collect();
    }

    fn judge_crawl(&mut self, pages: &[Stored<Crawled>], context: &SiteContext) {
        let choice = self.choice.clone();
        let entries: Vec<_> = pages.iter().map(|page| engine::entry(&page.0)).collect();
        self.look_near(&entries);
        let mut hits = Vec::new();
        for (page, entry) in pages.iter().zip(&entries) {
            self.tally.asked(&choice, entry.reach());
            let found = engine::judge_page(&choice, &page.0.facts, context);
            self.look(&page.0.facts, Source::Crawl, found.len());
            hits.extend(found);
        }
        // Not the whole site and not its links: what is missing from it proves nothing.
        hits.extend(engine::judge_site(&choice, &SiteIndex::new(entries, false), context));
        self.add(hits);
    }

    pub(super) fn judge(&mut self, live: &[PageFacts], context: &SiteContext) {
        let choice = self.choice.clone();
        let mut hits = Vec::new();
        for facts in live {
            let found = engine::judge_page(&choice, facts, context);
            let stored = self.looked.iter().position(|looked| looked.url == facts.url);
            if let Some(position) = stored {
                self.looked.remove(position);
            }
            self.look(facts, Source::Live, found.len());
            if !self.whole && stored.is_none() {
                self.tally.asked(&choice, engine::reach(facts));
                hits.extend(found);
            } else {
                // Its pages are counted; only what nobody knew of is added.
                hits.extend(found.into_iter().filter(|hit| !self.found.contains_key(hit.rule.id)));
            }
        }
        self.add(hits);
    }

    fn look(&mut self, facts: &PageFacts, source: Source, findings: usize) {
        self.looked.push(Looked {
            url: facts.url.clone(),
            status: facts.status,
            source,
            findings: u32::try_from(findings).unwrap_or(u32::MAX),
        });
    }

    /// Adds findings, and brings the counts of their rules up to date.
    fn add(&mut self, hits: Vec<Hit>) {
        self.tally.found(&hits);
        let tally = &self.tally;
        let count = |rule: &Rule| tally.count(rule);
        for found in opportunity::gather(&hits, count) {
            let urls = found.urls.clone();
            let known = self.found.entry(found.rule.id).or_insert(found);
            for url in urls {
                if known.urls.len() < 10 && !known.urls.contains(&url) {
                    known.urls.push(url);
                }
            }
        }
        for found in self.found.values_mut() {
            found.count = tally.count(&found.rule);
        }
    }
}
