//! A1, A2 and A7 to A12 over HTTP, and signing in; A3 to A6 are beside the rules in `service`.

use super::*;

#[tokio::test]
async fn a1_what_cannot_be_trusted_is_a_page_and_no_redirect() {
    let world = World::new().await;
    let client = world.register("Agent").await;
    for address in [
        authorize("cli_unknown", &[]),
        authorize(&client, &[("redirect_uri", "https://evil.example/")]),
        "/oauth/authorize".to_owned(),
    ] {
        let answer = world.get(&address).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{address}");
        assert!(answer.header("content-type").starts_with("text/html"));
        assert!(answer.headers.get(LOCATION).is_none());
    }
}

#[tokio::test]
async fn a2_an_error_goes_back_with_state_and_issuer() {
    let world = World::new().await;
    let client = world.register("Agent").await;
    let mut browser = Browser::new(&world);
    browser.sign_in().await;
    let answer = browser.get(&authorize(&client, &[("response_type", "token")])).await;
    assert!(answer.location().as_str().starts_with(BACK));
    assert_eq!(answer.sent("error").as_deref(), Some("unsupported_response_type"));
    assert_eq!(answer.sent("state").as_deref(), Some("st/ä te"));
    assert_eq!(answer.sent("iss").as_deref(), Some(ISSUER));
    assert_eq!(answer.sent("code"), None);
}

#[tokio::test]
async fn a7_asking_again_and_again_makes_nothing() {
    let world = World::new().await;
    let client = world.register("Agent").await;
    let mut browser = Browser::new(&world);
    for _ in 0..3 {
        assert_eq!(browser.get(&authorize(&client, &[])).await.location().path(), "/sign-in");
    }
    browser.sign_in().await;
    for _ in 0..3 {
        assert_eq!(browser.get(&authorize(&client, &[])).await.status, StatusCode::OK);
    }
    assert!(world.authority.connections(&world.customer).await.unwrap().is_empty());
    assert_eq!(world.authority.balance(&world.customer).await.unwrap().credits_milli, 1_000_000);
}

#[tokio::test]
async fn a7_sign_in_leads_on_to_the_question() {
    let world = World::new().await;
    let client = world.register("Agent").await;
    let mut browser = Browser::new(&world);
    let page = browser.get(&authorize(&client, &[])).await.location();
    let next = page.query_pairs().find(|(name, _)| name == "next").unwrap().1.into_owned();
    let page = browser.get(&format!("/sign-in?next={next}")).await;
    assert!(page.text.contains("Agent"), "{}", page.text);
    let (csrf, next) = (page.hidden("/sign-in", "csrf"), page.hidden("/sign-in", "next"));
    let fields = [("csrf", csrf.as_str()), ("next", &next), ("email", " ADA@example.com "), ("password", PASSWORD)];
    let answer = browser.post("/sign-in", &fields).await;
    assert_eq!(answer.location().path(), "/oauth/authorize");
    assert_eq!(browser.get(answer.header("location")).await.status, StatusCode::OK);
}

#[tokio::test]
async fn a7_sign_in_leads_to_our_own_pages_only() {
    let world = World::new().await;
    for next in ["https://evil.example/", "//evil.example/", "/\\evil.example", "/oauth/authorizex", "/sign-out", ""] {
        let answer = Browser::new(&world).sign_in_with(EMAIL, PASSWORD, next).await;
        assert_eq!(answer.header("location"), "/", "{next}");
    }
}

#[tokio::test]
async fn a7_a_forged_approval_does_nothing() {
    let world = World::new().await;
    let client = world.register("Agent").await;
    let mut browser = Browser::new(&world);
    browser.sign_in().await;
    let page = browser.get(&authorize(&client, &[])).await;
    let other = browser.get(&authorize(&client, &[("scope", "destructive:execute")])).await;
    let form = "/oauth/authorize";
    let (request, csrf) = (page.hidden(form, "request"), page.hidden(form, "csrf"));
    let (wider, portal) = (other.hidden(form, "request"), page.hidden("/sign-out", "csrf"));
    for (request, csrf) in [(&*request, ""), (&*request, "AAAA"), (&*wider, &*csrf), (&*request, &*portal)] {
        let fields = [("request", request), ("csrf", csrf), ("decision", "approve")];
        assert_eq!(browser.post(form, &fields).await.status, StatusCode::FORBIDDEN);
    }
    let fields = [("request", request.as_str()), ("csrf", &csrf), ("decision", "approve")];
    let mut stranger = Browser::new(&world);
    assert_eq!(stranger.post(form, &fields).await.location().path(), "/sign-in");
    stranger.sign_in().await;
    assert_eq!(stranger.post(form, &fields).await.status, StatusCode::FORBIDDEN);
    let cookie = browser.cookie.clone().unwrap();
    for (name, value) in [("sec-fetch-site", "cross-site"), ("origin", "https://evil.example")] {
        let request = Request::post(form).header(COOKIE, &cookie).header(name, value);
        let request = request.header(CONTENT_TYPE, "application/x-www-form-urlencoded");
        let answer = world.send(request.body(Body::from(encode(&fields))).unwrap()).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{name}");
    }
    world.wait(60 * 60 + 1);
    assert_eq!(browser.post(form, &fields).await.status, StatusCode::FORBIDDEN);
    assert!(world.authority.connections(&world.customer).await.unwrap().is_empty());
}

