//! Titles, descriptions and main headings out of what a page and its address say.

use kit::page::PageFacts;

use super::draft::{Choice, Field, Page, Part, Source};
use super::site::{Site, split};
use crate::pixels::{DESCRIPTION, TITLE, width};
use crate::rule::Rule;

/// What a page says of itself.
struct Words {
    title: String,
    heading: Option<String>,
    /// `og:title`.
    card: Option<String>,
    section: Option<String>,
    /// The end of its address, in words.
    address: Option<String>,
}

impl Words {
    fn of(page: &Page) -> Self {
        let facts = &page.record.facts;
        let heading = |level| facts.headings.iter().find(|it| it.level == level && !it.text.is_empty());
        Self {
            title: first(&facts.titles),
            heading: heading(1).map(|it| it.text.clone()),
            card: property(facts, "og:title"),
            section: heading(2).map(|it| it.text.clone()),
            address: slug(&page.record.url),
        }
    }
}

/// What could be the title.
pub(super) fn titles(rule: &Rule, page: &Page, site: &Site) -> Vec<Part> {
    let facts = &page.record.facts;
    let words = Words::of(page);
    let site_name = property(facts, "og:site_name").filter(|it| it.chars().count() <= 40);
    let brand = site.brand().map(str::to_owned).or(site_name);
    let branded =
        |text: &str| brand.as_ref().filter(|it| !text.contains(it.as_str())).map(|it| format!("{text} | {it}"));
    let mut choices = Vec::new();
    let mut add = |text: Option<String>, confidence, source| {
        choices.extend(
            text.filter(|it| !it.trim().is_empty())
                .map(|text| Choice::new(kit::text::collapse(&text), confidence, source)),
        );
    };
    let (old, limit) = (words.title.as_str(), site.context.limits.title_pixels);
    if rule.id == "title.multiple" {
        add(Some(old.to_owned()), 0.8, Source::Page);
    }
    if rule.id == "title.too_long" {
        // The name of the website is the first thing that a long title can do without.
        let mut rest = old;
        while let Some((front, _)) = split(rest) {
            add(Some(front.to_owned()), 0.8, Source::Page);
            rest = front;
        }
    }
    if rule.id == "title.duplicate" {
        let lead = split(old).map_or(old, |it| it.0);
        for more in
            [&words.heading, &words.card, &words.section].into_iter().flatten().filter(|it| !old.contains(it.as_str()))
        {
            add(Some(format!("{lead} – {more}")), 0.7, Source::Page);
        }
    }
    for text in [&words.heading, &words.card].into_iter().flatten() {
        add(branded(text), 0.8, Source::Page);
        add(Some(text.clone()), 0.75, Source::Page);
    }
    if rule.id == "title.too_long" {
        add(shortened(old, |it| width(it, TITLE) <= limit), 0.6, Source::Page);
    }
    let lead = words.heading.clone().or_else(|| words.address.clone()).unwrap_or_else(|| old.to_owned());
    add(words.section.as_ref().map(|it| format!("{lead} – {it}")), 0.5, Source::Page);
    if let Some(address) = &words.address {
        add(branded(address), 0.55, Source::Address);
        add(Some(address.clone()), 0.5, Source::Address);
        if !old.is_empty() && !old.to_lowercase().contains(&address.to_lowercase()) {
            add(Some(format!("{} – {address}", split(old).map_or(old, |it| it.0))), 0.5, Source::Address);
        }
    }
    add(branded(old), 0.4, Source::Page);
    let told = first(&facts.descriptions);
    let told = if told.is_empty() { facts.excerpt.clone() } else { told };
    add(shortened(&format!("{lead}: {told}"), |it| width(it, TITLE) <= limit), 0.35, Source::Page);
    add(shortened(&told, |it| width(it, TITLE) <= limit), 0.3, Source::Page);
    vec![Part::of(Field::Title, Some(old), choices)]
}

