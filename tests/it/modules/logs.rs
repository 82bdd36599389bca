//! The logs module in its real sandbox: a log of the demo shop whose truth is known, handed over as gzip, and everything that is
//! told of it over both doors.

use std::io::Write as _;

use demo::log::{Log, LogFormat, access_log};
use flate2::Compression;
use flate2::write::GzEncoder;
use model::clock::Clock as _;
use sdk::value::Moment;
use serde_json::{Value, json};
use tests::customer::Customer;
use tests::host::Host;
use tests::publications::Publications;

const SCOPES: &str =
    "account:read billing:read websites:read assets:read assets:write seo:analyze seo:audit seo:execute";
const DAYS: u64 = 3;

/// A host that reaches the demo shop and the published address ranges.
async fn host() -> Host {
    let folder = tempfile::tempdir().expect("a folder");
    let publications = Publications::serve(folder.path()).await;
    let shop = demo::serve("127.0.0.1:0".parse().expect("an address")).await.expect("the demo shop");
    Host::start_with(|options| {
        options.map("shop.example", shop);
        Publications::hosts().for_each(|name| options.map(name, publications.address));
        options.authority(&publications.authority);
    })
    .await
}

/// A customer with the website of the shop.
async fn customer(host: &Host) -> (Customer, Value) {
    let ada = host.customer(SCOPES).await;
    host.buy_points(&ada, 60).await;
    let site = ada.run("websites.create", json!({ "domain": "shop.example" })).await.data()["site_id"].clone();
    (ada, site)
}

/// The log of the last days before today.
fn log(host: &Host, format: LogFormat) -> Log {
    let now = u64::try_from(host.clock.now().0).expect("after 1970") / 1_000;
    access_log(7, now - now % 86_400 - DAYS * 86_400, DAYS, format)
}

fn text(lines: &[(u64, String)]) -> String {
    lines.iter().fold(String::new(), |mut out, (_, line)| {
        out.push_str(line);
        out.push('\n');
        out
    })
}

/// A file of several members, as rotating logs append them.
fn gzip(parts: &[&str]) -> Vec<u8> {
    let mut out = Vec::new();
    for part in parts {
        let mut member = GzEncoder::new(&mut out, Compression::default());
        member.write_all(part.as_bytes()).expect("memory");
        member.finish().expect("memory");
    }
    out
}

/// Saves a source, hands a file over at the address that it opens, and imports it; what the job ended with.
async fn import(ada: &Customer, site: &Value, source: Value, file: Vec<u8>) -> Value {
    let mut save = json!({ "site_id": site, "name": "web" });
    save.as_object_mut().expect("an object").extend(source.as_object().expect("an object").clone());
    let saved = ada.run("logs.source.save", save).await.data();
    let url = saved["upload"]["url"].as_str().expect("an address");
    let put = reqwest::Client::new().put(url).header("content-type", "application/gzip").body(file).send();
    assert!(put.await.expect("an answer").status().is_success());
    let run = json!({ "source_ref": saved["source_ref"], "upload_ref": saved["upload"]["upload_ref"] });
    let started = ada.run("logs.import.run", run).await.data();
    outcome(ada, &started).await
}

async fn outcome(ada: &Customer, started: &Value) -> Value {
    let ended = ada.wait_for("account.job.get", json!({ "job_ref": started["job_ref"] }), 180).await;
    assert_eq!(ended["state"], "succeeded", "{ended}");
    ended["result"].clone()
}

