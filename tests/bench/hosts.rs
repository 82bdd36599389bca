//! One, two and three hosts on one PostgreSQL, each asked by its share of the connections: whether another host helps, or
//! stands in the way. Here all of them share two cores with the database and the load, so flat is good.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;

use crate::doors::{READ, WRITE, created, marked};
use crate::load::{Figures, Maker, load};
use crate::product::{Product, address};
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
        for (what, make) in [(READ, marked(&product.people)), (WRITE, created(&product.people, keys))] {
            spread(&addresses, *SPAN / 8, later(make.clone())).await;
            let figures = spread(&addresses, *SPAN / 2, make).await;
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

/// The same requests with other numbers, to warm up with.
fn later(make: Maker) -> Maker {
    Arc::new(move |number| make(500_000_000 + number))
}

/// Asks all hosts at the same time; what they did together.
async fn spread(addresses: &[SocketAddr], span: Duration, make: Maker) -> Figures {
    let loads = addresses.iter().enumerate().map(|(host, address)| {
        let make = make.clone();
        // Keys of one host are not those of another.
        let mine: Maker = Arc::new(move |number| make(host as u64 * 10_000_000 + number));
        load(*address, CONNECTIONS / addresses.len(), span, mine)
    });
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
