//! What a plan comes to: whom each day would invite, within the caps of the people.

use campaign::hours::Hours;
use campaign::pacing::{Room, allot, due, room};
use sdk::prelude::*;

use crate::people::People;
use crate::stored::Terms;

/// Days that a preview shows.
const SHOWN: usize = 7;
/// Days after which a preview gives up counting.
const MOST_DAYS: usize = 400;

/// A plan before it is bought.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Plan {
    /// Days until everybody is invited; as long as is counted where the caps never let it end.
    pub(crate) days: u32,
    /// When the first hour of the first day begins.
    pub(crate) first_hour: Moment,
    /// Invitations on each of the first days.
    pub(crate) by_day: Vec<u32>,
}

/// Plays the plan through with empty weeks before it.
pub(crate) fn preview(now: Moment, terms: &Terms, country: Option<&str>, people: &[People]) -> Plan {
    let hours = Hours::of(country);
    let mut left = terms.daily_actions * terms.duration_days;
    let mut history: Vec<Vec<u64>> = vec![Vec::new(); people.len()];
    let mut days: Vec<u32> = Vec::new();
    while left > 0 && days.len() < MOST_DAYS && !people.is_empty() {
        let groups: Vec<Room> = people
            .iter()
            .zip(&history)
            .map(|(it, given)| {
                let week = given.iter().rev().take(6).sum();
                Room { weight: it.people, room: room(it.people, it.weekly_cap, week) }
            })
            .collect();
        let given = allot(due(left, terms.daily_actions), &groups);
        history.iter_mut().zip(&given).for_each(|(history, given)| history.push(u64::from(*given)));
        let sum = given.iter().sum();
        left -= sum;
        days.push(sum);
    }
    Plan {
        days: u32::try_from(days.len()).unwrap_or(u32::MAX),
        first_hour: hours.opens(hours.next(now)),
        by_day: days.into_iter().take(SHOWN).collect(),
    }
}

/// What each group takes of `actions` on a day, when this much was handed to it before.
pub(crate) fn split(actions: u32, people: &[People], week: &[u64], today: &[u64]) -> Vec<u32> {
    let groups = people.iter().zip(week).zip(today).map(|((it, week), today)| {
        let rest = u32::try_from(it.people.saturating_sub(*today)).unwrap_or(u32::MAX);
        Room { weight: it.people, room: room(it.people, it.weekly_cap, *week).min(rest) }
    });
    allot(actions, &groups.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn people(people: u64, weekly_cap: u32) -> People {
        People { reference: "a".into(), panel: true, people, weekly_cap, country: None, disclosure: None }
    }

    fn terms(daily_actions: u32, duration_days: u32) -> Terms {
        Terms {
            site_id: "1".into(),
            urls: Vec::new(),
            duration_days,
            daily_actions,
            audience_refs: Vec::new(),
            message: None,
            per_url_milli: 5_000,
        }
    }

    #[test]
    fn a_plan_takes_as_many_days_as_the_caps_of_the_people_make_of_it() {
        let now = Moment::from_millis(1_000_000_000_000);
        let plan = preview(now, &terms(20, 14), None, &[people(480, 2)]);
        assert_eq!((plan.days, plan.by_day), (14, vec![20; 7]));
        let plan = preview(now, &terms(20, 3), None, &[people(10, 1)]);
        assert_eq!((plan.days, plan.by_day[..2].to_vec()), (36, vec![10, 0]), "60 invitations, 10 a week");
        assert_eq!(preview(now, &terms(20, 14), None, &[]).days, 0);
    }

    #[test]
    fn nobody_is_invited_twice_on_a_day_or_more_often_than_the_cap() {
        let groups = [people(10, 3), people(40, 1)];
        assert_eq!(split(20, &groups, &[0, 0], &[0, 0]), [4, 16]);
        assert_eq!(split(20, &groups, &[8, 30], &[8, 0]), [2, 10]);
        assert_eq!(split(20, &groups, &[30, 40], &[0, 0]), [0, 0]);
    }
}
