//! Names of businesses, compared without what says nothing: legal forms and the words that every shop has.

use super::ratio;

/// From here on two names are one.
const EXACT: f64 = 0.95;
/// From here on they are near.
const NEAR: f64 = 0.72;

/// Legal forms.
const LEGAL: [&str; 34] = [
    "llc",
    "inc",
    "ltd",
    "limited",
    "corp",
    "corporation",
    "co",
    "company",
    "plc",
    "llp",
    "lp",
    "gmbh",
    "ag",
    "kg",
    "ohg",
    "gbr",
    "ug",
    "ev",
    "ek",
    "mbh",
    "sarl",
    "sas",
    "sa",
    "eurl",
    "snc",
    "sl",
    "slu",
    "srl",
    "spa",
    "sas",
    "bv",
    "nv",
    "pty",
    "oy",
];

/// Words that many names have beside their own.
const GENERIC: [&str; 34] = [
    "the",
    "restaurant",
    "restaurants",
    "cafe",
    "café",
    "grill",
    "bar",
    "and",
    "shop",
    "store",
    "house",
    "room",
    "kitchen",
    "bistro",
    "diner",
    "pub",
    "hotel",
    "der",
    "die",
    "das",
    "und",
    "le",
    "la",
    "les",
    "el",
    "los",
    "et",
    "y",
    "il",
    "ristorante",
    "trattoria",
    "gasthaus",
    "praxis",
    "of",
];

/// How two names go together.
pub(crate) fn score(ours: &str, theirs: &str) -> f64 {
    let (ours, theirs) = cores(ours, theirs);
    let (a, b) = (ours.join(" "), theirs.join(" "));
    let mut best = ratio::token_sort(&a, &b).max(ratio::plain(&ours.concat(), &theirs.concat()));
    if ours.len() >= 2 && theirs.len() >= 2 {
        best = best.max(ratio::token_set(&a, &b));
    }
    best
}

/// Whether two names are one, near or of two businesses.
pub(crate) fn grade(ours: &str, theirs: &str) -> super::compare::Grade {
    use super::compare::Grade;
    let score = score(ours, theirs);
    if score >= EXACT {
        return Grade::Exact;
    }
    let (ours, theirs) = cores(ours, theirs);
    let (shorter, longer) = if ours.len() <= theirs.len() { (&ours, &theirs) } else { (&theirs, &ours) };
    // All words of the shorter one, one of them of four letters, stand in the longer one.
    let inside = shorter.iter().all(|it| longer.contains(it)) && shorter.iter().any(|it| it.chars().count() >= 4);
    if score >= NEAR || inside { Grade::Near } else { Grade::Conflict }
}

/// The words of both, without what says nothing: left out on both sides or on neither.
fn cores(ours: &str, theirs: &str) -> (Vec<String>, Vec<String>) {
    let (all_ours, all_theirs) = (words(ours), words(theirs));
    let own = |words: &[String]| -> Vec<String> {
        let says = |it: &&String| !LEGAL.contains(&it.as_str()) && !GENERIC.contains(&it.as_str());
        words.iter().filter(says).cloned().collect()
    };
    let (ours, theirs) = (own(&all_ours), own(&all_theirs));
    if ours.is_empty() || theirs.is_empty() { (all_ours, all_theirs) } else { (ours, theirs) }
}

/// Words in small letters without marks: `L'Écu d'Or` is `lecu dor`.
pub(crate) fn words(text: &str) -> Vec<String> {
    let folded = deunicode::deunicode(&text.to_lowercase()).to_lowercase();
    let plain: String = folded.chars().filter(|it| !matches!(it, '\'' | '’' | '.' | '`')).collect();
    plain.split(|c: char| !c.is_alphanumeric()).filter(|it| !it.is_empty()).map(str::to_owned).collect()
}
