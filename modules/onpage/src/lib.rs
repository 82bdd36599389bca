//! On-page: everything about one page or one text.

mod content;
mod date;
mod eeat;
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
mod similarity;
mod site;
mod snippet;
mod social;
mod source;
mod term;

sdk::module! {
    operations: [
        page::score,
        page::beside::compare as page::compare,
        snippet::preview,
        heading::outline,
        content::extract,
        readability::score,
        language::detect,
        keyword::usage,
        term::extract,
        image::check,
        social::preview,
        link::check,
        similarity::compare,
        markup::validate,
        render_risk::check,
        eeat::check,
        date::extract,
    ],
    collections: [],
}

#[cfg(test)]
mod tests;
