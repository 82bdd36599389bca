//! A customer with both campaigns, the panel that asks people, and the host that dies.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::time::Duration;

use model::clock::{Clock as _, Entropy, SeededEntropy, SystemClock};
use serde_json::{Value, json};
use simulators::{Fault, Seed, Simulator, World};
use tempfile::TempDir;
use tests::customer::Customer;
use tests::process::{Launch, Process};

use crate::chart::{self, Row};

const SCOPES: &str = "account:read billing:read websites:read assets:read assets:write seo:analyze seo:execute \
                      connections:manage destructive:execute";
/// In milliseconds.
const DAY: i64 = 86_400_000;
/// Invitations that each campaign plans in a day, and what each unit costs, in credits: a link, an invitation.
const VIRAL: (u32, f64) = (20, 5.0);
const SIGNALS: (u32, f64) = (10, 0.2);
const PAGES: [&str; 2] = ["http://shop.example/", "http://shop.example/guides"];

pub(crate) struct Scene {
    world: World,
    http: reqwest::Client,
    ada: Customer,
    process: Process,
    launch: Launch,
    clock: PathBuf,
    _data: TempDir,
    /// Midnight before the first day of work, in milliseconds since 1970.
    first: i64,
    days: u32,
    chance: SeededEntropy,
    viral: Asked,
    signals: Asked,
    /// Tasks of the panel that were seen before.
    seen: BTreeSet<String>,
    kills: u32,
    faults: u32,
}

/// One campaign, and what was asked of the panel for it on each day.
struct Asked {
    campaign: Value,
    /// What the customer had before it was bought.
    before: f64,
    by_day: BTreeMap<u32, u32>,
}

impl Scene {
    pub(crate) async fn set(days: u32, seed: u64) -> Self {
        let world = simulators::start(Seed(seed)).await.expect("providers");
        let address = demo::serve("127.0.0.1:0".parse().expect("an address")).await.expect("the demo shop");
        let data = tempfile::tempdir().expect("a folder");
        let clock = data.path().join("clock");
        let launch = Launch::on(data.path(), &[("shop.example", address)]).lease(2).jumping(&clock);
        // Two at night in UTC: nobody is asked anything at this hour.
        let now = SystemClock.now().0;
        let first = now - now % DAY + DAY;
        set_clock(&clock, first + 2 * 3_600_000);
        let process = launch.start().await;
        let ada = process.customer("ada@example.com", 2_000, SCOPES).await;
        process.points(&ada, 300).await;
        // What the month needs is a token that outlives it.
        let issued = process.command(&["token", "issue", "--customer", &ada.id, "--scopes", SCOPES, "--days", "365"]);
        let ada = ada.with_token(issued["access_token"].as_str().expect("a token"));
        for provider in [&world.dataforseo, &world.fulfilment] {
            connect(&ada, provider).await;
        }
        let site = ada.run("websites.create", json!({ "domain": "shop.example" })).await.data()["site_id"].clone();
        let viral = viral(&ada, &site, days).await;
        let signals = signals(&ada, &site, days).await;
        let mut byte = [0; 32];
        byte[..8].copy_from_slice(&seed.to_be_bytes());
        let chance = SeededEntropy::new(byte);
        Self {
            world,
            http: reqwest::Client::new(),
            ada,
            process,
            launch,
            clock,
            _data: data,
            first,
            days,
            chance,
            viral,
            signals,
            seen: BTreeSet::new(),
            kills: 0,
            faults: 0,
        }
    }

    /// What goes wrong with the panel on this day.
    pub(crate) fn befall(&mut self, day: u32) {
        let short = [Fault::ServerError, Fault::RateLimited, Fault::Truncated];
        let fault = match day % 10 {
            // A host waits long for an answer that never comes, and a jump is a short moment.
            3 => Fault::AnswerLost,
            1 | 5 | 8 => short[self.below(short.len())],
            _ => return,
        };
        self.world.fulfilment.fault_on("/v1/tasks", fault, Some(1));
        self.faults += 1;
    }

    /// The clock shows another moment from now on, and goes on from there.
    pub(crate) fn jump(&self, day: u32, minutes: u64) {
        set_clock(&self.clock, self.first + i64::from(day) * DAY + i64::try_from(minutes * 60_000).expect("a day"));
    }

    /// Ends the host in the middle of whatever it does within this span, and starts it again.
    pub(crate) async fn kill(&mut self, within: Duration) {
        let span = usize::try_from(within.as_millis()).expect("a moment");
        tokio::time::sleep(Duration::from_millis(self.below(span) as u64)).await;
        self.process.kill();
        self.kills += 1;
        self.process = self.launch.start().await;
        self.ada = self.process.again(&self.ada);
        // The lease of what it was at ends.
        tokio::time::sleep(Duration::from_secs(2)).await;
    }

