//! Deliberate faults, by which the chaos program shows that it would find a real one.
//!
//! Compiled only with the feature `mutants` and with debug assertions: no release build has them. The faults of a
//! process are the ones that `ESPALIER_MUTANT` names, with commas between them: some show only where the layer that
//! would catch them is missing too.

/// Something that is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mutant {
    /// A key that is taken is not noticed when a call commits.
    Key,
    /// A call is not charged.
    Charge,
    /// A step is committed under a claim that is not the stored one any more.
    Fence,
    /// Nodes do not keep each other away from a customer.
    Lock,
    /// A balance is not found to have been written by somebody else.
    Condition,
    /// A customer spends what is not there.
    Overdraw,
    /// The database does not check what a customer owes.
    Check,
}

/// Whether this fault is made.
#[cfg(all(feature = "mutants", debug_assertions))]
pub(crate) fn is(mutant: Mutant) -> bool {
    use std::sync::LazyLock;
    #[expect(clippy::disallowed_methods, reason = "a fault is no setting of the product")]
    static MADE: LazyLock<Vec<Mutant>> = LazyLock::new(|| match std::env::var("ESPALIER_MUTANT") {
        Ok(names) => names.split(',').map(named).collect(),
        Err(_) => Vec::new(),
    });
    MADE.contains(&mutant)
}

#[cfg(all(feature = "mutants", debug_assertions))]
fn named(name: &str) -> Mutant {
    match name {
        "key" => Mutant::Key,
        "charge" => Mutant::Charge,
        "fence" => Mutant::Fence,
        "lock" => Mutant::Lock,
        "condition" => Mutant::Condition,
        "overdraw" => Mutant::Overdraw,
        "check" => Mutant::Check,
        // A fault that nobody makes would be found by nobody.
        unknown => panic!("there is no fault {unknown}"),
    }
}

/// Never.
#[cfg(not(all(feature = "mutants", debug_assertions)))]
pub(crate) const fn is(_mutant: Mutant) -> bool {
    false
}
