//! Several hosts on one PostgreSQL: any of them answers, and none does again what another did.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use service::config::Rates;
use tests::customer::{Customer, fresh_key, twins};
use tests::host::{Host, Options, Process, operate, wide};
use tests::person::App;
use tests::site;

/// This many nodes of one service, or none where PostgreSQL is missing.
async fn nodes(many: usize) -> Option<Vec<Host>> {
    let server = tests::database::server()?;
    let first = Host::start_with(|options| options.server(&server)).await;
    let mut nodes = vec![first];
    while nodes.len() < many {
        let next = Host::start_with(|options| {
            options.server(&server);
            options.beside(&nodes[0]);
        });
        nodes.push(next.await);
    }
    Some(nodes)
}

fn everywhere(nodes: &[Host], customer: &Customer) -> Vec<Customer> {
    nodes.iter().map(|node| node.bearer(customer, &customer.token)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn sixty_four_twins_over_three_nodes_have_one_effect_and_one_answer() {
    const ROUNDS: usize = 12;
    let Some(nodes) = nodes(3).await else { return };
    let ada = nodes[0].customer("assets:read assets:write account:read").await;
    nodes[0].buy_points(&ada, 1).await;
    let doors = everywhere(&nodes, &ada);
    let before = points(&doors[0]).await;
    for round in 0..ROUNDS {
        let key = fresh_key();
        let body = json!({ "firstname": "Ada", "lastname": format!("Twin {round}") });
        let answer = twins(&doors, 64, "authors.create", &body, &key).await;
        // Who was told to wait finds the same answer later, on every node.
        for door in &doors {
            assert_eq!(door.run_as("authors.create", body.clone(), &key).await.bytes, answer);
        }
    }
    let listed = doors[1].read("authors.list", json!({ "limit": 50 })).await.data();
    assert_eq!(listed["authors"].as_array().map(Vec::len), Some(ROUNDS), "{listed}");
    // Each effect was paid once; the list costs what it costs.
    let list = points(&doors[2]).await;
    let one = doors[0].run("authors.create", json!({ "firstname": "One", "lastname": "More" })).await;
    one.data();
    let each = list - points(&doors[1]).await;
    let listing = before - list - each * ROUNDS as u64;
    assert!(listing <= each, "{ROUNDS} effects at {each} points and a list cost {}", before - list);
    nodes[0].verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_on_one_node_leads_to_a_contract_and_a_run_on_others() {
    let Some(nodes) = nodes(3).await else { return };
    let ada = nodes[0].customer("assets:read assets:write").await;
    let doors = everywhere(&nodes, &ada);
    let found = doors[0].get("/capabilities?query=add%20an%20author%20to%20my%20site").await.data();
    let intent = found["intent_ref"].as_str().expect("an intent").to_owned();
    let contract = doors[1].get(&format!("/capabilities/authors.create?intent_ref={intent}")).await.data();
    assert_eq!(contract["operation_id"], "authors.create", "{contract}");
    let headers = [("service-intent-ref", intent.as_str()), ("idempotency-key", "over-three-nodes")];
    let body = json!({ "firstname": "Ada", "lastname": "Lovelace" }).to_string();
    let made = doors[2].send(reqwest::Method::POST, "/operations/authors.create", &headers, Some(body)).await.data();
    let read = doors[0].read("authors.get", json!({ "author_ref": made["author_ref"] })).await.data();
    assert_eq!(read["author"]["firstname"], "Ada", "{read}");
}

#[tokio::test(flavor = "multi_thread")]
async fn t11_a_refresh_token_is_good_once_over_all_nodes_and_its_reuse_shuts_every_node() {
    let Some(nodes) = nodes(2).await else { return };
    nodes[0].add_customer("ada@example.com", "a long password", 1_000).await;
    let here = App::register(&nodes[0].mcp).await;
    let there = here.at(nodes[1].rest.trim_end_matches("/v1"));
    for _ in 0..5 {
        let back = here.decide("account:read", "ada@example.com", "a long password", "approve").await;
        let (_, tokens) = here.exchange(&back["code"]).await;
        let refresh = text(&tokens, "refresh_token");
        let racers = (0..20).map(|racer| if racer % 2 == 0 { &here } else { &there }).map(|app| app.refresh(&refresh));
        let ended = futures_util::future::join_all(racers).await;
        // Those of one node who came before it was answered share the answer; the other node's come too late.
        let won: BTreeSet<String> =
            ended.iter().filter(|(status, _)| status.is_success()).map(|(_, body)| body.to_string()).collect();
        assert!(won.len() <= 1, "{ended:?}");
        for (status, body) in ended.iter().filter(|(status, _)| !status.is_success()) {
            assert_eq!((status.as_u16(), body["error"].as_str()), (400, Some("invalid_grant")));
        }
        // Whoever won lost it with the family: the others showed that the token is in two hands.
        for winner in won {
            let winner: Value = serde_json::from_str(&winner).expect("JSON");
            let shut = nodes[1].bearer(&nodes[1].customer("account:read").await, &text(&winner, "access_token"));
            assert_eq!(shut.get("/account").await.status, 401);
            let (status, _) = there.refresh(&text(&winner, "refresh_token")).await;
            assert_eq!(status.as_u16(), 400);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn v5_what_is_revoked_on_one_node_is_refused_on_another_at_the_next_request() {
    let Some(nodes) = nodes(2).await else { return };
    nodes[0].add_customer("ada@example.com", "a long password", 1_000).await;
    let app = App::register(&nodes[0].mcp).await;
    let back = app.decide("account:read", "ada@example.com", "a long password", "approve").await;
    let (_, tokens) = app.exchange(&back["code"]).await;
    let elsewhere = nodes[1].bearer(&nodes[1].customer("account:read").await, &text(&tokens, "access_token"));
    assert_eq!(elsewhere.get("/account").await.status, 200);
    assert_eq!(app.revoke(&text(&tokens, "refresh_token")).await, 200);
    assert_eq!(elsewhere.get("/account").await.status, 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rate_limit_is_one_limit_over_all_nodes() {
    let Some(server) = tests::database::server() else { return };
    let narrow = |options: &mut Options| {
        options.server(&server);
        options.rates(Rates { requests: 30, ..wide() });
    };
    let first = Host::start_with(narrow).await;
    let second = Host::start_with(|options| {
        narrow(options);
        options.beside(&first);
    });
    let second = second.await;
    let ada = first.customer("account:read").await;
    let there = second.bearer(&ada, &ada.token);
    for _ in 0..20 {
        assert_eq!(ada.get("/account").await.status, 200);
    }
    // Slowly, so that the nodes have told each other long before the thirtieth.
    let mut passed = 0;
    while there.get("/account").await.status == 200 {
        passed += 1;
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    assert!((9..=10).contains(&passed), "20 on one node and {passed} on the other of 30");
    assert_eq!(there.get("/account").await.refusal(), (429, "rate_limited".to_owned()));
}

fn text(body: &Value, name: &str) -> String {
    body[name].as_str().unwrap_or_else(|| panic!("no {name}: {body}")).to_owned()
}

async fn points(customer: &Customer) -> u64 {
    let usage = customer.get("/usage").await.json()["meta"]["usage"].clone();
    ["included_remaining", "paid_remaining"].iter().map(|it| usage[it].as_u64().expect("points")).sum()
}

const CRAWLER: &str = "account:read websites:read assets:read assets:write seo:execute";

#[tokio::test(flavor = "multi_thread")]
async fn the_job_of_a_dead_node_goes_on_at_another_within_ninety_seconds() {
    const PAGES: usize = 90;
    let Some(server) = tests::database::server() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    site::pages(folder.path(), PAGES);
    let served = site::serve_folder(folder.path().to_path_buf()).await;
    let names = [("many.example", served.address)];
    let data = tempfile::tempdir().expect("a folder");
    let mut first = Process::start_on(&server, data.path(), &names).await;
    let second = Process::start_on(&server, data.path(), &names).await;
    let ada = first.customer("ada@example.com", 1_000, CRAWLER).await;
    first.points(&ada, 10).await;
    let site = ada.run("websites.create", json!({ "domain": "many.example" })).await.data();
    let arguments = json!({ "site_id": site["site_id"], "rate_rps": 10, "check_external": false });
    let started = ada.run("crawl.run.start", arguments).await.data();
    let run = json!({ "run_ref": started["run_ref"] });
    first.kill();
    let begun = Instant::now();
    let ada = second.again(&ada);
    let fetched = async || ada.read("crawl.run.get", run.clone()).await.data()["totals"]["fetched"].as_u64();
    let before = fetched().await;
    while fetched().await == before {
        assert!(begun.elapsed() < Duration::from_secs(450), "nobody took the job up");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    let ended = ada.wait_for("crawl.run.get", run.clone(), 240).await;
    assert_eq!(
        (ended["state"].as_str(), ended["totals"]["fetched"].as_u64()),
        (Some("succeeded"), Some(PAGES as u64 + 1))
    );
    second.verify_ledger();
}

/// As a load balancer does: the newest node that says it is ready. Whoever asked the nodes of a list that has been
/// replaced since has heard nothing about those of the new one, and asks again.
async fn a_ready_one(nodes: &Mutex<Vec<Customer>>) -> Customer {
    let names = |nodes: &[Customer]| nodes.iter().map(|it| it.rest.clone()).collect::<Vec<_>>();
    loop {
        let known = nodes.lock().expect("not poisoned").clone();
        for node in known.iter().rev() {
            if node.is_ready().await {
                return node.clone();
            }
        }
        let now = names(&nodes.lock().expect("not poisoned"));
        assert_ne!(names(&known), now, "a node is ready at any time");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn hosts_are_replaced_one_by_one_and_no_request_is_dropped() {
    let Some(server) = tests::database::server() else { return };
    let data = tempfile::tempdir().expect("a folder");
    let mut old = Process::start_on(&server, data.path(), &[]).await;
    let ada = old.customer("ada@example.com", 1_000, "account:read assets:read assets:write").await;
    // More than the clients can spend in the time that hosts take to start.
    old.points(&ada, 500).await;
    let nodes = Arc::new(Mutex::new(vec![old.again(&ada)]));
    let stop = Arc::new(AtomicBool::new(false));
    let clients: Vec<_> = (0..4)
        .map(|client| {
            let (nodes, stop) = (nodes.clone(), stop.clone());
            tokio::spawn(async move {
                let mut done = 0;
                while !stop.load(Ordering::SeqCst) {
                    let node = a_ready_one(&nodes).await;
                    let name = json!({ "firstname": format!("Client {client}"), "lastname": format!("{done}") });
                    node.run("authors.create", name).await.data();
                    done += 1;
                }
                done
            })
        })
        .collect();
    for _ in 0..3 {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let new = Process::start_on(&server, data.path(), &[]).await;
        nodes.lock().expect("not poisoned").push(new.again(&ada));
        old.terminate();
        old.ended().await;
        nodes.lock().expect("not poisoned").remove(0);
        old = new;
    }
    stop.store(true, Ordering::SeqCst);
    let mut done = 0;
    for client in clients {
        done += client.await.expect("no request was dropped");
    }
    let ada = old.again(&ada);
    let mut listed = 0;
    let mut page = ada.read("authors.list", json!({ "limit": 50 })).await.data();
    loop {
        listed += page["authors"].as_array().map_or(0, Vec::len);
        let Some(next) = page["next_cursor"].as_str() else { break };
        page = ada.read("authors.list", json!({ "limit": 50, "cursor": next })).await.data();
    }
    assert_eq!(listed, done, "each acknowledged author is there, once");
    old.verify_ledger();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_revision_that_is_activated_is_served_by_every_node_within_seconds() {
    let Some(server) = tests::database::server() else { return };
    let data = tempfile::tempdir().expect("a folder");
    let first = Process::start_on(&server, data.path(), &[]).await;
    let second = Process::start_on(&server, data.path(), &[]).await;
    let ada = first.customer("ada@example.com", 1_000, "account:read assets:read").await;
    let doors = [ada.clone(), second.again(&ada)];
    let served = async |door: &Customer| door.get("/account").await.json();
    let activate = |revision: &str| operate(data.path(), &["catalog", "activate", revision]);
    for door in &doors {
        assert_eq!(served(door).await["meta"]["api_version"], "2026-09-28");
    }
    for revision in ["2026-08-15", "2026-09-28"] {
        let activated = activate(revision);
        assert!(activated.status.success(), "{}", String::from_utf8_lossy(&activated.stderr));
        for door in &doors {
            let begun = Instant::now();
            loop {
                let answer = served(door).await;
                if answer["meta"]["api_version"] == revision {
                    break;
                }
                // A debug build takes a while to read the modules' contracts.
                assert!(begun.elapsed() < Duration::from_secs(300), "still another revision: {answer}");
                tokio::time::sleep(Duration::from_millis(500)).await;
            }
        }
    }
    // What is not there is not activated, and whoever starts later serves what was.
    assert!(!activate("2020-02-02").status.success());
    assert!(activate("2026-08-15").status.success());
    let third = Process::start_on(&server, data.path(), &[]).await;
    assert_eq!(served(&third.again(&ada)).await["meta"]["api_version"], "2026-08-15");
    // One command leads back.
    assert!(activate("2026-09-28").status.success());
    let back = operate(data.path(), &["catalog", "rollback"]);
    let said: serde_json::Value = serde_json::from_slice(&back.stdout).unwrap_or_default();
    assert_eq!(said["revision"], "2026-08-15", "{}", String::from_utf8_lossy(&back.stderr));
}
