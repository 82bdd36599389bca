//! One, two and three hosts on one PostgreSQL, each asked by its share of the connections and of the customers: whether
//! another host helps, or stands in the way. Here all of them share two cores with the database and the load, so flat is
//! good. Hosts that commit for the same customer wait for each other, which more hosts do not make faster.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;

use crate::doors::{READ, WRITE, created, marked};
use crate::load::{Figures, Maker, load};
use crate::product::{People, Product, address};
use crate::table::{Goal, Row, Table};
use crate::{CONNECTIONS, SPAN, wanted};

const MOST: usize = 3;

fn named(what: &str, hosts: usize) -> String {
    format!("{what}, {hosts} on one PostgreSQL")
}

/// Measures all of them on a server of this kind.
pub(crate) async fn rows(table: &mut Table, server: &str) {
    if ![READ, WRITE].iter().any(|what| (1..=MOST).any(|hosts| wanted(&named(what, hosts)))) {
        return;
    }
    let product = Product::start(Some(server)).await;
    let mut addresses = vec![product.address];
    let mut others = Vec::new();
    for hosts in 1..=MOST {
        if hosts > 1 {
            let other = product.another().await;
            addresses.push(address(other.rest()));
            others.push(other);
        }
        let keys: &'static str = ["", "alone", "two", "three"][hosts];
        let shares: Vec<People> = (0..hosts).map(|host| share(&product.people, host, hosts)).collect();
        let reads: Vec<Maker> = shares.iter().map(marked).collect();
        let writes: Vec<Maker> = shares.iter().map(|people| created(people, keys)).collect();
        for (what, makers) in [(READ, reads), (WRITE, writes)] {
            spread(&addresses, *SPAN / 8, &makers.iter().map(later).collect::<Vec<_>>()).await;
            let figures = spread(&addresses, *SPAN / 2, &makers).await;
            table.add(Row { name: named(what, hosts), at_once: CONNECTIONS, figures, cpu_us: None });
        }
    }
    for what in [READ, WRITE] {
        let rate = |hosts| table.rate(&named(what, hosts), CONNECTIONS);
        let ratio = (rate(MOST), rate(1));
        table.ratio(&format!("{what}: three hosts beside one on the same two cores"), ratio, Goal::AtLeast(0.8));
    }
    product.process.verify_ledger();
}

/// The customers of one host.
fn share(people: &People, host: usize, hosts: usize) -> People {
    people.iter().skip(host).step_by(hosts).cloned().collect()
}

/// The same requests with other numbers, to warm up with.
fn later(make: &Maker) -> Maker {
    let make = make.clone();
    Arc::new(move |number| make(500_000_000 + number))
}

/// Asks all hosts at the same time; what they did together.
async fn spread(addresses: &[SocketAddr], span: Duration, makers: &[Maker]) -> Figures {
    let shares = addresses.iter().zip(makers);
    let loads = shares.map(|(address, make)| load(*address, CONNECTIONS / addresses.len(), span, make.clone()));
    let each = join_all(loads).await;
    let sum = |of: fn(&Figures) -> u64| each.iter().map(of).sum();
    let longest = |of: fn(&Figures) -> Duration| each.iter().map(of).max().unwrap_or_default();
    Figures {
        rate: each.iter().map(|it| it.rate).sum(),
        median: longest(|it| it.median),
        p99: longest(|it| it.p99),
        failed: sum(|it| it.failed),
        answered: sum(|it| it.answered),
    }
}
