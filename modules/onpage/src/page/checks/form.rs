//! Checks of the form: structure, links, pictures, reading, the snippet and access.

use kit::glyphs;

use super::{AUDIT, DESCRIPTIONS, Group, IMAGES, LINKS, OUTLINE, Rule, TITLES, all, part};
use crate::snippet::{DESCRIPTION, TITLE};

pub(super) const RULES: &[Rule] = &[
    Rule(
        "one_h1",
        Group::Structure,
        3,
        |g, p| (all(p, g.page.facts.h1_count == 1), format!("{} headings of level 1", g.page.facts.h1_count)),
        "Give the page exactly one main heading.",
        OUTLINE,
    ),
    Rule(
        "subheadings",
        Group::Structure,
        3,
        |g, p| {
            let count = g.page.facts.headings.iter().filter(|it| it.level == 2).count();
            (all(p, count >= 2 || g.words.count() < 200), format!("{count} headings of level 2"))
        },
        "Divide the text with headings of level 2.",
        OUTLINE,
    ),
    Rule(
        "heading_levels",
        Group::Structure,
        2,
        |g, p| {
            let skipped = g.page.facts.headings.windows(2).filter(|it| it[1].level > it[0].level + 1).count();
            (all(p, skipped == 0), format!("{skipped} levels skipped"))
        },
        "Do not skip heading levels.",
        OUTLINE,
    ),
    Rule(
        "structured_data",
        Group::Structure,
        3,
        |g, p| {
            let data = &g.page.facts.structured;
            let count = data.json_ld.len() + data.microdata.len() + data.rdfa.len();
            (all(p, count > 0 && data.errors.is_empty()), format!("{count} types, {} errors", data.errors.len()))
        },
        "Describe the page with structured data.",
        "schema.type.suggest",
    ),
    Rule(
        "internal_links",
        Group::Links,
        4,
        |g, p| {
            let count = g
                .page
                .facts
                .links
                .iter()
                .filter(|it| it.internal && it.placement == kit::page::Placement::Main)
                .count();
            (all(p, count >= 2), format!("{count} in the main text"))
        },
        "Link to at least two related pages from the text.",
        LINKS,
    ),
    Rule(
        "external_links",
        Group::Links,
        2,
        |g, p| {
            (
                all(p, g.page.facts.link_counts.external > 0),
                format!("{} external links", g.page.facts.link_counts.external),
            )
        },
        "Link to a source that the text stands on.",
        LINKS,
    ),
    Rule(
        "anchors",
        Group::Links,
        2,
        |g, p| {
            (
                all(p, g.page.facts.link_counts.empty_anchor == 0),
                format!("{} without text", g.page.facts.link_counts.empty_anchor),
            )
        },
        "Give every link a text.",
        LINKS,
    ),
    Rule(
        "crawlable_links",
        Group::Links,
        2,
        |g, p| {
            (
                all(p, g.page.facts.link_counts.uncrawlable == 0),
                format!("{} without an address", g.page.facts.link_counts.uncrawlable),
            )
        },
        "Give every link an address.",
        LINKS,
    ),
    Rule(
        "pictures",
        Group::Media,
        2,
        |g, p| (all(p, g.page.facts.image_count > 0), format!("{} pictures", g.page.facts.image_count)),
        "Show what the text speaks of.",
        IMAGES,
    ),
    Rule(
        "alt_texts",
        Group::Media,
        3,
        |g, p| {
            let facts = &g.page.facts;
            (
                part(p, 1.0 - f64::from(facts.images_without_alt) / f64::from(facts.image_count.max(1))),
                format!("{} of {} without alt", facts.images_without_alt, facts.image_count),
            )
        },
        "Give every picture an alt text.",
        "onpage.alt_text.suggest",
    ),
    Rule(
        "picture_sizes",
        Group::Media,
        1,
        |g, p| {
            (
                all(p, g.page.facts.images_without_size == 0),
                format!("{} without width and height", g.page.facts.images_without_size),
            )
        },
        "Give every picture width and height.",
        IMAGES,
    ),
    Rule(
        "readable",
        Group::Readability,
        4,
        |g, p| (part(p, (g.flesch - 10.0) / 40.0), format!("Flesch {:.0}", g.flesch)),
        "Write shorter sentences and plainer words.",
        "onpage.readability.score",
    ),
    Rule(
        "title_fits",
        Group::Snippet,
        3,
        |g, p| {
            let pixels = glyphs::width(g.page.title(), TITLE.desktop.0);
            (all(p, pixels > 0.0 && pixels <= TITLE.desktop.1), format!("{pixels:.0} px of {:.0}", TITLE.desktop.1))
        },
        "Shorten the title until it fits a result.",
        TITLES,
    ),
    Rule(
        "description_fits",
        Group::Snippet,
        3,
        |g, p| {
            let pixels = glyphs::width(g.page.description(), DESCRIPTION.desktop.0);
            (
                all(p, (400.0..=DESCRIPTION.desktop.1).contains(&pixels)),
                format!("{pixels:.0} px of {:.0}", DESCRIPTION.desktop.1),
            )
        },
        "Write a description that fills a result and fits it.",
        DESCRIPTIONS,
    ),
    Rule(
        "title_unique",
        Group::Snippet,
        3,
        |g, p| {
            let Some(rows) = g.siblings else { return (p, "not compared".to_owned()) };
            let same = rows
                .iter()
                .filter(|it| it.url != g.page.facts.final_url && !it.title.is_empty() && it.title == g.page.title())
                .count();
            (all(p, same == 0), format!("{same} other pages have it"))
        },
        "Give the page a title of its own.",
        TITLES,
    ),
    Rule(
        "indexable",
        Group::Access,
        8,
        |g, p| (all(p, g.page.facts.indexability.is_indexable()), g.page.facts.indexability.reason.word().to_owned()),
        "Let search engines index the page.",
        AUDIT,
    ),
    Rule(
        "secure",
        Group::Access,
        2,
        |g, p| {
            (
                all(p, g.page.facts.final_url.starts_with("https:") && g.page.facts.mixed_content.is_empty()),
                format!("{} insecure parts", g.page.facts.mixed_content.len()),
            )
        },
        "Serve the page and all its parts over https.",
        AUDIT,
    ),
    Rule(
        "mobile",
        Group::Access,
        2,
        |g, p| {
            (
                all(p, g.page.facts.viewport.is_some()),
                g.page.facts.viewport.clone().unwrap_or_else(|| "no viewport".to_owned()),
            )
        },
        "Name a viewport for small screens.",
        AUDIT,
    ),
];
