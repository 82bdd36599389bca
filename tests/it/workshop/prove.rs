//! `espalier prove`: a report of the sandbox on this machine, with the settings that are in force.

use hostile::{Attempt, CASES};
use serde_json::Value;
use tests::host::operate;

fn prove(settings: &str, only: &[&str]) -> (bool, Value, String) {
    let data = tempfile::tempdir().expect("a folder");
    std::fs::write(data.path().join("espalier.toml"), settings).expect("a file");
    let output = operate(data.path(), &[&["prove"], only].concat());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.success(), serde_json::from_slice(&output.stdout).unwrap_or_default(), said)
}

fn fell(report: &Value) -> Vec<&str> {
    let attempts = report["attempts"].as_array().expect("attempts").iter();
    attempts.filter(|it| it["holds"] == false).filter_map(|it| it["name"].as_str()).collect()
}

#[test]
fn every_attempt_comes_to_what_it_must_and_the_report_says_on_what() {
    // One crowd stands for the others, which the sandbox's own tests make with this very judge, a minute of two cores.
    let crowds = CASES.iter().filter(|case| matches!(case.attempt, Attempt::Crowd(..))).skip(1).map(|case| case.name);
    let crowds: Vec<&str> = crowds.collect();
    let rest = CASES.iter().map(|case| case.name).filter(|name| !crowds.contains(name));
    let asked: Vec<&str> = rest.flat_map(|it| ["--only", it]).collect();
    let (held, report, said) = prove("", &asked);
    assert!(held, "{said}");
    assert!(report["held"].as_u64() >= Some(35) && fell(&report).is_empty(), "{report}");
    assert!(report["engine"].as_str().is_some_and(|it| it.starts_with("wasmtime ")), "{report}");
    assert_eq!(report["limits"]["read"]["rows_written"], 0);
}

#[test]
fn a_hole_in_the_settings_is_told_and_what_gets_through_it_ends_the_proof() {
    let hole = "[outbound]\nallow_private = [\"169.254.0.0/16\"]\n";
    // The crowds only take long: none of them asks the outside.
    let only = CASES.iter().filter(|case| !matches!(case.attempt, Attempt::Crowd(..))).map(|case| case.name);
    let asked: Vec<&str> = only.flat_map(|it| ["--only", it]).collect();
    let (held, report, said) = prove(hole, &asked);
    assert!(!held && said.contains("fetch-metadata-ip"), "{said}");
    assert_eq!(fell(&report), ["fetch-metadata-ip", "tls-to-metadata-ip", "name-of-the-inside"]);
    assert_eq!(report["attempts"].as_array().map(|it| it.len() * 2), Some(asked.len()), "no other attempt was made");
    assert!(report["holes"].to_string().contains("outbound.allow_private has 169.254.0.0/16"), "{report}");
}

#[test]
fn an_attempt_that_there_is_not_is_refused_with_those_that_there_are() {
    let (held, report, said) = prove("", &["--only", "nonesuch"]);
    assert!(!held && report.is_null() && said.contains("there is no attempt nonesuch; there are "), "{said}");
    assert!(said.contains("fetch-metadata-ip"), "{said}");
}
