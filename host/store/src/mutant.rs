//! Deliberate faults, by which the chaos program shows that it would find a real one.
//!
//! Compiled only with the feature `mutants` and with debug assertions: no release build has them. The fault of a
//! process is the one that `ESPALIER_MUTANT` names.

/// Something that is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mutant {
    /// A key that is taken is not noticed when a call commits.
    Key,
    /// A call is not charged.
    Charge,
}

/// Whether this fault is made.
#[cfg(all(feature = "mutants", debug_assertions))]
pub(crate) fn is(mutant: Mutant) -> bool {
    use std::sync::LazyLock;
    #[expect(clippy::disallowed_methods, reason = "a fault is no setting of the product")]
    static MADE: LazyLock<Option<Mutant>> = LazyLock::new(|| match std::env::var("ESPALIER_MUTANT").as_deref() {
        Ok("key") => Some(Mutant::Key),
        Ok("charge") => Some(Mutant::Charge),
        _ => None,
    });
    *MADE == Some(mutant)
}

/// Never.
#[cfg(not(all(feature = "mutants", debug_assertions)))]
pub(crate) const fn is(_mutant: Mutant) -> bool {
    false
}