/// What could be the description.
pub(super) fn descriptions(rule: &Rule, page: &Page, site: &Site) -> Vec<Part> {
    let facts = &page.record.facts;
    let old = first(&facts.descriptions);
    let limit = site.context.limits.description_pixels;
    let fits = |it: &str| width(it, DESCRIPTION) <= limit;
    let mut choices = Vec::new();
    if rule.id == "description.multiple" {
        choices.push(Choice::new(old.clone(), 0.8, Source::Page));
    }
    if rule.id == "description.too_long" {
        choices.extend(leading(&old, fits).map(|text| Choice::new(text, 0.8, Source::Page)));
        choices.extend(shortened(&old, fits).map(|text| Choice::new(text, 0.6, Source::Page)));
    }
    choices.extend(property(facts, "og:description").map(|text| Choice::new(text, 0.75, Source::Page)));
    // The excerpt is cut somewhere, so its last sentence counts only when it has an end.
    choices.extend(leading(&facts.excerpt, fits).map(|text| Choice::new(text, 0.6, Source::Page)));
    let words = Words::of(page);
    let lead = words.heading.or(Some(words.title).filter(|it| !it.is_empty())).or(words.address);
    let begun = if old.is_empty() || rule.id == "description.duplicate" {
        facts.excerpt.clone()
    } else {
        format!("{old} {}", facts.excerpt)
    };
    for text in [lead.map(|it| format!("{it}: {begun}")), Some(begun)].into_iter().flatten() {
        choices.extend(shortened(&text, fits).map(|text| Choice::new(text, 0.45, Source::Page)));
    }
    vec![Part::of(Field::Description, Some(&old), choices)]
}

/// What could be the main heading.
pub(super) fn headings(_: &Rule, page: &Page, site: &Site) -> Vec<Part> {
    let words = Words::of(page);
    let bare = match (split(&words.title), site.brand()) {
        (Some((front, end)), Some(brand)) if end == brand => front.to_owned(),
        _ => words.title.clone(),
    };
    let choices = [
        (Some(bare).filter(|it| !it.is_empty()), 0.75, Source::Page),
        (words.card, 0.7, Source::Page),
        (words.address, 0.5, Source::Address),
        (words.section, 0.3, Source::Page),
    ];
    let choices = choices.into_iter().filter_map(|(text, sure, source)| Some(Choice::new(text?, sure, source)));
    vec![Part::of(Field::H1, None, choices.collect())]
}

fn first(texts: &[String]) -> String {
    texts.iter().find(|text| !text.trim().is_empty()).cloned().unwrap_or_default()
}

fn property(facts: &PageFacts, name: &str) -> Option<String> {
    let found = facts.open_graph.iter().find(|it| it.0 == name).map(|it| kit::text::collapse(&it.1));
    found.filter(|it| !it.is_empty())
}

/// The longest beginning that fits and ends with a word; what was left out is not hinted at. None without any word.
fn shortened(text: &str, fits: impl Fn(&str) -> bool) -> Option<String> {
    let mut kept = String::new();
    for word in text.split_whitespace() {
        let longer = if kept.is_empty() { word.to_owned() } else { format!("{kept} {word}") };
        if !fits(&longer) {
            break;
        }
        kept = longer;
    }
    let kept =
        kept.trim_end_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '.' | '!' | '?' | ')' | '%')).to_owned();
    (!kept.is_empty()).then_some(kept)
}

/// As many whole sentences from the beginning as fit.
fn leading(text: &str, fits: impl Fn(&str) -> bool) -> Option<String> {
    let mut kept = String::new();
    for sentence in kit::sentence::sentences(text) {
        let sentence = kit::text::collapse(sentence);
        let longer = if kept.is_empty() { sentence.clone() } else { format!("{kept} {sentence}") };
        if !sentence.ends_with(['.', '!', '?', '。']) || !fits(&longer) {
            break;
        }
        kept = longer;
    }
    (!kept.is_empty()).then_some(kept)
}

/// The end of an address, or the name of a file, in words; none when it has hardly a letter.
pub(super) fn slug(url: &str) -> Option<String> {
    let path = kit::url::path_and_query(url).split(['?', '#']).next().unwrap_or_default().to_owned();
    let last = path.split('/').rfind(|part| !part.is_empty())?;
    let name = last.rsplit_once('.').map_or(last, |it| it.0);
    let words: Vec<&str> = name.split(['-', '_', '+', '.']).filter(|it| !it.is_empty()).collect();
    let text = words.join(" ");
    let letters = text.chars().filter(|it| it.is_alphabetic()).count();
    let mut rest = text.chars();
    let begin = rest.next().filter(|_| letters >= 3 && !text.contains('%'))?;
    Some(begin.to_uppercase().chain(rest).collect())
}
