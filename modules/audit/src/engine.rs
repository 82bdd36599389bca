//! How rules are asked: about one page, about its links, about a whole crawl.

use std::collections::BTreeMap;

use kit::crawled::{ExternalRecord, PageRecord};
use kit::page::{Link, PageFacts, Place, Reason};
use kit::sketch::Sketch;

use crate::evidence::{Evidence, clip};
use crate::index::{Entry, SiteIndex};
use crate::rule::{Check, Reach, Rule, Severity, SiteContext, Target};
use crate::rules;
use crate::score::{self, Count};

/// The most language versions of one page that are held against each other; the longest lists have some sixty.
const VERSIONS: usize = 80;

/// What one rule found at one address.
#[derive(Debug, Clone)]
pub struct Hit {
    /// The rule, with the severity in force.
    pub rule: Rule,
    /// The address.
    pub url: String,
    /// The proof.
    pub evidence: Evidence,
    /// The number of the address in the crawl, where the rule was asked before the links were counted.
    pub at: Option<u32>,
}

/// The rules that are asked, each with the severity in force.
#[derive(Debug, Clone)]
pub struct Choice(Vec<Rule>);

impl Default for Choice {
    fn default() -> Self {
        Self(rules::all().copied().collect())
    }
}

impl Choice {
    /// Those of the whole list that fit, as `change` wants them.
    #[must_use]
    pub fn of(change: impl Fn(Rule) -> Option<Rule>) -> Self {
        Self(rules::all().copied().filter_map(change).collect())
    }

    /// These of them only; an empty list means all.
    #[must_use]
    pub fn only(mut self, ids: &[String]) -> Self {
        self.0.retain(|rule| ids.is_empty() || ids.iter().any(|id| id == rule.id));
        self
    }

    /// The chosen rules, in the order of the list.
    pub fn rules(&self) -> impl Iterator<Item = &Rule> {
        self.0.iter()
    }

    /// The rule with this id, when it is chosen.
    #[must_use]
    pub fn find(&self, id: &str) -> Option<&Rule> {
        self.0.iter().find(|rule| rule.id == id)
    }
}

/// How far a page got.
#[must_use]
pub fn reach(facts: &PageFacts) -> Reach {
    let page = facts.is_html && facts.status == 200;
    Reach { page, indexable: page && facts.indexability.is_indexable() }
}

/// Asks the page rules and, when the page's links are at hand, the link rules.
#[must_use]
pub fn judge_page(choice: &Choice, facts: &PageFacts, site: &SiteContext) -> Vec<Hit> {
    let reach = reach(facts);
    let mut hits = Vec::new();
    for rule in choice.rules().filter(|rule| rule.covers(reach)) {
        let found = match rule.check {
            Check::Page(check) => check(facts, site),
            Check::Links(check) => check(&facts.links),
            Check::Targets(_) | Check::Site(_) => None,
        };
        hits.extend(found.map(|evidence| Hit { rule: *rule, url: facts.url.clone(), evidence, at: None }));
    }
    hits
}

/// Asks the link rules about a page whose links are stored apart from it.
#[must_use]
pub fn judge_links(choice: &Choice, entry: &Entry, links: &[Link]) -> Vec<Hit> {
    let asked = choice.rules().filter(|rule| rule.covers(entry.reach()));
    asked
        .filter_map(|rule| match rule.check {
            Check::Links(check) => Some(Hit { rule: *rule, url: entry.url.clone(), evidence: check(links)?, at: None }),
            Check::Page(_) | Check::Targets(_) | Check::Site(_) => None,
        })
        .collect()
}

