//! Which crawl is the newest, which may be read, and what is refused.

use kit::crawled::{RunKind, RunRecord, RunState};
use sdk::prelude::*;
use sdk::{Fake, Module};

use crate::trial::{ORIGIN, ended};
use crate::{Run, Site};

const SITE: &str = "81";

/// What is said of a crawl: the newest of its website, whether it can be read, and why a job may not work through it.
fn told(host: &Fake, run: &str) -> (Option<String>, bool, Option<String>) {
    let run = Id::new(run);
    (
        crate::newest(host, &Id::new(SITE)).map(|run| run.id.to_string()),
        crate::readable(host, &run).is_ok(),
        crate::at_rest(host, &run).err().map(|fault| fault.code),
    )
}

fn host(runs: &[(&str, RunRecord)]) -> Fake {
    let module = Module {
        name: "none",
        operations: Vec::new(),
        routes: Vec::new(),
        steps: Vec::new(),
        collections: Vec::new(),
        raw: Vec::new(),
        untrusted: Vec::new(),
    };
    let mut host = Fake::new(module).with_as(SITE, Site { origin: ORIGIN.to_owned(), ..Site::default() });
    for (id, run) in runs {
        host = host.with_as(id, Run(run.clone()));
    }
    host
}

#[test]
fn the_newest_crawl_is_no_check_no_crawl_that_goes_and_none_that_still_runs() {
    let whole = ended(SITE, 1_000);
    let check = RunRecord { kind: RunKind::Check, ..whole.clone() };
    let going = RunRecord { deleting: true, ..whole.clone() };
    let running = RunRecord { state: RunState::Running, finished_ms: None, ..whole.clone() };
    let other = RunRecord { site_id: "82".to_owned(), ..whole.clone() };
    let host = host(&[("r1", whole), ("r2", check), ("r3", going), ("r4", running), ("r5", other)]);
    for (run, readable, at_rest) in [
        ("r1", true, None),
        ("r2", false, Some("not_a_crawl")),
        ("r3", false, Some("run_unfinished")),
        ("r4", false, Some("run_unfinished")),
        ("none", false, Some("run_not_found")),
    ] {
        assert_eq!(told(&host, run), (Some("r1".to_owned()), readable, at_rest.map(str::to_owned)), "{run}");
    }
}

#[test]
fn a_crawl_of_which_parts_are_fetched_again_is_read_and_not_worked_through() {
    for state in [RunState::Queued, RunState::Running, RunState::Failed] {
        let again = RunRecord { state, ..ended(SITE, 1_000) };
        let expected = (Some("r1".to_owned()), true, Some("run_unfinished".to_owned()));
        assert_eq!(told(&host(&[("r1", again)]), "r1"), expected, "{state:?}");
    }
}

#[test]
fn the_addresses_of_a_website_are_those_of_its_host() {
    let site = Site { origin: "https://www.shop.example".to_owned(), ..Site::default() };
    for (url, own) in [
        ("https://www.shop.example/a", true),
        ("http://shop.example/", true),
        ("https://shop.example.evil.example/", false),
        ("https://blog.shop.example/", false),
        ("nothing", false),
    ] {
        assert_eq!(site.has(url), own, "{url}");
    }
    let urls = ["https://shop.example/a", "https://other.example/"].map(|it| it.parse().unwrap());
    let refused = crate::all_own(&site, &urls).unwrap_err();
    assert_eq!((refused.code.as_str(), refused.pointer.as_deref()), ("url_not_of_site", Some("/urls/1")));
}

#[test]
fn facts_are_found_however_their_names_are_spelled() {
    let facts = sdk::serde_json::from_value(sdk::json!({
        "Legal Name": " Lamps Ltd ", "employees": 12, "same-as": ["https://a.example/x", "none", "https://a.example/x"],
    }));
    let site = Site { facts: facts.unwrap(), ..Site::default() };
    assert_eq!(site.fact(&["name", "legal_name"]).as_deref(), Some("Lamps Ltd"));
    assert_eq!(site.fact(&["employees"]).as_deref(), Some("12"));
    assert_eq!(site.fact(&["phone"]), None);
    assert_eq!(site.links(&["same_as"]), ["https://a.example/x"]);
}
