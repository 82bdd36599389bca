//! The attempts that `espalier prove` repeats elsewhere hold here, in the sandbox as tests make it.

use sandbox::{Config, Sandbox};

/// One of its own: what breaks again and again rests, and other tests break the same guests.
fn sandbox() -> Sandbox {
    Sandbox::new(Config { concurrent: 8, ..Config::default() }).expect("a sandbox")
}

#[tokio::test]
async fn what_must_become_of_every_attempt_does() {
    assert!(hostile::CASES.len() >= 35);
    let sandbox = sandbox();
    for case in hostile::CASES {
        // Measured in a process of its own.
        if matches!(case.attempt, hostile::Attempt::Crowd(..)) {
            continue;
        }
        let verdict = hostile::judge(&sandbox, case).await;
        assert!(verdict.holds, "{}: {}", case.name, verdict.became);
    }
}

#[tokio::test]
async fn an_attempt_that_gets_through_would_be_told() {
    let case = hostile::CASES.iter().find(|case| case.name == "panic").expect("it is there");
    let other = hostile::Case {
        name: "other",
        tries: "as the case, and another end is expected",
        attempt: case.attempt.clone(),
        expected: hostile::Expected::Answers("{}"),
    };
    let verdict = hostile::judge(&sandbox(), &other).await;
    assert!(!verdict.holds && verdict.became == "trap.wasm", "{verdict:?}");
}
