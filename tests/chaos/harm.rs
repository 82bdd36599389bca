//! What befalls hosts and database: kill -9, a stall, a crash of PostgreSQL.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Duration;

use model::clock::{Entropy, SeededEntropy};
use postgres_cluster::Cluster;
use tests::host::Process;

use crate::Nodes;
use crate::clients::chance;

pub(crate) struct Harm {
    chance: SeededEntropy,
    cluster: Option<&'static Cluster>,
    nodes: Nodes,
    kills: usize,
    stalls: usize,
    crashes: usize,
}

impl Harm {
    pub(crate) fn new(seed: u64, cluster: Option<&'static Cluster>, nodes: Nodes) -> Self {
        Self { chance: chance(seed, 0), cluster, nodes, kills: 0, stalls: 0, crashes: 0 }
    }

    /// Lets the hosts be for a moment, and then does one thing to them.
    pub(crate) async fn once(&mut self, hosts: &mut [Process], data: &Path, names: &[(&str, SocketAddr)]) {
        tokio::time::sleep(Duration::from_millis(300 + self.below(1_700) as u64)).await;
        let at = self.below(hosts.len());
        match self.below(10) {
            0..=5 => {
                self.kills += 1;
                hosts[at].kill();
                self.nodes.lock().expect("not poisoned").remove(&at);
                self.start(at, hosts, data, names).await;
            }
            6..=7 => {
                self.stalls += 1;
                hosts[at].suspend();
                tokio::time::sleep(Duration::from_millis(500 + self.below(4_000) as u64)).await;
                hosts[at].resume();
            }
            _ => {
                if let Some(cluster) = self.cluster {
                    self.crashes += 1;
                    // Returns when it answers again: a host that starts before finds no database and ends.
                    tokio::task::block_in_place(|| cluster.crash());
                }
            }
        }
    }

    /// Starts everything that is down, for good.
    pub(crate) async fn rest(&mut self, hosts: &mut [Process], data: &Path, names: &[(&str, SocketAddr)]) {
        for at in 0..hosts.len() {
            if !self.nodes.lock().expect("not poisoned").contains_key(&at) {
                self.start(at, hosts, data, names).await;
            }
        }
    }

    async fn start(&self, at: usize, hosts: &mut [Process], data: &Path, names: &[(&str, SocketAddr)]) {
        let host = Process::start(data, names).await;
        self.nodes.lock().expect("not poisoned").insert(at, host.rest().to_owned());
        hosts[at] = host;
    }

    /// What was done, in words.
    pub(crate) fn told(&self) -> String {
        format!("{} kills, {} stalls, {} crashes of the database", self.kills, self.stalls, self.crashes)
    }

    fn below(&self, bound: usize) -> usize {
        usize::from(u16::from_be_bytes((&self.chance as &dyn Entropy).array::<2>())) % bound.max(1)
    }
}
