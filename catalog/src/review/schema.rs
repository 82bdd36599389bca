//! How one JSON Schema follows another. What is taken may become more and never less; what is given may say more and
//! never leave out what it promised (the robustness of RFC 761, section 2.10, as a rule that is checked).

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::{Map, Value};

/// Nesting beyond this is compared as a whole.
const DEEPEST: usize = 16;

/// How a change treats those who call today.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// Nobody notices.
    Compatible,
    /// More can be said or is said; what was right stays right.
    Widening,
    /// What was right no longer is.
    Breaking,
}

/// Which way what a schema describes goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Arguments: callers write them.
    Taken,
    /// Results: callers read them.
    Given,
    /// What is stored: a later version reads it, and takes no notice of members that it does not know.
    Kept,
}

/// One place in which two schemas differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The place in what is described, as a JSON pointer; `*` stands for each item.
    pub pointer: String,
    /// How it treats those who call today.
    pub class: Class,
    /// What differs, in words.
    pub what: String,
}

/// Every place in which the second schema differs from the first, in the order of the places.
pub fn differences(old: &Value, new: &Value, direction: Direction) -> Vec<Difference> {
    let mut walk = Walk { old, new, direction, found: Vec::new() };
    walk.both(old, new, "", 0);
    walk.found
}

/// Keywords whose number is a lower bound, then those whose number is an upper one.
const LEAST: [&str; 5] = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];
const MOST: [&str; 5] = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];

/// What a place accepts now, beside what it accepted.
#[derive(Clone, Copy)]
enum Set {
    Wider,
    Narrower,
    Other,
}

struct Walk<'a> {
    old: &'a Value,
    new: &'a Value,
    direction: Direction,
    found: Vec<Difference>,
}

impl<'a> Walk<'a> {
    fn say(&mut self, pointer: &str, class: Class, what: String) {
        if class != Class::Compatible {
            self.found.push(Difference { pointer: pointer.to_owned(), class, what });
        }
    }

    fn set(&mut self, pointer: &str, set: Set, what: String) {
        let class = match (self.direction, set) {
            (_, Set::Other) | (Direction::Taken | Direction::Kept, Set::Narrower) => Class::Breaking,
            (Direction::Given, Set::Narrower) => Class::Compatible,
            (_, Set::Wider) => Class::Widening,
        };
        self.say(pointer, class, what);
    }

    fn both(&mut self, old: &'a Value, new: &'a Value, pointer: &str, depth: usize) {
        let (old, new) = (resolved(self.old, old), resolved(self.new, new));
        if depth > DEEPEST {
            if old != new {
                self.set(pointer, Set::Other, "it differs deep inside".to_owned());
            }
            return;
        }
        self.kinds(old, new, pointer);
        self.values(old, new, pointer);
        self.numbers(old, new, pointer);
        self.forms(old, new, pointer);
        self.members(old, new, pointer, depth);
        for keyword in ["items", "additionalProperties"] {
            if let (Some(old), Some(new)) = (member(old, keyword), member(new, keyword))
                && old.is_object()
                && new.is_object()
            {
                self.both(old, new, &format!("{pointer}/*"), depth + 1);
            }
        }
        self.choices(old, new, pointer, depth);
    }

    fn kinds(&mut self, old: &Value, new: &Value, pointer: &str) {
        let (before, after) = (kinds(old), kinds(new));
        if before == after {
            return;
        }
        let words = |it: &BTreeSet<String>| it.iter().map(String::as_str).collect::<Vec<_>>().join(" or ");
        let what = match (before.is_empty(), after.is_empty()) {
            (true, _) => format!("it is {} and could be anything", words(&after)),
            (_, true) => format!("it can be anything and was {}", words(&before)),
            _ => format!("it is {} and was {}", words(&after), words(&before)),
        };
        let set = if after.is_empty() || (!before.is_empty() && after.is_superset(&before)) {
            Set::Wider
        } else if before.is_empty() || before.is_superset(&after) {
            Set::Narrower
        } else {
            Set::Other
        };
        self.set(pointer, set, what);
    }

