//! A website with keywords, and a provider whose answers are known, for native tests.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use kit::crawled::{PageRecord, TextAt, page_id};
use kit::pack::Search;
use sdk::prelude::*;
use sdk::serde_json::{self, Value};
use sdk::{Fake, json};
use site::Site;

/// The website of the tests.
pub(crate) const SITE: &str = "81";
/// Its origin.
pub(crate) const SHOP: &str = "https://shop.example";

/// A provider whose keyword data and result pages are known.
#[derive(Clone, Default)]
pub(crate) struct Provider {
    /// Volumes by keyword, in Labs.
    pub(crate) labs: Rc<RefCell<BTreeMap<String, u64>>>,
    /// Volumes by keyword, in Google Ads.
    pub(crate) ads: Rc<RefCell<BTreeMap<String, u64>>>,
    /// Addresses by keyword.
    pub(crate) pages: Rc<RefCell<BTreeMap<String, Vec<String>>>>,
    /// Questions that fail from now on, with this status of the provider.
    pub(crate) failing: Rc<Cell<(u32, u64)>>,
    /// Questions that were asked: endpoint and task.
    pub(crate) asked: Rc<RefCell<Vec<(String, Value)>>>,
    /// Tasks that were posted.
    posted: Rc<RefCell<BTreeMap<String, Value>>>,
}

impl Provider {
    /// A provider that knows these volumes.
    pub(crate) fn of(volumes: &[(&str, u64)]) -> Self {
        let this = Self::default();
        this.labs.borrow_mut().extend(volumes.iter().map(|(keyword, volume)| ((*keyword).to_owned(), *volume)));
        this
    }

    /// How often an endpoint was asked.
    pub(crate) fn count(&self, endpoint: &str) -> usize {
        self.asked.borrow().iter().filter(|it| it.0 == endpoint).count()
    }

    fn answer(&self, method: &str, path: &str, body: &[u8]) -> Option<(u16, Vec<u8>)> {
        let endpoint = path.strip_prefix("/v3/")?;
        if let Some(id) = endpoint.strip_prefix("serp/google/organic/task_get/advanced/") {
            let tag = self.posted.borrow().get(id).cloned()?;
            return Some(task(20_000, &tag, &json!([self.page(tag["keyword"].as_str()?)])));
        }
        if endpoint == "serp/google/organic/tasks_ready" {
            return Some(task(20_000, &Value::Null, &json!([])));
        }
        assert_eq!(method, "POST", "{path}");
        let tasks: Value = serde_json::from_slice(body).expect("JSON");
        self.asked.borrow_mut().push((endpoint.to_owned(), tasks[0].clone()));
        let (left, status) = self.failing.get();
        if left > 0 {
            self.failing.set((left - 1, status));
            return Some(task(status, &tasks[0], &Value::Null));
        }
        if endpoint == "serp/google/organic/task_post" {
            return Some(self.posted(&tasks));
        }
        Some(task(20_000, &tasks[0], &self.result(endpoint, &tasks[0])))
    }

    fn posted(&self, tasks: &Value) -> (u16, Vec<u8>) {
        let mut told = Vec::new();
        for data in tasks.as_array().expect("tasks") {
            let id = format!("task-{}", self.posted.borrow().len());
            told.push(json!({ "id": id, "status_code": 20_100, "cost": 0.0006, "data": data }));
            self.posted.borrow_mut().insert(id, data.clone());
        }
        (200, json!({ "status_code": 20_000, "tasks": told }).to_string().into_bytes())
    }

    fn page(&self, keyword: &str) -> Value {
        let pages = self.pages.borrow();
        let urls = pages.get(keyword).cloned().unwrap_or_default();
        let item = |(at, url): (usize, String)| json!({ "type": "organic", "rank_group": at + 1, "rank_absolute": at + 2, "url": url, "title": format!("{keyword} page") });
        let mut items: Vec<Value> = urls.into_iter().enumerate().map(item).collect();
        items.push(json!({ "type": "people_also_ask", "rank_absolute": 1, "items": [{ "title": format!("How to clean a {keyword}?") }] }));
        json!({ "keyword": keyword, "items": items })
    }

    fn figures(&self, keyword: &str) -> Value {
        let labs = self.labs.borrow();
        let volume = labs.get(keyword);
        let months: Vec<Value> =
            (1..=12).map(|month| json!({ "year": 2025, "month": month, "search_volume": volume })).collect();
        json!({ "keyword": keyword, "keyword_info": { "search_volume": volume, "cpc": 1.25, "competition": 0.5, "monthly_searches": months },
            "keyword_properties": { "keyword_difficulty": 34 }, "search_intent_info": { "main_intent": "commercial" } })
    }

