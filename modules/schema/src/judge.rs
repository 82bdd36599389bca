//! What is said of an item: its errors and warnings by the profiles asked for, and the features it leads to.

use sdk::Fix;
use sdk::json;
use sdk::prelude::*;
use serde_json::{Map, Value};

use crate::check::{self, Found, Severity};
use crate::extract::graph::Resolver;
use crate::extract::{Format, Item, types, values};
use crate::google::{self, Feature, Standing, rule};
use crate::markup::generate::Made;

/// Whose rules are asked.
#[value]
pub(crate) enum Profile {
    /// What Google's rich results need and want.
    Google,
    /// The vocabulary: types, properties, values.
    SchemaOrg,
    /// Both.
    Both,
}

/// One finding.
#[value]
pub(crate) struct Problem {
    /// A word for programs, such as `missing_required`.
    pub(crate) code: String,
    /// The node at fault within its item, as a JSON pointer; empty for the item itself.
    pub(crate) pointer: String,
    /// The properties meant; of several one is enough, or all are wrong together.
    pub(crate) properties: Vec<String>,
    pub(crate) message: String,
    /// The line of the text that was given, from 1; null for a live page.
    pub(crate) line: Option<u32>,
}

/// An item with what is said of it.
#[value]
pub(crate) struct Judged {
    /// Its first type; empty without one.
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) types: Vec<String>,
    /// Its `@id`, where it has one.
    pub(crate) id: Option<String>,
    pub(crate) format: Format,
    /// The line of the document where it begins, from 1.
    pub(crate) line: u32,
    pub(crate) errors: Vec<Problem>,
    pub(crate) warnings: Vec<Problem>,
    /// The search features that it qualifies for now.
    pub(crate) eligible_for: Vec<String>,
    /// The call that acts on the errors; null without errors.
    pub(crate) fix: Option<Fix>,
}

/// A feature that an item asks for, and whether it gets it.
pub(crate) struct Asked {
    pub(crate) feature: &'static Feature,
    /// What blocks it, as paths of properties within the item; empty when nothing does.
    pub(crate) missing: Vec<String>,
}

/// Judges every item; `url` is the live page that they stand on. `line` looks a place up in a given text.
pub(crate) fn judge(
    items: &[Item],
    profile: Profile,
    today: Day,
    url: Option<&str>,
    line: impl Fn(&str) -> Option<u32>,
) -> Vec<Judged> {
    let resolver = Resolver::new(items);
    let of = |item: &Item| {
        let tree = resolver.resolved(&item.value);
        let found = found(&tree, profile, today);
        let problem = |it: &Found| Problem {
            code: it.code.to_owned(),
            pointer: it.pointer.clone(),
            properties: it.properties.clone(),
            message: it.message.clone(),
            line: line(&place(item, it)),
        };
        let of = |severity| found.iter().filter(move |it| it.severity == severity);
        let errors: Vec<Problem> = of(Severity::Error).map(problem).collect();
        let named = types(&item.value);
        let kind = named.first().copied().unwrap_or_default();
        Judged {
            kind: kind.to_owned(),
            types: named.iter().map(|it| (*it).to_owned()).collect(),
            id: item.value.get("@id").and_then(Value::as_str).map(str::to_owned),
            format: item.format,
            line: item.line,
            fix: (!errors.is_empty()).then(|| fix(kind, url)),
            warnings: of(Severity::Warning).map(problem).collect(),
            eligible_for: asked(&tree, today)
                .into_iter()
                .filter(Asked::is_won)
                .map(|it| it.feature.id.to_owned())
                .collect(),
            errors,
        }
    };
    items.iter().map(of).collect()
}

impl Asked {
    /// Whether nothing blocks a feature that is still shown.
    pub(crate) fn is_won(&self) -> bool {
        self.missing.is_empty() && self.feature.standing == Standing::Current
    }
}

