//! T1 to T13: the token endpoint.

use super::*;

async fn set_up() -> (World, String) {
    let world = World::new().await;
    let client = world.register("Agent").await;
    (world, client)
}

fn with<'a>(fields: &[(&'a str, &'a str)], name: &'a str, value: &'a str) -> Vec<(&'a str, &'a str)> {
    let mut fields: Vec<_> = fields.iter().copied().filter(|(known, _)| *known != name).collect();
    if !value.is_empty() {
        fields.push((name, value));
    }
    fields
}

#[tokio::test]
async fn t1_a_code_becomes_a_pair_of_tokens() {
    let (world, client) = set_up().await;
    let code = world.code(&client, "assets:write account:read").await;
    let answer = world.redeem(&client, &code).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    assert_eq!(answer.header("content-type"), "application/json");
    assert_eq!((answer.header("cache-control"), answer.header("pragma")), ("no-store", "no-cache"));
    let body = answer.json();
    assert_eq!((&body["token_type"], &body["expires_in"]), (&json!("Bearer"), &json!(3600)));
    assert_eq!(body["scope"], "account:read assets:write");
    let pair = Pair::read(&answer);
    assert!(pair.refresh.starts_with("esp_rt_"));
    assert_eq!(world.bearer(&pair.access).await, Ok(()));
    assert_eq!(world.bearer(&pair.refresh).await, Err("invalid_token".to_owned()));
}

#[tokio::test]
async fn t2_only_a_form_sent_by_post_with_each_parameter_once_is_read() {
    let (world, client) = set_up().await;
    assert_eq!(world.get("/oauth/token").await.status, StatusCode::METHOD_NOT_ALLOWED);
    let code = world.code(&client, "").await;
    let fields = redemption(&client, &code);
    for media in ["application/json", "text/plain", "multipart/form-data", "application/x-www-form-urlencodedx"] {
        let request = Request::post("/oauth/token").header(CONTENT_TYPE, media);
        let answer = world.send(request.body(Body::from(encode(&fields))).unwrap()).await;
        answer.expect_error(StatusCode::BAD_REQUEST, "invalid_request");
    }
    for name in ["grant_type", "client_id", "code", "code_verifier"] {
        let answer = world.post_form("/oauth/token", &with(&fields, name, "")).await;
        answer.expect_error(StatusCode::BAD_REQUEST, "invalid_request");
        let mut twice = fields.to_vec();
        twice.extend(fields.iter().filter(|(known, _)| *known == name));
        world.post_form("/oauth/token", &twice).await.expect_error(StatusCode::BAD_REQUEST, "invalid_request");
    }
    let request =
        Request::post("/oauth/token").header(CONTENT_TYPE, "Application/X-WWW-Form-Urlencoded; charset=UTF-8");
    let answer = world.send(request.body(Body::from(encode(&fields))).unwrap()).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
}

#[tokio::test]
async fn t3_an_unknown_client_or_one_with_a_secret_is_refused() {
    let (world, client) = set_up().await;
    let code = world.code(&client, "").await;
    let fields = redemption(&client, &code);
    let unknown = world.post_form("/oauth/token", &with(&fields, "client_id", "cli_unknown")).await;
    unknown.expect_error(StatusCode::UNAUTHORIZED, "invalid_client");
    let secret = world.post_form("/oauth/token", &with(&fields, "client_secret", "x")).await;
    secret.expect_error(StatusCode::UNAUTHORIZED, "invalid_client");
    let request = Request::post("/oauth/token")
        .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
        .header("authorization", "Basic Y2xpOng=");
    let basic = world.send(request.body(Body::from(encode(&fields))).unwrap()).await;
    basic.expect_error(StatusCode::UNAUTHORIZED, "invalid_client");
    assert!(basic.header("www-authenticate").starts_with("Basic "));
    assert_eq!(world.redeem(&client, &code).await.status, StatusCode::OK, "the code was not spent by that");
}

