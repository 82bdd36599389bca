//! A stored value whose empty members were left out, written with all of them.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Map, Value, json};

/// Writes every member that the schema of `T` lists, although `T` leaves empty ones out where it is stored: null, `false`,
/// `0`, an empty text, list or object.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Whole<T>(pub T);

impl<T: Serialize + JsonSchema> Serialize for Whole<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut value = serde_json::to_value(&self.0).map_err(serde::ser::Error::custom)?;
        fill(&crate::schema::result::<T>(), &mut value);
        value.serialize(serializer)
    }
}

impl<T: JsonSchema> JsonSchema for Whole<T> {
    fn schema_name() -> Cow<'static, str> {
        format!("Whole_{}", T::schema_name()).into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = T::json_schema(generator).to_value();
        require(&mut schema);
        Schema::try_from(schema).unwrap_or_default()
    }
}

/// The schemas of a value's parts: of the alternatives of a choice, and of lists and maps.
const INNER: [&str; 6] = ["anyOf", "oneOf", "allOf", "prefixItems", "items", "additionalProperties"];

/// Makes every listed member required.
fn require(schema: &mut Value) {
    let Value::Object(object) = schema else { return };
    if let Some(properties) = object.get_mut("properties").and_then(Value::as_object_mut) {
        properties.values_mut().for_each(require);
        let names: Vec<Value> = properties.keys().map(|name| json!(name)).collect();
        object.insert("required".to_owned(), Value::Array(names));
    }
    for inner in INNER {
        match object.get_mut(inner) {
            Some(Value::Array(alternatives)) => alternatives.iter_mut().for_each(require),
            Some(one) => require(one),
            None => {}
        }
    }
}

/// Adds the members that are listed and absent.
fn fill(schema: &Value, value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (name, schema) in schema["properties"].as_object().into_iter().flat_map(Map::iter) {
                fill(schema, members.entry(name).or_insert_with(|| empty(schema)));
            }
            if schema["additionalProperties"].is_object() && schema["properties"].is_null() {
                members.values_mut().for_each(|inner| fill(&schema["additionalProperties"], inner));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| fill(&schema["items"], item)),
        _ => {}
    }
    if !value.is_null() {
        for alternative in schema["anyOf"].as_array().into_iter().chain(schema["allOf"].as_array()).flatten() {
            fill(alternative, value);
        }
    }
}

/// The empty value of a schema's type.
fn empty(schema: &Value) -> Value {
    let types: Vec<&str> = match &schema["type"] {
        Value::Array(types) => types.iter().filter_map(Value::as_str).collect(),
        one => one.as_str().into_iter().collect(),
    };
    let is = |name: &str| types.contains(&name);
    match () {
        () if is("array") && !is("null") => json!([]),
        () if is("object") && !is("null") => json!({}),
        () if is("boolean") && !is("null") => json!(false),
        () if (is("integer") || is("number")) && !is("null") => json!(0),
        () if is("string") && !is("null") => json!(""),
        () => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    //! What is stored without its empty members is answered with them.

    use super::*;

    #[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
    struct Link {
        url: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        rel: Option<String>,
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        blank: bool,
    }

    #[derive(Debug, Default, Serialize, Deserialize, JsonSchema)]
    struct Page {
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        links: Vec<Link>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        first: Option<Link>,
        #[serde(default, skip_serializing_if = "str::is_empty")]
        title: &'static str,
    }

    #[test]
    fn members_that_storage_leaves_out_are_written_and_required() {
        let link = || Link { url: "https://a.example/".to_owned(), ..Link::default() };
        let whole = json!({ "url": "https://a.example/", "rel": null, "blank": false });
        let empty = serde_json::to_value(Whole(Page::default())).unwrap();
        assert_eq!(empty, json!({ "links": [], "first": null, "title": "" }));
        let page = Page { links: vec![link()], first: Some(link()), title: "Lamps" };
        let full = serde_json::to_value(Whole(page)).unwrap();
        assert_eq!(full, json!({ "links": [whole], "first": whole, "title": "Lamps" }));
        let schema = crate::schema::result::<Whole<Page>>();
        let required = |schema: &Value| schema["required"].as_array().map(Vec::len);
        assert_eq!((required(&schema), required(&schema["properties"]["links"]["items"])), (Some(3), Some(3)));
        assert!(jsonschema::validator_for(&schema).unwrap().is_valid(&full));
        assert!(jsonschema::validator_for(&schema).unwrap().is_valid(&empty));
    }
}
