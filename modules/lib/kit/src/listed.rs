//! Arguments as a row of the catalog's table lists them: the check of calls that answers name.

use serde_json::{Map, Value};

/// Whether arguments are what a row of the catalog's table lists, such as `url:url!, limit:int[1..100]=25`: all that are
/// needed and none that it does not know, each of its kind. For what names operations that are still to come.
///
/// # Errors
/// What does not fit, in words.
pub fn fits(listed: &str, arguments: &Map<String, Value>) -> Result<(), String> {
    let mut depth = 0;
    let parts = listed.split(|letter| {
        depth += match letter {
            '[' | '{' | '(' => 1,
            ']' | '}' | ')' => -1,
            _ => 0,
        };
        letter == ',' && depth == 0
    });
    let takes: Vec<(&str, &str)> = parts.filter_map(|it| it.trim().split_once(':')).collect();
    for (name, kind) in &takes {
        match arguments.get(*name) {
            None if kind.ends_with('!') => return Err(format!("{name} is needed")),
            Some(value) if !is_of(kind, value) => return Err(format!("{name} is not {kind}")),
            _ => {}
        }
    }
    let unknown = arguments.keys().find(|name| !takes.iter().any(|(it, _)| it == name));
    unknown.map_or(Ok(()), |name| Err(format!("{name} is no argument")))
}

/// Whether a value is of a kind that the table writes, such as `list[url][1..5]` or `on|off`.
fn is_of(kind: &str, value: &Value) -> bool {
    let kind = kind.trim_end_matches('!').split('=').next().unwrap_or_default();
    let url = |it: &Value| it.as_str().is_some_and(|it| it.starts_with("http"));
    match kind.split(['[', '{']).next().unwrap_or_default() {
        "str" | "date" | "time" => value.is_string(),
        "url" => url(value),
        "int" => value.is_u64(),
        "decimal" => value.is_number(),
        "bool" => value.is_boolean(),
        "object" => value.is_object(),
        "list" if kind.starts_with("list[url]") => value.as_array().is_some_and(|it| it.iter().all(url)),
        "list" => value.is_array(),
        choice => choice.split('|').any(|it| value == it),
    }
}

#[cfg(test)]
mod tests {
    //! What the table lists, and calls that fit and do not.

    use serde_json::json;

    use super::*;

    #[test]
    fn arguments_fit_a_row_when_nothing_is_missing_unknown_or_of_another_kind() {
        let row = "site_id:str!, items:list[1..3]{from,to}!, urls:list[url][..5], kind:on|off=on, limit:int[1..9]=2";
        let check = |arguments: Value| fits(row, arguments.as_object().expect("an object"));
        assert_eq!(check(json!({ "site_id": "7", "items": [] })), Ok(()));
        assert_eq!(
            check(json!({ "site_id": "7", "items": [], "urls": ["https://a.example/"], "kind": "off" })),
            Ok(())
        );
        assert_eq!(check(json!({ "site_id": "7" })), Err("items is needed".to_owned()));
        assert_eq!(check(json!({ "site_id": 7, "items": [] })), Err("site_id is not str!".to_owned()));
        assert_eq!(check(json!({ "site_id": "7", "items": [], "to": 1 })), Err("to is no argument".to_owned()));
        assert!(check(json!({ "site_id": "7", "items": [], "urls": ["lamps"] })).is_err());
        assert!(check(json!({ "site_id": "7", "items": [], "kind": "maybe" })).is_err());
    }
}
