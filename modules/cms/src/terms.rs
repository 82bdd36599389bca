//! Terms by name: found, or made without a race.

use std::collections::BTreeMap;

use sdk::prelude::*;
use sdk::{Send, SendFailure, json};
use serde::Deserialize;
use serde_json::Value;
use wordpress::Installation;

/// Terms of an item by taxonomy: names, or numbers as WordPress has them. A name that is not there is made.
#[args]
pub(crate) struct Terms {
    /// Categories.
    categories: Option<List<Text<1, 200>, 0, 50>>,
    /// Tags.
    tags: Option<List<Text<1, 200>, 0, 50>>,
}

#[derive(Deserialize)]
struct Term {
    id: u64,
    #[serde(default)]
    name: String,
}

impl Terms {
    /// Their numbers by the paths of the taxonomies.
    pub(crate) fn resolved(&self, cx: &Cx, at: &Installation) -> Result<BTreeMap<String, Vec<u64>>> {
        let mut all = BTreeMap::new();
        for (base, names) in [("categories", &self.categories), ("tags", &self.tags)] {
            let Some(names) = names else { continue };
            let ids = names.iter().map(|name| one(cx, at, base, name.as_str())).collect::<Result<Vec<_>>>()?;
            all.insert(base.to_owned(), ids);
        }
        Ok(all)
    }
}

/// The number of a term.
fn one(cx: &Cx, at: &Installation, base: &str, name: &str) -> Result<u64> {
    if let Ok(id) = name.parse() {
        return Ok(id);
    }
    let path = format!("/wp-json/wp/v2/{base}");
    let request =
        Send::get(&at.connection, &path).query("search", name).query("per_page", 100).query("_fields", "id,name");
    let found: Vec<Term> = cx.connections().send(&request)?.accepted()?.json()?;
    // The name comes with its entities encoded.
    let folded = |it: &str| it.replace("&amp;", "&").to_lowercase();
    if let Some(term) = found.iter().find(|it| folded(&it.name) == folded(name)) {
        return Ok(term.id);
    }
    let request = Send::post(&at.connection, &path).json(&json!({ "name": name }));
    let answer = cx.connections().send(&request);
    let answer = match answer {
        // The same name again is refused with the number of the term that is there.
        Err(SendFailure::UnknownOutcome) => cx.connections().send(&request)?,
        other => other?,
    };
    let body: Value = answer.json()?;
    if let Some(id) = body["data"]["term_id"].as_u64().filter(|_| body["code"] == "term_exists") {
        return Ok(id);
    }
    answer.accepted()?;
    body["id"].as_u64().ok_or_else(|| SendFailure::Malformed.into())
}
