//! What every suggested text is judged by: it says what the page says, fits its room, and is nobody else's.

use std::collections::BTreeSet;

use kit::terms::{Analyzer, occurrences};
use sdk::prelude::*;

use crate::content;
use crate::live::Live;

/// Where suggestions come from.
#[value]
pub(crate) enum Origin {
    /// Put together from what stands on the page.
    Page,
    /// Written by the language model, each checked against the page.
    Llm,
}

/// What a page offers, and what the text should be found for.
pub(crate) struct Ground<'a> {
    pub(crate) page: &'a Live,
    pub(crate) language: String,
    pub(crate) analyzer: Analyzer,
    /// The query as it leads a text: with a capital letter.
    pub(crate) lead: Option<String>,
    /// The stems of the query, without stop words.
    pub(crate) query: Vec<String>,
    /// The name of the website, as the page says it.
    pub(crate) brand: Option<String>,
    /// Everything that the page says, in lower case.
    words: BTreeSet<String>,
}

impl<'a> Ground<'a> {
    pub(crate) fn new(page: &'a Live, keyword: Option<&str>) -> Self {
        let language = page.language(None);
        let analyzer = Analyzer::new(&language);
        let keyword = keyword.map(kit::text::collapse).filter(|it| kit::text::word_count(it) > 0);
        let query = keyword.as_deref().map(|it| analyzer.query(it)).unwrap_or_default();
        let said =
            [page.dom.text(0).as_str(), page.title(), page.description(), keyword.as_deref().unwrap_or_default()]
                .join(" ")
                .to_lowercase();
        let words = said.split_whitespace().flat_map(kit::text::words).map(str::to_owned).collect();
        let lead = keyword.as_deref().map(|it| capital(&as_written(page, it)));
        Self { page, language, analyzer, lead, query, brand: brand(page), words }
    }

    /// The share of the query's words that a text holds, from 0 to 1; 1 without a query.
    pub(crate) fn coverage(&self, text: &str) -> f64 {
        if self.query.is_empty() {
            return 1.0;
        }
        let stems = self.analyzer.query(text);
        let held = self.query.iter().filter(|it| stems.contains(it)).count();
        #[expect(clippy::cast_precision_loss, reason = "a query has a handful of words")]
        let share = held as f64 / self.query.len() as f64;
        share
    }

    /// How many words stand before the query in a text; none when it does not stand there.
    pub(crate) fn place(&self, text: &str) -> Option<usize> {
        occurrences(&self.analyzer.query(text), &self.query).next().filter(|_| !self.query.is_empty())
    }

    /// A text of a machine as one line, or why it cannot be used. A page's text may try to speak through the machine:
    /// addresses, markup, and numbers that the page does not say are refused.
    pub(crate) fn checked(&self, text: &str) -> Result<String, &'static str> {
        let line = self.line(text)?;
        kit::written::numbers(&line, |word| self.words.contains(word))?;
        Ok(line)
    }

    /// As [`Ground::checked`], without a look at numbers: what a picture shows may hold others than the page.
    pub(crate) fn line(&self, text: &str) -> Result<String, &'static str> {
        kit::written::line(text, |word| self.words.contains(word))
    }

    /// What a language model is told of the page.
    pub(crate) fn material(&self) -> sdk::serde_json::Value {
        let page = self.page;
        let headings: Vec<&str> = page.facts.headings.iter().map(|it| it.text.as_str()).take(20).collect();
        sdk::json!({
            "target_query": self.lead,
            "language": self.language,
            "present_title": page.title(),
            "present_description": page.description(),
            "site_name": self.brand,
            "headings": headings,
            "text": kit::text::clip(&page.text(), 4_000),
        })
    }
}

/// The query in the page's own writing, when its title or main heading has it.
fn as_written(page: &Live, keyword: &str) -> String {
    let wanted = keyword.to_lowercase();
    let find = |text: &str| {
        let at = text.to_lowercase().find(&wanted)?;
        text.get(at..at + wanted.len()).map(str::to_owned)
    };
    find(page.title()).or_else(|| find(page.h1())).unwrap_or_else(|| keyword.to_owned())
}

/// With a capital letter at the beginning.
pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The website's name: as Open Graph says it, else what the title ends with.
fn brand(page: &Live) -> Option<String> {
    let said = page.facts.open_graph.iter().find(|(name, _)| name == "og:site_name").map(|it| it.1.as_str());
    let title = page.title();
    let after = title.strip_prefix(content::without_brand(title)).filter(|it| !it.is_empty());
    let after = after.map(|it| it.trim_start_matches(|c: char| !c.is_alphanumeric()));
    said.or(after).map(kit::text::collapse).filter(|it| !it.is_empty() && it.chars().count() <= 40)
}
