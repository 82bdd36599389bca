//! On-page: everything about one page or one text.

mod alt_text;
mod content;
mod date;
mod description;
mod eeat;
mod entity;
mod grams;
mod heading;
mod image;
mod keyword;
mod language;
mod link;
mod live;
mod markup;
mod page;
mod readability;
mod render_risk;
mod serp;
mod siblings;
mod similarity;
mod snippet;
mod social;
mod source;
mod suggest;
mod target;
mod term;
mod term_gap;
mod title;

sdk::module! {
    operations: [
        page::score,
        page::beside::compare as page::compare,
        snippet::preview,
        title::suggest,
        description::suggest,
        heading::outline,
        content::extract,
        readability::score,
        language::detect,
        keyword::usage,
        term::extract,
        term_gap::analyze,
        entity::extract,
        image::check,
        alt_text::suggest,
        social::preview,
        link::check,
        similarity::compare,
        markup::validate,
        render_risk::check,
        eeat::check,
        date::extract,
    ],
    steps: [term_gap::work as compare],
    collections: [term_gap::Analysis],
    untrusted: [web, provider],
}

#[cfg(test)]
mod tests;
