//! Tests of `pace`.

use super::{CLEAN, SLOWEST_MS, Sign, retry_after_ms};
use crate::crawled::Pace;

#[test]
fn a_crawl_begins_at_the_rate_asked_for_or_at_the_delay_the_site_asks_for() {
    assert_eq!(Pace::start(2_000, None).delay_ms, 500);
    assert_eq!(Pace::start(3_000, None).delay_ms, 334);
    assert_eq!(Pace::start(2_000, Some(3_000)).delay_ms, 3_000);
    assert_eq!(Pace::start(100, Some(600_000)).delay_ms, SLOWEST_MS);
}

#[test]
fn trouble_halves_the_speed_and_clean_answers_win_a_tenth_back() {
    let mut pace = Pace::start(10_000, None);
    pace.note(Sign::of_status(503, None));
    pace.note(Sign::Trouble(None));
    assert_eq!((pace.delay_ms, pace.slowdowns), (400, 2));
    for _ in 0..CLEAN - 1 {
        pace.note(Sign::of_status(404, None));
    }
    assert_eq!(pace.delay_ms, 400);
    pace.note(Sign::Clean);
    assert_eq!(pace.delay_ms, 364);
    for _ in 0..CLEAN * 40 {
        pace.note(Sign::Clean);
    }
    assert_eq!(pace.delay_ms, 100, "never faster than asked");
}

#[test]
fn retry_after_is_honoured_up_to_the_longest_pause() {
    let mut pace = Pace::start(10_000, None);
    pace.note(Sign::of_status(429, retry_after_ms(" 7 ")));
    assert_eq!(pace.delay_ms, 7_000);
    pace.note(Sign::of_status(429, retry_after_ms("86400")));
    assert_eq!(pace.delay_ms, SLOWEST_MS);
    assert_eq!(retry_after_ms("Wed, 21 Oct 2026 07:28:00 GMT"), None);
}

#[test]
fn the_wait_is_what_is_left_of_the_delay() {
    let pace = Pace::start(2_000, None);
    assert_eq!((pace.wait_ms(0), pace.wait_ms(120), pace.wait_ms(900)), (500, 380, 0));
}
