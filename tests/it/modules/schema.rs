//! The schema module in its real sandbox: a crawl of the demo shop, a WordPress of one's own, every operation over both doors.

use serde_json::{Value, json};
use simulators::{Seed, World};
use tests::customer::Customer;
use tests::host::Host;
use tests::patience::tries;
use tests::site::serve_folder;

const SCOPES: &str = "account:read websites:read assets:read assets:write seo:analyze seo:audit seo:execute connections:manage destructive:execute";
const PAGE: &str = "http://shop.example/products/lamp-1";
/// Where the customer's WordPress is.
const BLOG: &str = "lamps.example";

/// A customer with a crawl of a part of the demo shop, and a folder of feeds.
struct Shop {
    host: Host,
    ada: Customer,
    site: Value,
    run: Value,
    template: Value,
    _feeds: tempfile::TempDir,
}

impl Shop {
    async fn open() -> Self {
        let address = demo::serve("127.0.0.1:0".parse().expect("an address")).await.expect("the demo shop");
        let feeds = tempfile::tempdir().expect("a folder");
        let feed = "id,title,link,price,availability,gtin\n\
                    lamp-1,Something else entirely,http://shop.example/products/lamp-1,1.00 EUR,out of stock,4006381333932\n\
                    other,Other,http://else.example/x,1.00 EUR,in stock,\n";
        std::fs::write(feeds.path().join("feed.html"), feed).expect("a feed");
        let folder = serve_folder(feeds.path().to_path_buf()).await;
        let host = Host::start_with(|options| {
            options.map("shop.example", address);
            options.map("feeds.example", folder.address);
        })
        .await;
        let ada = host.customer(SCOPES).await;
        host.buy_points(&ada, 20).await;
        let site = ada.run("websites.create", json!({ "domain": "shop.example" })).await.data()["site_id"].clone();
        let crawl = json!({ "site_id": site, "max_pages": 30, "rate_rps": 10, "check_external": false });
        let run = ada.run("crawl.run.start", crawl).await.data()["run_ref"].clone();
        let crawled = ada.wait_for("crawl.run.get", json!({ "run_ref": run }), 180).await;
        assert_eq!(crawled["state"], "succeeded", "{crawled}");
        let rules = json!([{ "match": "glob", "value": "/products/*" }]);
        let segment =
            ada.change("websites.segment.set", json!({ "site_id": site, "name": "Lamps", "rules": rules })).await;
        let mapping = json!({ "name": { "selector": "h1", "required": true }, "image": { "selector": "img", "attribute": "src", "filters": ["absolute"] } });
        let template = json!({ "site_id": site, "name": "Lamps", "segment_ref": segment["segment_ref"], "type": "Product", "mapping": mapping });
        let rest = ada.run("schema.template.save", template.clone()).await.data();
        let mcp = ada.change("schema.template.save", template).await;
        assert_eq!((&rest["template_ref"], &mcp["replaced"]), (&mcp["template_ref"], &json!(true)));
        Self { host, ada, site, run, template: rest["template_ref"].clone(), _feeds: feeds }
    }

    /// The reads of the module, and a member of each result that holds something.
    fn reads(&self) -> Vec<(&'static str, Value, &'static str)> {
        let (site, run, template) = (&self.site, &self.run, &self.template);
        let draft = r#"{"@context":"https://schema.org","@type":"Product","name":"Lamp"}"#;
        vec![
            ("schema.page.extract", json!({ "url": PAGE }), "nodes"),
            ("schema.page.validate", json!({ "url": PAGE }), "items"),
            ("schema.markup.validate", json!({ "jsonld": draft }), "errors"),
            ("schema.eligibility.check", json!({ "url": PAGE }), "eligible"),
            ("schema.site.report", json!({ "run_ref": run }), "templates"),
            ("schema.type.get", json!({ "type": "Product" }), "properties"),
            ("schema.type.suggest", json!({ "url": PAGE }), "suggestions"),
            ("schema.markup.generate", json!({ "url": PAGE, "type": "Product", "site_id": site }), "jsonld"),
            ("schema.organization.generate", json!({ "site_id": site }), "jsonld"),
            ("schema.template.preview", json!({ "template_ref": template, "urls": [PAGE] }), "results"),
            ("schema.deployment.list", json!({ "site_id": site }), ""),
            ("schema.sameas.verify", json!({ "site_id": site }), "names"),
        ]
    }

