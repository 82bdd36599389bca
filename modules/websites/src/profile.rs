//! `websites.profile.*`, the record of a website.

use std::collections::BTreeMap;

use sdk::prelude::*;
use sdk::serde_json::Value;

use crate::competitor;
use crate::routes::{self, Metrics};
use crate::segment::{self, Segment};
use crate::stored::{CrawlPrefs, Verification, Website};

/// The most facts of one website.
const FACTS: usize = 100;

#[args]
pub(crate) struct Get {
    /// The website, as listed.
    site_id: Id<Website>,
}

/// A website with what other modules know of it.
#[value]
pub(crate) struct Profile {
    /// The website.
    site: Stored<Website>,
    /// Names that mean this website.
    brand_terms: Vec<String>,
    /// Whether its ownership is proven; null until a check has proven it once.
    verification: Option<Verification>,
    /// Named groups of pages; empty until some are defined.
    segments: Vec<Stored<Segment>>,
    /// Tracked competitors by registrable domain; empty until some are set.
    competitors: Vec<String>,
    /// For each module with data on this website, when that data was last made.
    freshness: BTreeMap<String, Moment>,
    /// The latest crawl and audit in numbers.
    metrics: Metrics,
}

/// Returns the website record: origins, verification state, segments, brand terms, competitors, target countries, business facts, and data freshness per module.
#[operation(
    read,
    scope = "websites:read",
    cost = indexed_read,
    phrasings = [
        "show my website's settings",
        "what do you know about my site",
        "how fresh is the data of my website",
        "which segments and competitors does my site have",
    ],
    examples = [{ "site_id": "4503599627370496" }]
)]
pub(crate) fn get(cx: &Cx, args: Get) -> Result<Profile> {
    let site = cx.records::<Website>().get(&args.site_id)?;
    let metrics = routes::metrics(cx, &site.id);
    let mut freshness = BTreeMap::from([("websites".to_owned(), site.created_at)]);
    freshness.extend(metrics.freshness().map(|(module, at)| (module.to_owned(), at)));
    Ok(Profile {
        brand_terms: site.brand_terms.clone(),
        verification: site.verification.clone(),
        segments: segment::of(cx, &site.id),
        competitors: competitor::of(cx, &site.id),
        freshness,
        metrics,
        site,
    })
}

/// Members that are left out stay as they are; a list replaces the earlier list.
#[args]
pub(crate) struct Update {
    /// The website, as listed.
    site_id: Id<Website>,
    /// How to call it.
    name: Option<Text<1, 80>>,
    /// Names that mean this website.
    brand_terms: Option<List<Text<1, 80>, 0, 50>>,
    /// Countries aimed at.
    countries: Option<List<Country, 0, 30>>,
    /// Languages aimed at.
    languages: Option<List<Language, 0, 30>>,
    /// Pages that count as success: paths such as `/thank-you`.
    conversion_paths: Option<List<Text<1, 300>, 0, 50>>,
    /// Facts about the business, by name: texts, numbers, yes or no, or lists of them. Merged with those before; null removes one.
    facts: Option<BTreeMap<String, Value>>,
    /// Limits that every crawl of it keeps to; replaces what was set before.
    crawl_prefs: Option<CrawlPrefs>,
}

/// The website as it is now.
#[value]
pub(crate) struct Updated {
    /// The website.
    site: Stored<Website>,
    /// The members that have another value than before.
    changed: Vec<String>,
}

/// Updates brand terms, target countries and languages, conversion pages, business facts used for accuracy checks, and crawl preferences.
///
/// What is left out stays as it is. Lists replace; facts are merged by name, and null removes a fact (RFC 7396).
#[operation(
    write,
    scope = "assets:write",
    cost = write,
    side_effects = ["changes the website record"],
    phrasings = ["set my brand names", "change target countries", "store facts about my business", "set crawl speed for my site"],
    examples = [{ "site_id": "4503599627370496", "brand_terms": ["Lamp shop"], "facts": { "founded": 1999 } }]
)]
pub(crate) fn update(cx: &Cx, args: Update) -> Result<Updated> {
    let mut site = cx.records::<Website>().get(&args.site_id)?;
    let before = site.it.clone();
    let it = &mut site.it;
    if let Some(name) = args.name {
        it.name = name.into_string();
    }
    if let Some(terms) = args.brand_terms {
        it.brand_terms = texts(terms);
    }
    if let Some(countries) = args.countries {
        it.countries = countries.into_vec();
    }
    if let Some(languages) = args.languages {
        it.languages = languages.into_vec();
    }
    if let Some(paths) = args.conversion_paths {
        if let Some(position) = paths.iter().position(|path| !path.starts_with('/')) {
            let message = "a conversion path begins with a slash, such as /thank-you";
            return Err(Fault::invalid(format!("/conversion_paths/{position}"), "not_a_path", message));
        }
        it.conversion_paths = texts(paths);
    }
    if let Some(facts) = args.facts {
        merge(&mut it.facts, facts)?;
    }
    if let Some(prefs) = args.crawl_prefs {
        it.crawl_prefs = prefs;
    }
    let changed = changed(&before, it);
    if !changed.is_empty() {
        site = cx.records::<Website>().save(site)?;
    }
    Ok(Updated { site, changed })
}

fn texts<const MIN: usize, const MAX: usize, const LOW: usize, const HIGH: usize>(
    list: List<Text<LOW, HIGH>, MIN, MAX>,
) -> Vec<String> {
    list.into_iter().map(Text::into_string).collect()
}

fn merge(facts: &mut BTreeMap<String, Value>, given: BTreeMap<String, Value>) -> Result<()> {
    for (name, value) in given {
        let at = || format!("/facts/{}", name.replace('~', "~0").replace('/', "~1"));
        if name.is_empty() || name.chars().count() > 80 {
            return Err(Fault::invalid(at(), "fact_name", "the name of a fact has 1 to 80 characters"));
        }
        if value.is_null() {
            facts.remove(&name);
        } else if is_fact(&value) {
            facts.insert(name, value);
        } else {
            let message =
                "a fact is a text of at most 500 characters, a number, true or false, or a list of at most 50 of them";
            return Err(Fault::invalid(at(), "fact_value", message));
        }
    }
    if facts.len() > FACTS {
        return Err(Fault::invalid("/facts", "too_many_facts", format!("a website has at most {FACTS} facts")));
    }
    Ok(())
}

fn is_fact(value: &Value) -> bool {
    let scalar = |value: &Value| match value {
        Value::String(text) => text.chars().count() <= 500,
        Value::Number(_) | Value::Bool(_) => true,
        Value::Null | Value::Array(_) | Value::Object(_) => false,
    };
    match value {
        Value::Array(items) => items.len() <= 50 && items.iter().all(scalar),
        other => scalar(other),
    }
}

fn changed(before: &Website, after: &Website) -> Vec<String> {
    [
        ("name", before.name != after.name),
        ("brand_terms", before.brand_terms != after.brand_terms),
        ("countries", before.countries != after.countries),
        ("languages", before.languages != after.languages),
        ("conversion_paths", before.conversion_paths != after.conversion_paths),
        ("facts", before.facts != after.facts),
        ("crawl_prefs", before.crawl_prefs != after.crawl_prefs),
    ]
    .into_iter()
    .filter(|(_, differs)| *differs)
    .map(|(name, _)| name.to_owned())
    .collect()
}

#[cfg(test)]
mod tests;
