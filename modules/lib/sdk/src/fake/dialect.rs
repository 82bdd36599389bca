//! Whether a module's contracts use the shared shapes of arguments and results.

use serde_json::{Map, Value};

use crate::Module;

/// Members of a result that have one shape everywhere: their name and the members of the object.
const SHAPES: [(&str, &[&str]); 5] = [
    ("degraded", &["what", "why", "operation_id", "arguments"]),
    ("next", &["operation_id", "arguments", "why"]),
    ("fix", &["operation_id", "arguments"]),
    ("progress", &["done", "total", "step"]),
    ("basis", &["run_ref", "at", "age_seconds", "complete"]),
];
/// Members that are lists of their shape; the others are one object, or null.
const LISTS: [&str; 2] = ["degraded", "next"];
/// Older names, and the member to use instead.
const OTHER_NAMES: [(&str, &str); 7] = [
    ("created", "created_at"),
    ("started", "started_at"),
    ("finished", "finished_at"),
    ("ended", "ended_at"),
    ("updated", "updated_at"),
    ("rate_millirps", "rate_rps"),
    ("credits_milli", "credits"),
];
/// A reference that may be the address of the thing instead, and has an address's length.
const OR_ADDRESS: &str = "item_ref";
/// The states of a job.
const STATES: [&str; 5] = ["queued", "running", "succeeded", "failed", "cancelled"];
/// The severities of a finding.
const SEVERITIES: [&str; 3] = ["error", "warning", "notice"];
/// Severities of what customers are told, as `account.notification.update` has them.
const TOLD: [&str; 3] = ["info", "warning", "critical"];
/// Names of an instant, and endings of them, beside `_at`: the catalog's table has `next_run` and `last_run`.
const INSTANTS: [&str; 9] = ["at", "since", "until", "from", "to", "before", "after", "day", "run"];

/// Places of a module that leave the shared shapes and wait to be mended, one a line, in the module's folder. The list
/// may only shrink: a line that is no longer true fails the test as a new fault does. A new module has no such file.
const OPEN: &str = "dialect.txt";

impl Module {
    /// Every place where a contract leaves the shared shapes of `sdk`, as sentences in the order of the operations.
    #[must_use]
    pub fn dialect_faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for export in &self.operations {
            arguments(export.id, &export.it.arguments, &mut faults);
            result(export.id, &export.it.result, &mut faults);
            if export.it.step.is_some() {
                start(export.id, &export.it.result, &mut faults);
            }
        }
        faults
    }

    /// Panics when a contract leaves the shared shapes at a place that `dialect.txt` in the folder does not list, or
    /// when that list names a place that is mended. `module!` writes the test that calls this.
    pub fn assert_dialect(&self, folder: &str) {
        let path = std::path::Path::new(folder).join(OPEN);
        let faults = self.dialect_faults();
        if std::env::var_os("UPDATE_EXPECT").is_some() && path.exists() {
            let text: String = faults.iter().map(|fault| format!("{fault}\n")).collect();
            std::fs::write(&path, text).unwrap_or_else(|error| panic!("{OPEN} cannot be written: {error}"));
        }
        let open = std::fs::read_to_string(&path).unwrap_or_default();
        let open: Vec<&str> = open.lines().collect();
        let new: Vec<&str> = faults.iter().map(String::as_str).filter(|fault| !open.contains(fault)).collect();
        assert!(new.is_empty(), "{} places leave the shared shapes:\n{}", new.len(), new.join("\n"));
        let mended: Vec<&str> = open.into_iter().filter(|it| !faults.iter().any(|fault| fault == it)).collect();
        assert!(mended.is_empty(), "{OPEN} lists places that are mended; remove them:\n{}", mended.join("\n"));
    }
}

/// `site_id`, references, `limit` and `cursor`.
fn arguments(id: &str, schema: &Value, faults: &mut Vec<String>) {
    for (name, member) in properties(schema) {
        let at = format!("{id}({name})");
        let longest = if name == OR_ADDRESS { 2_048 } else { 128 };
        if is_reference(name) && member["type"] == "string" && member["maxLength"] != longest {
            faults.push(format!("{at}: a reference is an `Id`"));
        }
        if name == "cursor" && member["maxLength"] != 1_024 {
            faults.push(format!("{at}: use `#[args(paged)]`"));
        }
    }
    let paged = |name: &str| !schema["properties"][name].is_null();
    if paged("cursor") && !paged("limit") {
        faults.push(format!("{id}: `cursor` without `limit`"));
    }
}

