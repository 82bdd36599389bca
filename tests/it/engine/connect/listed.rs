//! Business profiles through a consent at Google: read, changed, posted to, answered for and compared, over both doors.

use super::*;
use model::clock::Clock as _;
use tests::patience::tries;

const SCOPES: &str = "account:read websites:read assets:read assets:write seo:analyze seo:execute destructive:execute connections:manage";
const DAY: std::time::Duration = std::time::Duration::from_secs(86_400);

/// A customer with the shop's three profiles, and a directory that shows one of them wrongly.
struct Shops {
    scene: Scene,
    lampton: Value,
    bristol: Value,
    site: Value,
    _folder: tempfile::TempDir,
}

const PAGE: &str = r#"<html lang=en><head><title>Lamp shop Lampton</title></head><body><h1>Lamp shop Lampton</h1>
    <address>1 Lamp Lane, Lampton TW3 4EW</address><p><a href="tel:+441174960999">0117 496 0999</a></p></body></html>"#;

/// A photo of 400 by 300 pixels, with a comment that makes it heavy enough.
fn photo() -> Vec<u8> {
    let pictures: &[u8] = include_bytes!("../../../../modules/listings/src/media/picture/tests/pictures.bin");
    let first = include_str!("../../../../modules/listings/src/media/picture/tests/reference.tsv").lines().next();
    let size: usize = first.and_then(|it| it.rsplit('\t').next()).and_then(|it| it.parse().ok()).expect("a size");
    let mut all = pictures[..2].to_vec();
    all.extend([0xff, 0xfe, 0x3f, 0xff]);
    all.extend(std::iter::repeat_n(b' ', 0x3ffd));
    all.extend(&pictures[2..size]);
    all
}

async fn shops() -> Shops {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("lamp.html"), PAGE).expect("a file");
    std::fs::write(folder.path().join("front.jpg"), photo()).expect("a file");
    let served = tests::site::serve_folder(folder.path().to_path_buf()).await;
    let world = simulators::start(Seed(1)).await.expect("providers");
    let shop = demo::serve("127.0.0.1:0".parse().expect("an address")).await.expect("the demo shop");
    let host = Host::start_with(|options| {
        clients(options, &world);
        options.map("shop.example", shop);
        options.map("directory.example", served.address);
    })
    .await;
    let added = host.add_customer("ada@example.com", PASSWORD, 300).await;
    let token = host.token_for(&added, SCOPES, 60 * DAY).await;
    let ada = added.with_token(&token);
    host.buy_points(&ada, 100).await;
    let site = ada.run("websites.create", json!({ "domain": "shop.example" })).await.data()["site_id"].clone();
    let scene = Scene { host, world, ada };
    let refused = scene.ada.read("listings.location.list", json!({})).await.refusal();
    assert_eq!(refused, (422, "connection_required".to_owned()));
    scene.connect(json!({ "kind": "google_business_profile" })).await;
    let listed = scene.ada.both("listings.location.list", json!({})).await;
    assert_eq!(listed["total"], 3, "{listed}");
    let location = |city: &str| {
        let all = listed["locations"].as_array().expect("locations");
        all.iter().find(|it| it["address"]["city"] == city).unwrap_or_else(|| panic!("{listed}"))["location_ref"]
            .clone()
    };
    Shops { lampton: location("Lampton"), bristol: location("Bristol"), scene, site, _folder: folder }
}

impl Shops {
    async fn run(&self, operation: &str, arguments: Value) -> Value {
        self.scene.ada.run(operation, arguments).await.data()
    }

    async fn ended(&self, started: &Value) -> Value {
        let job = self.scene.ada.wait_for("account.job.get", json!({ "job_ref": started["job_ref"] }), 240).await;
        assert_eq!(job["state"], "succeeded", "{job}");
        job["result"].clone()
    }

    fn effects(&self, name: &str) -> usize {
        self.scene.world.google.effects().iter().filter(|it| it.name == name).count()
    }

