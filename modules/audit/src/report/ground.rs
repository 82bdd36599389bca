//! What a report stands on: the findings of an audit, or of pages that are judged now.

use std::collections::BTreeMap;

use sdk::Degraded;
use sdk::Fix;
use sdk::prelude::*;

use super::Judged;
use crate::act::Known;
use crate::engine::{self, Choice, Hit};
use crate::evidence::Evidence;
use crate::index::{Entry, SiteIndex};
use crate::issue::suppress::Suppressed;
use crate::limits::Limits;
use crate::rule::{Rule, SiteContext};
use crate::settings::Settings;
use crate::stored::{Audit, AuditState, Issue, IssueUrl, Part};
use site::{Crawled, Run};

/// Pages of a crawl without an audit that one report judges; all that it reads must fit into one call.
const JUDGED: u64 = 200;
/// Rows of an audit's compact index that one report reads, 64 KiB each.
const PARTS: usize = 150;

/// One page at fault for one rule.
pub(crate) struct Finding {
    pub(crate) rule: Rule,
    pub(crate) url: String,
    pub(crate) evidence: Evidence,
}

/// What a report stands on.
pub(crate) struct Ground<'a> {
    cx: &'a Cx,
    run: Id<Run>,
    /// The website.
    site: String,
    /// Scheme, host and port of it.
    origin: String,
    pub(crate) judged: Judged,
    /// The rules in force, each with its severity.
    pub(crate) choice: Choice,
    /// The thresholds in force.
    pub(crate) limits: Limits,
    /// What could not be considered, in words.
    pub(crate) degraded: Vec<Degraded>,
    found: Found,
}

enum Found {
    /// Rows of an audit, with the pages at fault for each rule.
    Kept { audit: Id<Audit>, affected: BTreeMap<String, (u32, Option<String>)> },
    /// Judged now.
    Judged { hits: Vec<Hit>, entries: Vec<Entry> },
}

impl<'a> Ground<'a> {
    /// The ground of a crawl; 404 for one that is not the customer's, 409 for one that has not ended.
    pub(crate) fn of(cx: &'a Cx, id: &Id<Run>) -> Result<Self> {
        let run = site::readable(cx, id)?;
        let basis = site::basis(cx, &run);
        let judged = Judged { basis, audit_ref: None, pages: 0 };
        let settings = Settings::of(cx, &Id::new(run.0.site_id.as_str()));
        let ground = Self {
            cx,
            site: run.0.site_id.clone(),
            origin: run.0.origin.clone(),
            judged,
            run: id.clone(),
            choice: settings.choice(|_| true),
            limits: settings.limits(),
            degraded: Vec::new(),
            found: Found::Judged { hits: Vec::new(), entries: Vec::new() },
        };
        let audits = cx.records::<Audit>().by("run_ref").equals(id).descending();
        let whole = |audit: &Stored<Audit>| audit.state == AuditState::Succeeded && audit.rules.is_empty();
        match audits.scan().take(50).find(whole) {
            Some(audit) => Ok(ground.kept(&audit, &run)),
            None => ground.judged(&run, &Suppressed::of(cx, &run.0.site_id)),
        }
    }

    fn kept(mut self, audit: &Stored<Audit>, run: &Stored<Run>) -> Self {
        let issues = self.cx.records::<Issue>().by("audit_rank").equals(&audit.id).scan();
        let first = |issue: &Issue| issue.examples.first().map(|it| it.url.clone());
        let affected = issues.map(|issue| (issue.rule.clone(), (issue.affected, first(&issue)))).collect();
        if u64::from(audit.pages) < run.0.totals.fetched {
            let fetched = run.0.totals.fetched;
            self.degraded.push(Degraded::new(
                "pages",
                format!("the audit read {} of {fetched} addresses: it was told to stop there", audit.pages),
            ));
        }
        self.judged.audit_ref = Some(audit.id.clone());
        self.judged.pages = audit.pages;
        self.found = Found::Kept { audit: audit.id.clone(), affected };
        self
    }

    fn judged(mut self, run: &Stored<Run>, suppressed: &Suppressed) -> Result<Self> {
        let site = SiteContext { origin: run.0.origin.clone(), limits: self.limits.clone() };
        let pages = self.cx.records::<Crawled>().by("run_seq").equals(&run.id).page(JUDGED, None)?;
        let entries: Vec<Entry> = pages.items.iter().map(|page| engine::entry(&page.0)).collect();
        let mut hits: Vec<Hit> =
            pages.items.iter().flat_map(|page| engine::judge_page(&self.choice, &page.0.facts, &site)).collect();
        // Not the whole site and not its links: what is missing from it proves nothing.
        hits.extend(engine::judge_site(&self.choice, &SiteIndex::new(entries.clone(), false), &site));
        hits.retain(|hit| !suppressed.hides(hit.rule.id, &hit.url));
        hits.sort_by(|a, b| a.url.cmp(&b.url));
        self.judged.pages = u32::try_from(entries.len()).unwrap_or(u32::MAX);
        self.degraded.push(Degraded::new(
            "audit",
            format!(
                "this crawl has no audit: {} of {} addresses were judged now, and no links; audit.run.start judges all",
                entries.len(),
                run.0.totals.fetched.max(entries.len() as u64)
            ),
        ));
        self.found = Found::Judged { hits, entries };
        Ok(self)
    }

