//! A small load generator: so many connections, each asks again as soon as it was answered.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// What a run measured.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Figures {
    /// Answers with status 200 in a second.
    pub(crate) rate: f64,
    /// Median time of one.
    pub(crate) median: Duration,
    /// 99th percentile.
    pub(crate) p99: Duration,
    /// Answers with another status.
    pub(crate) failed: u64,
    /// Answers of any status.
    pub(crate) answered: u64,
}

/// Makes the bytes of request number `n`.
pub(crate) type Maker = Arc<dyn Fn(u64) -> Vec<u8> + Send + Sync>;

/// Asks for `span` over `connections`.
pub(crate) async fn load(address: SocketAddr, connections: usize, span: Duration, make: Maker) -> Figures {
    let stop = Arc::new(AtomicBool::new(false));
    let next = Arc::new(AtomicU64::new(0));
    let begun = Instant::now();
    let tasks: Vec<_> =
        (0..connections).map(|_| tokio::spawn(connection(address, stop.clone(), next.clone(), make.clone()))).collect();
    tokio::time::sleep(span).await;
    stop.store(true, Ordering::Relaxed);
    let (mut times, mut failed) = (Vec::new(), 0);
    for task in tasks {
        let (mine, bad) = task.await.expect("a connection does not panic");
        times.extend(mine);
        failed += bad;
    }
    let elapsed = begun.elapsed();
    times.sort_unstable();
    let at = |share: f64| times.get((times.len() as f64 * share) as usize).copied().unwrap_or_default();
    let answered = times.len() as u64 + failed;
    Figures { rate: times.len() as f64 / elapsed.as_secs_f64(), median: at(0.5), p99: at(0.99), failed, answered }
}

async fn connection(
    address: SocketAddr,
    stop: Arc<AtomicBool>,
    next: Arc<AtomicU64>,
    make: Maker,
) -> (Vec<Duration>, u64) {
    let mut stream = TcpStream::connect(address).await.expect("the host listens");
    stream.set_nodelay(true).expect("a TCP option");
    let (mut times, mut failed, mut buffer) = (Vec::new(), 0, vec![0; 64 * 1024]);
    while !stop.load(Ordering::Relaxed) {
        let request = make(next.fetch_add(1, Ordering::Relaxed));
        let begun = Instant::now();
        stream.write_all(&request).await.expect("the host reads");
        if answer(&mut stream, &mut buffer).await {
            times.push(begun.elapsed());
        } else {
            failed += 1;
        }
    }
    (times, failed)
}

impl Figures {
    /// The middle of several runs, each figure for itself.
    pub(crate) fn middle(runs: &[Self]) -> Self {
        let at = runs.len() / 2;
        let middle = |of: fn(&Self) -> Duration| {
            let mut all: Vec<Duration> = runs.iter().map(of).collect();
            all.sort_unstable();
            all[at]
        };
        let mut rates: Vec<f64> = runs.iter().map(|it| it.rate).collect();
        rates.sort_by(f64::total_cmp);
        let sum = |of: fn(&Self) -> u64| runs.iter().map(of).sum();
        Self {
            rate: rates[at],
            median: middle(|it| it.median),
            p99: middle(|it| it.p99),
            failed: sum(|it| it.failed),
            answered: sum(|it| it.answered),
        }
    }
}

/// Reads one answer; true when its status is 200.
async fn answer(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> bool {
    let mut have = 0;
    loop {
        if have == buffer.len() {
            buffer.resize(have * 2, 0);
        }
        let read = stream.read(&mut buffer[have..]).await.expect("the host answers");
        assert!(read > 0, "the host closed the connection");
        have += read;
        if let Some(end) = buffer[..have].windows(4).position(|four| four == b"\r\n\r\n") {
            let head = std::str::from_utf8(&buffer[..end]).expect("ASCII").to_ascii_lowercase();
            let length: Option<usize> =
                head.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse().ok());
            let whole = |have: usize, buffer: &[u8]| match length {
                Some(length) => have >= end + 4 + length,
                // Peers send what they write in chunks; the last one is empty.
                None => buffer[..have].ends_with(b"\r\n0\r\n\r\n"),
            };
            while !whole(have, buffer) {
                if have == buffer.len() {
                    buffer.resize(have * 2, 0);
                }
                have += stream.read(&mut buffer[have..]).await.expect("the rest of the answer");
            }
            return head.starts_with("http/1.1 200");
        }
    }
}