    /// `enum` and `const`.
    fn values(&mut self, old: &Value, new: &Value, pointer: &str) {
        let (before, after) = (values(old), values(new));
        match (before, after) {
            (None, Some(after)) => self.set(pointer, Set::Narrower, format!("only {} is allowed", listed(&after))),
            (Some(before), None) => {
                self.set(pointer, Set::Wider, format!("more than {} is allowed", listed(&before)));
            }
            (Some(before), Some(after)) => {
                let (lost, gained): (BTreeSet<_>, BTreeSet<_>) =
                    (before.difference(&after).cloned().collect(), after.difference(&before).cloned().collect());
                if !lost.is_empty() {
                    self.set(pointer, Set::Narrower, format!("no longer {}", listed(&lost)));
                }
                if !gained.is_empty() {
                    self.set(pointer, Set::Wider, format!("also {}", listed(&gained)));
                }
            }
            (None, None) => {}
        }
    }

    fn numbers(&mut self, old: &Value, new: &Value, pointer: &str) {
        let keywords = LEAST.iter().map(|it| (*it, true)).chain(MOST.iter().map(|it| (*it, false)));
        for (keyword, least) in keywords {
            let number = |schema: &Value| member(schema, keyword).and_then(Value::as_f64);
            let (set, what) = match (number(old), number(new)) {
                (None, Some(after)) => (Set::Narrower, format!("{keyword} {after} is new")),
                (Some(before), None) => (Set::Wider, format!("{keyword} {before} is gone")),
                (Some(before), Some(after)) if before != after => {
                    let narrower = if least { after > before } else { after < before };
                    let set = if narrower { Set::Narrower } else { Set::Wider };
                    (set, format!("{keyword} is {after} and was {before}"))
                }
                _ => continue,
            };
            self.set(pointer, set, what);
        }
    }

    /// `pattern`, `format`, `uniqueItems` and `default`.
    fn forms(&mut self, old: &Value, new: &Value, pointer: &str) {
        for keyword in ["pattern", "format", "uniqueItems", "multipleOf"] {
            let (before, after) = (member(old, keyword), member(new, keyword));
            if before == after {
                continue;
            }
            let set = match (before, after) {
                (None, _) => Set::Narrower,
                (_, None) => Set::Wider,
                _ => Set::Other,
            };
            self.set(pointer, set, format!("{keyword} changed"));
        }
        let (before, after) = (member(old, "default"), member(new, "default"));
        if self.direction == Direction::Taken && before != after {
            let shown = |it: Option<&Value>| it.map_or("nothing".to_owned(), Value::to_string);
            let what = format!("left out it means {} and meant {}", shown(after), shown(before));
            self.say(pointer, Class::Breaking, what);
        }
    }

    fn members(&mut self, old: &'a Value, new: &'a Value, pointer: &str, depth: usize) {
        let none = Map::new();
        let properties = |it: &'a Value| member(it, "properties").and_then(Value::as_object);
        let (before, after) = (properties(old).unwrap_or(&none), properties(new).unwrap_or(&none));
        let needed = |schema: &Value| -> BTreeSet<String> {
            let names = member(schema, "required").and_then(Value::as_array).into_iter().flatten();
            names.filter_map(Value::as_str).map(str::to_owned).collect()
        };
        let (needed_before, needed_after) = (needed(old), needed(new));
        let names: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
        for name in names {
            let at = format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"));
            let taken = self.direction != Direction::Given;
            let ignored =
                self.direction == Direction::Kept && member(new, "additionalProperties") != Some(&Value::Bool(false));
            match (properties(old).and_then(|it| it.get(name)), properties(new).and_then(|it| it.get(name))) {
                (Some(old), Some(new)) => {
                    self.both(old, new, &at, depth + 1);
                    match (needed_before.contains(name), needed_after.contains(name)) {
                        (false, true) if taken => self.say(&at, Class::Breaking, "it is needed now".to_owned()),
                        (true, false) if taken => {
                            self.say(&at, Class::Widening, "it can be left out".to_owned());
                        }
                        (true, false) => self.say(&at, Class::Breaking, "it may be missing now".to_owned()),
                        _ => {}
                    }
                }
                (Some(_), None) if ignored => self.say(&at, Class::Widening, "it is read no more".to_owned()),
                (Some(_), None) => self.say(&at, Class::Breaking, "it is gone".to_owned()),
                (None, Some(_)) if taken && needed_after.contains(name) => {
                    self.say(&at, Class::Breaking, "it is new and needed".to_owned());
                }
                (None, Some(_)) => self.say(&at, Class::Widening, "it is new".to_owned()),
                (None, None) => {}
            }
        }
        let open = |schema: &Value| member(schema, "additionalProperties") != Some(&Value::Bool(false));
        match (open(old), open(new)) {
            (true, false) => self.set(pointer, Set::Narrower, "other members are refused now".to_owned()),
            (false, true) => self.set(pointer, Set::Wider, "other members are allowed".to_owned()),
            _ => {}
        }
    }

