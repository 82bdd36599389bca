//! Every invariant of the ledger is broken by hand, and found.

use crate::fixture::{Fixture, NOON, answer, fixture, force};
use crate::{JobHold, Next, StepSettlement};

/// A customer of whom every table of the ledger knows something.
async fn eventful() -> Fixture {
    let fixture = fixture().await;
    let (store, customer) = (&fixture.store, &fixture.customer);
    store.money.credit(customer, 150_000, "pay_1").await.unwrap();
    store.money.activate(customer, NOON).await.unwrap();
    store.money.buy_points(customer, 10, "buy_1").await.unwrap();
    let mut keyed = fixture.call("req_1", 3);
    keyed.answer = Some(answer("key-00000001", "f"));
    store.calls.settle(keyed).await.unwrap();
    let hold = store.calls.reserve(fixture.reservation("req_2", 5)).await.unwrap();
    let mut held = fixture.call("req_2", 4);
    held.hold = Some(hold);
    store.calls.settle(held).await.unwrap();
    store.calls.reserve(fixture.reservation("req_3", 6)).await.unwrap();
    fixture.start_job("req_4", JobHold { points: 20, credits_milli: 3_000 }).await;
    let onwards = Next::Continue { checkpoint: "{}".into(), progress: "{}".into(), run_after: NOON };
    for next in [onwards, Next::Done { result: "{}".into(), progress: "{}".into() }] {
        let job = store.jobs.claim_jobs("node", crate::fixture::share(1), NOON).await.unwrap().pop().unwrap();
        let step = StepSettlement {
            job: job.id.clone(),
            customer: customer.clone(),
            claim: job.claim.clone(),
            step: job.steps + 1,
            changes: crate::Changes::default(),
            journaled: false,
            next,
            units_total: 7,
            points_total: 7,
            credits_milli_total: 1_000,
            audit: fixture.job_line(&job),
            now: NOON,
        };
        store.calls.settle_step(step).await.unwrap();
    }
    let stopped = fixture.start_job("req_5", JobHold { points: 2, credits_milli: 0 }).await;
    store.jobs.cancel_job(customer, &stopped, NOON).await.unwrap();
    fixture.start_job("req_6", JobHold { points: 2, credits_milli: 0 }).await;
    fixture.holds().await;
    fixture
}

/// The invariants that are found broken after these statements.
async fn found(statements: &[&str]) -> Vec<&'static str> {
    let fixture = eventful().await;
    force(&fixture.store, statements.iter().map(|sql| (*sql).to_owned())).await;
    let mut invariants: Vec<_> =
        fixture.store.money.verify_ledger().await.unwrap().iter().map(|violation| violation.invariant).collect();
    invariants.dedup();
    invariants
}

#[tokio::test]
async fn i1_what_is_debited_is_not_credited() {
    let found = found(&["UPDATE account SET credits_posted = credits_posted + 1 WHERE account = 'points.used'"]).await;
    assert_eq!(found, ["I1", "I2"]);
}

#[tokio::test]
async fn i2_a_balance_is_not_the_fold_of_its_transfers() {
    let both = "UPDATE account SET debits_posted = debits_posted + 1, credits_posted = credits_posted + 1 \
                WHERE account = 'points.used'";
    assert_eq!(found(&[both]).await, ["I2"]);
    assert_eq!(found(&["UPDATE transfer SET debit = 'nowhere' WHERE transfer = 'req_1:a'"]).await, ["I2"]);
}

#[tokio::test]
async fn i3_an_account_may_owe() {
    let unlimited = "UPDATE account SET limited = 0 WHERE account = 'points'";
    assert_eq!(found(&[unlimited]).await, ["I3"]);
}

#[tokio::test]
async fn i4_a_hold_is_not_what_is_pending_or_never_ends() {
    assert_eq!(found(&["UPDATE hold SET allowance = allowance - 1 WHERE hold = 'req_3'"]).await, ["I4"]);
    assert_eq!(found(&["DELETE FROM hold WHERE hold = 'req_3'"]).await, ["I4"]);
    assert_eq!(found(&["UPDATE job SET due_at = NULL"]).await, ["I4"]);
    assert_eq!(found(&["UPDATE hold SET expires_at = NULL WHERE hold = 'req_3'"]).await, ["I4"]);
    let twice = "UPDATE transfer SET amount = 9 WHERE transfer = 'req_2:hold:a!'";
    assert_eq!(found(&[twice]).await, ["I2", "I4", "I5"]);
}

#[tokio::test]
async fn i5_an_answer_or_a_line_tells_another_price() {
    let answer = "UPDATE answer SET usage = REPLACE(usage, '\"points\":3', '\"points\":2')";
    assert_eq!(found(&[answer]).await, ["I5"]);
    let line = "UPDATE audit SET body = REPLACE(body, '\"points\":4', '\"points\":1') WHERE body LIKE '%req_2%'";
    assert_eq!(found(&[line]).await, ["I8", "I5"]);
}

#[tokio::test]
async fn i6_a_day_grants_something_else() {
    let grant = "UPDATE transfer SET amount = 101 WHERE transfer LIKE 'grant:%'";
    let given = "UPDATE account SET credits_posted = 101 WHERE account LIKE 'allowance:%'";
    let taken = "UPDATE account SET debits_posted = 101 WHERE account = 'points.granted'";
    assert_eq!(found(&[grant, given, taken]).await, ["I6"]);
}

#[tokio::test]
async fn i7_somebody_is_in_who_has_not_paid() {
    assert_eq!(found(&["UPDATE customer SET activated_at = NULL"]).await, ["I7"]);
    let elsewhere = "INSERT INTO customer (customer, email, created_at, activated_at) VALUES ('cus_eve', 'e@e', 1, 1)";
    assert_eq!(found(&[elsewhere]).await, ["I7"]);
}

#[tokio::test]
async fn i8_the_trail_was_changed() {
    assert_eq!(found(&["UPDATE audit SET body = REPLACE(body, 'authors.list', 'authors.gone')"]).await, ["I8"]);
}

#[tokio::test]
async fn i9_an_answer_was_never_executed() {
    let answer = "UPDATE answer SET request = 'req_9'";
    assert_eq!(found(&[answer]).await, ["I5", "I9"]);
    let refused = "UPDATE answer SET refused = 1";
    assert_eq!(found(&[refused]).await, ["I9"]);
}

#[tokio::test]
async fn what_moved_before_the_trail_told_of_it_is_not_asked_for() {
    let later = "UPDATE migration SET applied_at = applied_at + 1 WHERE name = '0300_checkpoints'";
    assert_eq!(found(&[later, "UPDATE answer SET request = 'req_9'"]).await, [""; 0]);
}

#[tokio::test]
async fn i10_a_charge_has_no_line() {
    for name in ["req_2", "credit:pay_1", "transfer\":\"buy:", r#""transfer":"activation""#, r#""job":"#] {
        let other = name.replace(['e', 'j'], "x");
        let unsaid = format!("UPDATE audit SET body = REPLACE(body, '{name}', '{other}')");
        let found = found(&[&unsaid]).await;
        assert!(found.contains(&"I10"), "{name}: {found:?}");
    }
}

#[tokio::test]
async fn i11_a_step_was_committed_twice() {
    let second = r#"UPDATE audit SET body = REPLACE(body, '"step":2', '"step":1')"#;
    assert_eq!(found(&[second]).await, ["I8", "I11"]);
}
