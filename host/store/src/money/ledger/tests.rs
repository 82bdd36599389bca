//! Tests of `ledger`.

mod interleavings;
mod violations;

use std::sync::Arc;
use std::time::Duration;

use model::clock::{FixedClock, SeededEntropy};
use model::id::RequestId;
use model::refusal::{Class, Refusal};
use model::usage::Usage;

use super::*;
use crate::Store;
use crate::fixture::{Fixture, NOON, add, answer, fixture};
use crate::{HOLD_LIFE, Hold, KeyedAnswer, SettleError, Stored};

fn usage(points: u64, included: u64, paid: u64) -> Usage {
    Usage { points, ..Usage::free(included, paid) }
}

async fn settle(fixture: &Fixture, request: &str, points: u64) -> Result<Usage, SettleError> {
    fixture.store.calls.settle(fixture.call(request, points)).await.map(|settled| settled.usage)
}

#[tokio::test]
async fn a_call_is_charged_to_the_allowance_first_and_then_to_paid_points() {
    let fixture = fixture().await;
    assert_eq!(settle(&fixture, "req_1", 99).await.unwrap(), usage(99, 1, 0));
    fixture.store.money.credit(&fixture.customer, 2_000, "pay_1").await.unwrap();
    assert!(fixture.store.money.buy_points(&fixture.customer, 2, "buy_1").await.unwrap());
    assert_eq!(settle(&fixture, "req_2", 3).await.unwrap(), usage(3, 0, 1_998));
    fixture.holds().await;
}

#[tokio::test]
async fn without_points_nothing_is_written_and_the_refusal_says_what_is_left() {
    let fixture = fixture().await;
    settle(&fixture, "req_1", 95).await.unwrap();
    let mut call = fixture.call("req_2", 6);
    call.answer = Some(answer("key-00000001", "f"));
    let refused = fixture.store.calls.settle(call).await.unwrap_err();
    assert!(matches!(refused, SettleError::OutOfPoints { needed: 6, included_remaining: 5, paid_remaining: 0 }));
    assert_eq!(fixture.store.calls.earlier(&fixture.customer, "key-00000001").await.unwrap(), None);
    assert_eq!(fixture.store.trail.audit_lines(&fixture.customer, None, 10).await.unwrap().len(), 1);
    fixture.holds().await;
}

#[tokio::test]
async fn a_refusal_is_charged_what_is_there_and_never_fails_for_want_of_points() {
    let fixture = fixture().await;
    settle(&fixture, "req_1", 100).await.unwrap();
    let refusal = Refusal::new(Class::Conflict, "taken", "the name is taken");
    let mut call = fixture.call("req_2", 1);
    call.audit = fixture.line("taken");
    let outcome = Stored::Refused(refusal.clone());
    call.answer = Some(KeyedAnswer { key: "key-00000001".into(), fingerprint: "f".into(), outcome });
    assert_eq!(fixture.store.calls.settle(call).await.unwrap().usage, usage(0, 0, 0));
    let earlier = fixture.store.calls.earlier(&fixture.customer, "key-00000001").await.unwrap().unwrap();
    assert_eq!(earlier.outcome, Stored::Refused(refusal));
}

#[tokio::test]
async fn the_allowance_renews_at_midnight_utc_and_not_before() {
    let fixture = fixture().await;
    settle(&fixture, "req_1", 100).await.unwrap();
    let midnight = NOON.next_day();
    let mut late = fixture.call("req_2", 1);
    late.now = Moment(midnight.0 - 1);
    assert!(matches!(fixture.store.calls.settle(late).await, Err(SettleError::OutOfPoints { .. })));
    let mut early = fixture.call("req_3", 1);
    early.now = midnight;
    assert_eq!(fixture.store.calls.settle(early).await.unwrap().usage, usage(1, 99, 0));
    fixture.holds().await;
}