#[tokio::test]
async fn a8_the_page_says_who_where_what_and_how_much() {
    let world = World::new().await;
    let client = world.register("<script>alert(1)</script>").await;
    let mut browser = Browser::new(&world);
    browser.sign_in().await;
    let page = browser.get(&authorize(&client, &[("scope", "account:read assets:write destructive:execute")])).await;
    assert!(!page.text.contains("<script"), "{}", page.text);
    for words in [
        "alert(1)",
        "127.0.0.1:3000",
        "a program on this computer",
        "Read account state and setup",
        "Edit or publish supported owned assets",
        "Delete, stop or irreversibly roll back supported assets",
        "100 credits",
        "900 remain",
        "name=\"decision\" value=\"approve\"",
        "name=\"decision\" value=\"deny\"",
    ] {
        assert!(page.text.contains(words), "{words}: {}", page.text);
    }
    assert!(!page.text.contains("Read owned websites and metrics"));
    let again = browser.decide(&authorize(&client, &[]), "approve").await;
    assert!(again.sent("code").is_some());
    let page = browser.get(&authorize(&client, &[])).await;
    assert_eq!(page.status, StatusCode::OK, "a second request is put to the customer again");
    assert!(page.text.contains("Connecting is free"));
}

#[tokio::test]
async fn a9_the_answer_comes_with_state_and_issuer_each_once() {
    let world = World::new().await;
    let client = world.register("Agent").await;
    let mut browser = Browser::new(&world);
    browser.sign_in().await;
    let denied = browser.decide(&authorize(&client, &[]), "deny").await;
    assert_eq!(denied.sent("error").as_deref(), Some("access_denied"));
    assert_eq!(denied.sent("code"), None);
    let approved = browser.decide(&authorize(&client, &[]), "approve").await;
    assert!(approved.sent("code").unwrap().starts_with("esp_ac_"));
    assert_eq!(approved.sent("error"), None);
    for answer in [&denied, &approved] {
        assert!(answer.location().as_str().starts_with(BACK));
        assert_eq!(answer.sent("state").as_deref(), Some("st/ä te"));
        assert_eq!(answer.sent("iss").as_deref(), Some(ISSUER));
    }
}

#[tokio::test]
async fn a10_pages_are_not_kept_not_framed_and_leak_no_address() {
    let world = World::new().await;
    let client = world.register("Agent").await;
    let mut browser = Browser::new(&world);
    let sign_in = browser.get("/sign-in").await;
    browser.sign_in().await;
    let consent = browser.get(&authorize(&client, &[])).await;
    for page in [&sign_in, &consent] {
        assert_eq!(page.header("cache-control"), "no-store");
        assert_eq!(page.header("x-frame-options"), "DENY");
        assert_eq!(page.header("referrer-policy"), "no-referrer");
        assert_eq!(page.header("x-content-type-options"), "nosniff");
        let policy = page.header("content-security-policy");
        assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{policy}");
        assert!(!policy.contains("unsafe"));
    }
    // A browser would hold what the client's address leads on to against it.
    let policy = consent.header("content-security-policy");
    assert!(!policy.contains("form-action"), "{policy}");
    assert!(sign_in.header("content-security-policy").contains("form-action 'self';"));
}

#[tokio::test]
async fn a11_a_code_lasts_a_minute() {
    let world = World::new().await;
    let client = world.register("Agent").await;
    let code = world.code(&client, "").await;
    world.wait(59);
    assert_eq!(world.redeem(&client, &code).await.status, StatusCode::OK);
    let code = world.code(&client, "").await;
    world.wait(60);
    world.redeem(&client, &code).await.expect_error(StatusCode::BAD_REQUEST, "invalid_grant");
}

#[tokio::test]
async fn a12_head_has_no_effect_and_no_body() {
    let world = World::new().await;
    let client = world.register("Agent").await;
    let mut browser = Browser::new(&world);
    browser.sign_in().await;
    let answer = browser.go(Method::HEAD, &authorize(&client, &[]), &[]).await;
    assert_eq!((answer.status, answer.text.as_str()), (StatusCode::OK, ""));
}

