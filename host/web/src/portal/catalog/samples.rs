//! Calls to copy: the same one for a shell, for Python, and for an MCP client.

use model::contract::Contract;
use serde_json::{Value, json};
use service::config::Config;

/// One call in three languages.
pub(super) struct Samples {
    pub(super) curl: String,
    pub(super) python: String,
    pub(super) mcp: String,
}

impl Samples {
    /// A call of this operation with the first example of its contract.
    pub(super) fn of(contract: &Contract, config: &Config) -> Self {
        let arguments = contract.examples.first().cloned().unwrap_or_else(|| json!({}));
        let url = format!("{}/operations/{}", config.base_url(), contract.id);
        let mutates = contract.kind.mutates();
        Self {
            curl: curl(&url, &arguments, mutates),
            python: python(&url, &arguments, mutates),
            mcp: mcp(&contract.id, &arguments, mutates),
        }
    }
}

fn curl(url: &str, arguments: &Value, mutates: bool) -> String {
    let key = if mutates { "  -H \"Idempotency-Key: $(uuidgen)\" \\\n" } else { "" };
    let body = arguments.to_string().replace('\'', r"'\''");
    format!(
        "curl {url} \\\n  -H \"Authorization: Bearer $ESPALIER_TOKEN\" \\\n  -H \"Content-Type: application/json\" \\\n{key}  -d '{body}'"
    )
}

fn python(url: &str, arguments: &Value, mutates: bool) -> String {
    let (import, key) = if mutates {
        ("import os, uuid\n\nimport requests\n", "\n        \"Idempotency-Key\": str(uuid.uuid4()),")
    } else {
        ("import os\n\nimport requests\n", "")
    };
    let body = literal(arguments, 4);
    format!(
        "{import}\nanswer = requests.post(\n    \"{url}\",\n    headers={{\n        \"Authorization\": f\"Bearer {{os.environ['ESPALIER_TOKEN']}}\",{key}\n    }},\n    json={body},\n    timeout=30,\n)\nanswer.raise_for_status()\nprint(answer.json()[\"data\"])"
    )
}

/// A value as Python writes it.
fn literal(value: &Value, indent: usize) -> String {
    let (pad, end) = (" ".repeat(indent + 4), " ".repeat(indent));
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Object(members) if !members.is_empty() => {
            let lines: String = members
                .iter()
                .map(|(name, value)| format!("{pad}{}: {},\n", Value::from(name.as_str()), literal(value, indent + 4)))
                .collect();
            format!("{{\n{lines}{end}}}")
        }
        Value::Array(items) if !items.is_empty() => {
            let lines: String = items.iter().map(|item| format!("{pad}{},\n", literal(item, indent + 4))).collect();
            format!("[\n{lines}{end}]")
        }
        other => other.to_string(),
    }
}

fn mcp(id: &str, arguments: &Value, mutates: bool) -> String {
    let mut given = json!({ "operation_id": id, "arguments": arguments });
    if mutates {
        given["idempotency_key"] = json!("a-new-key-of-your-own");
    }
    let call = json!({ "method": "tools/call", "params": { "name": "service_action_execute", "arguments": given } });
    serde_json::to_string_pretty(&call).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_in_an_argument_stays_inside_the_shells_quotes() {
        let text = curl("https://e.example/v1/operations/a.b", &json!({ "name": "O'Neil" }), true);
        assert!(text.ends_with(r#"-d '{"name":"O'\''Neil"}'"#), "{text}");
        assert!(text.contains("Idempotency-Key"));
    }

    #[test]
    fn python_gets_its_own_words_for_true_and_nothing() {
        let text = literal(&json!({ "a": true, "b": [null, 1], "c": "x\"y", "d": {} }), 0);
        assert_eq!(
            text,
            "{\n    \"a\": True,\n    \"b\": [\n        None,\n        1,\n    ],\n    \"c\": \"x\\\"y\",\n    \"d\": {},\n}"
        );
    }
}
