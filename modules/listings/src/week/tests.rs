//! Tests of opening hours.

use kit::chance::Chance;

use super::*;

/// Whether a business with these hours is open at a minute of the week, counted from Monday 00:00.
fn is_open(week: &[Period], minute: u32) -> bool {
    let now = Interval { from: minute % WEEK, to: minute % WEEK + 1 };
    week.iter().filter_map(Interval::of).any(|it| it.meets(now))
}

fn period(day: Weekday, open: &str, close: &str) -> Period {
    Period { day, open: open.to_owned(), close: close.to_owned() }
}

#[test]
fn hours_past_midnight_belong_to_the_day_that_they_begin_on() {
    let bar = [period(Weekday::Sunday, "18:00", "02:00"), period(Weekday::Monday, "09:00", "24:00")];
    let (week, warnings) = settled(&bar).unwrap();
    assert_eq!(week, [bar[1].clone(), bar[0].clone()], "in the order of the week");
    assert!(warnings.is_empty());
    let at = |day: u32, hour: u32| is_open(&week, day * 1_440 + hour * 60);
    assert!(at(6, 23) && at(0, 1) && !at(0, 2) && at(0, 23) && !at(1, 0));
    let written = write_week(&week);
    assert_eq!(written["periods"][1]["closeDay"], "MONDAY");
    assert_eq!(written["periods"][0]["closeTime"], json!({ "hours": 24, "minutes": 0 }));
}

#[test]
fn hours_that_overlap_are_refused_where_they_stand_also_over_the_end_of_the_week() {
    let overlap = |a: Period, b: Period| settled(&[a, b]).map_err(|it| (it.at, it.code));
    let late = period(Weekday::Sunday, "20:00", "03:00");
    assert_eq!(overlap(late.clone(), period(Weekday::Monday, "02:00", "05:00")), Err((1, "hours_overlap")));
    assert!(overlap(late, period(Weekday::Monday, "03:00", "05:00")).is_ok());
    let morning = period(Weekday::Friday, "09:00", "12:00");
    assert_eq!(overlap(morning.clone(), period(Weekday::Friday, "11:59", "13:00")), Err((1, "hours_overlap")));
    let (week, warnings) = settled(&[morning, period(Weekday::Friday, "12:00", "18:00")]).unwrap();
    assert_eq!(week, [period(Weekday::Friday, "09:00", "18:00")]);
    assert_eq!(warnings.len(), 1);
    for wrong in ["24:01", "9:00", "09:60", "", "24:00"] {
        let found = settled(&[period(Weekday::Friday, wrong, "18:00")]).unwrap_err();
        assert_eq!(found.code, "invalid_hours", "{wrong}");
    }
}

#[test]
fn a_week_comes_back_from_google_as_it_was_given() {
    let mut chance = Chance::new(7);
    for _ in 0..500 {
        let mut given = Vec::new();
        for day in 0..7 {
            for part in 0..chance.below(3) {
                let open = u32::try_from(part * 700 + chance.below(300)).unwrap();
                let close = open + 15 + u32::try_from(chance.below(300)).unwrap();
                given.push(Period { day: Weekday::of(day), open: clock(open), close: clock(close) });
            }
        }
        let (week, _) = settled(&given).unwrap();
        assert_eq!(read_week(&write_week(&week)), week);
        assert_eq!(settled(&week).unwrap().0, week, "what is in order stays so");
        for minute in (0..10_080).step_by(97) {
            let plainly = given.iter().any(|it| {
                let from = it.day.number() * 1_440 + minutes(&it.open).unwrap();
                let to = it.day.number() * 1_440 + minutes(&it.close).unwrap();
                (from..to).contains(&minute)
            });
            assert_eq!(is_open(&week, minute), plainly, "{given:?} at {minute}");
        }
    }
}

#[test]
fn special_days_come_back_and_a_closed_week_is_told_day_by_day() {
    let day = |text: &str| text.parse::<Day>().unwrap();
    let open =
        Special { date: day("2026-12-24"), open: Some("09:00".into()), close: Some("13:00".into()), closed: false };
    let closed = Special { date: day("2026-12-25"), open: None, close: None, closed: true };
    let late =
        Special { date: day("2026-12-31"), open: Some("20:00".into()), close: Some("04:00".into()), closed: false };
    let all = [open, closed, late];
    assert_eq!(read_special(&write_special(&all)), all);
    let week = json!({ "specialHourPeriods": [{ "startDate": { "year": 2026, "month": 8, "day": 3 }, "endDate": { "year": 2026, "month": 8, "day": 9 }, "closed": true }] });
    assert_eq!(read_special(&week).len(), 7);
}
