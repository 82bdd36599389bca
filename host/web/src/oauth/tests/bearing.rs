//! V4 and V5, and the tokens made by hand. V2 and V3 are beside the header's rules.

use model::token::Secret;
use service::oauth::by_hand::NotIssued;

use super::*;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

#[tokio::test]
async fn v4_a_token_for_another_audience_is_refused() {
    let world = World::new().await;
    let client = world.register("Agent").await;
    let pair = world.tokens(&client, "").await;
    let (clock, entropy): (Arc<dyn Clock>, Arc<dyn Entropy>) =
        (world.clock.clone(), Arc::new(SeededEntropy::new([4; 32])));
    let elsewhere = Authority::new(world.authority.store().clone(), clock, entropy, config("https://other.example"));
    let refusal = elsewhere.bearer(&Secret::received(&*pair.access)).await.unwrap_err();
    assert_eq!(refusal.code, "invalid_token");
}

#[tokio::test]
async fn v4_a_closed_account_gets_access_inactive_and_comes_back_for_nothing() {
    let world = World::new().await;
    let client = world.register("Agent").await;
    let pair = world.tokens(&client, "").await;
    assert_eq!(world.bearer(&pair.access).await, Ok(()));
    world.authority.deactivate(&world.customer).await.unwrap();
    assert_eq!(world.bearer(&pair.access).await, Err("access_inactive".to_owned()));
    let answer = Browser::new(&world).sign_in_with(EMAIL, PASSWORD, "/").await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
    world.authority.activate(&world.customer).await.unwrap();
    assert_eq!(world.bearer(&pair.access).await, Ok(()));
    assert_eq!(world.authority.balance(&world.customer).await.unwrap().credits_milli, 900_000);
}

#[tokio::test]
async fn v5_a_revocation_is_effective_on_the_next_request() {
    let world = World::new().await;
    let client = world.register("Agent").await;
    for _ in 0..3 {
        let pair = world.tokens(&client, "").await;
        assert_eq!(world.bearer(&pair.access).await, Ok(()));
        let grant = world.authority.bearer(&Secret::received(&*pair.access)).await.unwrap().id;
        assert!(world.authority.disconnect(&world.customer, &grant).await.unwrap());
        assert_eq!(world.bearer(&pair.access).await, Err("invalid_token".to_owned()));
        assert!(!world.authority.disconnect(&world.customer, &grant).await.unwrap());
    }
}

#[tokio::test]
async fn v5_what_one_node_revokes_another_refuses_at_the_next_request() {
    let world = World::new().await;
    let client = world.register("Agent").await;
    let node = world.node();
    for _ in 0..3 {
        let pair = world.tokens(&client, "").await;
        let token = Secret::received(&*pair.access);
        assert!(node.bearer(&token).await.is_ok());
        world.post_form("/oauth/revoke", &[("token", &pair.refresh), ("client_id", &client)]).await;
        assert_eq!(node.bearer(&token).await.unwrap_err().code, "invalid_token");
    }
    let pair = world.tokens(&client, "").await;
    let token = Secret::received(&*pair.access);
    assert!(node.bearer(&token).await.is_ok());
    world.authority.deactivate(&world.customer).await.unwrap();
    assert_eq!(node.bearer(&token).await.unwrap_err().code, "access_inactive");
}

#[tokio::test]
async fn v5_requests_that_are_looked_up_together_each_get_their_own_answer() {
    let world = World::new().await;
    let client = world.register("Agent").await;
    let (first, second) = (world.tokens(&client, "account:read").await, world.tokens(&client, "assets:read").await);
    let tokens = [&*first.access, &second.access, "esp_at_unknown", &first.refresh];
    let scopes = [Some("account:read"), Some("assets:read"), None, None];
    let mut asked = tokio::task::JoinSet::new();
    for n in 0..400 {
        let (authority, token) = (world.authority.clone(), Secret::received(tokens[n % 4]));
        asked.spawn(async move { (n, authority.bearer(&token).await.ok().map(|grant| grant.scopes.to_string())) });
    }
    for (n, found) in asked.join_all().await {
        assert_eq!(found.as_deref(), scopes[n % 4]);
    }
}

#[tokio::test]
async fn a_token_made_by_hand_activates_works_expires_and_is_revoked() {
    let world = World::new().await;
    let scopes = || "account:read assets:write".parse().unwrap();
    let made = world.authority.issue_token(&world.customer, scopes(), "Nightly", DAY).await.unwrap();
    assert_eq!(world.authority.balance(&world.customer).await.unwrap().credits_milli, 900_000);
    let grant = world.authority.bearer(&made.secret).await.unwrap();
    assert_eq!((grant.id, grant.client, grant.customer), (made.grant, None, world.customer.clone()));
    assert_eq!(grant.scopes, scopes());
    let second = world.authority.issue_token(&world.customer, scopes(), "Second", DAY).await.unwrap();
    assert_eq!(world.authority.balance(&world.customer).await.unwrap().credits_milli, 900_000);
    world.authority.disconnect(&world.customer, &second.grant).await.unwrap();
    assert_eq!(world.bearer(second.secret.reveal()).await, Err("invalid_token".to_owned()));
    world.wait(24 * 60 * 60);
    assert_eq!(world.bearer(made.secret.reveal()).await, Err("invalid_token".to_owned()));
}

#[tokio::test]
async fn a_token_that_cannot_be_made_says_why() {
    let world = World::with(99).await;
    let one = || "account:read".parse().unwrap();
    let issue = |scopes, name, life| world.authority.issue_token(&world.customer, scopes, name, life);
    assert!(matches!(issue(Default::default(), "x", DAY).await, Err(NotIssued::NoScope)));
    assert!(matches!(issue(one(), " ", DAY).await, Err(NotIssued::Name)));
    assert!(matches!(issue(one(), "x", Duration::ZERO).await, Err(NotIssued::Lifetime)));
    assert!(matches!(issue(one(), "x", DAY * 367).await, Err(NotIssued::Lifetime)));
    let short = issue(one(), "x", DAY).await.unwrap_err();
    assert_eq!(short.to_string(), "activation costs 100 credits and the account has 99; add 1 credits");
    let nobody = world.authority.issue_token(&CustomerId::from("cus_nobody"), one(), "x", DAY).await;
    assert!(matches!(nobody, Err(NotIssued::NoCustomer)));
    assert!(world.authority.connections(&world.customer).await.unwrap().is_empty());
}

#[tokio::test]
async fn an_erased_customer_leaves_no_name_and_no_access() {
    let world = World::new().await;
    let client = world.register("Agent").await;
    let pair = world.tokens(&client, "").await;
    world.authority.erase(&world.customer).await.unwrap();
    assert_eq!(world.bearer(&pair.access).await, Err("invalid_token".to_owned()));
    let customer = world.authority.customers().await.unwrap().remove(0);
    assert_eq!(customer.email, "");
    let again = world.authority.add_customer(EMAIL, None, 0).await.unwrap();
    assert_ne!(again.id, world.customer);
    assert!(
        world.authority.add_customer(" Ada@Example.com", None, 0).await.is_err(),
        "an e-mail belongs to one customer"
    );
}
