//! Links that are looked at, watched, scored and fetched: on pages of known truth and a provider of known links.

use serde_json::{Value, json};
use simulators::Seed;
use tests::customer::Customer;
use tests::host::Host;

use super::{outcome, shop_with};
use crate::modules::advice::Named;

const TEXT: &str = "A long test of lamps for desks, with the light of each measured at the table and in the room, and told here at length. ";

/// Pages of other websites, by their files.
fn pages() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let page = |name: &str, main: &str| {
        let html = format!(
            "<!doctype html><html lang=en><title>Desk lamps</title><body><main><p>{}</p>{main}</main><footer><a href=/contact>Contact</a></footer></body></html>",
            TEXT.repeat(4)
        );
        std::fs::write(folder.path().join(name), html).expect("a file");
    };
    page("live.html", "<p><a href='http://shop.example/shop'>desk lamps</a></p>");
    page("nofollow.html", "<p><a rel='nofollow' href='http://shop.example/shop'>desk lamps</a></p>");
    page("removed.html", "<p>Nothing of it is left.</p>");
    page("named.html", "<p>We were at the Lamp Shop last week, and liked it.</p>");
    let feed = "<rss version='2.0'><channel><title>News</title><item><title>A visit</title><link>http://press.example/named.html</link></item></channel></rss>";
    std::fs::write(folder.path().join("feed.xml"), feed).expect("a file");
    folder
}

#[tokio::test(flavor = "multi_thread")]
async fn links_are_looked_at_watched_scored_and_fetched() {
    let folder = pages();
    let served = tests::site::serve_folder(folder.path().to_path_buf()).await;
    let world = simulators::start(Seed(5)).await.expect("providers");
    let (host, ada, site) = shop_with(|options| {
        for name in ["live.example", "removed.example", "nofollow.example", "gone.example", "press.example"] {
            options.map(name, served.address);
        }
    })
    .await;
    let csv = "Source url,Target url,Anchor,Nofollow,First seen,Last seen\n\
        http://live.example/live.html,http://shop.example/shop,desk lamps,false,2026-01-03,2026-09-01\n\
        http://removed.example/removed.html,http://shop.example/shop,desk lamps,false,2026-01-03,2026-09-01\n\
        http://nofollow.example/nofollow.html,http://shop.example/shop,desk lamps,false,2026-01-03,2026-09-01\n\
        http://gone.example/no-such-page.html,http://shop.example/shop,desk lamps,false,2026-01-03,2026-09-01\n";
    let started = ada.run("backlinks.import.run", json!({ "site_id": site, "csv": csv })).await.data();
    outcome(&ada, &started).await;
    let started = ada.run("backlinks.verify.run", json!({ "site_id": site, "only": "all" })).await.data();
    let mut named = Named::default();
    let seen = outcome(&ada, &started).await;
    named.collect(&seen);
    assert_eq!(
        (&seen["live"], &seen["missing"], &seen["changed"][0]["change"]),
        (&json!(2), &json!(2), &json!("rel")),
        "{seen}"
    );
    let of = json!({ "field": "live", "op": "eq", "value": true });
    let live = ada.both("backlinks.link.list", json!({ "site_id": site, "filter": [of] })).await;
    assert_eq!((&live["total"], &live["links"][0]["verified"]["placement"]), (&json!(2), &json!("main")), "{live}");
    let again = json!({ "site_id": site, "link_refs": [live["links"][0]["link_ref"]] });
    let started = ada.run("backlinks.verify.run", again).await.data();
    assert_eq!(outcome(&ada, &started).await["links"], 1);

    let add = json!([{ "source": "http://nofollow.example/nofollow.html", "target": "http://shop.example/shop", "rel": ["follow"] }]);
    let set = ada.run("backlinks.watch.set", json!({ "site_id": site, "add": add })).await.data();
    assert!(set["next_check_at"].is_string(), "{set}");
    let watched = ada.both("backlinks.watch.list", json!({ "site_id": site })).await;
    assert_eq!((&watched["links"][0]["state"], &watched["standing"]), (&json!("changed"), &json!(0)), "{watched}");
    named.collect(&watched);

    let started = ada.run("backlinks.network.detect", json!({ "site_id": site })).await.data();
    let networks = outcome(&ada, &started).await;
    assert_eq!((&networks["domains"], &networks["groups_total"]), (&json!(4), &json!(0)), "{networks}");
    let scored = ada.both("backlinks.quality.score", json!({ "site_id": site })).await;
    assert_eq!(scored["rows"][0]["factors"]["indexable"]["part"], 1.0, "{scored}");
    named.collect(&scored);

    let scan = json!({ "site_id": site, "aliases": ["Lamp Shop"], "sources": ["http://press.example/feed.xml"] });
    let started = ada.run("backlinks.mention.scan", scan).await.data();
    let mentions = outcome(&ada, &started).await;
    let first = &mentions["mentions"][0];
    assert_eq!(
        (&first["linked"], &first["contact_url"]),
        (&json!(false), &json!("http://press.example/contact")),
        "{mentions}"
    );
    named.collect(&mentions);
    provider(&ada, &site, &world, &mut named).await;
    let (calls, wrong) = named.wrong(&ada).await;
    assert!(calls > 3 && wrong.is_empty(), "{wrong:?}");
    host.verify_ledger().await;
}

