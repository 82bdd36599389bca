//! Telephone numbers in their international form, and whether two are one.

use phones::Phone;

/// A number in its international form, such as `+442079460101`; none for what no country has.
pub(crate) fn e164(given: &str, country: &str) -> Option<String> {
    Phone::read(given, country).map(|it| it.e164())
}

/// The same number as its own country and as others write it.
pub(crate) fn spellings(e164: &str) -> Vec<String> {
    let Some(number) = Phone::read(e164, "") else { return vec![e164.to_owned()] };
    vec![number.national(), number.international()]
}

/// Whether two numbers are one; what cannot be read is compared by its last nine digits.
pub(crate) fn same(ours: &str, theirs: &str, country: &str) -> bool {
    match (e164(ours, country), e164(theirs, country)) {
        (Some(ours), Some(theirs)) => ours == theirs,
        _ => {
            let tail = |text: &str| -> String {
                let digits: Vec<char> = text.chars().filter(char::is_ascii_digit).collect();
                digits[digits.len().saturating_sub(9)..].iter().collect()
            };
            let (ours, theirs) = (tail(ours), tail(theirs));
            ours.len() >= 7 && ours == theirs
        }
    }
}
