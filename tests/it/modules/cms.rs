//! The cms module in its real sandbox, on the simulated WordPress: every operation over both doors, and every way back.

mod editing;
mod migration;

use serde_json::{Value, json};
use simulators::{Seed, World};
use tests::customer::Customer;
use tests::host::{Host, Options};

const SCOPES: &str = "account:read websites:read assets:read assets:write seo:analyze seo:audit seo:execute connections:manage destructive:execute";
/// Where the customer's WordPress is.
const BLOG: &str = "lamps.example";

/// A customer whose website is a WordPress that is connected.
struct Blog {
    host: Host,
    ada: Customer,
    world: World,
    site: Value,
}

impl Blog {
    async fn open() -> Self {
        Self::with(|_| ()).await
    }

    /// On a host that something else is told too.
    async fn with(more: impl FnOnce(&mut Options)) -> Self {
        let world = simulators::start(Seed(1)).await.expect("providers");
        let address = world.wordpress.address();
        let host = Host::start_with(|options| {
            options.map(BLOG, address);
            more(options);
        })
        .await;
        let ada = host.customer(SCOPES).await;
        host.buy_points(&ada, 50).await;
        let site = ada.run("websites.create", json!({ "domain": BLOG })).await.data()["site_id"].clone();
        let arguments = json!({ "kind": "wordpress", "name": "blog", "endpoint": format!("http://{BLOG}"),
            "credentials": world.wordpress.credentials(), "test": false });
        let added = ada.run("connections.add", arguments).await;
        assert_eq!(added.status, 200, "{}", added.json());
        Self { host, ada, world, site }
    }

    fn url(&self, path: &str) -> String {
        format!("http://{BLOG}{path}")
    }

    fn of_site(&self, more: &Value) -> Value {
        let mut all = more.clone();
        all["site_id"] = self.site.clone();
        all
    }

    async fn read(&self, operation: &str, arguments: &Value) -> Value {
        self.ada.both(operation, self.of_site(arguments)).await
    }

    async fn run(&self, operation: &str, arguments: &Value) -> Value {
        let answer = self.ada.run(operation, self.of_site(arguments)).await;
        assert_eq!(answer.status, 200, "{operation}: {}", answer.json());
        answer.data()
    }

    async fn change(&self, operation: &str, arguments: &Value) -> Value {
        self.ada.change(operation, self.of_site(arguments)).await
    }

    async fn job(&self, operation: &str, arguments: &Value) -> Value {
        let started = self.run(operation, arguments).await;
        let ended = self.ada.wait_for("account.job.get", json!({ "job_ref": started["job_ref"] }), 60).await;
        assert_eq!(ended["state"], "succeeded", "{operation}: {ended}");
        ended["result"].clone()
    }

    /// What somebody else asks of the blog.
    async fn own(&self, method: &str, path: &str, body: &Value) -> Value {
        let credentials = self.world.wordpress.credentials();
        let text = |name: &str| credentials[name].as_str().unwrap_or_default().to_owned();
        let method = method.parse().expect("a method");
        let request = reqwest::Client::new().request(method, format!("{}{path}", self.world.wordpress.url()));
        let request = request.header("host", BLOG).basic_auth(text("username"), Some(text("application_password")));
        let request = if body.is_null() { request } else { request.json(body) };
        request.send().await.expect("an answer").json().await.expect("JSON")
    }

