//! Clients that ask each thing several times, of several hosts, and remember every answer.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use model::clock::{Entropy, SeededEntropy};
use serde_json::json;
use tests::customer::Customer;

use crate::Nodes;

/// How long a client waits for an answer before it asks elsewhere.
const PATIENCE: Duration = Duration::from_secs(10);
/// Rounds in which a thing is asked for again when nobody has acknowledged it.
const ROUNDS: usize = 200;

/// One thing that was asked for, and what was acknowledged of it.
pub(crate) struct Record {
    customer: usize,
    key: String,
    body: String,
    /// The answer; none: never acknowledged.
    answer: Option<Vec<u8>>,
    /// Requests that it took.
    pub(crate) asked: usize,
    /// What contradicted what.
    wrong: Vec<String>,
}

pub(crate) struct Client {
    number: usize,
    customer: usize,
    token: String,
    nodes: Nodes,
    chance: SeededEntropy,
    http: reqwest::Client,
}

impl Client {
    pub(crate) fn new(seed: u64, number: usize, customer: usize, token: String, nodes: Nodes) -> Self {
        let http = reqwest::Client::builder().timeout(PATIENCE).build().expect("a client");
        Self { number, customer, token, nodes, chance: chance(seed, number as u64 + 1), http }
    }

    /// Asks for one thing after another until told to stop.
    pub(crate) async fn work(self, stop: Arc<AtomicBool>) -> Vec<Record> {
        let mut records = Vec::new();
        while !stop.load(Ordering::SeqCst) {
            records.push(self.one(records.len()).await);
        }
        records
    }

    /// Asks until somebody acknowledges: up to four twins at once, each of a host of its own.
    async fn one(&self, count: usize) -> Record {
        let key = format!("chaos-{}-{count}", self.number);
        let body = json!({ "firstname": format!("Client {}", self.number), "lastname": format!("Thing {count}") });
        let mut record =
            Record { customer: self.customer, key, body: body.to_string(), answer: None, asked: 0, wrong: Vec::new() };
        for _ in 0..ROUNDS {
            let twins = 1 + self.below(4);
            let answers = futures_util::future::join_all((0..twins).map(|_| self.ask(&record.key, &record.body)));
            for (status, bytes) in answers.await.into_iter().flatten() {
                record.take(status, bytes);
            }
            record.asked += twins;
            // Before anything is acknowledged, other arguments would be as good as the first.
            if record.answer.is_some() && self.below(8) == 0 {
                let other = json!({ "firstname": "Somebody", "lastname": "Else" }).to_string();
                if let Some((200, _)) = self.ask(&record.key, &other).await {
                    record.wrong.push(format!("{}: other arguments were taken under a used key", record.key));
                }
            }
            if record.answer.is_some() {
                return record;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        record.wrong.push(format!("{}: nobody acknowledged it", record.key));
        record
    }

    /// Nothing when the answer was lost on the way.
    async fn ask(&self, key: &str, body: &str) -> Option<(u16, Vec<u8>)> {
        let rest = {
            let nodes = self.nodes.lock().expect("not poisoned");
            let at = self.below(nodes.len().max(1));
            nodes.values().nth(at).cloned()?
        };
        let request = self.http.post(format!("{rest}/operations/authors.create")).bearer_auth(&self.token);
        let request = request.header("idempotency-key", key).header("content-type", "application/json");
        let answer = request.body(body.to_owned()).send().await.ok()?;
        let status = answer.status().as_u16();
        Some((status, answer.bytes().await.ok()?.to_vec()))
    }

    fn below(&self, bound: usize) -> usize {
        usize::from(u16::from_be_bytes((&self.chance as &dyn Entropy).array::<2>())) % bound
    }
}

impl Record {
    fn take(&mut self, status: u16, bytes: Vec<u8>) {
        match (status, &self.answer) {
            (200, None) => self.answer = Some(bytes),
            (200, Some(first)) if *first != bytes => self.wrong.push(format!("{}: two answers", self.key)),
            // 409: a twin runs at this moment, or the other arguments came first; 503: in doubt, ask again.
            (200 | 409 | 503, _) => {}
            (other, _) => {
                self.wrong.push(format!("{}: {other} {}", self.key, String::from_utf8_lossy(&bytes)));
            }
        }
    }
}

/// Chance that follows from the seed, another for each who asks.
pub(crate) fn chance(seed: u64, who: u64) -> SeededEntropy {
    let mut whole = [0; 32];
    whole[..8].copy_from_slice(&seed.to_be_bytes());
    whole[8..16].copy_from_slice(&who.to_be_bytes());
    SeededEntropy::new(whole)
}

/// What is not as it was acknowledged.
pub(crate) async fn judge(customers: &[Customer], records: &[Record]) -> Vec<String> {
    let mut wrong: Vec<String> = records.iter().flat_map(|record| record.wrong.clone()).collect();
    let mut expected: BTreeMap<usize, usize> = BTreeMap::new();
    for record in records {
        *expected.entry(record.customer).or_default() += 1;
        let Some(answer) = &record.answer else { continue };
        let again = customers[record.customer]
            .send(
                reqwest::Method::POST,
                "/operations/authors.create",
                &[("idempotency-key", &record.key)],
                Some(record.body.clone()),
            )
            .await;
        if again.bytes != *answer {
            let now = String::from_utf8_lossy(&again.bytes).into_owned();
            wrong.push(format!("{}: acknowledged, and now it is {} {now}", record.key, again.status));
        }
    }
    for (customer, expected) in expected {
        let listed = listed(&customers[customer]).await;
        if listed != expected {
            wrong.push(format!("{expected} effects were acknowledged and {listed} are there"));
        }
    }
    wrong
}

async fn listed(customer: &Customer) -> usize {
    let mut all = 0;
    let mut arguments = json!({ "limit": 50 });
    loop {
        let page = customer.read("authors.list", arguments).await.data();
        all += page["authors"].as_array().map_or(0, Vec::len);
        let Some(next) = page["next_cursor"].as_str() else { return all };
        arguments = json!({ "limit": 50, "cursor": next });
    }
}
