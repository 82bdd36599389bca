//! What is a credential and what is language.

use super::redact;

fn check(text: &str, expected: &str) {
    assert_eq!(redact(text), expected, "of {text}");
}

#[test]
fn ordinary_language_is_kept_to_the_letter() {
    for text in [
        "List the authors of my site, then publish three of them.",
        "  two  spaces\nand a line\t",
        "the token is expired and I must sign in again",
        "reset the password of a user",
        "https://shop.example/a?page=2&sort=price",
        "authors.list fails at 10:30 with 422: /limit must be at most 50",
        "my intent was int_abcdefghijklmnopqrstuvwxyz",
        "/very/long/path/With3Numbers2And1Upper/index.html",
        "request req_mfzwizjqgaydamjqgaydamjqga",
    ] {
        check(text, text);
    }
}

#[test]
fn bearer_tokens_go() {
    check("curl -H 'Authorization: Bearer abc.def' /v1", "curl -H 'Authorization: Bearer [redacted]' /v1");
    check("authorization: bearer abcdef12", "authorization: bearer [redacted]");
    check("I sent Bearer esp_at_0123456789abcdef and got 403", "I sent Bearer [redacted] and got 403");
    check("the bearer of this letter", "the bearer of this letter");
}

#[test]
fn our_own_secrets_go_wherever_they_stand() {
    check("use esp_rt_0123456789abcdef.", "use [redacted]");
    check("(esp_at_0123456789abcdef)", "([redacted])");
}

#[test]
fn known_prefixes_go() {
    check("key AKIAIOSFODNN7EXAMPLE here", "key [redacted] here");
    check("with sk-proj-abcdefghijklmnopqrst", "with [redacted]");
    check("ghp_abcdefghijklmnopqrstuvwxyz0123456789", "[redacted]");
}

#[test]
fn values_of_named_secrets_go_and_the_names_stay() {
    check("password=hunter2", "password=[redacted]");
    check("password: hunter2 and more", "password: [redacted] and more");
    check("API_KEY='abc def'", "API_KEY='[redacted] def'");
    check(r#"{"client_secret":"s3","page":1}"#, r#"{"client_secret":"[redacted]","page":1}"#);
    check("call /x?a=1&token=abc&b=2", "call /x?a=1&token=[redacted]&b=2");
    check("my password is hunter2!", "my password is [redacted]!");
    check("password = hunter2", "password = [redacted]");
}

#[test]
fn web_tokens_and_long_random_words_go() {
    check("jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl end", "jwt [redacted] end");
    check("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY9", "[redacted]");
}

#[test]
fn the_user_part_of_an_address_goes() {
    check("ftp https://bob:pw@shop.example/x works", "ftp https://[redacted]@shop.example/x works");
    check("mail bob@shop.example", "mail bob@shop.example");
}

#[test]
fn private_keys_go_as_a_block() {
    check(
        "key:\n-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nthanks",
        "key:\n[redacted]\nthanks",
    );
    check("-----BEGIN PRIVATE KEY-----\nabc", "[redacted]");
}
