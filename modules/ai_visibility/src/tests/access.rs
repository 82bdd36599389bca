//! What robots may fetch, and what agents can use.

use super::*;

const ROBOTS: &str = "User-agent: *\nDisallow: /private\n\nUser-agent: PerplexityBot\nDisallow: /\n\nUser-agent: OAI-SearchBot\nDisallow: /\n\n\
    User-agent: GPTBot\nContent-Signal: ai-train=no\nAllow: /\n\nSitemap: https://shop.example/private/sitemap.xml\n";

fn served(robots: &str) -> Fake {
    let fake = Models::default().fake();
    fake.serve("https://shop.example/robots.txt", 200, &[("content-type", "text/plain")], robots.as_bytes());
    fake.serve("https://www.shop.example/robots.txt", 404, &[], b"");
    let html = "<title>Shop</title><meta name=\"ClaudeBot\" content=\"noindex\"><p>Lamps";
    fake.serve("https://shop.example/", 200, &[("content-type", "text/html")], html.as_bytes());
    fake
}

#[test]
fn every_robot_has_its_verdict_with_the_line_that_decides() {
    let found = called(&served(ROBOTS), "ai_visibility.crawler_access.check", json!({}));
    let agent = |name: &str| found["agents"].as_array().unwrap().iter().find(|it| it["name"] == name).unwrap().clone();
    let perplexity = agent("PerplexityBot");
    assert_eq!(
        (&perplexity["allowed"], &perplexity["line"], &perplexity["rule"]),
        (&json!(false), &json!(5), &json!("Disallow: /"))
    );
    assert_eq!((&agent("GPTBot")["allowed"], &agent("Googlebot")["allowed"]), (&json!(true), &json!(true)));
    assert_eq!(agent("Google-Extended")["purpose"], "training_token");
    assert_eq!(agent("ClaudeBot")["noindex_urls"], json!(["https://shop.example/"]));
    assert_eq!(found["signals"][0]["value"], "ai-train=no");
    let kinds: Vec<&str> =
        found["conflicts"].as_array().unwrap().iter().map(|it| it["kind"].as_str().unwrap()).collect();
    assert!(kinds.contains(&"search_blocked_training_allowed") && kinds.contains(&"sitemap_blocked"), "{kinds:?}");
    assert_eq!(found["next"][0]["operation_id"], "indexing.robots.compose");
    assert!(
        found["agents"].as_array().unwrap().iter().all(|it| it["log_visits"].is_null()),
        "without a log nothing is known of visits"
    );
}

#[test]
fn a_robots_txt_that_cannot_be_had_makes_nothing_known() {
    let fake = served("");
    fake.serve("https://shop.example/robots.txt", 503, &[], b"");
    let found = called(&fake, "ai_visibility.crawler_access.check", json!({}));
    assert!(found["agents"].as_array().unwrap().iter().all(|it| it["allowed"].is_null()));
    assert_eq!(found["robots_status"], 503);
    let foreign = json!({ "urls": ["https://other.example/"] });
    assert_eq!(refused(&fake, "ai_visibility.crawler_access.check", foreign), at("url_not_of_site", "/urls/0"));
}

#[test]
fn a_challenge_is_told_as_what_our_own_robot_met() {
    let fake = served(ROBOTS);
    fake.serve("https://shop.example/", 403, &[("cf-mitigated", "challenge")], b"<html>");
    let found = called(&fake, "ai_visibility.crawler_access.check", json!({}));
    assert_eq!(found["challenges"][0]["by"], "cloudflare");
}

