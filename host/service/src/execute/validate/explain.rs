//! One schema error as a sentence: where it is, what is allowed, and the nearest name for an unknown one.

use jsonschema::error::ValidationErrorKind;
use jsonschema::{ValidationError, Validator};
use model::refusal::Refusal;
use serde_json::{Value, json};

/// Errors that one refusal tells.
const MOST: usize = 20;
/// How deep alternatives may stand within alternatives and still be told; a schema can refer to itself.
const ALTERNATIVES: usize = 4;

/// What is wrong: the first thing in document order leads, and `errors` has all of them, at most [`MOST`]; none when all is
/// well. Of what lies within one of `secrets`, which are JSON pointers, neither a value nor a name that the caller chose is
/// repeated.
pub(crate) fn first_error(validator: &Validator, schema: &Value, secrets: &[String], sent: &Value) -> Option<Refusal> {
    if validator.is_valid(sent) {
        return None;
    }
    let found = validator.iter_errors(sent).flat_map(|error| explained(&error, schema, secrets));
    let mut told: Vec<Refusal> = Vec::new();
    for refusal in found {
        let known =
            |it: &Refusal| it.message == refusal.message && it.detail.get("pointer") == refusal.detail.get("pointer");
        if !told.iter().any(known) {
            told.push(refusal);
        }
        if told.len() == MOST {
            break;
        }
    }
    let errors: Vec<Value> = told.iter().map(as_member).collect();
    Some(told.into_iter().next()?.with("errors", errors))
}

/// A refusal as one of several.
fn as_member(refusal: &Refusal) -> Value {
    let mut member = refusal.detail.clone();
    member.insert("message".to_owned(), Value::String(refusal.message.clone()));
    Value::Object(member)
}

/// One error of the schema: of several unknown names one each.
fn explained(error: &ValidationError<'_>, schema: &Value, secrets: &[String]) -> Vec<Refusal> {
    let at = error.instance_path().to_string();
    let within = |secret: &&String| {
        at.strip_prefix(secret.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    if let Some(secret) = secrets.iter().find(within) {
        let words = format!("{secret} does not satisfy the contract");
        return vec![Refusal::invalid_arguments(secret.as_str(), words).with("allowed", known(schema, secret))];
    }
    if let ValidationErrorKind::AdditionalProperties { unexpected } = error.kind() {
        return unexpected.iter().map(|name| unknown(schema, &at, name)).collect();
    }
    vec![refused(error.kind(), schema, at)]
}

/// A name that the contract does not have.
fn unknown(schema: &Value, at: &str, name: &str) -> Refusal {
    let known = properties_at(schema, at);
    let near = nearest(name, &known);
    let hint = near.map_or(String::new(), |near| format!("; did you mean {near}?"));
    let words = format!("{} is not an argument of this operation{hint}", shown(name));
    let mut refusal = Refusal::invalid_arguments(format!("{at}/{}", escape(name)), words).with("allowed", json!(known));
    if let Some(near) = near {
        refusal = refusal.with("nearest", near);
    }
    refusal
}

fn refused(kind: &ValidationErrorKind, schema: &Value, at: String) -> Refusal {
    match kind {
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            Refusal::invalid_arguments(format!("{at}/{}", escape(name)), format!("{name} is required"))
        }
        ValidationErrorKind::Enum { options } => {
            Refusal::invalid_arguments(at.clone(), format!("{} must be one of {options}", place(&at)))
                .with("allowed", Value::clone(options))
        }
        ValidationErrorKind::Minimum { limit } => bound(&at, "at least", limit),
        ValidationErrorKind::Maximum { limit } => bound(&at, "at most", limit),
        ValidationErrorKind::ExclusiveMinimum { limit } => bound(&at, "more than", limit),
        ValidationErrorKind::ExclusiveMaximum { limit } => bound(&at, "less than", limit),
        ValidationErrorKind::MinLength { limit } => counted(&at, "at least", *limit, "characters"),
        ValidationErrorKind::MaxLength { limit } => counted(&at, "at most", *limit, "characters"),
        ValidationErrorKind::MinItems { limit } => counted(&at, "at least", *limit, "items"),
        ValidationErrorKind::MaxItems { limit } => counted(&at, "at most", *limit, "items"),
        ValidationErrorKind::Pattern { pattern } => {
            Refusal::invalid_arguments(at.clone(), format!("{} does not have the form {pattern}", place(&at)))
                .with("allowed", json!({ "pattern": pattern }))
        }
        ValidationErrorKind::Format { format } => {
            Refusal::invalid_arguments(at.clone(), format!("{} is not a valid {format}", place(&at)))
                .with("allowed", json!({ "format": format }))
        }
        ValidationErrorKind::Type { .. } => {
            let wanted = schema_at(schema, &at).and_then(|part| part.get("type")).cloned().unwrap_or_default();
            let words = match &wanted {
                Value::String(name) => name.clone(),
                Value::Array(names) => names.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" or "),
                _ => "another type".to_owned(),
            };
            Refusal::invalid_arguments(at.clone(), format!("{} must be {words}", place(&at)))
                .with("allowed", json!({ "type": wanted }))
        }
        ValidationErrorKind::UniqueItems => {
            Refusal::invalid_arguments(at.clone(), format!("{} has the same item twice", place(&at)))
        }
        _ => match schema_at(schema, &at).and_then(|part| words(schema, part, ALTERNATIVES)) {
            Some(words) => {
                let words = Value::Array(words);
                Refusal::invalid_arguments(at.clone(), format!("{} must be one of {words}", place(&at)))
                    .with("allowed", words)
            }
            None => Refusal::invalid_arguments(at.clone(), format!("{} does not satisfy the contract", place(&at))),
        },
    }
}