#[tokio::test]
async fn t4_other_grant_types_are_refused() {
    let (world, client) = set_up().await;
    for grant_type in ["password", "client_credentials", "implicit", "urn:ietf:params:oauth:grant-type:device_code"] {
        let answer = world.post_form("/oauth/token", &[("grant_type", grant_type), ("client_id", &client)]).await;
        answer.expect_error(StatusCode::BAD_REQUEST, "unsupported_grant_type");
    }
    let body = json!({ "redirect_uris": [BACK], "grant_types": ["authorization_code"] });
    let registered = world.post_json("/oauth/register", &body.to_string()).await;
    let plain = registered.json()["client_id"].as_str().unwrap().to_owned();
    world.refresh(&plain, "esp_rt_x").await.expect_error(StatusCode::BAD_REQUEST, "unauthorized_client");
    let code = world.code(&plain, "").await;
    let answer = world.redeem(&plain, &code).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert!(answer.json().get("refresh_token").is_none());
}

#[tokio::test]
async fn t5_a_code_that_does_not_fit_is_refused_and_stays_good() {
    let (world, client) = set_up().await;
    let other = world.register("Other").await;
    let code = world.code(&client, "").await;
    let fields = redemption(&client, &code);
    for (name, value) in [
        ("code", "esp_ac_unknown"),
        ("client_id", other.as_str()),
        ("redirect_uri", "http://127.0.0.1:3001/callback"),
        ("redirect_uri", ""),
    ] {
        let answer = world.post_form("/oauth/token", &with(&fields, name, value)).await;
        answer.expect_error(StatusCode::BAD_REQUEST, "invalid_grant");
    }
    assert_eq!(world.redeem(&client, &code).await.status, StatusCode::OK);
}

#[tokio::test]
async fn t5_a_code_used_twice_revokes_what_came_of_it() {
    let (world, client) = set_up().await;
    let code = world.code(&client, "").await;
    let pair = Pair::read(&world.redeem(&client, &code).await);
    assert_eq!(world.bearer(&pair.access).await, Ok(()));
    world.redeem(&client, &code).await.expect_error(StatusCode::BAD_REQUEST, "invalid_grant");
    assert_eq!(world.bearer(&pair.access).await, Err("invalid_token".to_owned()));
    world.refresh(&client, &pair.refresh).await.expect_error(StatusCode::BAD_REQUEST, "invalid_grant");
}

#[tokio::test]
async fn t5_of_many_simultaneous_exchanges_at_most_one_gets_tokens_and_they_do_not_last() {
    let (world, client) = set_up().await;
    let code = world.code(&client, "").await;
    let world = &world;
    let answers = futures(20, |_| world.redeem(&client, &code)).await;
    let good: Vec<_> = answers.iter().filter(|answer| answer.status == StatusCode::OK).collect();
    assert_eq!(good.len(), 1);
    assert_eq!(world.bearer(&Pair::read(good[0]).access).await, Err("invalid_token".to_owned()));
}

#[tokio::test]
async fn t6_a_wrong_verifier_spends_the_code() {
    let (world, client) = set_up().await;
    let code = world.code(&client, "").await;
    let fields = redemption(&client, &code);
    let long = "a".repeat(129);
    for malformed in ["short", &long, &format!("{VERIFIER}!"), ""] {
        let answer = world.post_form("/oauth/token", &with(&fields, "code_verifier", malformed)).await;
        answer.expect_error(StatusCode::BAD_REQUEST, "invalid_request");
    }
    let wrong = "a".repeat(43);
    let answer = world.post_form("/oauth/token", &with(&fields, "code_verifier", &wrong)).await;
    answer.expect_error(StatusCode::BAD_REQUEST, "invalid_grant");
    world.redeem(&client, &code).await.expect_error(StatusCode::BAD_REQUEST, "invalid_grant");
}

#[tokio::test]
async fn t7_another_resource_is_refused_before_the_code_is_spent() {
    let (world, client) = set_up().await;
    let code = world.code(&client, "").await;
    let fields = redemption(&client, &code);
    let answer = world.post_form("/oauth/token", &with(&fields, "resource", "https://other.example/mcp")).await;
    answer.expect_error(StatusCode::BAD_REQUEST, "invalid_target");
    let answer = world.post_form("/oauth/token", &with(&fields, "resource", "")).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    let refresh = Pair::read(&answer).refresh;
    let fields = [("grant_type", "refresh_token"), ("client_id", client.as_str()), ("refresh_token", &refresh)];
    let answer = world.post_form("/oauth/token", &with(&fields, "resource", "https://other.example/mcp")).await;
    answer.expect_error(StatusCode::BAD_REQUEST, "invalid_target");
    assert_eq!(world.post_form("/oauth/token", &fields).await.status, StatusCode::OK);
}