/// Asks the rules that hold the links of a page against what they lead to.
#[must_use]
pub fn judge_targets(choice: &Choice, entry: &Entry, targets: &[Target<'_>]) -> Vec<Hit> {
    let asked = choice.rules().filter(|rule| rule.covers(entry.reach()));
    asked
        .filter_map(|rule| match rule.check {
            Check::Targets(check) => {
                Some(Hit { rule: *rule, url: entry.url.clone(), evidence: check(entry, targets)?, at: None })
            }
            Check::Page(_) | Check::Links(_) | Check::Site(_) => None,
        })
        .collect()
}

/// Asks the rules that see the whole crawl.
#[must_use]
pub fn judge_site(choice: &Choice, index: &SiteIndex, site: &SiteContext) -> Vec<Hit> {
    let mut hits = Vec::new();
    for rule in choice.rules() {
        if let Check::Site(check) = rule.check {
            let found = check(index, site).into_iter();
            hits.extend(found.map(|finding| Hit {
                rule: *rule,
                url: finding.url,
                evidence: finding.evidence,
                at: None,
            }));
        }
    }
    hits
}

/// What a crawled address is to the set rules.
#[must_use]
pub fn entry(record: &PageRecord) -> Entry {
    let facts = &record.facts;
    let reach = reach(facts);
    let first = |texts: &[String]| texts.first().map(|text| clip(text)).unwrap_or_default();
    let heading = facts.headings.iter().find(|heading| heading.level == 1);
    let canonical = facts.counted_canonicals().find_map(|it| it.url.clone());
    let alternates = facts.hreflang.iter().filter(|it| it.place != Place::Body);
    let mut directives = facts.meta_robots.iter().chain(&facts.x_robots_tag);
    Entry {
        url: record.url.clone(),
        status: record.status,
        failure: facts.failure.clone(),
        location: facts.redirect_to.clone(),
        page: reach.page,
        indexable: reach.indexable,
        noindex: directives.any(|it| it == "noindex" || it == "none"),
        blocked: facts.indexability.reason == Reason::RobotsBlocked,
        canonical,
        title: first(&facts.titles),
        description: first(&facts.descriptions),
        heading: heading.map(|it| clip(&it.text)).unwrap_or_default(),
        text_hash: facts.text_sha256.clone(),
        simhash: facts.simhash.clone(),
        bands: Sketch::from_text(&facts.sketch).map(|it| it.bands().to_vec()).unwrap_or_default(),
        words: facts.word_count,
        alternates: alternates.filter_map(|it| Some((it.lang.clone(), it.url.clone()?))).take(VERSIONS).collect(),
        in_sitemap: record.in_sitemap,
        next: facts.next.clone(),
        prev: facts.prev.clone(),
        amphtml: facts.amphtml.clone(),
        amp: facts.markup.amp,
        depth: record.found.is_linked().then_some(record.depth),
        inlinks: 0,
        followed: 0,
        found: 0,
        named: 0,
        external: false,
    }
}

/// What a checked address of another site is to the set rules; none when it was not asked for.
#[must_use]
pub fn external(record: &ExternalRecord) -> Option<Entry> {
    (record.state == "checked").then(|| Entry {
        url: record.url.clone(),
        status: record.status,
        failure: record.failure.clone(),
        external: true,
        ..Entry::default()
    })
}

/// How many pages each rule was asked about and how many it found at fault.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(transparent)]
pub struct Tally(BTreeMap<String, Count>);

impl Tally {
    /// Counts one more page for every rule that is asked about such a page.
    pub fn asked(&mut self, choice: &Choice, reach: Reach) {
        for rule in choice.rules().filter(|rule| rule.covers(reach)) {
            self.0.entry(rule.id.to_owned()).or_default().asked += 1;
        }
    }

    /// Counts findings; each is one affected page.
    pub fn found<'a>(&mut self, hits: impl IntoIterator<Item = &'a Hit>) {
        for hit in hits {
            self.0.entry(hit.rule.id.to_owned()).or_default().affected += 1;
        }
    }

    /// How many pages a rule has found at fault.
    #[must_use]
    pub fn affected(&self, rule: &Rule) -> u32 {
        self.0.get(rule.id).map_or(0, |count| count.affected)
    }

    /// The counts of one rule; a rule that found something was asked at least as often.
    #[must_use]
    pub fn count(&self, rule: &Rule) -> Count {
        let count = self.0.get(rule.id).copied().unwrap_or_default();
        Count { asked: count.asked.max(count.affected), ..count }
    }

    /// Takes over the counts of a rule.
    pub fn set(&mut self, rule: &Rule, count: Count) {
        self.0.insert(rule.id.to_owned(), count);
    }

    /// Each chosen rule with its counts.
    pub fn counts<'a>(&self, choice: &'a Choice) -> impl Iterator<Item = (&'a Rule, Count)> {
        self.0.iter().filter_map(move |(id, count)| Some((choice.find(id)?, *count)))
    }

    /// The score and what each area took from it.
    #[must_use]
    pub fn score(&self, choice: &Choice) -> (f64, BTreeMap<crate::rule::Area, score::AreaScore>) {
        score::score(self.counts(choice))
    }

    /// Rules with findings, by severity.
    #[must_use]
    pub fn by_severity(&self, choice: &Choice) -> BTreeMap<Severity, u32> {
        let mut found: BTreeMap<Severity, u32> = Severity::ALL.into_iter().map(|severity| (severity, 0)).collect();
        for (rule, _) in self.counts(choice).filter(|(_, count)| count.affected > 0) {
            *found.entry(rule.severity).or_default() += 1;
        }
        found
    }
}