    /// The page at a path as a visitor sees it.
    async fn page(&self, path: &str) -> (u16, String) {
        let answer = reqwest::Client::new()
            .get(format!("{}{path}", self.world.wordpress.url()))
            .header("host", BLOG)
            .send()
            .await
            .expect("an answer");
        (answer.status().as_u16(), answer.text().await.expect("text"))
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_post_is_written_published_changed_and_brought_back_over_both_doors() {
    let blog = Blog::open().await;
    let seen = blog.read("cms.site.inspect", &json!({})).await;
    assert_eq!((&seen["seo_plugin"], &seen["version"]), (&json!("yoast"), &json!("6.8.3")));
    let listed = blog.read("cms.content.list", &json!({ "status": "publish", "limit": 3 })).await;
    assert_eq!(listed["items"].as_array().map(Vec::len), Some(3));
    let body = "# Brass\n\nSalt & a *soft* cloth bring back the shine.\n\n- one\n- two";
    let made = blog
        .run("cms.content.create", &json!({ "title": "Clean brass", "body": body, "format": "markdown", "slug": "clean-brass",
            "terms": { "categories": ["Guides"], "tags": ["Polish"] }, "seo": { "description": "How brass shines again." } }))
        .await;
    let item = made["item_ref"].clone();
    assert_eq!(
        (&made["degraded"], &made["warnings"], &made["item"]["status"]),
        (&json!([]), &json!([]), &json!("draft"))
    );
    assert_eq!(blog.page("/clean-brass/").await.0, 404);
    let published = blog.change("cms.content.publish", &json!({ "item_ref": item, "checks": "block" })).await;
    assert_eq!((&published["status"], &published["verified"]), (&json!("publish"), &json!(true)), "{published}");
    let page = blog.page("/clean-brass/").await.1;
    assert!(page.contains("content=\"How brass shines again.\"") && page.contains("<em>soft</em>"), "{page}");
    let got = blog.read("cms.content.get", &json!({ "item_ref": blog.url("/clean-brass/") })).await;
    let changes = json!({ "title": "Clean brass & steel", "content": "<p>New.\r\n</p>", "seo": { "title": "Shine" } });
    let arguments = json!({ "item_ref": item, "edit_hash": got["edit_hash"], "changes": changes });
    let updated = blog.run("cms.content.update", &arguments).await;
    assert_eq!(updated["diff"].as_array().map(Vec::len), Some(3));
    let stale = blog
        .ada
        .run(
            "cms.content.update",
            blog.of_site(&json!({ "item_ref": item, "edit_hash": got["edit_hash"], "changes": { "title": "x" } })),
        )
        .await;
    assert_eq!(stale.refusal(), (409, "edit_conflict".to_owned()));
    let undone = blog.change("cms.change.rollback", &json!({ "change_ref": updated["change_ref"] })).await;
    assert_eq!((&undone["restored"], &undone["conflicts"]), (&json!(1), &json!([])));
    let listed = blog.read("cms.change.list", &json!({ "item_ref": item })).await;
    let operations: Vec<&str> =
        listed["changes"].as_array().expect("changes").iter().filter_map(|it| it["operation"].as_str()).collect();
    assert_eq!(operations.first(), Some(&"cms.change.rollback"));
    assert_eq!(operations.len(), 6, "{operations:?}");
    let refused = blog.ada.run("cms.content.trash", json!({ "site_id": blog.site, "item_ref": "con_1/posts/1" })).await;
    assert_eq!(refused.refusal(), (404, "item_not_found".to_owned()));
    let back =
        blog.run("cms.content.unpublish", &json!({ "item_ref": item, "redirect_to": blog.url("/lamp-1/") })).await;
    assert_eq!((&back["status"], back["redirect_ref"].is_string()), (&json!("draft"), true), "{back}");
    let trashed = blog.change("cms.content.trash", &json!({ "item_ref": item })).await;
    assert_eq!(trashed["trashed"], true);
    let restored = blog.run("cms.change.rollback", &json!({ "change_ref": trashed["change_ref"] })).await;
    assert_eq!(restored["restored"], 1);
    let again = blog.read("cms.content.get", &json!({ "item_ref": item, "raw": false })).await;
    assert_eq!((&again["item"]["status"], &again["item"]["slug"]), (&json!("draft"), &json!("clean-brass")));
    // Nobody else sees or changes any of it.
    let eve = blog.host.customer(SCOPES).await;
    for operation in ["cms.site.inspect", "cms.content.list", "cms.change.list"] {
        eve.not_found(operation, json!({ "site_id": blog.site })).await;
    }
    blog.host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_audit_misses_is_written_in_one_batch_and_taken_back_byte_for_byte() {
    let blog = Blog::open().await;
    let paths: Vec<String> = (1..=9).map(|it| format!("/lamp-{it}/")).collect();
    let mut before = Vec::new();
    for path in &paths {
        before.push(blog.page(path).await);
    }
    let changes: Vec<Value> = paths
        .iter()
        .map(|path| json!({ "item_ref": blog.url(path), "title": format!("Lamp at {path}"), "description": "A lamp that lasts." }))
        .collect();
    let dry = blog.job("cms.seo_meta.bulk_update", &json!({ "changes": changes, "dry_run": true })).await;
    assert_eq!((&dry["applied"], dry["diffs"].as_array().map(Vec::len)), (&json!(9), Some(9)), "{dry}");
    assert_eq!(blog.page("/lamp-1/").await, before[0], "a dry run changes nothing");
    let done = blog.job("cms.seo_meta.bulk_update", &json!({ "changes": changes })).await;
    assert_eq!((&done["applied"], &done["verified"], &done["failed"]), (&json!(9), &json!(9), &json!([])), "{done}");
    let page = blog.page("/lamp-3/").await.1;
    assert!(page.contains("<title>Lamp at /lamp-3/</title>") && page.contains("A lamp that lasts."), "{page}");
    let got = blog.read("cms.seo_meta.get", &json!({ "item_refs": [blog.url("/lamp-3/")] })).await;
    assert_eq!(
        (&got["rows"][0]["stored"]["title"], &got["rows"][0]["differs"]),
        (&json!("Lamp at /lamp-3/"), &json!([]))
    );
    let one = blog.run("cms.seo_meta.update", &json!({ "item_ref": blog.url("/lamp-1/"), "title": "By hand" })).await;
    assert_eq!((&one["verified"], &one["rendered"]["title"]), (&json!(true), &json!("By hand")));
    let undone = blog.change("cms.change.rollback", &json!({ "batch_ref": done["batch_ref"] })).await;
    assert_eq!((&undone["restored"], &undone["left"]), (&json!(8), &json!(0)), "{undone}");
    assert_eq!(
        (&undone["conflicts"][0]["reason"], &undone["conflicts"][0]["url"]),
        (&json!("edited"), &json!(blog.url("/lamp-1/")))
    );
    blog.run("cms.change.rollback", &json!({ "change_ref": one["change_ref"] })).await;
    let rest = blog.run("cms.change.rollback", &json!({ "batch_ref": done["batch_ref"] })).await;
    assert_eq!((&rest["restored"], &rest["left"], &rest["conflicts"]), (&json!(1), &json!(0), &json!([])), "{rest}");
    for (path, before) in paths.iter().zip(&before) {
        assert_eq!(&blog.page(path).await, before);
    }
    blog.host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn markup_of_another_module_is_listed_and_taken_back_here() {
    let blog = Blog::open().await;
    let before = blog.read("cms.content.get", &json!({ "item_ref": blog.url("/reading/") })).await;
    // A content that is longer than what stands in a record.
    let long = format!("{}{}", before["content"].as_str().expect("a content"), "<p>More words of it.</p>".repeat(200));
    let arguments =
        json!({ "item_ref": blog.url("/reading/"), "edit_hash": before["edit_hash"], "changes": { "content": long } });
    blog.run("cms.content.update", &arguments).await;
    let markup = json!({ "@context": "https://schema.org", "@type": "Organization", "name": "Lamps" }).to_string();
    let done =
        blog.job("schema.deploy", &json!({ "items": [{ "url": blog.url("/reading/"), "jsonld": markup }] })).await;
    assert_eq!((&done["deployed"], &done["verified"]), (&json!(1), &json!(1)), "{done}");
    let listed = blog.read("cms.change.list", &json!({})).await;
    let change = &listed["changes"][0];
    assert_eq!(
        (&change["module"], &change["operation"], &change["what"]),
        (&json!("schema"), &json!("schema.deploy"), &json!("content"))
    );
    assert!(change["diff"][0]["after"].as_str().is_some_and(|it| it.contains("espalier:schema")), "{change}");
    let undone = blog.run("cms.change.rollback", &json!({ "change_ref": change["change_ref"] })).await;
    assert_eq!((&undone["restored"], &undone["conflicts"]), (&json!(1), &json!([])), "{undone}");
    let now = blog.read("cms.content.get", &json!({ "item_ref": blog.url("/reading/") })).await;
    assert_eq!(now["content"], json!(long));
}
