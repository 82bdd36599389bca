//! Values taken out of pages by named rules: a CSS selector, a regular expression of RE2's kind, a path into
//! JSON-LD.

mod path;

use regex::Regex;
use schemars::JsonSchema;
use scraper::{ElementRef, Html, Selector};
use serde::{Deserialize, Serialize};

pub use path::Path;

/// Matches of one rule on one page that are kept.
pub const MOST_MATCHES: usize = 20;
/// Characters of one match.
pub const LONGEST: usize = 500;
/// Pages with more bytes are not parsed for selectors.
pub const MOST_BYTES: usize = 2 << 20;

/// How a rule is written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A CSS selector; the value is the element's text, or one of its attributes.
    #[default]
    Css,
    /// A regular expression over the HTML; the value is its first group, or the whole match.
    Regex,
    /// A path into the page's JSON-LD, such as `Product.offers.price` or `$..sku`.
    Jsonld,
}

/// A rule.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Rule {
    /// What its values are called.
    pub name: String,
    /// How it is written.
    pub kind: Kind,
    /// The selector, expression or path.
    pub expr: String,
    /// The attribute whose value is taken; without it the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attr: Option<String>,
    /// Whether all matches are taken, not only the first.
    #[serde(default)]
    pub multiple: bool,
}

/// One value and where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Match {
    /// The value, at most 500 characters.
    pub value: String,
    /// Where: for a selector the path of the element from the root, such as `html > body:nth-child(2) > p`; for an
    /// expression line and column, such as `12:5`; for JSON-LD the block, from 1, and the JSON pointer, such as `1/offers/price`.
    pub position: String,
}

/// A rule that can be asked.
pub struct Ready {
    multiple: bool,
    attr: Option<String>,
    test: Test,
}

enum Test {
    Css(Box<Selector>),
    Regex(Regex),
    Path(Path),
}

impl Rule {
    /// Prepares the rule.
    ///
    /// # Errors
    /// What is wrong with its expression, in one sentence.
    pub fn ready(&self) -> Result<Ready, String> {
        let test = match self.kind {
            Kind::Css => Test::Css(Box::new(
                Selector::parse(&self.expr).map_err(|error| format!("not a CSS selector: {error}"))?,
            )),
            Kind::Regex => {
                let built = regex::RegexBuilder::new(&self.expr).size_limit(1 << 20).multi_line(true).build();
                Test::Regex(built.map_err(|_| "not a regular expression of RE2's kind, or too large a one".to_owned())?)
            }
            Kind::Jsonld => Test::Path(Path::parse(&self.expr)?),
        };
        if self.attr.is_some() && self.kind != Kind::Css {
            return Err("only a selector takes an attribute".to_owned());
        }
        Ok(Ready { multiple: self.multiple, attr: self.attr.clone(), test })
    }
}

/// The matches of each rule, in the order of rules. The HTML is parsed once, and only when a selector or a path needs it.
#[must_use]
pub fn apply(html: &str, rules: &[Ready]) -> Vec<Vec<Match>> {
    let needs_tree = rules.iter().any(|rule| !matches!(rule.test, Test::Regex(_))) && html.len() <= MOST_BYTES;
    let tree = needs_tree.then(|| Html::parse_document(html));
    let blocks = match &tree {
        Some(tree) if rules.iter().any(|rule| matches!(rule.test, Test::Path(_))) => json_ld(tree),
        _ => Vec::new(),
    };
    rules.iter().map(|rule| rule.matches(html, tree.as_ref(), &blocks)).collect()
}

impl Ready {
    fn matches(&self, html: &str, tree: Option<&Html>, blocks: &[serde_json::Value]) -> Vec<Match> {
        let most = if self.multiple { MOST_MATCHES } else { 1 };
        match &self.test {
            Test::Css(selector) => {
                let found = tree.into_iter().flat_map(|tree| tree.select(selector));
                found.filter_map(|element| self.of_element(element)).take(most).collect()
            }
            Test::Regex(pattern) => {
                pattern.captures_iter(html).filter_map(|it| of_capture(html, &it)).take(most).collect()
            }
            Test::Path(path) => {
                let mut found = Vec::new();
                for (at, block) in blocks.iter().enumerate() {
                    path.walk(block, &mut |value, pointer| {
                        if found.len() < most {
                            found.push(Match { value: shown(value), position: format!("{}{pointer}", at + 1) });
                        }
                    });
                }
                found
            }
        }
    }

    fn of_element(&self, element: ElementRef<'_>) -> Option<Match> {
        let value = match &self.attr {
            Some(name) => crate::text::collapse_to(element.value().attr(name)?, LONGEST),
            None => crate::text::collapse_to(&element.text().collect::<String>(), LONGEST),
        };
        (!value.is_empty()).then(|| Match { value, position: position(element) })
    }
}

fn of_capture(html: &str, captures: &regex::Captures<'_>) -> Option<Match> {
    let found = captures.get(1).or_else(|| captures.get(0))?;
    let before = &html[..found.start()];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    let value = crate::text::collapse_to(found.as_str(), LONGEST);
    (!value.is_empty()).then(|| Match { value, position: format!("{line}:{column}") })
}

/// The path of an element from the root.
fn position(element: ElementRef<'_>) -> String {
    let mut parts = Vec::new();
    let mut at = Some(element);
    while let Some(element) = at {
        let before = element.prev_siblings().filter(|node| node.value().is_element()).count();
        let name = element.value().name();
        parts.push(if before == 0 { name.to_owned() } else { format!("{name}:nth-child({})", before + 1) });
        at = element.parent().and_then(ElementRef::wrap);
    }
    parts.reverse();
    parts.join(" > ")
}

/// Every JSON-LD block that can be read.
fn json_ld(tree: &Html) -> Vec<serde_json::Value> {
    let Ok(scripts) = Selector::parse("script[type^='application/ld+json' i]") else { return Vec::new() };
    let text = |script: ElementRef<'_>| script.text().collect::<String>();
    tree.select(&scripts).take(50).filter_map(|script| crate::jsonld::parse(&text(script))).collect()
}

fn shown(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::String(text) => crate::text::collapse_to(text, LONGEST),
        other => crate::text::clip(&other.to_string(), LONGEST).to_owned(),
    }
}

#[cfg(test)]
mod tests;
