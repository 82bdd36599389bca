//! What the features that an item leads to need of it, as `schema.type.get` tells it: one table for all who judge.

use serde_json::{Map, Value};

use super::feature::{Feature, Standing, all, of_types};
use super::rule::reached;
use crate::check::{Found, Severity};
use crate::extract::types;

/// Whether a feature is asked for by every item of its types: what only shows when a property asks for it is no demand on
/// the others.
pub(crate) fn is_of_every_item(feature: &Feature) -> bool {
    feature.standing == Standing::Current && (feature.asks.is_empty() || feature.asks == "name")
}

/// Whether another feature for the same types asks less.
pub(crate) fn is_more_than_enough(feature: &Feature) -> bool {
    let less =
        |it: &&Feature| it.types == feature.types && is_of_every_item(it) && it.required.len() < feature.required.len();
    is_of_every_item(feature) && all().any(|it| less(&it))
}

/// The needs of an item that stands by itself which `known` errors do not tell already.
pub(super) fn check(item: &Map<String, Value>, known: &[Found]) -> Vec<Found> {
    let mut out: Vec<Found> = Vec::new();
    let named = types(item);
    // Of two features for the same types one is enough: a product of several sellers makes a snippet and no listing.
    for feature in of_types(&named).filter(|it| is_of_every_item(it) && !is_more_than_enough(it)) {
        for required in feature.required {
            let paths: Vec<&str> = required.split('|').collect();
            // Of an inner item nothing is asked where there is none: that one is told itself.
            let apart = |path: &&str| path.rsplit_once('.').is_none_or(|(outer, _)| reached(item, outer).is_some());
            if paths.iter().any(|path| reached(item, path).is_some()) || !paths.iter().any(apart) {
                continue;
            }
            let is_told = |it: &Found| it.severity == Severity::Error && paths.iter().any(|path| tells(it, path));
            if known.iter().chain(&out).any(is_told) {
                continue;
            }
            let message = match paths.as_slice() {
                [one] => format!("{one} is needed for {}", feature.title),
                _ => format!("one of {} is needed for {}", paths.join(", "), feature.title),
            };
            let properties = paths.iter().map(|it| (*it).to_owned()).collect();
            out.push(Found {
                severity: Severity::Error,
                code: "missing_required",
                pointer: String::new(),
                properties,
                message,
            });
        }
    }
    out
}

/// Whether an error is about a property at this path, or about what it would stand in.
fn tells(found: &Found, path: &str) -> bool {
    let place =
        found.pointer.trim_start_matches('/').split('/').filter(|it| !it.is_empty() && it.parse::<u32>().is_err());
    let place: Vec<&str> = place.collect();
    found.properties.iter().any(|property| {
        let whole: Vec<&str> = place.iter().copied().chain(property.split('.')).collect();
        path.split('.').take(whole.len()).eq(whole.iter().copied())
    })
}