#[tokio::test]
async fn what_was_reserved_before_midnight_is_charged_to_that_day() {
    let fixture = fixture().await;
    let request = RequestId::from("req_1");
    let hold = fixture.store.calls.reserve(fixture.reservation(request.as_str(), 60)).await.unwrap();
    let midnight = NOON.next_day();
    let mut call = fixture.call("req_1", 50);
    (call.hold, call.now) = (Some(hold), midnight);
    assert_eq!(fixture.store.calls.settle(call).await.unwrap().usage, usage(50, 100, 0));
    let noon = fixture.store.money.balance(&fixture.customer, NOON).await.unwrap();
    assert_eq!((noon.included_remaining, noon.used_today), (50, 50));
    fixture.holds().await;
}

#[tokio::test]
async fn reserved_points_cannot_be_spent_twice_and_come_back_when_released() {
    let fixture = fixture().await;
    let request = RequestId::from("req_1");
    let hold = fixture.store.calls.reserve(fixture.reservation(request.as_str(), 80)).await.unwrap();
    assert!(matches!(
        settle(&fixture, "req_2", 21).await,
        Err(SettleError::OutOfPoints { included_remaining: 20, .. })
    ));
    fixture.store.calls.release(hold.clone(), fixture.line("trap")).await.unwrap();
    fixture.store.calls.release(hold, fixture.line("trap")).await.unwrap();
    assert_eq!(settle(&fixture, "req_3", 100).await.unwrap(), usage(100, 0, 0));
    fixture.holds().await;
}

#[tokio::test]
async fn a_reservation_is_charged_at_most_and_the_rest_goes_back() {
    let fixture = fixture().await;
    let request = RequestId::from("req_1");
    let hold = fixture.store.calls.reserve(fixture.reservation(request.as_str(), 10)).await.unwrap();
    let mut call = fixture.call("req_1", 25);
    call.hold = Some(hold);
    assert_eq!(fixture.store.calls.settle(call).await.unwrap().usage, usage(10, 90, 0));
    fixture.holds().await;
}

#[tokio::test]
async fn a_reservation_that_nobody_settles_comes_back_by_itself() {
    let fixture = fixture().await;
    fixture.store.calls.reserve(fixture.reservation("req_1", 80)).await.unwrap();
    assert_eq!(fixture.store.sweep(NOON).await.unwrap().holds, 0);
    assert_eq!(fixture.store.sweep(NOON.plus(HOLD_LIFE)).await.unwrap().holds, 1);
    assert_eq!(fixture.store.money.balance(&fixture.customer, NOON).await.unwrap().included_remaining, 100);
    // Settling it late charges afresh.
    let mut call = fixture.call("req_1", 30);
    call.hold = Some(Hold { customer: fixture.customer.clone(), request: "req_1".into(), points: 80 });
    assert_eq!(fixture.store.calls.settle(call).await.unwrap().usage, usage(30, 70, 0));
    fixture.holds().await;
}

#[tokio::test]
async fn a_call_for_nothing_is_free_and_says_what_is_left() {
    let fixture = fixture().await;
    assert_eq!(settle(&fixture, "req_1", 0).await.unwrap(), usage(0, 100, 0));
    fixture.holds().await;
}

#[tokio::test]
async fn the_second_call_under_a_key_gets_the_first_answer_and_writes_nothing() {
    let fixture = fixture().await;
    let mut first = fixture.call("req_1", 2);
    first.answer = Some(answer("key-00000001", "f"));
    let settled = fixture.store.calls.settle(first).await.unwrap();
    let mut second = fixture.call("req_2", 2);
    second.answer = Some(answer("key-00000001", "g"));
    let Err(SettleError::KeyTaken(earlier)) = fixture.store.calls.settle(second).await else {
        panic!("the key was free")
    };
    assert_eq!(earlier.request.as_str(), "req_1");
    assert_eq!(earlier.fingerprint, "f");
    assert_eq!(earlier.usage, settled.usage);
    assert_eq!(&*earlier.api_version, "2026-09-28");
    assert_eq!(fixture.store.calls.earlier(&fixture.customer, "key-00000001").await.unwrap(), Some(*earlier));
    assert_eq!(fixture.store.money.balance(&fixture.customer, NOON).await.unwrap().included_remaining, 98);
    fixture.holds().await;
}

