//! Kept here: pure algorithms that the modules share. No IO, no clock, no chance; the same on every machine.

pub mod bm25;
pub mod challenge;
pub mod charset;
pub mod crawled;
pub mod dates;
pub mod dom;
pub mod extract;
pub mod glyphs;
pub mod graph;
pub mod inverted;
pub mod jsonld;
pub mod keyphrase;
pub mod language;
pub mod markdown;
pub mod names;
pub mod pace;
pub mod page;
pub mod readability;
pub mod rules;
pub mod scope;
pub mod segments;
pub mod sentence;
pub mod simhash;
pub mod similarity;
pub mod sitemap;
pub mod sketch;
pub mod statistics;
pub mod terms;
pub mod text;
pub mod textrank;
pub mod tfidf;
pub mod traps;
pub mod url;
pub mod written;

pub use robots;
