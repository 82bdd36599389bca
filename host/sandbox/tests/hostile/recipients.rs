//! Recipients, as a guest sees them that asks whom it may not ask.

use sandbox::{Denial, Stop};

use crate::connected::{CUSTOMER, said};
use crate::mail::Office;

#[tokio::test]
async fn a_letter_that_a_line_permits_is_the_hosts_and_no_second_one_goes_out() {
    let office = Office::with("recipients").await;
    assert_eq!(said(&office.guest.run("known").await), r#"{"said":0}"#, "never asked");
    assert_eq!(said(&office.run("fine").await), r#"{"said":0}"#);
    let heard = office.heard();
    for line in ["MAIL FROM:<hello@shop.example>", "RCPT TO:<bob@shop.example>", "Subject: Do you want this mail?"] {
        assert!(heard.contains(&line.to_owned()), "{line} {heard:?}");
    }
    assert!(heard.iter().any(|line| line.contains("/c/esp_cf_")), "{heard:?}");
    assert_eq!(said(&office.guest.run("known").await), r#"{"said":1}"#, "asked");
    assert_eq!(said(&office.run("twice").await), r#"{"said":1}"#, "asked before");
    assert_eq!(office.heard(), Vec::<String>::new());
}

#[tokio::test]
async fn what_may_send_no_mail_asks_nobody() {
    let office = Office::with("recipients").await;
    for operation in ["no_line", "other_class"] {
        assert_eq!(said(&office.run(operation).await), r#"{"failure":0}"#, "{operation}");
    }
    let unwritten = office.guest.run("fine").await;
    assert_eq!(said(&unwritten), r#"{"failure":0}"#, "a run without a journal changes nothing outside");
    assert_eq!(said(&office.run("stranger").await), r#"{"failure":2}"#, "{CUSTOMER} has no such connection");
    let run = office.run("in_read").await;
    assert!(matches!(run.outcome, Err(Stop::Denied(Denial::WriteInRead))), "{:?}", run.outcome);
    assert_eq!(said(&office.guest.run("known").await), r#"{"said":0}"#, "nobody was asked");
    assert_eq!(office.heard(), Vec::<String>::new());
}

#[tokio::test]
async fn words_with_a_link_and_an_address_with_a_command_make_no_letter() {
    let office = Office::with("recipients").await;
    for operation in ["link", "crlf_recipient"] {
        assert_eq!(said(&office.run(operation).await), r#"{"failure":1}"#, "{operation}");
    }
    assert_eq!(office.heard(), Vec::<String>::new());
}
