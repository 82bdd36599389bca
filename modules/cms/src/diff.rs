//! What a change did to a text, short enough to be read.

use sdk::prelude::*;
use serde_json::Value;
use wordpress::seo::Values;
use wordpress::{Field, Item, Kept, Patch};

/// Characters that are shown before and after the part that differs, and of the part itself.
const AROUND: usize = 80;
const LONGEST: usize = 600;

/// A member that differs.
#[value]
pub(crate) struct Difference {
    /// The member: `title`, `content`, `terms.tags`, `meta._yoast_wpseo_title`.
    #[own]
    field: String,
    /// What it was; of a long text the part that differs with what stands around it. Null where it is not known.
    before: Option<String>,
    /// What it is.
    after: Option<String>,
}

/// The members of a change. `owner` is the module that keeps it, none for this one.
pub(crate) fn differences(cx: &Cx, fields: &[Field], owner: Option<&str>) -> Vec<Difference> {
    let text = |kept: &Kept| match kept.value(cx, owner)? {
        Value::String(text) => Some(text),
        Value::Null => None,
        other => Some(other.to_string()),
    };
    let one = |field: &Field| {
        let (before, after) = (text(&field.before), text(&field.after));
        let (before, after) = match (&before, &after) {
            (Some(before), Some(after)) => {
                let (before, after) = parts(before, after);
                (Some(before), Some(after))
            }
            (before, after) => (before.as_deref().map(cut), after.as_deref().map(cut)),
        };
        Difference { field: field.name.clone(), before, after }
    };
    fields.iter().map(one).collect()
}

fn cut(text: &str) -> String {
    text.chars().take(LONGEST).collect()
}

/// The parts of two texts that differ, with what stands around them.
pub(crate) fn parts(before: &str, after: &str) -> (String, String) {
    let same = |(a, b): &(char, char)| a == b;
    let start: usize = before.chars().zip(after.chars()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
    let (left, right) = (&before[start..], &after[start..]);
    let end: usize = left.chars().rev().zip(right.chars().rev()).take_while(same).map(|(c, _)| c.len_utf8()).sum();
    let around = |text: &str| {
        let from = text.floor_char_boundary(start.saturating_sub(AROUND));
        let to = text.ceil_char_boundary((text.len() - end + AROUND).min(text.len()));
        cut(&text[from..to])
    };
    (around(before), around(after))
}

/// What a write of SEO fields would change, where what is held can be read.
pub(crate) fn values(held: &Values, wanted: &Values) -> Vec<Difference> {
    let as_members = |it: &Values| match serde_json::to_value(it) {
        Ok(Value::Object(members)) => members,
        _ => serde_json::Map::new(),
    };
    let (held, wanted) = (as_members(held), as_members(wanted));
    let text = |it: &Value| match it {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    };
    let differs = |(name, it): &(&String, &Value)| !it.is_null() && held.get(*name) != Some(*it);
    let one = |(name, it): (&String, &Value)| Difference {
        field: name.clone(),
        before: held.get(name).and_then(text),
        after: text(it),
    };
    wanted.iter().filter(differs).map(one).collect()
}

/// What a write would change.
pub(crate) fn planned(item: &Item, patch: &Patch) -> Vec<Difference> {
    let text = |it: Value| match it {
        Value::Null => None,
        Value::String(text) => Some(text),
        other => Some(other.to_string()),
    };
    let one = |(name, after): (String, Value)| {
        let (before, after) = (item.value(&name).and_then(text), text(after));
        let (before, after) = match (&before, &after) {
            (Some(before), Some(after)) => {
                let (before, after) = parts(before, after);
                (Some(before), Some(after))
            }
            _ => (before, after),
        };
        Difference { field: name, before, after }
    };
    patch.members().into_iter().map(one).collect()
}
