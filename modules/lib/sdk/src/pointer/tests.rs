//! Positions of real serde errors, named.

use serde::Deserialize;

use crate::value::{List, Text};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "only read into")]
struct Arguments {
    name: Text<1, 3>,
    #[serde(default)]
    urls: List<crate::value::Url, 0, 5>,
}

fn pointer(text: &str) -> String {
    let error = serde_json::from_str::<Arguments>(text).expect_err("the text is wrong");
    super::at(text, error.line(), error.column())
}

#[test]
fn a_member_at_fault_is_named() {
    assert_eq!(pointer(r#"{"name": "long"}"#), "/name");
    assert_eq!(pointer("{\n  \"urls\": [],\n  \"name\": \"long\"\n}"), "/name");
}

#[test]
fn an_item_at_fault_is_counted() {
    assert_eq!(pointer(r#"{"name": "a", "urls": ["https://a.example/", "ftp://b.example/"]}"#), "/urls/1");
}

#[test]
fn an_unknown_member_is_named() {
    assert_eq!(pointer(r#"{"name": "a", "colour": 1}"#), "/colour");
}
