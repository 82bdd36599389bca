//! Refresh tokens in many hands: whoever comes at once shares one answer, and no second pair is ever made.

use std::collections::BTreeSet;
use std::time::Instant;

use tests::person::{App, Browser, REDIRECT};

use crate::Rounds;

const EMAIL: &str = "ada@example.com";
const PASSWORD: &str = "a long password";

pub(crate) async fn race(asked: &Rounds) -> Vec<String> {
    let nodes = crate::nodes(asked.nodes).await;
    let _ada = nodes[0].add_customer(EMAIL, PASSWORD, 1_000).await;
    let here = App::register(&nodes[0].mcp).await;
    let apps: Vec<App> = nodes.iter().map(|node| here.at(node.rest.trim_end_matches("/v1"))).collect();
    let mut browser = Browser::default();
    let begun = Instant::now();
    let (mut won, mut revoked, mut wrong) = (0, 0, Vec::new());
    for round in 0..asked.rounds {
        let code = code(&mut browser, &here).await;
        let (_, first) = here.exchange(&code).await;
        let Some(refresh) = first["refresh_token"].as_str() else {
            wrong.push(format!("round {round}: no tokens: {first}"));
            continue;
        };
        let racers = apps.iter().cycle().take(asked.racers).map(|app| app.refresh(refresh));
        let ended = futures_util::future::join_all(racers).await;
        let pairs: BTreeSet<&str> = ended
            .iter()
            .filter(|(status, _)| status.is_success())
            .filter_map(|(_, body)| body["refresh_token"].as_str())
            .collect();
        let refused = ended.iter().filter(|(status, _)| !status.is_success());
        let odd = refused.clone().filter(|(status, body)| *status != 400 || body["error"] != "invalid_grant");
        wrong.extend(odd.map(|(status, body)| format!("round {round}: {status} {body}")));
        if pairs.len() > 1 {
            wrong.push(format!("round {round}: {} pairs came of one token", pairs.len()));
        }
        won += pairs.len();
        if refused.count() > 0 {
            revoked += 1;
            // Somebody showed a token that was already rotated: the family is gone, the winner's part of it too.
            for pair in pairs {
                if apps[round % apps.len()].refresh(pair).await.0.is_success() {
                    wrong.push(format!("round {round}: a family lives on after reuse"));
                }
            }
        }
    }
    println!(
        "{} races of {} for one refresh token over {} host(s) in {:.0} s: {won} pairs, {revoked} families revoked, {} wrong",
        asked.rounds,
        asked.racers,
        asked.nodes,
        begun.elapsed().as_secs_f64(),
        wrong.len()
    );
    wrong
}

/// A new grant of the same person, who signs in once.
async fn code(browser: &mut Browser, app: &App) -> String {
    let mut page = browser.open(&app.authorization("account:read")).await;
    for _ in 0..8 {
        page = match page.location() {
            Some(to) if to.as_str().starts_with(REDIRECT) => {
                let code = to.query_pairs().find(|(name, _)| name == "code").expect("a code").1;
                return code.into_owned();
            }
            Some(to) => browser.open(&to).await,
            None if page.text.contains("name=\"password\"") => {
                browser.submit(&page, "password", &[("email", EMAIL), ("password", PASSWORD)]).await
            }
            None => browser.submit(&page, "decision", &[("decision", "approve")]).await,
        };
    }
    panic!("the pages never came back to the client; the last was {} {}", page.status, page.text);
}
