//! The indexing module in its real sandbox, on a crawl of the demo shop and at simulated providers: every operation over
//! both doors.

use serde_json::{Value, json};
use simulators::{Seed, World};
use tests::customer::Customer;
use tests::host::Host;

const SCOPES: &str = "account:read websites:read assets:read assets:write seo:analyze seo:execute connections:manage";
const HOME: &str = "http://shop.example/";

/// A website with a crawl that has ended.
struct Shop {
    host: Host,
    ada: Customer,
    site: Value,
    run: Value,
}

impl Shop {
    async fn crawled() -> Self {
        Self::with_pages(40).await
    }

    async fn with_pages(max_pages: u32) -> Self {
        let address = demo::serve("127.0.0.1:0".parse().expect("an address")).await.expect("the demo shop");
        let host = Host::start_with(|options| options.map("shop.example", address)).await;
        let ada = host.customer(SCOPES).await;
        host.buy_points(&ada, 60).await;
        let site = ada.run("websites.create", json!({ "domain": "shop.example" })).await.data()["site_id"].clone();
        let crawl = json!({ "site_id": site, "rate_rps": 10, "check_external": false, "max_pages": max_pages });
        let run = ada.run("crawl.run.start", crawl).await.data()["run_ref"].clone();
        let crawled = ada.wait_for("crawl.run.get", json!({ "run_ref": run }), 180).await;
        assert_eq!(crawled["state"], "succeeded", "{crawled}");
        Self { host, ada, site, run }
    }

    /// Reads that need no provider, and a member of each result that is there.
    fn reads(&self) -> Vec<(&'static str, Value, &'static str)> {
        let (site, run) = (&self.site, &self.run);
        let lamps = format!("{HOME}products/lamp-1");
        vec![
            ("indexing.robots.get", json!({ "origin": HOME }), "groups"),
            ("indexing.robots.test", json!({ "urls": [format!("{HOME}private/stock")] }), "results"),
            ("indexing.robots.lint", json!({ "site_id": site }), "findings"),
            (
                "indexing.robots.compose",
                json!({ "site_id": site, "policy": { "ai_training_bots": "disallow" } }),
                "changed",
            ),
            ("indexing.sitemap.discover", json!({ "origin": HOME }), "sitemaps"),
            ("indexing.sitemap.validate", json!({ "url": format!("{HOME}sitemap-pages.xml"), "sample": 3 }), "sample"),
            ("indexing.hreflang.validate", json!({ "run_ref": run }), "seen_at"),
            ("indexing.hreflang.validate", json!({ "urls": [HOME] }), "seen_at"),
            ("indexing.url.check", json!({ "url": lamps }), "chain"),
            ("indexing.coverage.report", json!({ "site_id": site, "limit": 100 }), "rows"),
            ("indexing.priority.list", json!({ "site_id": site }), "urls"),
            ("indexing.submission.list", json!({ "site_id": site }), "degraded"),
            ("indexing.removal.plan", json!({ "site_id": site, "urls": [lamps], "reason": "outdated" }), "steps"),
        ]
    }

    /// Reads over REST and over MCP, which give the same but for moments, since one lies between them.
    async fn both(&self, operation: &str, arguments: Value) -> Value {
        let rest = self.ada.read(operation, arguments.clone()).await.data();
        let call = json!({ "operation_id": operation, "arguments": arguments });
        let mcp = self.ada.tool("service_action_execute", call).await.data();
        assert_eq!(timeless(rest.clone()), timeless(mcp), "{operation}");
        rest
    }

    /// Waits for a job; what it ended with.
    async fn outcome(&self, started: &Value) -> Value {
        let job = json!({ "job_ref": started["job_ref"] });
        let ended = self.ada.wait_for("account.job.get", job, 120).await;
        assert_eq!(ended["state"], "succeeded", "{ended}");
        ended["result"].clone()
    }