#[tokio::test]
async fn the_first_approval_charges_the_activation_and_no_later_one_does() {
    let world = World::new().await;
    let client = world.register("Agent").await;
    for _ in 0..3 {
        world.code(&client, "account:read").await;
        let balance = world.authority.balance(&world.customer).await.unwrap();
        assert_eq!(balance.credits_milli, 900_000);
        assert!(balance.activated_at.is_some());
    }
}

#[tokio::test]
async fn an_approval_that_cannot_be_paid_makes_nothing_and_says_what_is_missing() {
    let world = World::with(40).await;
    let client = world.register("Agent").await;
    let mut browser = Browser::new(&world);
    browser.sign_in().await;
    let page = browser.get(&authorize(&client, &[])).await;
    assert!(page.text.contains("60 are missing"), "{}", page.text);
    let answer = browser.decide(&authorize(&client, &[]), "approve").await;
    assert_eq!(answer.status, StatusCode::PAYMENT_REQUIRED);
    assert!(answer.text.contains("60 are missing") && answer.text.contains("100 credits"), "{}", answer.text);
    assert!(world.authority.connections(&world.customer).await.unwrap().is_empty());
    let balance = world.authority.balance(&world.customer).await.unwrap();
    assert_eq!((balance.credits_milli, balance.activated_at), (40_000, None));
}