#[tokio::test]
async fn t8_a_refresh_token_is_exchanged_for_the_next_pair() {
    let (world, client) = set_up().await;
    let first = world.tokens(&client, "account:read assets:write").await;
    world.wait(60 * 60);
    assert_eq!(world.bearer(&first.access).await, Err("invalid_token".to_owned()), "an access token lasts an hour");
    let answer = world.refresh(&client, &first.refresh).await;
    assert_eq!(answer.json()["scope"], "account:read assets:write");
    let second = Pair::read(&answer);
    assert_ne!(second.refresh, first.refresh);
    assert_eq!(world.bearer(&second.access).await, Ok(()));
}

#[tokio::test]
async fn t8_a_narrower_scope_is_honoured_and_a_wider_one_refused() {
    let (world, client) = set_up().await;
    let pair = world.tokens(&client, "account:read assets:write").await;
    let ask = |token: String, scope: &'static str| {
        let (world, client) = (&world, &client);
        async move {
            let fields =
                [("grant_type", "refresh_token"), ("client_id", client), ("refresh_token", &*token), ("scope", scope)];
            world.post_form("/oauth/token", &fields).await
        }
    };
    let wider = ask(pair.refresh.clone(), "account:read billing:manage").await;
    wider.expect_error(StatusCode::BAD_REQUEST, "invalid_scope");
    let narrow = ask(pair.refresh, "account:read").await;
    assert_eq!(narrow.json()["scope"], "account:read");
    let pair = Pair::read(&narrow);
    let grant = world.authority.bearer(&model::token::Secret::received(&*pair.access)).await.unwrap();
    assert_eq!(grant.scopes.to_string(), "account:read");
    let whole = world.refresh(&client, &pair.refresh).await;
    assert_eq!(whole.json()["scope"], "account:read assets:write", "the grant keeps what was approved");
}

#[tokio::test]
async fn t9_a_rotated_refresh_token_revokes_its_family() {
    let (world, client) = set_up().await;
    let first = world.tokens(&client, "").await;
    let second = Pair::read(&world.refresh(&client, &first.refresh).await);
    let other = world.tokens(&client, "").await;
    assert_eq!(world.bearer(&second.access).await, Ok(()));
    let again = world.refresh(&client, &first.refresh).await;
    again.expect_error(StatusCode::BAD_REQUEST, "invalid_grant");
    assert!(again.json()["error_description"].as_str().unwrap().contains("used before"));
    for access in [&first.access, &second.access] {
        assert_eq!(world.bearer(access).await, Err("invalid_token".to_owned()));
    }
    world.refresh(&client, &second.refresh).await.expect_error(StatusCode::BAD_REQUEST, "invalid_grant");
    assert_eq!(world.bearer(&other.access).await, Ok(()), "another family is untouched");
}

#[tokio::test]
async fn t10_a_refresh_token_of_another_client_is_refused_without_effect() {
    let (world, client) = set_up().await;
    let other = world.register("Other").await;
    let pair = world.tokens(&client, "").await;
    for (client, token) in [(&other, &*pair.refresh), (&client, "esp_rt_unknown"), (&client, &*pair.access)] {
        world.refresh(client, token).await.expect_error(StatusCode::BAD_REQUEST, "invalid_grant");
    }
    let next = Pair::read(&world.refresh(&client, &pair.refresh).await);
    world.refresh(&other, &pair.refresh).await.expect_error(StatusCode::BAD_REQUEST, "invalid_grant");
    assert_eq!(world.bearer(&next.access).await, Ok(()), "a stranger with a spent token ends nothing");
    world.wait(30 * 24 * 60 * 60);
    world.refresh(&client, &next.refresh).await.expect_error(StatusCode::BAD_REQUEST, "invalid_grant");
}

