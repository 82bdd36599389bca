//! Imports: sums are right, a repetition changes nothing, quotas and silence are borne, bounds are told.

use std::collections::BTreeMap;

use kit::pack::Search;
use sdk::json;
use sdk::prelude::*;
use sdk::serde_json::Value;
use search::{Cut, Figures, Period, SearchType, parts};

use crate::stored::{Sync, Totals};
use crate::trial::{self, Google, SITE, Shown, day, shop, synced};

fn period() -> Period {
    Period { first: day("2026-07-20"), last: day("2026-09-25") }
}

fn figures() -> Google {
    shop("2026-07-20", "2026-09-25", |_| 1.0)
}

fn sums(cx: &Cx, cut: Cut) -> BTreeMap<String, Search> {
    let site = Id::new(SITE);
    let mut sums: BTreeMap<String, Search> = BTreeMap::new();
    let figures = Figures::own(cx, &site, SearchType::Web);
    let read = figures.sums(cut, period(), b"", |key, sum| {
        kit::pack::Figures::add(sums.entry(String::from_utf8_lossy(key).into_owned()).or_default(), &sum);
    });
    read.expect("few bytes");
    sums
}

#[test]
fn the_sums_of_every_cut_are_those_of_the_property() {
    let google = figures();
    let fake = synced(&google);
    let all = |_: &Shown| true;
    let named = |it: &Shown| !it.rare;
    assert_eq!(sums(&fake, Cut::Pages), google.sums(all, |it| it.page.clone()));
    assert_eq!(sums(&fake, Cut::Queries), google.sums(named, |it| it.query.clone()));
    assert_eq!(sums(&fake, Cut::Details), google.sums(named, |it| format!("{}\0{}", it.page, it.query)));
    assert_eq!(sums(&fake, Cut::Markets), google.sums(all, |it| format!("{}\0{}", it.country, it.device)));
    let markets = google.sums(all, |it| format!("{}\0{}\0{}", it.page, it.country, it.device));
    assert_eq!(sums(&fake, Cut::PageMarkets), markets);
    let days = fake.rows::<Totals>();
    let by_day = google.sums(all, |it| it.day.to_string());
    let known = google.sums(named, |it| it.day.to_string());
    for row in days.iter().filter(|it| it.0.impressions > 0) {
        let wanted = by_day[&row.0.date];
        assert_eq!(
            (row.0.clicks, row.0.impressions, row.0.positions),
            (wanted.clicks, wanted.impressions, wanted.positions)
        );
        assert_eq!(row.0.known_clicks, Some(known[&row.0.date].clicks));
        assert_eq!(row.0.known_impressions, Some(known[&row.0.date].impressions));
    }
    // A day before the website was shown has a record of zeros: it is no gap.
    assert!(days.iter().any(|it| it.0.date == "2026-07-01" && it.0.impressions == 0));
    assert_eq!(days.iter().filter(|it| it.0.impressions > 0).count(), 68);
}

#[test]
fn an_import_that_is_repeated_changes_no_figure_and_no_pack() {
    let google = figures();
    let fake = synced(&google);
    let packs = |cx: &Cx| -> Vec<Vec<u8>> {
        let site = Id::new(SITE);
        let figures = Figures::own(cx, &site, SearchType::Web);
        let mut packs = Vec::new();
        for month in period().months() {
            for cut in [Cut::Pages, Cut::Details] {
                let index = figures.index(month, cut).expect("an index");
                let name = format!("gsc_daily/{SITE}/web/{month}/{}/{}/0", cut.name(), index.written);
                packs.push(cx.blobs().read(&name, 0, 8 << 20).expect("a pack"));
            }
        }
        packs
    };
    let before = packs(&fake);
    let again = json!({ "site_id": SITE, "from": "2026-08-10", "to": "2026-09-20" });
    fake.call("search_console.sync.run", again).expect("a job");
    fake.work();
    assert_eq!(packs(&fake), before);
}

