//! A component that is not what its lock says does not load, and the refusal says which line.

use catalog::lock::Lock;
use model::contract::Kind;
use sandbox::{LoadError, inspect};

use crate::guest::{component, lock, manifest, sandbox, text};

#[track_caller]
fn refused(component: &[u8], lock: &Lock, says: &[&str]) {
    // Through the text, as a reviewer's file, so that lines have numbers.
    let lock = Lock::parse("hostile.toml", &lock.text()).expect("a written lock can be read");
    let error = sandbox().load(component, &lock, Default::default()).expect_err("the component is refused").to_string();
    for words in says {
        assert!(error.contains(words), "{error:?} does not say {words:?}");
    }
}

fn guest(name: &str) -> (Vec<u8>, Lock) {
    let text = text(name);
    let component = component(text, &manifest(text));
    let lock = lock(&component);
    (component, lock)
}

#[test]
fn what_was_locked_loads() {
    let (component, lock) = guest("changes");
    let lock = Lock::parse("hostile.toml", &lock.text()).expect("a written lock can be read");
    sandbox().load(&component, &lock, Default::default()).expect("it loads");
}

#[test]
fn an_import_beyond_the_grants_is_refused() {
    let (component, mut lock) = guest("changes");
    lock.grants.remove("records-write");
    refused(&component, &lock, &["hostile.toml:6: grants: the component imports records-write, which is not granted"]);
}

#[test]
fn a_grant_that_is_not_imported_is_refused() {
    let (component, mut lock) = guest("changes");
    lock.grants.insert("web".to_owned());
    refused(&component, &lock, &["grants: web is granted and not imported"]);
}

#[test]
fn another_digest_is_refused() {
    let (component, mut lock) = guest("spin");
    lock.component = "sha256:00".to_owned();
    refused(&component, &lock, &["hostile.toml:4: component: locked sha256:00, built sha256:"]);
    sandbox().load_unpinned(&component, &lock, Default::default()).expect("development does not compare digests");
}

#[test]
fn a_changed_contract_is_refused() {
    let (_, lock) = guest("spin");
    let text = text("spin");
    let mut changed = manifest(text);
    changed.operations[0].kind = Kind::Destructive;
    changed.operations[0].cost.base = 0;
    refused(
        &component(text, &changed),
        &lock,
        &[
            "operations.\"hostile.spin\".kind: locked read, built destructive",
            "operations.\"hostile.spin\".cost: locked list: 1 point, built list: 0 points",
            "operations.\"hostile.spin\".contract: locked sha256:",
        ],
    );
}

#[test]
fn a_contract_that_changes_only_in_its_schema_is_refused() {
    let (_, lock) = guest("spin");
    let text = text("spin");
    let mut changed = manifest(text);
    changed.operations[0].result = serde_json::json!({"type": "object", "title": "other"});
    refused(&component(text, &changed), &lock, &["operations.\"hostile.spin\".contract: locked sha256:"]);
}

#[test]
fn an_export_without_a_contract_is_refused() {
    let text = text("allocate");
    let mut silent = manifest(text);
    silent.operations.remove(1);
    let component = component(text, &silent);
    refused(&component, &lock(&component), &["operations: the component exports table without a contract"]);
}

#[test]
fn a_contract_without_an_export_is_refused() {
    let text = text("spin");
    let mut boasting = manifest(text);
    let mut second = boasting.operations[0].clone();
    second.id = "hostile.fly".to_owned();
    second.export = "fly".to_owned();
    boasting.operations.push(second);
    let component = component(text, &boasting);
    refused(
        &component,
        &lock(&component),
        &["operations: the contracts name the export fly, which the component lacks"],
    );
}

#[test]
fn an_operation_that_is_not_locked_is_refused() {
    let (component, mut lock) = guest("allocate");
    lock.operations.remove("hostile.table");
    refused(&component, &lock, &["hostile.table was built and is not locked"]);
}