    fn result(&self, endpoint: &str, data: &Value) -> Value {
        let texts = |name: &str| {
            data[name].as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect::<Vec<_>>()
        };
        let known = |keyword: &String| self.labs.borrow().contains_key(keyword);
        let items = |items: Vec<Value>| json!([{ "items": items, "total_count": items.len() }]);
        let all = || self.labs.borrow().keys().cloned().collect::<Vec<String>>();
        match endpoint {
            "dataforseo_labs/google/keyword_overview/live" => {
                items(texts("keywords").iter().filter(|it| known(it)).map(|it| self.figures(it)).collect())
            }
            "dataforseo_labs/google/historical_search_volume/live" => {
                let months = |keyword: &str| -> Vec<Value> {
                    let volume = self.labs.borrow().get(keyword).copied().unwrap_or(0);
                    // December has three times as many.
                    (0..48).map(|at| json!({ "year": 2022 + at / 12, "month": at % 12 + 1, "search_volume": if at % 12 == 11 { volume * 3 } else { volume } })).collect()
                };
                items(texts("keywords").iter().map(|it| json!({ "keyword": it, "keyword_info": { "search_volume": 1, "monthly_searches": months(it) } })).collect())
            }
            "keywords_data/google_ads/search_volume/live" => {
                let ads = self.ads.borrow();
                json!(texts("keywords").iter().map(|it| json!({ "keyword": it, "search_volume": ads.get(it), "cpc": 0.4, "competition": "LOW", "competition_index": 20 })).collect::<Vec<_>>())
            }
            "serp/google/autocomplete/live/advanced" => {
                let typed = data["keyword"].as_str().expect("a keyword");
                items(
                    ["near me", "price"]
                        .iter()
                        .map(|end| json!({ "type": "autocomplete", "suggestion": format!("{typed} {end}") }))
                        .collect(),
                )
            }
            "dataforseo_labs/google/related_keywords/live" => {
                items(all().iter().map(|it| json!({ "keyword_data": self.figures(it) })).collect())
            }
            "dataforseo_labs/google/keyword_suggestions/live" | "dataforseo_labs/google/keywords_for_site/live" => {
                items(all().iter().map(|it| self.figures(it)).collect())
            }
            "dataforseo_labs/google/ranked_keywords/live" => {
                let shown = |(at, it): (usize, &String)| json!({ "keyword_data": self.figures(it), "ranked_serp_element": { "serp_item": { "rank_group": at + 1, "url": format!("https://rival.example/{at}") } } });
                items(all().iter().enumerate().map(shown).collect())
            }
            "dataforseo_labs/google/domain_intersection/live" => {
                let both = data["intersections"] == true;
                let shown = |(at, it): (usize, &String)| {
                    let own = if both { json!({ "rank_group": 5 + at * 20 }) } else { Value::Null };
                    json!({ "keyword_data": self.figures(it), "first_domain_serp_element": { "rank_group": 3, "url": "https://rival.example/x" }, "second_domain_serp_element": own })
                };
                // Every other keyword is missing, the others are ranked for by both.
                items(all().iter().enumerate().filter(|(at, _)| (at % 2 == 0) != both).map(shown).collect())
            }
            other => panic!("nobody serves {other}"),
        }
    }
}

fn task(status: u64, data: &Value, result: &Value) -> (u16, Vec<u8>) {
    let task = json!({ "id": "t", "status_code": status, "status_message": "Invalid Field: 'keyword'.", "cost": 0.01, "data": data, "result": result });
    (200, json!({ "status_code": 20_000, "tasks": [task] }).to_string().into_bytes())
}

/// A module with a website and this provider.
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
    fake
}

/// A call that is answered.
pub(crate) fn call(fake: &Fake, operation: &str, arguments: &Value) -> Value {
    fake.call(operation, arguments.clone())
        .unwrap_or_else(|fault| panic!("{operation} {arguments}: {} {} {:?}", fault.code, fault.message, fault.pointer))
}

/// A new set with these keywords.
pub(crate) fn set(fake: &Fake, keywords: &[&str]) -> String {
    let created = call(
        fake,
        "keywords.set.create",
        &json!({ "site_id": SITE, "name": "Lamps", "country": "GB", "language": "en" }),
    );
    let set = created["set_ref"].as_str().expect("a set").to_owned();
    if !keywords.is_empty() {
        call(fake, "keywords.item.import", &json!({ "set_ref": set, "lines": keywords }));
    }
    set
}

/// Runs a job to its end and returns its result.
pub(crate) fn job(fake: &Fake, operation: &str, arguments: &Value) -> Value {
    let started = call(fake, operation, arguments);
    for _ in 0..200 {
        if !fake.work_one_step() {
            break;
        }
    }
    let job = fake.jobs().get(&Id::new(started["job_ref"].as_str().expect("a job"))).expect("the job");
    assert!(job.fault().is_none(), "{operation}: {:?}", job.fault());
    job.result().unwrap_or_else(|| panic!("{operation} has not ended: {:?}", job.state))
}

/// A page of the newest crawl.
pub(crate) fn crawled(fake: &Fake, path: &str, title: &str, words: &str) {
    if fake.rows::<site::Run>().is_empty() {
        fake.put_as("run_1", site::Run(site::trial::ended(SITE, fake.now().millis())));
    }
    let url = format!("{SHOP}{path}");
    let html = format!("<html lang=en><title>{title}</title><main><h1>{title}</h1><p>{words}</p></main></html>");
    let text = json!({ "url": url, "title": title, "headings": title, "plain": words }).to_string();
    let mut pack = fake.blobs().read("crawl.text/run_1/0", 0, 1 << 20).unwrap_or_default();
    let offset = u32::try_from(pack.len()).expect("small");
    pack.extend_from_slice(text.as_bytes());
    fake.blobs().write("crawl.text/run_1/0", &pack).expect("a pack");
    let record = PageRecord {
        run: "run_1".to_owned(),
        seq: fake.rows::<site::Crawled>().len() as u64 + 1,
        url: url.clone(),
        status: 200,
        facts: site::trial::facts(&url, 200, &[("content-type", "text/html")], &html),
        text: Some(TextAt { pack: 0, offset, length: u32::try_from(text.len()).expect("small") }),
        ..PageRecord::default()
    };
    fake.put_as(&page_id("run_1", &url), site::Crawled(record));
}

/// Figures of a day: clicks, impressions, and the position of all of them.
pub(crate) fn figures(clicks: u64, impressions: u64, position: u64) -> Search {
    Search { clicks, impressions, positions: impressions * position }
}

pub(crate) fn day(text: &str) -> Day {
    text.parse().expect("a day")
}