#[tokio::test]
async fn t11_twenty_who_refresh_while_the_first_is_not_answered_get_its_one_answer() {
    let (world, client) = set_up().await;
    for _ in 0..5 {
        let pair = world.tokens(&client, "").await;
        let answers = futures(20, |_| world.refresh(&client, &pair.refresh)).await;
        let bodies: std::collections::BTreeSet<&str> = answers.iter().map(|answer| answer.text.as_str()).collect();
        assert_eq!(bodies.len(), 1, "{bodies:?}");
        let next = Pair::read(&answers[0]);
        assert_eq!(world.bearer(&next.access).await, Ok(()));
        assert_eq!(world.refresh(&client, &next.refresh).await.status, StatusCode::OK, "one rotation, one next token");
        let late = world.refresh(&client, &pair.refresh).await;
        late.expect_error(StatusCode::BAD_REQUEST, "invalid_grant");
        assert_eq!(world.bearer(&next.access).await, Err("invalid_token".to_owned()), "afterwards there is no grace");
    }
    let mut owner = Browser::new(&world);
    owner.sign_in().await;
    let told = owner.get("/activity?event=oauth.refresh.twins").await;
    assert_eq!(told.text.matches("Refresh token shown by several at once<span").count(), 5, "{}", told.text);
}

#[tokio::test]
async fn t11_only_who_asks_the_same_shares_an_answer() {
    let (world, client) = set_up().await;
    let other = world.register("Other").await;
    let pair = world.tokens(&client, "account:read assets:write").await;
    let world = &world;
    let ask = |n: usize| {
        let (client, scope) = if n == 2 { (&other, "") } else { (&client, ["", "account:read"][n % 2]) };
        let fields = [
            ("grant_type", "refresh_token".to_owned()),
            ("client_id", client.clone()),
            ("refresh_token", pair.refresh.clone()),
            ("scope", scope.to_owned()),
        ];
        async move {
            let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
            world.post_form("/oauth/token", &fields).await
        }
    };
    let answers = futures(3, ask).await;
    let good = answers.iter().filter(|answer| answer.status == StatusCode::OK).count();
    assert_eq!(good, 1, "the wider and the narrower are two tries, and the second of them is a reuse");
    answers[2].expect_error(StatusCode::BAD_REQUEST, "invalid_grant");
    world.refresh(&client, &pair.refresh).await.expect_error(StatusCode::BAD_REQUEST, "invalid_grant");
}

#[tokio::test]
async fn t11_two_nodes_share_nothing_and_the_second_ends_the_family() {
    let (world, client) = set_up().await;
    let node = world.node();
    for _ in 0..5 {
        let pair = world.tokens(&client, "").await;
        let form = encode(&[("grant_type", "refresh_token"), ("client_id", &client), ("refresh_token", &pair.refresh)]);
        let (here, there) = tokio::join!(world.refresh(&client, &pair.refresh), node.exchange(&form, "192.0.2.7"));
        let access = match (here.status == StatusCode::OK, &there) {
            (true, Err(fault)) => {
                assert_eq!(fault.code.as_str(), "invalid_grant");
                Pair::read(&here).access
            }
            (false, Ok(issued)) => issued.access_token.reveal().to_owned(),
            other => panic!("one of the two rotates: {} {other:?}", here.text),
        };
        let shown = model::token::Secret::received(&*access);
        assert_eq!(world.bearer(&access).await, Err("invalid_token".to_owned()));
        assert!(node.bearer(&shown).await.is_err(), "on both nodes at once");
    }
}

#[tokio::test]
async fn t12_every_error_is_oauth_json_that_nobody_keeps() {
    let (world, client) = set_up().await;
    let odd = "a\"b\\c\u{e9}\u{202e}\n";
    for fields in [
        vec![("grant_type", odd)],
        vec![("grant_type", "refresh_token"), ("client_id", odd)],
        vec![("grant_type", "refresh_token"), ("client_id", &client), ("refresh_token", odd)],
        vec![("grant_type", "authorization_code"), ("client_id", &client), ("code", odd), ("code_verifier", VERIFIER)],
        vec![(odd, "1"), (odd, "2")],
    ] {
        let answer = world.post_form("/oauth/token", &fields).await;
        answer.expect_error(answer.status, answer.json()["error"].as_str().unwrap());
        assert_eq!(answer.header("pragma"), "no-cache");
        assert!(answer.status.is_client_error(), "{}", answer.text);
    }
    let pair = world.tokens(&client, "account:read").await;
    for scope in [odd, "account:read \"x\""] {
        let fields = [
            ("grant_type", "refresh_token"),
            ("client_id", client.as_str()),
            ("refresh_token", &pair.refresh),
            ("scope", scope),
        ];
        world.post_form("/oauth/token", &fields).await.expect_error(StatusCode::BAD_REQUEST, "invalid_scope");
    }
    let long = "x".repeat(70_000);
    let large = world.post_form("/oauth/token", &[("grant_type", &long)]).await;
    large.expect_error(StatusCode::PAYLOAD_TOO_LARGE, "invalid_request");
}

