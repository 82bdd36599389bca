//! The operation `schema.type.get`; `suggest` is `schema.type.suggest`.

mod example;
pub(crate) mod suggest;

use sdk::Fix;
use sdk::Next;
use sdk::json;
use sdk::prelude::*;
use serde_json::{Map, Value};

use crate::check::{Found, Severity};
use crate::extract::context::bare;
use crate::google::{self, Standing};
use crate::judge::{self, Profile};
use crate::vocabulary;

#[args]
pub(crate) struct Get {
    /// Its name, such as `Product`; its address at schema.org is taken too.
    #[serde(rename = "type")]
    kind: Text<2, 60>,
}

/// A property of a type.
#[value]
pub(crate) struct Property {
    name: String,
    /// The type that it comes from: this one or one above it.
    of: String,
    /// What it takes.
    types: Vec<String>,
}

/// What Google wants of a type.
#[value]
pub(crate) struct Wanted {
    /// Of `a|b` one is enough; `a.b` is a property of an inner item.
    required: Vec<String>,
    recommended: Vec<String>,
    /// The features that the type leads to.
    features: Vec<String>,
    /// Features that are no longer shown, each with the day or month since when.
    retired: Vec<String>,
    /// The day of the table of Google's requirements: compared with copies of its own pages.
    checked: Day,
}

/// A type of schema.org.
#[value]
pub(crate) struct Explained {
    #[serde(rename = "type")]
    kind: String,
    /// Its definition in one sentence; may be empty.
    description: String,
    /// The types above it, the nearest first.
    parents: Vec<String>,
    /// Its own properties first, then those from above; superseded ones are left out.
    properties: Vec<Property>,
    /// The values of an enumeration; empty for other types.
    members: Vec<String>,
    google: Wanted,
    /// The smallest markup of it without an error.
    example: Map<String, Value>,
    /// What the vocabulary was taken from.
    vocabulary: String,
    /// What to do next.
    next: Vec<Next>,
}

/// Explains a schema.org type: parents, properties with expected types, Google's required and recommended ones, and a minimal valid example.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    phrasings = [
        "which fields does Product markup need",
        "what does google require for Event schema",
        "show an example of Recipe JSON-LD",
        "explain a schema.org type",
    ],
    examples = [{ "type": "Product" }]
)]
pub(crate) fn get(cx: &Cx, args: Get) -> Result<Explained> {
    let all = vocabulary::get();
    let name = bare(&args.kind);
    let Some((kind, found)) = all.kind(name) else {
        let near = all.nearest(name).map(|it| format!("; {it} is one")).unwrap_or_default();
        let fault = Fault::not_found("type_not_found", format!("schema.org has no type of this name{near}"));
        return Err(fault.at("/type").detail(json!({ "nearest": all.nearest(name) })));
    };
    let names = [kind];
    let (mut required, mut recommended): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    let (mut features, mut retired) = (Vec::new(), Vec::new());
    for feature in google::of_types(&names) {
        match feature.standing {
            Standing::Retired(since) => retired.push(format!("{} since {since}", feature.title)),
            Standing::Current => {
                features.push(feature.title.to_owned());
                if google::needs::is_more_than_enough(feature) {
                    // Another feature for these types asks less: this one is better to have.
                    recommended.extend(feature.required.iter().map(|it| (*it).to_owned()));
                } else if google::needs::is_of_every_item(feature) {
                    required.extend(feature.required.iter().map(|it| (*it).to_owned()));
                    recommended.extend(feature.recommended.iter().map(|it| (*it).to_owned()));
                }
            }
        }
    }
    required.extend(needed(kind, &required, cx.now().day()));
    for list in [&mut required, &mut recommended] {
        list.sort();
        list.dedup();
    }
    recommended.retain(|it| !required.contains(it));
    let property = |(name, of, it): (&str, &str, &vocabulary::Property)| Property {
        name: name.to_owned(),
        of: of.to_owned(),
        types: it.ranges.iter().map(|it| (*it).to_owned()).collect(),
    };
    let example = example::of(kind);
    let draft = Value::Object(example.clone()).to_string();
    Ok(Explained {
        kind: kind.to_owned(),
        description: found.words.to_owned(),
        parents: all.lineage(kind).into_iter().skip(1).map(str::to_owned).collect(),
        properties: all.properties_of(kind).into_iter().map(property).collect(),
        members: all.members(kind).iter().map(|it| (*it).to_owned()).collect(),
        google: Wanted { required, recommended, features, retired, checked: google::checked() },
        example,
        vocabulary: vocabulary::RELEASE.to_owned(),
        next: vec![
            Fix::new("schema.markup.validate", json!({ "jsonld": draft }))
                .because("checks your own markup of this type; the arguments hold the example"),
        ],
    })
}

/// What the validator misses of an item that says nothing but its type, beside what is known: one table for all who judge.
fn needed(kind: &str, known: &[String], today: Day) -> Vec<String> {
    let mut bare = Map::new();
    bare.insert("@type".to_owned(), kind.into());
    let errors = judge::found(&bare, Profile::Both, today).into_iter().filter(|it| it.severity == Severity::Error);
    let is_known =
        |it: &Found| known.iter().any(|one| one.split('|').any(|path| it.properties.iter().any(|name| name == path)));
    errors.filter(|it| it.pointer.is_empty() && !is_known(it)).map(|it| it.properties.join("|")).collect()
}

#[cfg(test)]
mod tests;
