//! What the real host checks before and after a call, and what a build checks of a module.

use serde_json::Value;

use crate::{Fault, Module};

/// The first thing wrong with a value, as its JSON pointer and a sentence.
pub(super) fn first_error(schema: &Value, value: &Value) -> Option<(String, String)> {
    let validator =
        jsonschema::draft202012::new(schema).unwrap_or_else(|error| panic!("a schema is not one: {error}\n{schema:#}"));
    let error = validator.iter_errors(value).next()?;
    Some((error.instance_path().to_string(), error.to_string()))
}

/// A refusal's code is snake_case of at most 64 characters, its message one sentence of at most 500.
pub(super) fn fault(id: &str, fault: &Fault) {
    let snake = |it: &str| it.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    assert!(
        !fault.code.is_empty() && fault.code.len() <= 64 && snake(&fault.code),
        "{id} refused with the code {:?}",
        fault.code
    );
    assert!(
        fault.message.len() <= 500 && !fault.message.is_empty(),
        "{id} refused with a message of {} bytes",
        fault.message.len()
    );
}

impl Module {
    /// Panics at the first contract that is not whole. `module!` writes the test that calls this.
    pub fn assert_whole(&self) {
        let contracts: Value = serde_json::from_str(&self.contracts()).expect("a contract section is JSON");
        for export in self.operations.iter().chain(&self.routes) {
            let (id, operation) = (export.id, &export.it);
            assert!(id.len() <= 128, "{id} has more than 128 characters");
            assert_eq!(operation.result["type"], "object", "{id} answers something else than an object");
            assert!(
                operation.result["properties"].is_object() || operation.result["additionalProperties"].is_object(),
                "{id} answers nothing"
            );
            let step = operation.step;
            assert!(
                step.is_none_or(|step| self.steps.iter().any(|it| it.name == step)),
                "{id} is queued to a step that module! does not list"
            );
            for (name, property) in operation.arguments["properties"].as_object().into_iter().flatten() {
                assert!(
                    !["customer_id", "operation_id", "idempotency_key"].contains(&name.as_str()),
                    "{id} takes the host's own {name}"
                );
                if let Some(default) = property.get("default") {
                    assert_eq!(
                        first_error(property, default),
                        None,
                        "{id}: the default of {name} is outside its bounds"
                    );
                }
            }
            for example in &operation.examples {
                assert_eq!(
                    first_error(&operation.arguments, example),
                    None,
                    "{id}: an example is not valid: {example}"
                );
            }
        }
        for contract in ["operations", "routes"].iter().flat_map(|it| contracts[*it].as_array().into_iter().flatten()) {
            let per = &contract["cost"]["per"];
            let price = &contract["native_price"];
            for most in [&per["most"], &price["most"]].into_iter().filter(|it| it.is_object()) {
                let bounded = most["fixed"].is_u64() || most["otherwise"].is_u64();
                assert!(
                    bounded,
                    "{}: the units have no upper bound when the argument is absent: say `otherwise`",
                    contract["id"]
                );
                if let Some(name) = most["argument"].as_str() {
                    assert!(
                        contract["arguments"]["properties"][name].is_object(),
                        "{}: there is no argument {name}",
                        contract["id"]
                    );
                }
            }
        }
        for (at, export) in self.operations.iter().enumerate() {
            assert!(!self.operations[..at].iter().any(|it| it.name == export.name), "{} is listed twice", export.id);
        }
    }

    /// Panics when `module.wit` in the folder is not what the module exports; writes it when `UPDATE_EXPECT=1` is set.
    pub fn assert_wit(&self, folder: &str) {
        let path = std::path::Path::new(folder).join("module.wit");
        let wit = self.wit();
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&path, &wit).unwrap_or_else(|error| panic!("module.wit cannot be written: {error}"));
        }
        let committed = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(committed == wit, "module.wit is out of date: UPDATE_EXPECT=1 cargo test -p {} boundary", self.name);
    }
}
