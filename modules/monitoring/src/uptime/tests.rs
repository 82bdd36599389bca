//! The arithmetic of availability.

use super::days::{Span, spans};

fn span(checks: &[(u64, bool)], every: u64) -> Span {
    spans(checks, every).0
}

#[test]
fn time_is_observed_between_checks_that_came_when_they_were_due_and_down_until_the_first_good_one() {
    let every = 300;
    let checks = [(0, true), (300, true), (600, false), (900, false), (1_200, true), (1_500, true)];
    let whole = span(&checks, every);
    assert_eq!(whole, Span { observed: 1_500, down: 600, checks: 6, failed: 2 });
    assert_eq!(whole.availability(), Some(0.6));
    // An hour without checks is a gap, whatever stands at its ends.
    let gap = [(0, true), (300, false), (3_900, true), (4_200, true)];
    assert_eq!(span(&gap, every), Span { observed: 600, down: 0, checks: 4, failed: 1 });
    assert_eq!(span(&[(0, false)], every).availability(), None, "one check observes no time");
    // A check that came a little late is none.
    assert_eq!(span(&[(0, true), (450, true), (901, true)], every).observed, 450);
}

#[test]
fn a_stretch_of_time_counts_for_the_day_on_which_it_begins() {
    let day = 86_400;
    let (whole, days) = spans(&[(day - 300, true), (day, false), (day + 300, true)], 300);
    let of: Vec<Span> = days.values().copied().collect();
    assert_eq!(of[0], Span { observed: 300, down: 0, checks: 1, failed: 0 });
    assert_eq!(of[1], Span { observed: 300, down: 300, checks: 2, failed: 1 });
    assert_eq!((whole.observed, whole.down), (600, 300));
}
