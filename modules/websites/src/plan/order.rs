//! Which step comes when: prerequisites first, each week a knapsack, then swaps.

/// A step to place.
pub(super) struct Item {
    /// What it is worth to have done.
    pub(super) value: f64,
    /// Hours of work, at least 1.
    pub(super) hours: u32,
    /// Positions of those that come before it.
    pub(super) needs: Vec<usize>,
}

/// When an item is worked on: weeks from 0, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Slot {
    /// The week it begins in.
    pub(super) first: u32,
    /// The week it ends in.
    pub(super) last: u32,
}

/// Rounds of swapping; each round tries every pair.
const ROUNDS: usize = 20;

/// How many items stand before each along its longest chain. None when they wait for each other in a circle.
pub(super) fn levels(items: &[Item]) -> Option<Vec<u32>> {
    let mut levels: Vec<Option<u32>> = vec![None; items.len()];
    for _ in 0..=items.len() {
        let mut waiting = false;
        for (at, item) in items.iter().enumerate() {
            if levels[at].is_none() {
                let before: Option<Vec<u32>> = item.needs.iter().map(|need| levels[*need]).collect();
                match before {
                    Some(before) => levels[at] = Some(before.iter().max().map_or(0, |level| level + 1)),
                    None => waiting = true,
                }
            }
        }
        if !waiting {
            return levels.into_iter().collect();
        }
    }
    None
}

/// A place for each item that fits into so many weeks of so many hours; the order of the items breaks ties.
///
/// Greedy: week by week the item with the most value for an hour, of those whose prerequisites are placed and that fit.
/// One that is longer than a week takes whole weeks in a row. Then two items change places, or one moves to an earlier
/// week, as long as `Σ value × (weeks − last week)` rises and no prerequisite is broken.
pub(super) fn schedule(items: &[Item], weeks: u32, weekly: u32) -> Vec<Option<Slot>> {
    let mut slots: Vec<Option<Slot>> = vec![None; items.len()];
    let mut free = vec![weekly; weeks as usize];
    for week in 0..weeks {
        while let Some(best) = best(items, &slots, &free, week, weekly) {
            slots[best] = Some(take(&mut free, week, items[best].hours));
        }
    }
    for _ in 0..ROUNDS {
        if !improve(items, &mut slots, &mut free, weekly) {
            break;
        }
    }
    slots
}

/// The open item with the most value for an hour that can begin in a week.
fn best(items: &[Item], slots: &[Option<Slot>], free: &[u32], week: u32, weekly: u32) -> Option<usize> {
    let fits = |item: &Item| {
        let left: u32 = free[week as usize..].iter().sum();
        let now = free[week as usize];
        item.hours <= now || (item.hours > weekly && now == weekly && item.hours <= left)
    };
    let ready = |item: &Item| item.needs.iter().all(|need| slots[*need].is_some_and(|slot| slot.last <= week));
    let open = (0..items.len()).filter(|at| slots[*at].is_none() && ready(&items[*at]) && fits(&items[*at]));
    let worth = |at: usize| items[at].value / f64::from(items[at].hours.max(1));
    open.reduce(|best, at| if worth(at) > worth(best) { at } else { best })
}

fn take(free: &mut [u32], week: u32, hours: u32) -> Slot {
    let (mut left, mut last) = (hours, week);
    for at in week..u32::try_from(free.len()).unwrap_or(u32::MAX) {
        let taken = left.min(free[at as usize]);
        free[at as usize] -= taken;
        left -= taken;
        last = at;
        if left == 0 {
            break;
        }
    }
    Slot { first: week, last }
}

/// Tries every pair and every move once; whether something became better. Items longer than a week stay.
fn improve(items: &[Item], slots: &mut [Option<Slot>], free: &mut [u32], weekly: u32) -> bool {
    let mut better = false;
    let weeks = u32::try_from(free.len()).unwrap_or(u32::MAX);
    let worth = |at: usize, slot: Option<Slot>| slot.map_or(0.0, |it| items[at].value * f64::from(weeks - it.last));
    for one in 0..items.len() {
        if items[one].hours > weekly {
            continue;
        }
        for week in 0..weeks {
            let to = Some(Slot { first: week, last: week });
            if free[week as usize] < items[one].hours || worth(one, to) <= worth(one, slots[one]) + 1e-9 {
                continue;
            }
            let from = std::mem::replace(&mut slots[one], to);
            if holds(items, slots) {
                free[week as usize] -= items[one].hours;
                from.iter().for_each(|it| free[it.first as usize] += items[one].hours);
                better = true;
            } else {
                slots[one] = from;
            }
        }
        for other in one + 1..items.len() {
            let (here, there) = (slots[one], slots[other]);
            if here == there || items[other].hours > weekly {
                continue;
            }
            let gain = worth(one, there) + worth(other, here) - worth(one, here) - worth(other, there);
            let room = |slot: Option<Slot>, gone: usize, come: usize| {
                slot.is_none_or(|it| free[it.first as usize] + items[gone].hours >= items[come].hours)
            };
            if gain <= 1e-9 || !room(here, one, other) || !room(there, other, one) {
                continue;
            }
            (slots[one], slots[other]) = (there, here);
            if holds(items, slots) {
                let mut change = |slot: Option<Slot>, gone: usize, come: usize| {
                    if let Some(it) = slot {
                        free[it.first as usize] = free[it.first as usize] + items[gone].hours - items[come].hours;
                    }
                };
                change(here, one, other);
                change(there, other, one);
                better = true;
            } else {
                (slots[one], slots[other]) = (here, there);
            }
        }
    }
    better
}

/// Whether everything that is placed comes no sooner than what it needs.
fn holds(items: &[Item], slots: &[Option<Slot>]) -> bool {
    items.iter().zip(slots).all(|(item, slot)| {
        slot.is_none_or(|slot| item.needs.iter().all(|need| slots[*need].is_some_and(|it| it.last <= slot.first)))
    })
}

#[cfg(test)]
mod tests;
