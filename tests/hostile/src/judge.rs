//! Runs an attempt in a sandbox and says whether what had to become of it did.

use catalog::lock::Lock;
use sandbox::egress::Verdict as Decision;
use sandbox::{LimitKind, Run, Sandbox, Stop};

use crate::cases::{Attempt, Case, Expected};
use crate::crowd;
use crate::guest::{invocation, load_in};

/// What became of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Whether it is what had to be.
    pub holds: bool,
    /// What became of it, in words.
    pub became: String,
    /// Fuel of the run that counts; 0 where nothing ran.
    pub fuel: u64,
    /// Milliseconds from start to end.
    pub wall_ms: u64,
}

/// Tries it.
pub async fn judge(sandbox: &Sandbox, case: &Case) -> Verdict {
    match &case.attempt {
        Attempt::Run(guest, operation, limits) => {
            let module = load_in(sandbox, guest);
            let mut invocation = invocation(&module, operation).await;
            limits(&mut invocation.limits);
            of_run(&sandbox.run(invocation).await, case.expected)
        }
        Attempt::After(guest, first, second) => {
            let module = load_in(sandbox, guest);
            sandbox.run(invocation(&module, first).await).await;
            of_run(&sandbox.run(invocation(&module, second).await).await, case.expected)
        }
        Attempt::Twice(guest, operation) => {
            let module = load_in(sandbox, guest);
            let first = sandbox.run(invocation(&module, operation).await).await;
            let second = sandbox.run(invocation(&module, operation).await).await;
            let verdict = of_run(&second, case.expected);
            let same = first.receipt.fuel == second.receipt.fuel;
            let became = format!("{}, {} and {} fuel", verdict.became, first.receipt.fuel, second.receipt.fuel);
            Verdict { holds: verdict.holds && same, became, ..verdict }
        }
        Attempt::Load(made) => {
            let (component, lock) = made();
            // Through the text, as a reviewer's file, so that lines have numbers.
            let loaded =
                Lock::parse("hostile.toml", &lock.text()).map_err(|error| error.to_string()).and_then(|lock| {
                    sandbox.load(&component, &lock, Default::default()).map_err(|error| error.to_string())
                });
            of_refusal(loaded.map(drop), case.expected)
        }
        Attempt::Crowd(guest, operation) => crowd::judge(sandbox, guest, operation).await,
        Attempt::Signature(checked) => of_refusal(checked(), case.expected),
    }
}

fn of_refusal(outcome: Result<(), String>, expected: Expected) -> Verdict {
    let (holds, became) = match (outcome, expected) {
        (Err(why), Expected::NotLoaded(words)) => (why.contains(words), format!("refused: {why}")),
        (Err(why), _) => (false, format!("refused: {why}")),
        (Ok(()), _) => (false, "taken".to_owned()),
    };
    Verdict { holds, became, fuel: 0, wall_ms: 0 }
}

fn of_run(run: &Run, expected: Expected) -> Verdict {
    let answer = run.outcome.as_ref().map(|answer| answer.data.as_str());
    let holds = match (&answer, expected) {
        (Err(Stop::Limit(kind)), Expected::Limit(wanted)) => *kind == wanted,
        (Err(Stop::Limit(LimitKind::Wall) | Stop::Starved), Expected::OutOfTime) => true,
        (Err(Stop::Denied(denial)), Expected::Denied(wanted)) => *denial == wanted,
        (Err(Stop::Trap(trap)), Expected::Trap(wanted)) => *trap == wanted,
        (Err(Stop::Trap(_)), Expected::Broken) => true,
        (Ok(data), Expected::Answers(wanted)) => *data == wanted,
        (Ok(data), Expected::Refused(wanted)) => {
            // What the guest learns is one word; the auditor learns which address it was.
            let named = run.receipt.egress.first().is_some_and(|it| it.verdict != Decision::Permitted);
            *data == wanted && named
        }
        _ => false,
    };
    let became = match &answer {
        Ok(data) => {
            let refused = run.receipt.egress.iter().find(|it| it.verdict != Decision::Permitted);
            let address =
                refused.map(|it| format!(", {} refused as {}", it.host, it.verdict.code())).unwrap_or_default();
            format!("answered {data}{address}")
        }
        Err(stop) => stop.code().to_owned(),
    };
    let wall_ms = u64::try_from(run.receipt.wall.as_millis()).unwrap_or(u64::MAX);
    Verdict { holds, became, fuel: run.receipt.fuel, wall_ms }
}
