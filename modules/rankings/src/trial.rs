//! A tracker on a website, a keyword set and a provider whose pages are known, for native tests.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use sdk::prelude::*;
use sdk::serde_json::{self, Value};
use sdk::{Fake, json};
use serps::snapshot_id;
use site::Site;

use crate::stored::{Clustered, Counts, Keyword, Set};

/// The website of the tests, and its origin.
pub(crate) const SITE: &str = "81";
pub(crate) const SHOP: &str = "https://shop.example";
/// Its keyword set.
pub(crate) const SET: &str = "set_1";
/// The first day of the tests: a Monday.
pub(crate) const FIRST: &str = "2026-06-01";

/// A provider whose result pages are known.
#[derive(Clone, Default)]
pub(crate) struct Provider {
    /// Addresses by keyword.
    pub(crate) pages: Rc<RefCell<BTreeMap<String, Vec<String>>>>,
    /// Other elements by keyword, as the provider writes them.
    pub(crate) elements: Rc<RefCell<BTreeMap<String, Vec<Value>>>>,
    /// Keywords whose tasks fail.
    pub(crate) failing: Rc<RefCell<BTreeSet<String>>>,
    /// Tasks that were asked for.
    pub(crate) asked: Rc<RefCell<Vec<Value>>>,
    /// How often places were listed.
    pub(crate) listed: Rc<Cell<u32>>,
    posted: Rc<RefCell<BTreeMap<String, Value>>>,
}

impl Provider {
    /// A provider that shows these addresses.
    pub(crate) fn of(pages: &[(&str, &[&str])]) -> Self {
        let this = Self::default();
        for (keyword, urls) in pages {
            this.shows(keyword, urls);
        }
        this
    }

    /// Shows these addresses for a keyword from now on.
    pub(crate) fn shows(&self, keyword: &str, urls: &[&str]) {
        let urls = urls.iter().map(|it| (*it).to_owned()).collect();
        self.pages.borrow_mut().insert(keyword.to_owned(), urls);
    }

    /// Shows the website at a place among pages of others.
    pub(crate) fn places(&self, keyword: &str, position: usize) {
        let mut urls: Vec<String> =
            (1..=30).map(|at| format!("https://site-{at}.example/{}", kit::text::hex(keyword.as_bytes()))).collect();
        if position > 0 {
            urls.insert(position - 1, format!("{SHOP}/{}", keyword.replace(' ', "-")));
        }
        self.pages.borrow_mut().insert(keyword.to_owned(), urls);
    }

    fn answer(&self, method: &str, path: &str, body: &[u8]) -> Option<(u16, Vec<u8>)> {
        let endpoint = path.strip_prefix("/v3/")?;
        let (engine, rest) = endpoint.strip_prefix("serp/")?.split_once('/')?;
        if let Some(country) = rest.strip_prefix("locations/") {
            self.listed.set(self.listed.get() + 1);
            assert_eq!(country, "gb");
            let place = |code: u32, name: &str| json!({ "location_code": code, "location_name": name, "country_iso_code": "GB" });
            let places = json!([
                place(2_826, "United Kingdom"),
                place(1_006_886, "London,England,United Kingdom"),
                place(1_006_976, "Londonderry,Northern Ireland,United Kingdom")
            ]);
            return Some(task(20_000, &Value::Null, &places));
        }
        if let Some(id) = rest.strip_prefix("organic/task_get/advanced/") {
            let tag = self.posted.borrow().get(id).cloned()?;
            let keyword = tag["keyword"].as_str()?.to_owned();
            if self.failing.borrow().contains(&keyword) {
                return Some(task(40_503, &tag, &Value::Null));
            }
            return Some(task(20_000, &tag, &json!([self.page(&tag)])));
        }
        if rest == "organic/tasks_ready" {
            return Some(task(20_000, &Value::Null, &json!([])));
        }
        assert_eq!(method, "POST", "{path}");
        let tasks: Value = serde_json::from_slice(body).expect("JSON");
        if rest == "organic/live/advanced" {
            self.asked.borrow_mut().push(tasks[0].clone());
            if tasks[0]["location_name"] == "Nowhere" {
                return Some(refused(&tasks[0]));
            }
            return Some(task(20_000, &tasks[0], &json!([self.page(&tasks[0])])));
        }
        assert_eq!(rest, "organic/task_post");
        let mut told = Vec::new();
        for data in tasks.as_array().expect("tasks") {
            let mut asked = data.clone();
            asked["engine"] = json!(engine);
            self.asked.borrow_mut().push(asked);
            let id = format!("task-{}", self.posted.borrow().len());
            told.push(json!({ "id": id, "status_code": 20_100, "cost": 0.0006, "data": data }));
            self.posted.borrow_mut().insert(id, data.clone());
        }
        Some((200, json!({ "status_code": 20_000, "tasks": told }).to_string().into_bytes()))
    }