#[tokio::test]
async fn of_many_twins_at_once_one_commits() {
    let fixture = Arc::new(fixture().await);
    let twins = (0..64).map(|at| {
        let fixture = fixture.clone();
        tokio::spawn(async move {
            let mut call = fixture.call(&format!("req_{at}"), 1);
            call.answer = Some(answer("key-00000001", "f"));
            fixture.store.calls.settle(call).await.is_ok()
        })
    });
    let mut committed = 0;
    for twin in twins.collect::<Vec<_>>() {
        committed += usize::from(twin.await.unwrap());
    }
    assert_eq!(committed, 1);
    assert_eq!(fixture.store.money.balance(&fixture.customer, NOON).await.unwrap().included_remaining, 99);
    fixture.holds().await;
}

#[tokio::test]
async fn an_answer_is_forgotten_after_72_hours_and_its_key_is_free_again() {
    let clock = Arc::new(FixedClock::at(NOON));
    let store = crate::fixture::empty(clock.clone()).await;
    let fixture = Fixture { store, customer: CustomerId::from("cus_ann") };
    let mut first = fixture.call("req_1", 1);
    first.answer = Some(answer("key-00000001", "f"));
    fixture.store.calls.settle(first).await.unwrap();
    clock.advance(crate::ANSWER_LIFE);
    assert_eq!(fixture.store.calls.earlier(&fixture.customer, "key-00000001").await.unwrap(), None);
    let mut second = fixture.call("req_2", 1);
    second.now = NOON.plus(crate::ANSWER_LIFE);
    second.answer = Some(answer("key-00000001", "g"));
    fixture.store.calls.settle(second).await.unwrap();
    let earlier = fixture.store.calls.earlier(&fixture.customer, "key-00000001").await.unwrap().unwrap();
    assert_eq!(earlier.fingerprint, "g");
    assert_eq!(fixture.store.sweep(NOON.plus(2 * crate::ANSWER_LIFE)).await.unwrap().answers, 1);
}

#[tokio::test]
async fn keys_and_points_of_two_customers_have_nothing_to_do_with_each_other() {
    let fixture = fixture().await;
    let bob = CustomerId::from("cus_bob");
    let mut first = fixture.call("req_1", 70);
    first.answer = Some(answer("key-00000001", "f"));
    fixture.store.calls.settle(first).await.unwrap();
    let mut second = fixture.call("req_1", 70);
    (second.customer, second.audit.customer) = (bob.clone(), bob.clone());
    second.answer = Some(answer("key-00000001", "g"));
    assert_eq!(fixture.store.calls.settle(second).await.unwrap().usage, usage(70, 30, 0));
    assert_eq!(fixture.store.calls.earlier(&bob, "key-00000001").await.unwrap().unwrap().fingerprint, "g");
    fixture.holds().await;
}

#[tokio::test]
async fn of_many_calls_at_once_only_as_many_are_charged_as_there_are_points() {
    let fixture = Arc::new(fixture().await);
    let calls = (0..150).map(|at| {
        let fixture = fixture.clone();
        tokio::spawn(async move { settle(&fixture, &format!("req_{at}"), 1).await })
    });
    let (mut charged, mut refused) = (0, 0);
    for call in calls.collect::<Vec<_>>() {
        match call.await.unwrap() {
            Ok(_) => charged += 1,
            Err(SettleError::OutOfPoints { .. }) => refused += 1,
            Err(other) => panic!("{other}"),
        }
    }
    assert_eq!((charged, refused), (100, 50));
    assert_eq!(fixture.store.trail.audit_lines(&fixture.customer, None, 500).await.unwrap().len(), 100);
    fixture.holds().await;
}

#[tokio::test]
async fn activation_charges_a_hundred_credits_once() {
    let fixture = fixture().await;
    let refused = fixture.store.money.activate(&fixture.customer, NOON).await.unwrap_err();
    assert!(matches!(refused, BuyError::OutOfCredits { needed_milli: 100_000, available_milli: 0 }));
    fixture.store.money.credit(&fixture.customer, 150_000, "pay_1").await.unwrap();
    assert_eq!(fixture.store.money.activate(&fixture.customer, NOON).await.unwrap(), Activation::Charged);
    assert_eq!(fixture.store.money.activate(&fixture.customer, NOON).await.unwrap(), Activation::Before);
    let balance = fixture.store.money.balance(&fixture.customer, NOON).await.unwrap();
    assert_eq!((balance.credits_milli, balance.activated_at), (50_000, Some(NOON)));
    assert!(matches!(fixture.store.money.activate(&"cus_nobody".into(), NOON).await, Err(BuyError::UnknownCustomer)));
    fixture.holds().await;
}

