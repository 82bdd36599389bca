//! Q8: the primary of the database is lost in the middle of the work, and its standby takes over.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering};
use std::time::Duration;

use postgres_cluster::Pair;
use serde_json::json;
use tests::customer::Customer;
use tests::process::Launch;
use tests::{database, needs, site};
use tokio::net::{TcpListener, TcpStream};

const SCOPES: &str = "account:read websites:read assets:read assets:write seo:execute";
const PAGES: usize = 40;

/// One address that leads to whichever server is the primary, as a virtual address or a proxy does.
async fn lead(to: Arc<AtomicU16>) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    tokio::spawn(async move {
        while let Ok((mut client, _)) = listener.accept().await {
            let to = SocketAddr::from(([127, 0, 0, 1], to.load(Ordering::SeqCst)));
            tokio::spawn(async move {
                if let Ok(mut server) = TcpStream::connect(to).await {
                    let _ended = tokio::io::copy_bidirectional(&mut client, &mut server).await;
                }
            });
        }
    });
    port
}

#[tokio::test(flavor = "multi_thread")]
async fn q8_nothing_acknowledged_is_lost_when_a_standby_takes_over_in_the_middle() {
    let Some(pair) = tokio::task::spawn_blocking(Pair::start).await.expect("joined") else {
        needs::skip("PostgreSQL", postgres_cluster::HOW);
        return;
    };
    let primary = Arc::new(AtomicU16::new(pair.first));
    let port = lead(primary.clone()).await;
    let data = tempfile::tempdir().expect("a folder");
    let made = postgres_cluster::new_database(&format!("postgres://espalier@127.0.0.1:{}/postgres", pair.first));
    let name = made.rsplit('/').next().expect("a name");
    database::use_for(data.path(), &format!("postgres://espalier@127.0.0.1:{port}/{name}"));

    let folder = tempfile::tempdir().expect("a folder");
    site::pages(folder.path(), PAGES);
    let served = site::serve_folder(folder.path().to_path_buf()).await;
    let launch = Launch::on(data.path(), &[("many.example", served.address)]).lease(2);
    let (first, second) = (launch.start().await, launch.start().await);
    let ada = first.customer("ada@example.com", 1_000, SCOPES).await;
    first.points(&ada, 50).await;
    let site = ada.run("websites.create", json!({ "domain": "many.example" })).await.data();
    let arguments = json!({ "site_id": site["site_id"], "rate_rps": 10, "check_external": false });
    let run = json!({ "run_ref": ada.run("crawl.run.start", arguments).await.data()["run_ref"] });

    let stop = Arc::new(AtomicBool::new(false));
    let clients: Vec<_> = [first.again(&ada), second.again(&ada)]
        .into_iter()
        .enumerate()
        .map(|(client, door)| tokio::spawn(write(door, client, stop.clone())))
        .collect();
    tokio::time::sleep(Duration::from_secs(2)).await;
    tokio::task::block_in_place(|| pair.promote());
    primary.store(pair.second, Ordering::SeqCst);
    tokio::time::sleep(Duration::from_secs(3)).await;
    stop.store(true, Ordering::SeqCst);
    let mut acknowledged = Vec::new();
    for client in clients {
        acknowledged.extend(client.await.expect("a client does not panic"));
    }
    assert!(acknowledged.iter().any(|(_, _, after)| *after), "nothing was done after the standby took over");
    for (key, bytes, _) in &acknowledged {
        let again = ada.run_as("authors.create", author(key), key).await;
        assert_eq!(again.bytes, *bytes, "{key} was acknowledged");
    }
    let ended = second.again(&ada).wait_for("crawl.run.get", run, 120).await;
    let fetched = ended["totals"]["fetched"].as_u64();
    assert_eq!((ended["state"].as_str(), fetched), (Some("succeeded"), Some(PAGES as u64 + 1)), "{ended}");
    second.verify_ledger();
    second.verify_audit();
}

fn author(key: &str) -> serde_json::Value {
    json!({ "firstname": "Ada", "lastname": key })
}

/// Asks for one author after another, each until it is acknowledged: key, answer, and whether that took more than
/// one request.
async fn write(door: Customer, client: usize, stop: Arc<AtomicBool>) -> Vec<(String, Vec<u8>, bool)> {
    let (mut acknowledged, mut lost) = (Vec::new(), false);
    while !stop.load(Ordering::SeqCst) {
        let key = format!("failover-{client}-{}", acknowledged.len());
        loop {
            let answer = door.try_run("authors.create", author(&key), Some(&key)).await;
            match answer {
                Some(answer) if answer.status == 200 => {
                    acknowledged.push((key, answer.bytes, lost));
                    break;
                }
                // 503 while nobody can tell, 409 while a lost one may still run.
                Some(answer) => assert!(matches!(answer.status.as_u16(), 409 | 503), "{}", answer.status),
                None => {}
            }
            lost = true;
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
    acknowledged
}
