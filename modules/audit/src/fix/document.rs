//! What belongs into every page of a site: its language, its viewport.

use super::draft::{Choice, Field, Page, Part, Source};
use super::site::Site;
use crate::rule::Rule;

/// What could be the `lang` or the viewport.
pub(super) fn parts(rule: &Rule, page: &Page, _: &Site) -> Vec<Part> {
    let facts = &page.record.facts;
    if rule.id == "mobile.viewport_missing" {
        let standard = Choice::new("width=device-width, initial-scale=1", 0.95, Source::Standard);
        return vec![Part::of(Field::Viewport, facts.viewport.as_deref(), vec![standard])];
    }
    let own = facts.hreflang.iter().find(|it| it.url.as_deref() == Some(&page.record.url) && it.lang != "x-default");
    let mut choices: Vec<Choice> = own.map(|it| Choice::new(it.lang.clone(), 0.95, Source::Page)).into_iter().collect();
    let text = [
        facts.titles.first().map(String::as_str),
        facts.descriptions.first().map(String::as_str),
        Some(&facts.excerpt),
    ];
    let text = text.into_iter().flatten().collect::<Vec<_>>().join(". ");
    choices.extend(
        kit::language::detect(&text).map(|it| Choice::new(it.language, it.confidence.clamp(0.0, 0.9), Source::Page)),
    );
    vec![Part::of(Field::Lang, None, choices)]
}
