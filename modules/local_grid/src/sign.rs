//! The paired sign test: whether more pairs went one way than chance would have it.

/// The two-sided p-value of the exact sign test: how likely a split at least as uneven is when both ways are as likely. 1
/// without pairs. Dixon and Mood, "The statistical sign test", J. Am. Stat. Assoc. 41 (1946); pairs without a difference
/// are left out before.
pub(crate) fn p_value(one_way: u32, other_way: u32) -> f64 {
    let (pairs, few) = (one_way + other_way, one_way.min(other_way));
    if pairs == 0 || one_way == other_way {
        return 1.0;
    }
    // Logarithms, since 0.5 to the power of some thousand pins is no double.
    let mut term = f64::from(pairs) * 0.5_f64.ln();
    let mut tail = term.exp();
    for at in 0..few {
        term += (f64::from(pairs - at) / f64::from(at + 1)).ln();
        tail += term.exp();
    }
    (2.0 * tail).min(1.0)
}

#[cfg(test)]
mod tests {
    //! P-values beside those of scipy.

    use serde::Deserialize;

    use super::p_value;

    #[derive(Deserialize)]
    struct Fixture {
        cases: Vec<(u32, u32, f64)>,
    }

    #[test]
    fn p_values_are_those_of_scipy_binomtest() {
        let fixture: Fixture = serde_json::from_str(include_str!("../fixtures/binomtest.json")).unwrap();
        assert!(fixture.cases.len() >= 300);
        for (one, other, wanted) in fixture.cases {
            let found = p_value(one, other);
            assert!((found - wanted).abs() <= 1e-9 * wanted.max(1e-6), "{one} {other}: {found} {wanted}");
        }
    }
}
