//! Viral campaigns in their real sandbox: bought on a quote, charged late and once, delivered by the clock through a
//! panel, stopped with a refund, switched off by the operator; every operation over both doors.

use std::collections::BTreeMap;
use std::time::Duration;

use model::clock::Clock as _;
use serde_json::{Value, json};
use simulators::{Fault, Seed, Simulator, World};
use tests::customer::Customer;
use tests::host::Host;
use tests::patience::tries;
use tests::process::Launch;

const SCOPES: &str = "account:read billing:read websites:read assets:read assets:write seo:analyze seo:execute \
                      connections:manage destructive:execute";
const HOME: &str = "http://shop.example/";
const GUIDES: &str = "http://shop.example/guides";
const GONE: &str = "http://shop.example/products/lamp-3-gone";
/// In milliseconds.
const DAY: u64 = 86_400_000;
const HOUR: Duration = Duration::from_secs(3_600);

/// A website, and a panel that is connected.
struct Scene {
    host: Host,
    ada: Customer,
    site: Value,
    world: World,
}

impl Scene {
    async fn set() -> Self {
        Self::with(|_| ()).await
    }

    async fn with(change: impl FnOnce(&mut tests::host::Options)) -> Self {
        let address = demo::serve("127.0.0.1:0".parse().expect("an address")).await.expect("the demo shop");
        let host = Host::start_with(|options| {
            options.map("shop.example", address);
            change(options);
        })
        .await;
        // Two at night in UTC: nobody is asked anything at this hour, whenever the test runs.
        let today = u64::try_from(host.clock.now().0).expect("after 1970") % DAY;
        host.clock.advance(Duration::from_millis((2 * 3_600_000 + DAY - today) % DAY));
        let ada = host.customer(SCOPES).await;
        let ada = ada.with_token(&host.token_for(&ada, SCOPES, 80 * 24 * HOUR).await);
        host.buy_points(&ada, 20).await;
        let world = simulators::start(Seed(1)).await.expect("providers");
        let site = ada.run("websites.create", json!({ "domain": "shop.example" })).await.data()["site_id"].clone();
        let scene = Self { host, ada, site, world };
        scene.connect(&scene.world.fulfilment).await;
        scene
    }

    async fn connect(&self, provider: &Simulator) {
        let arguments = json!({
            "kind": provider.name(), "name": "a panel", "endpoint": provider.url(),
            "credentials": provider.credentials(), "test": false,
        });
        self.ada.run("connections.add", arguments).await.data();
    }

    fn asked(&self, urls: &[&str]) -> Value {
        json!({ "site_id": self.site, "urls": urls, "duration_days": 3, "daily_actions": 10 })
    }

    async fn quoted(&self, urls: &[&str]) -> Value {
        let mut arguments = self.asked(urls);
        let quote = self.ada.both("ux_signals.viral.campaign.quote", arguments.clone()).await;
        assert_eq!(quote["total_credits"], 5.0 * urls.len() as f64, "{quote}");
        arguments["expected_quote_hash"] = quote["quote_hash"].clone();
        arguments
    }

    /// A campaign whose links were prepared and charged.
    async fn scheduled(&self, urls: &[&str]) -> Value {
        let created = self.ada.change("ux_signals.viral.campaign.create", self.quoted(urls).await).await;
        assert_eq!(created["state"], "queued");
        let campaign = created["campaign_ref"].clone();
        self.until(&campaign, |it| it["state"] != "preparing_links" && it["state"] != "charging").await;
        campaign
    }

    async fn get(&self, campaign: &Value) -> Value {
        self.ada.read("ux_signals.campaign.get", json!({ "campaign_ref": campaign })).await.data()
    }

