//! Tests of rate limiting, observed from the site.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use model::clock::{FixedClock, SeededEntropy};
use store::edges::turns::Pace;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::*;
use crate::config::OutboundPolicy;
use crate::egress::{Fetch, Freshness};

const NOW: Moment = Moment(1_790_000_000_000);

/// A site that always sends this response and counts requests.
async fn site(answer: &'static str) -> (SocketAddr, Arc<Mutex<u32>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("it has an address");
    let asked = Arc::new(Mutex::new(0));
    let counter = Arc::clone(&asked);
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = vec![0; 4_096];
            let read = stream.read(&mut request).await.unwrap_or(0);
            *counter.lock().expect("no panic") += 1;
            let moved = request[..read].starts_with(b"GET /moved").then_some("HTTP/1.1 302 X\r\nlocation: /\r\n\r\n");
            stream.write_all(moved.unwrap_or(answer).as_bytes()).await.ok();
        }
    });
    (address, asked)
}

fn guard(address: SocketAddr, pace: Pace) -> Guard {
    let resolve = [("shop.example".to_owned(), address), ("other.example".to_owned(), address)].into();
    Guard::new(OutboundPolicy { resolve, pace, ..OutboundPolicy::default() }).expect("a guard")
}

async fn store() -> Store {
    let (clock, entropy) = (Arc::new(FixedClock::at(NOW)), Arc::new(SeededEntropy::new([3; 32])));
    Store::memory(clock, entropy).await.expect("a store in memory")
}

async fn visit(guard: &Guard, url: &str, manners: &Manners) -> Result<u16, Failure> {
    let fetch = Fetch {
        head: false,
        url: url.to_owned(),
        headers: Vec::new(),
        follow: 5,
        max_bytes: 1_024,
        timeout: Duration::from_secs(5),
        freshness: Freshness::Fresh,
        within: None,
    };
    guard.visit(fetch, manners, &mut Vec::new()).await.map(|page| page.status)
}

/// Ignores robots.txt, so that the requests for it are not counted.
fn asking(store: Store, until: Instant) -> Manners {
    Manners::new(store, until).obeying(Obey::Nothing)
}

const OK: &str = "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
const SLOWLY: Pace = Pace { every: Duration::from_secs(3_600), burst: 2 };

#[tokio::test]
async fn two_guards_over_one_store_share_the_turns_at_a_host() {
    let (address, asked) = site(OK).await;
    let (here, there) = (guard(address, SLOWLY), guard(address, SLOWLY));
    let manners = asking(store().await, Instant::now() + Duration::from_secs(5));
    assert_eq!(visit(&here, "http://shop.example/", &manners).await, Ok(200));
    assert_eq!(visit(&there, "http://shop.example/", &manners).await, Ok(200));
    for guard in [&here, &there] {
        assert_eq!(visit(guard, "http://shop.example/", &manners).await, Err(Failure::Paced(SLOWLY.every)));
    }
    assert_eq!(*asked.lock().expect("no panic"), 2);
    // Slots are per host.
    assert_eq!(visit(&here, "http://other.example/", &manners).await, Ok(200));
}

#[tokio::test]
async fn each_redirect_takes_a_turn() {
    let (address, asked) = site(OK).await;
    let guard = guard(address, Pace { burst: 1, ..SLOWLY });
    let manners = asking(store().await, Instant::now() + Duration::from_secs(5));
    let visited = visit(&guard, "http://shop.example/moved", &manners).await;
    assert_eq!(visited, Err(Failure::Paced(SLOWLY.every)));
    assert_eq!(*asked.lock().expect("no panic"), 1);
}

#[tokio::test]
async fn a_turn_that_is_near_is_waited_for_and_counted_to_nobodys_timeout() {
    let (address, asked) = site(OK).await;
    let guard = guard(address, Pace { every: Duration::from_millis(20), burst: 1 });
    let manners = asking(store().await, Instant::now() + Duration::from_secs(60));
    for _ in 0..5 {
        assert_eq!(visit(&guard, "http://shop.example/", &manners).await, Ok(200));
    }
    assert_eq!(*asked.lock().expect("no panic"), 5);
}

#[tokio::test]
async fn a_host_that_asks_for_a_pause_has_it_whoever_asks_next() {
    for (answer, pause) in [
        ("HTTP/1.1 429 X\r\nretry-after: 77\r\ncontent-length: 0\r\n\r\n", 77),
        ("HTTP/1.1 503 X\r\ncontent-length: 0\r\n\r\n", 5),
        ("HTTP/1.1 503 X\r\nretry-after: 86400\r\ncontent-length: 0\r\n\r\n", 120),
    ] {
        let (address, asked) = site(answer).await;
        let guard = guard(address, Pace { every: Duration::from_secs(1), burst: 8 });
        let manners = asking(store().await, Instant::now() + Duration::from_secs(4));
        assert!(visit(&guard, "http://shop.example/", &manners).await.is_ok());
        let next = visit(&guard, "http://shop.example/", &manners).await;
        assert_eq!(next, Err(Failure::Paced(Duration::from_secs(pause))), "{answer}");
        assert_eq!(*asked.lock().expect("no panic"), 1);
    }
}

