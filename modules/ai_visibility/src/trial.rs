//! A website with brands, and language models whose answers are known, for native tests.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use sdk::serde_json::{self, Value};
use sdk::{Fake, json};
use site::Site;

/// The website of the tests.
pub(crate) const SITE: &str = "81";
/// Two connections with language models, and one of DataForSEO.
pub(crate) const MODEL: &str = "con_model";
pub(crate) const OTHER: &str = "con_other";
pub(crate) const PRODUCT: &str = "con_dataforseo";

/// So many questions, the status and the code.
pub(crate) type Failing = (u64, u16, &'static str);

/// Language models that answer each prompt with a share of the brand.
#[derive(Clone, Default)]
pub(crate) struct Models {
    /// Of ten answers to a prompt that has this word, so many name the brand.
    pub(crate) shares: Rc<RefCell<BTreeMap<String, u64>>>,
    /// Times that each prompt was asked, at each interface.
    pub(crate) asked: Rc<RefCell<BTreeMap<String, u64>>>,
    /// Looks that an answer of the background needs.
    pub(crate) looks: Rc<Cell<u64>>,
    /// Answers of the background, with the looks that are left.
    waiting: Rc<RefCell<BTreeMap<String, (u64, Value)>>>,
    /// Questions that fail from now on, with this status and code.
    pub(crate) failing: Rc<RefCell<Option<Failing>>>,
    /// Whether there is no `/responses`.
    pub(crate) chat_only: Rc<Cell<bool>>,
    /// Bodies that were sent.
    pub(crate) bodies: Rc<RefCell<Vec<Value>>>,
    /// Tasks of the product.
    tasks: Rc<RefCell<BTreeMap<String, Value>>>,
    /// An answer for prompts that have this word.
    pub(crate) texts: Rc<RefCell<BTreeMap<String, String>>>,
}

/// An answer that names the brand or not.
pub(crate) fn text(named: bool) -> String {
    let own = if named {
        "2. **Lamp Shop** - excellent service and beautiful brass lamps. ([guide](https://shop.example/guide?utm_source=openai))\n"
    } else {
        ""
    };
    format!(
        "These come up most often:\n\n1. **Bright Ltd** - cheap, but some buyers complain about bent shades.\n{own}3. **Glow & Co** - a wide choice.\n\nA comparison is at https://journal.example/lamps."
    )
}

impl Models {
    /// A host with the website and these models behind two connections.
    pub(crate) fn fake(&self) -> Fake {
        let site = Site {
            domain: "shop.example".to_owned(),
            origin: "https://shop.example".to_owned(),
            name: Some("Lamp Shop".to_owned()),
            country: Some("GB".to_owned()),
            ..Site::default()
        };
        let fake = Fake::new(crate::module())
            .with_as(SITE, site)
            .connected(MODEL, "llm")
            .connected(OTHER, "llm")
            .connected(PRODUCT, "dataforseo");
        for (reference, model) in [(MODEL, "sim-large"), (OTHER, "sim-small")] {
            fake.set_account(reference, &json!({ "defaults": { "model": model, "price_in": 1.0, "price_out": 4.0 } }));
        }
        let models = self.clone();
        fake.provider_serves(move |method, path, body| models.answer(method, path, body));
        fake
    }

    fn answer(&self, method: &str, path: &str, body: &[u8]) -> Option<(u16, Vec<u8>)> {
        let said = |status: u16, body: &Value| Some((status, body.to_string().into_bytes()));
        if path.starts_with("/v3/") {
            return self.product(method, path, body);
        }
        if let Some(id) = path.strip_prefix("/responses/") {
            let mut waiting = self.waiting.borrow_mut();
            let (left, answer) = waiting.get_mut(id)?;
            if *left > 0 {
                *left -= 1;
                return said(200, &json!({ "id": id, "status": "in_progress" }));
            }
            return said(200, answer);
        }
        if path == "/models" {
            return said(200, &json!({ "data": [{ "id": "gpt-5-mini" }] }));
        }
        let body: Value = serde_json::from_slice(body).expect("JSON");
        self.bodies.borrow_mut().push(body.clone());
        if let Some((left, status, code)) = self.failing.borrow_mut().as_mut().filter(|it| it.0 > 0) {
            *left -= 1;
            return said(*status, &json!({ "error": { "code": code } }));
        }
        let model = body["model"].as_str()?.to_owned();
        match path {
            "/responses" if self.chat_only.get() => said(404, &json!({})),
            "/responses" => {
                let prompt = body["input"].as_str()?.to_owned();
                let text = self.text(&model, &prompt);
                let notes = if body["tools"].is_array() {
                    json!([{ "type": "url_citation", "url": "https://journal.example/lamps", "title": "Lamps compared", "start_index": 0, "end_index": 5 }])
                } else {
                    json!([])
                };
                let mut output = vec![
                    json!({ "type": "message", "content": [{ "type": "output_text", "text": text, "annotations": notes }] }),
                ];
                if body["tools"].is_array() {
                    output.insert(
                        0,
                        json!({ "type": "web_search_call", "action": { "query": format!("{prompt} reviews") } }),
                    );
                }
                let id = format!("resp_{}", self.waiting.borrow().len());
                let whole = json!({ "id": id, "status": "completed", "model": format!("{model}-2026"), "output": output, "usage": { "input_tokens": 1_000, "output_tokens": 250 } });
                self.waiting.borrow_mut().insert(id.clone(), (self.looks.get(), whole));
                said(200, &json!({ "id": id, "status": "queued" }))
            }
            "/chat/completions" if body["response_format"].is_object() => {
                let count = body.to_string().matches("\\\"sentence\\\"").count();
                let labels = vec!["positive"; count];
                said(
                    200,
                    &json!({ "choices": [{ "message": { "content": json!({ "labels": labels, "questions": ["lamp warranty", "lamp price"] }).to_string() } }], "usage": { "prompt_tokens": 10, "completion_tokens": 5 } }),
                )
            }
            "/chat/completions" => {
                let prompt = body["messages"][0]["content"].as_str()?.to_owned();
                let text = self.text(&model, &prompt);
                said(
                    200,
                    &json!({ "model": model, "choices": [{ "finish_reason": "stop", "message": { "content": text } }], "usage": { "prompt_tokens": 20, "completion_tokens": 250 } }),
                )
            }
            _ => None,
        }
    }

    fn product(&self, method: &str, path: &str, body: &[u8]) -> Option<(u16, Vec<u8>)> {
        let said = |body: Value| Some((200, body.to_string().into_bytes()));
        if method == "POST" {
            let tasks: Value = serde_json::from_slice(body).expect("JSON");
            let mut told = Vec::new();
            for data in tasks.as_array()? {
                let id = format!("task-{}", self.tasks.borrow().len());
                told.push(json!({ "id": id, "status_code": 20_100, "cost": 0.004, "data": data }));
                self.tasks.borrow_mut().insert(id, data.clone());
            }
            return said(json!({ "status_code": 20_000, "tasks": told }));
        }
        let id = path.rsplit('/').next()?;
        let data = self.tasks.borrow().get(id)?.clone();
        let text = self.text("chatgpt", data["keyword"].as_str()?);
        let result = json!({ "model": "gpt-5-2", "markdown": text, "sources": [{ "url": "https://shop.example/guide", "title": "Guide" }], "fan_out_queries": ["lamps"] });
        said(json!({ "status_code": 20_000, "tasks": [{ "status_code": 20_000, "result": [result], "data": data }] }))
    }

    fn text(&self, model: &str, prompt: &str) -> String {
        let mut asked = self.asked.borrow_mut();
        let times = asked.entry(format!("{model}\n{prompt}")).or_default();
        *times += 1;
        if let Some((_, text)) = self.texts.borrow().iter().find(|it| prompt.contains(it.0.as_str())) {
            return text.clone();
        }
        let shares = self.shares.borrow();
        let share = shares.iter().find(|it| prompt.contains(it.0.as_str())).map_or(5, |it| *it.1);
        // 7 and 10 have no common factor: of ten answers so many name it, spread evenly.
        text((*times * 7) % 10 < share)
    }

    /// Questions in all.
    pub(crate) fn count(&self) -> u64 {
        self.asked.borrow().values().sum()
    }
}

/// Sets the brands and adds prompts about these things; the references of the prompts.
pub(crate) fn prepared(fake: &Fake, things: &[&str]) -> Vec<Value> {
    let brands = json!([
        { "name": "Lamp Shop", "domains": ["shop.example"], "own": true },
        { "name": "Bright Ltd", "aliases": ["Bright"], "domains": ["bright.example"] },
    ]);
    fake.call("ai_visibility.brand.set", json!({ "site_id": SITE, "brands": brands })).expect("brands");
    let prompts: Vec<Value> =
        things.iter().map(|it| json!({ "text": format!("What are the best {it}?"), "topic": it, "stage": "compare", "country": "GB" })).collect();
    let added = fake.call("ai_visibility.prompt.add", json!({ "site_id": SITE, "prompts": prompts })).expect("prompts");
    added["prompt_refs"].as_array().expect("references").clone()
}

/// The result of the job of a started call.
pub(crate) fn ended(fake: &Fake, started: &Value) -> Value {
    fake.work();
    let job = sdk::value::Id::new(started["job_ref"].as_str().expect("a job"));
    let job = fake.jobs().get(&job).expect("the job");
    job.result().unwrap_or_else(|| panic!("no result: {:?}", job.fault()))
}
