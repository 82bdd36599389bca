//! The file of kinds, as it is and as it could be wrong.

use super::*;

#[test]
fn every_kind_of_the_design_is_there() {
    let names: Vec<&str> = kinds().keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "bing_webmaster",
            "cloudflare",
            "dataforseo",
            "fulfilment",
            "ga4",
            "gmail",
            "google_business_profile",
            "google_indexing",
            "google_search_console",
            "indexnow",
            "jmap",
            "llm",
            "name_com",
            "pagespeed",
            "porkbun",
            "powerdns",
            "signed_webhook",
            "smtp",
            "wordpress",
        ]
    );
}

#[test]
fn every_credential_has_a_secret_or_a_consent() {
    for (name, kind) in kinds() {
        let consent = kind.oauth().is_some();
        assert!(consent || kind.fields.iter().any(|field| field.secret && !field.optional), "{name}");
    }
}

#[test]
fn what_the_table_of_operations_needs_is_a_kind_or_a_group() {
    let known = |need: &str| {
        need == "any" || kinds().iter().any(|(name, it)| name == need || it.group.as_deref() == Some(need))
    };
    let table = include_str!("../../operations.tsv");
    let needs = table.split("connection:").skip(1).map(|rest| {
        let end = rest.find(|it: char| !(it.is_ascii_lowercase() || it.is_ascii_digit() || it == '_'));
        &rest[..end.unwrap_or(rest.len())]
    });
    let unknown: Vec<&str> = needs.filter(|need| !need.is_empty() && !known(need)).collect();
    assert!(unknown.is_empty(), "{unknown:?}");
}

#[test]
fn needs_cover_kinds_and_groups() {
    let needs = |need: &str| BTreeSet::from([need.to_owned()]);
    assert!(is_needed("cloudflare", &needs("connection:cloudflare")));
    assert!(is_needed("cloudflare", &needs("connection:dns_provider?")));
    assert!(is_needed("cloudflare", &needs("connection:any")));
    assert!(!is_needed("cloudflare", &needs("connection:registrar")));
    assert!(!is_needed("cloudflare", &needs("web")));
}

#[test]
fn a_line_names_a_kind_and_a_service_that_exist() {
    let line = |text: &str| text.parse::<Line>().unwrap();
    assert_eq!(broken(&line("wordpress GET /wp-json/wp/v2/posts")), None);
    assert_eq!(broken(&line("google_business_profile.performance GET /v1/locations/*")), None);
    assert!(broken(&line("drupal GET /jsonapi")).is_some());
    assert!(broken(&line("wordpress.default GET /wp-json")).is_some());
    assert!(broken(&line("wordpress.media GET /wp-json")).is_some());
    assert!(broken(&line("smtp POST /send change")).is_some());
    assert_eq!(broken(&line("smtp SEND /list change")), None);
    assert!(broken(&line("smtp.bulk SEND /list change")).is_some());
    assert!(broken(&line("wordpress SEND /list change")).is_some());
}

#[test]
fn a_file_that_makes_no_sense_is_refused() {
    let whole = "[a]\ntitle = \"A\"\ndocumentation = \"https://a.example\"\npermissions = []\n\
                 fields = [{ name = \"token\", secret = true, words = \"t\" }]\n\
                 auth = [{ bearer = { token = \"token\" } }]\n\
                 services = { default = { base = \"https://a.example\" } }\nprobe = { path = \"/me\" }\n";
    assert!(read(whole).is_ok());
    for (from, to) in [
        ("token = \"token\"", "token = \"key\""),
        ("auth = [{ bearer = { token = \"token\" } }]", "auth = []"),
        ("https://a.example\" }", "http://a.example\" }"),
        ("https://a.example\" }", "https://a.example/\" }"),
        ("{ default = { base = \"https://a.example\" } }", "{ default = {} }"),
        ("default = {", "main = {"),
        ("path = \"/me\"", "path = \"me\""),
        ("path = \"/me\"", "service = \"other\", path = \"/me\""),
        ("path = \"/me\"", "method = \"ASK\", path = \"/me\""),
        ("title", "titel"),
    ] {
        assert!(read(&whole.replacen(from, to, 1)).is_err(), "{to}");
    }
}
