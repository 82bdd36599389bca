//! Monitors in a whole host: rounds that come by themselves, their price, what is told of them, and what shares them.

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use simulators::{Seed, World};
use tests::customer::Customer;
use tests::host::Host;
use tests::patience::tries;

const SCOPES: &str = "account:read billing:read websites:read assets:read assets:write seo:analyze seo:audit seo:execute \
                      destructive:execute connections:manage";
const DAY: Duration = Duration::from_secs(86_400);
const ROUND: Duration = Duration::from_secs(300);

pub(super) struct Scene {
    pub(super) host: Host,
    pub(super) ada: Customer,
    pub(super) site: Value,
    pub(super) folder: tempfile::TempDir,
    world: World,
}

/// A host, a customer with a website of two pages, and their own mail server, which tells them of everything.
pub(super) async fn scene() -> Scene {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "index.html", "Lamps", "Desk lamps of brass.");
    write(folder.path(), "lamps.html", "All lamps", "A lamp for 10 euros.");
    let served = tests::site::serve_folder(folder.path().to_path_buf()).await;
    let world = simulators::start(Seed(5)).await.expect("providers");
    let host = Host::start_with(|options| options.map("shop.example", served.address)).await;
    let ada = host.customer(SCOPES).await;
    let ada = ada.with_token(&host.token_for(&ada, SCOPES, 80 * DAY).await);
    host.buy_points(&ada, 20).await;
    let account = json!({
        "kind": "smtp", "name": "Mail", "endpoint": world.smtp.url(), "credentials": world.smtp.credentials(), "test": false,
    });
    ada.run("connections.add", account).await.data();
    let told = json!({ "channels": [{ "kind": "email", "target": "ops@shop.example" }], "min_severity": "warning" });
    ada.run("account.notification.update", told).await.data();
    let site = ada.run("websites.create", json!({ "domain": "shop.example" })).await.data()["site_id"].clone();
    Scene { host, ada, site, folder, world }
}

fn write(folder: &Path, name: &str, title: &str, text: &str) {
    let html =
        format!("<html lang=en><head><title>{title}</title></head><body><main><p>{text}</p></main></body></html>");
    std::fs::write(folder.join(name), html).expect("a file");
}

impl Scene {
    pub(super) async fn create(&self, kind: &str, path: &str, every: &str, more: Value) -> Value {
        let mut all = json!({ "site_id": self.site, "kind": kind, "target": format!("http://shop.example{path}"), "every": every });
        all.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        self.ada.run("monitoring.monitor.create", all).await.data()["monitor_ref"].clone()
    }

    async fn credits(&self) -> f64 {
        self.ada.read("account.credit.balance.get", json!({})).await.data()["credits"].as_f64().expect("credits")
    }

    async fn monitor(&self, id: &Value) -> Value {
        let listed = self.ada.read("monitoring.monitor.list", json!({ "site_id": self.site })).await.data();
        let all = listed["monitors"].as_array().expect("monitors");
        all.iter().find(|it| it["monitor_ref"] == *id).expect("the monitor").clone()
    }

