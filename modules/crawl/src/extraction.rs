//! Rules that take values out of pages: saving them, trying them on a page.

pub(crate) mod result;

use std::collections::BTreeSet;

use kit::rules::{self, Kind, Match};
use sdk::Degraded;
use sdk::Whole;
use sdk::prelude::*;

use crate::stored::{Extraction, Site};

/// Bytes of a page that rules are tried on: more than 99 of 100 pages have at most.
const MOST_BYTES: u32 = 2 << 20;

/// A rule.
#[args]
pub(crate) struct Rule {
    /// What its values are called.
    name: Text<1, 40>,
    /// How it is written.
    kind: Kind,
    /// A CSS selector; a regular expression of RE2's kind, of which the first group counts; or a path into JSON-LD such as
    /// `Product.offers.price` or `$..sku`.
    expr: Text<1, 300>,
    /// The attribute whose value is taken, with a selector; without it the text.
    attr: Option<Text<1, 80>>,
    /// Whether all matches are taken (at most 20), not only the first.
    #[default(false)]
    multiple: bool,
}

impl Rule {
    fn stored(&self) -> rules::Rule {
        rules::Rule {
            name: self.name.as_str().to_owned(),
            kind: self.kind,
            expr: self.expr.as_str().to_owned(),
            attr: self.attr.as_ref().map(|attr| attr.as_str().to_ascii_lowercase()),
            multiple: self.multiple,
        }
    }
}

/// A rule that cannot be asked.
#[value]
pub(crate) struct Wrong {
    /// Its place in the list, from 0.
    index: u32,
    /// Its name.
    name: String,
    /// What is wrong with it.
    reason: String,
}

#[args]
pub(crate) struct Set {
    /// The website, as listed.
    site_id: Id<Site>,
    /// The rules; they replace those that were saved before.
    rules: List<Rule, 1, 20>,
}

/// Rules of a website.
#[value]
pub(crate) struct Saved {
    /// What every later crawl takes out of pages.
    rules: Vec<Whole<rules::Rule>>,
    /// Rules that cannot be asked; while there are any, nothing is saved.
    invalid: Vec<Wrong>,
    /// Whether they are saved.
    saved: bool,
}

/// Saves named extraction rules that every later crawl of the website runs on each page.
///
/// The rules replace all that were saved before. When one of them cannot be asked, none is saved and `invalid` says what
/// is wrong. Crawls that are running keep the rules they began with.
#[operation(
    write,
    scope = "assets:write",
    cost = write,
    side_effects = ["replaces the website's extraction rules"],
    phrasings = ["extract prices from every page", "set up custom extraction", "scrape a value with a css selector while crawling", "collect sku from structured data"],
    examples = [{ "site_id": "8123456789012345", "rules": [
        { "name": "price", "kind": "css", "expr": ".price" },
        { "name": "sku", "kind": "jsonld", "expr": "Product.sku" }
    ] }]
)]
pub(crate) fn set(cx: &Cx, args: Set) -> Result<Saved> {
    cx.records::<Site>().get(&args.site_id)?;
    let rules: Vec<rules::Rule> = args.rules.iter().map(Rule::stored).collect();
    let invalid = wrong(&rules);
    if !invalid.is_empty() {
        return Ok(Saved { rules: whole(rules), invalid, saved: false });
    }
    let id: Id<Extraction> = args.site_id.cast();
    let it = Extraction { rules: rules.clone(), changed_ms: cx.now().millis() };
    match cx.records::<Extraction>().find(&id) {
        Some(known) => drop(cx.records::<Extraction>().save(Stored { it, ..known })?),
        None => drop(cx.records::<Extraction>().insert_as(id, it)?),
    }
    Ok(Saved { rules: whole(rules), invalid, saved: true })
}

fn whole(rules: Vec<rules::Rule>) -> Vec<Whole<rules::Rule>> {
    rules.into_iter().map(Whole).collect()
}

#[args]
pub(crate) struct Test {
    /// The page.
    url: Url,
    /// The rules.
    rules: List<Rule, 1, 20>,
}

/// What a rule found.
#[value]
pub(crate) struct Values {
    /// The rule.
    name: String,
    /// What it found, with where it stands; empty when nothing.
    matches: Vec<Match>,
}

/// What rules find on a page.
#[value]
pub(crate) struct Tested {
    /// The address that answered.
    url: String,
    /// Its status.
    status: u16,
    /// For every rule that can be asked.
    values: Vec<Values>,
    /// Rules that cannot.
    errors: Vec<Wrong>,
    /// When the page was fetched.
    fetched_at: Moment,
    /// What could not be considered.
    degraded: Vec<Degraded>,
}

/// Runs extraction rules against one live page and shows what they find and where it stands.
///
/// Up to 20 matches of a rule are shown, whether or not it is `multiple`. robots.txt is obeyed. Only the page as the server
/// sends it is read; what scripts add later is not there.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 2),
    needs = ["web"],
    phrasings = ["try an extraction rule on a page", "does my css selector match", "test a regex against a live url", "check what custom extraction would find"],
    examples = [{ "url": "https://shop.example/", "rules": [{ "name": "heading", "kind": "css", "expr": "h1" }] }]
)]
pub(crate) fn test(cx: &Cx, args: Test) -> Result<Tested> {
    let rules: Vec<rules::Rule> =
        args.rules.iter().map(|rule| rules::Rule { multiple: true, ..rule.stored() }).collect();
    let errors = wrong(&rules);
    let answer = crate::url::page(cx, &args.url, MOST_BYTES)?;
    let mut degraded = Vec::new();
    if answer.truncated {
        degraded.push(Degraded::new("page", format!("only the first {} KB of the page were read", MOST_BYTES / 1_000)));
    }
    let (html, _) = kit::charset::decode(&answer.body, answer.header("content-type"));
    let ready: Vec<(String, rules::Ready)> =
        rules.iter().filter_map(|rule| Some((rule.name.clone(), rule.ready().ok()?))).collect();
    let (names, ready): (Vec<String>, Vec<rules::Ready>) = ready.into_iter().unzip();
    let found = rules::apply(&html, &ready);
    let values = names.into_iter().zip(found).map(|(name, matches)| Values { name, matches }).collect();
    Ok(Tested { url: answer.url, status: answer.status, values, errors, fetched_at: cx.now(), degraded })
}

/// Rules that cannot be asked, and names that stand twice.
fn wrong(rules: &[rules::Rule]) -> Vec<Wrong> {
    let mut names = BTreeSet::new();
    let mut wrong = Vec::new();
    for (index, rule) in (0..).zip(rules) {
        let twice = !names.insert(rule.name.to_lowercase());
        let reason = rule.ready().err().or_else(|| twice.then(|| "another rule has this name".to_owned()));
        if let Some(reason) = reason {
            wrong.push(Wrong { index, name: rule.name.clone(), reason: kit::text::clip(&reason, 200).to_owned() });
        }
    }
    wrong
}
