//! What outlives a module's code: rows that are stored and jobs that are under way, written by one version and read by the
//! next, and after a rollback the other way round.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::schema::{Class, Difference, Direction, differences};
use super::{Found, Reason};
use crate::lock::Lock;

/// Every shape that both versions have and that differs. A shape that a version does not state is not compared: a module in
/// another language may state none.
pub(super) fn compare(found: &mut Found, old: &Lock, new: &Lock) {
    let none = BTreeMap::new();
    for name in old.collections.keys().filter(|it| new.collections.contains_key(*it)) {
        let (before, after) = (old.form(name), new.form(name));
        let reason = match before.cmp(&after) {
            Ordering::Equal => continue,
            Ordering::Less => Reason::RecordUpgraded,
            Ordering::Greater => Reason::RecordFormLowered,
        };
        found.add(&new.module, reason, "", &format!("{name}: form {before}"), &format!("{name}: form {after}"));
    }
    for kind in ["records", "payloads", "checkpoints"] {
        let of = |lock: &'_ Lock| -> BTreeMap<String, String> { lock.shapes.get(kind).unwrap_or(&none).clone() };
        let (before, after) = (of(old), of(new));
        for (name, before) in &before {
            let Some(after) = after.get(name).filter(|after| *after != before) else { continue };
            let (Ok(before), Ok(after)) = (serde_json::from_str(before), serde_json::from_str(after)) else { continue };
            let upgraded = kind == "records" && new.form(name) > old.form(name);
            shape(found, &new.module, (kind, name, upgraded), (&before, &after));
        }
    }
}

fn shape(
    found: &mut Found,
    module: &str,
    (kind, name, upgraded): (&str, &str, bool),
    (before, after): (&Value, &Value),
) {
    let (breaks, one_way, changed) = if upgraded {
        (Reason::RecordUpgraded, Reason::RecordUpgraded, Reason::RecordChanged)
    } else if kind == "records" {
        (Reason::RecordBreaks, Reason::RecordOneWay, Reason::RecordChanged)
    } else {
        (Reason::JobBreaks, Reason::JobOneWay, Reason::JobChanged)
    };
    let is_breaking = |it: &Difference| it.class == Class::Breaking;
    let (broken, harmless): (Vec<_>, Vec<_>) =
        differences(before, after, Direction::Kept).into_iter().partition(is_breaking);
    let back = differences(after, before, Direction::Kept);
    let lost: BTreeSet<&str> = back.iter().filter(|it| is_breaking(it)).map(|it| it.pointer.as_str()).collect();
    let named = |difference: &Difference| format!("{kind} {name}: {}", difference.what);
    for difference in &broken {
        found.add(module, breaks, &difference.pointer, "", &named(difference));
    }
    for difference in &harmless {
        let reason = if lost.contains(difference.pointer.as_str()) { one_way } else { changed };
        found.add(module, reason, &difference.pointer, "", &named(difference));
    }
}

#[cfg(test)]
mod tests {
    //! Tests of `stored`.

    use serde_json::json;

    use super::*;
    use crate::review::{Side, review};
    use crate::sample;

    /// The reasons and places of a step from one shape of the sample's rows to another.
    fn reasons(kind: &str, before: &Value, after: &Value) -> Vec<(&'static str, String)> {
        let side = |shape: &Value| {
            let mut built = sample::built();
            let shapes = [("authors".to_owned(), shape.clone())].into();
            match kind {
                "records" => built.manifest.shapes.records = shapes,
                _ => built.manifest.shapes.checkpoints = shapes,
            }
            Side::of_lock(Lock::of(&built, None, |_| true))
        };
        let report = review(Some(&side(before)), Some(&side(after))).unwrap();
        report.changes.into_iter().map(|it| (it.reason.as_str(), it.pointer)).collect()
    }

    fn rows(properties: &Value, required: &[&str]) -> Value {
        json!({ "type": "object", "properties": properties, "required": required })
    }

    /// What an update did to stored rows without a word, and what is said of it now.
    #[test]
    fn each_change_of_what_is_stored_has_its_reason() {
        let text = json!({ "type": "string" });
        let before = rows(&json!({ "name": text, "age": { "type": "integer", "maximum": 99 } }), &["name"]);
        let cases = [
            (
                "a required member",
                rows(
                    &json!({ "name": text, "age": { "type": "integer", "maximum": 99 }, "role": text }),
                    &["name", "role"],
                ),
                vec![("record_breaks", "/role")],
            ),
            (
                "an optional member",
                rows(&json!({ "name": text, "age": { "type": "integer", "maximum": 99 }, "role": text }), &["name"]),
                vec![("record_changed", "/role")],
            ),
            (
                "another name",
                rows(&json!({ "title": text, "age": { "type": "integer", "maximum": 99 } }), &["title"]),
                vec![("record_breaks", "/title"), ("record_one_way", "/name")],
            ),
            (
                "another type",
                rows(&json!({ "name": { "type": "integer" }, "age": { "type": "integer", "maximum": 99 } }), &["name"]),
                vec![("record_breaks", "/name")],
            ),
            (
                "a tighter bound",
                rows(&json!({ "name": text, "age": { "type": "integer", "maximum": 50 } }), &["name"]),
                vec![("record_breaks", "/age")],
            ),
            (
                "a wider bound",
                rows(&json!({ "name": text, "age": { "type": "integer", "maximum": 120 } }), &["name"]),
                vec![("record_one_way", "/age")],
            ),
            ("an optional member less", rows(&json!({ "name": text }), &["name"]), vec![("record_changed", "/age")]),
            (
                "a required member less",
                rows(&json!({ "age": { "type": "integer", "maximum": 99 } }), &[]),
                vec![("record_one_way", "/name")],
            ),
            ("no change", before.clone(), vec![]),
        ];
        for (what, after, expected) in cases {
            let expected: Vec<_> = expected.into_iter().map(|(reason, pointer)| (reason, pointer.to_owned())).collect();
            assert_eq!(reasons("records", &before, &after), expected, "{what}");
        }
        let more = rows(&json!({ "name": text, "at": { "type": "integer" } }), &["name", "at"]);
        assert_eq!(
            reasons("checkpoints", &before, &more)[0],
            ("job_breaks", "/at".to_owned()),
            "a running job has no such member"
        );
    }
    #[test]
    fn a_record_of_another_form_is_upgraded_and_one_of_a_lower_form_cannot_be_read() {
        let side = |form: u32, schema: &Value| {
            let mut built = sample::built();
            built.manifest.collections[0].form = form;
            built.manifest.shapes.records = [("authors".to_owned(), schema.clone())].into();
            Side::of_lock(Lock::of(&built, None, |_| true))
        };
        let (first, second) = (
            rows(&json!({ "name": { "type": "string" } }), &["name"]),
            rows(&json!({ "title": { "type": "string" } }), &["title"]),
        );
        let reasons = |before, after| -> Vec<&'static str> {
            let report = review(Some(before), Some(after)).unwrap();
            report.changes.into_iter().map(|it| it.reason.as_str()).collect()
        };
        let (old, new) = (side(1, &first), side(2, &second));
        assert!(reasons(&old, &new).iter().all(|it| *it == "record_upgraded"), "{:?}", reasons(&old, &new));
        assert!(reasons(&new, &old).contains(&"record_form_lowered"));
        assert!(new.lock.text().contains("[forms]\nauthors = 2\n"));
        assert_eq!(Lock::parse("authors.toml", &new.lock.text()).unwrap().form("authors"), 2);
    }
}
