//! A recurring crawl by itself: begun when its time comes, followed by its audit, told when the score falls, and ended
//! with the grant that set it.

use std::time::Duration;

use serde_json::{Value, json};
use tests::customer::Customer;
use tests::host::Host;
use tests::patience::tries;

const SCOPES: &str = "account:read websites:read assets:read assets:write seo:analyze seo:audit seo:execute \
                      destructive:execute";
const DAY: Duration = Duration::from_secs(86_400);

async fn scheduled() -> (Host, Customer, Value) {
    let address = demo::serve("127.0.0.1:0".parse().expect("an address")).await.expect("the demo shop");
    let host = Host::start_with(|options| options.map("shop.example", address)).await;
    let ada = host.customer(SCOPES).await;
    let ada = ada.with_token(&host.token_for(&ada, SCOPES, 80 * DAY).await);
    host.buy_points(&ada, 20).await;
    let site = ada.run("websites.create", json!({ "domain": "shop.example" })).await.data()["site_id"].clone();
    let set = json!({
        "site_id": site, "every": "daily", "at": "03:00", "alert_score_drop": 5,
        "settings": { "max_pages": 20, "rate_rps": 10, "check_external": false },
    });
    let set = ada.change("crawl.schedule.set", set).await;
    assert!(set["next_run"].is_string(), "{set}");
    (host, ada, site)
}

/// The schedule as the list of crawls shows it, once this holds of it.
async fn until(ada: &Customer, site: &Value, holds: impl Fn(&Value) -> bool) -> Value {
    for _ in tries(480) {
        let listed = ada.read("crawl.run.list", json!({ "site_id": site })).await.data();
        if holds(&listed["schedule"]) {
            return listed;
        }
        tokio::time::sleep(Duration::from_millis(250)).await;
    }
    panic!("the schedule did not come to that")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_round_crawls_and_audits_once_and_the_next_is_a_day_later() {
    let (host, ada, site) = scheduled().await;
    host.clock.advance(DAY);
    let listed = until(&ada, &site, |it| it["schedule"]["last_outcome"].is_string()).await;
    assert_eq!(listed["schedule"]["schedule"]["last_outcome"], "ok", "{listed}");
    assert_eq!(listed["runs"].as_array().map(Vec::len), Some(1), "{listed}");
    let audits = ada.read("audit.run.list", json!({ "site_id": site })).await.data();
    assert_eq!(audits["audits"].as_array().map(Vec::len), Some(1), "{audits}");
    // Three days that nobody was there for are not made up for.
    host.clock.advance(3 * DAY);
    let listed = until(&ada, &site, |_| true).await;
    let first = listed["schedule"]["schedule"]["last_run"].clone();
    let listed =
        until(&ada, &site, |it| it["schedule"]["last_run"] != first && it["schedule"]["last_outcome"].is_string());
    let listed = listed.await;
    assert_eq!(listed["runs"].as_array().map(Vec::len), Some(2), "{listed}");
    host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_schedule_ends_with_its_grant_or_its_website_and_foreign_ones_are_not_found() {
    let (host, ada, site) = scheduled().await;
    let eve = host.customer(SCOPES).await;
    let foreign = json!({ "site_id": site, "every": "off" });
    assert_eq!(eve.not_found("crawl.schedule.set", foreign).await, "website_not_found");
    let other = ada.with_token(&host.token_for(&ada, SCOPES, 80 * DAY).await);
    let mine = ada.read("account.grant.list", json!({})).await.data();
    // The newest first: the other token, then the one that has set the schedule.
    let setter = mine["grants"][1]["grant_ref"].clone();
    other.change("account.grant.revoke", json!({ "grant_ref": setter })).await;
    host.clock.advance(DAY);
    let listed = until(&other, &site, |it| it["schedule"]["stopped"].is_string()).await;
    assert_eq!(listed["schedule"]["schedule"]["stopped"], "grant_ended", "{listed}");
    assert_eq!((&listed["schedule"]["next_run"], &listed["runs"]), (&Value::Null, &json!([])), "{listed}");
    let again = json!({ "site_id": site, "every": "daily" });
    let again = other.change("crawl.schedule.set", again).await;
    assert!(again["next_run"].is_string(), "{again}");
    let off = other.change("crawl.schedule.set", json!({ "site_id": site, "every": "off" })).await;
    assert_eq!(off, json!({ "schedule": null, "next_run": null }));
}
