//! A test site that serves configured paths and records its requests in order.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use model::clock::{FixedClock, Moment, SeededEntropy};
use store::Store;
use store::edges::turns::Pace;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio::time::Instant;

use super::{Failure, Fetch, Fetched, Freshness, Guard, Manners};
use crate::config::OutboundPolicy;

/// The start time of every test.
pub(super) const NOW: Moment = Moment(1_790_000_000_000);
/// A rate at which no test waits.
pub(super) const QUICK: Pace = Pace { every: Duration::from_millis(1), burst: 64 };

/// A site on one port.
#[derive(Clone)]
pub(super) struct Site {
    pub(super) address: SocketAddr,
    answers: Arc<Mutex<BTreeMap<String, String>>>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Site {
    /// Starts a site without pages.
    pub(super) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("it has an address");
        let site = Self { address, answers: Arc::default(), asked: Arc::default() };
        let (answers, asked) = (Arc::clone(&site.answers), Arc::clone(&site.asked));
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let mut request = vec![0; 4_096];
                let read = stream.read(&mut request).await.unwrap_or(0);
                let request = String::from_utf8_lossy(&request[..read]).into_owned();
                let path = request.split(' ').nth(1).unwrap_or_default().to_owned();
                let answer = answers.lock().expect("no panic").get(&path).cloned();
                asked.lock().expect("no panic").push(request);
                let answer = answer.unwrap_or_else(|| "HTTP/1.1 404 X\r\ncontent-length: 0\r\n\r\n".to_owned());
                if answer.is_empty() {
                    continue;
                }
                stream.write_all(answer.as_bytes()).await.ok();
            }
        });
        site
    }

    /// Sets the status, headers and body of a path.
    pub(super) fn serve(&self, path: &str, status: u16, headers: &[&str], body: &str) {
        let headers: String = headers.iter().map(|header| format!("{header}\r\n")).collect();
        let answer = format!("HTTP/1.1 {status} X\r\n{headers}content-length: {}\r\n\r\n{body}", body.len());
        self.answers.lock().expect("no panic").insert(path.to_owned(), answer);
    }

    /// Closes the connection on requests for a path.
    pub(super) fn hang_up(&self, path: &str) {
        self.answers.lock().expect("no panic").insert(path.to_owned(), String::new());
    }

    /// The requested paths, in order.
    pub(super) fn asked(&self) -> Vec<String> {
        let path = |request: &String| request.split(' ').nth(1).unwrap_or_default().to_owned();
        self.asked.lock().expect("no panic").iter().map(path).collect()
    }

    /// The last request as received.
    pub(super) fn last(&self) -> String {
        self.asked.lock().expect("no panic").last().cloned().unwrap_or_default()
    }

    /// A guard that reaches the site as `shop.example` and `other.example`.
    pub(super) fn guard(&self, pace: Pace) -> Guard {
        let names = ["shop.example", "other.example"].map(|name| (name.to_owned(), self.address));
        Guard::new(OutboundPolicy { resolve: names.into(), pace, ..OutboundPolicy::default() }).expect("a guard")
    }
}

/// A store, and the clock of all nodes on it.
pub(super) async fn store() -> (Store, Arc<FixedClock>) {
    let clock = Arc::new(FixedClock::at(NOW));
    let store = Store::memory(Arc::<FixedClock>::clone(&clock), Arc::new(SeededEntropy::new([3; 32])));
    (store.await.expect("a store in memory"), clock)
}

/// Waits up to a minute for a slot.
pub(super) fn manners(store: &Store) -> Manners {
    Manners::new(store.clone(), Instant::now() + Duration::from_secs(60))
}

/// An ordinary fetch of a page of `shop.example`.
pub(super) fn page(path: &str) -> Fetch {
    Fetch {
        head: false,
        url: format!("http://shop.example{path}"),
        headers: Vec::new(),
        follow: 5,
        max_bytes: 1 << 20,
        timeout: Duration::from_secs(5),
        freshness: Freshness::Fresh,
        within: None,
    }
}

pub(super) async fn visit(guard: &Guard, fetch: Fetch, manners: &Manners) -> Result<Fetched, Failure> {
    guard.visit(fetch, manners, &mut Vec::new()).await
}
