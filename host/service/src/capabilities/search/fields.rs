//! The words of a contract by where they stand: a word of the id says more than one of an argument's description.

use std::collections::BTreeMap;

use model::contract::Contract;
use serde_json::Value;

use super::{phrasings, words};

/// Where a word stands.
#[derive(Clone, Copy)]
pub(super) enum Field {
    Id,
    Summary,
    Phrasings,
    Said,
    Description,
    Arguments,
    Result,
    Effects,
}

/// How many fields there are.
pub(super) const FIELDS: usize = 8;

/// What a word counts in each, and how much a long field is discounted (the `w` and `b` of BM25F).
pub(super) const WEIGHTS: [(f32, f32); FIELDS] =
    [(2.73, 0.3), (2.0, 0.6), (2.13, 0.37), (1.5, 0.37), (0.71, 0.94), (0.81, 0.52), (0.43, 0.8), (0.4, 0.6)];

/// How deep into a schema names and descriptions are read.
const DEEP: usize = 3;

/// The stems of each field.
pub(super) type Fields = [Vec<String>; FIELDS];

/// Reads a contract.
pub(super) fn of(contract: &Contract) -> Fields {
    let mut fields = Fields::default();
    let mut put = |field: Field, text: &str| fields[field as usize].extend(words::stems(text));
    put(Field::Id, &contract.id);
    put(Field::Summary, &contract.summary);
    put(Field::Description, &contract.description);
    for phrasing in &contract.phrasings {
        put(Field::Phrasings, phrasing);
    }
    for said in phrasings::of(&contract.id) {
        put(Field::Said, said);
    }
    for effect in &contract.side_effects {
        put(Field::Effects, effect);
    }
    schema(&contract.arguments, DEEP, &mut |text| put(Field::Arguments, text));
    schema(&contract.result, DEEP, &mut |text| put(Field::Result, text));
    fields
}

/// The stems of a contract with their weights: occurrences in each field, discounted by its length against the mean.
pub(super) fn weighed<'a>(fields: &'a Fields, mean: &[f32; FIELDS]) -> BTreeMap<&'a str, f32> {
    let mut weights = BTreeMap::new();
    for (number, stems) in fields.iter().enumerate() {
        let (weight, b) = WEIGHTS[number];
        let discount = 1.0 - b + b * stems.len() as f32 / mean[number].max(f32::EPSILON);
        for stem in stems {
            *weights.entry(stem.as_str()).or_insert(0.0) += weight / discount;
        }
    }
    weights
}

/// Names, descriptions and words to choose from of a schema's members.
fn schema(schema: &Value, deep: usize, put: &mut impl FnMut(&str)) {
    if let Some(description) = schema.get("description").and_then(Value::as_str) {
        put(description);
    }
    for word in schema.get("enum").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
        put(word);
    }
    if deep == 0 {
        return;
    }
    if let Some(items) = schema.get("items") {
        self::schema(items, deep, put);
    }
    for (name, property) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        put(name);
        self::schema(property, deep - 1, put);
    }
}
