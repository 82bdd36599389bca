//! The audit module in its real sandbox, on a crawl of the demo shop: every operation over both doors.

use serde_json::{Value, json};
use tests::customer::Customer;
use tests::host::Host;

const SCOPES: &str = "websites:read assets:read assets:write seo:analyze seo:audit seo:execute";
const PAGES: u64 = 40;
const HOME: &str = "http://shop.example/";

/// A customer with an audited crawl of a part of the demo shop.
struct Audited {
    host: Host,
    ada: Customer,
    site: Value,
    run: Value,
    audit: Value,
}

impl Audited {
    async fn shop() -> Self {
        let address = demo::serve("127.0.0.1:0".parse().expect("an address")).await.expect("the demo shop");
        let host = Host::start_with(|options| options.map("shop.example", address)).await;
        let ada = host.customer(SCOPES).await;
        host.buy_points(&ada, 20).await;
        let site = ada.run("websites.create", json!({ "domain": "shop.example" })).await.data()["site_id"].clone();
        let crawl = json!({ "site_id": site, "max_pages": PAGES, "rate_rps": 10, "check_external": false });
        let run = ada.run("crawl.run.start", crawl).await.data()["run_ref"].clone();
        let crawled = ada.wait_for("crawl.run.get", json!({ "run_ref": run }), 180).await;
        assert_eq!(crawled["state"], "succeeded", "{crawled}");
        let mut shop = Self { host, ada, site, run, audit: Value::Null };
        shop.audit = shop.audit_again().await;
        shop
    }

    async fn audit_again(&self) -> Value {
        let audit = self.ada.change("audit.run.start", json!({ "run_ref": self.run })).await["audit_ref"].clone();
        let ended = self.ada.wait_for("audit.run.get", json!({ "audit_ref": audit }), 180).await;
        assert_eq!(ended["state"], "succeeded", "{ended}");
        audit
    }