#[test]
fn a_pause_is_said_in_seconds_or_as_a_date() {
    // The moment is 14:13:20 on 21 September 2026.
    let read = |text: &str| retry_after(text, NOW).map(|pause| pause.as_secs());
    assert_eq!(read(" 12 "), Some(12));
    assert_eq!(read("Mon, 21 Sep 2026 14:14:20 GMT"), Some(60));
    assert_eq!(read("Mon, 21 Sep 2020 14:14:20 GMT"), Some(0));
    assert_eq!(read("soon"), None);
    assert_eq!(read("-1"), None);
}

#[tokio::test]
async fn many_jobs_at_one_host_leave_a_call_its_turn_and_use_all_others() {
    let (address, asked) = site("HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").await;
    let every = Duration::from_millis(100);
    let guard = Arc::new(guard(address, Pace { every, burst: 1 }));
    let store =
        Store::memory(Arc::new(model::clock::SystemClock), Arc::new(SeededEntropy::new([3; 32]))).await.unwrap();
    let until = || Instant::now() + Duration::from_secs(15);
    let jobs: Vec<_> = (0..12)
        .map(|_| {
            let (guard, manners) = (Arc::clone(&guard), asking(store.clone(), until()).along(Lane::Job));
            tokio::spawn(async move {
                for _ in 0..4 {
                    visit(&guard, "http://shop.example/", &manners).await.expect("within its patience");
                }
            })
        })
        .collect();
    tokio::time::sleep(4 * every).await;
    for _ in 0..5 {
        visit(&guard, "http://shop.example/", &asking(store.clone(), until())).await.expect("a turn");
    }
    let asked_by_then = *asked.lock().unwrap();
    assert!(asked_by_then < 35, "five calls one after another waited behind {asked_by_then} of 53 requests");
    for job in jobs {
        job.await.expect("it ends");
    }
    assert_eq!(*asked.lock().unwrap(), 12 * 4 + 5);
}

/// What several at one host get when all want slots at once, in the order in which they ask.
async fn first_slots(lanes: &[Lane], pace: Pace) -> Vec<bool> {
    let (address, _) = site(OK).await;
    let (guard, store) = (guard(address, pace), store().await);
    let mut got = Vec::new();
    for lane in lanes {
        let owned = (*lane == Lane::Owner).then(|| "shop.example".into());
        let lane = if *lane == Lane::Owner { Lane::Job } else { *lane };
        let manners = asking(store.clone(), Instant::now()).along(lane).owning(owned);
        got.push(visit(&guard, "http://shop.example/", &manners).await.is_ok());
    }
    got
}

#[tokio::test]
async fn a_strangers_job_leaves_slots_to_an_owners_and_both_leave_some_to_calls() {
    use Lane::{Call, Job, Owner};
    let pace = Pace { every: Duration::from_secs(3_600), burst: 4 };
    let lanes = [Job, Job, Job, Owner, Owner, Job, Call, Owner, Call];
    assert_eq!(first_slots(&lanes, pace).await, [true, true, false, true, false, false, true, false, false]);
}

#[tokio::test]
async fn a_job_is_an_owners_at_the_proven_host_and_below_it_alone() {
    let manners = asking(store().await, Instant::now()).along(Lane::Job).owning(Some("shop.example".into()));
    for (host, lane) in [
        ("shop.example", Lane::Owner),
        ("www.shop.example", Lane::Owner),
        ("myshop.example", Lane::Job),
        ("example", Lane::Job),
    ] {
        assert_eq!(manners.lane_at(host), lane, "{host}");
    }
}

#[tokio::test]
async fn one_customers_calls_take_few_slots_ahead_and_anothers_comes_next() {
    let (address, _) = site("HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").await;
    let every = Duration::from_millis(200);
    let guard = Arc::new(guard(address, Pace { every, burst: 1 }));
    let store =
        Store::memory(Arc::new(model::clock::SystemClock), Arc::new(SeededEntropy::new([3; 32]))).await.unwrap();
    let until = || Instant::now() + Duration::from_secs(15);
    let of = |name: &str| asking(store.clone(), until()).of(name.into());
    let done = Arc::new(Mutex::new(0));
    let crowd: Vec<_> = (0..20)
        .map(|_| {
            let (guard, manners, done) = (Arc::clone(&guard), of("cus_ada"), Arc::clone(&done));
            tokio::spawn(async move {
                visit(&guard, "http://shop.example/", &manners).await.expect("within its patience");
                *done.lock().expect("no panic") += 1;
            })
        })
        .collect();
    tokio::time::sleep(every).await;
    visit(&guard, "http://shop.example/", &of("cus_bob")).await.expect("a slot");
    let before = *done.lock().expect("no panic");
    assert!(before <= 8, "a call waited behind {before} of another customer");
    for one in crowd {
        one.await.expect("it ends");
    }
}
