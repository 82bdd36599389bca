//! What is read and what is refused, and that equal arguments have equal fingerprints.

use super::*;

#[test]
fn a_member_given_twice_is_refused() {
    let error = read_object(br#"{"a":1,"a":2}"#).expect_err("twice");
    assert!(error.contains("given twice"), "{error}");
}

#[test]
fn nesting_has_a_bound() {
    let deep = format!("{}1{}", "[".repeat(65), "]".repeat(65));
    assert!(read(deep.as_bytes()).is_err());
    let fine = format!("{}1{}", "[".repeat(64), "]".repeat(64));
    assert!(read(fine.as_bytes()).is_ok());
}

#[test]
fn an_integer_beyond_the_safe_range_is_refused() {
    assert!(read(b"9007199254740991").is_ok());
    assert!(read(b"9007199254740992").is_err());
    assert!(read(b"-9007199254740992").is_err());
}

#[test]
fn a_number_that_would_be_written_as_such_an_integer_is_refused_however_it_was_sent() {
    for sent in ["333701013370124902.09944", "-9007199254740992.0", "1e20", "999999999999999868928e0"] {
        assert!(read(sent.as_bytes()).unwrap_err().contains("write it as a string"), "{sent}");
    }
    for (sent, written) in [("1e21", "1e+21"), ("-9007199254740991.0", "-9007199254740991"), ("1e-9", "1e-9")] {
        let value = read(sent.as_bytes()).expect("a number");
        assert_eq!(String::from_utf8(write(&value)).expect("text"), written);
        assert_eq!(write(&read(written.as_bytes()).expect("what was written can be read")), written.as_bytes());
    }
}

#[test]
fn a_lone_surrogate_and_trailing_text_are_refused() {
    assert!(read(br#""\ud800""#).is_err());
    assert!(read(b"{} {}").is_err());
    assert!(read_object(b"[]").is_err());
}

#[test]
fn spelling_of_numbers_and_order_of_members_do_not_matter() {
    let one = read_object(br#"{"b":1,"a":[1.0,1e0]}"#).expect("object");
    let two = read_object(br#"{ "a": [1, 1], "b": 1.0 }"#).expect("object");
    assert_eq!(fingerprint("x.y", &one), fingerprint("x.y", &two));
    assert_ne!(fingerprint("x.y", &one), fingerprint("x.z", &one));
}

#[test]
fn canonical_form_is_that_of_rfc_8785() {
    let value = read(br#"{"literals":[null,true,false],"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/"}"#).expect("json");
    let text = String::from_utf8(write(&value)).expect("utf-8");
    assert_eq!(
        text,
        r#"{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}"#
    );
}
