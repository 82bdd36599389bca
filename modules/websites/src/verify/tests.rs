//! The proof of ownership through its operations, against the fake host.

use sdk::serde_json::Value;
use sdk::{DnsFailure, Failure, Fake, json};

use crate::stored::Website;
use crate::tests::added;

const HOME: &str = "https://shop.example/";

fn shop() -> (Fake, String) {
    let fake = crate::fake().serving(HOME, "<title>Lamps</title>");
    fake.serve("https://shop.example/robots.txt", 404, &[], b"");
    fake.name("shop.example", "TXT", &["v=spf1 -all"]);
    let site = added(&fake, "shop.example");
    (fake, site)
}

fn start(fake: &Fake, site: &str, method: &str) -> Value {
    fake.call("websites.verify.start", json!({ "site_id": site, "method": method })).unwrap()
}

fn check(fake: &Fake, site: &str) -> Value {
    fake.call("websites.verify.check", json!({ "site_id": site })).unwrap()
}

fn proof(fake: &Fake) -> Option<crate::stored::Verification> {
    fake.rows::<Website>()[0].verification.clone()
}

fn later(fake: &Fake, days: u64) {
    fake.set_now(fake.now().plus(days * 86_400_000));
}

#[test]
fn a_txt_record_with_the_token_verifies_and_losing_it_takes_the_proof_away() {
    let (fake, site) = shop();
    let started = start(&fake, &site, "dns_txt");
    let content = started["content"].as_str().unwrap().to_owned();
    assert_eq!(content, format!("espalier-site-verification={}", started["token"].as_str().unwrap()));
    assert!(started["instructions"].as_str().unwrap().contains(&content));
    let missing = check(&fake, &site);
    assert_eq!(missing["verified"], false);
    assert!(missing["evidence"].as_str().unwrap().contains("1 TXT records, none"), "{missing}");
    assert_eq!(missing["looked"][0]["expected"], content.as_str());
    assert_eq!(proof(&fake), None);

    fake.name("shop.example", "TXT", &["v=spf1 -all", &content]);
    let found = check(&fake, &site);
    assert_eq!((&found["verified"], &found["method"]), (&json!(true), &json!("dns_txt")));
    let since = proof(&fake).unwrap().verified_at;

    later(&fake, 90);
    assert_eq!(check(&fake, &site)["verified"], true, "a proven token does not expire");
    assert_eq!(proof(&fake).unwrap().verified_at, since);

    fake.name("shop.example", "TXT", &[]);
    later(&fake, 1);
    let lost = check(&fake, &site);
    assert_eq!(lost["verified"], false);
    assert_eq!(lost["lost_at"], fake.now().to_string());
    assert!(!proof(&fake).unwrap().verified);
    let shown = fake.call("websites.profile.get", json!({ "site_id": site })).unwrap();
    assert_eq!(shown["site"]["verification"]["lost_at"], fake.now().to_string());
}

#[test]
fn a_record_at_the_host_counts_as_one_at_the_registrable_domain_does() {
    let fake = crate::fake().serving("https://blog.shop.example/", "");
    let site = added(&fake, "blog.shop.example");
    let started = start(&fake, &site, "dns_txt");
    assert_eq!(started["place"], "shop.example");
    fake.name("blog.shop.example", "TXT", &[started["content"].as_str().unwrap()]);
    let found = check(&fake, &site);
    assert_eq!((&found["verified"], &found["looked"][0]["place"]), (&json!(true), &json!("blog.shop.example")));
}

#[test]
fn another_token_and_almost_the_token_do_not_verify() {
    let (fake, site) = shop();
    let content = start(&fake, &site, "dns_txt")["content"].as_str().unwrap().to_owned();
    for text in [format!("{content}0"), format!(" {content}"), content.to_uppercase(), content[..20].to_owned()] {
        fake.name("shop.example", "TXT", &[&text]);
        let other = check(&fake, &site);
        assert_eq!(other["looked"][0]["passed"], false, "{text}");
    }
    fake.name("shop.example", "TXT", &["espalier-site-verification=0123"]);
    assert!(check(&fake, &site)["evidence"].as_str().unwrap().contains("another token: "));
}

#[test]
fn a_file_verifies_by_its_exact_line_alone() {
    let (fake, site) = shop();
    let started = start(&fake, &site, "html_file");
    let (place, line) = (started["place"].as_str().unwrap(), started["content"].as_str().unwrap());
    assert!(place.starts_with("https://shop.example/espalier-"), "{place}");
    // A site that answers every address with a page that repeats it proves nothing.
    fake.serve(place, 200, &[("content-type", "text/html")], format!("<p>{line} was not found").as_bytes());
    assert!(check(&fake, &site)["evidence"].as_str().unwrap().contains("a file that says: <p>"));
    fake.serve(place, 404, &[], line.as_bytes());
    assert!(check(&fake, &site)["evidence"].as_str().unwrap().contains("the status 404"));
    fake.serve(place, 200, &[("content-type", "text/html")], format!("{line}\n").as_bytes());
    assert_eq!(check(&fake, &site)["verified"], true);
}