    /// Lets a round come, and waits until the monitor was checked in it.
    async fn round(&self, id: &Value, every: Duration) -> Value {
        let before = self.monitor(id).await["last_check_at"].clone();
        self.host.clock.advance(every);
        for _ in tries(480) {
            let now = self.monitor(id).await;
            if now["last_check_at"] != before {
                return now;
            }
            tokio::time::sleep(Duration::from_millis(250)).await;
        }
        panic!("no round came in two minutes: {}", self.monitor(id).await)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rounds_come_by_themselves_at_a_thousandth_of_a_credit_and_an_outage_is_told_once() {
    let scene = scene().await;
    let rule = json!({
        "site_id": scene.site, "name": "Critical", "on": "event.any", "severity": "critical",
        "condition": { "is": "event", "min_severity": "critical" },
    });
    scene.ada.run("monitoring.alert_rule.set", rule).await.data();
    let id = scene.create("uptime", "/lamps.html", "5m", json!({ "threshold": { "down_after": 1 } })).await;
    let before = scene.credits().await;
    let well = scene.round(&id, ROUND).await;
    assert_eq!((&well["state"], &well["reason"]), (&json!("ok"), &Value::Null), "{well}");
    std::fs::rename(scene.folder.path().join("lamps.html"), scene.folder.path().join("gone")).expect("gone");
    let failing = scene.round(&id, ROUND).await;
    assert_eq!(failing["state"], "failing", "{failing}");
    std::fs::rename(scene.folder.path().join("gone"), scene.folder.path().join("lamps.html")).expect("back");
    let well = scene.round(&id, ROUND).await;
    assert_eq!(well["state"], "ok", "{well}");
    // Three checks of 1/1,000 credit each; each is paid when its job ends.
    for _ in tries(120) {
        if (before - scene.credits().await - 0.003).abs() < 1e-9 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
    assert!((before - scene.credits().await - 0.003).abs() < 1e-9, "{before} and {}", scene.credits().await);
    for _ in tries(240) {
        if !scene.world.smtp.messages().is_empty() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
    let told = scene.world.smtp.messages();
    assert_eq!(told.len(), 1, "once, and of no round that ended");
    assert!(told[0].raw.contains("status 404"), "{}", told[0].raw);
    let alerts = json!({ "site_id": scene.site });
    let alert = scene.ada.both("monitoring.alert.list", alerts).await["alerts"][0].clone();
    assert_eq!((&alert["delivery"], &alert["ending"]), (&json!("told"), &json!("by_itself")), "{alert}");
    // How much of the period is covered is of the moment that is asked.
    let report = scene.ada.read("monitoring.uptime.report", json!({ "site_id": scene.site })).await.data();
    assert_eq!((&report["incidents_total"], &report["monitors"][0]["checks"]), (&json!(1), &json!(3)), "{report}");
    // Rounds are no jobs that anybody started.
    let jobs = scene.ada.read("account.job.list", json!({})).await.data();
    assert!(!jobs.to_string().contains("monitoring.monitor.create"), "{jobs}");
    scene.host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_credits_monitors_pause_and_go_on_by_themselves_when_there_are_some() {
    let scene = scene().await;
    let id = scene.create("uptime", "/", "5m", json!({})).await;
    let left = scene.credits().await;
    let whole = left.floor() as u64;
    scene.host.buy_points(&scene.ada, whole).await;
    scene.host.clock.advance(ROUND);
    let mut paused = Value::Null;
    for _ in tries(240) {
        paused = scene.monitor(&id).await;
        if paused["state"] == "paused" {
            break;
        }
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
    assert_eq!((&paused["state"], &paused["reason"]), (&json!("paused"), &json!("credits_exhausted")), "{paused}");
    scene.host.credit(&scene.ada, 1).await;
    let well = scene.round(&id, Duration::from_secs(2 * 3_600)).await;
    assert_eq!(well["state"], "ok", "{well}");
    scene.host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_page_is_shown_judged_and_left_aside_over_both_interfaces() {
    let scene = scene().await;
    let mut named = crate::modules::advice::Named::default();
    let id = scene.create("content", "/lamps.html", "1h", json!({ "selector": "main p" })).await;
    let head = scene.create("head", "/lamps.html", "1h", json!({})).await;
    let hour = Duration::from_secs(3_600);
    scene.round(&id, hour).await;
    write(scene.folder.path(), "lamps.html", "", "A lamp for 12 euros.");
    let changed = scene.round(&id, hour).await;
    assert_eq!(changed["state"], "changed", "{changed}");
    for _ in tries(120) {
        if scene.monitor(&head).await["state"] == "changed" {
            break;
        }
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
    let events = scene.ada.both("monitoring.event.list", json!({ "site_id": scene.site })).await;
    named.collect(&events);
    let event = |kind: &str| {
        let all = events["events"].as_array().expect("events");
        all.iter().find(|it| it["kind"] == kind).unwrap_or_else(|| panic!("{kind}: {events}"))["event_ref"].clone()
    };
    let diff = scene.ada.both("monitoring.event.diff.get", json!({ "event_ref": event("content_changed") })).await;
    assert_eq!((&diff["diff"]["added"], &diff["diff"]["removed"]), (&json!(1), &json!(1)), "{diff}");
    let lost = scene
        .ada
        .both("monitoring.event.diff.get", json!({ "event_ref": event("title_lost"), "form": "fields" }))
        .await;
    assert_eq!(lost["fields"][0], json!({ "name": "title", "before": "All lamps", "after": null }), "{lost}");
    let noise = json!({ "event_refs": [event("content_changed")], "verdict": "noise" });
    let noise = scene.ada.run("monitoring.event.acknowledge", noise).await.data();
    assert_eq!(noise["ignored"][0]["patterns"], json!(["A lamp for \\d+"]), "{noise}");
    let problem = json!({ "event_refs": [event("title_lost")], "verdict": "problem", "open_task": true });
    named.collect(&scene.ada.run("monitoring.event.acknowledge", problem).await.data());
    write(scene.folder.path(), "lamps.html", "", "A lamp for 15 euros.");
    scene.round(&id, hour).await;
    write(scene.folder.path(), "lamps.html", "", "A lamp for 17 euros.");
    assert_eq!(scene.round(&id, hour).await["state"], "ok", "the price is noise");
    let now = scene.ada.run("monitoring.monitor.check_now", json!({ "monitor_ref": id })).await.data();
    let ended = scene.ada.wait_for("account.job.get", json!({ "job_ref": now["job_ref"] }), 60).await;
    assert_eq!(ended["result"]["outcome"]["verdict"], "ok", "{ended}");
    let update = json!({ "monitor_ref": id, "paused": true });
    let paused = scene.ada.run("monitoring.monitor.update", update).await.data();
    assert_eq!(paused["monitor"]["state"], "paused");
    let gone = scene.ada.run("monitoring.monitor.delete", json!({ "monitor_ref": id })).await.data();
    assert_eq!((&gone["deleted"], &gone["events"]), (&json!(true), &json!(1)), "{gone}");
    named.collect(&scene.ada.both("monitoring.monitor.list", json!({})).await);
    let (calls, wrong) = named.wrong(&scene.ada).await;
    assert!(calls > 1 && wrong.is_empty(), "{wrong:?}");
    scene.host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn monitors_events_and_alerts_of_somebody_else_do_not_exist() {
    let scene = scene().await;
    let id = scene.create("uptime", "/", "1d", json!({})).await;
    let eve = scene.host.customer(SCOPES).await;
    scene.host.buy_points(&eve, 10).await;
    for operation in ["monitoring.monitor.update", "monitoring.monitor.delete", "monitoring.monitor.check_now"] {
        assert_eq!(eve.not_found(operation, json!({ "monitor_ref": id })).await, "monitor_not_found", "{operation}");
    }
    for (operation, more) in [
        ("monitoring.monitor.list", json!({})),
        ("monitoring.event.list", json!({})),
        ("monitoring.alert.list", json!({})),
        ("monitoring.uptime.report", json!({})),
        ("monitoring.monitor.create", json!({ "kind": "uptime", "target": "http://shop.example/", "every": "1d" })),
    ] {
        let mut arguments = json!({ "site_id": scene.site });
        arguments.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        assert_eq!(eve.not_found(operation, arguments).await, "website_not_found", "{operation}");
    }
    let none = eve.both("monitoring.monitor.list", json!({})).await;
    assert_eq!(none["total"], 0);
    scene.host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn three_nodes_check_each_monitor_once_in_a_round_and_charge_it_once() {
    const MONITORS: u64 = 24;
    const ROUNDS: u64 = 3;
    let Some(server) = tests::database::server() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "index.html", "Lamps", "Desk lamps of brass.");
    let served = tests::site::serve_folder(folder.path().to_path_buf()).await;
    let mut nodes = vec![
        Host::start_with(|options| {
            options.server(&server);
            options.map("shop.example", served.address);
        })
        .await,
    ];
    for _ in 0..2 {
        let next = Host::start_with(|options| {
            options.server(&server);
            options.beside(&nodes[0]);
            options.map("shop.example", served.address);
        });
        nodes.push(next.await);
    }
    let host = &nodes[0];
    let ada = host.customer(SCOPES).await;
    let ada = ada.with_token(&host.token_for(&ada, SCOPES, 80 * DAY).await);
    host.buy_points(&ada, 20).await;
    let site = ada.run("websites.create", json!({ "domain": "shop.example" })).await.data()["site_id"].clone();
    for at in 0..MONITORS {
        let target = format!("http://shop.example/?at={at}");
        let create = json!({ "site_id": site, "kind": "uptime", "target": target, "every": "1h" });
        ada.run("monitoring.monitor.create", create).await.data();
    }
    let credits =
        async || ada.read("account.credit.balance.get", json!({})).await.data()["credits"].as_f64().expect("credits");
    let checks = async || {
        let report = ada.read("monitoring.uptime.report", json!({ "site_id": site })).await.data();
        let of_each =
            report["monitors"].as_array().expect("monitors").iter().map(|it| it["checks"].as_u64().expect("a count"));
        of_each.collect::<Vec<u64>>()
    };
    let before = credits().await;
    for round in 1..=ROUNDS {
        for node in &nodes {
            node.clock.advance(Duration::from_secs(3_600));
        }
        for _ in tries(480) {
            let paid = (before - credits().await) * 1_000.0;
            if checks().await.iter().all(|it| *it >= round) && (paid - (MONITORS * round) as f64).abs() < 1e-6 {
                break;
            }
            tokio::time::sleep(Duration::from_millis(250)).await;
        }
        assert_eq!(checks().await, vec![round; MONITORS as usize], "each once in each round");
        let paid = (before - credits().await) * 1_000.0;
        assert!((paid - (MONITORS * round) as f64).abs() < 1e-6, "{paid} thousandths after {round} rounds");
    }
    host.verify_ledger().await;
}
