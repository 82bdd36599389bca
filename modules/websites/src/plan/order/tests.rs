//! Placing steps into weeks.

use super::{Item, Slot, levels, schedule};

fn item(value: f64, hours: u32, needs: &[usize]) -> Item {
    Item { value, hours, needs: needs.to_vec() }
}

fn firsts(slots: &[Option<Slot>]) -> Vec<Option<u32>> {
    slots.iter().map(|slot| slot.map(|it| it.first)).collect()
}

#[test]
fn the_most_value_for_an_hour_comes_first() {
    let items = [item(10.0, 4, &[]), item(30.0, 4, &[]), item(20.0, 4, &[])];
    assert_eq!(firsts(&schedule(&items, 3, 4)), [Some(2), Some(0), Some(1)]);
}

#[test]
fn a_prerequisite_comes_first_however_little_it_is_worth() {
    let items = [item(1.0, 4, &[]), item(90.0, 4, &[0]), item(50.0, 4, &[])];
    assert_eq!(firsts(&schedule(&items, 3, 4)), [Some(1), Some(2), Some(0)]);
    let circle = [item(1.0, 1, &[1]), item(1.0, 1, &[0])];
    assert_eq!((levels(&circle), levels(&items)), (None, Some(vec![0, 1, 0])));
    assert_eq!(firsts(&schedule(&circle, 3, 4)), [None, None]);
}

#[test]
fn a_step_longer_than_a_week_takes_whole_weeks_in_a_row() {
    let items = [item(120.0, 12, &[]), item(1.0, 4, &[])];
    let slots = schedule(&items, 4, 4);
    assert_eq!(slots[0], Some(Slot { first: 0, last: 2 }));
    assert_eq!(slots[1], Some(Slot { first: 3, last: 3 }));
    assert_eq!(firsts(&schedule(&items, 2, 4)), [None, Some(0)]);
}

#[test]
fn a_swap_mends_what_greed_spoils() {
    // Greed takes 60/3 and then nothing fits the fourth hour; two of 38/2 are worth more.
    let items = [item(60.0, 3, &[]), item(38.0, 2, &[]), item(76.0, 4, &[])];
    let slots = schedule(&items, 1, 4);
    assert_eq!(firsts(&slots), [None, None, Some(0)]);
}

#[test]
fn no_week_is_overfull_and_nothing_comes_before_what_it_needs() {
    let mut seed = 7_u64;
    let mut next = |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) % below
    };
    for _ in 0..40 {
        let items: Vec<Item> = (0..20)
            .map(|at| {
                let hours = [1, 4, 12][next(3) as usize];
                let needs = if at > 0 && next(3) == 0 { vec![next(at) as usize] } else { Vec::new() };
                item(next(100) as f64, hours, &needs)
            })
            .collect();
        let (weeks, weekly) = (1 + next(8) as u32, 1 + next(10) as u32);
        let slots = schedule(&items, weeks, weekly);
        let mut used = vec![0; weeks as usize];
        let mut hours = 0;
        for (item, slot) in items.iter().zip(&slots) {
            let Some(slot) = slot else { continue };
            hours += item.hours;
            assert!(slot.first <= slot.last && slot.last < weeks);
            if item.hours <= weekly {
                assert_eq!(slot.first, slot.last);
                used[slot.first as usize] += item.hours;
            }
            for need in &item.needs {
                assert!(slots[*need].is_some_and(|it| it.last <= slot.first));
            }
        }
        assert!(used.iter().all(|it| *it <= weekly), "{used:?} of {weekly}");
        assert!(hours <= weeks * weekly);
        assert_eq!(slots, schedule(&items, weeks, weekly));
    }
}
