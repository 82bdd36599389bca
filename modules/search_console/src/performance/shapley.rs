//! The exact attribution of a changed product to its factors.

/// Factors of a key's clicks: total impressions, the key's share of them, the click rate expected at its position, and its
/// click rate relative to that.
pub(super) type Factors = [f64; 4];

/// The Shapley value of each factor (Shapley 1953): its effect when it is changed after the factors of a set, averaged over
/// all orders of the factors. The four values add up to the change of the product.
pub(super) fn attribution(before: Factors, after: Factors) -> Factors {
    /// |S|! (3 − |S|)! / 4! for sets of 0 to 3 other factors.
    const WEIGHTS: [f64; 4] = [6.0 / 24.0, 2.0 / 24.0, 2.0 / 24.0, 6.0 / 24.0];
    let mut values = [0.0; 4];
    for (factor, value) in values.iter_mut().enumerate() {
        for changed in (0_u8..16).filter(|set| set & (1 << factor) == 0) {
            let product: f64 = (0..4)
                .filter(|other| *other != factor)
                .map(|other| if changed & (1 << other) != 0 { after[other] } else { before[other] })
                .product();
            *value += WEIGHTS[changed.count_ones() as usize] * (after[factor] - before[factor]) * product;
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use kit::chance::Chance;

    use super::{Factors, attribution};

    /// The same by going through the 24 orders one by one.
    fn by_orders(before: Factors, after: Factors) -> Factors {
        let mut values = [0.0; 4];
        let mut orders = 0.0;
        for code in 0..256_usize {
            let order = [code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6 & 3];
            if (0..4).any(|factor| !order.contains(&factor)) {
                continue;
            }
            orders += 1.0;
            let mut now = before;
            for factor in order {
                let old: f64 = now.iter().product();
                now[factor] = after[factor];
                values[factor] += now.iter().product::<f64>() - old;
            }
        }
        values.map(|value| value / orders)
    }

    #[test]
    fn parts_are_those_of_all_orders_and_add_up_to_the_change() {
        let mut chance = Chance::of("shapley");
        for _ in 0..500 {
            let mut draw = |scale: f64| if chance.below(9) == 0 { 0.0 } else { chance.unit() * scale };
            let mut factors = || [draw(1e6), draw(1.0), draw(0.3), draw(3.0)];
            let (before, after) = (factors(), factors());
            let (found, wanted) = (attribution(before, after), by_orders(before, after));
            let change = after.iter().product::<f64>() - before.iter().product::<f64>();
            let size: f64 = found.iter().map(|it| it.abs()).sum::<f64>().max(1.0);
            assert!((found.iter().sum::<f64>() - change).abs() <= 1e-9 * size);
            assert!(found.iter().zip(wanted).all(|(a, b)| (a - b).abs() <= 1e-12 * size), "{found:?} {wanted:?}");
        }
    }
}