    /// `anyOf` and `oneOf`, with `null` among the kinds instead.
    fn choices(&mut self, old: &'a Value, new: &'a Value, pointer: &str, depth: usize) {
        let (before, after) = (choices(old), choices(new));
        if before.len() == 1 && after.len() == 1 {
            return self.both(before[0], after[0], pointer, depth + 1);
        }
        let whole = |root: &Value, all: &[&Value]| -> BTreeSet<String> {
            all.iter().map(|one| spelled(root, one, 0).to_string()).collect()
        };
        let (before, after) = (whole(self.old, &before), whole(self.new, &after));
        let (lost, gained) = (before.difference(&after).count(), after.difference(&before).count());
        let set = match (lost, gained) {
            (0, 0) => return,
            (0, _) if !before.is_empty() => Set::Wider,
            (_, 0) if !after.is_empty() => Set::Narrower,
            _ => Set::Other,
        };
        self.set(pointer, set, format!("{gained} forms are new and {lost} are gone"));
    }
}

fn member<'a>(schema: &'a Value, keyword: &str) -> Option<&'a Value> {
    schema.get(keyword)
}

/// What a `$ref` within the document stands for.
fn resolved<'a>(root: &'a Value, mut schema: &'a Value) -> &'a Value {
    for _ in 0..DEEPEST {
        let Some(name) = schema.get("$ref").and_then(Value::as_str) else { break };
        let Some(target) = name.strip_prefix('#').and_then(|pointer| root.pointer(pointer)) else { break };
        schema = target;
    }
    schema
}

/// A schema with every `$ref` written out, so that two can be compared as they are.
fn spelled(root: &Value, schema: &Value, depth: usize) -> Value {
    if depth > DEEPEST {
        return Value::Null;
    }
    match resolved(root, schema) {
        Value::Object(members) => {
            let bare =
                members.iter().filter(|(name, _)| !matches!(name.as_str(), "description" | "title" | "examples"));
            Value::Object(bare.map(|(name, value)| (name.clone(), spelled(root, value, depth + 1))).collect())
        }
        Value::Array(items) => items.iter().map(|item| spelled(root, item, depth + 1)).collect(),
        other => other.clone(),
    }
}

fn choices(schema: &Value) -> Vec<&Value> {
    let all = ["anyOf", "oneOf"].into_iter().filter_map(|keyword| schema.get(keyword)?.as_array()).flatten();
    all.filter(|choice| choice.get("type") != Some(&Value::from("null"))).collect()
}

fn kinds(schema: &Value) -> BTreeSet<String> {
    let null = ["anyOf", "oneOf"].into_iter().filter_map(|keyword| schema.get(keyword)?.as_array()).flatten();
    let null = null.filter(|choice| choice.get("type") == Some(&Value::from("null"))).map(|_| "null".to_owned());
    let named = match schema.get("type") {
        Some(Value::String(kind)) => vec![kind.clone()],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    };
    named.into_iter().chain(null).collect()
}

fn values(schema: &Value) -> Option<BTreeSet<String>> {
    match (schema.get("const"), schema.get("enum").and_then(Value::as_array)) {
        (Some(value), _) => Some([value.to_string()].into()),
        (None, Some(values)) => Some(values.iter().map(Value::to_string).collect()),
        (None, None) => None,
    }
}

fn listed(values: &BTreeSet<String>) -> String {
    values.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests;
