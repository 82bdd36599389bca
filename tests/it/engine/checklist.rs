//! Every row of the authorization server's checklist is a test that begins with the row's number.

use std::collections::BTreeSet;
use std::path::Path;

/// The tables: discovery, registration, authorization, token endpoint, revocation and bearer use.
const TABLES: [(char, u32); 5] = [('d', 4), ('r', 9), ('a', 12), ('t', 13), ('v', 8)];

/// RFC 9700 section 4, in words that begin the name of a test.
const ATTACKS: [&str; 13] = [
    "redirect_uri_tricks",
    "nothing_leaks_by_referrer",
    "mix_up",
    "code_injection",
    "code_replay",
    "pkce_downgrade",
    "csrf_on_sign_in",
    "csrf_on_consent",
    "clickjacking",
    "a_form_is_answered_with_303_and_never_307",
    "open_redirect",
    "refresh_replay",
    "a_made_up_forwarded_address",
];

/// The names of all test functions under `host/`.
fn names(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            names(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).expect("UTF-8");
            let mut is_test = false;
            for line in text.lines().map(str::trim) {
                let function = line.trim_start_matches("async ").strip_prefix("fn ");
                match function.and_then(|rest| rest.split('(').next()) {
                    Some(name) if is_test => drop(found.insert(name.to_owned())),
                    _ => {}
                }
                is_test = line.starts_with("#[test]") || line.starts_with("#[tokio::test");
            }
        }
    }
}

#[test]
fn every_row_and_every_attack_has_a_test_of_its_name() {
    let mut found = BTreeSet::new();
    names(&Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace").join("host"), &mut found);
    let rows = TABLES.iter().flat_map(|&(table, rows)| (1..=rows).map(move |row| format!("{table}{row}_")));
    let wanted = rows.chain(ATTACKS.iter().map(|attack| format!("attack_{attack}")));
    let missing: Vec<String> =
        wanted.filter(|start| !found.iter().any(|name| name.starts_with(start.as_str()))).collect();
    assert!(missing.is_empty(), "no test for {missing:?}");
}
