//! How a file of `rules/` declares its rules: all that a rule is in the order in which a person asks for it.

/// Declares the `RULES` of a file. Of each rule: its id, area, severity, scope, effort and confidence in percent, and its
/// function; `at`, the unit and the field of [`crate::limits::Limits`] at which it speaks, if there is one; then the fault
/// in a few words, why it matters, the operation that mends it with what to do, and the guideline behind it.
macro_rules! rules {
    ($(
        $id:literal $area:ident $severity:ident $scope:ident $effort:ident $confidence:literal $kind:ident($check:expr);
        $(at $unit:literal $limit:ident;)?
        title $title:literal;
        why $explanation:literal;
        fix $operation:literal $advice:literal;
        see $reference:expr;
    )+) => {
        /// The rules of this file.
        pub(crate) const RULES: &[crate::rule::Rule] = &[$(crate::rule::Rule {
            id: $id,
            area: crate::rule::Area::$area,
            severity: crate::rule::Severity::$severity,
            scope: crate::rule::Scope::$scope,
            threshold: crate::rule::threshold!($($unit, $limit)?),
            title: $title,
            explanation: $explanation,
            advice: $advice,
            reference: $reference,
            operation: $operation,
            effort: crate::rule::Effort::$effort,
            confidence: $confidence,
            check: crate::rule::Check::$kind($check),
        }),+];
    };
}
pub(crate) use rules;

/// A threshold in [`crate::limits::Limits`], or none.
macro_rules! threshold {
    () => {
        None
    };
    ($unit:literal, $field:ident) => {
        Some(crate::rule::Threshold {
            unit: $unit,
            value: |limits| limits.$field,
            set: |limits, number| limits.$field = number,
        })
    };
}
pub(crate) use threshold;
