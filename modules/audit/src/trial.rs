//! A small stored crawl to audit, for the tests of this module.

use kit::crawled::{ExternalRecord, Found, LinkRecord, PageRecord, RobotsSummary, RunRecord, Totals, page_id};
use sdk::serde_json::Value;
use sdk::{Fake, json};

use crate::stored::IssueUrl;
use site::{Crawled, External, Linked, Run, Site};

pub(crate) const ORIGIN: &str = "https://shop.example";
pub(crate) const SITE: &str = "4503599627370496";

/// A crawl that grows page by page.
pub(crate) struct Crawl<'a> {
    fake: &'a Fake,
    run: &'static str,
    seq: u64,
    depth: u32,
}

impl Crawl<'_> {
    pub(crate) fn begin<'a>(fake: &'a Fake, run: &'static str) -> Crawl<'a> {
        Self::begin_with(fake, run, RobotsSummary::default())
    }

    /// As `begin`, on a site whose robots.txt said this.
    pub(crate) fn begin_with<'a>(fake: &'a Fake, run: &'static str, robots: RobotsSummary) -> Crawl<'a> {
        fake.put_as(
            run,
            Run(RunRecord {
                totals: Totals { fetched: 4, ..Totals::default() },
                robots,
                ..site::trial::ended(SITE, fake.now().millis())
            }),
        );
        Crawl { fake, run, seq: 0, depth: 0 }
    }

    pub(crate) fn page(&mut self, path: &str, status: u16, headers: &[(&str, &str)], html: &str) -> &mut Self {
        let url = format!("{ORIGIN}{path}");
        let mut facts = site::trial::facts(&url, status, headers, html);
        for link in std::mem::take(&mut facts.links) {
            self.fake.put(Linked(LinkRecord {
                run: self.run.to_owned(),
                source: url.clone(),
                target: link.url,
                anchor: link.anchor,
                internal: link.internal,
                ..LinkRecord::default()
            }));
        }
        self.seq += 1;
        let record = PageRecord {
            run: self.run.to_owned(),
            seq: self.seq,
            url: url.clone(),
            status,
            found: Found::Link,
            depth: self.depth,
            facts,
            ..PageRecord::default()
        };
        self.fake.put_as(&page_id(self.run, &url), Crawled(record));
        self
    }

    /// What comes next is so many clicks from the home page.
    pub(crate) fn clicks(&mut self, depth: u32) -> &mut Self {
        self.depth = depth;
        self
    }

    /// An address that nobody could read, and why.
    pub(crate) fn unanswered(&mut self, path: &str, failure: &str) -> &mut Self {
        let url = format!("{ORIGIN}{path}");
        self.seq += 1;
        let record = PageRecord {
            run: self.run.to_owned(),
            seq: self.seq,
            url: url.clone(),
            found: Found::Link,
            depth: self.depth,
            facts: kit::page::unanswered(&url, failure),
            ..PageRecord::default()
        };
        self.fake.put_as(&page_id(self.run, &url), Crawled(record));
        self
    }

    pub(crate) fn html(&mut self, path: &str, html: &str) -> &mut Self {
        self.page(path, 200, &[("content-type", "text/html; charset=utf-8")], html)
    }
}

/// A website without a crawl.
pub(crate) fn website() -> Fake {
    crate::fake()
        .with_as(SITE, Site { origin: ORIGIN.to_owned(), domain: "shop.example".to_owned(), ..Site::default() })
}

/// A crawl of two pages, a redirect and a page that is gone.
pub(crate) fn crawl<'a>(fake: &'a Fake, run: &'static str) -> Crawl<'a> {
    let mut crawl = Crawl::begin(fake, run);
    crawl
        .html("/", "<title>Lamps</title><a href=/gone>Read more</a> <a href=/old>Old lamps</a> <a href=https://dead.example/>Friend</a>")
        .html("/lamps", "<title>Lamps</title><a href=/>Home of lamps</a>")
        .page("/old", 301, &[("location", "/lamps")], "")
        .page("/gone", 404, &[("content-type", "text/html")], "<title>Not found</title>");
    fake.put(External(ExternalRecord {
        run: run.to_owned(),
        url: "https://dead.example/".to_owned(),
        state: "checked".to_owned(),
        status: 404,
        ..ExternalRecord::default()
    }));
    crawl
}

/// An audit that has ended.
pub(crate) fn audit(fake: &Fake, arguments: Value) -> Value {
    let started = fake.call("audit.run.start", arguments).unwrap();
    assert_eq!(started["state"], "queued");
    fake.work();
    fake.call("audit.run.get", json!({ "audit_ref": started["audit_ref"] })).unwrap()
}

/// The pages at fault for a rule.
pub(crate) fn urls(fake: &Fake, audit: &Value, rule: &str) -> Vec<String> {
    let arguments = json!({ "audit_ref": audit["audit_ref"], "rule": rule });
    let listed = fake.call("audit.issue.url.list", arguments).unwrap();
    listed["urls"].as_array().unwrap().iter().map(|row| row["url"].as_str().unwrap().to_owned()).collect()
}

/// The pages at fault for a rule; none when it found nothing.
pub(crate) fn urls_of(fake: &Fake, audit: &Value, rule: &str) -> Vec<String> {
    let rows = fake.rows::<IssueUrl>().into_iter().filter(|row| row.rule == rule && audit["audit_ref"] == *row.audit);
    rows.map(|row| row.url.clone()).collect()
}
