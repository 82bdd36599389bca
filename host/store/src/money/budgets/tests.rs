//! What budgets promise, as tests.

use std::time::Duration;

use model::budget::Period;
use model::id::{GrantId, RequestId};

use super::*;
use crate::fixture::{Fixture, NOON, fixture};
use crate::{JobHold, Reservation, SettleError, Settlement};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn budget(scope: BudgetScope, target: &str, unit: Unit, daily: Option<u64>, monthly: Option<u64>) -> Budget {
    Budget { scope, target: target.to_owned(), unit, daily, monthly }
}

async fn with(budgets: &[Budget]) -> Fixture {
    let fixture = fixture().await;
    fixture.store.money.credit(&fixture.customer, 10_000, "pay_1").await.unwrap();
    fixture.store.money.buy_points(&fixture.customer, 1, "buy_1").await.unwrap();
    for budget in budgets {
        fixture.store.money.set_budget(&fixture.customer, budget.clone(), NOON).await.unwrap();
    }
    fixture
}

fn over<T: std::fmt::Debug>(outcome: Result<T, SettleError>) -> (BudgetScope, Period, u64, u64) {
    match outcome {
        Err(SettleError::OverBudget(over)) => (over.budget.scope, over.period, over.used, over.needed),
        other => panic!("not refused by a budget: {other:?}"),
    }
}

async fn used(fixture: &Fixture, now: Moment) -> Vec<(u64, u64)> {
    let budgets = fixture.store.money.budgets(&fixture.customer, now).await.unwrap();
    budgets.iter().map(|budget| (budget.used_today, budget.used_month)).collect()
}

#[tokio::test]
async fn a_call_over_a_daily_cap_is_refused_and_leaves_nothing_and_the_next_day_goes_on() {
    let fixture = with(&[budget(BudgetScope::Workspace, "", Unit::Points, Some(10), Some(15))]).await;
    fixture.store.calls.settle(fixture.call("req_1", 8)).await.unwrap();
    let refused = fixture.store.calls.settle(fixture.call("req_2", 3)).await;
    assert_eq!(over(refused), (BudgetScope::Workspace, Period::Daily, 8, 3));
    fixture.store.calls.settle(fixture.call("req_3", 2)).await.unwrap();
    assert_eq!(used(&fixture, NOON).await, [(10, 10)]);
    let tomorrow = NOON.plus(DAY);
    let call = |request, points| Settlement { now: tomorrow, ..fixture.call(request, points) };
    assert_eq!(
        over(fixture.store.calls.settle(call("req_4", 6)).await),
        (BudgetScope::Workspace, Period::Monthly, 10, 6)
    );
    fixture.store.calls.settle(call("req_5", 5)).await.unwrap();
    assert_eq!(used(&fixture, tomorrow).await, [(5, 15)]);
    let later = Settlement { now: NOON.next_month(), ..fixture.call("req_6", 9) };
    fixture.store.calls.settle(later).await.unwrap();
    fixture.holds().await;
}

#[tokio::test]
async fn a_cap_counts_what_it_is_about_and_nothing_else() {
    let grant = GrantId::from("gra_a");
    let fixture = with(&[
        budget(BudgetScope::Module, "authors", Unit::Points, Some(4), None),
        budget(BudgetScope::Site, "77", Unit::Points, Some(6), None),
        budget(BudgetScope::Client, "gra_a", Unit::Points, Some(9), None),
    ])
    .await;
    let of = |request: &str, operation: &str, site: Option<&str>, by: Option<&GrantId>, points| Settlement {
        operation: operation.to_owned(),
        site: site.map(str::to_owned),
        grant: by.cloned(),
        ..fixture.call(request, points)
    };
    let store = &fixture.store;
    store.calls.settle(of("req_1", "authors.list", None, None, 4)).await.unwrap();
    let refused = store.calls.settle(of("req_2", "authors.get", None, None, 1)).await;
    assert_eq!(over(refused), (BudgetScope::Module, Period::Daily, 4, 1));
    store.calls.settle(of("req_3", "crawl.run.get", Some("77"), None, 6)).await.unwrap();
    store.calls.settle(of("req_4", "crawl.run.get", Some("78"), Some(&grant), 9)).await.unwrap();
    let refused = store.calls.settle(of("req_5", "crawl.run.get", Some("77"), None, 1)).await;
    assert_eq!(over(refused), (BudgetScope::Site, Period::Daily, 6, 1));
    let refused = store.calls.settle(of("req_6", "crawl.run.get", None, Some(&grant), 1)).await;
    assert_eq!(over(refused), (BudgetScope::Client, Period::Daily, 9, 1));
    store.calls.settle(of("req_7", "authority.get", None, None, 1)).await.unwrap();
    fixture.holds().await;
}