#[test]
fn without_a_period_the_next_import_starts_three_days_before_the_end_of_the_last_one() {
    let google = figures();
    let fake = trial::fake(&google);
    let first = fake.call("search_console.sync.run", json!({ "site_id": SITE })).expect("a job");
    assert_eq!((first["from"].as_str(), first["to"].as_str()), (Some("2025-05-27"), Some("2026-09-25")));
    let running = fake.refusal("search_console.sync.run", json!({ "site_id": SITE }));
    assert_eq!(running.code, "sync_running");
    fake.work();
    let second = fake.call("search_console.sync.run", json!({ "site_id": SITE })).expect("a job");
    assert_eq!((second["from"].as_str(), second["to"].as_str()), (Some("2026-09-23"), Some("2026-09-25")));
}

#[test]
fn the_import_is_repeated_daily_until_it_is_switched_off() {
    let fake = trial::fake(&figures());
    let answer =
        fake.call("search_console.sync.run", json!({ "site_id": SITE, "dimensions": ["page"] })).expect("a job");
    let scheduled = fake.schedules().get("sync-81-web").expect("a schedule");
    let call: Value = sdk::serde_json::from_str(&scheduled.calls[0].arguments).expect("JSON");
    assert_eq!(call, json!({ "site_id": SITE, "type": "web", "include_fresh": false, "dimensions": ["page"] }));
    assert!((14 * 60..16 * 60).contains(&scheduled.cadence.minute) && answer["next_sync_at"].is_string());
    fake.work();
    let gap = json!({ "site_id": SITE, "from": "2026-09-10", "to": "2026-09-11" });
    fake.call("search_console.sync.run", gap).expect("a job");
    fake.work();
    assert_eq!(
        fake.schedules().get("sync-81-web").expect("a schedule").calls[0].arguments,
        scheduled.calls[0].arguments
    );
    let off = json!({ "site_id": SITE, "every": "off", "from": "2026-09-20" });
    assert!(fake.call("search_console.sync.run", off).expect("a job")["next_sync_at"].is_null());
    assert!(fake.schedules().get("sync-81-web").is_none());
}

#[test]
fn a_used_up_quota_is_waited_for_and_nothing_is_lost() {
    let google = figures();
    let fake = trial::fake(&google);
    fake.call("search_console.sync.run", json!({ "site_id": SITE, "from": "2026-09-01" })).expect("a job");
    fake.work_one_step();
    google.over_quota.set(60);
    fake.work_one_step();
    let job = fake.rows::<Sync>()[0].job_ref.clone().expect("a job");
    let progress: sdk::Progress = fake.jobs().get(&job).expect("a job").progress().expect("progress");
    assert_eq!(progress.step, "waiting for Google's quota");
    fake.work();
    let done: Value = fake.jobs().get(&job).expect("a job").result().expect("a result");
    assert!(done["waited_seconds"].as_u64() >= Some(900), "{done}");
    assert_eq!(done["gaps"], json!([]));
    let since = |it: &Shown| it.day >= day("2026-09-01") && it.day <= day("2026-09-25");
    assert_eq!(sums(&fake, Cut::Pages), google.sums(since, |it| it.page.clone()));
}

#[test]
fn a_day_that_google_does_not_answer_for_is_a_gap_and_the_import_ends() {
    let google = figures();
    google.dead.borrow_mut().insert(day("2026-09-10"));
    let fake = trial::fake(&google);
    fake.call("search_console.sync.run", json!({ "site_id": SITE, "from": "2026-09-01", "dimensions": ["page"] }))
        .expect("a job");
    fake.work();
    let status = fake.call("search_console.sync.status.get", json!({ "site_id": SITE })).expect("a status");
    assert_eq!(status["gaps"], json!(["2026-09-10"]));
    assert_eq!(status["next"][0]["arguments"]["from"], "2026-09-10");
    google.dead.borrow_mut().clear();
    fake.call("search_console.sync.run", status["next"][0]["arguments"].clone()).expect("a job");
    fake.work();
    let status = fake.call("search_console.sync.status.get", json!({ "site_id": SITE })).expect("a status");
    assert_eq!(status["gaps"], json!([]));
}

