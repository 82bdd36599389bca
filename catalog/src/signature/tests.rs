//! Tests of `signature`.

use serde_json::json;

use super::of;

#[test]
fn an_argument_list_reads_as_one_line_with_required_members_first() {
    let schema = json!({
        "type": "object",
        "required": ["urls", "site_id"],
        "properties": {
            "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 25},
            "site_id": {"type": "string", "minLength": 1, "maxLength": 64},
            "status": {"anyOf": [{"$ref": "#/$defs/Status"}, {"type": "null"}]},
            "urls": {"type": "array", "minItems": 1, "maxItems": 10, "items": {"type": "string", "format": "uri"}}
        },
        "$defs": {"Status": {"type": "string", "enum": ["active", "archived"]}}
    });
    assert_eq!(
        of(&schema),
        "site_id: text[1..64], urls: list[1..10] of uri, limit?: int[1..100] = 25, status?: active|archived"
    );
}

#[test]
fn no_arguments_read_as_none() {
    assert_eq!(of(&json!({"type": "object", "additionalProperties": false})), "none");
}

#[test]
fn a_schema_that_contains_itself_ends() {
    let schema = json!({
        "type": "object",
        "properties": {"tree": {"$ref": "#/$defs/Node"}},
        "$defs": {"Node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}}}
    });
    assert!(of(&schema).contains('…'));
}
