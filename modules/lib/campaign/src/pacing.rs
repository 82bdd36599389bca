//! How much is due on a day and at which moments: paced, capped, and the same whenever it is planned again.

use kit::chance::Chance;
use sdk::prelude::*;

use crate::hours::Hours;

/// How far back what was missed is still handed over, in milliseconds.
const CATCH_UP: u64 = 2 * 3_600_000;

/// What is due on one day: the day's share, never more. What an earlier day did not deliver moves the end and is not
/// caught up.
#[must_use]
pub const fn due(left: u32, per_day: u32) -> u32 {
    if left < per_day { left } else { per_day }
}

/// The last day on which anything is left to do, when `today` still has its whole share; `today` when nothing is left.
#[must_use]
pub fn last_day(today: Day, left: u32, per_day: u32) -> Day {
    let days = left.div_ceil(per_day.max(1)).saturating_sub(1);
    today.plus(i32::try_from(days).unwrap_or(i32::MAX / 2))
}

/// The moments of one day's actions, in order: a Poisson process within the hours, given how many there are. Then the
/// moments are uniform and independent (Kingman 1993, "Poisson Processes", 2.4), so their gaps look like people's and
/// not like a clock's. The campaign and the day are the seed: planned again, the day is the same.
#[must_use]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a day's milliseconds"
)]
pub fn times(campaign: &str, day: Day, actions: u32, hours: Hours) -> Vec<Moment> {
    let mut chance = Chance::of(&format!("{campaign} {}", day.since_epoch()));
    let (opens, length) = (hours.opens(day), hours.length() as f64);
    let mut times: Vec<Moment> = (0..actions).map(|_| opens.plus((chance.unit() * length) as u64)).collect();
    times.sort_unstable();
    times
}

/// People who can be asked together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// How much of the whole is theirs, usually how many they are.
    pub weight: u64,
    /// How many invitations they can still get.
    pub room: u32,
}

/// How many invitations a group takes at most in the seven days that end now: each person's weekly cap times the people,
/// less what they got in these days.
#[must_use]
pub fn room(people: u64, weekly_cap: u32, in_seven_days: u64) -> u32 {
    let most = people.saturating_mul(u64::from(weekly_cap)).saturating_sub(in_seven_days);
    // Nobody is asked twice on one day.
    u32::try_from(most.min(people)).unwrap_or(u32::MAX)
}

/// How many of these moments came since `upto`, but no longer ago than two hours: what was missed before, while a
/// campaign was paused or its host was down, is left for another day.
#[must_use]
pub fn come(times: &[Moment], upto: Moment, now: Moment) -> u32 {
    let since = upto.max(Moment::from_millis(now.millis().saturating_sub(CATCH_UP)));
    u32::try_from(times.iter().filter(|it| since < **it && **it <= now).count()).unwrap_or(u32::MAX)
}

