//! The portal in a real browser, over a real host with much in it.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use model::audit::Audit;
use model::clock::Moment;
use model::id::{CustomerId, GrantId, RequestId};
use serde_json::{Value, json};
use store::{Changes, Settlement};
use tests::customer::Customer;
use tests::host::Host;
use tests::needs;
use tests::person::{App, Browser};
use tests::site;
use url::Url;

const PASSWORD: &str = "correct horse battery";

#[expect(clippy::disallowed_methods, reason = "where the browser is is the machine's business")]
fn setting(name: &str) -> Option<PathBuf> {
    std::env::var(name).ok().map(PathBuf::from)
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace").to_path_buf()
}

/// A month of calls, some under a name as long as it may be, and one day with more than all the others.
async fn month(host: &Host, ada: &CustomerId, grant: &GrantId) {
    let store = host.service.core.store();
    let long = format!("{}.{}", "local_grid_signals".repeat(4), "campaign_results_of_every_pin".repeat(2));
    assert_eq!(long.len(), 131);
    let long = &long[..128];
    for day in 0..29_u64 {
        let calls = if day == 17 { 40 } else { day % 7 * 3 };
        let settled = (0..calls).map(|number| {
            let operation = if number % 9 == 8 { long } else { "authors.list" };
            store.calls.settle(call(ada, grant, operation, host.service.core.clock().now(), day * 1_000 + number))
        });
        for settled in futures_util::future::join_all(settled).await {
            settled.expect("settled");
        }
        host.clock.advance(Duration::from_secs(24 * 60 * 60));
    }
}

fn call(customer: &CustomerId, grant: &GrantId, operation: &str, now: Moment, number: u64) -> Settlement {
    let request = RequestId::from(format!("req_month_{number:08}"));
    let points = 1 + number % 3;
    Settlement {
        customer: customer.clone(),
        grant: Some(grant.clone()),
        request: request.clone(),
        operation: operation.to_owned(),
        site: None,
        now,
        api_version: "2026-09-28".into(),
        points,
        hold: None,
        hold_for_job: None,
        changes: Changes::default(),
        answer: None,
        claim: None,
        audit: Audit { request: Some(request), points, ..line(customer, grant, operation, now) },
    }
}

fn line(customer: &CustomerId, grant: &GrantId, operation: &str, now: Moment) -> Audit {
    Audit {
        at: now,
        customer: customer.clone(),
        detail: json!({}),
        event: "operation.executed".to_owned(),
        grant: Some(grant.clone()),
        outcome: "ok".to_owned(),
        points: 0,
        request: None,
        subject: operation.to_owned(),
    }
}

/// A crawl of a website that is added for it.
struct Crawl {
    site: String,
    run: String,
    job: String,
}

/// A crawl, of one page that is done at once or of many that take their time, at this many pages a second.
async fn crawl(host: &Host, ada: &Customer, domain: &str, rate: f64) -> Crawl {
    let site = ada.run("websites.create", json!({ "domain": domain })).await.data();
    let arguments = json!({ "site_id": site["site_id"], "rate_rps": rate, "check_external": false });
    let run = ada.run("crawl.run.start", arguments).await.data();
    let jobs = host.service.core.authority().jobs(&CustomerId::from(ada.id.as_str()), false, None).await.expect("jobs");
    let text = |value: &Value| value.as_str().expect("a reference").to_owned();
    Crawl { site: text(&site["site_id"]), run: text(&run["run_ref"]), job: jobs.jobs[0].view.reference.to_string() }
}

/// A browser in which this customer has signed in.
async fn inside(host: &Host, email: &str) -> (Browser, Url) {
    let origin: Url = host.rest.trim_end_matches("/v1").parse().expect("a URL");
    let mut browser = Browser::default();
    let page = browser.open(&open(&origin, "/sign-in")).await;
    let after = browser.submit(&page, "password", &[("email", email), ("password", PASSWORD)]).await;
    assert_eq!(after.location().expect("a redirect").path(), "/");
    (browser, origin)
}

fn open(origin: &Url, path: &str) -> Url {
    origin.join(path).expect("a URL")
}

