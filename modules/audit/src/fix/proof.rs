//! The proof of proposals: each is put in its place and judged again by the rule that it mends.

use std::collections::HashSet;

use kit::crawled::PageRecord;
use kit::page::{Image, PageFacts};

use super::apply::change;
use super::draft::{Choice, Draft, Field, Part, Proven};
use super::site::{Site, folded};
use crate::engine::{self, Choice as Rules};
use crate::index::{Entry, Source};
use crate::rule::{Check, Rule};
use crate::settings::Settings;

/// How often a rule about the whole site is asked: first everybody who fails tries the next choice, then it is left out.
const ROUNDS: usize = 4;

/// A page with one choice for each of its places.
struct Settled {
    record: PageRecord,
    parts: Vec<Part>,
}

impl Settled {
    /// The choices in force: the first of each place.
    fn chosen(&self) -> impl Iterator<Item = (&Part, &Choice)> {
        self.parts.iter().filter_map(|part| Some((part, part.choices.first()?)))
    }

    /// The page with all of them in place.
    fn after(&self) -> PageFacts {
        let mut facts = self.record.facts.clone();
        for (part, choice) in self.chosen() {
            change(&mut facts, part.field, part.target.as_deref(), &choice.text);
        }
        facts
    }
}

/// The first choice of each place that the rule accepts, and that does not break a rule next to it.
pub(super) fn prove(rule: &Rule, drafts: Vec<Draft>, site: &mut Site, settings: &Settings) -> Vec<Proven> {
    let judge = Judge { rule: *rule, near: near(rule, settings) };
    let field = drafts.iter().find_map(|draft| Some(draft.parts.first()?.field));
    let mut taken = field.map(|field| site.taken(field)).unwrap_or_default();
    let mut settled = Vec::new();
    for Draft { page, mut parts } in drafts {
        let record = page.record;
        let slim = slim(&record.facts);
        let before = judge.broken(&slim, site);
        for part in &mut parts {
            let mut choices = std::mem::take(&mut part.choices);
            let picture = (part.field == Field::Alt).then(|| only(&record.facts, part));
            let apart = picture.as_ref().map(|one| judge.broken(one, site));
            let (facts, broken) = (picture.as_ref().unwrap_or(&slim), apart.as_ref().unwrap_or(&before));
            choices.retain(|choice| {
                let other = taken.get(&folded(&choice.text)).is_some_and(|page| page.as_ref() != Some(&record.url));
                !other && judge.accepts(facts, broken, part, choice, site)
            });
            if let Some(first) = choices.first().filter(|_| unique(part.field)) {
                // Once proposed it belongs to this page.
                taken.insert(folded(&first.text), Some(record.url.clone()));
            }
            part.choices = choices;
        }
        // A rule about a page is silent only when all of its pictures have a text; links are told one by one.
        let whole = parts.iter().all(|part| !part.choices.is_empty());
        parts.retain(|part| !part.choices.is_empty());
        if !parts.is_empty() && (whole || parts[0].field == Field::Link) {
            link(&parts, &record.url, &page.links, site);
            settled.push(Settled { record, parts });
        }
    }
    settled.retain(|it| judge.passes(&it.after(), &judge.broken(&it.record.facts, site), site));
    if matches!(rule.check, Check::Site(_)) {
        against_the_site(rule, &mut settled, site);
    }
    let proven = settled.iter().flat_map(|it| {
        it.chosen().map(|(part, choice)| Proven {
            url: it.record.url.clone(),
            field: part.field,
            target: part.target.clone(),
            current: part.current.clone(),
            choice: choice.clone(),
        })
    });
    proven.collect()
}

/// No two pages should have the same.
fn unique(field: Field) -> bool {
    matches!(field, Field::Title | Field::Description | Field::H1)
}

/// Tells the index where the links of a page lead once they are changed.
fn link(parts: &[Part], url: &str, links: &[(String, String)], site: &mut Site) {
    for part in parts.iter().filter(|part| part.field == Field::Link) {
        let anchor = links.iter().find(|(target, _)| Some(target) == part.current.as_ref());
        let source = Source { from: url.to_owned(), anchor: anchor.map(|it| it.1.clone()).unwrap_or_default() };
        part.choices.iter().take(1).for_each(|it| site.index.link(&it.text, source.clone()));
    }
}