    fn page(&self, task: &Value) -> Value {
        let keyword = task["keyword"].as_str().expect("a keyword");
        let depth = usize::try_from(task["depth"].as_u64().unwrap_or(10)).expect("small");
        let urls = self.pages.borrow().get(keyword).cloned().unwrap_or_default();
        let item = |(at, url): (usize, String)| json!({ "type": "organic", "rank_group": at + 1, "rank_absolute": at + 3, "url": url, "title": format!("{keyword} page") });
        let mut items: Vec<Value> = self.elements.borrow().get(keyword).cloned().unwrap_or_default();
        items.extend(urls.into_iter().take(depth).enumerate().map(item));
        json!({ "keyword": keyword, "items": items })
    }
}

fn task(status: u64, data: &Value, result: &Value) -> (u16, Vec<u8>) {
    let task = json!({ "id": "t", "status_code": status, "cost": 0.002, "data": data, "result": result });
    (200, json!({ "status_code": 20_000, "tasks": [task] }).to_string().into_bytes())
}

fn refused(data: &Value) -> (u16, Vec<u8>) {
    let task = json!({ "id": "t", "status_code": 40_501, "status_message": "Invalid Field: 'location_name'.", "data": data, "result": null });
    (200, json!({ "status_code": 20_000, "tasks": [task] }).to_string().into_bytes())
}

/// A website with this provider, on the first day.
pub(crate) fn fake(provider: &Provider) -> Fake {
    let fake = crate::fake().connected("con_1", "dataforseo");
    let site = Site {
        domain: "shop.example".to_owned(),
        origin: SHOP.to_owned(),
        name: Some("Lamp Shop".to_owned()),
        country: Some("GB".to_owned()),
        ..Site::default()
    };
    fake.put_as(SITE, site);
    let own = provider.clone();
    fake.provider_serves(move |method, path, body| own.answer(method, path, body));
    on(&fake, day(FIRST));
    fake
}

/// Noon of a day.
pub(crate) fn on(fake: &Fake, day: Day) {
    let days = u64::try_from(day.since_epoch()).expect("after 1970");
    fake.set_now(Moment::from_millis(days * 86_400_000 + 43_200_000));
}

pub(crate) fn day(text: &str) -> Day {
    text.parse().expect("a day")
}

/// A set with these keywords and their searches.
pub(crate) fn set(fake: &Fake, keywords: &[(&str, Option<u64>)]) {
    put_set(fake, keywords.len() as u64, 0);
    keywords.iter().for_each(|(keyword, volume)| keyword_of(fake, keyword, *volume, &[]));
}

/// The set itself, with these counts.
pub(crate) fn put_set(fake: &Fake, keywords: u64, excluded: u64) {
    let set = Set {
        site_id: SITE.to_owned(),
        name: "Lamps".to_owned(),
        country: "GB".to_owned(),
        language: "en".to_owned(),
        counts: Counts { keywords, excluded },
        clustered: Some(Clustered { generation: 1 }),
        deleting: false,
    };
    fake.put_as(SET, set);
}

/// Adds a keyword to the set.
pub(crate) fn keyword_of(fake: &Fake, keyword: &str, volume: Option<u64>, tags: &[&str]) {
    let row = Keyword {
        set: SET.to_owned(),
        keyword: keyword.to_owned(),
        normal: keyword.to_owned(),
        order: volume.and_then(|it| i64::try_from(it).ok()).unwrap_or(-1),
        tags: tags.iter().map(|it| (*it).to_owned()).collect(),
        volume,
        ..Keyword::default()
    };
    fake.put_as(&snapshot_id(SET, keyword), row);
}

/// A call that is answered.
pub(crate) fn call(fake: &Fake, operation: &str, arguments: &Value) -> Value {
    fake.call(operation, arguments.clone())
        .unwrap_or_else(|fault| panic!("{operation} {arguments}: {} {} {:?}", fault.code, fault.message, fault.pointer))
}

/// A tracker of the set; `more` are further arguments.
pub(crate) fn tracker(fake: &Fake, more: &Value) -> String {
    let mut arguments =
        json!({ "site_id": SITE, "set_ref": SET, "location": "GB", "language": "en", "depth": 20, "competitors": [] });
    for (name, value) in more.as_object().into_iter().flatten() {
        arguments[name] = value.clone();
    }
    let created = call(fake, "rankings.tracker.create", &arguments);
    created["tracker_ref"].as_str().expect("a tracker").to_owned()
}

/// Checks a tracker and returns the job's result.
pub(crate) fn check(fake: &Fake, tracker: &str) -> Value {
    ran(fake, &json!({ "tracker_ref": tracker }))
}

/// Runs a check to its end and returns the job's result.
pub(crate) fn ran(fake: &Fake, arguments: &Value) -> Value {
    let started = call(fake, "rankings.check.run", arguments);
    for _ in 0..2_000 {
        if !fake.work_one_step() {
            break;
        }
    }
    let job = fake.jobs().get(&Id::new(started["job_ref"].as_str().expect("a job"))).expect("the job");
    assert!(job.fault().is_none(), "{:?}", job.fault());
    job.result().unwrap_or_else(|| panic!("the check has not ended: {:?}", job.state))
}
