//! Assistants: what they fetch, and whom they send.

use sdk::json;

use crate::trial::{self, CHROME, GPTBOT, OPENAI, STRANGER, from, line, report};

const CHATGPT_USER: &str = "Mozilla/5.0 (compatible; ChatGPT-User/1.0; +https://openai.com/bot)";

#[test]
fn fetches_are_held_against_the_visitors_that_come_of_them() {
    let at = |second: u32| format!("01/Sep/2026:10:{:02}:{:02}", second / 60, second % 60);
    let mut lines: Vec<String> = (0..40).map(|it| line(OPENAI, &at(it), "/guide", 200, CHATGPT_USER)).collect();
    lines.extend((0..10).map(|it| line(OPENAI, &at(60 + it), "/other", 200, CHATGPT_USER)));
    lines.extend((0..4).map(|it| from(STRANGER, &at(120 + it), "/guide?utm_source=chatgpt.com", 200, CHROME, "-")));
    lines.push(from(STRANGER, &at(130), "/guide", 200, CHROME, "https://www.perplexity.ai/search"));
    lines.push(line(OPENAI, &at(140), "/guide", 404, GPTBOT));
    lines.push(line(STRANGER, &at(150), "/guide", 200, CHATGPT_USER));
    lines.push(from(STRANGER, &at(160), "/guide", 404, CHROME, "https://chatgpt.com/"));
    let fake = trial::with(&lines);
    let told = report(&fake, "logs.ai_agents.report", &json!({}));
    let of = |name: &str| {
        told["products"]
            .as_array()
            .expect("products")
            .iter()
            .find(|it| it["product"] == name)
            .cloned()
            .unwrap_or_default()
    };
    assert_eq!(
        (&of("chatgpt-user")["hits"], &of("chatgpt-user")["verified_hits"], &of("chatgpt-user")["pages"]),
        (&json!(50), &json!(50), &json!(2)),
        "{told}"
    );
    assert_eq!((&of("chatgpt")["hits"], &of("chatgpt")["purpose"]), (&json!(4), &json!("referral")));
    assert_eq!((&of("perplexity")["hits"], &of("gptbot")["errors"]), (&json!(1), &json!(1)));
    let page = &told["pages"][0];
    assert_eq!(
        (&page["url"], &page["user_fetches"], &page["referrals"]),
        (&json!("https://shop.example/guide"), &json!(40), &json!(5))
    );
    assert_eq!(page["fetch_to_visit_ratio"], 8.0);
    assert_eq!(told["pages"][1]["fetch_to_visit_ratio"], json!(null), "ten fetches say nothing");
    let chatgpt = told["fetch_to_visit_ratio"]
        .as_array()
        .expect("ratios")
        .iter()
        .find(|it| it["product"] == "chatgpt")
        .expect("chatgpt");
    assert_eq!(chatgpt["fetch_to_visit_ratio"], 12.5);
    assert_eq!(
        told["series"],
        json!([{ "date": "2026-09-01", "hits": 56, "by_purpose": { "training": 1, "user_fetch": 50, "referral": 5 } }])
    );
    let only = report(&fake, "logs.ai_agents.report", &json!({ "purpose": "referral" }));
    assert_eq!(only["products"].as_array().map(Vec::len), Some(2), "{only}");
}
