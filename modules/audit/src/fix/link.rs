//! Where links and redirects could lead instead.

use super::draft::{Choice, Field, Page, Part, Source};
use super::site::Site;
use crate::rule::Rule;

/// Another address for each link of the page that leads to the wrong one.
pub(super) fn links(rule: &Rule, page: &Page, site: &Site) -> Vec<Part> {
    let redirects = rule.id == "links.to_redirect";
    let wrong = page.links.iter().filter_map(|(target, _)| {
        let entry = site.index.get(target).filter(|it| !it.external)?;
        let found = if redirects { entry.redirects() } else { entry.fails() };
        found.then_some(target)
    });
    let part = |target: &String| {
        let choice = if redirects {
            Choice::new(site.reached(target)?, 0.95, Source::Site)
        } else {
            let (meant, sure) = site.meant(target)?;
            Choice::new(meant, sure, Source::Site)
        };
        Some(Part::of(Field::Link, Some(target), vec![choice]))
    };
    wrong.filter_map(part).collect()
}

/// Where the address itself could redirect to.
pub(super) fn redirects(_: &Rule, page: &Page, site: &Site) -> Vec<Part> {
    let (url, present) = (&page.record.url, page.record.facts.redirect_to.as_deref());
    let mut choices = Vec::new();
    choices.extend(site.reached(url).map(|it| Choice::new(it, 0.95, Source::Site)));
    for asked in present.into_iter().chain([url.as_str()]) {
        choices.extend(site.meant(asked).map(|(meant, sure)| Choice::new(meant, sure, Source::Site)));
    }
    vec![Part::of(Field::Redirect, present, choices)]
}
