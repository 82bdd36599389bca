//! The page of errors: written from the table of codes, and held against what is committed.

use std::collections::BTreeSet;
use std::{env, fs};

use model::refusal::codes::{ALL, Code, Doors};

use crate::problem::status;

const PLACE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/ERRORS.md");

const HEAD: &str = "# Errors

Written from `host/model/src/refusal/codes.rs` by a test; change the table, then `UPDATE_EXPECT=1 cargo test -p web errors`.

Every failure is one envelope: `{ \"error\": { \"code\", \"message\", … }, \"request_id\" }`. The code is stable; the message is a sentence for a person and may change.
REST sends it with the status. MCP sends the same text as the content of a result with `isError`, word for word but for the `request_id`; what is decided before a tool is called (401, 403 for a scope, 405, 413, 415) is the same HTTP answer on both.
A code that is not here is a module's own, such as `note_not_found`; its class is one of 403, 404, 409, 422 and 503.
";

fn row(code: &Code) -> String {
    let members: Vec<String> = code.members.iter().map(|member| format!("`{member}`")).collect();
    let where_ = match code.doors {
        Doors::Both => "REST, MCP",
        Doors::Rest => "REST",
        Doors::Mcp => "MCP",
        Doors::Upload => "uploads",
        Doors::Inside => "schedules",
    };
    let Code { name, class, when, then, .. } = code;
    let number = status(*class).as_u16();
    format!("| {number} | `{name}` | {where_} | {when} | {then} | {} |\n", members.join(", "))
}

fn page() -> String {
    let rows: String = ALL.iter().map(row).collect();
    format!(
        "{HEAD}\n| status | code | where | when | what to do | members |\n| --- | --- | --- | --- | --- | --- |\n{rows}"
    )
}

#[test]
fn the_page_of_errors_is_what_the_table_says() {
    let page = page();
    if env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(PLACE, &page).unwrap();
    }
    let committed = fs::read_to_string(PLACE).unwrap_or_default();
    assert!(committed == page, "ERRORS.md is out of date: UPDATE_EXPECT=1 cargo test -p web errors");
}

#[test]
fn errors_have_codes_of_their_own_in_the_order_of_their_statuses() {
    let names: BTreeSet<&str> = ALL.iter().map(|code| code.name).collect();
    assert_eq!(names.len(), ALL.len());
    let statuses: Vec<u16> = ALL.iter().map(|code| status(code.class).as_u16()).collect();
    assert!(statuses.is_sorted(), "{statuses:?}");
    for code in ALL {
        assert!(code.name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'), "{}", code.name);
        assert!(!code.when.contains('|') && !code.then.contains('|'), "{}", code.name);
    }
}