/// A queued start answers with its job and the job's state: `queued`, or what became of the job when the same work was
/// started before.
fn start(id: &str, schema: &Value, faults: &mut Vec<String>) {
    let members = &schema["properties"];
    let states = words(&members["state"]);
    let is_state = states.contains(&"queued") && states.iter().all(|it| STATES.contains(it));
    if members["job_ref"].is_null() || !is_state {
        faults.push(format!("{id}: a queued start answers `Queued<T>`"));
    }
}

/// Walks a result's schema; `at` is where in it.
fn result(at: &str, schema: &Value, faults: &mut Vec<String>) {
    for alternative in ["anyOf", "oneOf", "allOf", "prefixItems"] {
        for inner in schema[alternative].as_array().into_iter().flatten() {
            result(at, inner, faults);
        }
    }
    for inner in ["items", "additionalProperties"] {
        if schema[inner].is_object() {
            result(&format!("{at}[]"), &schema[inner], faults);
        }
    }
    let part = |name: &str| &schema["properties"][name];
    let inline =
        !part("operation_id").is_null() && !part("arguments").is_null() && part("arguments")["type"] != "array";
    let own_name = at.rsplit('/').next().unwrap_or_default().trim_end_matches("[]");
    if inline && !["degraded", "next", "fix"].contains(&own_name) {
        faults.push(format!("{at}: a call is a `Next` in next or a `Fix` in fix"));
    }
    let required = words_of(&schema["required"]);
    let is_job = !schema["properties"]["job_ref"].is_null();
    for (name, inner) in properties(schema) {
        let at = format!("{at}/{name}");
        if !required.contains(&name.as_str()) {
            faults.push(format!("{at}: may be absent; an absent value is null"));
        }
        member(&at, name, inner, faults);
        if name == "state" && is_job && words(inner).iter().any(|it| !STATES.contains(it)) {
            faults.push(format!("{at}: a job is queued, running, succeeded, failed or cancelled"));
        }
        if name == "ci95" && schema["properties"]["n"].is_null() {
            faults.push(format!("{at}: an interval has its `n` beside it"));
        }
        result(&at, inner, faults);
    }
}

/// One member of a result by its name.
fn member(at: &str, name: &str, schema: &Value, faults: &mut Vec<String>) {
    if let Some((_, other)) = OTHER_NAMES.iter().find(|(old, _)| *old == name) {
        // `finished: 12` is a count, not an instant.
        if !is_number(schema) {
            faults.push(format!("{at}: call it {other}"));
        }
    }
    if let Some((_, required)) = SHAPES.iter().find(|(shape, _)| *shape == name) {
        let list = LISTS.contains(&name);
        let object = if list { &schema["items"] } else { schema };
        // A word is no object: the place that a text was taken from, or the address in a page's `rel=next`.
        if !words(schema).is_empty() || (name == "next" && is_string(schema)) {
            return;
        }
        let has = members_of(object);
        let whole =
            required.iter().all(|it| has.iter().any(|has| has == it)) && has.iter().all(|it| required.contains(it));
        if !whole || list != (schema["type"] == "array") {
            faults.push(format!("{at}: has {has:?} instead of {required:?}"));
        }
    }
    let severities = words(schema);
    let of_finding = !severities.is_empty() && severities.iter().all(|it| SEVERITIES.contains(it));
    if name == "severity" && !of_finding && severities != TOLD {
        faults.push(format!("{at}: a severity is error, warning or notice, of what is told info, warning or critical"));
    }
    if name == "next_cursor" && schema["type"] != serde_json::json!(["string", "null"]) {
        faults.push(format!("{at}: is a string, and null on the last page"));
    }
    if is_reference(name) && is_string(schema) && schema["maxLength"] != 128 {
        faults.push(format!("{at}: a reference is an `Id`"));
    }
    let instant = name.ends_with("_at") || INSTANTS.iter().any(|it| name == *it || name.ends_with(&format!("_{it}")));
    if schema["format"] == "date-time" && !instant {
        faults.push(format!("{at}: the name of an instant ends in `_at`"));
    }
}

fn is_reference(name: &str) -> bool {
    name == "site_id" || name.ends_with("_ref")
}