/// The findings of an item whose references are resolved; the same said by both profiles is said once.
pub(crate) fn found(tree: &Map<String, Value>, profile: Profile, today: Day) -> Vec<Found> {
    let mut out = Vec::new();
    if profile != Profile::Google {
        out.extend(check::check(tree));
    }
    if profile != Profile::SchemaOrg {
        out.extend(google::check(tree, today));
    }
    out
}

/// The features that an item asks for: itself, or what it says its page is about.
pub(crate) fn asked(tree: &Map<String, Value>, today: Day) -> Vec<Asked> {
    let mut out = Vec::new();
    gather(tree, today, 0, &mut out);
    out
}

fn gather(tree: &Map<String, Value>, today: Day, depth: usize, out: &mut Vec<Asked>) {
    let errors: Vec<Found> =
        google::check(tree, today).into_iter().filter(|it| it.severity == Severity::Error).collect();
    let named = types(tree);
    for feature in google::of_types(&named) {
        if !feature.asks.is_empty() && rule::reached(tree, feature.asks).is_none() {
            continue;
        }
        // What is part of another item is asked there: a rating of a product, a review on its page.
        let is_part =
            depth > 0 && matches!(feature.id, "organization" | "review" | "aggregate_rating" | "image_metadata");
        if !is_part && !out.iter().any(|it: &Asked| it.feature.id == feature.id && it.missing.is_empty()) {
            out.push(Asked { feature, missing: missing(feature, tree, &errors) });
        }
    }
    if depth < 3 {
        for name in ["mainEntity", "itemListElement", "item", "video", "hasVariant"] {
            for inner in values(tree, name).iter().filter_map(Value::as_object) {
                gather(inner, today, depth + 1, out);
            }
        }
    }
}

fn missing(feature: &Feature, tree: &Map<String, Value>, errors: &[Found]) -> Vec<String> {
    if feature.standing != Standing::Current {
        return Vec::new();
    }
    let lacks = |it: &&&str| !it.split('|').any(|path| rule::reached(tree, path).is_some());
    let mut out: Vec<String> = feature.required.iter().filter(lacks).map(|it| (*it).to_owned()).collect();
    for error in errors {
        // A snippet needs less than a listing in the shop's own feature.
        let listing_only = error.pointer.is_empty() && matches!(error.properties[0].as_str(), "image" | "offers");
        if feature.id == "product_snippet" && listing_only {
            continue;
        }
        let path = error.pointer.trim_start_matches('/').replace('/', ".");
        let dot = if path.is_empty() { "" } else { "." };
        let said = format!("{path}{dot}{}", error.properties.join("|"));
        // Of a list the property may be told already, without the place in it.
        let unplaced = said.split('.').filter(|it| it.parse::<usize>().is_err()).collect::<Vec<_>>().join(".");
        if !out.contains(&said) && !out.contains(&unplaced) {
            out.push(said);
        }
    }
    out
}

/// Where a finding stands in the block that was given.
fn place(item: &Item, found: &Found) -> String {
    let property = found.properties.first().map(|it| it.split('.').next().unwrap_or_default());
    let property = property.map(|it| format!("/{}", check::escaped(it))).unwrap_or_default();
    format!("{}{}{property}", item.pointer, found.pointer)
}

/// What acts on an item with errors: generating it anew from its page, or what its type needs.
fn fix(kind: &str, url: Option<&str>) -> Fix {
    let made = serde_json::from_value::<Made>(Value::from(kind));
    match (made, url) {
        (Ok(_), Some(url)) => Fix::new("schema.markup.generate", json!({ "url": url, "type": kind })),
        _ => fix_of_type(kind),
    }
}

/// What explains a type; for what is none, the most general one.
pub(crate) fn fix_of_type(kind: &str) -> Fix {
    let known = crate::vocabulary::get().kind(kind).is_some();
    Fix::new("schema.type.get", json!({ "type": if known { kind } else { "Thing" } }))
}
