//! What many greedy runs at once cost the host. A process of its own, since it is measured.

use sandbox::{Config, Sandbox};

#[tokio::test(flavor = "multi_thread")]
async fn sixty_four_worst_calls_at_once_stay_within_the_bounds_of_memory_and_cpu() {
    let sandbox = Sandbox::new(Config { concurrent: 64, ..Config::default() }).expect("a sandbox");
    let crowds = hostile::CASES.iter().filter(|case| matches!(case.attempt, hostile::Attempt::Crowd(..)));
    let mut judged = 0;
    for case in crowds {
        let verdict = hostile::judge(&sandbox, case).await;
        assert!(verdict.holds, "{}: {}", case.name, verdict.became);
        assert_eq!(sandbox.memory_held(), 0, "{}: what a run holds is given back", case.name);
        judged += 1;
    }
    assert!(judged >= 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_finds_no_room_is_busy_and_its_neighbours_go_on() {
    let sandbox = Sandbox::new(Config { memory: 1 << 20, ..Config::default() }).expect("a sandbox");
    let module = hostile::guest::load_in(&sandbox, "greedy");
    let run = sandbox.run(hostile::guest::invocation(&module, "memory").await).await;
    assert!(matches!(run.outcome, Err(sandbox::Stop::Busy)), "{:?}", run.outcome);
    drop(run);
    assert_eq!(sandbox.memory_held(), 0);
    let module = hostile::guest::load_in(&sandbox, "answers");
    let run = sandbox.run(hostile::guest::invocation(&module, "fine").await).await;
    assert!(run.outcome.is_ok(), "{:?}", run.outcome);
}
