//! The simulated blog as the WordPress of a website, and its crawls, for the tests.

use kit::crawled::{PageRecord, page_id};
use sdk::json;
use sdk::prelude::*;
use sdk::serde_json::Value;
use sdk::{Fake, Fault};
use simulators::Blog;
use site::{Crawled, Run, Site};

use crate::crawled::Row;

/// The website.
pub(crate) const SITE: &str = "81";

/// A host whose customer has connected the blog.
pub(crate) struct Trial {
    pub(crate) fake: Fake,
    pub(crate) blog: Blog,
}

impl Trial {
    pub(crate) fn new(blog: Blog) -> Self {
        let fake = crate::fake().connected("con_1", "wordpress");
        let own = blog.clone();
        fake.provider_plays(move |asked| {
            Some(Ok(own.ask(asked.method, asked.path, asked.query, asked.body, asked.headers)))
        });
        let own = blog.clone();
        fake.web_plays(move |url| {
            let url: kit::url::Url = url.parse().ok()?;
            (url.host_str() == Some("shop.example")).then(|| own.see(url.path(), url.query().unwrap_or_default()))
        });
        let website = Site { domain: "shop.example".to_owned(), origin: Blog::home(), ..Site::default() };
        fake.put_as(SITE, website);
        Self { fake, blog }
    }

    /// A call that is answered.
    pub(crate) fn call(&self, operation: &str, arguments: &Value) -> Value {
        self.fake.call(operation, with_site(arguments)).unwrap_or_else(|fault| {
            panic!("{operation} {arguments}: {} {} {:?} {:?}", fault.code, fault.message, fault.pointer, fault.detail)
        })
    }

    /// A call that is refused.
    pub(crate) fn refusal(&self, operation: &str, arguments: &Value) -> Fault {
        self.fake.refusal(operation, with_site(arguments))
    }

    /// The result of a job.
    pub(crate) fn job(&self, operation: &str, arguments: &Value) -> Value {
        let started = self.call(operation, arguments);
        self.finished(&started)
    }

    /// The result of a job that was started.
    pub(crate) fn finished(&self, started: &Value) -> Value {
        self.fake.work();
        let job: Id<Job> = Id::new(started["job_ref"].as_str().expect("a job"));
        let job = self.fake.jobs().get(&job).expect("the job");
        job.result().unwrap_or_else(|| panic!("no result: {:?}", job.fault()))
    }

    /// Somebody's own call to the blog.
    pub(crate) fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        let query = [("context".to_owned(), "edit".to_owned())];
        let said = self.blog.ask(method, path, &query, body.to_string().as_bytes(), &[]);
        assert!(said.0 < 300, "{method} {path}: {}", String::from_utf8_lossy(&said.2));
        serde_json::from_slice(&said.2).expect("JSON")
    }

    /// An item as it is stored.
    pub(crate) fn stored(&self, reference: &str) -> Value {
        let (_, path) = reference.split_once('/').expect("a reference");
        let mut item = self.ask("GET", &format!("/wp-json/wp/v2/{path}"), &Value::Null);
        for volatile in ["modified", "modified_gmt", "_links", "guid", "yoast_head_json"] {
            item.as_object_mut().expect("an object").remove(volatile);
        }
        item
    }

    /// The page at a path as a visitor sees it.
    pub(crate) fn page(&self, path: &str) -> (u16, String) {
        let (status, _, body) = self.blog.see(path, "");
        (status, String::from_utf8(body).expect("text"))
    }

    /// Switches a plugin, and lets what was remembered of it be forgotten.
    pub(crate) fn switch(&self, plugin: &str, on: bool) {
        let body = json!({ "status": if on { "active" } else { "inactive" } });
        self.ask("POST", &format!("/wp-json/wp/v2/plugins/{plugin}"), &body);
        self.fake.cache().put("wordpress/seo/con_1", &json!(null), 60);
    }
}

/// A crawl of a website of that origin that has just ended: paths with their statuses and sources.
pub(crate) fn crawl(fake: &Fake, run: &str, site: &str, origin: &str, pages: &[(String, u16, String)]) {
    let mut record = site::trial::ended(site, fake.now().millis());
    origin.clone_into(&mut record.origin);
    fake.put_as(run, Run(record));
    for (seq, (path, status, html)) in (1..).zip(pages) {
        let url = format!("{origin}{path}");
        let mut headers = vec![("content-type", "text/html")];
        if (300..400).contains(status) {
            headers.push(("location", html.as_str()));
        }
        let facts = site::trial::facts(&url, *status, &headers, html);
        let id = page_id(run, &url);
        let reason = facts.indexability.reason;
        let row = Row { run: run.to_owned(), seq, url: url.clone(), status: *status, indexability_reason: reason };
        fake.put_as(&id, row);
        fake.put_as(
            &id,
            Crawled(PageRecord { run: run.to_owned(), seq, url, status: *status, facts, ..PageRecord::default() }),
        );
    }
}

fn with_site(arguments: &Value) -> Value {
    let mut all = arguments.clone();
    all.as_object_mut().expect("an object").entry("site_id").or_insert_with(|| json!(SITE));
    all
}
