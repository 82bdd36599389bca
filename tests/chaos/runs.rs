//! Crawls, one after the other: each must end well, with each page once, whatever befalls the hosts meanwhile. Beside
//! them a noisy customer queues slow jobs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::clients::{Caller, is_wrong_ledger};

/// How long a slow job may take to be queued.
const PATIENCE: Duration = Duration::from_secs(180);

/// Starts crawls until told to stop; none may take longer than `longest`. Returns how many ended well, and what was wrong.
pub(crate) async fn work(
    caller: Caller,
    number: usize,
    (site, pages): (Value, usize),
    longest: Duration,
    stop: Arc<AtomicBool>,
) -> (usize, Vec<String>) {
    let (mut ended, mut wrong) = (0, Vec::new());
    while !stop.load(Ordering::SeqCst) {
        let body = json!({ "site_id": site, "rate_rps": 10, "check_external": false }).to_string();
        let key = format!("chaos-run-{number}-{ended}");
        match one(&caller, &key, &body, (pages, longest)).await {
            Ok(()) => ended += 1,
            Err(what) => {
                wrong.push(format!("{key}: {what}"));
                break;
            }
        }
    }
    (ended, wrong)
}

async fn one(caller: &Caller, key: &str, body: &str, (pages, longest): (usize, Duration)) -> Result<(), String> {
    let limit = (Instant::now(), longest);
    let run = until(caller, limit, "crawl.run.start", Some(key), body).await?["run_ref"].clone();
    let query = json!({ "run_ref": run }).to_string();
    loop {
        let now = until(caller, limit, "crawl.run.get", None, &query).await?;
        match now["state"].as_str() {
            Some("queued" | "running") => tokio::time::sleep(Duration::from_millis(200)).await,
            Some("succeeded") if now["totals"]["fetched"].as_u64() == Some(pages as u64 + 1) => return Ok(()),
            _ => return Err(format!("a crawl of {pages} pages and their start ended {}: {now}", now["state"])),
        }
    }
}

/// A noisy customer: queues checks of a site that never answers, until told to stop. Returns how many, and what was
/// wrong.
pub(crate) async fn crowd(caller: Caller, most: usize, stop: Arc<AtomicBool>) -> (usize, Vec<String>) {
    let urls: Vec<String> = (0..40).map(|at| format!("http://slow.example/{at}")).collect();
    let body = json!({ "urls": urls }).to_string();
    let mut queued = 0;
    while queued < most && !stop.load(Ordering::SeqCst) {
        let key = format!("chaos-crowd-{queued}");
        match until(&caller, (Instant::now(), PATIENCE), "crawl.url.batch_check", Some(&key), &body).await {
            Ok(_) => queued += 1,
            Err(what) => return (queued, vec![format!("{key}: {what}")]),
        }
    }
    (queued, Vec::new())
}

/// Asks until there is an answer.
async fn until(
    caller: &Caller,
    (begun, longest): (Instant, Duration),
    operation: &str,
    key: Option<&str>,
    body: &str,
) -> Result<Value, String> {
    while begun.elapsed() < longest {
        match caller.ask(operation, key, body).await {
            Some((200, bytes)) => {
                let answer: Value = serde_json::from_slice(&bytes).map_err(|error| error.to_string())?;
                return Ok(answer["data"].clone());
            }
            Some((503, bytes)) if is_wrong_ledger(&bytes) => return Err("a host found its ledger wrong".to_owned()),
            None | Some((409 | 429 | 503, _)) => tokio::time::sleep(Duration::from_millis(200)).await,
            Some((status, bytes)) => {
                return Err(format!("{operation}: {status} {}", String::from_utf8_lossy(&bytes)));
            }
        }
    }
    Err(format!("it did not end within {} seconds", longest.as_secs()))
}
