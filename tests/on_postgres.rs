//! Runs what the host promises again with each host on a PostgreSQL database of its own.

use std::path::{Path, PathBuf};

/// What is run again: what the host promises, and what becomes of a module's job when its host is killed. Everything else that
/// modules answer has been seen on SQLite, and that both databases keep records alike is said by the tests of `store`.
const AGAIN: [&str; 3] = ["engine::", "a_host_that_is_killed", "whose_host_dies"];

/// What is not, for all that.
const NOT_AGAIN: [&str; 21] = [
    // Has started hosts on PostgreSQL the first time.
    "engine::failover::",
    "engine::nodes::",
    "q4_a_host_that_stood_still",
    "q11_a_host_whose_clock",
    // A backup is of SQLite's file; a server has its own tools, which those tests say by themselves.
    "engine::backup::",
    // Reads components, contracts, the catalog or the routes: what the host has in its memory.
    "engine::boundary::",
    "engine::checklist::",
    "engine::coming::",
    "engine::contracts::",
    "engine::early_answers::",
    "engine::golden::",
    "engine::outside::",
    "engine::proxy::",
    "engine::search::",
    "engine::signing::",
    "engine::tokens::",
    // Other clients, a browser and a long crawl ask the database nothing that the rest does not ask.
    "engine::conformance::",
    "engine::conversation::",
    "in_a_real_browser",
    // A long import writes records and blobs as a crawl does.
    "engine::connect::searched::",
    "engine::connect::researched::",
];

#[test]
fn what_the_host_promises_holds_on_postgresql_too() {
    let Some(server) = tests::database::server() else { return };
    let mut again = std::process::Command::new(newest());
    let status = again
        .args(AGAIN)
        .args(NOT_AGAIN.iter().flat_map(|it| ["--skip", it]))
        .env("DATABASE_URL", server)
        .status()
        .expect("the tests start");
    assert!(status.success(), "a test failed on PostgreSQL; its words are above");
}

/// The program of the integration tests, which cargo has built beside this one: the newest that has them.
fn newest() -> PathBuf {
    let here = std::env::current_exe().expect("this program");
    let programs = std::fs::read_dir(here.parent().expect("a folder")).expect("readable").filter_map(Result::ok);
    let built = |path: &PathBuf| {
        path.file_name().and_then(|it| it.to_str()).is_some_and(|it| it.starts_with("it-"))
            && path.extension().is_none()
    };
    let mut found: Vec<PathBuf> = programs.map(|entry| entry.path()).filter(built).collect();
    found.sort_by_key(|path| path.metadata().and_then(|it| it.modified()).ok());
    found.into_iter().rev().find(|path| has_them(path)).expect("cargo test -p tests builds it too")
}

/// Another crate's tests may have the same name, and would hold on any database.
fn has_them(program: &Path) -> bool {
    let listed = std::process::Command::new(program).arg("--list").output().expect("the tests start");
    String::from_utf8_lossy(&listed.stdout).contains("checklist::")
}
