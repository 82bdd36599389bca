//! The links module in its real sandbox, on a crawl of the demo shop and on a WordPress: every operation over both doors.

mod labelled;

use serde_json::{Value, json};
use simulators::{Seed, Simulator};
use tests::customer::Customer;
use tests::host::Host;

const SCOPES: &str = "account:read websites:read assets:read assets:write seo:analyze seo:execute connections:manage";
const POSTS: &str = "/wp-json/wp/v2/posts";
const SENTENCE: &str = "Before you begin, read our notes on cleaning brass lamps with salt.";

/// A website with a crawl whose graph is built.
struct Built {
    host: Host,
    ada: Customer,
    site: Value,
    run: Value,
}

impl Built {
    async fn shop() -> Self {
        let address = demo::serve("127.0.0.1:0".parse().expect("an address")).await.expect("the demo shop");
        let host = Host::start_with(|options| options.map("shop.example", address)).await;
        Self::of(host, "shop.example", json!({ "max_pages": 40 })).await
    }

    async fn of(host: Host, domain: &str, settings: Value) -> Self {
        let ada = host.customer(SCOPES).await;
        host.buy_points(&ada, 30).await;
        let site = ada.run("websites.create", json!({ "domain": domain })).await.data()["site_id"].clone();
        let mut crawl = json!({ "site_id": site, "rate_rps": 10, "check_external": false });
        crawl.as_object_mut().expect("an object").extend(settings.as_object().expect("an object").clone());
        let run = ada.run("crawl.run.start", crawl).await.data()["run_ref"].clone();
        let crawled = ada.wait_for("crawl.run.get", json!({ "run_ref": run }), 180).await;
        assert_eq!(crawled["state"], "succeeded", "{crawled}");
        let built = Self { host, ada, site, run };
        built.ada.change("links.graph.build", json!({ "run_ref": built.run })).await;
        let graph = built.ada.wait_for("links.graph.summary.get", json!({ "run_ref": built.run }), 120).await;
        assert_eq!(graph["state"], "succeeded", "{graph}");
        built
    }

    /// The reads of the module, and a member of each result that is there.
    fn reads(&self) -> Vec<(&'static str, Value, &'static str)> {
        let (site, run) = (&self.site, &self.run);
        let edits = json!([{ "op": "remove_block", "from": "footer" }, { "op": "noindex", "from": "/products/*" }]);
        vec![
            ("links.graph.summary.get", json!({ "run_ref": run }), "top_pages"),
            ("links.graph.simulate", json!({ "run_ref": run, "edits": edits }), "losses"),
            ("links.authority.list", json!({ "run_ref": run }), "pages"),
            ("links.orphan.list", json!({ "site_id": site }), "degraded"),
            ("links.depth.report", json!({ "run_ref": run, "max_depth": 2 }), "histogram"),
            ("links.anchor.report", json!({ "run_ref": run }), "basis"),
            ("links.broken.list", json!({ "run_ref": run }), "basis"),
            ("links.leak.report", json!({ "run_ref": run }), "basis"),
            ("links.silo.report", json!({ "run_ref": run }), "matrix"),
            ("links.suggestion.for_page", json!({ "site_id": site, "url": "http://shop.example/" }), "next"),
            ("links.suggestion.list", json!({ "site_id": site }), "degraded"),
        ]
    }

    /// Waits for a job; what it ended with.
    async fn outcome(&self, started: &Value) -> Value {
        let job = json!({ "job_ref": started["job_ref"] });
        let ended = self.ada.wait_for("account.job.get", job, 120).await;
        assert_eq!(ended["state"], "succeeded", "{ended}");
        ended["result"].clone()
    }
}