fn ready(html: &str) -> Fake {
    let fake = Models::default().fake();
    fake.serve("https://shop.example/", 200, &[("content-type", "text/html; charset=utf-8")], html.as_bytes());
    fake.serve("https://shop.example/robots.txt", 200, &[], b"Agentmap: /catalog.json\n");
    fake.serve(
        "https://shop.example/llms.txt",
        200,
        &[],
        b"# Lamp Shop\n\n- [Guide](https://shop.example/guide): all about lamps and light\n",
    );
    fake.serve("https://shop.example/catalog.json", 200, &[], br#"{"specVersion":"1.0","entries":[]}"#);
    fake.serve("https://shop.example/.well-known/ai-catalog.json", 404, &[], b"");
    fake
}

#[test]
fn while_robots_txt_cannot_be_had_nothing_is_said_to_contradict_it() {
    let fake = Models::default().fake();
    fake.serve("https://shop.example/robots.txt", 503, &[], b"User-agent: *\nDisallow: /\n");
    let html = b"<!doctype html><title>Shop</title><meta name=robots content=noindex><p>Lamps</p>";
    fake.serve("https://shop.example/", 200, &[("content-type", "text/html")], html);
    let found = called(&fake, "ai_visibility.crawler_access.check", json!({}));
    assert_eq!((&found["robots_status"], &found["conflicts"]), (&json!(503), &json!([])));
    assert!(found["agents"].as_array().unwrap().iter().all(|it| it["allowed"].is_null() && it["line"].is_null()));
    assert!(found["degraded"].to_string().contains("robots.txt answers 503"), "{}", found["degraded"]);
}

const WORDS: &str = "Lamps for reading and for work, made of brass and of glass, with parts that can be changed for many years, and with a \
    guide to good light for every room of the house, from the kitchen to the desk, written by people who sell lamps every day in a small shop in town.";

#[test]
fn a_page_that_agents_can_use_passes_all_that_a_source_shows() {
    let html = format!(
        "<!doctype html><html lang=en><title>Shop</title><main><h1>Lamps</h1><p>{WORDS}</p><form toolname=find><label>Find <input></label><button>Go</button></form><img src=a.png alt=\"A lamp\"></main>"
    );
    let found =
        ready(&html).call("ai_visibility.agent_readiness.check", json!({ "url": "https://shop.example/" })).unwrap();
    assert_eq!((&found["score"], &found["passed"], &found["judged"]), (&json!(1.0), &json!(4), &json!(4)), "{found}");
    assert_eq!(found["discovery"]["robots_agentmap"], "https://shop.example/catalog.json");
    assert!(found["layout_shift_risks"][0]["element"].as_str().unwrap().starts_with("<img"));
    let measured =
        |id: &str| found["audits"].as_array().unwrap().iter().find(|it| it["id"] == id).unwrap()["outcome"].clone();
    assert_eq!(measured("cumulative-layout-shift"), "not_measured");
}

#[test]
fn what_fails_is_told_with_its_rule_and_line() {
    let html = format!(
        "<!doctype html><html lang=en><title>Shop</title>\n<p>{WORDS}</p>\n<button></button><button></button>\n<form><input></form>"
    );
    let fake = ready(&html);
    fake.serve("https://shop.example/llms.txt", 200, &[], b"Hello");
    let found = fake.call("ai_visibility.agent_readiness.check", json!({ "url": "https://shop.example/" })).unwrap();
    let audit = |id: &str| found["audits"].as_array().unwrap().iter().find(|it| it["id"] == id).unwrap().clone();
    let tree = audit("agent-accessibility-tree");
    assert_eq!(
        (&tree["items"][0]["rule"], &tree["items"][0]["line"], &tree["items"][0]["count"]),
        (&json!("button-name"), &json!(3), &json!(2))
    );
    assert_eq!(audit("llms-txt")["items"].as_array().unwrap().len(), 3);
    assert_eq!(
        (&audit("webmcp-form-coverage")["outcome"], &audit("webmcp-form-coverage")["pass"]),
        (&json!("informative"), &Value::Null)
    );
    assert_eq!(found["audits"][0]["outcome"], "fail", "what fails comes first");
}

#[test]
fn a_page_that_scripts_make_has_no_score() {
    let found = ready("<!doctype html><title>x</title><div id=app></div><script src=a.js></script>")
        .call("ai_visibility.agent_readiness.check", json!({ "url": "https://shop.example/" }))
        .unwrap();
    assert_eq!((&found["score"], &found["needs_rendering"]), (&Value::Null, &json!(true)));
    assert_eq!(found["next"][0]["operation_id"], "onpage.render_risk.check");
}
