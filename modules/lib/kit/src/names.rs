//! Named things in a text: runs of words with a capital where a capital is no accident, and a gazetteer.
//!
//! No model: a name is known by its writing, by the words in and before it, and by a list of places, organizations and given
//! names. In German, where every noun has a capital, a single word is a name only when the list knows it.

mod gazetteer;
mod runs;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use gazetteer::Gazetteer;
use runs::Run;

/// What a named thing is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Somebody.
    Person,
    /// A company, an authority, a club.
    Organization,
    /// A country, a town, a street, a river.
    Place,
    /// Something made, with a name of its own.
    Product,
    /// A fair, a war, a match.
    Event,
    /// A book, a film, a song.
    Work,
    /// A name of which no more is known.
    Other,
}

/// A named thing of a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Named {
    /// Its longest writing.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// How often it stands in the text, in short forms too.
    pub mentions: u32,
    /// Where it stands first, from 0 to 1.
    pub first: f64,
    /// The gazetteer knows it.
    pub listed: bool,
}

/// The named things of a text, in the order of their first mention. `language` is an ISO 639-1 code.
#[must_use]
pub fn names(text: &str, language: &str) -> Vec<Named> {
    let gazetteer = Gazetteer::new();
    let read = runs::read(text, language, &gazetteer);
    let mut all: BTreeMap<String, Named> = BTreeMap::new();
    let mut order: Vec<String> = Vec::new();
    #[expect(clippy::cast_precision_loss, reason = "counts of words")]
    let place = |run: &Run| run.at as f64 / read.words.max(1) as f64;
    for run in &read.runs {
        let known = all.entry(run.text.clone()).or_insert_with(|| {
            order.push(run.text.clone());
            Named {
                name: run.text.clone(),
                kind: gazetteer.kind(&run.text, run.before.as_deref()),
                mentions: 0,
                first: place(run),
                listed: gazetteer.knows(&run.text),
            }
        });
        known.mentions += 1;
        if known.kind == Kind::Other {
            known.kind = gazetteer.kind(&run.text, run.before.as_deref());
        }
    }
    merge(&mut all);
    // A single word that stands once is a name only when somebody knows it.
    let german = language == "de";
    all.retain(|name, it| name.contains(' ') || it.listed || it.kind != Kind::Other || it.mentions > 1 && !german);
    order.into_iter().filter_map(|name| all.remove(&name)).collect()
}

/// `Lovelace` belongs to `Ada Lovelace` when no other name ends or begins so.
fn merge(all: &mut BTreeMap<String, Named>) {
    let names: Vec<String> = all.keys().cloned().collect();
    for short in &names {
        let holds = |long: &&String| {
            long.len() > short.len()
                && (long.strip_suffix(short.as_str()).is_some_and(|it| it.ends_with(' '))
                    || long.strip_prefix(short.as_str()).is_some_and(|it| it.starts_with(' ')))
        };
        let mut longer = names.iter().filter(holds).filter(|it| all.contains_key(*it));
        let (Some(long), None) = (longer.next(), longer.next()) else { continue };
        // A town is not the bank that is named after it.
        let part = all
            .get(short)
            .zip(all.get(long))
            .is_some_and(|(short, long)| !short.listed && (short.kind == Kind::Other || short.kind == long.kind));
        if part
            && let Some(short) = all.remove(short)
            && let Some(long) = all.get_mut(long)
        {
            long.mentions += short.mentions;
            long.first = long.first.min(short.first);
        }
    }
}

#[cfg(test)]
mod tests;
