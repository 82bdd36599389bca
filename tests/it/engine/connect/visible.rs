//! Presence in AI answers: brands, prompts, runs with models of known rates, reports, sources and what robots may read, over both doors.

use super::*;

const SCOPES: &str = "account:read websites:read assets:read assets:write seo:analyze seo:execute destructive:execute connections:manage";
const DAY: std::time::Duration = std::time::Duration::from_secs(86_400);

/// A customer with a crawled shop, two language models and an account of DataForSEO.
struct Asked {
    scene: Scene,
    site: Value,
    large: Value,
    small: Value,
}

async fn asked() -> Asked {
    let world = simulators::start(Seed(1)).await.expect("providers");
    let shop = demo::serve("127.0.0.1:0".parse().expect("an address")).await.expect("the demo shop");
    let host = Host::start_with(|options| {
        clients(options, &world);
        options.map("shop.example", shop);
    })
    .await;
    let added = host.add_customer("ada@example.com", PASSWORD, 2_000).await;
    let token = host.token_for(&added, SCOPES, 60 * DAY).await;
    let ada = added.with_token(&token);
    host.buy_points(&ada, 1_000).await;
    let site = ada.run("websites.create", json!({ "domain": "shop.example" })).await.data()["site_id"].clone();
    let crawl = json!({ "site_id": site, "max_pages": 40, "rate_rps": 10, "check_external": false });
    let run = ada.run("crawl.run.start", crawl).await.data()["run_ref"].clone();
    let ended = ada.wait_for("crawl.run.get", json!({ "run_ref": run }), 240).await;
    assert_eq!(ended["state"], "succeeded", "{ended}");
    let connect = async |name: &str, kind: &str, provider: &Simulator| {
        let arguments = json!({
            "kind": kind, "name": name, "endpoint": provider.url(), "credentials": provider.credentials(), "test": false,
        });
        ada.run("connections.add", arguments).await.data()["connection_ref"].clone()
    };
    let large = connect("large", "llm", &world.llm).await;
    let small = connect("small", "llm", &world.llm).await;
    connect("results", "dataforseo", &world.dataforseo).await;
    for (reference, model) in [(&large, "sim-large"), (&small, "sim-small")] {
        let defaults = json!({ "model": model, "price_in": 1.0, "price_out": 4.0 });
        ada.run("connections.update", json!({ "connection_ref": reference, "defaults": defaults })).await.data();
    }
    Asked { scene: Scene { host, world, ada }, site, large, small }
}

impl Asked {
    async fn run(&self, operation: &str, mut arguments: Value) -> Value {
        arguments["site_id"] = self.site.clone();
        self.scene.ada.run(operation, arguments).await.data()
    }

    async fn both(&self, operation: &str, mut arguments: Value) -> Value {
        arguments["site_id"] = self.site.clone();
        self.scene.ada.both(operation, arguments).await
    }

    async fn refusal(&self, operation: &str, mut arguments: Value) -> (u16, String) {
        arguments["site_id"] = self.site.clone();
        self.scene.ada.run(operation, arguments).await.refusal()
    }

    /// Forty prompts in two languages, and the brands.
    async fn prepare(&self) {
        let brands = json!([
            { "name": "Lamp shop", "domains": ["shop.example"], "own": true },
            { "name": "brightly", "domains": ["brightly.example"] },
            { "name": "glowhouse", "domains": ["glowhouse.example"] },
        ]);
        self.run("ai_visibility.brand.set", json!({ "brands": brands })).await;
        let things = [
            "desk lamps",
            "brass lamps",
            "reading lamps",
            "floor lamps",
            "lamp shades",
            "warm bulbs",
            "work lights",
            "bed lamps",
            "kitchen lights",
            "garden lights",
            "clip lamps",
            "wall lamps",
            "ceiling lamps",
            "table lamps",
            "night lights",
            "oil lamps",
            "LED strips",
            "dimmers",
            "lamp parts",
            "old lamps",
        ];
        let mut prompts: Vec<Value> = things.iter().map(|it| json!({ "text": format!("Where can I buy the best {it}?"), "topic": "lamps", "country": "GB", "stage": "choose" })).collect();
        prompts.extend(things.iter().map(|it| json!({ "text": format!("Welche Alternativen gibt es für {it}? Recommend a shop."), "topic": "Leuchten", "country": "DE", "language": "de", "stage": "compare" })));
        let added = self.run("ai_visibility.prompt.add", json!({ "prompts": prompts })).await;
        assert_eq!(added["added"], 40, "{added}");
    }

