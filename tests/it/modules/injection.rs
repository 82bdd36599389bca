//! What pages say stays what pages say: 200 texts that speak to agents, on a site that is crawled, audited and read in
//! every way, change nothing, show nothing hidden, and stand only where the answer says that others wrote it.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tests::customer::Customer;
use tests::host::Host;
use tests::injections;
use tests::site::serve_folder;

const SCOPES: &str = "account:read billing:read websites:read assets:read assets:write seo:analyze seo:audit seo:execute connections:manage destructive:execute";
const HOME: &str = "http://lamps.example/";

/// All that is read, with arguments.
fn reads(site: &Value, run: &Value, audit: &Value, author: &Value) -> Vec<(String, Value)> {
    let page = "http://lamps.example/p1.html";
    let mut reads = Vec::new();
    let mut add = |operation: &str, arguments: Value| reads.push((operation.to_owned(), arguments));
    let pages = (0..injections::PAGES).map(|it| format!("http://lamps.example/{}", injections::name(it)));
    for url in pages {
        for (read, arguments) in [
            ("crawl.page.get", json!({ "run_ref": run, "url": url })),
            ("crawl.page.content.get", json!({ "run_ref": run, "url": url })),
            ("schema.page.extract", json!({ "url": url })),
            ("onpage.social.preview", json!({ "url": url })),
            ("onpage.image.check", json!({ "url": url, "max_images": 2 })),
        ] {
            add(read, arguments);
        }
    }
    for page in [HOME, page] {
        for check in [
            "heading.outline",
            "content.extract",
            "language.detect",
            "term.extract",
            "entity.extract",
            "alt_text.suggest",
            "link.check",
            "markup.validate",
            "render_risk.check",
            "eeat.check",
            "date.extract",
            "description.suggest",
        ] {
            add(&format!("onpage.{check}"), json!({ "url": page }));
        }
        add("onpage.page.score", json!({ "url": page, "keyword": "lamp" }));
        add("onpage.title.suggest", json!({ "url": page, "keyword": "lamp" }));
        add("onpage.keyword.usage", json!({ "url": page, "keywords": ["lamp"] }));
        add("onpage.snippet.preview", json!({ "url": page, "title": "Lamps" }));
        for check in ["page.validate", "eligibility.check", "type.suggest"] {
            add(&format!("schema.{check}"), json!({ "url": page }));
        }
        add("schema.markup.generate", json!({ "url": page, "type": "Product", "site_id": site }));
        add("audit.page.check", json!({ "url": page }));
        add("audit.lighthouse_seo.check", json!({ "url": page }));
        add("crawl.url.fetch", json!({ "url": page }));
        add("links.suggestion.for_page", json!({ "site_id": site, "url": page }));
    }
    add("onpage.page.compare", json!({ "url": HOME, "competitors": [page] }));
    add("onpage.similarity.compare", json!({ "a": HOME, "b": page }));
    let rules = json!([{ "name": "heading", "type": "css", "expression": "h1" }]);
    add("crawl.extraction.test", json!({ "url": page, "rules": rules }));
    for list in ["page", "link", "resource", "redirect"] {
        add(&format!("crawl.{list}.list"), json!({ "run_ref": run, "limit": 100 }));
    }
    add("crawl.page.search", json!({ "run_ref": run, "query": "lamp" }));
    for read in
        ["crawl.structure.get", "crawl.trap.detect", "crawl.run.get", "schema.site.report", "links.graph.summary.get"]
    {
        add(read, json!({ "run_ref": run }));
    }
    for list in ["authority.list", "anchor.report", "broken.list", "leak.report", "silo.report"] {
        add(&format!("links.{list}"), json!({ "run_ref": run }));
    }
    for report in [
        "metadata",
        "heading",
        "canonical",
        "duplicate",
        "thin_content",
        "image",
        "security",
        "url_hygiene",
        "indexability",
    ] {
        add(&format!("audit.{report}.report"), json!({ "run_ref": run, "limit": 100 }));
    }
    add("audit.issue.list", json!({ "audit_ref": audit, "limit": 100 }));
    for rule in
        ["title_duplicate", "heading_h1_duplicate", "title_too_long", "image_alt_missing", "description_too_long"]
    {
        add("audit.issue.url.list", json!({ "audit_ref": audit, "rule": rule }));
    }
    add("audit.opportunities.analyze", json!({ "site_id": site, "max_pages": 2 }));
    add("websites.tech.detect", json!({ "url": HOME }));
    add("websites.profile.get", json!({ "site_id": site }));
    add("websites.health.get", json!({ "site_id": site }));
    add("authors.byline.audit", json!({ "site_id": site, "run_ref": run }));
    add("authors.trust.score", json!({ "author_ref": author }));
    add("schema.organization.generate", json!({ "site_id": site }));
    add("account.job.list", json!({}));
    reads
}

