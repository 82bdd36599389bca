//! Finding the members of a result's schema that hold free text.

use serde_json::{Map, Value, json};

/// Marks them, below a member that is the module's `own` only those that are marked already; says whether there is any.
pub(super) fn mark(schema: &mut Value, own: bool) -> bool {
    if *schema == Value::Bool(true) && !own {
        *schema = json!({});
    }
    let Value::Object(object) = schema else { return false };
    let own = object.remove("own").is_some() || own;
    if object.contains_key("untrusted") {
        return true;
    }
    if !own && open(object) {
        object.insert("untrusted".into(), Value::Bool(true));
        return true;
    }
    let mut marked = false;
    for keyword in ["properties", "$defs"] {
        for inner in object.get_mut(keyword).and_then(Value::as_object_mut).into_iter().flat_map(Map::values_mut) {
            marked |= mark(inner, own);
        }
    }
    for keyword in ["items", "additionalProperties"] {
        if let Some(inner) = object.get_mut(keyword) {
            marked |= mark(inner, own);
        }
    }
    for keyword in ["anyOf", "oneOf", "allOf", "prefixItems"] {
        for inner in object.get_mut(keyword).and_then(Value::as_array_mut).into_iter().flatten() {
            marked |= mark(inner, own);
        }
    }
    marked
}

/// Whether anything may be written here: text without a form, a member of any type, an object of any names.
fn open(schema: &Map<String, Value>) -> bool {
    const FORMS: [&str; 4] = ["enum", "const", "format", "pattern"];
    const PARTS: [&str; 4] = ["anyOf", "oneOf", "allOf", "$ref"];
    if FORMS.iter().chain(&PARTS).any(|it| schema.contains_key(*it)) {
        return false;
    }
    let Some(kind) = schema.get("type") else { return !schema.contains_key("properties") };
    let is = |wanted: &str| kind == wanted || kind.as_array().is_some_and(|kinds| kinds.iter().any(|it| it == wanted));
    let any_names = schema.get("additionalProperties").is_some_and(|it| *it != Value::Bool(false));
    is("string")
        || (is("object") && (any_names || !schema.contains_key("properties")))
        || (is("array") && !schema.contains_key("items") && !schema.contains_key("prefixItems"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_text_is_marked_and_what_has_a_form_or_is_our_own_is_not() {
        let mut schema = json!({
            "type": "object",
            "properties": {
                "title": { "type": ["string", "null"] },
                "state": { "type": "string", "enum": ["done"] },
                "day": { "type": "string", "format": "date" },
                "message": { "type": "string", "own": true },
                "finding": { "type": "object", "own": true, "properties": { "words": { "type": "string" } } },
                "any": true,
                "counts": { "type": "object", "additionalProperties": { "type": "integer" } },
                "rows": { "type": "array", "items": { "type": "object", "properties": { "text": { "type": "string" }, "n": { "type": "integer" } } } },
            },
        });
        assert!(mark(&mut schema, false));
        let yes = Value::Bool(true);
        let marked: Vec<_> = ["/title", "/any", "/counts", "/rows/items/properties/text"]
            .iter()
            .map(|it| schema["properties"].pointer(&format!("{it}/untrusted")) == Some(&yes))
            .collect();
        assert_eq!(marked, [true; 4]);
        let text = schema.to_string();
        assert_eq!(text.matches("untrusted").count(), 4, "{text}");
        assert!(!text.contains("own"), "{text}");
    }
}
