//! Checks of the words: where the query stands, how often, and how much text there is.

use super::{AUDIT, DESCRIPTIONS, Group, IMAGES, OUTLINE, Rule, TITLES, all, part, phrase, times};

pub(super) const RULES: &[Rule] = &[
    Rule(
        "title_has_keyword",
        Group::Placement,
        10,
        |g, p| (phrase(p, g.at.title, g.share(g.page.title())), times(g.at.title)),
        "Put the query into the title.",
        TITLES,
    ),
    Rule(
        "title_leads_with_keyword",
        Group::Placement,
        4,
        |g, p| {
            let stems = g.words.phrase(g.page.title());
            let at = kit::terms::occurrences(&stems, &g.phrase).next();
            (
                all(p, at.is_some_and(|at| at <= 3)),
                at.map_or("not in the title".to_owned(), |at| format!("after {at} words")),
            )
        },
        "Begin the title with the query.",
        TITLES,
    ),
    Rule(
        "h1_has_keyword",
        Group::Placement,
        8,
        |g, p| (phrase(p, g.at.h1, g.share(g.page.h1())), times(g.at.h1)),
        "Put the query into the main heading.",
        OUTLINE,
    ),
    Rule(
        "url_has_keyword",
        Group::Placement,
        3,
        |g, p| {
            (phrase(p, g.at.url, g.share(&g.page.facts.final_url.replace(['/', '-', '_', '.'], " "))), times(g.at.url))
        },
        "Choose an address with the query's words for the next page; moving this one costs more than it wins.",
        AUDIT,
    ),
    Rule(
        "opening_has_keyword",
        Group::Placement,
        6,
        |g, p| (all(p, g.at.first_100_words > 0), times(g.at.first_100_words)),
        "Use the query in the first hundred words.",
        OUTLINE,
    ),
    Rule(
        "headings_have_keyword",
        Group::Placement,
        4,
        |g, p| (all(p, g.at.headings > 0), times(g.at.headings)),
        "Use the query in one of the subheadings.",
        OUTLINE,
    ),
    Rule(
        "description_has_keyword",
        Group::Placement,
        3,
        |g, p| (phrase(p, g.at.description, g.share(g.page.description())), times(g.at.description)),
        "Use the query in the description.",
        DESCRIPTIONS,
    ),
    Rule(
        "alt_has_keyword",
        Group::Placement,
        2,
        |g, p| (all(p, g.at.alt > 0 || g.page.facts.image_count == 0), times(g.at.alt)),
        "Say in the alt text of a fitting picture what it shows, with the query where it is true.",
        IMAGES,
    ),
    Rule(
        "text_has_keyword",
        Group::Coverage,
        6,
        |g, p| (part(p, f64::from(g.at.body) / 3.0), times(g.at.body)),
        "Use the query in the text, at least three times where it reads naturally.",
        "onpage.content.extract",
    ),
    Rule(
        "no_overuse",
        Group::Coverage,
        4,
        |g, p| {
            let (rate, most) = (g.words.rate(g.at.body), g.words.overuse(&g.phrase));
            (all(p, g.at.body < 5 || rate <= most), format!("{rate:.1} in 1,000 words, {most:.1} are usual at most"))
        },
        "Replace some of its occurrences with other words.",
        "onpage.content.extract",
    ),
    Rule(
        "sections_cover_keyword",
        Group::Coverage,
        4,
        |g, p| {
            let with = g.sections.iter().filter(|it| g.share(&it.text) >= 0.99).count();
            (all(p, with >= 2 || g.sections.len() < 2), format!("{with} of {} sections", g.sections.len()))
        },
        "Come back to the query in a second section.",
        OUTLINE,
    ),
    Rule(
        "words",
        Group::Length,
        6,
        |g, p| (part(p, f64::from(g.words.count()) / 300.0), format!("{} words", g.words.count())),
        "Write at least 300 words of main text, where the query asks for text.",
        "onpage.content.extract",
    ),
    Rule(
        "sections_not_long",
        Group::Length,
        2,
        |g, p| {
            let long = g.sections.iter().filter(|it| kit::text::word_count(&it.text) > 400).count();
            (all(p, long == 0), format!("{long} sections of over 400 words"))
        },
        "Divide long sections with subheadings.",
        OUTLINE,
    ),
];