/// A text that is no address: `download_ref` and the like are addresses.
fn is_string(schema: &Value) -> bool {
    if matches!(schema["format"].as_str(), Some("uri" | "iri")) {
        return false;
    }
    schema["type"] == "string" || schema["type"] == serde_json::json!(["string", "null"])
}

fn is_number(schema: &Value) -> bool {
    let number = |it: &Value| it == "integer" || it == "number" || it == "boolean";
    number(&schema["type"]) || schema["type"].as_array().is_some_and(|types| types.iter().any(number))
}

fn properties(schema: &Value) -> impl Iterator<Item = (&String, &Value)> {
    schema["properties"].as_object().into_iter().flat_map(Map::iter)
}

/// The members of an object, or of the object that may be null.
fn members_of(schema: &Value) -> Vec<&str> {
    let alternatives = schema["anyOf"].as_array().into_iter().flatten();
    std::iter::once(schema).chain(alternatives).flat_map(properties).map(|(name, _)| name.as_str()).collect()
}

/// The values of an enum, or of the enum that may be null.
fn words(schema: &Value) -> Vec<&str> {
    let alternatives = schema["anyOf"].as_array().into_iter().flatten();
    let variants = schema["oneOf"].as_array().into_iter().flatten();
    let own = std::iter::once(schema).chain(alternatives).chain(variants);
    own.flat_map(|it| words_of(&it["enum"]).into_iter().chain(it["const"].as_str())).collect()
}

fn words_of(list: &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

#[cfg(test)]
mod tests {
    //! Each shared shape, whole and broken.

    use serde_json::json;

    use super::*;

    fn faults(of: &Value) -> Vec<String> {
        let mut faults = Vec::new();
        result("notes.get", of, &mut faults);
        faults
    }

    fn object(members: &Value) -> Value {
        let names: Vec<&String> = members.as_object().unwrap().keys().collect();
        json!({ "type": "object", "properties": members, "required": names })
    }

    #[test]
    fn a_result_of_shared_shapes_has_no_fault() {
        let text = json!({ "type": "string" });
        let next = object(&json!({ "operation_id": text, "arguments": { "type": "object" }, "why": text }));
        let fix = object(&json!({ "operation_id": text, "arguments": { "type": "object" } }));
        let whole = object(&json!({
            "site_id": { "type": "string", "maxLength": 128 },
            "next": { "type": "array", "items": next },
            "fix": { "anyOf": [fix, { "type": "null" }] },
            "severity": { "type": "string", "enum": ["error", "warning", "notice"] },
            "next_cursor": { "type": ["string", "null"] },
            "created_at": { "type": "string", "format": "date-time" },
            "finished": { "type": "integer" },
        }));
        assert_eq!(faults(&whole), Vec::<String>::new());
    }

    #[test]
    fn each_fault_is_found_wherever_it_is_in_the_result() {
        let broken = [
            (json!({ "degraded": { "type": "array", "items": { "type": "string" } } }), "instead of"),
            (json!({ "next": { "type": "array", "items": { "type": "string" } } }), "instead of"),
            (json!({ "fix": { "type": "string" } }), "instead of"),
            (
                json!({ "actions": { "type": "array", "items": object(&json!({ "operation_id": {}, "arguments": {} })) } }),
                "a call is",
            ),
            (json!({ "severity": { "type": "string", "enum": ["critical"] } }), "error, warning or notice"),
            (json!({ "next_cursor": { "type": "string" } }), "null on the last page"),
            (json!({ "run_ref": { "type": "string" } }), "an `Id`"),
            (json!({ "fetched": { "type": "string", "format": "date-time" } }), "ends in `_at`"),
            (json!({ "created": { "type": "string" } }), "created_at"),
            (json!({ "ci95": { "type": "array" } }), "`n`"),
            (
                json!({ "job_ref": { "type": "string", "maxLength": 128 }, "state": { "enum": ["building"] } }),
                "queued, running",
            ),
        ];
        for (members, words) in broken {
            let deep = object(&json!({ "rows": { "type": "array", "items": object(&members) } }));
            let found = faults(&deep);
            assert!(found.len() == 1 && found[0].contains(words), "{members}: {found:?}");
        }
        let absent = json!({ "type": "object", "properties": { "title": { "type": "string" } } });
        assert!(faults(&absent)[0].contains("may be absent"));
    }
}