#[tokio::test]
async fn what_is_held_counts_until_it_comes_back() {
    let fixture = with(&[
        budget(BudgetScope::Workspace, "", Unit::Points, Some(50), None),
        budget(BudgetScope::Workspace, "", Unit::Credits, None, Some(4_000)),
    ])
    .await;
    let store = &fixture.store;
    let hold = store.calls.reserve(fixture.reservation("req_1", 40)).await.unwrap();
    assert_eq!(over(store.calls.reserve(fixture.reservation("req_2", 11)).await).2, 40);
    let request = RequestId::from("req_1");
    let held = Settlement { hold: Some(hold), request, ..fixture.call("req_1", 5) };
    store.calls.settle(held).await.unwrap();
    assert_eq!(used(&fixture, NOON).await, [(0, 0), (5, 5)]);
    let job = fixture.start_job("req_3", JobHold { points: 20, credits_milli: 3_000 }).await;
    assert_eq!(used(&fixture, NOON).await, [(3_000, 3_000), (26, 26)]);
    let mut workspace = fixture.workspace();
    workspace.enqueue("crawl", "{}".to_owned()).await.unwrap();
    let hold_for_job = Some(JobHold { points: 1, credits_milli: 2_000 });
    let second = Settlement { changes: workspace.into_changes(), hold_for_job, ..fixture.call("req_4", 1) };
    assert_eq!(over(store.calls.settle(second).await), (BudgetScope::Workspace, Period::Monthly, 3_000, 2_000));
    store.jobs.cancel_job(&fixture.customer, &job, NOON).await.unwrap();
    assert_eq!(used(&fixture, NOON).await, [(0, 0), (6, 6)]);
    // A reservation that nobody settles comes back too.
    store.calls.reserve(fixture.reservation("req_5", 30)).await.unwrap();
    store.sweep(NOON.plus(crate::HOLD_LIFE)).await.unwrap();
    assert_eq!(used(&fixture, NOON).await, [(0, 0), (6, 6)]);
    fixture.holds().await;
}

#[tokio::test]
async fn what_is_held_before_midnight_comes_back_to_the_month_alone() {
    let fixture = with(&[budget(BudgetScope::Workspace, "", Unit::Points, Some(50), Some(100))]).await;
    let hold = fixture.store.calls.reserve(fixture.reservation("req_1", 40)).await.unwrap();
    let tomorrow = NOON.plus(DAY);
    fixture.store.calls.settle(Settlement { now: tomorrow, ..fixture.call("req_2", 7) }).await.unwrap();
    let held = Settlement { hold: Some(hold), now: tomorrow, ..fixture.call("req_1", 4) };
    fixture.store.calls.settle(held).await.unwrap();
    assert_eq!(used(&fixture, tomorrow).await, [(7, 11)]);
}

#[tokio::test]
async fn a_budget_counts_what_was_spent_before_it_was_set_and_goes_when_it_has_no_cap() {
    let fixture = fixture().await;
    fixture.store.calls.settle(fixture.call("req_1", 30)).await.unwrap();
    let authors = |daily| budget(BudgetScope::Module, "authors", Unit::Points, daily, None);
    fixture.store.money.set_budget(&fixture.customer, authors(Some(31)), NOON).await.unwrap();
    assert_eq!(used(&fixture, NOON).await, [(30, 30)]);
    assert_eq!(over(fixture.store.calls.settle(fixture.call("req_2", 2)).await).2, 30);
    // Raising it keeps what was counted.
    fixture.store.money.set_budget(&fixture.customer, authors(Some(32)), NOON).await.unwrap();
    fixture.store.calls.settle(fixture.call("req_3", 2)).await.unwrap();
    assert_eq!(over(fixture.store.calls.settle(fixture.call("req_4", 1)).await).2, 32);
    fixture.store.money.set_budget(&fixture.customer, authors(None), NOON).await.unwrap();
    fixture.store.calls.settle(fixture.call("req_5", 20)).await.unwrap();
    assert_eq!(fixture.store.money.budgets(&fixture.customer, NOON).await.unwrap(), []);
    let lines = fixture.store.trail.audit_lines(&fixture.customer, None, 10).await.unwrap();
    assert_eq!(lines.iter().filter(|line| line.audit.event == "budget.set").count(), 3);
    fixture.holds().await;
}

#[tokio::test]
async fn a_refusal_of_the_guest_is_charged_what_the_budget_leaves() {
    let fixture = with(&[budget(BudgetScope::Workspace, "", Unit::Points, Some(3), None)]).await;
    fixture.store.calls.settle(fixture.call("req_1", 3)).await.unwrap();
    let mut refused = fixture.call("req_2", 1);
    refused.audit.outcome = "author_not_found".to_owned();
    assert_eq!(fixture.store.calls.settle(refused).await.unwrap().usage.points, 0);
    assert_eq!(used(&fixture, NOON).await, [(3, 3)]);
    fixture.holds().await;
}

#[tokio::test]
async fn many_at_once_never_exceed_a_cap() {
    let fixture = with(&[budget(BudgetScope::Workspace, "", Unit::Points, Some(20), None)]).await;
    let calls = (0..40).map(|number| {
        let (store, call) = (fixture.store.clone(), fixture.call(&format!("req_{number}"), 3));
        async move { store.calls.settle(call).await }
    });
    let ended = futures_util::future::join_all(calls).await;
    assert_eq!(ended.iter().filter(|ended| ended.is_ok()).count(), 6);
    assert!(ended.into_iter().filter(Result::is_err).all(|refused| over(refused).0 == BudgetScope::Workspace));
    assert_eq!(used(&fixture, NOON).await, [(18, 18)]);
    let reservation = Reservation { points: 2, ..fixture.reservation("req_last", 0) };
    fixture.store.calls.reserve(reservation).await.unwrap();
    fixture.holds().await;
}