/// The token of the form with this action.
fn csrf(page: &str, action: &str) -> String {
    let selector = scraper::Selector::parse(&format!("form[action='{action}'] input[name=csrf]")).expect("a selector");
    let page = scraper::Html::parse_document(page);
    let input = page.select(&selector).next().unwrap_or_else(|| panic!("no form to {action}"));
    input.value().attr("value").expect("a value").to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_is_seen_and_cancelled_by_its_owner_and_by_nobody_else() {
    let folder = tempfile::tempdir().expect("a folder");
    site::pages(folder.path(), 200);
    let served = site::serve_folder(folder.path().into()).await.address;
    let host = Host::start_with(|options| options.map("many.example", served)).await;
    let ada = host.add_customer("ada@example.com", PASSWORD, 300).await;
    host.add_customer("eve@example.com", PASSWORD, 0).await;
    let scopes = "websites:read assets:read assets:write seo:execute";
    let ada = ada.with_token(&host.token_for(&ada, scopes, Duration::from_secs(3_600)).await);
    let Crawl { job, site, .. } = crawl(&host, &ada, "many.example", 1.0).await;

    let (mut eve, origin) = inside(&host, "eve@example.com").await;
    let address = open(&origin, &format!("/jobs/{job}"));
    assert_eq!(eve.open(&address).await.status, 404);
    let hers = eve.open(&open(&origin, "/jobs")).await;
    assert!(hers.text.contains("No jobs yet"), "{}", hers.text);
    let (mut mine, _) = inside(&host, "ada@example.com").await;
    // The website is hers alone too; its page and its list say what is running.
    let website = open(&origin, &format!("/websites/{site}"));
    assert_eq!(eve.open(&website).await.status, 404);
    assert!(eve.open(&open(&origin, "/websites")).await.text.contains("No website yet"));
    let shown = mine.open(&website).await;
    for words in ["many.example", "being crawled", "Not audited yet", &job] {
        assert!(shown.text.contains(words), "{words}: {}", shown.text);
    }
    let listed = mine.open(&open(&origin, "/websites")).await;
    assert!(listed.text.contains(website.path()) && listed.text.contains("not audited yet"), "{}", listed.text);
    assert_eq!(Browser::default().open(&website).await.location().expect("a redirect").path(), "/sign-in");
    let page = mine.open(&address).await;
    assert!(page.text.contains(website.path()), "the job names its website: {}", page.text);
    assert!(page.text.contains("crawl.run.start") && page.text.contains("data-live"), "{}", page.text);
    // With a form of her own she learns only that she has no such job.
    let send = open(&origin, &format!("/jobs/{job}/cancel"));
    let hers = csrf(&hers.text, "/sign-out");
    assert_eq!(eve.post(&send, &[("csrf", &hers)]).await.status, 404);
    let token = csrf(&page.text, send.path());
    assert_eq!(eve.post(&send, &[("csrf", &token)]).await.status, 403);

    let cancelled = mine.post(&send, &[("csrf", &token)]).await;
    assert_eq!(cancelled.location().expect("a redirect").path(), address.path());
    let page = mine.open(&address).await;
    assert!(page.text.contains("cancelled") && !page.text.contains("data-live"), "{}", page.text);
    let again = mine.post(&send, &[("csrf", &token)]).await;
    assert_eq!(again.status, 409);
    assert!(again.text.contains("had ended already"), "{}", again.text);
    host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_catalog_is_searched_read_and_limited_like_for_programs() {
    let rates = service::config::Rates { enumeration: 6, ..tests::host::wide() };
    let host = Host::start_with(|options| options.rates(rates)).await;
    host.add_customer("ada@example.com", PASSWORD, 0).await;
    let (mut browser, origin) = inside(&host, "ada@example.com").await;
    let open = |path: &str| open(&origin, path);
    let found = browser.open(&open("/catalog?query=who+writes+for+us&kind=read")).await;
    assert!(found.text.contains("/catalog/authors.list") && !found.text.contains("/catalog/authors.create"));
    let one = browser.open(&open("/catalog/authors.create")).await;
    for words in
        ["Idempotency-Key", "<code>firstname</code>", "service_action_execute", "requests.post", "assets:write"]
    {
        assert!(one.text.contains(words), "{words}: {}", one.text);
    }
    let none = browser.open(&open("/catalog/authors.lst")).await;
    assert_eq!(none.status, 404);
    assert!(none.text.contains("authors.list"), "{}", none.text);
    let reference = browser.open(&open("/reference")).await;
    for words in ["/operations/{operation_id}", "/account", "request_id", "Scope <code>account:read</code>"] {
        assert!(reference.text.contains(words), "{words}");
    }
    for _ in 0..3 {
        assert_eq!(browser.open(&open("/catalog")).await.status, 200);
    }
    let limited = browser.open(&open("/catalog")).await;
    assert_eq!(limited.status, 429);
    assert!(limited.headers.contains_key("retry-after"));
    // Nobody who is not signed in sees what can be called.
    for path in ["/catalog", "/catalog/authors.list", "/reference"] {
        let sent = Browser::default().open(&open(path)).await;
        assert_eq!(sent.location().expect("a redirect").path(), "/sign-in", "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_finds_their_way_in_a_real_browser() {
    let how = "apt-get install chromium, npm install playwright-core axe-core and set ESPALIER_NODE_MODULES, as \
               tests/conformance/README.md says";
    let Some(modules) = setting("ESPALIER_NODE_MODULES").filter(|folder| folder.join("node_modules/axe-core").is_dir())
    else {
        return needs::skip("playwright-core and axe-core", how);
    };
    let chromium = setting("ESPALIER_CHROMIUM").unwrap_or_else(|| PathBuf::from("/usr/bin/chromium"));
    if !chromium.exists() {
        return needs::skip("Chromium", how);
    }
    let (one, many) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    site::pages(one.path(), 1);
    site::pages(many.path(), 300);
    let (one, many) =
        (site::serve_folder(one.path().into()).await.address, site::serve_folder(many.path().into()).await.address);
    let host = Host::start_with(|options| {
        options.map("one.example", one);
        options.map("many.example", many);
    })
    .await;

    let ada = host.add_customer("ada@example.com", PASSWORD, 500).await;
    host.add_customer("new@example.com", PASSWORD, 40).await;
    let scopes = "account:read websites:read assets:read assets:write seo:analyze seo:audit seo:execute";
    let life = Duration::from_secs(60 * 24 * 60 * 60);
    let token = host.token_for(&ada, scopes, life).await;
    let ada = ada.with_token(&token);
    let customer = CustomerId::from(ada.id.as_str());
    let grant = host.service.core.authority().connections(&customer).await.expect("grants")[0].id.clone();
    month(&host, &customer, &grant).await;
    host.buy_points(&ada, 12).await;
    let apps = ["Agent", "The longest name that an application of the whole wide world could ever think of"];
    for name in apps {
        let app = App::register_as(&host.mcp, name).await;
        let back = app.decide("account:read assets:write", "ada@example.com", PASSWORD, "approve").await;
        assert_eq!(app.exchange(&back["code"]).await.0, 200);
    }
    let store = host.service.core.store();
    for _ in 0..10 {
        let now = host.service.core.clock().now();
        let lines = (0..1_000).map(|_| store.calls.audit(line(&customer, &grant, "authors.list", now)));
        for written in futures_util::future::join_all(lines).await {
            written.expect("written");
        }
    }
    let Crawl { job, site, run } = crawl(&host, &ada, "one.example", 1.0).await;
    ada.wait_for("crawl.run.get", json!({ "run_ref": run }), 120).await;
    for _ in 0..2 {
        let audit = ada.run("audit.run.start", json!({ "run_ref": run })).await.data();
        ada.wait_for("audit.run.get", json!({ "audit_ref": audit["audit_ref"] }), 120).await;
    }
    // The browser comes to it last, and is slow on a busy machine: 300 pages take fifty minutes.
    let endless = crawl(&host, &ada, "many.example", 0.1).await.job;
    for _ in 0..6 {
        ada.run("authors.create", json!({ "firstname": "Ada", "lastname": "Lovelace" })).await.data();
        assert_eq!(ada.run("authors.create", json!({ "firstname": 7 })).await.status, 422);
    }

    let asking = App::register_as(&host.mcp, "Desk\u{202e}gnitset").await;
    let every = model::scope::ScopeSet::all().to_string();
    let given = json!({
        "origin": host.rest.trim_end_matches("/v1"),
        "out": workspace().join("target/screenshots"),
        "chromium": chromium,
        "ada": "ada@example.com",
        "new": "new@example.com",
        "password": PASSWORD,
        "authorize": asking.authorization(&every),
        "deny": asking.authorization("account:read"),
        "job": job,
        "site": site,
        "endless": endless,
    });
    // Node looks for packages beside the script, so a copy of it goes where the packages are.
    let copy = modules.join("portal.mjs");
    std::fs::copy(workspace().join("tests/conformance/portal.mjs"), &copy).expect("the script can be copied");
    let ran = tokio::task::spawn_blocking(move || Command::new("node").arg(copy).arg(given.to_string()).output());
    let output = ran.await.expect("joined").expect("node starts");
    let said = String::from_utf8_lossy(&output.stdout);
    let report: Value = serde_json::from_str(said.lines().last().unwrap_or_default()).unwrap_or_default();
    assert_eq!(report["faults"], json!([]), "{report:#}{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && report["pages"].as_u64().is_some_and(|pages| pages > 90), "{report}");
    host.verify_ledger().await;
}