/// What a provider's index brings, and what it costs.
async fn provider(ada: &Customer, site: &Value, world: &simulators::World, named: &mut Named) {
    let refused = ada.run("backlinks.refresh.run", json!({ "site_id": site })).await;
    assert_eq!(refused.refusal(), (422, "connection_required".to_owned()));
    let provider = &world.dataforseo;
    let connection = json!({ "kind": provider.name(), "name": "links", "endpoint": provider.url(), "credentials": provider.credentials() });
    ada.run("connections.add", connection).await.data();
    let started =
        ada.run("backlinks.refresh.run", json!({ "site_id": site, "max_links": 500, "cost_cap": 5 })).await.data();
    let refreshed = outcome(ada, &started).await;
    let (fetched, total) =
        (refreshed["fetched"].as_u64().unwrap_or(0), refreshed["provider_total"].as_u64().unwrap_or(1));
    assert!(fetched > 20 && fetched == total.min(500), "{refreshed}");
    assert_ne!(refreshed["provider_cost"]["amount"], "0.000000");
    named.collect(&refreshed);
    let gap = json!({ "site_id": site, "competitors": ["lights.example", "brightly.example"], "min_competitors": 1 });
    let started = ada.run("backlinks.gap.analyze", gap).await.data();
    let found = outcome(ada, &started).await;
    assert!(found["prospects"].as_array().is_some_and(|it| !it.is_empty()), "{found}");
    let linking = ada.read("backlinks.domain.list", json!({ "site_id": site, "limit": 100 })).await.data();
    let linking: Vec<&Value> = linking["domains"].as_array().expect("domains").iter().map(|it| &it["domain"]).collect();
    let already =
        found["prospects"].as_array().expect("prospects").iter().filter(|it| linking.contains(&&it["domain"]));
    assert_eq!(already.count(), 0, "domains that link are left out");
    let prospects =
        json!({ "site_id": site, "type": "guest", "topic": "desk lamps", "country": "GB", "max": 10, "cost_cap": 2 });
    let started = ada.run("backlinks.prospect.find", prospects).await.data();
    let told = outcome(ada, &started).await;
    assert!(told["prospects"].is_array() && told["unread_pages"].as_u64() > Some(0), "{told}");
    named.collect(&told);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_watched_and_found_by_somebody_else_does_not_exist() {
    let address = demo::serve("127.0.0.1:0".parse().expect("an address")).await.expect("the demo shop");
    let host = Host::start_with(|options| options.map("shop.example", address)).await;
    let (ada, eve) = (host.customer(super::SCOPES).await, host.customer(super::SCOPES).await);
    host.buy_points(&ada, 10).await;
    host.buy_points(&eve, 10).await;
    let site = ada.run("websites.create", json!({ "domain": "shop.example" })).await.data()["site_id"].clone();
    let own = ada
        .run(
            "backlinks.watch.set",
            json!({ "site_id": site, "add": [{ "source": "https://a.example/", "target": "https://shop.example/" }] }),
        )
        .await
        .data();
    assert_eq!(own["watched"], 1);
    for (operation, more) in [
        ("backlinks.verify.run", json!({})),
        ("backlinks.watch.set", json!({ "add": [] })),
        ("backlinks.watch.list", json!({})),
        ("backlinks.quality.score", json!({})),
        ("backlinks.network.detect", json!({})),
        ("backlinks.refresh.run", json!({})),
        ("backlinks.gap.analyze", json!({ "competitors": ["a.example"], "min_competitors": 1 })),
        ("backlinks.mention.scan", json!({ "aliases": ["Lamp"], "sources": ["https://a.example/"] })),
        ("backlinks.prospect.find", json!({ "type": "guest", "topic": "lamps", "country": "GB" })),
    ] {
        let mut arguments = json!({ "site_id": site });
        arguments.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
        assert_eq!(eve.not_found(operation, arguments).await, "website_not_found", "{operation}");
    }
    host.verify_ledger().await;
}