    async fn connect(&self, kind: &str, endpoint: &str, credentials: Value) {
        let connection =
            json!({ "kind": kind, "name": kind, "endpoint": endpoint, "credentials": credentials, "test": false });
        self.ada.run("connections.add", connection).await.data();
    }
}

/// A result without the moments in it.
fn timeless(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let moment = |name: &str| name.ends_with("_at") || name == "age_seconds" || name == "day";
            members.into_iter().filter(|(name, _)| !moment(name)).map(|(name, it)| (name, timeless(it))).collect()
        }
        Value::Array(items) => items.into_iter().map(timeless).collect(),
        other => other,
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
    let shop = Shop::crawled().await;
    let mut named = Vec::new();
    for (operation, arguments, member) in shop.reads() {
        let result = shop.both(operation, arguments).await;
        assert!(!result[member].is_null() && result[member] != json!([]), "{operation}: {result}");
        calls(&result, &mut named);
    }
    named.sort_by_key(|it| format!("{} {}", it.0, it.1));
    named.dedup();
    let mut taken = 0;
    for (operation, arguments) in &named {
        let contract = shop.ada.get(&format!("/capabilities/{operation}")).await;
        let schema = contract.data()["arguments"].clone();
        let validator = jsonschema::draft202012::new(&schema).expect("a schema");
        assert!(validator.is_valid(arguments), "{operation} does not take {arguments}");
        taken += 1;
    }
    assert!(taken >= 3, "{taken} of {named:?}");
    shop.host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sitemaps_are_compared_with_the_crawl_and_written_anew_as_files_that_can_be_fetched() {
    let shop = Shop::crawled().await;
    let started = shop.ada.change("indexing.sitemap.audit", json!({ "run_ref": shop.run })).await;
    let audited = shop.outcome(&started).await;
    assert!(audited["in_both"].as_u64() > Some(0), "{audited}");
    let problems = audited["counts"].as_object().expect("counts");
    for planted in ["noindex", "redirect"] {
        assert!(problems.contains_key(planted), "{planted}: {audited}");
    }
    let wanted = json!({ "run_ref": shop.run, "base_url": HOME, "gzip": false });
    let made = shop.outcome(&shop.ada.change("indexing.sitemap.generate", wanted).await).await;
    let place = made["files"][0]["ref"].as_str().expect("an address");
    let path = place.find("/r/").map(|at| &place[at..]).expect("a share");
    let base = shop.ada.rest.trim_end_matches("/v1");
    let answer = reqwest::get(format!("{base}{path}")).await.expect("an answer");
    let name = answer.headers()["content-disposition"].to_str().expect("a text").to_owned();
    let text = answer.text().await.expect("a body");
    assert!(name.contains("sitemap-1.xml") && text.contains("<loc>http://shop.example/</loc>"), "{name}: {text}");
    shop.host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn planted_faults_are_found_by_the_operations_that_should_find_them() {
    let shop = Shop::with_pages(300).await;
    let at = |path: &str| format!("{HOME}{}", path.trim_start_matches('/'));
    let lint = shop.both("indexing.robots.lint", json!({ "origin": HOME })).await;
    let findings = lint["findings"].as_array().expect("findings");
    assert!(findings.iter().any(|it| it["code"] == "unknown_field"), "{lint}");

    let discovered = shop.both("indexing.sitemap.discover", json!({ "origin": HOME })).await;
    let found = discovered["sitemaps"].as_array().expect("sitemaps");
    assert!(found.iter().any(|it| it["url"] == at("/sitemap-old.xml") && it["status"] == 404), "{discovered}");
    for (file, code) in [("/sitemap-pages.xml", "other_host"), ("/sitemap-blog.xml", "lastmod_future")] {
        let validated = shop.both("indexing.sitemap.validate", json!({ "url": at(file), "sample": 0 })).await;
        let errors = validated["errors"].as_array().expect("errors");
        assert!(errors.iter().any(|it| it["code"] == code), "{file}: {validated}");
    }

    let mut problems: Vec<(String, String)> = Vec::new();
    let mut arguments = json!({ "run_ref": shop.run, "limit": 100 });
    loop {
        let page = shop.both("indexing.hreflang.validate", arguments.clone()).await;
        let told = page["problems"].as_array().expect("problems");
        let text = |it: &Value, name: &str| it[name].as_str().expect("a text").to_owned();
        problems.extend(told.iter().map(|it| (text(it, "url"), text(it, "code"))));
        if page["next_cursor"].is_null() {
            break;
        }
        arguments["cursor"] = page["next_cursor"].clone();
    }
    for (path, codes) in [
        ("/shop/table-lamp-1", &["no_return_link"][..]),
        ("/shop/table-lamp-2", &["invalid_code"]),
        // A crawl does not ask for a version that nothing links to.
        ("/shop/table-lamp-3", &["target_status", "target_unknown"]),
        ("/shop/table-lamp-4", &["missing_self"]),
    ] {
        let found = codes.iter().any(|code| problems.contains(&(at(path), (*code).to_owned())));
        assert!(found, "{path} {codes:?} in {problems:?}");
    }

    let versions = json!([{ "lang": "en", "prefix_or_host": "/" }, { "lang": "de", "prefix_or_host": "/de/" }]);
    let sets = shop.both("indexing.hreflang.generate", json!({ "run_ref": shop.run, "versions": versions })).await;
    assert!(sets["clusters_total"].as_u64() > Some(0), "{sets}");
    shop.host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn changed_pages_reach_indexnow_and_bing_once_and_within_what_they_take() {
    let shop = Shop::crawled().await;
    let world: World = simulators::start(Seed(5)).await.expect("providers");
    let credentials = world.indexnow.credentials();
    let urls = json!([format!("{HOME}products"), format!("{HOME}products/lamp-5")]);
    let submit = json!({ "site_id": shop.site, "urls": urls });
    let early = shop.ada.run("indexing.indexnow.submit", submit.clone()).await;
    assert_eq!(early.refusal(), (409, "key_required".to_owned()));

    let key = json!({ "site_id": shop.site, "key": credentials["key"] });
    let made = shop.ada.change("indexing.indexnow.key.create", key).await;
    assert_eq!(made["location"], format!("{HOME}{}.txt", credentials["key"].as_str().expect("a key")));
    let unconnected = shop.ada.run("indexing.indexnow.submit", submit.clone()).await;
    assert_eq!(unconnected.refusal(), (422, "connection_required".to_owned()));
    shop.connect("indexnow", &world.indexnow.url(), credentials.clone()).await;
    let verified = shop.both("indexing.indexnow.key.verify", json!({ "site_id": shop.site })).await;
    if verified["verified"] == true {
        let sent = shop.ada.change("indexing.indexnow.submit", submit.clone()).await;
        assert_eq!((&sent["submitted"], &sent["skipped"][0]["reason"]), (&json!(1), &json!("noindex")), "{sent}");
        let again = shop.ada.change("indexing.indexnow.submit", submit).await;
        assert_eq!(again["submitted"], 0, "{again}");
        assert_eq!(world.indexnow.effects().len(), 1);
    } else {
        let refused = shop.ada.run("indexing.indexnow.submit", submit).await;
        assert_eq!(refused.refusal(), (409, "key_not_verified".to_owned()));
        assert!(world.indexnow.effects().is_empty());
    }

    let bing = json!({ "api_key": world.bing_webmaster.credentials()["api_key"] });
    shop.connect("bing_webmaster", &world.bing_webmaster.url(), bing).await;
    let sent = shop.ada.change("indexing.bing.submit", json!({ "site_id": shop.site, "urls": urls })).await;
    assert_eq!((&sent["submitted"], &sent["rejected"][0]["reason"]), (&json!(1), &json!("noindex")), "{sent}");
    let known = json!({ "site_id": shop.site, "url": format!("{HOME}products") });
    let status = shop.both("indexing.bing.status.get", known).await;
    assert_eq!(status["url_info"]["known"], true, "{status}");
    let issues = status["crawl_issues"].as_array().expect("issues");
    assert!(issues.iter().any(|it| it["issues"] == json!(["blocked_by_robots_txt"])), "{status}");

    let auto = json!({ "site_id": shop.site, "enabled": true, "engines": ["bing"], "submit_now": true });
    let set = shop.ada.change("indexing.auto_submit.set", auto).await;
    assert!(set["settings"]["next_run"].is_string() && set["handed_over"][0]["submitted"] == 0, "{set}");
    let listed = shop.both("indexing.submission.list", json!({ "site_id": shop.site, "engine": "bing" })).await;
    assert_eq!(listed["submissions"].as_array().map(Vec::len), Some(1), "{listed}");
    shop.host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_google_says_needs_a_connection_that_is_named_over_both_doors() {
    let shop = Shop::crawled().await;
    let site = &shop.site;
    let inspect = shop.ada.read("indexing.url.inspect", json!({ "site_id": site, "url": HOME })).await;
    assert_eq!(inspect.refusal(), (422, "connection_required".to_owned()));
    for (operation, arguments) in [
        ("indexing.inspection.run", json!({ "site_id": site })),
        ("indexing.google_jobs.notify", json!({ "site_id": site, "urls": [HOME] })),
    ] {
        let refused = shop.ada.run(operation, arguments).await;
        assert_eq!(refused.refusal(), (422, "connection_required".to_owned()), "{operation}");
    }
    shop.host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_website_of_somebody_else_does_not_exist() {
    let shop = Shop::crawled().await;
    let eve = shop.host.customer(SCOPES).await;
    shop.host.buy_points(&eve, 10).await;
    let owned = |arguments: &Value| arguments.get("site_id").is_some() || arguments.get("run_ref").is_some();
    for (operation, arguments, _) in shop.reads().into_iter().filter(|(_, arguments, _)| owned(arguments)) {
        let code = eve.not_found(operation, arguments).await;
        assert!(matches!(code.as_str(), "run_not_found" | "website_not_found"), "{operation}: {code}");
    }
    let (site, run) = (&shop.site, &shop.run);
    for (operation, arguments) in [
        ("indexing.sitemap.audit", json!({ "run_ref": run })),
        ("indexing.sitemap.generate", json!({ "run_ref": run, "base_url": HOME })),
        ("indexing.inspection.run", json!({ "site_id": site })),
        ("indexing.indexnow.key.create", json!({ "site_id": site })),
        ("indexing.indexnow.key.verify", json!({ "site_id": site })),
        ("indexing.indexnow.submit", json!({ "site_id": site, "urls": [HOME] })),
        ("indexing.bing.submit", json!({ "site_id": site, "urls": [HOME] })),
        ("indexing.bing.status.get", json!({ "site_id": site })),
        ("indexing.google_jobs.notify", json!({ "site_id": site, "urls": [HOME] })),
        ("indexing.url.inspect", json!({ "site_id": site, "url": HOME })),
        ("indexing.auto_submit.set", json!({ "site_id": site, "enabled": true, "engines": ["bing"] })),
    ] {
        eve.not_found(operation, arguments).await;
    }
    shop.host.verify_ledger().await;
}

#[test]
fn both_revisions_list_every_operation_of_the_module() {
    let table = include_str!("../../../catalog/operations.tsv");
    let wanted: Vec<&str> =
        table.lines().filter_map(|line| line.split('\t').next()).filter(|it| it.starts_with("indexing.")).collect();
    assert_eq!(wanted.len(), 24);
    for date in ["2026-08-15", "2026-09-28"] {
        let path = format!("{}/../catalog/{date}/indexing.toml", env!("CARGO_MANIFEST_DIR"));
        let lock = std::fs::read_to_string(&path).expect("the module is locked");
        for id in &wanted {
            assert!(lock.contains(&format!("[operations.\"{id}\"]")), "{id}");
        }
    }
}
