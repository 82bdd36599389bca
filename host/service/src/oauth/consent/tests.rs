//! Tests of `consent`.

use model::clock::Moment;
use model::id::ClientId;
use store::identity::clients::ClientMetadata;

use super::*;

fn named(name: &str) -> String {
    let metadata = ClientMetadata {
        client_name: Some(name.to_owned()),
        redirect_uris: Vec::new(),
        application_type: None,
        grant_types: Vec::new(),
        response_types: Vec::new(),
        token_endpoint_auth_method: "none".to_owned(),
        scope: None,
    };
    shown_name(&Client { id: ClientId::from("cli_test"), metadata, created_at: Moment(0) })
}

#[test]
fn a8_a_client_cannot_bend_the_page_with_its_name() {
    assert_eq!(named("Fine\u{202e}gninekot\u{200b}\u{0007}"), "Finegninekot");
    assert_eq!(named(" \u{2066} "), "An application without a name");
    assert_eq!(named(&"n".repeat(200)).len(), 80);
    assert_eq!(named("Größe 漢字"), "Größe 漢字");
    // Look-alikes of other alphabets' letters in disguise become what they look like; one sign may become eighteen.
    assert_eq!(named("Ｂａｎｋ\u{a0}①\u{fe0f}"), "Bank 1");
    assert_eq!(named(&"\u{fdfa}".repeat(40)).chars().count(), 80);
}

#[test]
fn a_price_is_covered_by_exactly_the_credits_it_costs() {
    assert!(Price::Nothing.is_covered());
    assert!(Price::Activation { credits: 100, available_milli: 100_000 }.is_covered());
    assert!(!Price::Activation { credits: 100, available_milli: 99_999 }.is_covered());
}