    async fn ended(&self, started: &Value) -> Value {
        let job = self.scene.ada.wait_for("account.job.get", json!({ "job_ref": started["job_ref"] }), 300).await;
        assert_eq!(job["state"], "succeeded", "{job}");
        job["result"].clone()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_tells_models_apart_by_their_known_rates_and_every_number_has_its_n() {
    let asked = asked().await;
    let start = json!({ "connections": [asked.large, asked.small], "samples": 3 });
    assert_eq!(asked.refusal("ai_visibility.run.start", start.clone()).await, (409, "brands_required".to_owned()));
    asked.prepare().await;
    let before = asked.scene.world.llm.effects().len();
    let started = asked.run("ai_visibility.run.start", start.clone()).await;
    assert_eq!((&started["answers"], &started["reserved_credits"]), (&json!(240), &json!(2.0)), "{started}");
    let outcome = asked.ended(&started).await;
    assert_eq!((&outcome["answers"], &outcome["failed"]), (&json!(240), &json!(0)), "{outcome}");
    let effects = asked.scene.world.llm.effects().len() - before;
    assert_eq!(effects, 240, "nothing is asked twice");
    let run = asked.scene.ada.both("ai_visibility.run.get", json!({ "run_ref": started["run_ref"] })).await;
    let rate = |at: usize| run["by_model"][at]["mention_rate"].as_f64().expect("a rate");
    assert!(
        (0.55..0.85).contains(&rate(0)) && (0.15..0.45).contains(&rate(1)),
        "sim-large names the shop in 7 of 10, sim-small in 3: {run}"
    );
    assert!(run["by_model"][0]["n"]["n_eff"].as_f64().expect("a sample") >= 40.0, "{run}");
    let usage = asked.scene.ada.read("connections.usage.get", json!({ "connection_ref": asked.large })).await.data();
    assert_eq!(usage["spent"][0]["amount"], run["by_model"][0]["spending"]["amount"], "{usage}");
    let report = asked.both("ai_visibility.mention.report", json!({ "by": "topic" })).await;
    assert_eq!(
        (&report["sampling"]["prompts"], &report["sampling"]["measured"]),
        (&json!(40), &json!(["api"])),
        "{report}"
    );
    for row in report["rows"].as_array().expect("rows") {
        assert!(row["n"]["answers"].as_u64() > Some(0) && row["ci95"][0].as_f64() <= row["rate"].as_f64(), "{row}");
    }
    let own = &report["own"];
    assert!(
        own["ci95"][0].as_f64() < Some(0.5) && own["ci95"][1].as_f64() > Some(0.5),
        "the truth of both together is 0.5: {own}"
    );
    for (operation, arguments) in [
        ("ai_visibility.share_of_voice.report", json!({ "by": "model" })),
        ("ai_visibility.trend.report", json!({})),
        ("ai_visibility.consistency.report", json!({})),
        ("ai_visibility.sentiment.report", json!({})),
        ("ai_visibility.run.list", json!({})),
        ("ai_visibility.prompt.list", json!({ "limit": 5 })),
        ("ai_visibility.citation.list", json!({ "by": "page" })),
        ("ai_visibility.answer.list", json!({ "present": false, "limit": 3 })),
        ("ai_visibility.accuracy.check", json!({ "facts": { "founded": 1998 } })),
        ("ai_visibility.fanout.expand", json!({ "prompt": "Where can I buy the best desk lamps?" })),
        ("ai_visibility.prompt.suggest", json!({ "topic": "brass lamps" })),
    ] {
        let shown = asked.both(operation, arguments).await;
        assert!(shown.is_object(), "{operation}: {shown}");
    }
    let answers = asked.both("ai_visibility.answer.list", json!({ "limit": 1 })).await;
    let answer = asked
        .scene
        .ada
        .both("ai_visibility.answer.get", json!({ "answer_ref": answers["answers"][0]["answer_ref"] }))
        .await;
    assert!(answer["text"].as_str().is_some_and(|it| it.contains("these come up most often")), "{answer}");
    assert!(!answer["sources"].as_array().expect("sources").is_empty());
    let health = asked.both("websites.health.get", json!({})).await;
    assert!(health.to_string().contains("ai_visibility"), "{health}");
}

#[tokio::test(flavor = "multi_thread")]
async fn caps_hold_and_a_product_is_measured_as_people_see_it() {
    let asked = asked().await;
    asked.prepare().await;
    let capped = asked.run("ai_visibility.run.start", json!({ "connections": [asked.large], "cost_cap": 0.06 })).await;
    let outcome = asked.ended(&capped).await;
    assert_eq!(outcome["ended_by"], "cost_cap", "{outcome}");
    let usage = asked.scene.ada.read("connections.usage.get", json!({ "connection_ref": asked.large })).await.data();
    let spent: f64 = usage["spent"][0]["amount"].as_str().and_then(|it| it.parse().ok()).expect("an amount");
    assert!(spent > 0.0 && spent <= 0.06, "{usage}");
    // The host itself holds to the cap of a day, whatever a module asks for.
    let cap = json!({ "connection_ref": asked.large, "daily_cost_cap": 0.01 });
    asked.scene.ada.run("connections.update", cap).await.data();
    let again = asked.run("ai_visibility.run.start", json!({ "connections": [asked.large], "samples": 1 })).await;
    let outcome = asked.ended(&again).await;
    assert_eq!((&outcome["answers"], &outcome["state"]), (&json!(0), &json!("failed")), "{outcome}");
    let run = asked.scene.ada.read("ai_visibility.run.get", json!({ "run_ref": again["run_ref"] })).await.data();
    assert_eq!(run["by_model"][0]["failures"], json!({ "daily_cost_cap": 40 }), "{run}");
    let listed = asked.scene.ada.read("connections.list", json!({})).await.data();
    let results = listed["connections"]
        .as_array()
        .expect("connections")
        .iter()
        .find(|it| it["kind"] == "dataforseo")
        .expect("DataForSEO")["connection_ref"]
        .clone();
    let prompts =
        asked.scene.ada.read("ai_visibility.prompt.list", json!({ "site_id": asked.site, "limit": 2 })).await.data();
    let refs: Vec<&Value> =
        prompts["prompts"].as_array().expect("prompts").iter().map(|it| &it["prompt_ref"]).collect();
    let product = asked
        .run("ai_visibility.run.start", json!({ "connections": [results], "prompt_refs": refs, "samples": 1 }))
        .await;
    let outcome = asked.ended(&product).await;
    assert_eq!(outcome["answers"], 2, "{outcome}");
    let overview = json!({ "keywords": ["reading lamp", "desk lamp"], "location": "United Kingdom", "language": "en" });
    let overview = asked.both("ai_visibility.ai_overview.check", overview).await;
    assert_eq!(overview["rows"].as_array().expect("rows").len(), 2, "{overview}");
    let schedule = json!({ "every": "weekly", "connections": [asked.small], "samples": 1 });
    let set = asked.run("ai_visibility.schedule.set", schedule).await;
    assert!(set["next_run"].is_string(), "{set}");
    let removed =
        asked.run("ai_visibility.prompt.remove", json!({ "prompt_refs": refs, "delete_answers": true })).await;
    assert_eq!(removed["removed"], 2, "{removed}");
}

#[tokio::test(flavor = "multi_thread")]
async fn robots_agents_and_llms_txt_are_read_as_they_are() {
    let asked = asked().await;
    let access = asked.both("ai_visibility.crawler_access.check", json!({})).await;
    let names: Vec<&str> =
        access["agents"].as_array().expect("agents").iter().filter_map(|it| it["name"].as_str()).collect();
    assert!(names.contains(&"GPTBot") && names.contains(&"PerplexityBot") && names.len() > 30, "{names:?}");
    assert!(
        access["agents"].as_array().expect("agents").iter().all(|it| it["log_visits"].is_null()),
        "no log, no visits"
    );
    let ready = asked
        .scene
        .ada
        .read("ai_visibility.agent_readiness.check", json!({ "url": "http://shop.example/" }))
        .await
        .data();
    assert_eq!(ready["scripts_run"], false, "{ready}");
    let made = asked.both("ai_visibility.llms_txt.generate", json!({ "full": true })).await;
    assert!(
        made["llms_txt"].as_str().is_some_and(|it| it.starts_with("# ")) && made["llms_full_txt"].is_string(),
        "{made}"
    );
    let checked = asked
        .scene
        .ada
        .read("ai_visibility.llms_txt.validate", json!({ "origin": "http://shop.example" }))
        .await
        .data();
    assert_eq!(checked["url"], "http://shop.example/llms.txt", "{checked}");
    let refused = asked.refusal("ai_visibility.referral.report", json!({})).await;
    assert_eq!(refused, (422, "connection_required".to_owned()));
    let ga = asked.scene.connect(json!({ "kind": "ga4" })).await;
    assert_eq!(
        asked.refusal("ai_visibility.referral.report", json!({})).await,
        (409, "property_not_mapped".to_owned())
    );
    let listed = asked.scene.ada.read("connections.property.list", json!({ "connection_ref": ga })).await.data();
    let remote = listed["properties"][0]["remote_id"].clone();
    assert_eq!(remote, "properties/310000001", "{listed}");
    let map = json!({ "connection_ref": ga, "remote_id": remote, "site_id": asked.site, "force": true });
    asked.scene.ada.run("connections.property.map", map).await.data();
    let visits = asked.both("ai_visibility.referral.report", json!({})).await;
    assert_eq!(visits["products"][0]["product"], "ChatGPT", "{visits}");
    assert!(
        visits["ai_channel"]["sessions"].as_u64() >= visits["total"]["sessions"].as_u64().map(|it| it / 2),
        "{visits}"
    );
    let gap = asked.refusal("ai_visibility.citation_gap.analyze", json!({})).await;
    assert_eq!(gap, (409, "brands_required".to_owned()));
}
