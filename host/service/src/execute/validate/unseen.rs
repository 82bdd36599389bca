//! Texts of invisible characters alone: nobody sees that there is one, and nothing of it would be left in an answer.

use model::legible::legible;
use model::refusal::Refusal;
use serde_json::Value;

/// The refusal of the first argument, or member of one, that is such a text.
pub(super) fn refuse(arguments: &Value) -> Option<Refusal> {
    find(arguments, &mut String::new()).map(|pointer| {
        let message =
            "this text has only characters that nobody sees (control characters, zero widths, marks of direction)";
        Refusal::invalid_arguments(pointer, message)
    })
}

fn find(value: &Value, at: &mut String) -> Option<String> {
    let mut within = |name: &str, inner: &Value| {
        let length = at.len();
        at.push('/');
        at.push_str(&name.replace('~', "~0").replace('/', "~1"));
        let found = find(inner, at);
        at.truncate(length);
        found
    };
    match value {
        Value::String(text) if !text.is_empty() && legible(text).is_empty() => Some(at.clone()),
        Value::Array(items) => items.iter().enumerate().find_map(|(place, item)| within(&place.to_string(), item)),
        Value::Object(members) => members.iter().find_map(|(name, member)| within(name, member)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    //! Tests of `unseen`.

    use serde_json::json;

    use super::*;

    #[test]
    fn a_text_that_nobody_sees_is_refused_at_its_place_and_others_are_let_in() {
        for text in ["\u{200b}", "\u{202e}\u{202c}", "\u{e0041}\u{e0042}", "\u{7}\u{0}", "\u{feff}", "\u{1b}[2K"] {
            let refusal = refuse(&json!({ "a": [{ "b/c": text }] })).expect(text);
            assert_eq!(refusal.detail["pointer"], "/a/0/b~1c", "{text:?}");
        }
        for value in [json!({ "a": "" }), json!({ "a": " \n" }), json!({ "a": "x\u{200b}", "b": 1, "c": null })] {
            assert!(refuse(&value).is_none(), "{value}");
        }
    }
}
