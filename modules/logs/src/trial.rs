//! A website with logs, for native tests.

use std::io::Write as _;

use sdk::prelude::*;
use sdk::serde_json::Value;
use sdk::{Fake, json};
use site::Site;

/// The website of the tests, and its origin.
pub(crate) const SITE: &str = "81";
pub(crate) const SHOP: &str = "https://shop.example";
/// 2026-09-20T12:00:00Z.
pub(crate) const NOW: u64 = 1_789_905_600_000;
/// User agents.
pub(crate) const GOOGLEBOT: &str = "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)";
pub(crate) const GPTBOT: &str = "Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)";
pub(crate) const CHROME: &str =
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
/// Addresses that the published lists of the tests hold, and one that none holds.
pub(crate) const GOOGLE: &str = "192.0.2.7";
pub(crate) const OPENAI: &str = "198.51.100.7";
pub(crate) const STRANGER: &str = "203.0.113.7";

/// A website and the published lists of address ranges, on 2026-09-20.
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
    for list in bots::lists() {
        let prefix = if list.contains("google.com") {
            "192.0.2.0/24"
        } else if list.contains("openai.com") {
            "198.51.100.0/24"
        } else {
            "203.0.113.192/26"
        };
        let body = json!({ "creationTime": "2026-09-19T00:00:00", "prefixes": [{ "ipv4Prefix": prefix }] });
        fake.serve(list, 200, &[("content-type", "application/json")], body.to_string().as_bytes());
    }
    fake
}

/// A line of the format `combined`; `at` is `01/Sep/2026:10:20:30`.
pub(crate) fn line(address: &str, at: &str, target: &str, status: u16, agent: &str) -> String {
    from(address, at, target, status, agent, "-")
}

/// The same with a referrer.
pub(crate) fn from(address: &str, at: &str, target: &str, status: u16, agent: &str, referrer: &str) -> String {
    format!("{address} - - [{at} +0000] \"GET {target} HTTP/1.1\" {status} 100 \"{referrer}\" \"{agent}\"\n")
}

pub(crate) fn gzip(text: &str) -> Vec<u8> {
    // Stored blocks and the trailer by hand: what inflates them is under test, not what makes them.
    let mut out = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    let mut chunks = text.as_bytes().chunks(60_000).peekable();
    while let Some(chunk) = chunks.next() {
        out.push(u8::from(chunks.peek().is_none()));
        let length = u16::try_from(chunk.len()).expect("small");
        out.extend(length.to_le_bytes());
        out.extend((!length).to_le_bytes());
        out.write_all(chunk).expect("memory");
    }
    out.extend(crc32fast::hash(text.as_bytes()).to_le_bytes());
    out.extend(u32::try_from(text.len()).expect("small").to_le_bytes());
    out
}

pub(crate) fn call(fake: &Fake, operation: &str, arguments: &Value) -> Value {
    fake.call(operation, arguments.clone())
        .unwrap_or_else(|fault| panic!("{operation} {arguments}: {} {} {:?}", fault.code, fault.message, fault.pointer))
}

/// A source of the format `combined`; `more` are further arguments.
pub(crate) fn source(fake: &Fake, more: &Value) -> String {
    let mut arguments = json!({ "site_id": SITE, "name": "web", "format": "combined", "open_upload": false });
    for (name, value) in more.as_object().into_iter().flatten() {
        arguments[name] = value.clone();
    }
    call(fake, "logs.source.save", &arguments)["source_ref"].as_str().expect("a source").to_owned()
}

/// Imports a file and returns the job's result.
pub(crate) fn import(fake: &Fake, source: &str, file: &[u8]) -> Value {
    let upload = fake.hand_over("text/plain", file);
    ran(fake, &json!({ "source_ref": source, "upload_ref": upload })).expect("an import")
}

/// Runs an import to its end.
pub(crate) fn ran(fake: &Fake, arguments: &Value) -> Result<Value> {
    let started = fake.call("logs.import.run", arguments.clone())?;
    ended(fake, &started)
}

/// Works until a job has ended.
pub(crate) fn ended(fake: &Fake, started: &Value) -> Result<Value> {
    for _ in 0..2_000 {
        if !fake.work_one_step() {
            break;
        }
    }
    let job = fake.jobs().get(&Id::new(started["job_ref"].as_str().expect("a job"))).expect("the job");
    match job.fault() {
        Some((code, message)) => Err(Fault::conflict(&code, message)),
        None => Ok(job.result().unwrap_or_else(|| panic!("the job has not ended: {:?}", job.state))),
    }
}

/// A crawl that has ended, with pages by path: reason, canonical or nothing, and the day of publication or nothing.
pub(crate) fn crawled(fake: &Fake, pages: &[(&str, &str, Option<&str>)]) {
    fake.put_as("run_1", site::Run(site::trial::ended(SITE, NOW - 3_600_000)));
    for (seq, (path, reason, published)) in (1..).zip(pages) {
        let url = format!("{SHOP}{path}");
        fake.put(addresses::Row {
            run: "run_1".to_owned(),
            seq,
            depth: u32::try_from(path.matches('/').count()).expect("small"),
            url,
            status: 200,
            found: "link".to_owned(),
            indexability_reason: (*reason).to_owned(),
            published: published.map(str::to_owned),
            ..addresses::Row::default()
        });
    }
}

/// A report about the website; `more` are further arguments.
pub(crate) fn report(fake: &Fake, operation: &str, more: &Value) -> Value {
    let mut arguments = json!({ "site_id": SITE });
    more.as_object().into_iter().flatten().for_each(|(name, value)| arguments[name] = value.clone());
    call(fake, operation, &arguments)
}

/// A website on which these lines were imported.
pub(crate) fn with(lines: &[String]) -> Fake {
    let fake = website();
    let source = source(&fake, &json!({}));
    import(&fake, &source, lines.concat().as_bytes());
    fake
}
