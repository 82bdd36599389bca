//! Reports on a property whose truth is known.

mod changes;
mod lists;
mod performance;
mod refusals;
mod reports;

use kit::crawled::{PageRecord, page_id};
use sdk::Fake;
use sdk::json;
use sdk::prelude::*;
use sdk::serde_json::Value;

use crate::trial::{self, Google, SITE, Shown, day, number, shop, synced};

const SHOP: &str = "https://shop.example";

/// A page as the crawl stores it.
#[foreign(collection = "crawl.pages", thing = "page")]
struct Page(PageRecord);

/// A property whose guides lose half of their clicks on mobile from a day on.
fn falling(from: &str) -> Google {
    let from = day(from);
    shop("2026-05-01", "2026-09-25", move |it: &Shown| {
        if it.day >= from && it.device == "MOBILE" && it.page.contains("/guides") { 0.4 } else { 1.0 }
    })
}

fn steady() -> Google {
    shop("2026-05-01", "2026-09-25", |_| 1.0)
}

fn called(fake: &Fake, operation: &str, mut arguments: Value) -> Value {
    arguments["site_id"] = json!(SITE);
    fake.call(operation, arguments).unwrap_or_else(|fault| panic!("{operation}: {} {}", fault.code, fault.message))
}

fn text<'v>(value: &'v Value, name: &str) -> &'v str {
    value[name].as_str().unwrap_or_default()
}

fn of(value: &Value, name: &str) -> f64 {
    value[name].as_f64().unwrap_or_else(|| panic!("{name} of {value}"))
}

fn detail(fault: &Fault) -> Value {
    sdk::serde_json::from_str(fault.detail.as_deref().expect("a detail")).expect("JSON")
}

/// A crawl of the shop with a page of this title, headings and text.
fn crawled(fake: &Fake, path: &str, title: &str, words: &str) {
    if fake.rows::<site::Run>().is_empty() {
        fake.put_as("run_1", site::Run(site::trial::ended(SITE, fake.now().millis())));
    }
    let html = format!(
        "<html lang=en><title>{title}</title><meta name=description content=\"About lamps\"><main><h1>{title}</h1><p>{words}</p></main></html>"
    );
    let url = format!("{SHOP}{path}");
    let text = json!({ "url": url, "title": title, "headings": title, "plain": words }).to_string();
    let offset = fake.blobs().read("crawl.text/run_1/0", 0, 1 << 20).map_or(0, |it| it.len());
    let mut pack = fake.blobs().read("crawl.text/run_1/0", 0, 1 << 20).unwrap_or_default();
    pack.extend_from_slice(text.as_bytes());
    fake.blobs().write("crawl.text/run_1/0", &pack).expect("a pack");
    let record = PageRecord {
        run: "run_1".to_owned(),
        url: url.clone(),
        status: 200,
        facts: site::trial::facts(&url, 200, &[("content-type", "text/html")], &html),
        text: Some(kit::crawled::TextAt {
            pack: 0,
            offset: u32::try_from(offset).unwrap(),
            length: u32::try_from(text.len()).unwrap(),
        }),
        ..PageRecord::default()
    };
    fake.put_as(&page_id("run_1", &url), Page(record));
}