#[tokio::test]
async fn sign_in_gives_a_new_cookie_that_pages_cannot_read() {
    let world = World::new().await;
    let mut browser = Browser::new(&world);
    browser.get("/sign-in").await;
    let before = browser.cookie.clone().unwrap();
    let answer = browser.sign_in_with(EMAIL, PASSWORD, "/").await;
    let cookie = answer.header("set-cookie");
    assert!(cookie.starts_with("__Host-espalier=esp_se_"), "{cookie}");
    for attribute in ["Path=/", "HttpOnly", "Secure", "SameSite=Lax"] {
        assert!(cookie.contains(attribute), "{cookie}");
    }
    assert_ne!(browser.cookie.as_ref(), Some(&before));
    assert_eq!(browser.get("/").await.status, StatusCode::OK);
    browser.cookie = Some(before);
    assert_eq!(browser.get("/").await.location().path(), "/sign-in");
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_account_look_the_same() {
    let world = World::new().await;
    let wrong = Browser::new(&world).sign_in_with(EMAIL, "not the password", "/").await;
    let unknown = Browser::new(&world).sign_in_with("eve@example.com", PASSWORD, "/").await;
    assert_eq!((wrong.status, unknown.status), (StatusCode::UNPROCESSABLE_ENTITY, StatusCode::UNPROCESSABLE_ENTITY));
    for page in [&wrong, &unknown] {
        assert!(page.text.contains("The e-mail or the password is not right."));
    }
}

#[tokio::test]
async fn the_sixth_try_in_a_quarter_of_an_hour_has_to_wait_even_if_it_is_right() {
    let world = World::new().await;
    for _ in 0..5 {
        let answer = Browser::new(&world).sign_in_with(EMAIL, "not the password", "/").await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    }
    let answer = Browser::new(&world).sign_in_with(EMAIL, PASSWORD, "/").await;
    assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
    assert!(answer.header("retry-after").parse::<u64>().unwrap() > 800);
    world.wait(15 * 60);
    Browser::new(&world).sign_in().await;
}

#[tokio::test]
async fn a_device_that_has_signed_in_before_is_not_kept_out_by_a_strangers_tries() {
    let world = World::new().await;
    let mut owner = Browser::new(&world);
    owner.sign_in().await;
    owner.cookie = None;
    for _ in 0..25 {
        Browser::new(&world).sign_in_with(EMAIL, "not the password", "/").await;
    }
    let stranger = Browser::new(&world).sign_in_with(EMAIL, PASSWORD, "/").await;
    assert_eq!(stranger.status, StatusCode::TOO_MANY_REQUESTS);
    owner.sign_in().await;
    // It opened nothing for the stranger, and is no way to try more often.
    let stranger = Browser::new(&world).sign_in_with(EMAIL, PASSWORD, "/").await;
    assert_eq!(stranger.status, StatusCode::TOO_MANY_REQUESTS);
    let mut thief = Browser::new(&world);
    thief.cookies.clone_from(&owner.cookies);
    for _ in 0..5 {
        thief.sign_in_with(EMAIL, "not the password", "/").await;
    }
    assert_eq!(thief.sign_in_with(EMAIL, PASSWORD, "/").await.status, StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test]
async fn the_cookie_of_a_known_device_is_worth_nothing_for_another_account_changed_or_after_half_a_year() {
    let world = World::new().await;
    let mut owner = Browser::new(&world);
    owner.sign_in().await;
    owner.cookie = None;
    let whole = owner.cookies["__Host-espalier-device"].clone();
    for _ in 0..25 {
        Browser::new(&world).sign_in_with(EMAIL, "not the password", "/").await;
    }
    for forged in ["", "AAAA", &whole[1..], &format!("B{}", &whole[1..])] {
        let mut browser = Browser::new(&world);
        browser.cookies.insert("__Host-espalier-device".to_owned(), forged.to_owned());
        let answer = browser.sign_in_with(EMAIL, PASSWORD, "/").await;
        assert!(
            whole.starts_with(forged) && forged == whole || answer.status == StatusCode::TOO_MANY_REQUESTS,
            "{forged}"
        );
    }
    for account in ["bob@example.com", "eve@example.com"] {
        for _ in 0..10 {
            owner.sign_in_with(account, "x", "/").await;
        }
        assert_eq!(owner.sign_in_with(account, "x", "/").await.status, StatusCode::TOO_MANY_REQUESTS);
    }
    world.wait(181 * 24 * 3_600);
    for _ in 0..25 {
        Browser::new(&world).sign_in_with(EMAIL, "not the password", "/").await;
    }
    owner.cookie = None;
    assert_eq!(owner.sign_in_with(EMAIL, PASSWORD, "/").await.status, StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test]
async fn an_address_may_try_twenty_times_whatever_the_accounts() {
    let world = World::new().await;
    for n in 0..20 {
        let answer = Browser::new(&world).sign_in_with(&format!("n{n}@example.com"), "x", "/").await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    }
    let answer = Browser::new(&world).sign_in_with(EMAIL, PASSWORD, "/").await;
    assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test]
async fn people_who_sign_in_rightly_do_not_use_up_their_address() {
    let world = World::new().await;
    for _ in 0..25 {
        Browser::new(&world).sign_in().await;
    }
}

#[tokio::test]
async fn a_session_ends_with_sign_out_with_a_new_password_and_after_twelve_hours() {
    let world = World::new().await;
    let mut browser = Browser::new(&world);
    browser.sign_in().await;
    let kept = browser.cookie.clone();
    let page = browser.get("/").await;
    let csrf = page.hidden("/sign-out", "csrf");
    assert_eq!(browser.post("/sign-out", &[("csrf", &csrf)]).await.location().path(), "/sign-in");
    browser.cookie = kept;
    assert_eq!(browser.get("/").await.location().path(), "/sign-in");
    browser.sign_in().await;
    let password = Password::chosen("another password").unwrap();
    world.authority.set_password(&world.customer, password).await.unwrap();
    assert_eq!(browser.get("/").await.location().path(), "/sign-in");
    assert!(browser.sign_in_with(EMAIL, "another password", "/").await.location().path() == "/");
    world.wait(12 * 60 * 60);
    assert_eq!(browser.get("/").await.location().path(), "/sign-in");
}

#[tokio::test]
async fn the_customer_grants_only_the_scopes_that_stay_ticked() {
    let world = World::new().await;
    let client = world.register("Agent").await;
    let address = authorize(&client, &[("scope", "account:read assets:write destructive:execute")]);
    let mut browser = Browser::new(&world);
    browser.sign_in().await;
    let page = browser.get(&address).await;
    assert_eq!(page.ticked(), ["account:read", "assets:write", "destructive:execute"]);
    let everything =
        browser.get(&authorize(&client, &[("scope", &model::scope::ScopeSet::all().to_string())])).await.ticked();
    assert_eq!(everything.len(), 11);
    assert!(everything.iter().all(|it| it != "outreach:send" && it != "destructive:execute"), "{everything:?}");
    let form = "/oauth/authorize";
    let (request, csrf) = (page.hidden(form, "request"), page.hidden(form, "csrf"));
    let decide = [("request", request.as_str()), ("csrf", &csrf), ("decision", "approve")];
    let none = browser.post(form, &decide).await;
    assert_eq!(none.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(none.text.contains("Nothing is ticked") && none.ticked().is_empty(), "{}", none.text);
    // More than was asked for, or no scope at all, does not come from our page.
    for scope in ["billing:manage", "everything"] {
        let answer = browser.post(form, &[&decide[..], &[("scope", "account:read"), ("scope", scope)]].concat()).await;
        assert_eq!(answer.status, StatusCode::FORBIDDEN, "{scope}");
    }
    assert_eq!(world.authority.balance(&world.customer).await.unwrap().credits_milli, 1_000_000);
    let fewer = [&decide[..], &[("scope", "account:read"), ("scope", "assets:write")]].concat();
    let code = browser.post(form, &fewer).await.sent("code").unwrap();
    let tokens = world.redeem(&client, &code).await;
    assert_eq!(tokens.json()["scope"], "account:read assets:write");
    let granted = world.authority.connections(&world.customer).await.unwrap()[0].scopes.to_string();
    assert_eq!(granted, "account:read assets:write");
}