/// The values that this part of a schema permits, when it is a choice between values: each may stand in an alternative
/// of its own, with its own description.
fn words(schema: &Value, part: &Value, depth: usize) -> Option<Vec<Value>> {
    let deeper = depth.checked_sub(1)?;
    let part = resolve(schema, part);
    if let Some(value) = part.get("const") {
        return Some(vec![value.clone()]);
    }
    if let Some(values) = part.get("enum").and_then(Value::as_array) {
        return Some(values.clone());
    }
    if part.get("type").is_some_and(|kind| kind == "null") {
        return Some(vec![Value::Null]);
    }
    let alternatives = part.get("oneOf").or_else(|| part.get("anyOf"))?.as_array()?;
    let each = alternatives.iter().map(|alternative| words(schema, alternative, deeper)).collect::<Option<Vec<_>>>()?;
    Some(each.concat())
}

/// What the contract says of a secret argument: the names of its members, or its form.
fn known(schema: &Value, at: &str) -> Value {
    let names = properties_at(schema, at);
    if !names.is_empty() {
        return json!(names);
    }
    let part = schema_at(schema, at).and_then(Value::as_object);
    let shown = |(name, value): (&String, &Value)| (name.clone(), value.clone());
    let form = ["type", "minLength", "maxLength", "minProperties", "maxProperties"];
    Value::Object(part.into_iter().flatten().filter(|(name, _)| form.contains(&name.as_str())).map(shown).collect())
}

fn bound(at: &str, words: &str, limit: &Value) -> Refusal {
    Refusal::invalid_arguments(at, format!("{} must be {words} {limit}", place(at)))
        .with("allowed", json!({ words.replace(' ', "_"): limit }))
}

fn counted(at: &str, words: &str, limit: u64, unit: &str) -> Refusal {
    Refusal::invalid_arguments(at, format!("{} must have {words} {limit} {unit}", place(at)))
        .with("allowed", json!({ words.replace(' ', "_"): limit, "unit": unit }))
}

fn place(at: &str) -> &str {
    if at.is_empty() { "the object" } else { at }
}

/// A name that a caller made up, cut to a size that fits a sentence.
fn shown(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).take(64).collect()
}

fn escape(name: &str) -> String {
    shown(name).replace('~', "~0").replace('/', "~1")
}

/// The part of the schema that describes this place of the instance.
fn schema_at<'a>(schema: &'a Value, at: &str) -> Option<&'a Value> {
    at.split('/').skip(1).try_fold(resolve(schema, schema), |part, step| {
        let next = match step.parse::<usize>() {
            Ok(_) => part.get("items").or_else(|| part.get("properties")?.get(step))?,
            Err(_) => part.get("properties")?.get(step)?,
        };
        Some(resolve(schema, next))
    })
}

fn resolve<'a>(root: &'a Value, part: &'a Value) -> &'a Value {
    let target =
        part.get("$ref").and_then(Value::as_str).and_then(|reference| root.pointer(reference.strip_prefix('#')?));
    target.unwrap_or(part)
}

fn properties_at(schema: &Value, at: &str) -> Vec<String> {
    schema_at(schema, at)
        .and_then(|part| part.get("properties"))
        .and_then(Value::as_object)
        .map(|properties| properties.keys().cloned().collect())
        .unwrap_or_default()
}

/// The known name at the smallest edit distance, when it is near enough to be meant.
pub(crate) fn nearest<'a>(name: &str, known: &'a [String]) -> Option<&'a str> {
    let near = known.iter().map(|other| (distance(name, other), other)).min()?;
    (near.0 <= 1 + name.chars().count() / 3).then_some(near.1.as_str())
}

/// Levenshtein distance over characters, of names at most 64 long.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().take(64).collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().take(64).enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = corner + usize::from(x != *y);
            corner = row[j + 1];
            row[j + 1] = change.min(corner + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests;