#[test]
fn a_day_with_more_rows_than_google_returns_is_capped_and_says_so() {
    let mut rows = Vec::new();
    for at in 0..50_002_u64 {
        rows.push(Shown {
            day: day("2026-09-20"),
            page: format!("https://shop.example/{}", at % 300),
            query: format!("query {at}"),
            country: "gbr",
            device: "MOBILE",
            figures: Search { impressions: 2, clicks: u64::from(at % 10 == 0), positions: 8 },
            rare: false,
        });
    }
    let google = Google::of(rows);
    let fake = trial::fake(&google);
    let asked =
        json!({ "site_id": SITE, "from": "2026-09-20", "to": "2026-09-21", "dimensions": ["query"], "every": "off" });
    fake.call("search_console.sync.run", asked).expect("a job");
    fake.work();
    let status = fake.call("search_console.sync.status.get", json!({ "site_id": SITE })).expect("a status");
    assert_eq!(status["capped_days"], json!(["2026-09-20"]));
    assert_eq!(sums(&fake, Cut::Queries).len(), 50_000);
    // The other day has no figures, so there is nothing to compute shares from.
    assert_eq!((status["n_days"].as_u64(), status["anonymised_share"].is_null()), (Some(1), true));
}

#[test]
fn the_share_of_hidden_clicks_is_that_of_the_rare_queries() {
    let google = figures();
    let fake = synced(&google);
    let status = fake.call("search_console.sync.status.get", json!({ "site_id": SITE })).expect("a status");
    let until = |it: &Shown| it.day <= day("2026-09-25");
    let all = google.sums(until, |_| String::new())[""];
    let rare = google.sums(|it| it.rare && until(it), |_| String::new())[""];
    let share = trial::number(rare.clicks) / trial::number(all.clicks);
    assert!((status["anonymised_share"].as_f64().expect("a share") - share).abs() < 1e-4, "{status}");
    assert_eq!((status["to"].as_str(), status["freshness_days"].as_u64()), (Some("2026-09-25"), Some(2)));
    assert_eq!((status["connection_state"].as_str(), status["property"].as_str()), (Some("ok"), Some(trial::PROPERTY)));
}

#[test]
fn periods_and_dimensions_that_google_has_not_are_refused_before_anything_is_asked() {
    let google = figures();
    let fake = trial::fake(&google);
    for (arguments, code, pointer) in [
        (json!({ "site_id": SITE, "from": "2024-01-01" }), "older_than_google_keeps", "/from"),
        (json!({ "site_id": SITE, "from": "2026-09-20", "to": "2026-09-01" }), "period_reversed", "/from"),
        (
            json!({ "site_id": SITE, "type": "discover", "dimensions": ["query"] }),
            "dimension_not_available",
            "/dimensions",
        ),
        (json!({ "site_id": "82" }), "website_not_found", "/site_id"),
    ] {
        let fault = fake.refusal("search_console.sync.run", arguments);
        assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), (code, Some(pointer)));
    }
    assert_eq!(google.asked.get(), 0);
    let without = crate::fake();
    without.put_as(SITE, site::Site { origin: "https://shop.example".to_owned(), ..site::Site::default() });
    assert_eq!(without.refusal("search_console.sync.run", json!({ "site_id": SITE })).code, "connection_required");
    assert_eq!(parts(b"a\0b"), ("a", "b"));
}

#[test]
fn a_property_that_refuses_ends_the_import_with_what_is_missing() {
    let google = figures();
    let fake = trial::fake(&google);
    fake.provider_serves(|method, path, _| {
        let body = json!({ "error": { "code": 403, "errors": [{ "reason": "forbidden" }] } });
        (method == "POST" && path.ends_with("query")).then(|| (403, body.to_string().into_bytes()))
    });
    fake.call("search_console.sync.run", json!({ "site_id": SITE })).expect("a job");
    fake.work();
    let job = fake.rows::<Sync>()[0].job_ref.clone().expect("a job");
    assert_eq!(fake.jobs().get(&job).expect("a job").fault().expect("a fault").0, "missing_permission");
}
