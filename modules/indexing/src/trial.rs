//! A small stored website and crawl, for the tests of this module.

use kit::crawled::{PageRecord, RobotsSummary, RunRecord, page_id};
use sdk::serde_json::Value;
use sdk::{Fake, json};

use crate::inspection::Coverage;
use addresses::Row;

use crate::stored::{IndexNowKey, Linked, UrlState};
use site::{Crawled, Run, Site};

pub(crate) const ORIGIN: &str = "https://shop.example";
pub(crate) const SITE: &str = "4503599627370496";
pub(crate) const RUN: &str = "run-1";
pub(crate) const KEY: &str = "0c1a57b9lampshop4f2e8d7136a5b0c9";
const TABLE: &str = include_str!("../../../catalog/operations.tsv");
const DAY: u64 = 86_400_000;

/// A website without a crawl.
pub(crate) fn website() -> Fake {
    crate::fake()
        .with_as(SITE, Site { origin: ORIGIN.to_owned(), name: Some("The lamp shop".to_owned()), ..Site::default() })
}

/// A crawl that grows page by page; it ended so many days ago.
pub(crate) struct Crawl<'a> {
    fake: &'a Fake,
    run: String,
    seq: u64,
    at: u64,
}

impl<'a> Crawl<'a> {
    pub(crate) fn begin(fake: &'a Fake, id: &str, days_ago: u64) -> Self {
        let at = fake.now().millis() - days_ago * DAY - 3_600_000;
        let record = RunRecord {
            robots: RobotsSummary { sitemaps: vec![format!("{ORIGIN}/sitemap.xml")], ..RobotsSummary::default() },
            ..site::trial::ended(SITE, at)
        };
        fake.put_as(id, Run(record));
        Self { fake, run: id.to_owned(), seq: 0, at }
    }

    /// A page that answered so; `found` is how the crawl came to know it.
    pub(crate) fn answer(
        &mut self,
        path: &str,
        found: &str,
        status: u16,
        headers: &[(&str, &str)],
        html: &str,
    ) -> &mut Self {
        let url = format!("{ORIGIN}{path}");
        let facts = site::trial::facts(&url, status, headers, html);
        for link in &facts.links {
            self.fake.put(Linked { run: self.run.clone(), target: link.url.clone() });
        }
        self.seq += 1;
        let depth = u32::try_from(path.trim_end_matches('/').matches('/').count()).unwrap();
        self.fake.put(Row {
            run: self.run.clone(),
            seq: self.seq,
            url: facts.url.clone(),
            status,
            depth,
            in_sitemap: found == "sitemap" || found == "both",
            found: if found == "sitemap" { "sitemap" } else { "link" }.to_owned(),
            indexability_reason: facts.indexability.reason.word().to_owned(),
            redirect_to: facts.redirect_to.clone(),
            canonical: facts.canonicals.first().and_then(|it| it.url.clone()),
            hreflang_count: u32::try_from(facts.hreflang.len()).unwrap(),
            lang: facts.lang.clone(),
            published: facts.published.clone(),
            modified: facts.modified.clone(),
            text_sha256: facts.text_sha256.clone(),
            word_count: facts.word_count,
            fetched_ms: self.at,
        });
        let record = PageRecord {
            run: self.run.clone(),
            seq: self.seq,
            url: facts.url.clone(),
            status,
            fetched_ms: self.at,
            facts,
            ..PageRecord::default()
        };
        self.fake.put_as(&page_id(&self.run, &record.url.clone()), Crawled(record));
        self
    }

    /// A page that links lead to.
    pub(crate) fn html(&mut self, path: &str, html: &str) -> &mut Self {
        self.answer(path, "link", 200, HTML, html)
    }

    /// A page that links and a sitemap lead to.
    pub(crate) fn listed(&mut self, path: &str, html: &str) -> &mut Self {
        self.answer(path, "both", 200, HTML, html)
    }