    async fn until(&self, campaign: &Value, holds: impl Fn(&Value) -> bool) -> Value {
        for _ in tries(240) {
            let view = self.get(campaign).await;
            if holds(&view) {
                return view;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("it did not come to that: {}", self.get(campaign).await);
    }

    /// Moves the clock on hour by hour, the panel with it, until this holds.
    async fn hours(&self, campaign: &Value, most: u32, holds: impl Fn(&Value) -> bool) -> Value {
        for _ in 0..most {
            let view = self.get(campaign).await;
            if holds(&view) {
                return view;
            }
            self.host.clock.advance(HOUR + Duration::from_secs(1));
            // The worker looks twice a second.
            tokio::time::sleep(Duration::from_millis(1_200)).await;
            self.advance_panel().await;
        }
        panic!("it did not come to that in {most} hours: {}", self.get(campaign).await);
    }

    /// Every task of the panel moves one step.
    async fn advance_panel(&self) {
        let panel = &self.world.fulfilment;
        let token = panel.credentials()["api_key"].as_str().expect("a key").to_owned();
        let advance = format!("{}/v1/sandbox/advance", panel.url());
        reqwest::Client::new().post(advance).bearer_auth(token).send().await.expect("the panel");
    }

    async fn credits(&self) -> f64 {
        self.ada.read("account.credit.balance.get", json!({})).await.data()["credits"].as_f64().expect("credits")
    }

    /// The reads of one campaign.
    fn reads(&self, campaign: &Value) -> Vec<(&'static str, Value)> {
        let of = || json!({ "campaign_ref": campaign });
        vec![
            ("ux_signals.campaign.get", of()),
            ("ux_signals.campaign.link.list", of()),
            ("ux_signals.campaign.action.list", of()),
            ("ux_signals.campaign.metric.get", of()),
            ("ux_signals.campaign.charge.list", of()),
            ("ux_signals.campaign.integrity.get", of()),
        ]
    }
}

/// How often a campaign turned to each state.
fn turns(view: &Value) -> Vec<&str> {
    view["timeline"].as_array().expect("a history").iter().filter_map(|it| it["state"].as_str()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_campaign_is_charged_for_the_links_that_became_ready_and_every_operation_answers_over_both_doors() {
    let scene = Scene::set().await;
    let before = scene.credits().await;
    let campaign = scene.scheduled(&[HOME, GUIDES, GONE]).await;
    let view = scene.get(&campaign).await;
    assert_eq!(turns(&view), ["preparing_links", "charging", "scheduled"], "{view}");
    assert_eq!((&view["links_ready"], &view["charge"]["charged_credits"]), (&json!(2), &json!(10.0)), "{view}");
    assert!((before - scene.credits().await - 10.0).abs() < 1e-9, "a page that is gone is not charged");
    for (operation, arguments) in scene.reads(&campaign) {
        scene.ada.both(operation, arguments).await;
    }
    let listed = scene.ada.both("ux_signals.campaign.list", json!({ "site_id": scene.site })).await;
    assert_eq!(listed["campaigns"][0]["campaign_ref"], campaign);
    let audiences = scene.ada.both("ux_signals.audience.list", json!({})).await;
    assert_eq!(audiences["audiences"].as_array().map(Vec::len), Some(2), "{audiences}");
    let made =
        scene.ada.change("ux_signals.link.create", json!({ "site_id": scene.site, "url": HOME, "source": "flyer" }));
    let made = made.await;
    assert!(made["target"].as_str().is_some_and(|it| it.ends_with("?utm_source=flyer")), "{made}");
    let code = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().expect("a client");
    let followed = code.get(made["short_url"].as_str().expect("an address")).send().await.expect("a redirect");
    assert_eq!(followed.headers()["location"], made["target"].as_str().expect("a target"));
    scene.ada.both("ux_signals.link.report", json!({ "site_id": scene.site, "link_ref": made["link_ref"] })).await;
    let audience = json!({
        "site_id": scene.site, "name": "Newsletter", "channel": "newsletter", "size": 900,
        "consent_basis": "Signed up with double opt-in since 2024.", "consent_url": GUIDES,
    });
    assert_eq!(scene.ada.change("ux_signals.audience.register", audience).await["usable"], true);
    let paused = json!({ "campaign_ref": campaign, "paused": true });
    assert_eq!(scene.ada.run("ux_signals.viral.campaign.pause", paused).await.data()["state"], "paused");
    let charges = scene.ada.read("ux_signals.campaign.charge.list", json!({ "campaign_ref": campaign })).await.data();
    let reference = charges["charges"][0]["ledger_ref"].as_str().expect("a reference").to_owned();
    let credits = scene.ada.read("account.credit.ledger.list", json!({ "limit": 100 })).await.data();
    let job = reference.split(':').next().expect("a job");
    assert!(credits.to_string().contains(job), "{reference}: {credits}");
    scene.host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_refunds_what_nobody_got_once_and_the_ledger_says_so() {
    let scene = Scene::set().await;
    let before = scene.credits().await;
    let campaign = scene.scheduled(&[HOME, GUIDES]).await;
    let stop = json!({ "campaign_ref": campaign });
    let stopped = scene.ada.run_as("ux_signals.viral.campaign.stop", stop.clone(), "stop-key-1").await;
    assert_eq!((&stopped.data()["state"], &stopped.data()["refunded_credits"]), (&json!("stopped"), &json!(10.0)));
    assert!((before - scene.credits().await).abs() < 1e-9);
    let again = scene.ada.run_as("ux_signals.viral.campaign.stop", stop.clone(), "stop-key-1").await;
    assert_eq!(again.bytes, stopped.bytes);
    assert_eq!(
        scene.ada.run("ux_signals.viral.campaign.stop", stop).await.refusal(),
        (409, "campaign_state".to_owned())
    );
    let refunds = scene.ada.read("account.credit.ledger.list", json!({ "type": "refund" })).await.data();
    assert_eq!(refunds["lines"][0]["amount"], 10.0, "{refunds}");
    scene.host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_bought_is_refused_with_its_reason_and_nothing_is_charged() {
    let scene = Scene::set().await;
    let before = scene.credits().await;
    let arguments = scene.quoted(&[HOME]).await;
    let refused = async |change: Value| {
        let mut arguments = arguments.clone();
        change.as_object().expect("an object").iter().for_each(|(name, value)| arguments[name] = value.clone());
        scene.ada.run("ux_signals.viral.campaign.create", arguments).await
    };
    let eleven: Vec<String> = (0..11).map(|number| format!("{HOME}{number}")).collect();
    for (change, status, code) in [
        (json!({ "daily_actions": 11 }), 409, "quote_changed"),
        (json!({ "urls": [HOME, GUIDES] }), 409, "quote_changed"),
        (json!({ "urls": eleven }), 422, "invalid_arguments"),
        (json!({ "urls": ["https://elsewhere.example/"] }), 422, "no_own_url"),
        (json!({ "message": "Please google us and click the result." }), 422, "wording_refused"),
        (json!({ "audience_refs": ["aud_unknown"] }), 409, "quote_changed"),
    ] {
        assert_eq!(refused(change).await.refusal(), (status, code.to_owned()));
    }
    let mut unknown = scene.asked(&[HOME]);
    unknown["audience_refs"] = json!(["aud_unknown"]);
    let refusal = scene.ada.read("ux_signals.viral.campaign.quote", unknown).await.refusal();
    assert_eq!(refusal, (404, "audience_not_found".to_owned()));
    assert!((before - scene.credits().await).abs() < 1e-9);
    // Nearly all is spent: 5 credits are needed and fewer are left.
    scene.host.buy_points(&scene.ada, before as u64 - 4).await;
    assert_eq!(refused(json!({})).await.refusal().0, 402);
    let listed = scene.ada.read("ux_signals.campaign.list", json!({})).await.data();
    assert_eq!(listed["campaigns"], json!([]));
    scene.host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_campaign_of_somebody_else_does_not_exist() {
    let scene = Scene::set().await;
    let campaign = scene.scheduled(&[HOME]).await;
    let link = json!({ "site_id": scene.site, "url": HOME });
    let link = scene.ada.run("ux_signals.link.create", link).await.data()["link_ref"].clone();
    let eve = scene.host.customer(SCOPES).await;
    scene.host.buy_points(&eve, 10).await;
    for (operation, arguments) in scene.reads(&campaign) {
        assert_eq!(eve.not_found(operation, arguments).await, "campaign_not_found", "{operation}");
    }
    for (operation, arguments) in [
        ("ux_signals.viral.campaign.pause", json!({ "campaign_ref": campaign, "paused": true })),
        ("ux_signals.viral.campaign.stop", json!({ "campaign_ref": campaign })),
        ("ux_signals.viral.campaign.quote", scene.asked(&[HOME])),
        ("ux_signals.link.create", json!({ "site_id": scene.site, "url": HOME })),
        ("ux_signals.link.report", json!({ "site_id": scene.site, "link_ref": link })),
    ] {
        eve.not_found(operation, arguments).await;
    }
    assert_eq!(eve.read("ux_signals.campaign.list", json!({})).await.data()["campaigns"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn the_scheduler_delivers_through_the_panel_day_by_day_and_no_task_is_made_twice() {
    let scene = Scene::set().await;
    let campaign = scene.scheduled(&[HOME, GUIDES]).await;
    // The first answer is lost on its way: the step runs again under the same key.
    scene.world.fulfilment.fault_on("/v1/tasks", Fault::AnswerLost, Some(1));
    let ended = scene.hours(&campaign, 140, |view| view["state"] == "completed" || view["state"] == "failed").await;
    assert_eq!(ended["state"], "completed", "{ended}");
    let actions = scene.ada.both("ux_signals.campaign.action.list", json!({ "campaign_ref": campaign })).await;
    let days = actions["days"].as_array().expect("days");
    let each: Vec<u64> = days.iter().filter_map(|day| day["planned"].as_u64()).collect();
    assert!(each.iter().all(|people| *people <= 10), "paced: {each:?}");
    assert_eq!(ended["actions"]["delivered"], 30, "{ended}");
    let panel = &scene.world.fulfilment;
    let mut keys: BTreeMap<String, usize> = BTreeMap::new();
    for request in panel.requests().into_iter().filter(|it| it.path == "/v1/tasks") {
        if let Some(key) = request.idempotency_key {
            *keys.entry(key).or_default() += 1;
        }
    }
    let made = panel.effects().iter().filter(|effect| effect.name == "task.created").count();
    assert_eq!(made, keys.len(), "one task for each key");
    assert!(keys.values().any(|asked| *asked > 1), "one was asked for again");
    scene.host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_who_switches_campaigns_off_refuses_new_ones_and_leaves_the_rest_of_the_module() {
    let scene = Scene::with(|options| options.off("ux_signals.viral")).await;
    let refused = scene.ada.read("ux_signals.viral.campaign.quote", scene.asked(&[HOME])).await;
    assert_eq!(refused.refusal(), (403, "operation_off".to_owned()));
    assert_eq!(refused.json()["error"]["family"], "ux_signals.viral", "{}", refused.json());
    scene.ada.both("ux_signals.campaign.list", json!({})).await;
    let stop = scene.ada.run("ux_signals.viral.campaign.stop", json!({ "campaign_ref": "camp_unknown" })).await;
    assert_eq!(stop.refusal(), (404, "campaign_not_found".to_owned()), "stopping is always offered");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_is_killed_again_and_again_while_links_are_prepared_charges_each_page_once() {
    let address = demo::serve("127.0.0.1:0".parse().expect("an address")).await.expect("the demo shop");
    let folder = tempfile::tempdir().expect("a folder");
    let launch = Launch::on(folder.path(), &[("shop.example", address)]).lease(3);
    let mut process = launch.start().await;
    let mut ada = process.customer("ada@example.com", 1_000, SCOPES).await;
    process.points(&ada, 20).await;
    let world = simulators::start(Seed(1)).await.expect("providers");
    let panel = json!({
        "kind": "fulfilment", "name": "a panel", "endpoint": world.fulfilment.url(),
        "credentials": world.fulfilment.credentials(), "test": false,
    });
    ada.run("connections.add", panel).await.data();
    let site = ada.run("websites.create", json!({ "domain": "shop.example" })).await.data()["site_id"].clone();
    let urls = ["", "guides", "blog", "products/lamp-1", "products/lamp-2"].map(|path| format!("{HOME}{path}"));
    let mut arguments = json!({ "site_id": site, "urls": urls, "duration_days": 3, "daily_actions": 5 });
    let quote = ada.read("ux_signals.viral.campaign.quote", arguments.clone()).await.data();
    arguments["expected_quote_hash"] = quote["quote_hash"].clone();
    let balance = async |ada: &Customer| {
        ada.read("account.credit.balance.get", json!({})).await.data()["credits"].as_f64().expect("credits")
    };
    let before = balance(&ada).await;
    let created = ada.run_as("ux_signals.viral.campaign.create", arguments.clone(), "campaign-key-1").await;
    let campaign = created.data()["campaign_ref"].clone();
    for round in 0..5_u64 {
        tokio::time::sleep(Duration::from_millis(30 + 170 * round)).await;
        process.kill();
        process = launch.start().await;
        ada = process.again(&ada);
        let again = ada.run_as("ux_signals.viral.campaign.create", arguments.clone(), "campaign-key-1").await;
        assert_eq!(again.bytes, created.bytes, "the same key is the same campaign");
    }
    let mut view = Value::Null;
    for _ in tries(300) {
        view = ada.read("ux_signals.campaign.get", json!({ "campaign_ref": campaign })).await.data();
        if view["state"] != "preparing_links" && view["state"] != "charging" {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let ready = view["links_ready"].as_f64().expect("a count");
    assert!(ready >= 2.0, "{view}");
    assert!((before - balance(&ada).await - 5.0 * ready).abs() < 1e-9, "{view}");
    let links = ada.read("ux_signals.campaign.link.list", json!({ "campaign_ref": campaign })).await.data();
    assert_eq!(links["links"].as_array().map(Vec::len), Some(5), "each page once: {links}");
    assert_eq!(
        ada.read("ux_signals.campaign.list", json!({})).await.data()["campaigns"].as_array().map(Vec::len),
        Some(1)
    );
    process.verify_ledger();
}
