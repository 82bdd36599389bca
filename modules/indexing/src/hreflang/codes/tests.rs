//! Codes, and how langcodes judges the same ones.

use super::{Judged, Wrong, judge};

/// Code, whether langcodes holds it for valid by the registry, and its standard form; see tests/references/indexing.
const LANGCODES: &str = include_str!("../../../fixtures/langcodes.tsv");

fn canonical(code: &str) -> Option<String> {
    judge(code).canonical().map(str::to_owned)
}

#[test]
fn language_script_and_country_are_taken_in_any_case_and_nothing_else_is() {
    assert_eq!(judge("X-Default"), Judged::Default);
    assert_eq!(canonical("EN-gb").as_deref(), Some("en-GB"));
    assert_eq!(canonical("zh-hANT-tw").as_deref(), Some("zh-Hant-TW"));
    for (code, why) in [
        ("en_GB", Wrong::Form),
        ("", Wrong::Form),
        ("en--GB", Wrong::Form),
        ("english", Wrong::Language),
        ("jp", Wrong::Language),
        ("en-UK", Wrong::Region),
        ("en-EU", Wrong::Region),
        ("es-419", Wrong::Unsupported),
        ("haw", Wrong::Unsupported),
        ("de-CH-1996", Wrong::Unsupported),
        ("en-Abcd", Wrong::Script),
    ] {
        assert!(matches!(judge(code), Judged::Wrong { why: it, .. } if it == why), "{code}: {:?}", judge(code));
    }
    let Judged::Right { canonical, retired } = judge("iw-IL") else { panic!("iw is a language") };
    assert_eq!((canonical.as_str(), retired.as_deref()), ("he-IL", Some("`iw` is retired; write `he`")));
}

#[test]
fn what_is_taken_is_what_langcodes_holds_for_valid_within_what_search_engines_take() {
    let (mut compared, mut differ) = (0, Vec::new());
    for line in LANGCODES.lines() {
        let [code, valid, standard] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        match judge(code) {
            Judged::Right { canonical, .. } => {
                assert_eq!((valid, canonical.as_str()), ("1", standard), "{code}");
            }
            // Valid by the registry, and still nothing that search engines take.
            Judged::Wrong { why: Wrong::Unsupported, .. } => {}
            Judged::Wrong { why: Wrong::Region, .. } if is_no_country(code) => {}
            Judged::Wrong { .. } if valid == "1" => differ.push(code),
            Judged::Wrong { .. } => {}
            Judged::Default => panic!("{code}"),
        }
        compared += 1;
    }
    assert_eq!(differ, Vec::<&str>::new());
    assert!(compared >= 500, "{compared}");
}

/// Reserved, for private use (RFC 5646 section 2.2.4), retired without a successor, or UK, which langcodes reads as GB.
fn is_no_country(code: &str) -> bool {
    let region = code[code.len() - 2..].to_ascii_uppercase();
    let retired = super::SUBTAGS.lines().any(|it| it == format!("r\t{region}\t-"));
    let within = |first: &str, last: &str| (first..=last).contains(&region.as_str());
    let private = matches!(region.as_str(), "AA" | "ZZ") || within("QM", "QZ") || within("XA", "XZ");
    // Withdrawn from ISO 3166 before BCP 47; CLDR, which langcodes reads, still knows where they went.
    let withdrawn = matches!(region.as_str(), "PZ" | "VD" | "WK" | "QU");
    retired || private || withdrawn || region == "UK" || super::RESERVED.contains(&region.as_str())
}
