//! Twins: one key, many calls at once, one effect.

use std::time::Instant;

use serde_json::json;
use tests::customer::{Customer, fresh_key, twins};

use crate::Rounds;

pub(crate) async fn race(asked: &Rounds) -> Vec<String> {
    let nodes = crate::nodes(asked.nodes).await;
    let ada = nodes[0].customer("account:read assets:read assets:write").await;
    nodes[0].credit(&ada, 1_000).await;
    nodes[0].buy_points(&ada, 1_000).await;
    let doors: Vec<Customer> = nodes.iter().map(|node| node.bearer(&ada, &ada.token)).collect();
    let begun = Instant::now();
    let mut wrong = Vec::new();
    for round in 0..asked.rounds {
        let key = fresh_key();
        let body = json!({ "firstname": "Ada", "lastname": format!("Twin {round}") });
        // Panics when two answers differ or one is neither the answer nor a request to wait.
        let answer = twins(&doors, asked.racers, "authors.create", &body, &key).await;
        for door in &doors {
            if door.run_as("authors.create", body.clone(), &key).await.bytes != answer {
                wrong.push(format!("round {round}: a later answer is another"));
            }
        }
    }
    let took = begun.elapsed();
    let effects = count(&doors[0]).await;
    if effects != asked.rounds {
        wrong.push(format!("{} rounds had {effects} effects", asked.rounds));
    }
    let violations = nodes[0].service.core.store().money.verify_ledger().await.expect("readable");
    wrong.extend(violations.iter().map(|violation| format!("{violation:?}")));
    println!(
        "{} rounds of {} twins over {} host(s) in {:.0} s: {effects} effects, {} wrong",
        asked.rounds,
        asked.racers,
        asked.nodes,
        took.as_secs_f64(),
        wrong.len()
    );
    wrong
}

async fn count(customer: &Customer) -> usize {
    let mut all = 0;
    let mut arguments = json!({ "limit": 50 });
    loop {
        let page = customer.read("authors.list", arguments).await.data();
        all += page["authors"].as_array().map_or(0, Vec::len);
        let Some(next) = page["next_cursor"].as_str() else { return all };
        arguments = json!({ "limit": 50, "cursor": next });
    }
}