/// What a text may not hold, wherever it stands.
fn hides(character: char) -> bool {
    (character.is_control() && character != '\n' && character != '\t')
        || matches!(character, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fe02}'..='\u{fe04}' | '\u{e0000}'..='\u{e0fff}')
}

/// Whether a place in `data` is one of the members, or below one.
fn below(members: &[Vec<&str>], place: &[String]) -> bool {
    members
        .iter()
        .any(|it| it.len() <= place.len() && it.iter().zip(place).all(|(name, at)| *name == "*" || name == at))
}

/// Every text of a value with its place, the names of members too.
fn texts(value: &Value, place: &mut Vec<String>, seen: &mut dyn FnMut(&[String], &str)) {
    match value {
        Value::String(text) => seen(place, text),
        Value::Array(items) => items.iter().enumerate().for_each(|(at, item)| {
            place.push(at.to_string());
            texts(item, place, seen);
            place.pop();
        }),
        Value::Object(object) => object.iter().for_each(|(name, item)| {
            place.push(name.replace('~', "~0").replace('/', "~1"));
            seen(place, name);
            texts(item, place, seen);
            place.pop();
        }),
        _ => {}
    }
}

/// What is wrong with an envelope; the numbers of the texts that it holds go into `shown`.
fn faults(envelope: &Value, shown: &mut BTreeSet<usize>) -> Vec<String> {
    let said = &envelope["meta"]["untrusted"];
    let members: Vec<Vec<&str>> = said["members"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .map(|it| it.split('/').skip(1).filter(|it| !it.is_empty()).collect())
        .collect();
    let mut faults = BTreeSet::new();
    texts(envelope, &mut Vec::new(), &mut |place, text| {
        let at =
            || place.iter().map(|it| if it.parse::<usize>().is_ok() { "*" } else { it }).collect::<Vec<_>>().join("/");
        if text.chars().any(hides) {
            faults.insert(format!("hidden characters at {}", at()));
        }
        let mut here = injections::found(text).peekable();
        let address = text.starts_with("http://") && !text.contains(' ');
        if here.peek().is_some() && !address && !(place[0] == "data" && below(&members, &place[1..])) {
            faults.insert(format!("a page speaks at {}", at()));
        }
        shown.extend(here);
    });
    faults.into_iter().collect()
}

/// All that the customer has, as far as it can be read without moving it.
async fn all_that_is_theirs(ada: &Customer, site: &Value) -> Value {
    let mut all = json!({});
    for (operation, arguments) in [
        ("websites.profile.get", json!({ "site_id": site })),
        ("websites.task.list", json!({ "site_id": site })),
        ("account.job.list", json!({ "limit": 100 })),
        ("account.grant.list", json!({})),
        ("connections.list", json!({})),
        ("authors.list", json!({})),
        ("crawl.run.list", json!({ "site_id": site })),
        ("audit.run.list", json!({ "site_id": site })),
        ("schema.deployment.list", json!({ "site_id": site })),
        ("links.suggestion.list", json!({ "site_id": site })),
    ] {
        let mut data = ada.read(operation, arguments).await.data();
        // When a grant was last used is this very question, and a score that was reckoned is kept for a while.
        for (list, moving) in [("/grants", "last_used_at"), ("/authors", "trust_score")] {
            for row in data.pointer_mut(list).and_then(Value::as_array_mut).into_iter().flatten() {
                row[moving] = Value::Null;
            }
        }
        all[operation] = data;
    }
    all
}

#[test]
fn an_answer_that_hides_something_or_lets_a_page_speak_elsewhere_is_found() {
    let text = injections::marker(7);
    let envelope = |data: Value| json!({ "data": data, "meta": { "untrusted": { "members": ["/rows/*/title"] } } });
    let mut shown = BTreeSet::new();
    let fine = envelope(json!({ "rows": [{ "title": text, "url": format!("http://lamps.example/{text}") }] }));
    assert_eq!(faults(&fine, &mut shown), Vec::<String>::new());
    assert_eq!(shown, BTreeSet::from([7]));
    let speaks = envelope(json!({ "rows": [{ "title": "", "why": format!("because {text}") }] }));
    assert_eq!(faults(&speaks, &mut shown), ["a page speaks at data/rows/*/why"]);
    let hides = envelope(json!({ "rows": [{ "title": "a\u{202e}b" }] }));
    assert_eq!(faults(&hides, &mut shown), ["hidden characters at data/rows/*/title"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_texts_that_speak_to_agents_change_nothing_and_stand_only_where_others_are_said_to_speak() {
    let folder = tempfile::tempdir().expect("a folder");
    injections::site(folder.path());
    let served = serve_folder(folder.path().to_path_buf()).await;
    let host = Host::start_with(|options| options.map("lamps.example", served.address)).await;
    let ada = host.customer(SCOPES).await;
    host.buy_points(&ada, 40).await;
    let tools = ada.rpc(&[("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/list")], listing()).await.body;

    let site = ada.run("websites.create", json!({ "domain": "lamps.example" })).await.data()["site_id"].clone();
    let author = ada.run("authors.create", json!({ "firstname": "Ada", "lastname": "Lovelace" })).await.data();
    let crawl = json!({ "site_id": site, "max_pages": 30, "rate_rps": 10, "check_external": false });
    let run = ada.run("crawl.run.start", crawl).await.data()["run_ref"].clone();
    ada.wait_for("crawl.run.get", json!({ "run_ref": run }), 180).await;
    let audit = ada.run("audit.run.start", json!({ "run_ref": run })).await.data()["audit_ref"].clone();
    ada.wait_for("audit.run.get", json!({ "audit_ref": audit }), 180).await;
    ada.run("links.graph.build", json!({ "run_ref": run })).await;
    ada.wait_for("links.graph.summary.get", json!({ "run_ref": run }), 120).await;

    let before = all_that_is_theirs(&ada, &site).await;
    let (mut shown, mut wrong, mut answered) = (BTreeSet::new(), Vec::new(), 0);
    for (operation, arguments) in reads(&site, &run, &audit, &author["author_ref"]) {
        let rest = ada.read(&operation, arguments.clone()).await;
        let mcp =
            ada.tool("service_action_execute", json!({ "operation_id": operation, "arguments": arguments })).await.body;
        let texts = mcp["result"]["content"].as_array().expect("texts");
        let said = texts.last().and_then(|it| it["text"].as_str()).expect("text").to_owned();
        let envelopes =
            [rest.json(), serde_json::from_str(&said).expect("JSON"), mcp["result"]["structuredContent"].clone()];
        if rest.status != 200 {
            let refusal = format!("{}{said}", rest.json());
            assert_eq!(injections::found(&refusal).count(), 0, "{operation}: a refusal quotes a page: {refusal}");
            continue;
        }
        answered += 1;
        for envelope in &envelopes {
            wrong.extend(faults(envelope, &mut shown).into_iter().map(|it| format!("{operation}: {it}")));
        }
    }
    wrong.sort();
    wrong.dedup();
    assert!(wrong.is_empty(), "{} faults:\n{}", wrong.len(), wrong.join("\n"));
    assert!(answered > 90, "most reads answer: {answered}");
    assert!(shown.len() > injections::MANY * 8 / 10, "the texts are there to be seen: {} of them", shown.len());
    assert_eq!(all_that_is_theirs(&ada, &site).await, before, "reading changes nothing");
    let after = ada.rpc(&[("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/list")], listing()).await.body;
    assert_eq!(after, tools, "what tools say of themselves is not moved by pages");
    host.verify_ledger().await;
}

fn listing() -> Value {
    let meta = json!({ "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} });
    json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": { "_meta": meta } })
}