    async fn record(&self) -> Value {
        let arguments = json!({
            "location_ref": self.lampton, "name": "Lamp shop Lampton", "phone": "020 7946 0101",
            "website": "http://shop.example/locations/lampton",
            "address": { "lines": ["1 Lamp Lane"], "city": "Lampton", "postcode": "TW3 4EW", "country": "GB" },
        });
        self.run("listings.nap.set", arguments).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_profile_is_audited_and_changed_once_and_what_google_changed_is_answered() {
    let shops = shops().await;
    let ada = &shops.scene.ada;
    let record = shops.record().await;
    assert_eq!(
        (&record["nap"]["phone"], &record["differs_from_profile"]),
        (&json!("+442079460101"), &json!([])),
        "{record}"
    );
    let audit = ada.read("listings.location.audit", json!({ "location_ref": shops.lampton })).await.data();
    let failed: Vec<&str> = audit["checks"]
        .as_array()
        .expect("checks")
        .iter()
        .filter(|it| it["pass"] == false)
        .filter_map(|it| it["id"].as_str())
        .collect();
    assert!(
        failed.contains(&"description") && failed.contains(&"services") && !failed.contains(&"phone_equals_record"),
        "{audit}"
    );
    let shown = ada.both("listings.location.get", json!({ "location_ref": shops.lampton })).await;
    let change = json!({ "location_ref": shops.lampton, "edit_hash": shown["edit_hash"], "changes": { "description": "Lamps made to be mended, since 1987." } });
    let made = shops.run("listings.location.update", change.clone()).await;
    assert!(made["change_ref"].is_string(), "{made}");
    assert_eq!(shops.effects("location.updated"), 1);
    assert_eq!(ada.run("listings.location.update", change).await.refusal(), (409, "edit_conflict".to_owned()));
    let special = json!({ "location_ref": shops.lampton, "special": [{ "date": "2099-12-25", "closed": true }] });
    assert_eq!(shops.run("listings.hours.update", special).await["hours"]["special"][0]["closed"], true);
    // Somebody told Google another number for Bristol.
    let edited = ada.both("listings.location.get", json!({ "location_ref": shops.bristol })).await;
    assert_eq!(edited["google_edits"][0]["field"], "phoneNumbers", "{edited}");
    let call = &edited["next"][0];
    let resolved = shops.run(call["operation_id"].as_str().expect("a call"), call["arguments"].clone()).await;
    assert_eq!(resolved["resolved"][0]["became"], "written");
    let after = ada.both("listings.location.get", json!({ "location_ref": shops.bristol })).await;
    assert_eq!(after["google_edits"], json!([]));
    let unknown = ada.read("listings.location.get", json!({ "location_ref": "1.2.con_9" })).await.refusal();
    assert_eq!(unknown, (404, "location_not_found".to_owned()));
    for (operation, arguments) in [
        ("listings.performance.report", json!({ "location_ref": shops.lampton })),
        ("listings.search_term.report", json!({ "location_ref": shops.lampton, "months": 2 })),
        ("listings.category.suggest", json!({ "location_ref": shops.lampton })),
        ("listings.post.list", json!({ "location_ref": shops.lampton })),
        ("listings.landing_page.check", json!({ "location_ref": shops.lampton })),
    ] {
        ada.read(operation, arguments).await.data();
    }
    let category = json!({ "location_ref": shops.lampton, "primary": "gcid:electrician" });
    assert_eq!(shops.run("listings.category.update", category).await["categories"][0]["name"], "Electrician");
    let services = json!({ "location_ref": shops.lampton, "services": [{ "name": "Lamp repair" }], "attributes": { "has_in_store_pickup": true } });
    assert_eq!(shops.run("listings.service.update", services).await["attributes"]["has_in_store_pickup"], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_post_is_made_at_its_moment_by_the_host_and_photos_are_uploaded_once() {
    let shops = shops().await;
    let ada = &shops.scene.ada;
    let at = shops.scene.host.clock.now().plus(std::time::Duration::from_secs(7_200)).rfc3339();
    let post = json!({ "location_refs": [shops.lampton], "text": "Bring a lamp that went dark: we mend it on Saturdays.", "publish_at": at });
    let planned = shops.run("listings.post.publish", post).await;
    assert_eq!((&planned["scheduled"], shops.effects("post.created")), (&json!(true), 0), "{planned}");
    let listed = ada.read("listings.post.list", json!({ "location_ref": shops.lampton })).await.data();
    assert_eq!(
        (&listed["posts"][0]["state"], &listed["posts"][0]["post_ref"]),
        (&json!("scheduled"), &planned["post_refs"][0])
    );
    let other = json!({ "location_refs": [shops.lampton], "text": "This one is cancelled.", "publish_at": at });
    let cancelled = shops.run("listings.post.publish", other).await["post_refs"][0].clone();
    shops.run("listings.post.delete", json!({ "post_ref": cancelled })).await;
    shops.scene.host.clock.advance(std::time::Duration::from_secs(7_260));
    for _ in tries(120) {
        if shops.effects("post.created") > 0 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    }
    let listed = ada.read("listings.post.list", json!({ "location_ref": shops.lampton })).await.data();
    let row = listed["posts"].as_array().expect("posts").iter().find(|it| it["post_ref"] == planned["post_refs"][0]);
    assert_eq!(row.map(|it| &it["state"]), Some(&json!("live")), "{listed}");
    assert_eq!(shops.effects("post.created"), 1, "the cancelled one was not made");
    let deleted = shops.run("listings.post.delete", json!({ "post_ref": planned["post_refs"][0] })).await;
    assert_eq!((&deleted["deleted"], shops.effects("post.deleted")), (&json!(true), 1));
    let photo = json!({ "location_ref": shops.lampton, "source_url": "http://directory.example/front.jpg", "category": "exterior" });
    let done = shops.run("listings.media.upload", photo.clone()).await;
    assert!(done["media_ref"].is_string(), "{done}");
    let again = shops.run("listings.media.upload", photo).await;
    assert_eq!((&again["media_ref"], shops.effects("media.created")), (&Value::Null, 1), "{again}");
    let draft =
        json!({ "location_ref": shops.lampton, "source_url": "http://shop.example/guides/mending", "count": 1 });
    let drafted = ada.read("listings.post.draft", draft).await.data();
    assert_eq!(drafted["drafts"].as_array().map(Vec::len), Some(1), "{drafted}");
}

#[tokio::test(flavor = "multi_thread")]
async fn reviews_are_synced_answered_and_asked_for_without_a_filter() {
    let shops = shops().await;
    let ada = &shops.scene.ada;
    let started = shops.run("listings.review.sync", json!({ "location_refs": [shops.lampton, shops.bristol] })).await;
    let done = shops.ended(&started).await;
    assert_eq!((&done["new"], &done["removed"]), (&json!(128), &json!(0)), "{done}");
    let listed =
        ada.both("listings.review.list", json!({ "location_ref": shops.lampton, "replied": false, "limit": 5 })).await;
    assert!(!listed.to_string().contains("Visitor"), "who wrote a review is not kept: {listed}");
    ada.both("listings.review.report", json!({ "location_ref": shops.lampton, "to": "2026-11-30" })).await;
    let review = listed["reviews"][0]["review_ref"].clone();
    let drafts = ada.both("listings.review.reply.draft", json!({ "review_refs": [review] })).await;
    let call = &drafts["next"][0];
    let published = shops.run("listings.review.reply.publish", call["arguments"].clone()).await;
    assert_eq!((&published["published"], shops.effects("reply.created")), (&json!(true), 1), "{published}");
    let refused = json!({ "review_ref": review, "text": "Change your review and we will refund you." });
    assert_eq!(ada.run("listings.review.reply.publish", refused).await.refusal(), (422, "reply_refused".to_owned()));
    let invited =
        shops.run("listings.review.invite.create", json!({ "location_ref": shops.lampton, "language": "en" })).await;
    assert!(
        invited["qr_svg_ref"].is_string() && invited["link"].as_str().is_some_and(|it| it.contains("writereview")),
        "{invited}"
    );
    // The same reviews again are nothing new.
    let started = shops.run("listings.review.sync", json!({ "location_refs": [shops.lampton] })).await;
    let again = shops.ended(&started).await;
    assert_eq!((&again["new"], &again["edited"]), (&json!(0), &json!(0)), "{again}");
}

#[tokio::test(flavor = "multi_thread")]
async fn citations_are_compared_with_the_record_and_prepared_as_tasks() {
    let shops = shops().await;
    let ada = &shops.scene.ada;
    shops.record().await;
    let scan =
        json!({ "location_ref": shops.lampton, "urls": ["http://directory.example/lamp.html"], "use_serp": false });
    let started = shops.run("listings.citation.scan", scan).await;
    let done = shops.ended(&started).await;
    assert_eq!((&done["found"], &done["conflicting"]), (&json!(1), &json!(1)), "{done}");
    let listed = ada.both("listings.citation.list", json!({ "location_ref": shops.lampton, "problem": "phone" })).await;
    assert_eq!(listed["citations"][0]["grades"]["address"], "exact", "{listed}");
    let report = ada.both("listings.citation.report", json!({ "location_ref": shops.lampton })).await;
    assert_eq!(report["corrections"][0]["fields"], json!(["phone"]), "{report}");
    let call = &report["next"][0];
    let pack = shops.run(call["operation_id"].as_str().expect("a call"), call["arguments"].clone()).await;
    assert_eq!(
        (&pack["tasks"][0]["work"], &pack["tasks"][0]["fields"]["phone"]),
        (&json!("correct"), &json!("020 7946 0101")),
        "{pack}"
    );
    // What the module stores of a location is what the scans of local_grid begin with.
    let business = json!({ "site_id": shops.site, "location_ref": shops.lampton });
    let added = shops.run("local_grid.business.add", business).await;
    assert!(added["business_ref"].is_string(), "{added}");
}
