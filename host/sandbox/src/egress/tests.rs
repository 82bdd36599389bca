//! Tests of the case tables, decided without sending a packet. `tests/egress` repeats them in an environment where
//! packets could leave.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::net::TcpListener;
use url::Url;

use super::target::{self, Name};
use super::{Decision, Failure, Fetch, Fetched, Freshness, Guard, Verdict};
use crate::config::OutboundPolicy;

mod table;

use table::{urls, word};

async fn asked(guard: &Guard, url: &str) -> (Result<Fetched, Failure>, Vec<Decision>) {
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
    let mut trail = Vec::new();
    (guard.fetch(fetch, &mut trail).await, trail)
}

/// A listener on loopback that counts connections.
async fn counter() -> (SocketAddr, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("it has an address");
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            counted.fetch_add(1, Ordering::SeqCst);
            drop(stream);
        }
    });
    (address, count)
}

#[tokio::test]
async fn every_case_of_the_tables_is_decided_as_it_says() {
    let guard = Guard::new(OutboundPolicy::default()).expect("a guard");
    let cases = urls();
    assert!(cases.len() >= 600, "{} cases", cases.len());
    let mut wrong = Vec::new();
    for case in cases.iter().filter(|case| !case.is_permitted()) {
        let Some(Err(refused)) = decided(&guard, &case.asked) else {
            wrong.push(format!("{case:?} is permitted"));
            continue;
        };
        let found = word(refused.verdict);
        if found != case.expected {
            wrong.push(format!("{case:?} is refused as {found}"));
            continue;
        }
        let (page, trail) = asked(&guard, &case.asked).await;
        if page.map_err(|failure| failure.to_string()).err().as_deref() != Some("refused") || trail != [refused] {
            wrong.push(format!("{case:?} is not refused in one word and one line: {trail:?}"));
        }
    }
    for case in cases.iter().filter(|case| case.is_permitted()) {
        if let Some(Err(refused)) = decided(&guard, &case.asked) {
            wrong.push(format!("{case:?} is refused as {}", word(refused.verdict)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The guard's decision before name resolution; `None` if it would resolve the name.
fn decided(guard: &Guard, url: &str) -> Option<Result<(), Decision>> {
    let target = match target::parse(url) {
        Ok(target) => target,
        Err(refused) => return Some(Err(refused)),
    };
    match &target.host {
        Name::Address(address) => Some(guard.judge(&target, &[*address])),
        Name::Domain(_) => {
            let broken = guard.closed(&target)?;
            Some(Err(super::resolve::decision(&target, None, broken)))
        }
    }
}

#[tokio::test]
async fn a_listener_on_loopback_hears_of_no_refused_case() {
    let (address, count) = counter().await;
    // The port is open, so that only the address can be refused.
    let policy = OutboundPolicy { ports: vec![address.port()], ..OutboundPolicy::default() };
    let guard = Guard::new(policy).expect("a guard");
    let opened = ["0.0.0.0/0", "::/0"].map(|range| range.parse().expect("a range")).to_vec();
    let open = Guard::new(OutboundPolicy { allow_private: opened, ..OutboundPolicy::default() }).expect("a guard");
    let mut loopback = Vec::new();
    for case in urls().into_iter().filter(|case| case.expected.starts_with("address:")) {
        let mut url = Url::parse(&case.asked).expect("a URL with an address");
        url.set_port(Some(address.port())).expect("a host takes a port");
        let (page, trail) = asked(&guard, url.as_str()).await;
        assert_eq!(page.expect_err("no page"), Failure::Refused, "{case:?}");
        assert_eq!((trail.len(), word(trail[0].verdict)), (1, case.expected.clone()), "{case:?}");
        if case.expected == "address:loopback" && url.scheme() == "http" && url.host_str() == Some("127.0.0.1") {
            loopback.push(url);
        }
    }
    assert_eq!(count.load(Ordering::SeqCst), 0);
    // Control: without the guard, the counter does count connections to these addresses.
    assert!(loopback.len() >= 30, "{} forms of 127.0.0.1", loopback.len());
    for (number, url) in loopback.iter().enumerate() {
        let (page, trail) = asked(&open, url.as_str()).await;
        assert_eq!(page.expect_err("the listener says nothing"), Failure::Unreachable, "{url}");
        assert_eq!(trail[0].verdict, Verdict::Permitted, "{url}");
        assert_eq!(count.load(Ordering::SeqCst), number + 1, "{url}");
    }
}

#[test]
fn an_address_of_this_machine_is_known_without_a_list() {
    let own = |text: &str| super::address::is_own(text.parse().expect("an address"));
    assert!(own("127.0.0.1"));
    assert!(!own("8.8.8.8") && !own("93.184.215.14") && !own("2606:4700::1111"));
}
