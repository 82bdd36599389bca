//! The first real call, end to end, through both doors: sign in, consent, find, read, run, follow, pay, leave.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use scraper::{Html, Selector};
use serde_json::{Value, json};
use tests::customer::fresh_key;
use tests::host::Host;
use tests::person::App;
use tests::{needs, site};
use url::Url;

/// HTML pages that nobody here wrote: Debian's `python3-doc`.
fn documentation() -> Option<PathBuf> {
    let found = ["/usr/share/doc/python3.11/html", "/usr/share/doc/python3/html", "/usr/share/doc/python3.13/html"]
        .into_iter()
        .map(PathBuf::from)
        .find(|folder| folder.join("index.html").is_file());
    if found.is_none() {
        needs::skip("a documentation package of 300 pages or more", "apt-get install python3-doc");
    }
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_signs_in_finds_runs_follows_and_pays_for_a_crawl_of_a_real_site() {
    let Some(folder) = documentation() else { return };
    let served = site::serve_folder(folder).await;
    let host = Host::start_with(|options| options.map("docs.example", served.address)).await;
    let owner = host.add_customer("ada@example.com", "correct horse battery", 200).await;

    // Over MCP: the 401 leads to the metadata, registration, sign-in and consent.
    let app = App::register(&host.mcp).await;
    let scope = "account:read websites:read assets:read assets:write seo:analyze seo:execute seo:audit";
    let back = app.decide(scope, "ada@example.com", "correct horse battery", "approve").await;
    assert_eq!(back["state"], "a-random-state");
    assert_eq!(back["iss"], app.metadata["issuer"]);
    let (status, tokens) = app.exchange(&back["code"]).await;
    assert_eq!(status, 200, "{tokens}");
    assert_eq!(tokens["token_type"], "Bearer");
    assert_eq!(tokens["expires_in"], 3600);
    let agent = host.bearer(&owner, tokens["access_token"].as_str().expect("a token"));

    // The first approved connection charged the activation.
    let account = agent.tool("service_account_snapshot", json!({})).await.data();
    assert_eq!(account["usage"]["credits"]["available"], "100", "{account}");

    host.buy_points(&owner, 20).await;

    // A goal leads to an operation and its contract.
    let found =
        agent.tool("service_capabilities_search", json!({ "query": "add my website so that it can be crawled" })).await;
    let found = found.data();
    let intent = found["intent_ref"].as_str().expect("an intent_ref").to_owned();
    let ids: Vec<&str> =
        found["results"].as_array().expect("results").iter().filter_map(|row| row["operation_id"].as_str()).collect();
    assert!(ids.contains(&"websites.create"), "{ids:?}");
    let contract = agent
        .tool("service_capability_get", json!({ "operation_id": "websites.create", "intent_ref": intent }))
        .await
        .data();
    assert_eq!(contract["kind"], "write");
    assert!(contract["arguments"]["properties"]["domain"].is_object(), "{contract}");

    // Run it: a website, then a crawl of all of it.
    let created = agent
        .tool(
            "service_action_execute",
            json!({ "operation_id": "websites.create", "arguments": { "domain": "docs.example" }, "intent_ref": intent, "idempotency_key": fresh_key() }),
        )
        .await
        .data();
    let site_id = created["site_id"].as_str().expect("a site_id").to_owned();
    assert!(site_id.bytes().all(|byte| byte.is_ascii_digit()), "{site_id}");
    let started = agent
        .tool(
            "service_action_execute",
            json!({
                "operation_id": "crawl.run.start",
                "arguments": { "site_id": site_id, "max_pages": 600, "rate_rps": 10, "check_external": false, "store_html": false },
                "idempotency_key": fresh_key(),
            }),
        )
        .await
        .data();
    assert_eq!(started["state"], "queued", "{started}");
    let run_ref = started["run_ref"].as_str().expect("a run_ref").to_owned();

    // Follow it over REST with the same grant, while an independent crawl says what there is.
    let expected = tokio::task::spawn_blocking({
        let address = served.address;
        move || tokio::runtime::Handle::current().block_on(independent_crawl(address))
    })
    .await
    .expect("the independent crawl");
    assert!(expected.pages.len() >= 300, "only {} pages", expected.pages.len());
    let ended = agent.wait_for("crawl.run.get", json!({ "run_ref": run_ref }), 300).await;
    assert_eq!(ended["state"], "succeeded", "{ended}");
    assert_eq!(ended["stop_reason"], "completed", "{ended}");

    let pages = all(
        &agent,
        "crawl.page.list",
        json!({ "run_ref": run_ref, "columns": ["url", "status", "internal_links", "internal_links_distinct"] }),
        "pages",
    )
    .await;
    let crawled: BTreeMap<String, u64> =
        pages.iter().map(|page| (path_of(&page["url"]), page["status"].as_u64().unwrap_or(0))).collect();
    assert_eq!(pages.len(), crawled.len(), "no page is listed twice");
    let missing: Vec<_> = expected.pages.keys().filter(|path| !crawled.contains_key(*path)).collect();
    let extra: Vec<_> = crawled.keys().filter(|path| !expected.pages.contains_key(*path)).collect();
    assert!(missing.is_empty() && extra.is_empty(), "missing {missing:?}, extra {extra:?}");
    assert_eq!(crawled, expected.pages);

    // How many links each page has and to how many addresses, and on every tenth which.
    let mut counted: BTreeMap<(String, String), u64> = BTreeMap::new();
    for (at, page) in pages.iter().enumerate() {
        let path = path_of(&page["url"]);
        let there: u64 = expected.of(&path).map(|(_, count)| count).sum();
        assert_eq!(page["internal_links"].as_u64().unwrap_or(0), there, "links of {path}");
        let distinct = expected.of(&path).count() as u64;
        assert_eq!(page["internal_links_distinct"].as_u64().unwrap_or(0), distinct, "addresses linked from {path}");
        if at % 10 == 0 {
            let of_it = json!({ "run_ref": run_ref, "scope": "internal", "source": page["url"] });
            for link in &all(&agent, "crawl.link.list", of_it, "links").await {
                *counted.entry((path_of(&link["source"]), path_of(&link["target"]))).or_default() += 1;
            }
            assert!(expected.of(&path).all(|(pair, count)| counted.get(pair) == Some(&count)), "a link of {path}");
        }
    }
    let extra: Vec<_> = counted.iter().filter(|(pair, count)| expected.links.get(*pair) != Some(*count)).collect();
    assert!(extra.is_empty(), "{extra:?}");
    assert!(counted.len() >= 1_000, "only {} links were compared", counted.len());

    // Audit it, and see what everything cost.
    let audit = agent.run("audit.run.start", json!({ "run_ref": run_ref })).await.data();
    let audited = agent.wait_for("audit.run.get", json!({ "audit_ref": audit["audit_ref"] }), 120).await;
    assert_eq!(audited["state"], "succeeded", "{audited}");
    assert!(audited["score"].as_f64().is_some_and(|score| (0.0..=100.0).contains(&score)), "{audited}");
    let opportunities = agent.post("/seo/audits", json!({ "site_id": site_id, "max_pages": 3 })).await.data();
    assert!(opportunities["opportunities"].is_array(), "{opportunities}");
    let listed = agent.get("/websites?limit=10").await.data();
    assert_eq!(listed["websites"][0]["site_id"], site_id.as_str(), "{listed}");
    let shown = agent.get(&format!("/websites/{site_id}")).await.data();
    assert!(shown["metrics"].is_object(), "{shown}");
    let usage = agent.get("/usage").await;
    assert!(usage.json()["meta"]["usage"]["included_remaining"].as_u64().is_some(), "{:?}", usage.json());
    let feedback = agent
        .post("/feedback", json!({ "category": "missing_capability", "completion_state": "blocked", "intent": "export it with token esp_at_abcdefghijklmnop", "intent_ref": intent }))
        .await
        .data();
    assert!(!feedback.to_string().contains("esp_at_abcdefghijklmnop"), "{feedback}");

    // Rotate, reuse, and be shut out.
    let first = tokens["refresh_token"].as_str().expect("a refresh token");
    let (status, rotated) = app.refresh(first).await;
    assert_eq!(status, 200, "{rotated}");
    let fresh = host.bearer(&owner, rotated["access_token"].as_str().expect("a token"));
    assert_eq!(fresh.get("/account").await.status, 200);
    let (status, reused) = app.refresh(first).await;
    assert_eq!((status.as_u16(), reused["error"].as_str()), (400, Some("invalid_grant")));
    assert_eq!(fresh.get("/account").await.refusal(), (401, "invalid_token".to_owned()));
    assert_eq!(app.revoke(rotated["refresh_token"].as_str().expect("a token")).await, 200);
    host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn both_doors_give_the_same_answer_and_the_same_refusal() {
    let host = Host::start().await;
    let ada = host.customer("account:read assets:read assets:write").await;
    let made = ada.run("authors.create", json!({ "firstname": "Ada", "lastname": "Lovelace" })).await.data();
    let author_ref = made["author_ref"].as_str().expect("an author_ref");
    let over_rest = ada.read("authors.get", json!({ "author_ref": author_ref })).await.data();
    let arguments = json!({ "operation_id": "authors.get", "arguments": { "author_ref": author_ref } });
    assert_eq!(ada.tool("service_action_execute", arguments.clone()).await.data(), over_rest);
    assert_eq!(ada.legacy_tool("service_action_execute", arguments).await.data(), over_rest);

    let wrong = json!({ "limit": 0 });
    let (status, code) = ada.read("authors.list", wrong.clone()).await.refusal();
    assert_eq!((status, code.as_str()), (422, "invalid_arguments"));
    let reply = ada.tool("service_action_execute", json!({ "operation_id": "authors.list", "arguments": wrong })).await;
    assert_eq!(reply.refusal(), "invalid_arguments");
}

/// What there is, found without any of our code: a plain walk with another parser.
struct Expected {
    /// Path to status.
    pages: BTreeMap<String, u64>,
    /// How often one page links to another.
    links: BTreeMap<(String, String), u64>,
}

impl Expected {
    /// The links of a page.
    fn of<'a>(&'a self, page: &str) -> impl Iterator<Item = (&'a (String, String), u64)> {
        let first = (page.to_owned(), String::new());
        self.links
            .range(first..)
            .take_while(move |((source, _), _)| *source == *page)
            .map(|(pair, count)| (pair, *count))
    }
}

async fn independent_crawl(address: std::net::SocketAddr) -> Expected {
    let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().expect("a client");
    let origin: Url = "http://docs.example/".parse().expect("a URL");
    let anchors = Selector::parse("a[href], area[href]").expect("a selector");
    let bases = Selector::parse("base[href]").expect("a selector");
    let mut expected = Expected { pages: BTreeMap::new(), links: BTreeMap::new() };
    let mut seen: BTreeSet<String> = BTreeSet::from(["/".to_owned()]);
    let mut queue: Vec<String> = vec!["/".to_owned()];
    while let Some(path) = queue.pop() {
        let answer = http.get(format!("http://{address}{path}")).send().await.expect("an answer");
        expected.pages.insert(path.clone(), u64::from(answer.status().as_u16()));
        let html = answer
            .headers()
            .get("content-type")
            .is_some_and(|kind| kind.to_str().unwrap_or("").starts_with("text/html"));
        let ok = answer.status() == 200;
        let body = answer.bytes().await.expect("a body");
        if !html || !ok {
            continue;
        }
        let here = origin.join(&path).expect("a path");
        let page = Html::parse_document(&String::from_utf8_lossy(&body));
        let base = page
            .select(&bases)
            .next()
            .and_then(|base| here.join(base.value().attr("href")?).ok())
            .unwrap_or(here.clone());
        for anchor in page.select(&anchors) {
            let Some(mut target) = anchor.value().attr("href").and_then(|href| base.join(href.trim()).ok()) else {
                continue;
            };
            target.set_fragment(None);
            if target.host_str() != Some("docs.example") || target.scheme() != "http" {
                continue;
            }
            let target = path_and_query(&target);
            *expected.links.entry((path.clone(), target.clone())).or_default() += 1;
            if seen.insert(target.clone()) {
                queue.push(target);
            }
        }
    }
    expected
}

fn path_and_query(url: &Url) -> String {
    url.query().map_or(url.path().to_owned(), |query| format!("{}?{query}", url.path()))
}

fn path_of(url: &Value) -> String {
    path_and_query(&url.as_str().expect("a URL").parse().expect("a URL"))
}

/// Every row of a paged list.
async fn all(agent: &tests::customer::Customer, operation: &str, mut arguments: Value, field: &str) -> Vec<Value> {
    let mut rows = Vec::new();
    arguments["limit"] = json!(100);
    loop {
        let data = agent.read(operation, arguments.clone()).await.data();
        rows.extend(data[field].as_array().expect("rows").iter().cloned());
        match data["next_cursor"].as_str() {
            Some(next) => arguments["cursor"] = json!(next),
            None => return rows,
        }
    }
}
