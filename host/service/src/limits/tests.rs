//! Windows fill, refuse and begin anew.

use std::time::Duration;

use model::clock::Moment;
use model::grant::{Access, Grant};
use model::refusal::Class;
use model::scope::ScopeSet;

use super::Limiter;
use crate::config::Rates;

const START: Moment = Moment(1_790_000_000_000);

fn grant(id: &str, customer: &str) -> Grant {
    Grant { id: id.into(), customer: customer.into(), client: None, scopes: ScopeSet::all(), access: Access::Open }
}

fn limiter() -> Limiter {
    Limiter::new(&Rates { requests: 3, feedback: 1, ..Rates::default() })
}

#[test]
fn the_quota_is_given_and_the_next_request_is_told_how_long_to_wait() {
    let (limiter, alice) = (limiter(), grant("gra_a", "cus_a"));
    for left in [2, 1, 0] {
        assert_eq!(limiter.request(&alice, START).unwrap().remaining, left);
    }
    let refusal = limiter.request(&alice, START.plus(Duration::from_millis(20_500))).unwrap_err();
    assert_eq!((refusal.class, &*refusal.code), (Class::Limited, "rate_limited"));
    assert_eq!(refusal.members()["limit"], "request");
    assert_eq!(refusal.retry_after, Some(40));
}

#[test]
fn a_new_window_begins_when_the_old_one_has_ended() {
    let (limiter, alice) = (limiter(), grant("gra_a", "cus_a"));
    for _ in 0..3 {
        limiter.request(&alice, START).unwrap();
    }
    assert!(limiter.request(&alice, START.plus(Duration::from_millis(59_999))).is_err());
    assert_eq!(limiter.request(&alice, START.plus(Duration::from_secs(60))).unwrap().remaining, 2);
}

#[test]
fn one_look_a_second_at_each_kind_of_work_is_free_for_each_customer() {
    let limiter = limiter();
    let look = |customer: &str, operation: &str, millis: u64| {
        limiter.is_free_look(&customer.into(), operation, START.plus(Duration::from_millis(millis)))
    };
    assert!(look("cus_a", "crawl.run.get", 0) && !look("cus_a", "crawl.run.get", 999));
    assert!(look("cus_a", "audit.run.get", 500) && look("cus_b", "crawl.run.get", 500));
    assert!(look("cus_a", "crawl.run.get", 1_000));
}

#[test]
fn one_limit_does_not_use_up_another() {
    let (limiter, alice) = (limiter(), grant("gra_a", "cus_a"));
    limiter.feedback(&alice, START).unwrap();
    assert!(limiter.feedback(&alice, START).is_err());
    assert!(limiter.request(&alice, START).is_ok());
    assert!(limiter.heavy(&alice, START).is_ok());
}

#[test]
fn two_customers_do_not_share_a_window() {
    let limiter = limiter();
    limiter.feedback(&grant("gra_a", "cus_a"), START).unwrap();
    assert!(limiter.feedback(&grant("gra_b", "cus_b"), START).is_ok());
}

#[test]
fn many_grants_of_one_customer_share_four_times_the_rate_of_one() {
    let limiter = limiter();
    let passed = (0..10).filter(|n| limiter.feedback(&grant(&format!("gra_{n}"), "cus_a"), START).is_ok()).count();
    assert_eq!(passed, 4);
}
