//! The attacks of RFC 9700 section 4, one by one, each as its attacker would try it.

use std::net::SocketAddr;

use axum::extract::ConnectInfo;

use super::lookalikes::lookalikes;
use super::*;

const WEB: &str = "https://app.example/callback";

async fn two_doors(world: &World) -> String {
    let body = json!({ "client_name": "Agent", "redirect_uris": [WEB, BACK] });
    let answer = world.post_json("/oauth/register", &body.to_string()).await;
    answer.json()["client_id"].as_str().unwrap().to_owned()
}

/// RFC 9700 4.1: insufficient redirect URI validation.
#[tokio::test]
async fn attack_redirect_uri_tricks_reach_no_address_that_is_not_registered() {
    let world = World::new().await;
    let client = two_doors(&world).await;
    let mut browser = Browser::new(&world);
    browser.sign_in().await;
    let corpus = lookalikes();
    assert!(corpus.len() >= 240, "{}", corpus.len());
    for uri in &corpus {
        for (name, value) in [("state", "s"), ("response_type", "token")] {
            let answer = browser.get(&authorize(&client, &[("redirect_uri", uri), (name, value)])).await;
            assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{uri}");
            assert!(answer.headers.get(LOCATION).is_none(), "{uri}");
        }
    }
    for uri in [WEB, BACK, "http://127.0.0.1:49152/callback"] {
        assert_eq!(browser.get(&authorize(&client, &[("redirect_uri", uri)])).await.status, StatusCode::OK, "{uri}");
    }
}

/// RFC 9700 4.2: leakage by referrer and by the browser's history.
#[tokio::test]
async fn attack_nothing_leaks_by_referrer_or_in_an_address() {
    let world = World::new().await;
    let client = world.register("Agent").await;
    let mut browser = Browser::new(&world);
    let mut pages = vec![browser.get("/sign-in").await];
    browser.sign_in().await;
    for path in ["/", "/apps", "/tokens", &authorize(&client, &[]), &authorize("cli_unknown", &[])] {
        pages.push(browser.get(path).await);
    }
    for page in &pages {
        assert_eq!(page.header("referrer-policy"), "no-referrer");
        for mark in ["src=\"http", "src=\"//", "rel=\"stylesheet\" href=\"http", "url(http", "@import"] {
            assert!(!page.text.contains(mark), "a page loads something from elsewhere: {mark}");
        }
    }
    let approved = browser.decide(&authorize(&client, &[]), "approve").await;
    assert_eq!(approved.header("referrer-policy"), "no-referrer");
    let sent: Vec<String> = approved.location().query_pairs().map(|(name, _)| name.into_owned()).collect();
    assert_eq!(sent, ["code", "state", "iss"], "a code, which is worth nothing without the verifier, and no token");
}

/// RFC 9700 4.4: mix-up. A client with several servers tells from `iss` which of them has answered.
#[tokio::test]
async fn attack_mix_up_every_answer_names_its_issuer() {
    let world = World::new().await;
    let client = world.register("Agent").await;
    let mut browser = Browser::new(&world);
    browser.sign_in().await;
    let mut answers = vec![
        browser.decide(&authorize(&client, &[]), "approve").await,
        browser.decide(&authorize(&client, &[]), "deny").await,
    ];
    for (name, value) in [
        ("response_type", "token"),
        ("scope", "root"),
        ("resource", "https://evil.example/"),
        ("code_challenge_method", "plain"),
        ("code_challenge", "x"),
        ("response_mode", "fragment"),
    ] {
        answers.push(browser.get(&authorize(&client, &[(name, value)])).await);
    }
    for answer in answers {
        assert_eq!(answer.sent("iss").as_deref(), Some(ISSUER), "{}", answer.location());
    }
    let metadata = world.get("/.well-known/oauth-authorization-server").await.json();
    assert_eq!(
        (&metadata["issuer"], &metadata["authorization_response_iss_parameter_supported"]),
        (&json!(ISSUER), &json!(true))
    );
}

