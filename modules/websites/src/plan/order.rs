//! Which steps a plan holds, and when each is worked on.
//!
//! First the choice: critical items in the order of their value, each with all that it waits for; then the others by value
//! for an hour, as long as hours are left; then items change places with what was left out, while that gains value. Then the
//! order: one after another, prerequisites before what waits for them, what a critical item waits for as soon as itself. An
//! item that does not fit into the rest of a week goes on in the next one.

/// A step to place.
pub(super) struct Item {
    /// What it is worth to have done.
    pub(super) value: f64,
    /// Hours of work, at least 1.
    pub(super) hours: u32,
    /// Whether it comes before everything that is not.
    pub(super) critical: bool,
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
    /// Its place among the others, from 0.
    pub(super) order: u32,
}

/// Rounds of exchanges; each round tries every item that was left out.
const ROUNDS: usize = 20;

/// A place for each item of a plan of so many weeks of so many hours; none for what does not fit, and for items that wait for
/// each other in a circle. The order of the items breaks ties.
pub(super) fn schedule(items: &[Item], weeks: u32, weekly: u32) -> Vec<Option<Slot>> {
    let mut slots = vec![None; items.len()];
    let chosen = choose(items, weeks * weekly);
    let mut begun = 0;
    for (order, at) in (0..).zip(in_order(items, &chosen)) {
        let end = begun + items[at].hours.max(1);
        slots[at] = Some(Slot { first: begun / weekly.max(1), last: (end - 1) / weekly.max(1), order });
        begun = end;
    }
    slots
}

/// The items that so many hours hold.
fn choose(items: &[Item], hours: u32) -> Vec<bool> {
    let mut chosen = vec![false; items.len()];
    let mut left = hours;
    let chains = chains(items);
    let mut order: Vec<usize> = (0..items.len()).filter(|at| items[*at].critical).collect();
    order.sort_by(|a, b| items[*b].value.total_cmp(&items[*a].value));
    // One that did not fit may fit once another has brought what both wait for.
    for _ in 0..=order.len() {
        for at in &order {
            add(items, &mut chosen, &mut left, chains[*at].as_deref());
        }
    }
    while let Some(at) = best(items, &chosen, left, &chains) {
        add(items, &mut chosen, &mut left, chains[at].as_deref());
    }
    for _ in 0..ROUNDS {
        if !exchange(items, &mut chosen, &mut left, &chains) {
            break;
        }
    }
    chosen
}

/// Each item with all that it waits for; none where something of that waits for itself.
fn chains(items: &[Item]) -> Vec<Option<Vec<usize>>> {
    let mut chains: Vec<Option<Vec<usize>>> = vec![None; items.len()];
    // Whoever waits for nobody is known in the first round, whoever waits for those in the second.
    for _ in 0..items.len() {
        for (at, item) in items.iter().enumerate() {
            let needs: Option<Vec<&Vec<usize>>> = item.needs.iter().map(|need| chains[*need].as_ref()).collect();
            if chains[at].is_none()
                && let Some(needs) = needs
            {
                let mut chain: Vec<usize> = needs.into_iter().flatten().copied().chain([at]).collect();
                chain.sort_unstable();
                chain.dedup();
                chains[at] = Some(chain);
            }
        }
    }
    chains
}

/// Value and hours of what a chain would add.
fn added(items: &[Item], chosen: &[bool], chain: &[usize]) -> (f64, u32) {
    let fresh = chain.iter().filter(|at| !chosen[**at]);
    fresh.fold((0.0, 0), |(value, hours), at| (value + items[*at].value, hours + items[*at].hours.max(1)))
}

fn add(items: &[Item], chosen: &mut [bool], left: &mut u32, chain: Option<&[usize]>) {
    let Some(chain) = chain else { return };
    let (_, hours) = added(items, chosen, chain);
    if hours <= *left {
        *left -= hours;
        chain.iter().for_each(|at| chosen[*at] = true);
    }
}

/// The item that adds most value for an hour, of those that still fit.
fn best(items: &[Item], chosen: &[bool], left: u32, chains: &[Option<Vec<usize>>]) -> Option<usize> {
    let mut best: Option<(usize, f64)> = None;
    for at in (0..items.len()).filter(|at| !chosen[*at]) {
        let Some(chain) = &chains[at] else { continue };
        let (value, hours) = added(items, chosen, chain);
        let worth = value / f64::from(hours.max(1));
        if hours <= left && best.is_none_or(|(_, known)| worth > known) {
            best = Some((at, worth));
        }
    }
    best.map(|(at, _)| at)
}

/// Puts one item that was left out in the place of cheaper ones that nothing chosen waits for; whether that gained anything.
fn exchange(items: &[Item], chosen: &mut [bool], left: &mut u32, chains: &[Option<Vec<usize>>]) -> bool {
    let mut awaited = vec![false; items.len()];
    let all = (0..items.len()).filter(|by| chosen[*by]).flat_map(|by| &items[by].needs);
    all.for_each(|need| awaited[*need] = true);
    let mut cheapest: Vec<usize> =
        (0..items.len()).filter(|it| chosen[*it] && !items[*it].critical && !awaited[*it]).collect();
    cheapest.sort_by(|a, b| items[*a].value.total_cmp(&items[*b].value));
    for at in 0..items.len() {
        let Some(chain) = chains[at].as_ref().filter(|_| !chosen[at]) else { continue };
        let (value, hours) = added(items, chosen, chain);
        let (mut gone, mut lost, mut room) = (Vec::new(), 0.0, *left);
        for it in cheapest.iter().copied().filter(|it| !chain.contains(it)) {
            if room >= hours || lost + items[it].value >= value {
                break;
            }
            lost += items[it].value;
            room += items[it].hours.max(1);
            gone.push(it);
        }
        if room >= hours && lost < value {
            gone.into_iter().for_each(|it| chosen[it] = false);
            chain.iter().for_each(|it| chosen[*it] = true);
            *left = room - hours;
            return true;
        }
    }
    false
}

/// The chosen items, each after all that it waits for.
fn in_order(items: &[Item], chosen: &[bool]) -> Vec<usize> {
    let own = |at: usize| (items[at].critical, items[at].value / f64::from(items[at].hours.max(1)));
    // What somebody waits for is as urgent as whoever waits.
    let mut urgency: Vec<(bool, f64)> = (0..items.len()).map(own).collect();
    for _ in 0..items.len() {
        for at in (0..items.len()).filter(|at| chosen[*at]) {
            for need in &items[at].needs {
                let (critical, worth) = urgency[at];
                urgency[*need] = (urgency[*need].0 || critical, urgency[*need].1.max(worth));
            }
        }
    }
    let mut order: Vec<usize> = Vec::new();
    loop {
        let ready =
            |at: &usize| chosen[*at] && !order.contains(at) && items[*at].needs.iter().all(|it| order.contains(it));
        let better =
            |a: usize, b: usize| urgency[b].0.cmp(&urgency[a].0).then(urgency[b].1.total_cmp(&urgency[a].1)).is_lt();
        match (0..items.len()).filter(ready).reduce(|best, at| if better(at, best) { at } else { best }) {
            Some(next) => order.push(next),
            None => return order,
        }
    }
}

#[cfg(test)]
mod tests;
