//! Long races that show what the tests show in small: twins under one key, refresh tokens in many hands, jobs of many
//! hosts that are killed.
//!
//! `cargo build -p tests --bins`, and then `target/debug/races twins|refresh|jobs|neighbour`, each with `--help`. Each ends
//! with its numbers, and with failure when anything happened twice or not at all, or a quiet customer was kept waiting.

mod jobs;
mod neighbour;
mod refresh;
mod twins;

use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use tests::host::Host;

#[derive(Parser)]
struct Asked {
    #[command(subcommand)]
    race: Race,
}

#[derive(Subcommand)]
enum Race {
    /// Many calls at once with one key: one committed effect, and the same answer for all.
    Twins(Rounds),
    /// Many requests at once with one refresh token: one winner at most.
    Refresh(Rounds),
    /// Many jobs on several hosts, which are killed: each is settled once.
    Jobs(jobs::Asked),
    /// A quiet customer beside a noisy one: its calls and jobs take about as long as alone.
    Neighbour(neighbour::Asked),
}

#[derive(Args)]
struct Rounds {
    #[arg(long, default_value_t = 100)]
    rounds: usize,
    /// Requests of one round.
    #[arg(long, default_value_t = 64)]
    racers: usize,
    /// Hosts; more than one needs PostgreSQL, which one host has only when `DATABASE_URL` says so.
    #[arg(long, default_value_t = 1)]
    nodes: usize,
}

fn main() -> ExitCode {
    let asked = Asked::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    let wrong = runtime.block_on(async {
        match asked.race {
            Race::Twins(rounds) => twins::race(&rounds).await,
            Race::Refresh(rounds) => refresh::race(&rounds).await,
            Race::Jobs(asked) => jobs::race(&asked).await,
            Race::Neighbour(asked) => neighbour::race(&asked).await,
        }
    });
    for what in wrong.iter().take(20) {
        println!("WRONG: {what}");
    }
    if wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A folder for the data of so many hosts: several share a PostgreSQL database, one has SQLite.
fn data_of(nodes: usize) -> tempfile::TempDir {
    let data = tempfile::tempdir().expect("a folder");
    if nodes > 1 {
        let server = tests::database::server().expect("several hosts need PostgreSQL");
        tests::database::on(&server, data.path());
    }
    data
}

/// This many hosts of one service.
async fn nodes(many: usize) -> Vec<Host> {
    if many == 1 {
        return vec![Host::start().await];
    }
    let server = tests::database::server().expect("several hosts need PostgreSQL");
    let mut nodes = vec![Host::start_with(|options| options.server(&server)).await];
    while nodes.len() < many {
        let next = Host::start_with(|options| {
            options.server(&server);
            options.beside(&nodes[0]);
        });
        nodes.push(next.await);
    }
    nodes
}