#[tokio::test]
async fn a_payment_counts_once_however_often_it_is_reported() {
    let fixture = fixture().await;
    assert!(fixture.store.money.credit(&fixture.customer, 1_000, "pay_1").await.unwrap());
    assert!(!fixture.store.money.credit(&fixture.customer, 1_000, "pay_1").await.unwrap());
    assert!(fixture.store.money.buy_points(&fixture.customer, 1, "buy_1").await.unwrap());
    assert!(!fixture.store.money.buy_points(&fixture.customer, 1, "buy_1").await.unwrap());
    let refused = fixture.store.money.buy_points(&fixture.customer, 1, "buy_2").await.unwrap_err();
    assert!(matches!(refused, BuyError::OutOfCredits { needed_milli: 1_000, available_milli: 0 }));
    let balance = fixture.store.money.balance(&fixture.customer, NOON).await.unwrap();
    assert_eq!((balance.credits_milli, balance.paid_points), (0, 1_000));
    fixture.holds().await;
}

#[tokio::test]
async fn a_failed_piece_of_work_takes_back_only_its_own_statements() {
    let fixture = fixture().await;
    let (store, customer) = (&fixture.store, fixture.customer.clone());
    let failing = store.database.write(move |tx| {
        Box::pin(async move {
            credit(tx, &customer, 1_000, "pay_1", NOON).await?;
            Err::<(), StoreError>(StoreError::Inconsistent("on purpose"))
        })
    });
    let customer = fixture.customer.clone();
    let working =
        store.database.write(move |tx| Box::pin(async move { credit(tx, &customer, 2_000, "pay_2", NOON).await }));
    let (failed, worked) = tokio::join!(failing, working);
    assert!(matches!(failed, Err(StoreError::Inconsistent("on purpose"))));
    assert!(worked.unwrap());
    assert_eq!(store.money.balance(&fixture.customer, NOON).await.unwrap().credits_milli, 2_000);
    fixture.holds().await;
}

#[tokio::test]
async fn a_panic_in_a_piece_of_work_does_not_stop_the_writer() {
    let fixture = fixture().await;
    let lost: Result<(), StoreError> = fixture.store.database.write(|_| Box::pin(async { panic!("on purpose") })).await;
    assert!(matches!(lost, Err(StoreError::Unavailable(_))));
    assert_eq!(settle(&fixture, "req_1", 1).await.unwrap(), usage(1, 99, 0));
}

#[tokio::test]
async fn a_request_that_comes_twice_fails_alone_and_its_neighbours_commit() {
    let fixture = Arc::new(fixture().await);
    settle(&fixture, "req_1", 1).await.unwrap();
    let calls = ["req_1", "req_2", "req_3"].map(|request| {
        let fixture = fixture.clone();
        tokio::spawn(async move { settle(&fixture, request, 1).await.is_ok() })
    });
    let mut outcomes = Vec::new();
    for call in calls {
        outcomes.push(call.await.unwrap());
    }
    assert_eq!(outcomes, [false, true, true]);
    assert_eq!(fixture.store.money.balance(&fixture.customer, NOON).await.unwrap().included_remaining, 97);
    fixture.holds().await;
}

