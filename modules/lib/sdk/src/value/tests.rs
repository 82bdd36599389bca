//! Each value at and beyond its bounds.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::*;

fn read<T: DeserializeOwned>(value: Value) -> Result<T, String> {
    serde_json::from_value(value).map_err(|error| error.to_string())
}

fn schema<T: JsonSchema>() -> Value {
    crate::schema::result::<T>()
}

#[test]
fn text_counts_characters_not_bytes() {
    assert!(read::<Text<1, 3>>(json!("äöü")).is_ok());
    assert_eq!(read::<Text<1, 3>>(json!("äöüß")).unwrap_err(), "must have 1 to 3 characters, has 4");
    assert!(read::<Text<1, 3>>(json!("")).is_err());
    assert_eq!(schema::<Text<1, 3>>(), json!({ "type": "string", "minLength": 1, "maxLength": 3 }));
}

#[test]
fn a_count_has_both_bounds() {
    assert_eq!(read::<Count<1, 10>>(json!(10)).unwrap().get(), 10);
    assert_eq!(read::<Count<1, 10>>(json!(11)).unwrap_err(), "must be from 1 to 10, is 11");
    assert!(read::<Count<1, 10>>(json!(0)).is_err());
    assert_eq!(u64::from(read::<Count<-5, 10>>(json!(-3)).unwrap()), 0);
    assert_eq!(schema::<Count<1, 10>>(), json!({ "type": "integer", "minimum": 1, "maximum": 10 }));
}

#[test]
fn decimal_bounds_are_thousandths() {
    assert!(read::<Decimal<100, 10_000>>(json!(0.1)).is_ok());
    assert!(read::<Decimal<100, 10_000>>(json!(10)).is_ok());
    assert!(read::<Decimal<100, 10_000>>(json!(10.001)).is_err());
    assert_eq!(schema::<Decimal<100, 10_000>>(), json!({ "type": "number", "minimum": 0.1, "maximum": 10.0 }));
}

#[test]
fn a_day_is_one_the_calendar_has() {
    assert_eq!(read::<Day>(json!("2024-02-29")).unwrap().since_epoch(), 19_782);
    assert!(read::<Day>(json!("2023-02-29")).is_err());
    assert!(read::<Day>(json!("2023-2-09")).is_err());
    assert!(read::<Day>(json!("+023-12-09")).is_err());
    assert_eq!("1970-01-01".parse::<Day>().unwrap().plus(-1).to_string(), "1969-12-31");
    for days in (-700_000..2_900_000).step_by(997) {
        let day = Day::from_epoch(days);
        let (year, month, of_month) = day.civil();
        assert_eq!(Day::from_civil(year, month, of_month), Some(day));
    }
}

#[test]
fn a_moment_reads_what_it_writes() {
    let moment = Moment::from_millis(1_790_580_600_123);
    assert_eq!(moment.to_string(), "2026-09-28T07:30:00.123Z");
    assert_eq!(read::<Moment>(json!("2026-09-28T07:30:00.123Z")).unwrap(), moment);
    assert_eq!(read::<Moment>(json!("2026-09-28T07:30:00Z")).unwrap().millis(), 1_790_580_600_000);
    assert!(read::<Moment>(json!("2026-09-28T24:00:00Z")).is_err());
    assert!(read::<Moment>(json!("2026-09-28 07:30:00")).is_err());
}

#[test]
fn a_url_is_absolute_and_of_the_web() {
    assert_eq!(read::<Url>(json!("HTTPS://Example.com")).unwrap().as_str(), "https://example.com/");
    for wrong in ["/path", "ftp://example.com/", "javascript:alert(1)", "https://user:secret@example.com/", "https://"]
    {
        assert!(read::<Url>(json!(wrong)).is_err(), "{wrong}");
    }
    let pasted = read::<Url>(json!("https://bücher.example/für dich?q=ä")).unwrap();
    assert_eq!(pasted.as_str(), "https://xn--bcher-kva.example/f%C3%BCr%20dich?q=%C3%A4");
    assert!(read::<Url>(json!(format!("https://example.com/{}", "a".repeat(2_030)))).is_err());
    let page: Url = "https://example.com/a/b".parse().unwrap();
    assert_eq!(page.link("../c#d").unwrap().without_fragment().as_str(), "https://example.com/c");
    assert_eq!(page.link("mailto:a@example.com"), None);
}

#[test]
fn a_domain_is_a_name_in_ascii() {
    assert_eq!(read::<Domain>(json!("WWW.Bücher.Example.")).unwrap().as_str(), "www.xn--bcher-kva.example");
    for pasted in
        ["https://Shop.example", "http://shop.example/de/?q#x", " shop.example/ ", "HTTPS://shop.example:443/"]
    {
        assert_eq!(read::<Domain>(json!(pasted)).unwrap().as_str(), "shop.example", "{pasted}");
    }
    for wrong in [
        "localhost",
        "127.0.0.1",
        "[::1]",
        "https://127.0.0.1/",
        "ftp://a.example",
        "https://user@a.example",
        "a.example:8080",
        "a..example",
        "-a.example",
        "https://",
        "",
    ] {
        assert!(read::<Domain>(json!(wrong)).is_err(), "{wrong}");
    }
    let domain: Domain = "www.shop.co.uk".parse().unwrap();
    let shop = domain.registrable().unwrap();
    assert_eq!(shop.as_str(), "shop.co.uk");
    assert!(domain.is_within(&shop) && shop.is_within(&shop));
    assert!(!"myshop.co.uk".parse::<Domain>().unwrap().is_within(&shop));
    assert_eq!("co.uk".parse::<Domain>().unwrap().registrable(), None);
}

#[test]
fn countries_and_languages_are_known_and_cased() {
    assert_eq!(read::<Country>(json!("de")).unwrap().to_string(), "DE");
    assert!(read::<Country>(json!("XX")).is_err());
    assert!(read::<Country>(json!("DA")).is_err());
    assert_eq!(read::<Language>(json!("PT-br")).unwrap().as_str(), "pt-BR");
    assert_eq!(read::<Language>(json!("zh-hant")).unwrap().as_str(), "zh-Hant");
    assert!(read::<Language>(json!("german")).is_err());
}

#[test]
fn a_list_has_both_bounds() {
    assert!(read::<List<u8, 1, 2>>(json!([1, 2])).is_ok());
    assert_eq!(read::<List<u8, 1, 2>>(json!([])).unwrap_err(), "must have 1 to 2 items, has 0");
    assert_eq!(
        schema::<List<bool, 1, 2>>(),
        json!({ "type": "array", "items": { "type": "boolean" }, "minItems": 1, "maxItems": 2 })
    );
}

#[test]
fn a_reference_is_opaque_and_bounded() {
    assert_eq!(read::<Id<()>>(json!("0123")).unwrap().as_str(), "0123");
    assert!(read::<Id<()>>(json!("")).is_err());
    assert!(read::<Id<()>>(json!("a".repeat(129))).is_err());
    assert!(read::<Id<()>>(json!(7)).is_err());
}
