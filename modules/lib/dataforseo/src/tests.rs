//! What the provider's answers mean.

use sdk::SendFailure;
use sdk::prelude::*;
use sdk::serde_json::{Value, json};

use crate::status::{Refusal, read};
use crate::{Market, ads_takes, covers, escaped, money};

fn sent(status: u16, body: &Value) -> sdk::Sent {
    sdk::Sent { status, headers: Vec::new(), body: body.to_string().into_bytes(), truncated: false, total_ms: 1 }
}

#[test]
fn an_account_at_fault_is_told_from_a_provider_at_fault() {
    let of = |status: u16, code: u64| read(&sent(status, &json!({ "status_code": code }))).err();
    assert_eq!(of(200, 20_000), None);
    assert_eq!(of(200, 40_202), Some(Refusal::Unsent(SendFailure::RateLimited(None))));
    assert_eq!(of(402, 40_200), Some(Refusal::NoMoney));
    assert_eq!(of(200, 40_200), Some(Refusal::NoMoney));
    assert_eq!(of(200, 40_204), Some(Refusal::NoSubscription));
    assert_eq!(of(200, 40_100), Some(Refusal::Unsent(SendFailure::ExpiredCredential)));
    assert_eq!(of(200, 50_000), Some(Refusal::Unsent(SendFailure::Unreachable)));
    assert_eq!(of(500, 50_000), Some(Refusal::Unsent(SendFailure::Unreachable)));
}

#[test]
fn a_task_is_refused_by_its_status_with_the_field_that_it_names() {
    let of = |code: u64, message: &str| Refusal::of(&json!({ "status_code": code, "status_message": message }));
    assert_eq!((of(20_000, "Ok."), of(40_102, "No Search Results.")), (None, None));
    assert_eq!(of(40_501, "Invalid Field: 'location_code'."), Some(Refusal::Field("location_code".to_owned())));
    let fault = Refusal::Field("location_code".to_owned()).fault("/country");
    assert_eq!((fault.code.as_str(), fault.pointer.as_deref()), ("provider_refused_value", Some("/country")));
    assert_eq!(Refusal::NoSubscription.fault("/x").code, "provider_plan_required");
    assert_eq!(Refusal::NoMoney.fault("/x").code, "provider_quota_exhausted");
    assert!(Refusal::Status(50_301).passes() && !Refusal::Status(40_400).passes() && !Refusal::NoMoney.passes());
    assert!(Refusal::Unsent(SendFailure::Timeout).passes() && !Refusal::Unsent(SendFailure::UnknownOutcome).passes());
}

#[test]
fn a_market_is_a_country_and_one_of_its_languages() {
    let of = |country: &str, language: &str| {
        Market::of_labs(country.parse().expect("a country"), &language.parse::<Language>().expect("a language"))
    };
    assert_eq!(of("GB", "en-GB"), Ok(Market { location: 2_826, language: "en".to_owned() }));
    assert_eq!(of("tw", "zh-Hant").map(|it| it.language), Ok("zh-TW".to_owned()));
    let wrong = of("DE", "fr").expect_err("not covered");
    assert_eq!((wrong.code.as_str(), wrong.pointer.as_deref()), ("market_not_covered", Some("/language")));
    assert_eq!(of("AQ", "en").expect_err("not covered").pointer.as_deref(), Some("/country"));
    for line in crate::market::LABS.split('|') {
        let country: Country = line.trim()[..2].parse().expect("a country");
        assert!(covers(country).is_some_and(|all| !all.is_empty()), "{line}");
    }
}

#[test]
fn keywords_that_fail_a_task_of_google_ads_are_known_before() {
    for good in ["desk lamp", "c++ kurs", "at&t", "lámpara", "東京 ランプ", "lamp 3-way"] {
        assert!(ads_takes(good), "{good}");
    }
    for bad in ["", "lamp?", "10% off", "a, b", "lamp \u{1f4a1}", "a b c d e f g h i j k", &"x".repeat(81)] {
        assert!(!ads_takes(bad), "{bad}");
    }
    assert_eq!(escaped("50% c++"), "50%25 c%2B%2B");
    assert_eq!(money(1_234_567).amount, "1.234567");
}
