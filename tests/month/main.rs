//! A simulated month of both campaign families: the clock jumps from look to look, the host is killed on every day, the
//! panel fails now and then, and in the end every charge and every task must be there once.
//!
//! `cargo run -p tests --bin month -- --days 30 --seed X`. What befalls host and panel follows from the seed. A chart of
//! what was planned and what the panel was asked for, day by day, is left in `target/campaigns/month.svg`.

mod chart;
mod scene;

use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use scene::Scene;

#[derive(Parser)]
struct Asked {
    /// Days that each campaign is bought for, at least 7.
    #[arg(long, default_value_t = 30)]
    days: u32,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Minutes after midnight UTC to which the clock jumps. People are asked from 9 to 19, and what was missed for more than
/// two hours is left for another day, so that a host that looks at these moments misses nothing.
const LOOKS: [u64; 7] = [10 * 60 + 50, 12 * 60 + 45, 14 * 60 + 40, 16 * 60 + 35, 18 * 60 + 30, 18 * 60 + 56, 20 * 60];
/// Days beyond those that were bought in which both must have come to their end: a kill may cost a day its hours.
const GRACE: u32 = 14;
/// What a host and its panel need after a jump; the host looks for work twice a second.
const LOOK: Duration = Duration::from_millis(1_100);

fn main() -> ExitCode {
    let asked = Asked::parse();
    if !tests::process::Launch::can_be_wrong() {
        tests::needs::skip("a month", "install Debian's faketime package");
        return ExitCode::SUCCESS;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime");
    runtime.block_on(run(asked))
}

async fn run(asked: Asked) -> ExitCode {
    let mut scene = Scene::set(asked.days, asked.seed).await;
    let mut day = 0;
    while day < asked.days + GRACE && !scene.is_over().await {
        scene.befall(day);
        let killed = scene.below(LOOKS.len());
        for (at, minutes) in LOOKS.iter().enumerate() {
            scene.jump(day, *minutes);
            if at == killed {
                scene.kill(LOOK).await;
            }
            tokio::time::sleep(LOOK).await;
            scene.look(day).await;
        }
        day += 1;
    }
    let wrong = scene.judge().await;
    println!("seed {}: {}; {} wrong", asked.seed, scene.told(day), wrong.len());
    for what in &wrong {
        println!("WRONG: {what}");
    }
    scene.draw();
    if wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