    /// The reads that stand on a crawl or an audit, and a member of each result that holds something.
    fn reads(&self) -> Vec<(String, Value, &'static str)> {
        let (site, run, audit) = (&self.site, &self.run, &self.audit);
        let reads = [
            ("audit.run.get", json!({ "audit_ref": audit }), "score"),
            ("audit.run.list", json!({ "site_id": site }), "audits"),
            ("audit.run.compare", json!({ "audit_a": audit, "audit_b": audit }), "persisting"),
            ("audit.issue.list", json!({ "audit_ref": audit, "limit": 100 }), "issues"),
            ("audit.opportunities.list", json!({ "site_id": site }), "opportunities"),
        ];
        let reports = [
            "metadata",
            "heading",
            "canonical",
            "duplicate",
            "thin_content",
            "image",
            "security",
            "url_hygiene",
            "indexability",
        ];
        let whole = |report| (format!("audit.{report}.report"), json!({ "run_ref": run, "limit": 100 }), "basis");
        let named = reads.into_iter().map(|(operation, arguments, member)| (operation.to_owned(), arguments, member));
        named.chain(reports.into_iter().map(whole)).collect()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_an_audit_finds_is_read_over_both_doors_and_each_issue_has_its_addresses() {
    let shop = Audited::shop().await;
    for (operation, arguments, member) in shop.reads() {
        let result = shop.ada.both(&operation, arguments).await;
        assert!(!result[member].is_null(), "{operation}: {result}");
    }
    let issues = shop.ada.both("audit.issue.list", json!({ "audit_ref": shop.audit, "limit": 100 })).await;
    let issues = issues["issues"].as_array().expect("issues").clone();
    assert!(issues.len() > 10, "the shop has its planted faults: {issues:?}");
    for issue in issues.iter().take(8) {
        let which = json!({ "audit_ref": shop.audit, "rule": issue["rule"] });
        let one = shop.ada.both("audit.issue.get", which.clone()).await;
        assert_eq!(one["issue"]["rule"], issue["rule"], "{one}");
        let urls = shop.ada.both("audit.issue.url.list", which).await;
        assert!(urls["urls"].as_array().is_some_and(|urls| !urls.is_empty()), "{}: {urls}", issue["rule"]);
    }
    shop.host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_checked_now_and_a_suppressed_issue_is_not_counted_in_the_next_audit() {
    let shop = Audited::shop().await;
    let ada = &shop.ada;
    for operation in ["audit.page.check", "audit.lighthouse_seo.check"] {
        let checked = ada.read(operation, json!({ "url": HOME })).await.data();
        assert!(checked.as_object().is_some_and(|it| it.len() > 2), "{operation}: {checked}");
    }
    let analysed =
        ada.read("audit.opportunities.analyze", json!({ "site_id": shop.site, "max_pages": 2 })).await.data();
    assert!(analysed["opportunities"].is_array(), "{analysed}");
    let rules = ada.both("audit.rule.list", json!({ "area": "images" })).await;
    assert!(rules["rules"].as_array().is_some_and(|it| it.len() > 3), "{rules}");

    let which = json!({ "audit_ref": shop.audit, "limit": 100 });
    let issues = ada.read("audit.issue.list", which).await.data()["issues"].as_array().expect("issues").clone();
    let (hidden, off) = (&issues[0]["rule"], &issues[1]["rule"]);
    let suppression = json!({ "site_id": shop.site, "rule": hidden, "pattern": "*", "reason": "known and accepted" });
    ada.change("audit.issue.suppress", suppression).await;
    let settings = json!({ "site_id": shop.site, "settings": [{ "rule": off, "enabled": false }] });
    ada.change("audit.rule.configure", settings).await;
    let next = shop.audit_again().await;
    let left = ada.read("audit.issue.list", json!({ "audit_ref": next, "limit": 100 })).await.data();
    for rule in [hidden, off] {
        let open = left["issues"].as_array().expect("issues").iter().filter(|it| it["rule"] == *rule);
        let open: u64 = open.map(|it| it["affected"].as_u64().unwrap_or(0)).sum();
        assert_eq!(open, 0, "{rule}: {left}");
    }
    shop.host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proposed_fix_names_an_operation_of_the_catalog_and_an_unfixable_rule_is_refused_in_the_same_words() {
    let shop = Audited::shop().await;
    let which = json!({ "audit_ref": shop.audit, "limit": 100 });
    let issues = shop.ada.read("audit.issue.list", which).await.data()["issues"].as_array().expect("issues").clone();
    let (mut proposed, mut refused) = (0, 0);
    for issue in &issues {
        let which = json!({ "audit_ref": shop.audit, "rule": issue["rule"], "limit": 20 });
        let urls = shop.ada.read("audit.issue.url.list", which).await.data();
        let urls: Vec<&Value> = urls["urls"].as_array().expect("addresses").iter().map(|row| &row["url"]).collect();
        let arguments = json!({ "audit_ref": shop.audit, "rule": issue["rule"], "urls": urls });
        let answer = shop.ada.read("audit.fix.suggest", arguments.clone()).await;
        if answer.status != 200 {
            let call = json!({ "operation_id": "audit.fix.suggest", "arguments": arguments });
            assert_eq!(shop.ada.tool("service_action_execute", call).await.refusal(), answer.refusal().1);
            assert_eq!(answer.pointer(), "/rule", "{}", answer.json());
            refused += 1;
            continue;
        }
        for fix in answer.data()["fixes"].as_array().expect("fixes") {
            // What writes to a website may not be served; then the change is proposed and no call is named.
            if let Some(operation) = fix["apply_operation"].as_str() {
                assert_eq!(shop.ada.get(&format!("/capabilities/{operation}")).await.status, 200, "{fix}");
            }
            assert!(fix["apply_args"].is_object() && fix["current"] != fix["proposed"], "{fix}");
            proposed += 1;
        }
    }
    assert!(proposed > 5 && refused > 0, "{proposed} proposed, {refused} refused");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_foreign_customers_audits_do_not_exist() {
    let shop = Audited::shop().await;
    let eve = shop.host.customer(SCOPES).await;
    shop.host.buy_points(&eve, 20).await;
    for (operation, arguments, _) in shop.reads() {
        let code = eve.not_found(&operation, arguments).await;
        assert!(code.ends_with("_not_found"), "{operation}: {code}");
    }
    let (site, run, audit) = (&shop.site, &shop.run, &shop.audit);
    for (operation, arguments) in [
        ("audit.run.start", json!({ "run_ref": run })),
        ("audit.issue.get", json!({ "audit_ref": audit, "rule": "title.missing" })),
        ("audit.issue.url.list", json!({ "audit_ref": audit, "rule": "title.missing" })),
        ("audit.fix.suggest", json!({ "audit_ref": audit, "rule": "title.missing", "urls": [HOME] })),
        ("audit.issue.suppress", json!({ "site_id": site, "rule": "title.missing", "pattern": "*", "reason": "no" })),
        (
            "audit.rule.configure",
            json!({ "site_id": site, "settings": [{ "rule": "title.missing", "enabled": false }] }),
        ),
        ("audit.opportunities.analyze", json!({ "site_id": site })),
    ] {
        eve.not_found(operation, arguments).await;
    }
}