/// Splits actions by weight, each group within its room; what one has no room for goes to the others. The sum is
/// `actions`, or all the room that there is.
#[must_use]
pub fn allot(actions: u32, groups: &[Room]) -> Vec<u32> {
    let mut given = vec![0_u32; groups.len()];
    let mut left = actions;
    while left > 0 {
        let open: Vec<usize> = (0..groups.len()).filter(|at| given[*at] < groups[*at].room).collect();
        let weights: u64 = open.iter().map(|at| groups[*at].weight.max(1)).sum();
        if open.is_empty() {
            break;
        }
        let round = u64::from(left);
        for at in &open {
            let share = u32::try_from(u128::from(round) * u128::from(groups[*at].weight.max(1)) / u128::from(weights));
            let share = share.unwrap_or(u32::MAX).min(groups[*at].room - given[*at]).min(left);
            given[*at] += share;
            left -= share;
        }
        if u64::from(left) == round {
            // Less than one for each: the largest first.
            let by_weight = open.into_iter().max_by_key(|at| (groups[*at].weight, std::cmp::Reverse(*at)));
            if let Some(at) = by_weight {
                given[at] += 1;
                left -= 1;
            }
        }
    }
    given
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(number: i32) -> Day {
        Day::from_epoch(20_000 + number)
    }

    #[test]
    fn a_day_that_is_planned_again_is_the_same_and_another_day_is_another_one() {
        let hours = Hours::of(Some("DE"));
        let first = times("camp_1", day(0), 40, hours);
        assert_eq!(first, times("camp_1", day(0), 40, hours));
        let gaps = |times: &[Moment]| times.windows(2).map(|it| it[1].since(it[0])).collect::<Vec<_>>();
        assert_ne!(gaps(&first), gaps(&times("camp_1", day(1), 40, hours)));
        assert_ne!(first, times("camp_2", day(0), 40, hours));
    }

    #[test]
    fn every_moment_is_within_the_hours_in_every_country() {
        for country in ["JP", "NZ", "US", "IN", "GB"] {
            let hours = Hours::of(Some(country));
            for number in 0..50 {
                for moment in times("camp", day(number), 200, hours) {
                    assert!(hours.opens(day(number)) <= moment && moment < hours.closes(day(number)), "{country}");
                }
            }
        }
    }

    #[test]
    fn gaps_between_actions_are_exponential_as_a_poisson_process_has_them() {
        let mut gaps: Vec<f64> = Vec::new();
        for number in 0..400 {
            let times = times("camp", day(number), 100, Hours::of(None));
            gaps.extend(times.windows(2).map(|it| it[1].since(it[0]) as f64));
        }
        let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
        let variance = gaps.iter().map(|gap| (gap - mean).powi(2)).sum::<f64>() / gaps.len() as f64;
        let coefficient = variance.sqrt() / mean;
        assert!((0.95..1.03).contains(&coefficient), "1 for exponential gaps, 0 for a clock: {coefficient}");
        let short = gaps.iter().filter(|gap| **gap < mean).count() as f64 / gaps.len() as f64;
        assert!((short - (1.0 - (-1.0_f64).exp())).abs() < 0.01, "1 - 1/e of the gaps are below the mean: {short}");
    }

    #[test]
    fn missed_days_move_the_end_and_are_never_caught_up() {
        let (mut left, mut today, mut delivered) = (200, 0, Vec::new());
        while left > 0 {
            let done = if (3..6).contains(&today) { 0 } else { due(left, 20) };
            delivered.push(done);
            left -= done;
            today += 1;
        }
        assert_eq!(delivered.iter().max(), Some(&20));
        assert_eq!(delivered.len(), 13);
        assert_eq!(last_day(day(0), 200, 20), day(9));
        assert_eq!(last_day(day(6), 140, 20), day(12));
        assert_eq!(last_day(day(6), 0, 20), day(6));
    }

    #[test]
    fn what_a_pause_has_missed_is_not_handed_over_at_its_end() {
        let (day, hours) = (day(0), Hours::of(None));
        let times = times("camp", day, 200, hours);
        let evening = hours.closes(day);
        let come_then = come(&times, hours.opens(day), evening);
        assert!((20..=60).contains(&come_then), "two of ten hours: {come_then}");
        let by_hour = (1..=10).map(|hour| {
            let now = hours.opens(day).plus(hour * 3_600_000);
            come(&times, hours.opens(day).plus((hour - 1) * 3_600_000), now)
        });
        assert_eq!(by_hour.sum::<u32>() + u32::from(times[0] == hours.opens(day)), 200);
    }

    #[test]
    fn a_split_keeps_every_cap_and_gives_all_that_there_is_room_for() {
        let mut chance = Chance::new(7);
        for _ in 0..3_000 {
            let groups: Vec<Room> = (0..chance.below(6))
                .map(|_| Room { weight: chance.below(500) as u64, room: chance.below(40) as u32 })
                .collect();
            let wanted = chance.below(200) as u32;
            let given = allot(wanted, &groups);
            assert!(given.iter().zip(&groups).all(|(given, group)| *given <= group.room), "{groups:?}");
            let room: u32 = groups.iter().map(|group| group.room).sum();
            assert_eq!(given.iter().sum::<u32>(), wanted.min(room), "{wanted} {groups:?} {given:?}");
        }
    }

    #[test]
    fn a_split_follows_the_weights_where_there_is_room() {
        let groups = [Room { weight: 300, room: 99 }, Room { weight: 100, room: 99 }];
        assert_eq!(allot(20, &groups), [15, 5]);
        assert_eq!(allot(20, &[Room { weight: 300, room: 2 }, Room { weight: 100, room: 99 }]), [2, 18]);
        assert_eq!(allot(5, &[]), Vec::<u32>::new());
    }

    #[test]
    fn a_person_is_asked_no_more_often_than_the_cap_in_any_seven_days() {
        for cap in 1..=4_u32 {
            let (people, mut given): (u64, Vec<u64>) = (10, Vec::new());
            for number in 0..60_usize {
                let week: u64 = given.iter().rev().take(6).sum();
                given.push(u64::from(allot(50, &[Room { weight: 1, room: room(people, cap, week) }])[0]));
                let week: u64 = given[number.saturating_sub(6)..].iter().sum();
                assert!(week <= people * u64::from(cap), "{cap} a week, day {number}: {week}");
                assert!(given[number] <= people, "nobody is asked twice on one day");
            }
        }
    }
}