    /// People answer, and what the panel was asked for since the last look is noted.
    pub(crate) async fn look(&mut self, day: u32) {
        for task in self.tasks().await {
            let reference = task["task_ref"].as_str().expect("a reference").to_owned();
            if self.seen.insert(reference) {
                let asked = if task["campaign"] == self.viral.campaign { &mut self.viral } else { &mut self.signals };
                *asked.by_day.entry(day).or_default() += number(&task["quantity"]);
            }
        }
        self.panel("POST", "/v1/sandbox/advance").await;
    }

    pub(crate) async fn is_over(&self) -> bool {
        let over = |view: &Value| view["state"] == "completed" || view["state"] == "failed";
        over(&self.view("ux_signals.campaign.get", &self.viral).await)
            && over(&self.view("local_grid.gmb_signals.campaign.get", &self.signals).await)
    }

    /// Everything that is not as it was promised.
    pub(crate) async fn judge(&self) -> Vec<String> {
        let mut wrong = Vec::new();
        let mut check = |holds: bool, what: String| {
            if !holds {
                wrong.push(what)
            }
        };
        let tasks = self.tasks().await;
        let viral = self.view("ux_signals.campaign.get", &self.viral).await;
        let signals = self.view("local_grid.gmb_signals.campaign.get", &self.signals).await;
        let reached = |asked: &Asked| -> u32 {
            let its = tasks.iter().filter(|task| task["campaign"] == asked.campaign);
            its.map(|task| number(&task["offered"])).sum()
        };
        for (name, view, asked, per_day) in
            [("viral", &viral, &self.viral, VIRAL.0), ("signals", &signals, &self.signals, SIGNALS.0)]
        {
            check(view["state"] == "completed", format!("{name} is {}", view["state"]));
            let most = asked.by_day.values().max().copied().unwrap_or(0);
            check(most <= per_day, format!("{name}: {most} people were asked on one day, and {per_day} were bought"));
        }
        let planned = VIRAL.0 * self.days;
        let (delivered, seen) = (number(&viral["actions"]["delivered"]), reached(&self.viral));
        check(
            (delivered, seen) == (planned, planned),
            format!("viral: {delivered} of {planned}, the panel says {seen}"),
        );
        let (delivered, seen) = (number(&signals["delivered"]), reached(&self.signals));
        let planned = SIGNALS.0 * self.days;
        check(
            delivered == seen && delivered <= planned,
            format!("signals: {delivered} of {planned}, the panel says {seen}"),
        );
        let charged = f64::from(delivered) * SIGNALS.1;
        check(
            near(&signals["charged_credits"], charged),
            format!("signals: {} for {charged}", signals["charged_credits"]),
        );
        let links = PAGES.len() as f64 * VIRAL.1;
        check(near(&viral["charge"]["charged_credits"], links), format!("viral: {} for {links}", viral["charge"]));
        let spent = self.viral.before - self.credits().await;
        check(
            (spent - scans(self) - links - charged).abs() < 1e-9,
            format!("{spent} credits are gone for {links} and {charged}"),
        );
        let mut keys: BTreeMap<String, u32> = BTreeMap::new();
        for request in self.world.fulfilment.requests().into_iter().filter(|it| it.path == "/v1/tasks") {
            if let Some(key) = request.idempotency_key {
                *keys.entry(key).or_default() += 1;
            }
        }
        let made = self.world.fulfilment.effects().iter().filter(|effect| effect.name == "task.created").count();
        // A key under which only failures were answered has no task, and none has two.
        check(made == tasks.len() && made <= keys.len(), format!("{made} tasks under {} keys", keys.len()));
        wrong.extend(["ledger", "audit"].into_iter().filter_map(|books| self.process.flaws(books)));
        wrong
    }

    /// What happened, in words.
    pub(crate) fn told(&self, days: u32) -> String {
        let sum = |asked: &Asked| asked.by_day.values().sum::<u32>();
        format!(
            "{days} days, {} kills, {} faults of the panel, {} and {} invitations in {} tasks",
            self.kills,
            self.faults,
            sum(&self.viral),
            sum(&self.signals),
            self.seen.len()
        )
    }

    pub(crate) fn draw(&self) {
        let row = |name: &'static str, asked: &Asked, per_day| Row {
            name,
            per_day,
            days: self.days,
            asked: asked.by_day.clone(),
        };
        chart::write(&[
            row("Viral campaign", &self.viral, VIRAL.0),
            row("Local signals campaign", &self.signals, SIGNALS.0),
        ]);
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::from(u16::from_be_bytes((&self.chance as &dyn Entropy).array::<2>())) % bound.max(1)
    }

    async fn view(&self, operation: &str, asked: &Asked) -> Value {
        self.ada.read(operation, json!({ "campaign_ref": asked.campaign })).await.data()
    }

    async fn credits(&self) -> f64 {
        credits(&self.ada).await
    }

    async fn tasks(&self) -> Vec<Value> {
        let mut all = Vec::new();
        let mut more = String::new();
        loop {
            let page = self.panel("GET", &format!("/v1/tasks?limit=100{more}")).await;
            all.extend(page["tasks"].as_array().expect("tasks").iter().cloned());
            let Some(cursor) = page["next_cursor"].as_str() else { return all };
            more = format!("&cursor={cursor}");
        }
    }

    /// Asks the panel as its owner does, and again where a fault that is meant for the host comes here.
    async fn panel(&self, method: &str, path: &str) -> Value {
        let panel = &self.world.fulfilment;
        let token = panel.credentials()["api_key"].as_str().expect("a token").to_owned();
        let method = method.parse::<reqwest::Method>().expect("a method");
        for _ in 0..4 {
            let request = self.http.request(method.clone(), format!("{}{path}", panel.url())).bearer_auth(&token);
            if let Ok(answer) = request.timeout(Duration::from_secs(2)).send().await
                && answer.status().is_success()
                && let Ok(value) = answer.json().await
            {
                return value;
            }
        }
        panic!("the panel does not answer {path}");
    }
}

