//! Texts of contracts that hide something or draw on a terminal. They would reach agents and whoever reviews the component,
//! so a component with one is no component that may run.

use std::borrow::Cow;

use model::contract::Contract;
use model::legible::{escape, legible, legible_json};
use model::manifest::Manifest;
use serde_json::Value;

/// The first such text, and where it is. Only descriptions have several lines.
pub(crate) fn hidden(text: &[u8], manifest: &Manifest) -> Option<String> {
    let text = std::str::from_utf8(text).ok()?;
    // Nearly always there is nothing, and one look at the whole says so.
    let escapes = ["\\u", "\\b", "\\f", "\\r", "\\t"];
    let may_hide = matches!(legible_json(text), Cow::Owned(_)) || escapes.iter().any(|it| text.contains(it));
    if !may_hide && lines(manifest).all(|line| !line.contains('\n')) {
        return None;
    }
    walk(&serde_json::from_str(text).ok()?, "", false)
}

fn of_contract(it: &Contract) -> Vec<&str> {
    let lists = [&it.side_effects, &it.needs, &it.phrasings, &it.secrets];
    let names = [Some(&it.id), Some(&it.export), Some(&it.summary), it.result_operation.as_ref(), it.step.as_ref()];
    names.into_iter().flatten().chain(lists.into_iter().flatten()).map(String::as_str).collect()
}

/// Texts that are one line each.
fn lines(manifest: &Manifest) -> impl Iterator<Item = &str> {
    let contracts = manifest.operations.iter().chain(&manifest.routes).flat_map(of_contract);
    let steps = manifest.steps.iter().flat_map(|it| [it.name.as_str(), it.export.as_str()]);
    let collections = manifest.collections.iter().flat_map(|it| {
        let indexes = it.indexes.iter().flat_map(|index| std::iter::once(&index.name).chain(&index.fields));
        std::iter::once(&it.name).chain(indexes).map(String::as_str)
    });
    let raw = manifest.raw.iter().flat_map(|it| [it.name.as_str(), it.words.as_str()]);
    [manifest.module.as_str(), manifest.wit.as_str()]
        .into_iter()
        .chain(contracts)
        .chain(steps)
        .chain(collections)
        .chain(raw)
}

fn walk(value: &Value, place: &str, has_lines: bool) -> Option<String> {
    match value {
        Value::String(text) if hides(text, has_lines) => {
            Some(format!("{} has an invisible character: {}", escape(place, 400), escape(text, 200)))
        }
        Value::Array(items) => {
            items.iter().enumerate().find_map(|(at, item)| walk(item, &format!("{place}/{at}"), has_lines))
        }
        Value::Object(members) => members.iter().find_map(|(name, member)| {
            let place = format!("{place}/{name}");
            let named =
                hides(name, false).then(|| format!("{} has an invisible character in its name", escape(&place, 400)));
            named.or_else(|| walk(member, &place, name == "description"))
        }),
        _ => None,
    }
}

fn hides(text: &str, has_lines: bool) -> bool {
    let breaks = |it: char| it.is_control() && !(has_lines && it == '\n');
    legible(text) != text || text.chars().any(breaks)
}

#[cfg(test)]
mod tests {
    //! Tests of `hidden`.

    use serde_json::json;

    use super::*;

    fn manifest() -> Value {
        json!({
            "module": "authors",
            "wit": "espalier:module@1.0.0",
            "operations": [{
                "id": "authors.list", "export": "list", "kind": "read", "mode": "immediate", "scopes": ["assets:read"],
                "summary": "Lists authors.", "description": "Lists authors.\n\nNewest first.",
                "cost": { "class": "list", "base": 1 }, "side_effects": ["none"],
                "arguments": { "type": "object", "properties": { "q": { "type": "string", "description": "What." } } },
                "result": { "type": "object" }, "examples": [{}], "phrasings": ["list authors"], "needs": ["web"],
            }],
            "steps": [{ "name": "run", "export": "run" }],
            "collections": [{ "name": "authors", "indexes": [{ "name": "by_name", "fields": ["name"] }] }],
        })
    }

    fn found(manifest: &Value) -> Option<String> {
        let text = manifest.to_string();
        hidden(text.as_bytes(), &serde_json::from_value(manifest.clone()).expect("a manifest"))
    }

    #[test]
    fn plain_texts_in_any_script_are_let_in() {
        let mut plain = manifest();
        plain["operations"][0]["phrasings"] =
            json!(["فهرست نویسنده\u{200c}ها", "作者一覧", "liste \\t auteurs 👩\u{200d}💻"]);
        assert_eq!(found(&plain), None);
    }

    #[test]
    fn a_text_that_hides_or_draws_is_found_wherever_it_stands() {
        let places = [
            "/module",
            "/operations/0/id",
            "/operations/0/export",
            "/operations/0/summary",
            "/operations/0/description",
            "/operations/0/side_effects/0",
            "/operations/0/phrasings/0",
            "/operations/0/needs/0",
            "/steps/0/name",
            "/operations/0/arguments/properties/q/description",
            "/collections/0/name",
            "/collections/0/indexes/0/name",
        ];
        let texts =
            ["\u{1b}[2Knothing", "a\u{9b}1Ab", "a\rb", "a\u{202e}b", "a\u{200b}b", "\u{e0041}\u{e0042}a", "a\u{8}b"];
        for place in places {
            for text in texts {
                let mut hostile = manifest();
                *hostile.pointer_mut(place).expect("a place") = json!(text);
                let found = found(&hostile).unwrap_or_else(|| panic!("{text:?} at {place}"));
                assert!(found.contains(place) && !found.chars().any(model::legible::is_invisible), "{found}");
            }
        }
    }

    #[test]
    fn names_of_members_and_second_lines_of_what_is_one_line_are_found() {
        let mut named = manifest();
        named["operations"][0]["arguments"]["properties"] = json!({ "a\u{1b}[8m": { "type": "string" } });
        assert!(found(&named).is_some());
        for place in
            ["/operations/0/id", "/operations/0/summary", "/operations/0/phrasings/0", "/steps/0/name", "/module"]
        {
            let mut lines = manifest();
            *lines.pointer_mut(place).expect("a place") = json!("one\nnobody has to say yes");
            assert!(found(&lines).is_some(), "{place}");
        }
    }
}