    /// Pages at fault for a rule.
    pub(crate) fn affected(&self, rule: &Rule) -> u32 {
        match &self.found {
            Found::Kept { affected, .. } => affected.get(rule.id).map_or(0, |(count, _)| *count),
            Found::Judged { hits, .. } => {
                u32::try_from(hits.iter().filter(|hit| hit.rule.id == rule.id).count()).unwrap_or(u32::MAX)
            }
        }
    }

    /// What acts on the findings of a rule.
    pub(crate) fn act(&self, rule: &Rule) -> Fix {
        let first = match &self.found {
            Found::Kept { affected, .. } => affected.get(rule.id).and_then(|(_, first)| first.clone()),
            Found::Judged { hits, .. } => hits.iter().find(|hit| hit.rule.id == rule.id).map(|hit| hit.url.clone()),
        };
        self.known().act(rule, first.as_slice())
    }

    /// The website.
    pub(crate) fn site(&self) -> &str {
        &self.site
    }

    /// What is known of the findings.
    fn known(&self) -> Known<'_> {
        Known {
            audit: self.judged.audit_ref.as_ref().map(Id::as_str),
            run: Some(self.run.as_str()),
            site: Some(&self.site),
            origin: &self.origin,
        }
    }

    /// Pages at fault for these rules, rule by rule, from where the page before ended.
    pub(crate) fn page(
        &self,
        rules: &[Rule],
        limit: usize,
        cursor: Option<&Cursor>,
    ) -> Result<(Vec<Finding>, Option<Cursor>)> {
        let (from, mut inner) = match cursor {
            None => (0, None),
            Some(cursor) => {
                let (rule, inner) = cursor.as_str().split_once(' ').ok_or_else(sdk::invalid_cursor)?;
                let from = rules.iter().position(|it| it.id == rule).ok_or_else(sdk::invalid_cursor)?;
                (from, Some(inner.to_owned()).filter(|it| !it.is_empty()))
            }
        };
        let mut rows = Vec::new();
        for rule in &rules[from..] {
            if self.affected(rule) == 0 {
                continue;
            }
            if rows.len() == limit {
                return Ok((rows, Some(Cursor::new(format!("{} ", rule.id)))));
            }
            let (found, next) = self.of_rule(*rule, limit - rows.len(), inner.take())?;
            rows.extend(found);
            if let Some(next) = next {
                return Ok((rows, Some(Cursor::new(format!("{} {next}", rule.id)))));
            }
        }
        Ok((rows, None))
    }

    fn of_rule(&self, rule: Rule, limit: usize, inner: Option<String>) -> Result<(Vec<Finding>, Option<String>)> {
        match &self.found {
            Found::Kept { audit, .. } => {
                let (mut found, mut cursor) = (Vec::new(), inner.map(Cursor::new));
                loop {
                    let urls = self.cx.records::<IssueUrl>().by("audit_rule_url").equals(audit).equals(rule.id);
                    let page = urls.page((limit - found.len()) as u64, cursor).map_err(|it| it.at("/cursor"))?;
                    let open = page.items.into_iter().map(Stored::into_inner).filter(|row| !row.suppressed);
                    found.extend(open.map(|row| Finding { rule, url: row.url, evidence: row.evidence }));
                    cursor = page.next;
                    if found.len() == limit || cursor.is_none() {
                        return Ok((found, cursor.map(|next| next.as_str().to_owned())));
                    }
                }
            }
            Found::Judged { hits, .. } => {
                let from: usize = inner.map_or(Ok(0), |it| it.parse().map_err(|_| sdk::invalid_cursor()))?;
                let mut fitting = hits.iter().filter(|hit| hit.rule.id == rule.id).skip(from);
                let found: Vec<Finding> = fitting
                    .by_ref()
                    .take(limit)
                    .map(|hit| Finding { rule, url: hit.url.clone(), evidence: hit.evidence.clone() })
                    .collect();
                let next = fitting.next().map(|_| (from + found.len()).to_string());
                Ok((found, next))
            }
        }
    }

    /// The first pages at fault for these rules, at most `most`.
    pub(crate) fn first(&self, ids: &[&str], most: usize) -> Result<Vec<Finding>> {
        let rules: Vec<Rule> = ids.iter().filter_map(|id| self.choice.find(id).copied()).collect();
        Ok(self.page(&rules, most, None)?.0)
    }

    /// The site's own addresses, in the order of the crawl.
    pub(crate) fn entries(&mut self) -> Vec<Entry> {
        let all = match &self.found {
            Found::Judged { entries, .. } => entries.clone(),
            Found::Kept { audit, .. } => {
                let parts = self.cx.records::<Part>().by("audit_number").equals(audit);
                let parts: Vec<Part> = parts.scan().take(PARTS + 1).map(Stored::into_inner).collect();
                if parts.len() > PARTS {
                    self.degraded
                        .push(Degraded::new("pages", "only the first addresses of this large crawl were compared"));
                }
                parts.into_iter().take(PARTS).flat_map(|part| part.entries).collect()
            }
        };
        all.into_iter().filter(|entry| !entry.external).collect()
    }
}
