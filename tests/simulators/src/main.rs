//! The simulators alone, for trying out: prints where each is and what to paste, and stays.

use simulators::Seed;

/// The control listener has this port, the providers the ports after it.
const FIRST: u16 = 8600;

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> std::io::Result<()> {
    let world = simulators::start_from(Seed(1), FIRST).await?;
    println!("control {}", world.control());
    for simulator in world.simulators() {
        println!("{} {} {}", simulator.name(), simulator.url(), simulator.credentials());
    }
    println!("smtp {} {}", world.smtp.url(), world.smtp.credentials());
    tokio::signal::ctrl_c().await
}