/// RFC 9700 4.5: a stolen code is put into the attacker's own session, or redeemed by the attacker.
#[tokio::test]
async fn attack_code_injection_fails_without_the_verifier_the_client_and_the_address() {
    let world = World::new().await;
    let (client, attacker) = (world.register("Agent").await, world.register("Attacker").await);
    let code = world.code(&client, "").await;
    let mine = "a".repeat(64);
    let stolen = |client: &str, verifier: &str, back: &str| {
        let fields = [("grant_type", "authorization_code"), ("client_id", client), ("code", &*code)];
        encode(&[&fields[..], &[("code_verifier", verifier), ("redirect_uri", back)]].concat())
    };
    for form in [stolen(&attacker, VERIFIER, BACK), stolen(&client, VERIFIER, WEB)] {
        let request = Request::post("/oauth/token").header(CONTENT_TYPE, "application/x-www-form-urlencoded");
        let answer = world.send(request.body(Body::from(form)).unwrap()).await;
        answer.expect_error(StatusCode::BAD_REQUEST, "invalid_grant");
    }
    let request = Request::post("/oauth/token").header(CONTENT_TYPE, "application/x-www-form-urlencoded");
    let answer = world.send(request.body(Body::from(stolen(&client, &mine, BACK))).unwrap()).await;
    answer.expect_error(StatusCode::BAD_REQUEST, "invalid_grant");
    world.redeem(&client, &code).await.expect_error(StatusCode::BAD_REQUEST, "invalid_grant");
}

/// RFC 9700 4.2.4 and RFC 6749 10.5: a code is shown twice.
#[tokio::test]
async fn attack_code_replay_ends_what_came_of_the_code() {
    let world = World::new().await;
    let client = world.register("Agent").await;
    for who_is_first in ["the client", "the thief"] {
        let code = world.code(&client, "").await;
        let first = Pair::read(&world.redeem(&client, &code).await);
        let second = world.refresh(&client, &first.refresh).await;
        world.redeem(&client, &code).await.expect_error(StatusCode::BAD_REQUEST, "invalid_grant");
        for access in [first.access, Pair::read(&second).access] {
            assert_eq!(world.bearer(&access).await, Err("invalid_token".to_owned()), "{who_is_first}");
        }
    }
}

/// RFC 9700 4.8.2: the attacker takes PKCE out of the request, or weakens it.
#[tokio::test]
async fn attack_pkce_downgrade_is_refused_at_both_ends() {
    let world = World::new().await;
    let client = world.register("Agent").await;
    let mut browser = Browser::new(&world);
    browser.sign_in().await;
    for changes in [
        vec![("code_challenge", ""), ("code_challenge_method", "")],
        vec![("code_challenge", "")],
        vec![("code_challenge_method", "")],
        vec![("code_challenge_method", "plain")],
        vec![("code_challenge_method", "s256")],
        vec![("code_challenge_method", "S256 plain")],
        vec![("code_challenge", VERIFIER), ("code_challenge_method", "plain")],
    ] {
        let answer = browser.get(&authorize(&client, &changes)).await;
        assert_eq!(answer.sent("error").as_deref(), Some("invalid_request"), "{changes:?}");
    }
    let code = world.code(&client, "").await;
    for verifier in ["", CHALLENGE] {
        let fields = redemption(&client, &code).map(|(name, value)| match name {
            "code_verifier" => (name, verifier),
            _ => (name, value),
        });
        let answer = world.post_form("/oauth/token", &fields).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{}", answer.text);
    }
}

/// RFC 9700 4.7: cross-site request forgery, on signing in and on approving.
#[tokio::test]
async fn attack_csrf_on_sign_in_a_form_of_another_browser_signs_nobody_in() {
    let world = World::new().await;
    let mut attacker = Browser::new(&world);
    let page = attacker.get("/sign-in").await;
    let csrf = page.hidden("/sign-in", "csrf");
    // The victim's browser is made to send the attacker's form, with the attacker's account.
    let fields = [("csrf", csrf.as_str()), ("next", ""), ("email", EMAIL), ("password", PASSWORD)];
    let mut victim = Browser::new(&world);
    assert_eq!(victim.post("/sign-in", &fields).await.status, StatusCode::FORBIDDEN);
    victim.get("/sign-in").await;
    assert_eq!(victim.post("/sign-in", &fields).await.status, StatusCode::FORBIDDEN);
    assert_eq!(victim.get("/").await.location().path(), "/sign-in");
    // And a cookie that was planted before sign-in is worth nothing after it.
    let planted = attacker.cookie.clone();
    attacker.sign_in().await;
    attacker.cookie = planted;
    assert_eq!(attacker.get("/").await.location().path(), "/sign-in", "a session is not fixed from before");
}

