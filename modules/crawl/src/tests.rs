//! Tests of `crawl`.

use kit::crawled::{Found, RunState, StopReason};
use sdk::{Fake, json};
use serde_json::Value;

use crate::stored::{External, Known, Linked, Page, Run, Site, Verification};

mod again;
mod asking;
mod comparing;
mod crawling;
mod extracting;
mod finding;
mod inventory;
mod large;
mod listing;
mod naming;
mod pauses;
mod refusing;
mod removing;
mod scale;
mod shelving;
mod truth;

const ORIGIN: &str = "https://shop.example";

/// A host on which a website is known.
fn fake() -> Fake {
    crate::fake().with_as("81", site())
}

fn site() -> Site {
    Site { origin: ORIGIN.into(), domain: "shop.example".into(), ..Site::default() }
}

/// Serves pages of the website: path and body.
fn serve(fake: &Fake, pages: &[(&str, &str)]) {
    for (path, html) in pages {
        fake.serve(&format!("{ORIGIN}{path}"), 200, &[("content-type", "text/html; charset=utf-8")], html.as_bytes());
    }
}

/// Starts a crawl with these settings and runs it to its end; the run's reference.
fn crawl(fake: &Fake, settings: Value) -> String {
    let run = start(fake, settings);
    fake.work();
    run
}

fn start(fake: &Fake, settings: Value) -> String {
    let mut arguments = json!({ "site_id": "81", "rate_rps": 10 });
    for (name, value) in settings.as_object().expect("settings are an object") {
        arguments[name] = value.clone();
    }
    let started = fake.call("crawl.run.start", arguments).expect("a crawl starts");
    started["run_ref"].as_str().expect("a reference").to_owned()
}

fn get(fake: &Fake, run: &str) -> Value {
    fake.call("crawl.run.get", json!({ "run_ref": run })).expect("the run")
}

/// The addresses recorded, without the origin, in the order of fetching.
fn paths(fake: &Fake) -> Vec<(String, u16)> {
    let mut pages: Vec<_> = fake.rows::<Page>();
    pages.sort_by_key(|page| page.0.seq);
    pages.into_iter().map(|page| (page.0.url.replace(ORIGIN, ""), page.0.status)).collect()
}
