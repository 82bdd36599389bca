//! A bounded run of each target: the same inputs in each run, of real contracts, locks and components.

use std::path::Path;

use fuzz::mutate::{Chance, mutated};
use fuzz::{arguments, contracts, lock, section};

/// Inputs of a target.
const ROUNDS: usize = 20_000;

fn file(path: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).expect("a seed")
}

/// Canonical contracts, as a component has them.
fn canonical(path: &str) -> Vec<u8> {
    let manifest: model::manifest::Manifest = serde_json::from_slice(&file(path)).expect("a manifest");
    model::canonical::write(&manifest)
}

/// Says which input it was: the panic of the target alone would not.
fn run(target: fn(&[u8]), seeds: &[Vec<u8>], rounds: usize) {
    for seed in seeds {
        target(seed);
    }
    let mut chance = Chance::new(0x00E5_9A11);
    for round in 0..rounds {
        let input = mutated(&seeds[round % seeds.len()], &mut chance);
        let ended = std::panic::catch_unwind(|| target(&input));
        assert!(ended.is_ok(), "round {round}: {:?}", String::from_utf8_lossy(&input));
    }
}

#[test]
fn no_section_of_a_component_breaks_what_reads_it() {
    let text = String::from_utf8(file("seeds/component.wat")).expect("text");
    let component = wat::parse_str(text).expect("a component");
    let sealed = sandbox::seal::seal(&component, &file("seeds/contracts.json"), &[]).expect("sealed");
    let contracts = canonical("seeds/contracts.json");
    run(section::check, &[component, sealed, section::around(&contracts), contracts], ROUNDS);
}

#[test]
fn no_contract_breaks_what_judges_it() {
    let contracts = ["seeds/contracts.json", "../tongues/javascript/contracts.json"].map(canonical);
    run(contracts::check, &contracts, ROUNDS);
}

#[test]
fn no_lock_changes_by_being_read() {
    let locks = ["authors", "connections", "audit"].map(|name| file(&format!("../../catalog/2026-09-28/{name}.toml")));
    run(lock::check, &locks, ROUNDS);
}

#[test]
fn no_arguments_break_what_refuses_them() {
    run(arguments::check, &["seeds/arguments.json", "seeds/number.json"].map(file), ROUNDS);
}
