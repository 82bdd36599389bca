//! Tests of `challenge`.

use super::of_answer;

fn headers(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

#[test]
fn a_challenge_is_told_by_its_header_or_by_its_page() {
    assert_eq!(of_answer(403, &headers(&[("cf-mitigated", "challenge")]), b""), Some("cloudflare"));
    assert_eq!(
        of_answer(503, &[], b"<title>Just a moment...</title><script>window._cf_chl_opt={}</script>"),
        Some("cloudflare")
    );
    assert_eq!(of_answer(403, &headers(&[("x-datadome", "protected")]), b""), Some("datadome"));
    assert_eq!(of_answer(403, &[], b"<div class=\"h-captcha\"></div>"), Some("captcha"));
    assert_eq!(of_answer(200, &[], b"<script id=\"anubis_challenge\" type=\"application/json\">"), Some("anubis"));
}

#[test]
fn ordinary_refusals_and_pages_that_embed_a_captcha_are_not_challenges() {
    assert_eq!(of_answer(403, &[], b"<h1>Forbidden</h1>"), None);
    assert_eq!(of_answer(503, &[], b"<h1>Down for maintenance</h1>"), None);
    assert_eq!(of_answer(200, &headers(&[("x-datadome", "protected")]), b"<a href=/>home</a>"), None);
    assert_eq!(of_answer(200, &[], b"<a href=/>home</a><form><div class=g-recaptcha></div></form>"), None);
    assert_eq!(of_answer(404, &[], b"g-recaptcha"), None);
}
