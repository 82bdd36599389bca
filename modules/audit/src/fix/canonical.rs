//! What could be the canonical of a page.

use kit::page::Place;

use super::draft::{Choice, Field, Page, Part, Source};
use super::site::Site;
use crate::rule::Rule;

/// What could be the canonical.
pub(super) fn parts(rule: &Rule, page: &Page, site: &Site) -> Vec<Part> {
    let facts = &page.record.facts;
    let own = if facts.final_url.is_empty() { &page.record.url } else { &facts.final_url };
    let declared = facts.canonicals.iter().find(|it| it.place != Place::Body);
    let target = declared.and_then(|it| it.url.as_deref());
    let mut choices = Vec::new();
    let mut add = |text: Option<&str>, confidence| {
        choices.extend(text.map(|text| Choice::new(text, confidence, Source::Site)));
    };
    match rule.id {
        "canonical.relative" => add(target, 0.95),
        "canonical.fragment" => add(target.and_then(|it| it.split('#').next()), 0.95),
        "canonical.insecure" => {
            let secure = target.map(|it| it.replacen("http:", "https:", 1));
            add(secure.as_deref(), 0.9);
        }
        "canonical.target_redirects" => {
            add(target.and_then(|it| site.reached(it)).filter(|it| can_stand(site, it)), 0.95)
        }
        "canonical.target_error" => {
            if let Some((meant, sure)) = target.and_then(|it| site.meant(it)) {
                add(Some(meant), sure);
            }
        }
        "canonical.chain" => add(target.and_then(|it| last(site, it)).as_deref(), 0.85),
        _ => {}
    }
    // A page that names nobody else, or nobody that can be shown, stands for itself.
    let alone = match rule.id {
        "canonical.missing" | "canonical.invalid" => 0.8,
        "canonical.target_not_indexable" => 0.6,
        _ => 0.5,
    };
    add(Some(own), alone);
    vec![Part::of(Field::Canonical, declared.map(|it| it.href.as_str()), choices)]
}

/// Follows canonicals to a page that names none but itself.
fn last(site: &Site, url: &str) -> Option<String> {
    let mut here = site.index.get(url)?;
    for _ in 0..10 {
        match here.canonical.as_deref().filter(|it| *it != here.url) {
            Some(next) => here = site.index.get(next)?,
            None => return can_stand(site, &here.url).then(|| here.url.clone()),
        }
    }
    None
}

/// Whether an address can stand for others: it answers and may be indexed.
fn can_stand(site: &Site, url: &str) -> bool {
    site.index.get(url).is_some_and(|it| it.indexable)
}
