//! Clients that ask each thing several times, of several hosts, and remember every answer.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use model::clock::{Entropy, SeededEntropy};
use serde_json::json;
use tests::customer::Customer;

use crate::Nodes;

/// How long a client waits for an answer before it asks elsewhere.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long a thing is asked for again when nobody has acknowledged it.
const LONGEST: Duration = Duration::from_secs(60);

/// The code of a host that has stopped charging.
const WRONG_LEDGER: &[u8] = b"\"ledger_inconsistent\"";
/// What makes an effect.
const CREATE: &str = "authors.create";

/// How asking for a thing ended.
#[derive(PartialEq, Eq)]
enum Ended {
    /// Nobody has acknowledged anything yet.
    Open,
    /// This was the answer.
    Done(Vec<u8>),
    /// The points were not there.
    Unaffordable,
    /// Nobody will answer it any more.
    Lost,
}

/// One thing that was asked for, and what was acknowledged of it.
pub(crate) struct Record {
    customer: usize,
    key: String,
    body: String,
    ended: Ended,
    /// Requests that it took.
    pub(crate) asked: usize,
    /// What contradicted what.
    wrong: Vec<String>,
}

/// Whoever asks hosts at random, and takes a lost answer for no answer.
pub(crate) struct Caller {
    token: String,
    nodes: Nodes,
    chance: SeededEntropy,
    http: reqwest::Client,
}

impl Caller {
    pub(crate) fn new(seed: u64, who: u64, token: String, nodes: Nodes) -> Self {
        let http = reqwest::Client::builder().timeout(PATIENCE).build().expect("a client");
        Self { token, nodes, chance: chance(seed, who), http }
    }

    /// Nothing when the answer was lost on the way.
    pub(crate) async fn ask(&self, operation: &str, key: Option<&str>, body: &str) -> Option<(u16, Vec<u8>)> {
        let rest = {
            let nodes = self.nodes.lock().expect("not poisoned");
            let at = self.below(nodes.len().max(1));
            nodes.values().nth(at).cloned()?
        };
        let request = self.http.post(format!("{rest}/operations/{operation}")).bearer_auth(&self.token);
        let request = key.map_or(request.try_clone().expect("no stream"), |key| request.header("idempotency-key", key));
        let answer = request.header("content-type", "application/json").body(body.to_owned()).send().await.ok()?;
        let status = answer.status().as_u16();
        Some((status, answer.bytes().await.ok()?.to_vec()))
    }

    pub(crate) fn below(&self, bound: usize) -> usize {
        usize::from(u16::from_be_bytes((&self.chance as &dyn Entropy).array::<2>())) % bound
    }
}

/// Asks for one thing after another.
pub(crate) struct Client {
    number: usize,
    customer: usize,
    caller: Caller,
}

impl Client {
    pub(crate) fn new(number: usize, customer: usize, caller: Caller) -> Self {
        Self { number, customer, caller }
    }

    /// Asks for one thing after another until told to stop, or until the points are gone.
    pub(crate) async fn work(self, stop: Arc<AtomicBool>) -> Vec<Record> {
        let mut records = Vec::new();
        while !stop.load(Ordering::SeqCst) {
            let record = self.one(records.len()).await;
            let poor = record.ended == Ended::Unaffordable;
            records.push(record);
            if poor {
                // The day's allowance does not come back while this runs.
                tokio::time::sleep(Duration::from_millis(500)).await;
            }
        }
        records
    }

    /// Asks until somebody acknowledges: up to four twins at once, each of a host of its own.
    async fn one(&self, count: usize) -> Record {
        let key = format!("chaos-{}-{count}", self.number);
        let body = json!({ "firstname": format!("Client {}", self.number), "lastname": format!("Thing {count}") });
        let mut record = Record {
            customer: self.customer,
            key,
            body: body.to_string(),
            ended: Ended::Open,
            asked: 0,
            wrong: Vec::new(),
        };
        let begun = Instant::now();
        while begun.elapsed() < LONGEST {
            let twins = 1 + self.caller.below(4);
            let ask = || self.caller.ask(CREATE, Some(&record.key), &record.body);
            let answers = futures_util::future::join_all((0..twins).map(|_| ask())).await;
            for (status, bytes) in answers.into_iter().flatten() {
                record.take(status, bytes);
            }
            record.asked += twins;
            // Before anything is acknowledged, other arguments would be as good as the first.
            if matches!(record.ended, Ended::Done(_)) && self.caller.below(8) == 0 {
                let other = json!({ "firstname": "Somebody", "lastname": "Else" }).to_string();
                if let Some((200, _)) = self.caller.ask(CREATE, Some(&record.key), &other).await {
                    record.wrong.push(format!("{}: other arguments were taken under a used key", record.key));
                }
            }
            if record.ended != Ended::Open {
                return record;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        record.wrong.push(format!("{}: nobody acknowledged it", record.key));
        record
    }
}

impl Record {
    fn take(&mut self, status: u16, bytes: Vec<u8>) {
        match (status, &self.ended) {
            (200, Ended::Open) => self.ended = Ended::Done(bytes),
            (402, Ended::Open | Ended::Unaffordable) => self.ended = Ended::Unaffordable,
            (200, Ended::Done(first)) if *first != bytes => self.wrong.push(format!("{}: two answers", self.key)),
            (200, Ended::Done(_)) => {}
            (503, _) if is_wrong_ledger(&bytes) => {
                self.wrong.push(format!("{}: a host found its ledger wrong", self.key));
                self.ended = Ended::Lost;
            }
            // 409: a twin runs at this moment, or the other arguments came first; 503: in doubt, ask again.
            (409 | 503, _) => {}
            (other, _) => {
                self.wrong.push(format!("{}: {other} {}", self.key, String::from_utf8_lossy(&bytes)));
            }
        }
    }
}

/// Whether a host says that it has stopped charging.
pub(crate) fn is_wrong_ledger(body: &[u8]) -> bool {
    body.windows(WRONG_LEDGER.len()).any(|part| part == WRONG_LEDGER)
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
        let Ended::Done(answer) = &record.ended else { continue };
        *expected.entry(record.customer).or_default() += 1;
        let again = customers[record.customer]
            .send(
                reqwest::Method::POST,
                &format!("/operations/{CREATE}"),
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
        match listed(&customers[customer]).await {
            Ok(listed) if listed == expected => {}
            Ok(listed) => wrong.push(format!("{expected} effects were acknowledged and {listed} are there")),
            Err(refused) => wrong.push(format!("what is there cannot be read: {refused}")),
        }
    }
    wrong
}

async fn listed(customer: &Customer) -> Result<usize, String> {
    let mut all = 0;
    let mut arguments = json!({ "limit": 50 });
    loop {
        let page = customer.read("authors.list", arguments).await;
        if page.status != 200 {
            return Err(String::from_utf8_lossy(&page.bytes).into_owned());
        }
        let page = page.data();
        all += page["authors"].as_array().map_or(0, Vec::len);
        let Some(next) = page["next_cursor"].as_str() else { return Ok(all) };
        arguments = json!({ "limit": 50, "cursor": next });
    }
}