#[tokio::test]
async fn transfers_and_audit_lines_cannot_be_changed_and_a_verifier_sees_what_was_forced() {
    let fixture = fixture().await;
    for at in 0..3 {
        settle(&fixture, &format!("req_{at}"), 1).await.unwrap();
    }
    for sql in
        ["UPDATE transfer SET amount = 0", "DELETE FROM transfer", "UPDATE audit SET body = '{}'", "DELETE FROM audit"]
    {
        let refused = fixture.store.database.write(move |tx| {
            Box::pin(async move {
                sqlx::query::<Any>(sql).execute(tx.connection()).await?;
                Ok::<_, StoreError>(())
            })
        });
        assert!(matches!(refused.await, Err(StoreError::Unavailable(_))), "{sql}");
    }
    fixture.holds().await;
    let forced = fixture.store.database.write(|tx| {
        Box::pin(async move {
            let unlock = match tx.dialect {
                crate::database::dialect::Dialect::Sqlite => "DROP TRIGGER audit_no_UPDATE",
                crate::database::dialect::Dialect::Postgres => "ALTER TABLE audit DISABLE TRIGGER ALL",
            };
            for sql in [
                unlock,
                "UPDATE audit SET body = REPLACE(body, 'authors.list', 'authors.gone') WHERE seq = 2",
                "UPDATE account SET debits_posted = debits_posted - 1 WHERE account LIKE 'allowance:%'",
            ] {
                sqlx::query::<Any>(sql).execute(tx.connection()).await?;
            }
            Ok::<_, StoreError>(())
        })
    });
    forced.await.unwrap();
    let broken = fixture.store.trail.verify_audit().await.unwrap();
    assert_eq!(broken.iter().map(|at| (at.seq, at.what)).collect::<Vec<_>>(), [(2, "a line is not what was written")]);
    let violations = fixture.store.money.verify_ledger().await.unwrap();
    assert_eq!(violations.iter().map(|violation| violation.invariant).collect::<Vec<_>>(), ["I1", "I2", "I8"]);
}

#[tokio::test]
async fn the_trail_tells_what_was_charged_newest_first() {
    let fixture = fixture().await;
    settle(&fixture, "req_1", 3).await.unwrap();
    fixture.store.calls.audit(fixture.line("insufficient_scope")).await.unwrap();
    let lines = fixture.store.trail.audit_lines(&fixture.customer, None, 10).await.unwrap();
    let told: Vec<_> = lines.iter().map(|line| (line.seq, line.audit.outcome.as_str(), line.audit.points)).collect();
    assert_eq!(told, [(2, "insufficient_scope", 0), (1, "ok", 3)]);
    assert_eq!(fixture.store.trail.audit_lines(&fixture.customer, Some(2), 10).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_database_is_opened_again_as_it_was_left() {
    let folder = std::env::temp_dir().join(format!("espalier-reopen-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let url = format!("sqlite://{}/store.db", folder.display());
    let open = || Store::open(&url, Arc::new(FixedClock::at(NOON)), Arc::new(SeededEntropy::new([1; 32])));
    let customer = CustomerId::from("cus_ann");
    {
        let store = open().await.unwrap();
        add(&store, &customer).await;
        store.money.credit(&customer, 5_000, "pay_1").await.unwrap();
    }
    let store = open().await.unwrap();
    assert_eq!(store.money.balance(&customer, NOON.plus(Duration::from_secs(1))).await.unwrap().credits_milli, 5_000);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[tokio::test]
async fn a_balance_that_somebody_else_has_written_is_not_written_over() {
    let fixture = fixture().await;
    settle(&fixture, "req_0", 10).await.unwrap();
    let customer = fixture.customer.clone();
    let spent = fixture.store.database.write(move |tx| {
        Box::pin(async move {
            // Two writers who do not know of each other, as if there were no lock.
            let payers = [(customer.clone(), NOON)];
            let mut first = Book::load(tx.connection(), &payers, &[]).await?;
            let mut second = Book::load(tx.connection(), &payers, &[]).await?;
            for (book, id) in [(&mut first, "req_1"), (&mut second, "req_2")] {
                book.charge(&customer, 60, Reason::plain(id, "authors.list", NOON)).expect("it looks affordable");
            }
            second.flush(tx.connection()).await?;
            first.flush(tx.connection()).await.map(|_| ())
        })
    });
    assert!(matches!(spent.await, Err(StoreError::Inconsistent(_))));
    assert_eq!(fixture.store.money.balance(&fixture.customer, NOON).await.unwrap().included_remaining, 90);
    fixture.holds().await;
}