    /// Starts a job over REST and asks for it over MCP until it has ended.
    async fn ended(&self, operation: &str, question: Value) -> Value {
        let started = self.ada.run(operation, question.clone()).await.data();
        assert_eq!(started["state"], "queued", "{operation}: {started}");
        for _ in tries(240) {
            let now = self.ada.change(operation, question.clone()).await;
            if !matches!(now["state"].as_str(), Some("queued" | "running")) {
                assert_eq!((&now["state"], &now["job_ref"]), (&json!("succeeded"), &started["job_ref"]), "{now}");
                return now;
            }
            tokio::time::sleep(std::time::Duration::from_millis(250)).await;
        }
        panic!("{operation} did not end");
    }
}

fn holds(value: &Value) -> bool {
    match value {
        Value::Array(items) => !items.is_empty(),
        Value::Object(members) => !members.is_empty(),
        Value::Null => false,
        _ => true,
    }
}

/// Every action anywhere in a result.
fn actions(value: &Value, out: &mut Vec<(String, Value)>) {
    match value {
        Value::Object(members) => {
            if let (Some(Value::String(id)), Some(arguments)) = (members.get("operation_id"), members.get("arguments"))
            {
                out.push((id.clone(), arguments.clone()));
            }
            members.values().for_each(|it| actions(it, out));
        }
        Value::Array(items) => items.iter().for_each(|it| actions(it, out)),
        _ => {}
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_read_answers_over_both_doors_both_jobs_end_and_every_action_that_they_name_is_taken() {
    let shop = Shop::open().await;
    let mut named = Vec::new();
    for (operation, arguments, member) in shop.reads() {
        let answer = shop.ada.read(operation, arguments.clone()).await;
        assert_eq!(answer.status, 200, "{operation}: {}", answer.json());
        let rest = answer.data();
        let call = json!({ "operation_id": operation, "arguments": arguments });
        let mcp = shop.ada.tool("service_action_execute", call).await.data();
        for result in [&rest, &mcp] {
            assert!(member.is_empty() || holds(&result[member]), "{operation}: {result}");
        }
        actions(&rest, &mut named);
    }
    let built = shop.ended("schema.entity_graph.build", json!({ "run_ref": shop.run })).await;
    assert!(built["entities"].as_u64() > Some(5), "{built}");
    let feed = json!({ "feed_url": "http://feeds.example/feed.html", "site_id": shop.site });
    let checked = shop.ended("schema.product_feed.check", feed).await;
    let fields = checked["mismatches"].to_string();
    for field in ["\"price\"", "\"availability\"", "\"gtin\"", "\"title\""] {
        assert!(fields.contains(field), "{field}: {checked}");
    }
    for result in [&built, &checked] {
        actions(result, &mut named);
    }
    named.sort_by_key(|it| format!("{} {}", it.0, it.1));
    named.dedup();
    let mut taken = 0;
    for (operation, arguments) in named {
        let contract = shop.ada.get(&format!("/capabilities/{operation}")).await;
        assert_eq!(contract.status, 200, "{operation}");
        let schema = contract.data()["arguments"].clone();
        let validator = jsonschema::draft202012::new(&schema).expect("a schema");
        assert!(validator.is_valid(&arguments), "{operation} does not take {arguments}");
        taken += 1;
    }
    assert!(taken >= 8, "{taken}");
    shop.host.verify_ledger().await;
}

/// A customer whose website is a WordPress that is connected.
async fn blog() -> (Host, Customer, World, Value) {
    let world = simulators::start(Seed(1)).await.expect("providers");
    let address = world.wordpress.address();
    let host = Host::start_with(|options| options.map(BLOG, address)).await;
    let ada = host.customer(SCOPES).await;
    host.buy_points(&ada, 20).await;
    let site = ada.run("websites.create", json!({ "domain": BLOG })).await.data()["site_id"].clone();
    let arguments = json!({ "kind": "wordpress", "name": "blog", "endpoint": format!("http://{BLOG}"),
        "credentials": world.wordpress.credentials(), "test": false });
    let added = ada.run("connections.add", arguments).await;
    assert_eq!(added.status, 200, "{}", added.json());
    (host, ada, world, site)
}

/// The raw content of an item, as its editors see it.
async fn raw(world: &World, slug: &str) -> (u64, String) {
    let credentials = world.wordpress.credentials();
    let text = |name: &str| credentials[name].as_str().unwrap_or_default().to_owned();
    let client = reqwest::Client::new();
    for kind in ["posts", "pages"] {
        let url = format!("{}/wp-json/wp/v2/{kind}?slug={slug}&context=edit", world.wordpress.url());
        let answer = client.get(url).basic_auth(text("username"), Some(text("application_password"))).send().await;
        let items: Value = answer.expect("an answer").json().await.expect("JSON");
        if let Some(item) = items.get(0) {
            let content = item["content"]["raw"].as_str().expect("raw content").to_owned();
            return (item["id"].as_u64().expect("a number"), content);
        }
    }
    panic!("there is no item {slug}");
}

async fn result(ada: &Customer, job: &Value) -> Value {
    let ended = ada.wait_for("account.job.get", json!({ "job_ref": job }), 60).await;
    assert_eq!(ended["state"], "succeeded", "{ended}");
    ended["result"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn markup_is_put_on_a_page_of_a_wordpress_seen_there_and_taken_back_byte_for_byte() {
    let (host, ada, world, site) = blog().await;
    let (_, before) = raw(&world, "reading").await;
    let url = format!("http://{BLOG}/reading/");
    let markup =
        |name: &str| json!({ "@context": "https://schema.org", "@type": "Organization", "name": name }).to_string();
    let items = |name: &str| json!([{ "url": url, "jsonld": markup(name) }, { "url": format!("http://{BLOG}/nothing-here/"), "jsonld": markup(name) }]);
    let dry =
        ada.run("schema.deploy", json!({ "site_id": site, "items": items("Lamps"), "dry_run": true })).await.data();
    let dry = result(&ada, &dry["job_ref"]).await;
    assert_eq!((&dry["deployed"], &dry["failed"][0]["code"]), (&json!(1), &json!("item_not_found")), "{dry}");
    assert_eq!((raw(&world, "reading").await.1, world.wordpress.effects().len()), (before.clone(), 0));
    for name in ["Lamps", "Lamps </script> & more"] {
        let started = ada.change("schema.deploy", json!({ "site_id": site, "items": items(name) })).await;
        let done = result(&ada, &started["job_ref"]).await;
        assert_eq!((&done["deployed"], &done["verified"]), (&json!(1), &json!(1)), "{done}");
    }
    let (_, content) = raw(&world, "reading").await;
    assert_eq!((content.matches("espalier:schema dep_").count(), content.starts_with(&before)), (1, true), "{content}");
    let listed = ada.both("schema.deployment.list", json!({ "site_id": site, "state": "live" })).await;
    let deployment = listed["deployments"][0]["deployment_ref"].clone();
    assert_eq!(listed["deployments"][0]["url"], url);
    let live = ada.read("schema.page.extract", json!({ "url": url })).await.data();
    assert_eq!(live["nodes"][0]["properties"]["name"], "Lamps </script> & more");
    let back = ada.change("schema.deployment.rollback", json!({ "deployment_ref": deployment })).await;
    assert_eq!((&back["restored"], &back["conflict"]), (&json!(true), &json!(false)), "{back}");
    assert_eq!(raw(&world, "reading").await.1, before);
    let gone = ada.read("schema.page.extract", json!({ "url": url })).await.data();
    assert_eq!(gone["nodes"], json!([]));
    host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_editor_wrote_since_is_never_written_over() {
    let (_host, ada, world, site) = blog().await;
    let url = format!("http://{BLOG}/reading/");
    let markup = json!({ "@context": "https://schema.org", "@type": "Organization", "name": "Lamps" }).to_string();
    let started =
        ada.run("schema.deploy", json!({ "site_id": site, "items": [{ "url": url, "jsonld": markup }] })).await.data();
    result(&ada, &started["job_ref"]).await;
    let (id, content) = raw(&world, "reading").await;
    let credentials = world.wordpress.credentials();
    let edited = format!("<p>new</p>{content}");
    for kind in ["posts", "pages"] {
        let request = reqwest::Client::new().post(format!("{}/wp-json/wp/v2/{kind}/{id}", world.wordpress.url()));
        let request = request.basic_auth(
            credentials["username"].as_str().unwrap_or_default(),
            credentials["application_password"].as_str(),
        );
        request.json(&json!({ "content": edited })).send().await.expect("an answer");
    }
    let listed = ada.read("schema.deployment.list", json!({ "site_id": site })).await.data();
    let which = json!({ "deployment_ref": listed["deployments"][0]["deployment_ref"] });
    let refused = ada.run("schema.deployment.rollback", which.clone()).await;
    assert_eq!(refused.refusal(), (409, "edited_since".to_owned()));
    assert_eq!(raw(&world, "reading").await.1, edited);
    let forced = json!({ "deployment_ref": which["deployment_ref"], "force": true });
    let back = ada.run("schema.deployment.rollback", forced).await.data();
    assert_eq!((&back["restored"], &back["conflict"]), (&json!(false), &json!(true)));
    let (_, left) = raw(&world, "reading").await;
    assert!(left.starts_with("<p>new</p>") && !left.contains("espalier:schema"), "{left}");
    let eve = _host.customer(SCOPES).await;
    eve.not_found("schema.deployment.rollback", which).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_belongs_to_somebody_else_does_not_exist() {
    let shop = Shop::open().await;
    let eve = shop.host.customer(SCOPES).await;
    shop.host.buy_points(&eve, 20).await;
    let (site, run, template) = (&shop.site, &shop.run, &shop.template);
    let markup = json!({ "@context": "https://schema.org", "@type": "Organization", "name": "Lamps" }).to_string();
    for (operation, arguments) in [
        ("schema.site.report", json!({ "run_ref": run })),
        ("schema.entity_graph.build", json!({ "run_ref": run })),
        ("schema.markup.generate", json!({ "url": PAGE, "type": "Product", "site_id": site })),
        ("schema.organization.generate", json!({ "site_id": site })),
        (
            "schema.template.save",
            json!({ "site_id": site, "name": "x", "segment_ref": "seg_1", "type": "Product", "mapping": { "name": { "selector": "h1" } } }),
        ),
        ("schema.template.preview", json!({ "template_ref": template, "urls": [PAGE] })),
        ("schema.deploy", json!({ "site_id": site, "items": [{ "url": PAGE, "jsonld": markup }] })),
        ("schema.deployment.list", json!({ "site_id": site })),
        ("schema.deployment.rollback", json!({ "deployment_ref": "dep_0a1b2c3d4e5f" })),
        ("schema.product_feed.check", json!({ "feed_url": "http://feeds.example/feed.html", "site_id": site })),
        ("schema.sameas.verify", json!({ "site_id": site })),
    ] {
        let code = eve.not_found(operation, arguments).await;
        assert!(code.ends_with("_not_found"), "{operation}: {code}");
    }
    let unconnected = json!({ "site_id": site, "items": [{ "url": PAGE, "jsonld": markup }] });
    let refused = shop.ada.run("schema.deploy", unconnected).await;
    assert_eq!(refused.refusal(), (422, "connection_required".to_owned()));
}

#[test]
fn both_revisions_list_every_operation_of_the_module() {
    let table = include_str!("../../../catalog/operations.tsv");
    let wanted: Vec<&str> =
        table.lines().filter_map(|line| line.split('\t').next()).filter(|it| it.starts_with("schema.")).collect();
    assert_eq!(wanted.len(), 17);
    for lock in [
        include_str!("../../../catalog/2026-08-15/schema.toml"),
        include_str!("../../../catalog/2026-09-28/schema.toml"),
    ] {
        for id in &wanted {
            assert!(lock.contains(&format!("[operations.\"{id}\"]")), "{id}");
        }
    }
}