/// Hits of a family by what is known of them.
async fn family(ada: &Customer, site: &Value, name: &str) -> [u64; 3] {
    let told = ada.read("logs.bot.report", json!({ "site_id": site, "family": name })).await.data();
    let count = |member: &str| told["families"][0][member].as_u64().unwrap_or(0);
    [count("verified_hits"), count("unverified_hits"), count("spoofed_hits")]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_is_told_as_it_truly_is_over_both_doors() {
    let host = host().await;
    let (ada, site) = customer(&host).await;
    let crawl = json!({ "site_id": site, "max_pages": 60, "rate_rps": 10, "check_external": false });
    let run = ada.run("crawl.run.start", crawl).await.data()["run_ref"].clone();
    ada.wait_for("crawl.run.get", json!({ "run_ref": run }), 180).await;
    ada.change("links.graph.build", json!({ "run_ref": run })).await;
    ada.wait_for("links.graph.summary.get", json!({ "run_ref": run }), 120).await;
    let truth = log(&host, LogFormat::Combined);
    let middle = truth.lines.len() / 2;
    let file = gzip(&[&text(&truth.lines[..middle]), &text(&truth.lines[middle..])]);
    let done = import(&ada, &site, json!({ "format": "combined" }), file.clone()).await;
    let lines = truth.lines.len() as u64;
    assert_eq!((done["lines"].as_u64(), done["counted"].as_u64()), (Some(lines), Some(lines)), "{done}");
    let of = |name: &str| truth.bots[name];
    assert_eq!(family(&ada, &site, "googlebot").await, [of("googlebot"), 0, 0]);
    assert_eq!(family(&ada, &site, "gptbot").await, [of("gptbot"), 0, of("gptbot spoofed")]);
    assert_eq!(family(&ada, &site, "yandexbot").await, [0, of("yandexbot"), 0], "only a name could tell");

    let listed = ada.both("logs.import.list", json!({ "site_id": site })).await;
    assert_eq!(
        (&listed["total"], &listed["gaps"], &listed["imports"][0]["state"]),
        (&json!(1), &json!([]), &json!("succeeded"))
    );
    let status = ada.both("logs.status.report", json!({ "site_id": site })).await;
    assert_eq!(status["bursts_total"], 1, "{}", status["bursts"]);
    let begun: Moment = status["bursts"][0]["started_at"].as_str().expect("a time").parse().expect("a time");
    assert_eq!(begun.millis() / 1_000, truth.outage.0);
    assert_eq!(status["bursts"][0]["minutes"], truth.outage.1);
    let people: u64 = status["series"]
        .as_array()
        .expect("a series")
        .iter()
        .filter(|it| it["to"] == "people")
        .filter_map(|it| it["hits"].as_u64())
        .sum();
    assert_eq!(people, truth.people);
    let agents = ada.both("logs.ai_agents.report", json!({ "site_id": site })).await;
    let product = |name: &str| {
        agents["products"]
            .as_array()
            .expect("products")
            .iter()
            .find(|it| it["product"] == name)
            .map_or(0, |it| it["hits"].as_u64().unwrap_or(0))
    };
    assert_eq!((product("chatgpt-user"), product("chatgpt")), (of("chatgpt-user"), truth.referrals));
    let budget = ada.both("logs.crawl_budget.report", json!({ "site_id": site })).await;
    let spent: u64 = budget["waste"].as_object().expect("kinds").values().filter_map(|it| it["hits"].as_u64()).sum();
    assert_eq!(
        (spent, budget["hits"].as_u64()),
        (of("googlebot"), Some(of("googlebot"))),
        "each request is of one kind"
    );

    let mut named = super::advice::Named::default();
    for (operation, more) in [
        ("logs.bot.report", json!({})),
        ("logs.status.report", json!({ "family": "googlebot" })),
        ("logs.crawl_budget.report", json!({})),
        ("logs.url.history.get", json!({ "url": "http://shop.example/" })),
        ("logs.frequency.report", json!({})),
        ("logs.uncrawled.list", json!({ "family": "bingbot", "days": 7 })),
        ("logs.unlinked.list", json!({})),
        ("logs.discovery_lag.report", json!({})),
        ("logs.ai_agents.report", json!({ "purpose": "user_fetch" })),
        ("links.orphan.list", json!({ "source": "logs" })),
        ("indexing.coverage.report", json!({})),
    ] {
        let mut arguments = json!({ "site_id": site });
        arguments.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        named.collect(&ada.both(operation, arguments).await);
    }
    let (calls, wrong) = named.wrong(&ada).await;
    assert!(calls > 5 && wrong.is_empty(), "{wrong:?}");

    // Once more, and by name: the file is known, and nobody answers for the addresses of Yandex.
    let saved =
        ada.run("logs.source.save", json!({ "site_id": site, "name": "web", "format": "combined" })).await.data();
    let url = saved["upload"]["url"].as_str().expect("an address");
    let put = reqwest::Client::new().put(url).header("content-type", "application/gzip").body(file).send();
    assert!(put.await.expect("an answer").status().is_success());
    let again = json!({ "source_ref": saved["source_ref"], "upload_ref": saved["upload"]["upload_ref"] });
    assert_eq!(ada.run("logs.import.run", again).await.refusal(), (409, "duplicate_file".to_owned()));
    let verified = ada.run("logs.bot.verify", json!({ "site_id": site })).await.data();
    let verified = outcome(&ada, &verified).await;
    let networks = verified["spoofed"].as_array().expect("networks");
    let gptbot = networks.iter().find(|it| it["family"] == "gptbot").expect("impostors of GPTBot");
    assert_eq!((&gptbot["network"], gptbot["hits"].as_u64()), (&json!("203.0.113.0/24"), Some(of("gptbot spoofed"))));
    assert_eq!(family(&ada, &site, "googlebot").await, [of("googlebot"), 0, 0]);
    let yandex: u64 = family(&ada, &site, "yandexbot").await.iter().sum();
    assert_eq!(yandex, of("yandexbot"), "whatever names say, no request is lost");
    assert!(!verified.to_string().contains("203.0.113.7\""), "addresses are not told");
    host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_requests_in_every_format_are_the_same() {
    let host = host().await;
    let formats = [
        (LogFormat::VhostCombined, "vhost_combined", ""),
        (
            LogFormat::Iis,
            "iis",
            "#Software: Microsoft Internet Information Services 10.0\n#Fields: date time s-ip cs-method cs-uri-stem cs-uri-query s-port cs-username c-ip cs(User-Agent) cs(Referer) sc-status sc-substatus sc-win32-status time-taken\n",
        ),
        (LogFormat::Json, "json", ""),
    ];
    for (format, name, head) in formats {
        let (ada, site) = customer(&host).await;
        let truth = log(&host, format);
        let lines: Vec<&str> = head.lines().chain(truth.lines.iter().map(|it| it.1.as_str())).take(40).collect();
        let told = ada.both("logs.format.detect", json!({ "lines": lines })).await;
        assert_eq!((&told["format"], &told["confidence"]), (&json!(name), &json!(1.0)), "{told}");
        let done = import(&ada, &site, json!({ "format": name }), gzip(&[head, &text(&truth.lines)])).await;
        assert_eq!(done["counted"].as_u64(), Some(truth.lines.len() as u64), "{name}: {done}");
        assert_eq!(family(&ada, &site, "googlebot").await, [truth.bots["googlebot"], 0, 0], "{name}");
        let agents = ada.read("logs.ai_agents.report", json!({ "site_id": site, "purpose": "referral" })).await.data();
        assert_eq!(agents["products"][0]["hits"].as_u64(), Some(truth.referrals), "{name}");
    }
    host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn logs_of_somebody_else_do_not_exist() {
    let host = host().await;
    let (ada, site) = customer(&host).await;
    let file = gzip(&[&text(&log(&host, LogFormat::Combined).lines[..200])]);
    import(&ada, &site, json!({ "format": "combined" }), file).await;
    let source =
        ada.run("logs.source.save", json!({ "site_id": site, "name": "web", "format": "combined" })).await.data();
    let (eve, _) = customer(&host).await;
    for (operation, arguments) in [
        ("logs.source.save", json!({ "site_id": site, "name": "web", "format": "combined" })),
        (
            "logs.import.run",
            json!({ "source_ref": source["source_ref"], "upload_ref": source["upload"]["upload_ref"] }),
        ),
        ("logs.import.list", json!({ "site_id": site })),
        ("logs.bot.report", json!({ "site_id": site })),
        ("logs.bot.verify", json!({ "site_id": site })),
        ("logs.crawl_budget.report", json!({ "site_id": site })),
        ("logs.uncrawled.list", json!({ "site_id": site })),
        ("logs.url.history.get", json!({ "site_id": site, "url": "http://shop.example/" })),
    ] {
        let code = eve.not_found(operation, arguments).await;
        assert!(matches!(code.as_str(), "website_not_found" | "source_not_found"), "{operation}: {code}");
    }
    host.verify_ledger().await;
}
