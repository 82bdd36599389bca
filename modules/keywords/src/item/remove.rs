//! The operation `keywords.item.remove`.

use std::collections::BTreeMap;

use filter::{Condition, Filter};
use sdk::Confirmation;
use sdk::prelude::*;

use super::view::{Beside, FIELDS, clusters, positions, values};
use crate::normal::normal;
use crate::stored::{Keyword, Months, Set, keyword_id};

/// Keywords that one call removes.
const MAX_ROWS: usize = 9_000;

#[args]
pub(crate) struct Remove {
    /// The set.
    set_ref: Id<Set>,
    /// These keywords, in any writing.
    keywords: Option<List<Text<1, 200>, 0, 10_000>>,
    /// The keywords that hold all these conditions; fields as in keywords.item.list.
    filter: Option<List<Condition, 0, 8>>,
    /// The hash of a preview: nothing is removed when more or less would go by now.
    confirm_hash: Option<Text<1, 64>>,
    /// Only count what would go.
    #[default(false)]
    preview: bool,
}

/// What was removed.
#[value]
pub(crate) struct Removed {
    /// Keywords that are gone.
    removed: u64,
    /// Keywords that would go, of a preview; those that are left to remove, otherwise.
    would_remove: u64,
    /// Stands for what would go; give it back to be sure.
    #[own]
    confirm_hash: String,
    /// Keywords that the set does not have.
    unknown: Vec<String>,
}

/// Removes keywords from a set by list or filter, returning the count first when no confirm hash is given.
///
/// It acts at once; `preview` counts and removes nothing. One call removes up to 9,000 keywords: call again while
/// `would_remove` is above 0.
#[operation(
    destructive,
    scope = "destructive:execute",
    cost = write,
    side_effects = ["removes keywords with their metrics from the set"],
    needs = ["store"],
    phrasings = ["remove keywords from a set", "delete keywords without volume", "clean up my keyword list"],
    examples = [
        { "set_ref": "set_01", "keywords": ["oil lamp"] },
        { "set_ref": "set_01", "filter": [{ "field": "volume", "op": "lt", "value": 10 }], "preview": true },
    ]
)]
pub(crate) fn remove(cx: &Cx, args: Remove) -> Result<Removed> {
    let mut set = crate::set::get(cx, &args.set_ref)?;
    let named = args.keywords.map(List::into_vec).unwrap_or_default();
    let conditions = args.filter.map(List::into_vec).unwrap_or_default();
    if named.is_empty() == conditions.is_empty() {
        let message = "give the keywords or a filter, and not both";
        return Err(Fault::invalid("/keywords", "keywords_or_filter", message));
    }
    let keywords = cx.records::<Keyword>();
    let mut unknown = Vec::new();
    let mut found: BTreeMap<Id<Keyword>, Stored<Keyword>> = BTreeMap::new();
    if conditions.is_empty() {
        let language = set.language();
        for keyword in named {
            let id: Id<Keyword> = keyword_id(&set.id, &normal(keyword.as_str(), &language));
            match keywords.find(&id) {
                Some(row) => drop(found.insert(id, row)),
                None => unknown.push(keyword.into_string()),
            }
        }
    } else {
        let filter = Filter::new(&conditions, &FIELDS)?;
        let all: Vec<Stored<Keyword>> = crate::set::keywords(cx, &set.id).collect();
        let mut beside = Beside { clusters: clusters(cx, &set), ..Beside::default() };
        if filter.fields().contains(&"position") {
            beside.positions = positions(cx, &set, &all.iter().map(|it| it.normal.as_str()).collect());
            if let Some(missing) = &beside.positions.missing {
                // A keyword whose position nobody looked at must not go as one that has none.
                return Err(Fault::conflict("positions_unknown", missing.why.clone()).at("/filter"));
            }
        }
        for row in all {
            let values = values(&row, &beside);
            if filter.holds(|name| values.get(name)) {
                found.insert(row.id.clone(), row);
            }
        }
    }
    let would_remove = found.len() as u64;
    let confirmation = Confirmation::of(&set, BTreeMap::from([("keywords".to_owned(), would_remove)]));
    if args.preview {
        return Ok(Removed { removed: 0, would_remove, confirm_hash: confirmation.hash, unknown });
    }
    confirmation.check(args.confirm_hash.as_ref(), "set")?;
    let months = cx.records::<Months>();
    let rows: Vec<Stored<Keyword>> = found.into_values().take(MAX_ROWS).collect();
    for row in &rows {
        set.counts.remove(row);
        keywords.remove(row)?;
        if let Some(kept) = months.find(&row.id.cast()) {
            months.remove(&kept)?;
        }
    }
    if !rows.is_empty() {
        cx.records::<Set>().save(set)?;
    }
    let removed = rows.len() as u64;
    Ok(Removed { removed, would_remove: would_remove - removed, confirm_hash: confirmation.hash, unknown })
}