#[test]
fn a_redirect_counts_within_the_registrable_domain_and_never_to_another() {
    let (fake, site) = shop();
    let started = start(&fake, &site, "html_file");
    let (place, line) = (started["place"].as_str().unwrap(), started["content"].as_str().unwrap());
    for (target, verified) in [("https://evil.example/v", false), ("https://www.shop.example/v", true)] {
        fake.serve(place, 302, &[("location", target)], b"");
        fake.serve(target, 200, &[], line.as_bytes());
        assert_eq!(check(&fake, &site)["verified"], verified, "{target}");
    }
    // By way of another domain and back.
    fake.serve(place, 302, &[("location", "https://evil.example/v")], b"");
    fake.serve("https://evil.example/v", 302, &[("location", "https://www.shop.example/v")], b"");
    assert_eq!(check(&fake, &site)["verified"], false);
}

#[test]
fn a_meta_element_counts_in_the_head_and_not_where_visitors_write() {
    let (fake, site) = shop();
    let meta = start(&fake, &site, "meta_tag")["content"].as_str().unwrap().to_owned();
    let home = |html: String| fake.serve(HOME, 200, &[("content-type", "text/html")], html.as_bytes());
    home(format!("<title>Lamps</title><p>A comment: {meta}</p>"));
    assert!(check(&fake, &site)["evidence"].as_str().unwrap().contains("outside the head"));
    home(format!("<title>Lamps</title><!-- {meta} -->"));
    assert!(check(&fake, &site)["evidence"].as_str().unwrap().contains("without <meta"));
    home("<meta name=\"espalier-site-verification\" content=\"0123\">".to_owned());
    assert!(check(&fake, &site)["evidence"].as_str().unwrap().contains("another content: 0123"));
    home(format!("<title>Lamps</title>{meta}<body>"));
    assert_eq!(check(&fake, &site)["verified"], true);
}

#[test]
fn a_place_that_gives_no_answer_leaves_a_proof_for_thirty_days_and_no_longer() {
    let (fake, site) = shop();
    let content = start(&fake, &site, "dns_txt")["content"].as_str().unwrap().to_owned();
    fake.answer("shop.example", "TXT", Err(DnsFailure::Timeout));
    let unseen = check(&fake, &site);
    assert_eq!((&unseen["verified"], &unseen["looked"][0]["passed"]), (&json!(false), &json!(null)));
    fake.name("shop.example", "TXT", &[&content]);
    check(&fake, &site);
    fake.answer("shop.example", "TXT", Err(DnsFailure::Timeout));
    later(&fake, 30);
    assert_eq!(check(&fake, &site)["verified"], true);
    later(&fake, 1);
    assert_eq!(check(&fake, &site)["verified"], false);
}

#[test]
fn an_answer_that_fails_dnssec_proves_nothing() {
    let (fake, site) = shop();
    let content = start(&fake, &site, "dns_txt")["content"].as_str().unwrap().to_owned();
    fake.name("shop.example", "TXT", &[&content]);
    let answer = fake.dns().lookup(&sdk::Question::new("shop.example", "TXT")).unwrap();
    fake.answer("shop.example", "TXT", Ok(sdk::DnsAnswer { trust: Some(sdk::Trust::Bogus), ..answer }));
    let checked = check(&fake, &site);
    assert_eq!(checked["verified"], false);
    assert!(checked["evidence"].as_str().unwrap().contains("DNSSEC"));
}

#[test]
fn one_of_several_methods_is_enough_and_the_requests_stay_few() {
    let (fake, site) = shop();
    start(&fake, &site, "dns_txt");
    start(&fake, &site, "html_file");
    let meta = start(&fake, &site, "meta_tag")["content"].as_str().unwrap().to_owned();
    fake.fail("https://shop.example/", Failure::Timeout);
    let before = fake.requested().len();
    assert_eq!(check(&fake, &site)["looked"].as_array().unwrap().len(), 3);
    assert!(fake.requested().len() - before <= 6);
    fake.serve(HOME, 200, &[("content-type", "text/html")], meta.as_bytes());
    assert_eq!(check(&fake, &site)["method"], "meta_tag");
}

#[test]
fn a_token_belongs_to_a_website_and_method_and_is_replaced_when_it_has_expired() {
    let (fake, site) = shop();
    let first = start(&fake, &site, "dns_txt");
    assert_ne!(first["token"], start(&fake, &site, "meta_tag")["token"]);
    later(&fake, 29);
    let again = start(&fake, &site, "dns_txt");
    assert_eq!(first["token"], again["token"]);
    assert_ne!(first["expires_at"], again["expires_at"]);
    later(&fake, 31);
    assert_eq!(fake.refusal("websites.verify.check", json!({ "site_id": site })).code, "token_expired");
    let fresh = start(&fake, &site, "dns_txt");
    assert_ne!(fresh["token"], first["token"]);
    assert_eq!(fresh["token"].as_str().unwrap().len(), 32);
}

#[test]
fn a_check_before_a_start_and_an_unknown_website_are_refused() {
    let (fake, site) = shop();
    let refusal = fake.refusal("websites.verify.check", json!({ "site_id": site }));
    assert_eq!((refusal.code.as_str(), refusal.pointer.as_deref()), ("verification_not_started", Some("/site_id")));
    for (id, arguments) in [
        ("websites.verify.check", json!({ "site_id": "17" })),
        ("websites.verify.start", json!({ "site_id": "17", "method": "dns_txt" })),
    ] {
        assert_eq!(fake.refusal(id, arguments).code, "website_not_found");
    }
    let wrong = fake.refusal("websites.verify.start", json!({ "site_id": site, "method": "telephone" }));
    assert_eq!((wrong.code.as_str(), wrong.pointer.as_deref()), ("invalid_arguments", Some("/method")));
}