#[test]
fn a_locked_operation_that_was_not_built_is_refused() {
    let (component, mut lock) = guest("spin");
    let entry = lock.operations["hostile.spin"].clone();
    lock.operations.insert("hostile.gone".to_owned(), entry);
    refused(&component, &lock, &["operations.\"hostile.gone\": hostile.gone is locked and was not built"]);
}

#[test]
fn a_withheld_operation_is_not_offered() {
    let (component, mut lock) = guest("allocate");
    lock.operations.remove("hostile.table");
    lock.withheld.insert("hostile.table".to_owned());
    let module = sandbox().load(&component, &lock, Default::default()).expect("it loads");
    assert!(!module.offers(&sandbox::Export::Operation("hostile.table".to_owned())));
    assert_eq!(module.manifest.operations.len(), 1);
}

#[test]
fn a_raised_limit_needs_a_reason() {
    let (component, mut lock) = guest("spin");
    lock.limits.fuel = Some(1_000_000_000);
    refused(&component, &lock, &["limits.fuel: fuel is raised above the table without a reason"]);
    lock.limits.reason = Some("measured on the largest sites".to_owned());
    let lock = Lock::parse("hostile.toml", &lock.text()).expect("a written lock can be read");
    let module = sandbox().load(&component, &lock, Default::default()).expect("it loads");
    let limits = module.limits(&sandbox::Export::Operation("hostile.spin".to_owned())).expect("it has the operation");
    assert_eq!(limits.fuel, 1_000_000_000);
}

#[test]
fn a_component_without_contracts_is_refused() {
    let error = inspect::inspect(&wat::parse_str("(component)").expect("wat")).expect_err("refused");
    assert!(error.to_string().contains("espalier:contracts@1"), "{error}");
}

#[test]
fn a_component_that_passes_strings_as_utf16_is_refused() {
    let text = r#"(component
        (import "f" (func $f (param "s" string)))
        (core module $m (memory (export "memory") 1))
        (core instance $i (instantiate $m))
        (core func (canon lower (func $f) (memory (core memory $i "memory")) string-encoding=utf16)))"#;
    let component = wat::parse_str(text).expect("wat");
    let (spin, _) = guest("spin");
    let section = contracts_of(&spin);
    let mut whole = component;
    whole.extend_from_slice(&section);
    let error = inspect::inspect(&whole).expect_err("refused");
    assert!(matches!(error, inspect::InspectError::Encoding("UTF-16")), "{error}");
}

#[test]
fn a_component_with_two_sections_of_contracts_is_refused() {
    let (mut component, lock) = guest("spin");
    let section = contracts_of(&component);
    component.extend_from_slice(&section);
    let error = sandbox().load(&component, &lock, Default::default()).expect_err("refused");
    assert!(matches!(error, LoadError::Inspect { .. }), "{error}");
    assert!(error.to_string().contains("twice"), "{error}");
}

#[test]
fn a_component_that_is_no_component_is_refused() {
    for bytes in [&b""[..], b"\0asm", b"not wasm at all", &[0; 64]] {
        inspect::inspect(bytes).expect_err("refused");
    }
    inspect::inspect(&vec![0; (16 << 20) + 1]).expect_err("too large");
}

/// The contract section is the last one the build writes: everything behind the component without it.
fn contracts_of(component: &[u8]) -> Vec<u8> {
    let name = b"espalier:contracts@1";
    let at = component.windows(name.len()).rposition(|window| window == name).expect("it has the section");
    // Its header: the id 0, its length in at most five bytes, the name's length in one.
    let start = (2..=6).map(|back| at - 1 - back).find(|start| {
        component[*start] == 0 && {
            let (mut length, mut shift, mut cursor) = (0usize, 0, start + 1);
            loop {
                let byte = component[cursor];
                cursor += 1;
                length |= usize::from(byte & 0x7f) << shift;
                shift += 7;
                if byte & 0x80 == 0 {
                    break;
                }
            }
            cursor == at - 1 && cursor + length == component.len()
        }
    });
    component[start.expect("the section is the last")..].to_vec()
}
