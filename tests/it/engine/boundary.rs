//! The boundary of every built module: what it imports, what it exports, and that both are what was reviewed.

use std::collections::BTreeSet;

use sandbox::inspect;
use tests::host;

#[test]
fn every_module_imports_what_its_lock_grants_and_no_wasi() {
    for module in host::modules() {
        let bytes = std::fs::read(&module.path).expect("a component");
        let shown = inspect::inspect(&bytes).expect("a component of ours");
        let lock = host::locks()
            .remove(&module.name)
            .unwrap_or_else(|| panic!("{} has no lock: run `espalier catalog lock --all`", module.name));
        let imports: BTreeSet<&str> = shown.imports.iter().map(|import| interface(import)).collect();
        assert!(
            shown.imports.iter().all(|import| import.starts_with("espalier:module/")),
            "{}: {:?}",
            module.name,
            shown.imports
        );
        let granted: BTreeSet<&str> = lock.grants.iter().map(String::as_str).collect();
        // `types` holds shapes only; there is no function in it to grant.
        let functions: BTreeSet<&str> = imports.iter().copied().filter(|name| *name != "types").collect();
        assert_eq!(functions, granted, "{}", module.name);
    }
}

#[test]
fn every_export_has_a_contract_and_every_contract_an_export() {
    for module in host::modules() {
        let bytes = std::fs::read(&module.path).expect("a component");
        let shown = inspect::inspect(&bytes).expect("a component of ours");
        // A name in WIT is written with hyphens.
        let package = module.name.replace('_', "-");
        let contracts: BTreeSet<String> = shown
            .built
            .manifest
            .operations
            .iter()
            .map(|contract| format!("espalier:{package}/operations#{}", contract.export))
            .chain(
                shown
                    .built
                    .manifest
                    .routes
                    .iter()
                    .map(|contract| format!("espalier:{package}/routes#{}", contract.export)),
            )
            .chain(shown.built.manifest.steps.iter().map(|step| format!("espalier:{package}/steps#{}", step.export)))
            .collect();
        let exports: BTreeSet<String> = shown.exports.iter().cloned().collect();
        assert_eq!(exports, contracts, "{}", module.name);
    }
}

#[test]
fn every_example_of_a_contract_satisfies_it_and_no_contract_asks_for_a_customer() {
    for module in host::modules() {
        let bytes = std::fs::read(&module.path).expect("a component");
        let shown = inspect::inspect(&bytes).expect("a component of ours");
        for contract in shown.built.manifest.operations.iter().chain(&shown.built.manifest.routes) {
            assert!(!contract.arguments.to_string().contains("customer_id"), "{}", contract.id);
            assert!(!contract.summary.is_empty(), "{} has no summary", contract.id);
            assert!(
                !contract.phrasings.is_empty()
                    || contract.id.starts_with("websites.")
                    || contract.id.starts_with("audits"),
                "{} says no way to ask for it",
                contract.id
            );
            let schema = jsonschema::draft202012::new(&contract.arguments).expect("a schema");
            for example in &contract.examples {
                assert!(schema.is_valid(example), "{}: {example}", contract.id);
            }
        }
    }
}

fn interface(import: &str) -> &str {
    import.rsplit('/').next().unwrap_or(import).split('@').next().unwrap_or(import)
}