/// Every call that a result names, anywhere in it.
fn calls(value: &Value, out: &mut Vec<(String, Value)>) {
    match value {
        Value::Object(members) => {
            if let (Some(Value::String(id)), Some(arguments)) = (members.get("operation_id"), members.get("arguments"))
            {
                out.push((id.clone(), arguments.clone()));
            }
            members.values().for_each(|it| calls(it, out));
        }
        Value::Array(items) => items.iter().for_each(|it| calls(it, out)),
        _ => {}
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_read_answers_over_both_doors_and_every_call_that_it_names_is_taken() {
    let shop = Built::shop().await;
    let mut named = Vec::new();
    for (operation, arguments, member) in shop.reads() {
        let result = shop.ada.both(operation, arguments).await;
        assert!(!result[member].is_null() && result[member] != json!([]), "{operation}: {result}");
        calls(&result, &mut named);
    }
    named.sort_by_key(|it| format!("{} {}", it.0, it.1));
    named.dedup();
    let mut taken = 0;
    for (operation, arguments) in &named {
        let contract = shop.ada.get(&format!("/capabilities/{operation}")).await;
        assert_eq!(contract.status, 200, "{operation} is named and not served");
        let schema = contract.data()["arguments"].clone();
        let validator = jsonschema::draft202012::new(&schema).expect("a schema");
        assert!(validator.is_valid(arguments), "{operation} does not take {arguments}");
        taken += 1;
    }
    assert!(taken >= 5, "{taken} of {named:?}");
    let leaks = shop.ada.read("links.leak.report", json!({ "run_ref": shop.run })).await.data();
    let health = shop.ada.read("websites.health.get", json!({ "site_id": shop.site })).await.data();
    let authority = health["pillars"].as_array().and_then(|all| all.iter().find(|it| it["name"] == "authority"));
    let authority = &authority.unwrap_or_else(|| panic!("{health}"))["inputs"][0];
    let kept = leaks["lost_share"].as_f64().map(|it| 100.0 * (1.0 - it)).expect("a share");
    assert!(authority["score"].as_f64().is_some_and(|it| (it - kept).abs() < 0.06), "{authority} for {kept}");
    shop.host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_website_of_somebody_else_does_not_exist() {
    let shop = Built::shop().await;
    let eve = shop.host.customer(SCOPES).await;
    shop.host.buy_points(&eve, 10).await;
    for (operation, arguments, _) in shop.reads() {
        let code = eve.not_found(operation, arguments).await;
        assert!(matches!(code.as_str(), "run_not_found" | "website_not_found"), "{operation}: {code}");
    }
    for (operation, arguments) in [
        ("links.graph.build", json!({ "run_ref": shop.run })),
        ("links.suggestion.run", json!({ "run_ref": shop.run })),
        ("links.suggestion.apply", json!({ "site_id": shop.site, "suggestion_refs": ["sug-1"] })),
    ] {
        eve.not_found(operation, arguments).await;
    }
    shop.host.verify_ledger().await;
}

/// Writes a post at a WordPress, as its editor would; its number.
async fn post(wordpress: &Simulator, title: &str, content: &str) -> u64 {
    let credentials = wordpress.credentials();
    let text = |member: &str| credentials[member].as_str().expect("a text").to_owned();
    let body = json!({ "title": title, "content": content, "status": "publish" });
    let answer = reqwest::Client::new()
        .post(format!("{}{POSTS}", wordpress.url()))
        .basic_auth(text("username"), Some(text("application_password")))
        .header("content-type", "application/json")
        .body(body.to_string())
        .send()
        .await
        .expect("an answer");
    let made: Value = serde_json::from_slice(&answer.bytes().await.expect("a body")).expect("JSON");
    made["id"].as_u64().unwrap_or_else(|| panic!("{made}"))
}

/// What the post says now, as its editor sees it.
async fn content(wordpress: &Simulator, id: u64) -> String {
    let credentials = wordpress.credentials();
    let text = |member: &str| credentials[member].as_str().expect("a text").to_owned();
    let request = reqwest::Client::new().get(format!("{}{POSTS}/{id}?context=edit", wordpress.url()));
    let answer =
        request.basic_auth(text("username"), Some(text("application_password"))).send().await.expect("an answer");
    let shown: Value = serde_json::from_slice(&answer.bytes().await.expect("a body")).expect("JSON");
    shown["content"]["raw"].as_str().expect("a content").to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_is_suggested_approved_shown_put_into_wordpress_once_and_seen_on_the_live_page() {
    let world = simulators::start(Seed(3)).await.expect("providers");
    let wordpress = world.wordpress.clone();
    let raw = format!(
        "<!-- wp:paragraph -->\n<p>Oak likes wax &amp; patience, and a soft cloth.</p>\n<!-- /wp:paragraph -->\n\n<p>{SENTENCE}</p>"
    );
    let care = post(&wordpress, "Care of oak desks", &raw).await;
    post(&wordpress, "Cleaning brass lamps", "<p>Salt and a soft cloth bring back the shine of old metal.</p>").await;
    let host = Host::start_with(|options| options.map("wp.example", wordpress.address())).await;
    let seeds = json!(["http://wp.example/care-of-oak-desks/", "http://wp.example/cleaning-brass-lamps/"]);
    let site = Built::of(host, "wp.example", json!({ "seeds": seeds, "max_pages": 10 })).await;
    let ada = &site.ada;

    let started = ada.change("links.suggestion.run", json!({ "run_ref": site.run })).await;
    let made = site.outcome(&started).await;
    assert!(made["suggestions"].as_u64() > Some(0) && made["expected_gain"].as_f64() > Some(0.0), "{made}");
    let target = json!({ "site_id": site.site, "target": "http://wp.example/cleaning-brass-lamps/" });
    let listed = ada.both("links.suggestion.list", target).await;
    let first = &listed["suggestions"][0];
    assert_eq!((&first["sentence"], &first["anchor"]), (&json!(SENTENCE), &json!("cleaning brass lamps")), "{listed}");
    let of_page = json!({ "site_id": site.site, "url": "http://wp.example/cleaning-brass-lamps/", "direction": "in" });
    let found = ada.both("links.suggestion.for_page", of_page).await;
    assert_eq!(found["suggestions"][0]["sentence"], SENTENCE, "{found}");

    let reference = &first["suggestion_ref"];
    let eve = site.host.customer(SCOPES).await;
    site.host.buy_points(&eve, 10).await;
    let decision = json!({ "decisions": [{ "suggestion_ref": reference, "decision": "approve" }] });
    assert_eq!(eve.not_found("links.suggestion.decide", decision.clone()).await, "suggestion_not_found");
    let decided = ada.change("links.suggestion.decide", decision).await;
    assert_eq!(decided["approved"], 1, "{decided}");
    let which = json!({ "site_id": site.site, "suggestion_refs": [reference] });
    let unconnected = ada.run("links.suggestion.apply", which.clone()).await;
    assert_eq!(unconnected.refusal(), (422, "connection_required".to_owned()));
    let connection = json!({
        "kind": "wordpress", "name": "the blog", "endpoint": "http://wp.example",
        "credentials": wordpress.credentials(), "test": false,
    });
    ada.run("connections.add", connection).await.data();

    let mut dry = which.clone();
    dry["dry_run"] = json!(true);
    let shown = site.outcome(&ada.change("links.suggestion.apply", dry).await).await;
    assert_eq!((&shown["applied"], &shown["dry_run"]), (&json!(1), &json!(true)), "{shown}");
    assert_eq!(content(&wordpress, care).await, raw, "a dry run changes nothing");

    let started = ada.run_as("links.suggestion.apply", which.clone(), "apply-once").await.data();
    let put_in = site.outcome(&started).await;
    let diff = &put_in["diffs"][0];
    assert_eq!(
        (&put_in["applied"], &diff["verified"], &diff["item"]),
        (&json!(1), &json!(true), &json!(care)),
        "{put_in}"
    );
    let link = "<a href=\"http://wp.example/cleaning-brass-lamps/\">cleaning brass lamps</a>";
    let now = content(&wordpress, care).await;
    assert_eq!(now, raw.replace("cleaning brass lamps", link));
    assert_eq!(now.replace("<a href=\"http://wp.example/cleaning-brass-lamps/\">", "").replace("</a>", ""), raw);
    assert_eq!(ada.run_as("links.suggestion.apply", which.clone(), "apply-once").await.data(), started);
    let again = ada.run("links.suggestion.apply", which.clone()).await;
    assert_eq!((again.status.as_u16(), &again.json()["error"]["code"]), (409, &json!("not_approved")));
    let writes = wordpress
        .requests()
        .iter()
        .filter(|it| it.method == "POST" && it.path.split('?').next() == Some(&format!("{POSTS}/{care}")))
        .count();
    assert_eq!(writes, 1);
    let applied = ada.both("links.suggestion.list", json!({ "site_id": site.site, "state": "applied" })).await;
    assert_eq!(applied["suggestions"][0]["verified"], true, "{applied}");

    // Taken out again, and what somebody wrote meanwhile stays.
    let mut undo = which;
    undo["undo"] = json!(true);
    let out = site.outcome(&ada.change("links.suggestion.apply", undo.clone()).await).await;
    let diff = &out["diffs"][0];
    assert_eq!((&out["applied"], &diff["verified"]), (&json!(1), &json!(true)), "{out}");
    assert_eq!(content(&wordpress, care).await, raw, "byte for byte as it was");
    let proposed = ada.both("links.suggestion.list", json!({ "site_id": site.site, "state": "proposed" })).await;
    assert!(proposed["suggestions"].to_string().contains(undo["suggestion_refs"][0].as_str().expect("a reference")));
    site.host.verify_ledger().await;
}

#[test]
fn both_revisions_list_every_operation_of_the_module() {
    let table = include_str!("../../../catalog/operations.tsv");
    let wanted: Vec<&str> =
        table.lines().filter_map(|line| line.split('\t').next()).filter(|it| it.starts_with("links.")).collect();
    assert_eq!(wanted.len(), 15);
    for lock in
        [include_str!("../../../catalog/2026-08-15/links.toml"), include_str!("../../../catalog/2026-09-28/links.toml")]
    {
        for id in &wanted {
            assert!(lock.contains(&format!("[operations.\"{id}\"]")), "{id}");
        }
    }
}
