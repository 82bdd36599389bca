//! A crawl that was really made, stored again and again under other addresses, so that there are as many pages as are
//! wanted: `http://docs.example/a` becomes `http://docs.example/copy7/a`.

use model::clock::{Clock, SystemClock};
use model::id::CustomerId;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use store::{Query, Workspace};
use tests::customer::{Customer, fresh_key};
use tests::host::Host;

/// Rows that are committed together.
const TOGETHER: usize = 250;

/// A crawl as the store has it.
pub(super) struct Source<'a> {
    host: &'a Host,
    ada: &'a Customer,
    run: String,
    /// Where the crawl began.
    pub(super) origin: String,
    whole: Value,
    pages: Vec<String>,
    rows: Vec<String>,
    links: Vec<String>,
}

/// A crawl that was made of copies.
pub(super) struct Crawl {
    /// Its reference.
    pub(super) id: String,
    /// Addresses of it.
    pub(super) pages: u64,
    /// Links of it.
    pub(super) links: u64,
}

impl<'a> Source<'a> {
    /// Reads all of a crawl.
    pub(super) async fn read(host: &'a Host, ada: &'a Customer, run: &Value) -> Self {
        let run = run.as_str().expect("a reference").to_owned();
        let mut workspace = open(host, ada);
        let whole = workspace.get("runs", &run).await.expect("readable").expect("the crawl");
        let whole: Value = serde_json::from_str(&whole.body).expect("JSON");
        let origin = whole["origin"].as_str().expect("an origin").to_owned();
        let mut all = [("pages", "run_seq"), ("rows", "run_seq"), ("links", "run")].into_iter();
        let mut bodies = Vec::new();
        for (collection, index) in all.by_ref() {
            let mut query = Query { index: Some(index.to_owned()), equals: vec![json!(run)], ..Query::default() };
            let mut found = Vec::new();
            loop {
                let page = workspace.find(collection, &query).await.expect("readable");
                found.extend(page.rows.into_iter().map(|row| row.body.to_string()));
                query.after = page.next;
                if query.after.is_none() {
                    break;
                }
            }
            bodies.push(found);
        }
        let links = bodies.pop().unwrap_or_default();
        let rows = bodies.pop().unwrap_or_default();
        let pages = bodies.pop().unwrap_or_default();
        Self { host, ada, run, origin, whole, pages, rows, links }
    }

    /// A crawl of so many copies, as audits read one.
    pub(super) async fn crawl(&self, copies: usize) -> Crawl {
        let id = self.begin(copies).await;
        self.store(&id, "pages", &self.pages, copies).await;
        self.store(&id, "links", &self.links, copies).await;
        self.made(id, copies)
    }

    /// The rows alone, as lists read them.
    pub(super) async fn rows(&self, copies: usize) -> Crawl {
        let id = self.begin(copies).await;
        self.store(&id, "rows", &self.rows, copies).await;
        self.made(id, copies)
    }

    fn made(&self, id: String, copies: usize) -> Crawl {
        let (pages, links) = (self.pages.len() * copies, self.links.len() * copies);
        Crawl { id, pages: pages as u64, links: links as u64 }
    }

    async fn begin(&self, copies: usize) -> String {
        let id = format!("{}-{}", self.run, fresh_key());
        let mut run = self.whole.clone();
        run["totals"]["fetched"] = (self.pages.len() * copies).into();
        self.commit("runs", vec![(Some(id.clone()), run.to_string())]).await;
        id
    }

    async fn store(&self, id: &str, collection: &str, bodies: &[String], copies: usize) {
        let mut batch = Vec::with_capacity(TOGETHER);
        for copy in 0..copies {
            for body in bodies {
                batch.push(self.copied(id, body, copy, bodies.len()));
                if batch.len() == TOGETHER {
                    self.commit(collection, std::mem::take(&mut batch)).await;
                }
            }
        }
        self.commit(collection, batch).await;
    }

    /// A row under another address, in another crawl.
    fn copied(&self, id: &str, body: &str, copy: usize, many: usize) -> (Option<String>, String) {
        let moved = body.replace(&format!("{}/", self.origin), &format!("{}/copy{copy}/", self.origin));
        let mut value: Value = serde_json::from_str(&moved).expect("JSON");
        value["run"] = id.into();
        if let Some(seq) = value["seq"].as_u64() {
            value["seq"] = (seq + (copy * many) as u64).into();
        }
        // Links have ids of the host's making; pages are found by their address.
        let url = value["url"].as_str().map(|url| format!("{id}-{}", hex(&Sha256::digest(url.as_bytes())[..16])));
        (url, value.to_string())
    }

    async fn commit(&self, collection: &str, rows: Vec<(Option<String>, String)>) {
        let mut workspace = open(self.host, self.ada);
        workspace.put_many(collection, rows).await.expect("stored");
        self.host.commit(self.ada, workspace).await;
    }
}

fn open(host: &Host, ada: &Customer) -> Workspace {
    let module = host.service.core.module("crawl").expect("the module");
    let customer = CustomerId::from(ada.id.as_str());
    Workspace::open(host.service.core.store(), customer, module.schema.clone(), SystemClock.now())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