#[tokio::test]
async fn t12_who_asks_too_often_waits_and_is_told_how_long() {
    let limits = Rates { token: 5, ..Rates::default() };
    let world = World::limited(limits).await;
    let client = world.register("Agent").await;
    for _ in 0..5 {
        world.refresh(&client, "esp_rt_x").await.expect_error(StatusCode::BAD_REQUEST, "invalid_grant");
    }
    for path in ["/oauth/token", "/oauth/revoke"] {
        let answer = world.post_form(path, &[("grant_type", "refresh_token")]).await;
        answer.expect_error(StatusCode::TOO_MANY_REQUESTS, "temporarily_unavailable");
        assert_eq!(answer.header("retry-after"), "60");
        assert_eq!(answer.header("ratelimit-policy"), "\"token\";q=5;w=60");
        assert_eq!(answer.header("ratelimit"), "\"token\";r=0;t=60");
    }
    world.wait(60);
    world.refresh(&client, "esp_rt_x").await.expect_error(StatusCode::BAD_REQUEST, "invalid_grant");
}

#[tokio::test]
async fn t12_where_too_much_fails_nothing_is_answered_for_a_while() {
    let world = World::limited(Rates { token_failures: 3, ..Rates::default() }).await;
    let client = world.register("Agent").await;
    let pair = world.tokens(&client, "").await;
    for _ in 0..3 {
        world.refresh(&client, "esp_rt_x").await.expect_error(StatusCode::BAD_REQUEST, "invalid_grant");
    }
    let answer = world.refresh(&client, &pair.refresh).await;
    answer.expect_error(StatusCode::TOO_MANY_REQUESTS, "temporarily_unavailable");
    world.wait(60);
    assert_eq!(world.refresh(&client, &pair.refresh).await.status, StatusCode::OK, "and the token was not spent");
}

#[tokio::test]
async fn t13_every_secret_has_256_bits_and_a_prefix_that_scanners_know() {
    let (world, client) = set_up().await;
    let code = world.code(&client, "").await;
    let pair = Pair::read(&world.redeem(&client, &code).await);
    for (secret, prefix) in [(&code, "esp_ac_"), (&pair.access, "esp_at_"), (&pair.refresh, "esp_rt_")] {
        let random = secret.strip_prefix(prefix).unwrap_or_else(|| panic!("{prefix}"));
        assert_eq!(URL_SAFE_NO_PAD.decode(random).unwrap().len(), 32);
    }
}

#[tokio::test]
async fn t13_no_secret_is_in_the_database() {
    let (world, client) = set_up().await;
    let code = world.code(&client, "").await;
    let pair = Pair::read(&world.redeem(&client, &code).await);
    let mut browser = Browser::new(&world);
    browser.sign_in().await;
    let cookie = browser.cookie.unwrap();
    let cookie = cookie.split_once('=').unwrap().1.to_owned();
    let mut kept = Vec::new();
    for entry in std::fs::read_dir(world._folder.path()).unwrap() {
        kept.extend(std::fs::read(entry.unwrap().path()).unwrap());
    }
    let holds = |text: &str| kept.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(holds(client.as_str()), "the files that were read are the database");
    for secret in [&code, &pair.access, &pair.refresh, &cookie, &PASSWORD.to_owned()] {
        assert!(!holds(secret), "{secret}");
    }
}

/// Runs the same thing many times at once.
async fn futures<F: Future>(count: usize, start: impl Fn(usize) -> F) -> Vec<F::Output> {
    let mut tasks: Vec<_> = (0..count).map(|n| Box::pin(start(n))).collect();
    let mut done: Vec<Option<F::Output>> = (0..count).map(|_| None).collect();
    std::future::poll_fn(|context| {
        for (task, done) in tasks.iter_mut().zip(&mut done) {
            if done.is_none()
                && let std::task::Poll::Ready(output) = task.as_mut().poll(context)
            {
                *done = Some(output);
            }
        }
        if done.iter().all(Option::is_some) { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
    done.into_iter().map(|output| output.unwrap()).collect()
}