/// RFC 9700 4.7: a page elsewhere sends an approval, or sends the victim to a request that approves itself.
#[tokio::test]
async fn attack_csrf_on_consent_nothing_is_granted_without_the_page_and_its_token() {
    let world = World::new().await;
    let client = world.register("Agent").await;
    let mut victim = Browser::new(&world);
    victim.sign_in().await;
    let address = authorize(&client, &[("decision", "approve"), ("approve", "1"), ("prompt", "none")]);
    assert_eq!(victim.get(&address).await.status, StatusCode::OK, "a GET asks");
    let query = address.split_once('?').unwrap().1;
    let request = URL_SAFE_NO_PAD.encode(query);
    let mut attacker = Browser::new(&world);
    attacker.sign_in().await;
    let page = attacker.get(&address).await;
    let theirs = page.hidden("/oauth/authorize", "csrf");
    for csrf in ["", "x", &theirs, &URL_SAFE_NO_PAD.encode([0; 40])] {
        let fields = [("request", request.as_str()), ("csrf", csrf), ("decision", "approve")];
        assert_eq!(victim.post("/oauth/authorize", &fields).await.status, StatusCode::FORBIDDEN);
    }
    assert!(world.authority.connections(&world.customer).await.unwrap().is_empty());
}

/// RFC 9700 4.16: the consent page inside a frame of the attacker's.
#[tokio::test]
async fn attack_clickjacking_no_page_may_be_framed() {
    let world = World::new().await;
    let client = world.register("Agent").await;
    let mut browser = Browser::new(&world);
    let mut pages = vec![browser.get("/sign-in").await, browser.get(&authorize("cli_unknown", &[])).await];
    browser.sign_in().await;
    for path in ["/", "/apps", "/tokens", &authorize(&client, &[])] {
        pages.push(browser.get(path).await);
    }
    pages.push(browser.post("/oauth/authorize", &[("decision", "approve")]).await);
    for page in pages {
        assert_eq!(page.header("x-frame-options"), "DENY");
        assert!(page.header("content-security-policy").contains("frame-ancestors 'none'"));
    }
}

/// RFC 9700 4.12: a 307 would make the browser send the password on.
#[tokio::test]
async fn attack_a_form_is_answered_with_303_and_never_307() {
    let world = World::new().await;
    let client = world.register("Agent").await;
    let mut browser = Browser::new(&world);
    let signed_in = browser.sign_in_with(EMAIL, PASSWORD, &authorize(&client, &[])).await;
    let approved = browser.decide(&authorize(&client, &[]), "approve").await;
    let denied = browser.decide(&authorize(&client, &[]), "deny").await;
    let csrf = browser.get("/").await.hidden("/sign-out", "csrf");
    let out = browser.post("/sign-out", &[("csrf", &csrf)]).await;
    let stranger = browser.post("/tokens", &[("name", "x")]).await;
    for answer in [signed_in, approved, denied, out, stranger] {
        assert_eq!(answer.status, StatusCode::SEE_OTHER);
    }
}

