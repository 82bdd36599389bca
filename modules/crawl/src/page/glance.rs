//! A few members of a row, found in its text without reading the others.

use serde_json::{Map, Value};

use crate::stored::Written;

/// The wanted fields of a row; one that it does not have is left out.
pub(super) fn glance(row: &Written, wanted: &[&'static str]) -> Map<String, Value> {
    let member = |name: &&'static str| Some(((*name).to_owned(), member(row.text(), name)?));
    wanted.iter().filter_map(member).collect()
}

/// A member of a flat object that was written without spaces. Within a text a quote has a backslash before it, so that
/// `"name":` stands nowhere but where the member does.
fn member(object: &str, name: &str) -> Option<Value> {
    let key = format!("\"{name}\":");
    let (_, rest) = object.split_once(&key)?;
    serde_json::Deserializer::from_str(rest).into_iter().next()?.ok()
}

/// All of a row.
pub(super) fn whole(row: &Written) -> Map<String, Value> {
    serde_json::from_str(row.text()).unwrap_or_else(|error| panic!("a row does not read: {error}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::member;

    #[test]
    fn a_member_is_found_by_its_name_and_never_in_a_text_that_quotes_it() {
        let row = json!({ "aa": "\"status\":500, \\\"status\":1", "b": "\"status\"", "h1": "x", "status": 404, "title": "\"status\":7" });
        let text = row.to_string();
        for (name, value) in row.as_object().unwrap() {
            assert_eq!(member(&text, name).as_ref(), Some(value), "{name}");
        }
        assert_eq!(member(&text, "depth"), None);
        assert_eq!(member(r#"{"status":404}"#, "status"), Some(json!(404)));
        assert_eq!(member(r#"{"flag":true,"n":-1.5e3,"none":null}"#, "n"), Some(json!(-1500.0)));
    }
}