    /// A page that only a sitemap leads to.
    pub(crate) fn lost(&mut self, path: &str, html: &str) -> &mut Self {
        self.answer(path, "sitemap", 200, HTML, html)
    }
}

pub(crate) const HTML: &[(&str, &str)] = &[("content-type", "text/html; charset=utf-8")];

/// A page with a text of its own.
pub(crate) fn text(words: &str) -> String {
    format!("<title>{words}</title><main><h1>{words}</h1><p>All about {words}, in some words of its own.</p></main>")
}

/// What Google said of a page, so many days ago.
pub(crate) fn inspected(fake: &Fake, path: &str, verdict: &str, coverage: &str, days_ago: u64) {
    let url = format!("{ORIGIN}{path}");
    let at = fake.now().millis() - days_ago * DAY;
    let said = Coverage {
        verdict: verdict.to_owned(),
        coverage: coverage.to_owned(),
        robots: "ALLOWED".to_owned(),
        indexing: "INDEXING_ALLOWED".to_owned(),
        fetch: "SUCCESSFUL".to_owned(),
        google_canonical: Some(url.clone()),
        user_canonical: None,
        last_crawled_at: Some(sdk::value::Moment::from_millis(at - DAY / 2)),
        crawled_as: None,
        sitemaps: Vec::new(),
        referring_urls: Vec::new(),
    };
    let state = UrlState { site_id: SITE.to_owned(), url: url.clone(), inspected_ms: at, coverage: said };
    fake.put_as(&page_id(SITE, &url), state);
}

/// A website with an IndexNow key whose file is served, and a connection with it.
pub(crate) fn with_key() -> Fake {
    let fake = website().connected("con_1", "indexnow");
    let location = format!("{ORIGIN}/{KEY}.txt");
    fake.serve(&location, 200, &[("content-type", "text/plain; charset=utf-8")], KEY.as_bytes());
    let key = IndexNowKey { site_id: SITE.to_owned(), key: KEY.to_owned(), location, created_ms: 0 };
    fake.put_as(SITE, key);
    fake
}

/// Makes sure that the catalog has every operation that a result names, and that it takes the arguments.
pub(crate) fn takes(result: &Value) {
    match result {
        Value::Object(members) => {
            if let (Some(Value::String(name)), Some(Value::Object(arguments))) =
                (members.get("operation_id"), members.get("arguments"))
            {
                let mut rows = TABLE.lines().map(|it| it.split('\t').collect::<Vec<_>>());
                let listed = rows.find(|row| row[0] == name).unwrap_or_else(|| panic!("no operation {name}"));
                assert!(sdk::served(listed[0]), "{}", listed[0]);
                kit::listed::fits(listed[9], arguments).unwrap_or_else(|why| panic!("{why}: {result}"));
            }
            members.values().for_each(takes);
        }
        Value::Array(items) => items.iter().for_each(takes),
        _ => {}
    }
}

/// Calls an operation, and holds every call that its result names against the table.
pub(crate) fn call(fake: &Fake, operation: &str, arguments: Value) -> Value {
    let result = fake.call(operation, arguments).unwrap_or_else(|fault| panic!("{operation}: {fault:?}"));
    takes(&result);
    result
}

/// The result of the job that a call began.
pub(crate) fn ended(fake: &Fake, started: &Value) -> Value {
    let job: sdk::value::Id<sdk::Job> = sdk::value::Id::new(started["job_ref"].as_str().unwrap());
    fake.work();
    let job = fake.jobs().find(&job).unwrap();
    let result = job.result::<Value>().unwrap_or_else(|| panic!("{:?}", job.fault()));
    takes(&result);
    result
}

/// The refusal's code and pointer.
pub(crate) fn refused(fake: &Fake, operation: &str, arguments: Value) -> (String, Option<String>) {
    let fault = fake.refusal(operation, arguments);
    (fault.code, fault.pointer)
}

/// The same with `site_id` put in.
pub(crate) fn of_site(mut arguments: Value) -> Value {
    arguments["site_id"] = json!(SITE);
    arguments
}
