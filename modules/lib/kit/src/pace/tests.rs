//! Tests of `pace`.

use super::{CLEAN, FAULTS, LONGEST_PAUSE_MS, SLOWEST_MS, Sign, retry_after_ms};
use crate::crawled::Pace;

#[test]
fn a_crawl_begins_at_the_rate_asked_for_or_at_the_delay_the_site_asks_for() {
    assert_eq!(Pace::start(2_000, None).delay_ms, 500);
    assert_eq!(Pace::start(3_000, None).delay_ms, 334);
    assert_eq!(Pace::start(2_000, Some(3_000)).delay_ms, 3_000);
    assert_eq!(Pace::start(100, Some(600_000)).delay_ms, SLOWEST_MS);
}

#[test]
fn trouble_halves_the_speed_and_clean_answers_win_it_back() {
    let mut pace = Pace::start(10_000, None);
    pace.note(Sign::of_status(503, None));
    pace.note(Sign::Trouble(None));
    assert_eq!((pace.delay_ms, pace.slowdowns), (400, 2));
    for _ in 0..CLEAN - 1 {
        pace.note(Sign::of_status(404, None));
    }
    assert_eq!(pace.delay_ms, 400);
    pace.note(Sign::Clean);
    assert_eq!(pace.delay_ms, 300);
    for _ in 0..CLEAN * 4 {
        pace.note(Sign::Clean);
    }
    assert_eq!(pace.delay_ms, 100, "never faster than asked");
}

#[test]
fn retry_after_is_one_pause_and_what_follows_goes_on_by_the_usual_rule() {
    let mut pace = Pace::start(10_000, None);
    pace.note(Sign::of_status(429, retry_after_ms(" 7 ")));
    assert_eq!((pace.wait_ms(0), pace.wait_ms(6_000), pace.delay_ms), (7_000, 1_000, 200));
    pace.begin();
    assert_eq!(pace.wait_ms(0), 200);
    pace.note(Sign::of_status(429, retry_after_ms("86400")));
    assert_eq!(pace.wait_ms(0), LONGEST_PAUSE_MS);
    assert_eq!(retry_after_ms("Wed, 21 Oct 2026 07:28:00 GMT"), None);
}

#[test]
fn pages_that_fail_one_by_one_do_not_slow_a_crawl_down_and_a_row_of_them_does() {
    let mut pace = Pace::start(10_000, None);
    for _ in 0..12 {
        pace.note(Sign::of_status(500, None));
        pace.note(Sign::of_status(502, None));
        pace.note(Sign::Clean);
    }
    assert_eq!((pace.delay_ms, pace.slowdowns), (100, 0));
    for _ in 0..12 {
        pace.note(Sign::of_status(500, None));
    }
    assert_eq!((pace.delay_ms, pace.slowdowns), (1_600, 12 / FAULTS));
}

#[test]
fn the_wait_is_what_is_left_of_the_delay() {
    let pace = Pace::start(2_000, None);
    assert_eq!((pace.wait_ms(0), pace.wait_ms(120), pace.wait_ms(900)), (500, 380, 0));
}
