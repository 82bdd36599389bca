//! Tests of how a consent is stored.

use catalog::kinds::kind;

use super::*;

const NOW: Moment = Moment(1_795_176_000_000);

fn received(access: &str, refresh: Option<&str>, scopes: Option<&[&str]>) -> Received {
    Received {
        access: Zeroizing::new(access.to_owned()),
        refresh: refresh.map(|it| Zeroizing::new(it.to_owned())),
        life: Some(Duration::from_secs(3_600)),
        scopes: scopes.map(|all| all.iter().map(|it| (*it).to_owned()).collect()),
    }
}

fn consented(scopes: Option<&[&str]>) -> Credential {
    let asked = ["read".to_owned(), "write".to_owned()];
    Credential::consented(received("access-1", Some("refresh-1"), scopes), &asked, None, NOW)
}

#[test]
fn a_token_is_not_used_in_the_last_two_minutes_of_its_life() {
    let credential = consented(None);
    assert!(!credential.is_stale(NOW.plus(Duration::from_secs(3_600 - 121))));
    assert!(credential.is_stale(NOW.plus(Duration::from_secs(3_600 - 120))));
    let endless = Received { life: None, ..received("access-2", None, None) };
    assert!(!credential.refreshed(endless, NOW).is_stale(NOW.plus(Duration::from_secs(1 << 30))));
}

#[test]
fn a_refresh_keeps_the_refresh_token_unless_it_brings_another() {
    let credential = consented(None).refreshed(received("access-2", None, None), NOW);
    assert_eq!(
        (credential.field(ACCESS_TOKEN), credential.field(REFRESH_TOKEN)),
        (Some("access-2"), Some("refresh-1"))
    );
    let rotated = credential.refreshed(received("access-3", Some("refresh-2"), None), NOW);
    assert_eq!(rotated.field(REFRESH_TOKEN), Some("refresh-2"));
}

#[test]
fn what_was_asked_for_and_not_granted_is_lacking() {
    assert!(consented(None).lacking().is_empty(), "silence grants what was asked for");
    let partly = consented(Some(&["read", "openid"]));
    assert_eq!(partly.lacking(), ["write"]);
    assert_eq!(partly.refreshed(received("access-2", None, None), NOW).lacking(), ["write"]);
}

#[test]
fn both_tokens_are_secret_and_what_they_are_for_is_not() {
    let credential = consented(None);
    let secrets: Vec<&str> = credential.secrets(kind("ga4").unwrap()).collect();
    assert_eq!(secrets, ["access-1", "refresh-1"]);
    assert!(Credential::opened(&credential.bytes()).unwrap().auth(kind("ga4").unwrap()).is_some());
}

#[test]
fn nobody_enters_the_fields_of_a_consent() {
    let bing = kind("bing_webmaster").unwrap();
    let entered = Credential::entered(bing, r#"{"access_token":"ya29.mine-is-better"}"#, None);
    assert!(entered.is_err());
    let indexing = kind("google_indexing").unwrap();
    let invalid = Credential::entered(indexing, r#"{"service_account":"{\"client_email\":\"a@b\"}"}"#, None);
    assert_eq!(invalid.err().unwrap().field.as_deref(), Some("service_account"));
}