/// Credits for the two scans on which the signals campaign stands; they were bought between the two.
fn scans(scene: &Scene) -> f64 {
    scene.viral.before - VIRAL.1 * PAGES.len() as f64 - scene.signals.before
}

fn set_clock(file: &std::path::Path, to: i64) {
    let seconds = (to - SystemClock.now().0) / 1_000;
    // Renamed into place, so that the host never reads half a number.
    let beside = file.with_extension("next");
    std::fs::write(&beside, format!("{seconds:+}\n")).expect("a file");
    std::fs::rename(&beside, file).expect("renamed");
}

fn number(value: &Value) -> u32 {
    value.as_u64().and_then(|it| u32::try_from(it).ok()).unwrap_or(0)
}

fn near(value: &Value, expected: f64) -> bool {
    value.as_f64().is_some_and(|it| (it - expected).abs() < 1e-9)
}

async fn credits(ada: &Customer) -> f64 {
    ada.read("account.credit.balance.get", json!({})).await.data()["credits"].as_f64().expect("credits")
}

async fn connect(ada: &Customer, provider: &Simulator) {
    let arguments = json!({
        "kind": provider.name(), "name": provider.name(), "endpoint": provider.url(),
        "credentials": provider.credentials(), "test": false,
    });
    ada.run("connections.add", arguments).await.data();
}

/// Buys a campaign whose links are ready.
async fn viral(ada: &Customer, site: &Value, days: u32) -> Asked {
    let mut arguments = json!({ "site_id": site, "urls": PAGES, "duration_days": days, "daily_actions": VIRAL.0 });
    let quote = ada.read("ux_signals.viral.campaign.quote", arguments.clone()).await.data();
    arguments["expected_quote_hash"] = quote["quote_hash"].clone();
    let before = credits(ada).await;
    let campaign = ada.run("ux_signals.viral.campaign.create", arguments).await.data()["campaign_ref"].clone();
    for _ in 0..300 {
        let view = ada.read("ux_signals.campaign.get", json!({ "campaign_ref": campaign })).await.data();
        if view["state"] == "scheduled" {
            return Asked { campaign, before, by_day: BTreeMap::new() };
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    panic!("the links were never ready");
}

/// Scans the map twice and buys a campaign that stands on it.
async fn signals(ada: &Customer, site: &Value, days: u32) -> Asked {
    let business = json!({
        "site_id": site, "name": "Lamp shop Lampton", "place_id": "ChIJlamp4503600001", "latitude": 51.475,
        "longitude": -0.364, "phone": "+44 20 7946 0101", "address": "1 Lamp Lane, Lampton",
    });
    let business = ada.run("local_grid.business.add", business).await.data()["business_ref"].clone();
    let scan = json!({
        "business_ref": business, "keywords": ["lamp shop", "lamp repair"], "language": "en", "size": 5, "spacing_m": 2500,
    });
    for _ in 0..2 {
        let run = ada.run("local_grid.run.start", scan.clone()).await.data()["run_ref"].clone();
        let ended = ada.wait_for("local_grid.run.get", json!({ "run_ref": run }), 120).await;
        assert_eq!(ended["state"], "succeeded", "{ended}");
    }
    let sources = ada.read("local_grid.gmb_signals.sources.get", json!({ "business_ref": business })).await.data();
    let fit = sources["sources"].as_array().and_then(|all| all.iter().find(|it| it["eligible"] == true));
    let source = fit.unwrap_or_else(|| panic!("{sources}"))["source_ref"].clone();
    let mut arguments = json!({ "source_refs": [source], "daily_actions": SIGNALS.0, "duration_days": days });
    let quote = ada.read("local_grid.gmb_signals.campaign.quote", arguments.clone()).await.data();
    arguments["expected_quote_hash"] = quote["quote_hash"].clone();
    arguments["native_idempotency_key"] = json!("a-month-in-lampton");
    let before = credits(ada).await;
    let bought = ada.run("local_grid.gmb_signals.campaign.create", arguments).await.data();
    Asked { campaign: bought["campaign_ref"].clone(), before, by_day: BTreeMap::new() }
}