/// A page without the long lists that no rule about texts and addresses looks at: it is copied for each choice.
fn slim(facts: &PageFacts) -> PageFacts {
    let mut facts = facts.clone();
    facts.images.clear();
    facts.resources.clear();
    facts.mixed_content.clear();
    facts
}

/// A page with one picture: the others have choices of their own.
fn only(facts: &PageFacts, part: &Part) -> PageFacts {
    let images: Vec<Image> = facts.images.iter().filter(|it| Some(&it.src) == part.target.as_ref()).cloned().collect();
    PageFacts {
        url: facts.url.clone(),
        final_url: facts.final_url.clone(),
        status: facts.status,
        is_html: facts.is_html,
        indexability: facts.indexability,
        link_counts: facts.link_counts,
        image_count: u32::try_from(images.len()).unwrap_or(u32::MAX),
        images_without_alt: u32::try_from(images.iter().filter(|it| it.alt.is_none()).count()).unwrap_or(u32::MAX),
        images_without_size: facts.images_without_size,
        images,
        ..PageFacts::default()
    }
}

/// The page rules of the same subject, such as `title`, as the website wants them.
fn near(rule: &Rule, settings: &Settings) -> Rules {
    let subject = rule.id.split('.').next().unwrap_or_default();
    settings.choice(|it| it.id.split('.').next() == Some(subject) && matches!(it.check, Check::Page(_)))
}

struct Judge {
    rule: Rule,
    near: Rules,
}

impl Judge {
    /// Whether one choice passes alone.
    fn accepts(&self, facts: &PageFacts, broken: &HashSet<&str>, part: &Part, choice: &Choice, site: &Site) -> bool {
        if choice.text.trim().is_empty() {
            return false;
        }
        if matches!(part.field, Field::Link | Field::Redirect) {
            return site.index.get(&choice.text).is_some_and(|it| it.status == 200);
        }
        let mut after = facts.clone();
        change(&mut after, part.field, part.target.as_deref(), &choice.text);
        self.passes(&after, broken, site)
    }

    /// Whether the rule is silent, and every other of its subject is that was silent before.
    fn passes(&self, after: &PageFacts, broken: &HashSet<&str>, site: &Site) -> bool {
        let silent = match self.rule.check {
            Check::Page(check) => check(after, &site.context).is_none(),
            Check::Links(_) | Check::Targets(_) | Check::Site(_) => true,
        };
        silent && self.broken(after, site).is_subset(broken)
    }

    /// Rules of the subject that the page breaks.
    fn broken(&self, facts: &PageFacts, site: &Site) -> HashSet<&'static str> {
        engine::judge_page(&self.near, facts, &site.context).iter().map(|hit| hit.rule.id).collect()
    }
}

/// Puts all pages into the index together and asks the rule; a page that is left out goes back to what it is.
fn against_the_site(rule: &Rule, settled: &mut Vec<Settled>, site: &mut Site) {
    let asked = Rules::default().only(&[rule.id.to_owned()]);
    for page in settled.iter() {
        site.put(&page.record, page.after());
    }
    for round in 0..ROUNDS {
        let hits = engine::judge_site(&asked, &site.index, &site.context);
        let wrong: HashSet<String> = hits.into_iter().map(|hit| hit.url).collect();
        let before = settled.len();
        let mut changed = false;
        settled.retain_mut(|page| {
            if !wrong.contains(&page.record.url) {
                return true;
            }
            changed = true;
            page.parts.iter_mut().for_each(|part| drop(part.choices.remove(0)));
            let left = round == 0 && page.parts.iter().all(|part| !part.choices.is_empty());
            let facts = if left { page.after() } else { page.record.facts.clone() };
            site.put(&page.record, facts);
            left
        });
        if !changed {
            return;
        }
        // Somebody who leaves changes the site for those who stay.
        if round + 1 == ROUNDS && settled.len() < before {
            settled.clear();
        }
    }
}

impl Site {
    /// Puts a page with these facts into the index.
    fn put(&mut self, record: &PageRecord, facts: PageFacts) {
        let inlinks = self.index.get(&record.url).map_or(0, |it| it.inlinks);
        let record = PageRecord {
            url: record.url.clone(),
            depth: record.depth,
            found: record.found,
            in_sitemap: record.in_sitemap,
            status: facts.status,
            facts,
            ..PageRecord::default()
        };
        self.index.replace(Entry { inlinks, ..engine::entry(&record) });
    }
}