/// RFC 9700 4.11: the server's own address is used to send somebody elsewhere.
#[tokio::test]
async fn attack_open_redirect_leads_only_to_our_pages_and_registered_addresses() {
    let world = World::new().await;
    for next in [
        "https://evil.example/",
        "//evil.example/",
        "/\\evil.example/",
        "\\/evil.example",
        "/%2f/evil.example",
        "///evil.example",
        "/oauth/authorize",
        "/oauth/authorize/..//evil.example?",
        "/apps@evil.example",
        "/apps.evil.example",
        "/apps\r\nlocation: https://evil.example/",
        "/sign-out",
        "javascript:alert(1)",
        "/tokens\u{0}",
        "http:/apps",
        "/apps//../..//e",
    ] {
        let answer = Browser::new(&world).sign_in_with(EMAIL, PASSWORD, next).await;
        let to = answer.location();
        assert_eq!(to.origin().ascii_serialization(), ISSUER, "{next}");
        assert!(["/", "/apps", "/tokens"].contains(&to.path()), "{next} leads to {to}");
    }
    // An error is sent to a registered address, and one is needed for it; and only who has signed in is sent (4.11.2).
    let client = world.register("Agent").await;
    for wrong in
        [("scope", "root"), ("response_type", "token"), ("code_challenge", ""), ("resource", "https://e.example")]
    {
        let answer = world.get(&authorize(&client, &[wrong])).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{wrong:?}");
        assert!(answer.headers.get(LOCATION).is_none() && !answer.text.contains(BACK), "{}", answer.text);
    }
    let mut browser = Browser::new(&world);
    browser.sign_in().await;
    let answer = browser.get(&authorize(&client, &[("scope", "root")])).await;
    assert!(answer.location().as_str().starts_with(BACK));
    let answer = world.get(&authorize(&client, &[("scope", "root"), ("redirect_uri", "https://evil.example/")])).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
}

/// RFC 9700 4.14: a refresh token is stolen; whoever comes second ends it for both.
#[tokio::test]
async fn attack_refresh_replay_shuts_out_the_thief_and_tells_the_owner() {
    let world = World::new().await;
    let client = world.register("Agent").await;
    for thief_is_first in [true, false] {
        let stolen = world.tokens(&client, "").await.refresh;
        let first = Pair::read(&world.refresh(&client, &stolen).await);
        let deeper = Pair::read(&world.refresh(&client, &first.refresh).await);
        world.refresh(&client, &stolen).await.expect_error(StatusCode::BAD_REQUEST, "invalid_grant");
        for pair in [&first, &deeper] {
            assert_eq!(world.bearer(&pair.access).await, Err("invalid_token".to_owned()), "{thief_is_first}");
            world.refresh(&client, &pair.refresh).await.expect_error(StatusCode::BAD_REQUEST, "invalid_grant");
        }
    }
    let mut owner = Browser::new(&world);
    owner.sign_in().await;
    assert!(owner.get("/apps").await.text.contains("came twice"));
}

/// RFC 9700 4.13: headers that only a proxy should send come from a client.
#[tokio::test]
async fn attack_a_made_up_forwarded_address_does_not_get_round_the_limit_on_sign_in() {
    let world = World::new().await;
    let mut last = StatusCode::OK;
    for n in 0..21 {
        let mut browser = Browser::new(&world);
        let page = browser.get("/sign-in").await;
        let csrf = page.hidden("/sign-in", "csrf");
        let email = format!("n{n}@example.com");
        let fields = [("csrf", csrf.as_str()), ("next", ""), ("email", &email), ("password", "x")];
        let request = Request::post("/sign-in")
            .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(COOKIE, browser.cookie.unwrap())
            .header("x-forwarded-for", format!("198.51.100.{n}"))
            .header("forwarded", format!("for=198.51.100.{n}"))
            .header("x-real-ip", format!("198.51.100.{n}"));
        let mut request = request.body(Body::from(encode(&fields))).unwrap();
        request.extensions_mut().insert(ConnectInfo(SocketAddr::from(([203, 0, 113, 9], 4711))));
        last = world.send(request).await.status;
    }
    assert_eq!(last, StatusCode::TOO_MANY_REQUESTS);
}

/// RFC 9700 4.15: a client calls itself by the name of a resource owner.
#[tokio::test]
async fn attack_a_client_cannot_be_taken_for_a_customer() {
    let world = World::new().await;
    let body = json!({ "client_id": world.customer, "client_name": "x", "redirect_uris": [BACK] });
    let answer = world.post_json("/oauth/register", &body.to_string()).await;
    let id = answer.json()["client_id"].as_str().unwrap().to_owned();
    assert!(id.starts_with("cli_") && world.customer.as_str().starts_with("cus_"), "{id}");
}
