//! Choosing steps and placing them into weeks.

use super::{Item, Slot, schedule};

fn item(value: f64, hours: u32, needs: &[usize]) -> Item {
    Item { value, hours, critical: false, needs: needs.to_vec() }
}

fn critical(value: f64, hours: u32, needs: &[usize]) -> Item {
    Item { critical: true, ..item(value, hours, needs) }
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
    assert_eq!(firsts(&schedule(&items, 3, 4)), [Some(0), Some(1), Some(2)]);
    let circle = [item(1.0, 1, &[1]), item(1.0, 1, &[0]), item(1.0, 1, &[0])];
    assert_eq!(firsts(&schedule(&circle, 3, 4)), [None, None, None]);
}

#[test]
fn a_step_longer_than_a_week_goes_on_in_the_next_one() {
    let items = [item(120.0, 12, &[]), item(1.0, 4, &[])];
    let slots = schedule(&items, 4, 4);
    let weeks: Vec<_> = slots.iter().map(|it| it.map(|it| (it.first, it.last))).collect();
    assert_eq!(weeks, [Some((0, 2)), Some((3, 3))]);
    assert_eq!(firsts(&schedule(&items, 2, 4)), [None, Some(0)], "it does not fit at all");
    let eight = [item(100.0, 12, &[]), item(5.0, 1, &[]), item(5.0, 1, &[]), item(5.0, 1, &[])];
    assert!(schedule(&eight, 2, 8).iter().all(Option::is_some), "small ones never keep a long one out");
}

#[test]
fn what_is_left_out_takes_the_place_of_what_is_worth_less() {
    // By the hour 60/3 comes first, and then nothing fits the fourth hour; 76/4 is worth more.
    let items = [item(60.0, 3, &[]), item(38.0, 2, &[]), item(76.0, 4, &[])];
    assert_eq!(firsts(&schedule(&items, 1, 4)), [None, None, Some(0)]);
}

#[test]
fn a_critical_step_of_twelve_hours_is_in_a_plan_of_eight_a_week_with_what_it_waits_for() {
    let mut items = vec![critical(40.0, 12, &[]), critical(35.0, 12, &[0]), critical(30.0, 4, &[1])];
    items.extend((0..60).map(|_| item(9.0, 1, &[])));
    let slots = schedule(&items, 8, 8);
    assert_eq!(firsts(&slots)[..3], [Some(0), Some(1), Some(3)]);
    let tight = schedule(&items, 2, 8);
    assert_eq!((tight[0].is_some(), tight[1].is_some()), (true, false), "28 hours do not fit into 16");
}

#[test]
fn plans_hold_their_bounds_whatever_the_items() {
    let mut seed = 7_u64;
    let mut next = |below: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) % below
    };
    for _ in 0..200 {
        let items: Vec<Item> = (0..20)
            .map(|at| {
                let hours = [1, 4, 12][next(3) as usize];
                let needs = if at > 0 && next(3) == 0 { vec![next(at) as usize] } else { Vec::new() };
                Item { critical: next(4) == 0, ..item(1.0 + next(100) as f64, hours, &needs) }
            })
            .collect();
        let (weeks, weekly) = (1 + next(8) as u32, 1 + next(10) as u32);
        let slots = schedule(&items, weeks, weekly);
        let used: u32 = items.iter().zip(&slots).filter(|(_, slot)| slot.is_some()).map(|(item, _)| item.hours).sum();
        assert!(used <= weeks * weekly);
        for (item, slot) in items.iter().zip(&slots) {
            let Some(slot) = slot else { continue };
            assert!(slot.first <= slot.last && slot.last < weeks);
            assert!(item.needs.iter().all(|need| slots[*need].is_some_and(|it| it.last <= slot.first)));
        }
        // No step that is not critical has a place that a critical one of more value could have had, with all it waits for.
        for (at, _) in items.iter().enumerate().filter(|(at, it)| it.critical && slots[*at].is_none()) {
            let missing: u32 =
                chain(&items, at).iter().filter(|it| slots[**it].is_none()).map(|it| items[*it].hours).sum();
            let free: u32 = weeks * weekly - used;
            let mut needed = chain_of_placed(&items, &slots);
            needed.extend(chain(&items, at));
            let given: u32 = (0..items.len())
                .filter(|it| slots[*it].is_some() && !items[*it].critical && !needed.contains(it))
                .map(|it| items[it].hours)
                .sum();
            assert!(missing > free + given, "a critical step was left out although {given} hours went to others");
        }
        assert_eq!(slots, schedule(&items, weeks, weekly));
    }
}

fn chain(items: &[Item], of: usize) -> Vec<usize> {
    let mut chain = vec![of];
    let mut at = 0;
    while at < chain.len() {
        for need in &items[chain[at]].needs {
            if !chain.contains(need) {
                chain.push(*need);
            }
        }
        at += 1;
    }
    chain
}

/// Everything that a placed critical step waits for.
fn chain_of_placed(items: &[Item], slots: &[Option<Slot>]) -> Vec<usize> {
    let placed = (0..items.len()).filter(|at| items[*at].critical && slots[*at].is_some());
    placed.flat_map(|at| chain(items, at)).collect()
}
