//! What befalls hosts and database: kill -9, stalls within and beyond a lease, a crash of PostgreSQL, a disk that fails.

use std::time::Duration;

use model::clock::{Entropy, SeededEntropy};
use postgres_cluster::Cluster;
use tests::process::{Fault, Launch, Process};

use crate::Nodes;
use crate::clients::chance;

pub(crate) struct Harm {
    chance: SeededEntropy,
    cluster: Option<&'static Cluster>,
    /// Whether the hosts' disk can be made to fail.
    faults: bool,
    lease: Duration,
    launch: Launch,
    nodes: Nodes,
    /// What comes next, the next one last.
    deck: Vec<Card>,
    done: Done,
}

/// One thing that happens to one host.
#[derive(Clone, Copy)]
enum Card {
    Kill,
    Stall,
    /// Long enough that others have taken its jobs and it does not know.
    LongStall,
    /// The database crashes, or a disk does not sync.
    Storage,
    /// The database crashes, or a disk is full.
    Room,
}

/// What each round of the deck holds, so that a short run sees everything.
const DECK: [Card; 9] = [
    Card::Kill,
    Card::Kill,
    Card::Kill,
    Card::Stall,
    Card::Stall,
    Card::LongStall,
    Card::LongStall,
    Card::Storage,
    Card::Room,
];

/// How often each thing was done.
#[derive(Default)]
struct Done {
    kills: usize,
    stalls: usize,
    long_stalls: usize,
    crashes: usize,
    unsynced: usize,
    full: usize,
}

impl Harm {
    pub(crate) fn new(
        seed: u64,
        cluster: Option<&'static Cluster>,
        faults: bool,
        lease: Duration,
        launch: Launch,
        nodes: Nodes,
    ) -> Self {
        Self {
            chance: chance(seed, 0),
            cluster,
            faults,
            lease,
            launch,
            nodes,
            deck: DECK.to_vec(),
            done: Done::default(),
        }
    }

    /// Lets the hosts be for a moment, and then does one thing to them.
    pub(crate) async fn once(&mut self, hosts: &mut [Process]) {
        let card = self.draw();
        self.play(card, hosts).await;
    }

    /// The same, and it is a stall beyond the lease.
    pub(crate) async fn stall(&mut self, hosts: &mut [Process]) {
        self.play(Card::LongStall, hosts).await;
    }

    async fn play(&mut self, card: Card, hosts: &mut [Process]) {
        self.pause(300, 1_700).await;
        let at = self.below(hosts.len());
        match card {
            Card::Kill => {
                self.done.kills += 1;
                hosts[at].kill();
                self.nodes.lock().expect("not poisoned").remove(&at);
                self.start(at, hosts).await;
            }
            Card::Stall => {
                self.done.stalls += 1;
                hosts[at].suspend();
                self.pause(200, 1_500).await;
                hosts[at].resume();
            }
            Card::LongStall => {
                self.done.long_stalls += 1;
                hosts[at].suspend();
                let lease = self.lease.as_millis() as usize;
                self.pause(lease + 500, 2 * lease).await;
                hosts[at].resume();
            }
            Card::Storage if self.faults => {
                self.done.unsynced += 1;
                self.fail(&hosts[at], Fault::Sync).await;
            }
            Card::Room if self.faults => {
                self.done.full += 1;
                self.fail(&hosts[at], Fault::Full).await;
            }
            Card::Storage | Card::Room => {
                if let Some(cluster) = self.cluster {
                    self.done.crashes += 1;
                    // Returns when it answers again: a host that starts before finds no database and ends.
                    tokio::task::block_in_place(|| cluster.crash());
                }
            }
        }
    }

    fn draw(&mut self) -> Card {
        if self.deck.is_empty() {
            self.deck = DECK.to_vec();
            for last in (1..self.deck.len()).rev() {
                let at = self.below(last + 1);
                self.deck.swap(at, last);
            }
        }
        self.deck.pop().expect("it was filled")
    }

    /// Starts everything that is down, for good.
    pub(crate) async fn rest(&mut self, hosts: &mut [Process]) {
        for at in 0..hosts.len() {
            if !self.nodes.lock().expect("not poisoned").contains_key(&at) {
                self.start(at, hosts).await;
            }
        }
    }

    async fn fail(&self, host: &Process, fault: Fault) {
        host.fault(Some(fault));
        self.pause(200, 1_500).await;
        host.fault(None);
    }

    async fn start(&self, at: usize, hosts: &mut [Process]) {
        let host = self.launch.start().await;
        self.nodes.lock().expect("not poisoned").insert(at, host.rest().to_owned());
        hosts[at] = host;
    }

    /// What was done, in words.
    pub(crate) fn told(&self) -> String {
        let Done { kills, stalls, long_stalls, crashes, unsynced, full } = self.done;
        format!(
            "{kills} kills, {stalls} stalls and {long_stalls} beyond a lease, {crashes} crashes of the database, \
             {unsynced} times a disk did not sync and {full} times it was full"
        )
    }

    async fn pause(&self, least: usize, more: usize) {
        tokio::time::sleep(Duration::from_millis((least + self.below(more)) as u64)).await;
    }

    fn below(&self, bound: usize) -> usize {
        usize::from(u16::from_be_bytes((&self.chance as &dyn Entropy).array::<2>())) % bound.max(1)
    }
}
