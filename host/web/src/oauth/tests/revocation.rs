//! V1: revocation.

use super::*;

#[tokio::test]
async fn v1_a_refresh_token_takes_its_family_with_it() {
    let world = World::new().await;
    let client = world.register("Agent").await;
    let pair = world.tokens(&client, "").await;
    assert_eq!(world.bearer(&pair.access).await, Ok(()));
    let answer = world.post_form("/oauth/revoke", &[("token", &pair.refresh), ("client_id", &client)]).await;
    assert_eq!((answer.status, answer.text.as_str()), (StatusCode::OK, ""));
    assert_eq!(world.bearer(&pair.access).await, Err("invalid_token".to_owned()));
    world.refresh(&client, &pair.refresh).await.expect_error(StatusCode::BAD_REQUEST, "invalid_grant");
}

#[tokio::test]
async fn v1_an_access_token_goes_alone_and_a_wrong_hint_does_not_matter() {
    let world = World::new().await;
    let client = world.register("Agent").await;
    let pair = world.tokens(&client, "").await;
    let fields = [("token", pair.access.as_str()), ("token_type_hint", "refresh_token"), ("client_id", &client)];
    assert_eq!(world.post_form("/oauth/revoke", &fields).await.status, StatusCode::OK);
    assert_eq!(world.bearer(&pair.access).await, Err("invalid_token".to_owned()));
    assert_eq!(world.refresh(&client, &pair.refresh).await.status, StatusCode::OK);
}

#[tokio::test]
async fn v1_an_unknown_token_is_as_good_as_revoked() {
    let world = World::new().await;
    let client = world.register("Agent").await;
    for token in ["esp_at_unknown", "anything"] {
        let answer = world.post_form("/oauth/revoke", &[("token", token), ("client_id", &client)]).await;
        assert_eq!(answer.status, StatusCode::OK);
    }
    let missing = world.post_form("/oauth/revoke", &[("client_id", &client)]).await;
    missing.expect_error(StatusCode::BAD_REQUEST, "invalid_request");
    assert_eq!(world.get("/oauth/revoke").await.status, StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn v1_another_clients_token_is_refused_without_effect() {
    let world = World::new().await;
    let (client, other) = (world.register("Agent").await, world.register("Other").await);
    let pair = world.tokens(&client, "").await;
    for token in [&pair.refresh, &pair.access] {
        let answer = world.post_form("/oauth/revoke", &[("token", token), ("client_id", &other)]).await;
        answer.expect_error(StatusCode::BAD_REQUEST, "unauthorized_client");
    }
    assert_eq!(world.bearer(&pair.access).await, Ok(()));
    assert_eq!(world.refresh(&client, &pair.refresh).await.status, StatusCode::OK);
}

#[tokio::test]
async fn v1_a_revocation_that_is_not_done_says_so_and_when_to_try_again() {
    let world = World::new().await;
    let client = world.register("Agent").await;
    let pair = world.tokens(&client, "").await;
    let store = world.authority.store().clone();
    let (began, begins) = tokio::sync::oneshot::channel();
    let (finish, finished) = tokio::sync::oneshot::channel::<()>();
    let hanging = tokio::spawn(async move {
        let work = store.database.write(move |_| {
            Box::pin(async move {
                began.send(()).expect("the test waits");
                finished.await.expect("the test says when");
                Ok::<_, store::StoreError>(())
            })
        });
        work.await
    });
    begins.await.unwrap();
    let fields = [("token", pair.refresh.as_str()), ("client_id", client.as_str())];
    let answer = world.post_form("/oauth/revoke", &fields).await;
    answer.expect_error(StatusCode::SERVICE_UNAVAILABLE, "temporarily_unavailable");
    assert_eq!(answer.header("retry-after"), "2");
    finish.send(()).unwrap();
    // The one who hung hears that it took too long.
    let _late = hanging.await.unwrap();
    assert_eq!(world.post_form("/oauth/revoke", &fields).await.status, StatusCode::OK);
    assert_eq!(world.bearer(&pair.access).await, Err("invalid_token".to_owned()));
}

#[tokio::test]
async fn v1_a_parameter_twice_or_a_body_that_is_no_form_is_refused() {
    let world = World::new().await;
    let client = world.register("Agent").await;
    let pair = world.tokens(&client, "").await;
    let twice = [("token", pair.refresh.as_str()), ("token", &pair.access)];
    world.post_form("/oauth/revoke", &twice).await.expect_error(StatusCode::BAD_REQUEST, "invalid_request");
    let json = world.post_json("/oauth/revoke", &json!({ "token": pair.refresh }).to_string()).await;
    json.expect_error(StatusCode::BAD_REQUEST, "invalid_request");
    let unknown = [("token", pair.refresh.as_str()), ("client_id", "cli_unknown")];
    world.post_form("/oauth/revoke", &unknown).await.expect_error(StatusCode::UNAUTHORIZED, "invalid_client");
    assert_eq!(world.bearer(&pair.access).await, Ok(()), "none of it had an effect");
}
