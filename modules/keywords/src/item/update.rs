//! The operation `keywords.item.update`.

use std::collections::BTreeMap;

use sdk::prelude::*;
use sdk::value::Patch;

use crate::normal::normal;
use crate::stored::{Intent, Keyword, Priority, Set, keyword_id};

/// A change of one keyword; what is left out stays.
#[args]
pub(crate) struct Change {
    /// The keyword, in any writing.
    keyword: Text<1, 200>,
    /// The tags that it has from now on.
    tags: Option<List<Text<1, 40>, 0, 20>>,
    /// `high`, `medium` or `low`; null takes it away.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    priority: Patch<Priority>,
    /// The page that it belongs to; null takes your choice back.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    target_url: Patch<Url>,
    /// The intent; null takes your choice back.
    #[serde(default, skip_serializing_if = "Patch::is_keep")]
    intent: Patch<Intent>,
    /// Whether reports leave it out.
    excluded: Option<bool>,
}

#[args]
pub(crate) struct Update {
    /// The set.
    set_ref: Id<Set>,
    /// Changes, each of one keyword.
    changes: List<Change, 1, 1_000>,
}

/// What was changed.
#[value]
pub(crate) struct Updated {
    /// Keywords that are different now.
    updated: u64,
    /// Keywords that were so already.
    unchanged: u64,
    /// Keywords that the set does not have.
    unknown: Vec<String>,
}

/// Sets tags, priority, target URL, intent override or exclusion for up to 1,000 keywords at once.
#[operation(
    write,
    scope = "assets:write",
    cost = write,
    side_effects = ["changes keywords of the set"],
    needs = ["store"],
    phrasings = ["tag keywords", "set the target page of a keyword", "exclude keywords from reports", "change the intent of a keyword", "set keyword priority"],
    examples = [{ "set_ref": "set_01", "changes": [{ "keyword": "desk lamp", "tags": ["lamps"], "priority": "high", "target_url": "https://shop.example/lamps" }] }]
)]
pub(crate) fn update(cx: &Cx, args: Update) -> Result<Updated> {
    let mut set = crate::set::get(cx, &args.set_ref)?;
    let language = set.language();
    let keywords = cx.records::<Keyword>();
    let mut changed: BTreeMap<Id<Keyword>, Keyword> = BTreeMap::new();
    let (mut unknown, mut unchanged) = (Vec::new(), 0);
    for change in args.changes {
        let id: Id<Keyword> = keyword_id(&set.id, &normal(change.keyword.as_str(), &language));
        let known = changed.get(&id).cloned().or_else(|| keywords.find(&id).map(Stored::into_inner));
        let Some(before) = known else {
            unknown.push(change.keyword.to_string());
            continue;
        };
        let mut row = before.clone();
        if let Some(tags) = &change.tags {
            row.tags = tags.iter().map(|it| kit::text::collapse(it.as_str())).collect();
            row.tags.dedup();
        }
        row.priority = change.priority.apply(row.priority);
        row.chosen_intent = change.intent.apply(row.chosen_intent);
        match change.target_url {
            Patch::Keep => {}
            Patch::Clear => row.target_url = None,
            Patch::Set(url) => row.target_url = Some(url.to_string()),
        }
        row.excluded = change.excluded.unwrap_or(row.excluded);
        if row == before {
            unchanged += 1;
            continue;
        }
        set.counts.remove(&before);
        set.counts.add(&row);
        changed.insert(id, row);
    }
    let updated = changed.len() as u64;
    if updated > 0 {
        keywords.put_many_as(changed.iter())?;
        cx.records::<Set>().save(set)?;
    }
    Ok(Updated { updated, unchanged, unknown })
}
