//! A website with imported links, for native tests.

use sdk::prelude::*;
use sdk::serde_json::Value;
use sdk::{Fake, json};
use site::Site;

pub(crate) const SITE: &str = "81";
pub(crate) const SHOP: &str = "https://shop.example";
/// 2026-09-20T12:00:00Z.
const NOW: u64 = 1_789_905_600_000;

/// A website on 2026-09-20.
pub(crate) fn website() -> Fake {
    let fake = crate::fake();
    let site = Site {
        domain: "shop.example".to_owned(),
        origin: SHOP.to_owned(),
        name: Some("Lamp Shop".to_owned()),
        ..Site::default()
    };
    fake.put_as(SITE, site);
    fake.set_now(Moment::from_millis(NOW));
    fake
}

pub(crate) fn call(fake: &Fake, operation: &str, more: &Value) -> Value {
    let mut arguments = json!({ "site_id": SITE });
    more.as_object().into_iter().flatten().for_each(|(name, value)| arguments[name] = value.clone());
    fake.call(operation, arguments.clone())
        .unwrap_or_else(|fault| panic!("{operation} {arguments}: {} {} {:?}", fault.code, fault.message, fault.pointer))
}

/// Imports a table and returns the job's result.
pub(crate) fn import(fake: &Fake, csv: &str) -> Value {
    let started = call(fake, "backlinks.import.run", &json!({ "csv": csv }));
    while fake.work_one_step() {}
    let job = fake.jobs().get(&Id::new(started["job_ref"].as_str().expect("a job"))).expect("the job");
    assert!(job.fault().is_none(), "{:?}", job.fault());
    job.result().unwrap_or_else(|| panic!("the import has not ended: {:?}", job.state))
}

/// Sources and targets, in their order.
pub(crate) fn pairs(fake: &Fake) -> Vec<String> {
    let listed = call(fake, "backlinks.link.list", &json!({ "limit": 100 }));
    let links = listed["links"].as_array().expect("links").iter();
    links
        .map(|it| {
            format!(
                "{} {}",
                it["source"].as_str().unwrap_or("?"),
                it["target"].as_str().unwrap_or("-").replace(SHOP, "")
            )
        })
        .collect()
}

/// A table as Ahrefs exports it.
pub(crate) fn ahrefs(rows: &[(&str, &str, &str, &str)]) -> String {
    let mut out = "Referring page URL,Target URL,Anchor,Domain rating,Nofollow,First seen,Last seen,Lost\n".to_owned();
    for (source, target, anchor, more) in rows {
        out.push_str(&format!("{source},{SHOP}{target},{anchor},{more}\n"));
    }
    out
}

/// A crawl that has ended, with pages by path and what stands against each.
pub(crate) fn crawled(fake: &Fake, pages: &[(&str, &str, u16, Option<&str>)]) {
    fake.put_as("run_1", site::Run(site::trial::ended(SITE, NOW - 3_600_000)));
    for (seq, (path, reason, status, redirect)) in (1..).zip(pages) {
        fake.put(addresses::Row {
            run: "run_1".to_owned(),
            seq,
            url: format!("{SHOP}{path}"),
            status: *status,
            found: "link".to_owned(),
            indexability_reason: (*reason).to_owned(),
            redirect_to: redirect.map(|it| format!("{SHOP}{it}")),
            ..addresses::Row::default()
        });
    }
}
