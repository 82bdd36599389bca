//! Google: consent and tokens, and a happy path, a refusal and paging of each product.

use base64::Engine;
use base64::prelude::{BASE64_URL_SAFE, BASE64_URL_SAFE_NO_PAD};
use reqwest::Method;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::client::{client, google, google_key, read, text, world};

const BACK: &str = "http://127.0.0.1:9/connect/callback";

#[tokio::test]
async fn consent_gives_a_code_that_is_good_once_and_only_with_its_verifier() {
    let world = world().await;
    let (url, held) = (world.google.url(), world.google.credentials());
    let verifier = "a-verifier-that-is-long-enough-for-the-rules-of-pkce";
    let challenge = BASE64_URL_SAFE_NO_PAD.encode(Sha256::digest(verifier));
    let code = || async {
        let query = [
            ("client_id", text(&held, "client_id")),
            ("redirect_uri", BACK),
            ("response_type", "code"),
            ("state", "s 1"),
            ("access_type", "offline"),
            ("scope", "https://www.googleapis.com/auth/webmasters.readonly"),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
        ];
        let page = client()
            .get(format!("{url}/o/oauth2/v2/auth"))
            .query(&query)
            .send()
            .await
            .expect("a page")
            .text()
            .await
            .expect("text");
        let link = page
            .split("id=\"allow\" href=\"")
            .nth(1)
            .and_then(|rest| rest.split('"').next())
            .expect("a link")
            .replace("&amp;", "&");
        let back = client().get(format!("{url}{link}")).send().await.expect("an answer");
        let to = reqwest::Url::parse(back.headers()["location"].to_str().expect("text")).expect("an address");
        let of = |name: &str| {
            to.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned()).expect("a parameter")
        };
        assert_eq!(of("state"), "s 1");
        of("code")
    };
    let redeem = |code: String, verifier: &'static str| {
        let form = [
            ("grant_type", "authorization_code".to_owned()),
            ("code", code),
            ("redirect_uri", BACK.to_owned()),
            ("code_verifier", verifier.to_owned()),
            ("client_id", text(&held, "client_id").to_owned()),
            ("client_secret", text(&held, "client_secret").to_owned()),
        ];
        let request = client().post(format!("{url}/token")).form(&form);
        async { read(request.send().await.expect("an answer")).await }
    };
    assert_eq!(redeem(code().await, "another").await.at("/error"), "invalid_grant");
    let good = code().await;
    let tokens = redeem(good.clone(), verifier).await;
    assert_eq!(redeem(good, verifier).await.at("/error"), "invalid_grant", "a code is good once");

    let access = tokens.at("/access_token").as_str().expect("a token").to_owned();
    let ask = |token: String, path: &str, method: Method| {
        let request = client().request(method, format!("{url}{path}")).bearer_auth(token).body("");
        async { read(request.send().await.expect("an answer")).await }
    };
    assert_eq!(ask(access.clone(), "/webmasters/v3/sites", Method::GET).await.status, 200);
    let narrow = ask(access.clone(), "/webmasters/v3/sites/http%3A%2F%2Fnew.example%2F", Method::PUT).await;
    assert_eq!(
        (narrow.status, narrow.at("/error/errors/0/reason")),
        (403, &json!("insufficientPermissions")),
        "reading was all that was granted"
    );

    let refresh = tokens.at("/refresh_token").as_str().expect("a token").to_owned();
    let revoked = client().post(format!("{url}/revoke")).form(&[("token", refresh)]).send().await.expect("an answer");
    assert_eq!(revoked.status().as_u16(), 200);
    assert_eq!(ask(access, "/webmasters/v3/sites", Method::GET).await.status, 401, "revoking ends the whole grant");
}

#[tokio::test]
async fn search_analytics_add_up_whatever_they_are_grouped_by_and_page_by_row() {
    let world = world().await;
    let door = google(&world);
    let path = "/webmasters/v3/sites/sc-domain%3Ashop.example/searchAnalytics/query";
    let ask = |extra: Value| {
        let mut body = json!({ "startDate": "2026-09-01", "endDate": "2026-09-28", "rowLimit": 25_000 });
        body.as_object_mut().expect("an object").extend(extra.as_object().expect("an object").clone());
        let door = &door;
        async move { door.post(path, &body).await }
    };
    let clicks = |said: &crate::client::Said| {
        said.at("/rows")
            .as_array()
            .expect("rows")
            .iter()
            .map(|row| row["clicks"].as_u64().expect("clicks"))
            .sum::<u64>()
    };
    let total = clicks(&ask(json!({})).await);
    assert!(total > 0);
    for dimensions in [json!(["date"]), json!(["page"]), json!(["device", "country"])] {
        assert_eq!(clicks(&ask(json!({ "dimensions": dimensions })).await), total);
    }
    let told = clicks(&ask(json!({ "dimensions": ["query"] })).await);
    assert!(total * 9 / 10 < told && told < total, "rare queries are left out: {told} of {total}");
    assert_eq!(clicks(&ask(json!({ "dimensions": ["page", "query"] })).await), told);
    let all = ask(json!({ "dimensions": ["page", "query"] })).await.at("/rows").as_array().expect("rows").clone();
    let mut paged = Vec::new();
    while paged.len() < all.len() {
        let page = ask(json!({ "dimensions": ["page", "query"], "rowLimit": 50, "startRow": paged.len() })).await;
        paged.extend(page.at("/rows").as_array().expect("rows").clone());
    }
    assert_eq!(paged, all);
    let half = |days: (&'static str, &'static str)| {
        ask(
            json!({ "startDate": days.0, "endDate": days.1, "dimensions": ["device"], "dimensionFilterGroups": [{ "filters": [{ "dimension": "page", "operator": "contains", "expression": "/guides" }, { "dimension": "device", "expression": "MOBILE" }] }] }),
        )
    };
    let (before, after) =
        (clicks(&half(("2026-08-31", "2026-09-13")).await), clicks(&half(("2026-09-14", "2026-09-27")).await));
    assert!(after * 4 < before * 3, "the planted drop: {before} before, {after} after");
    assert_eq!(ask(json!({ "rowLimit": 25_001 })).await.status, 400);
    let foreign =
        door.post("/webmasters/v3/sites/http%3A%2F%2Fstranger.example%2F/searchAnalytics/query", &json!({})).await;
    assert_eq!((foreign.status, foreign.at("/error/errors/0/reason")), (403, &json!("forbidden")));
}

#[tokio::test]
async fn an_inspection_knows_what_is_wrong_with_the_shop() {
    let world = world().await;
    let door = google(&world);
    let inspect = async |path: &str| {
        let body =
            json!({ "inspectionUrl": format!("http://shop.example{path}"), "siteUrl": "sc-domain:shop.example" });
        door.post("/v1/urlInspection/index:inspect", &body).await.at("/inspectionResult/indexStatusResult").clone()
    };
    assert_eq!(inspect("/products/lamp-5").await["indexingState"], "BLOCKED_BY_META_TAG");
    assert_eq!(inspect("/private/stock").await["robotsTxtState"], "DISALLOWED");
    let copied = inspect("/products/lamp-3").await;
    assert_ne!(copied["userCanonical"], copied["googleCanonical"]);
}

#[tokio::test]
async fn notices_of_pages_run_out_for_the_day() {
    let world = world().await;
    let door = google(&world);
    let notify = async |nth: u32| {
        door.post(
            "/v3/urlNotifications:publish",
            &json!({ "url": format!("http://shop.example/jobs/{nth}"), "type": "URL_UPDATED" }),
        )
        .await
    };
    for nth in 0..200 {
        assert_eq!(notify(nth).await.status, 200);
    }
    assert_eq!(notify(200).await.at("/error/status"), "RESOURCE_EXHAUSTED");
    let known = door.get("/v3/urlNotifications/metadata?url=http%3A%2F%2Fshop.example%2Fjobs%2F7").await;
    assert_eq!(known.at("/latestUpdate/type"), "URL_UPDATED");
    assert_eq!(door.effects("url.notified"), 200);
}

#[tokio::test]
async fn a_location_changes_only_where_the_mask_says_and_not_when_it_is_only_tried() {
    let world = world().await;
    let door = google(&world);
    let place = "/v1/locations/4503600002";
    assert_eq!(door.get(place).await.status, 400, "a read mask is needed");
    let google_says = door.get(&format!("{place}:getGoogleUpdated?readMask=phoneNumbers,title")).await;
    assert_eq!(google_says.at("/diffMask"), "phoneNumbers");
    let change = json!({ "title": "Lamps of Bristol", "websiteUri": "http://elsewhere.example/", "phoneNumbers": { "primaryPhone": "+44 117 496 0102" } });
    let tried = door.send(Method::PATCH, &format!("{place}?updateMask=title&validateOnly=true"), &change).await;
    assert_eq!(tried.at("/title"), "Lamps of Bristol");
    assert_eq!(door.get(&format!("{place}?readMask=title")).await.at("/title"), "Lamp shop Bristol");
    door.send(Method::PATCH, &format!("{place}?updateMask=title,phoneNumbers.primaryPhone"), &change).await;
    let now = door.get(&format!("{place}?readMask=title,websiteUri")).await;
    assert_eq!(
        (now.at("/title"), now.at("/websiteUri")),
        (&json!("Lamps of Bristol"), &json!("http://shop.example/locations/bristol"))
    );
    assert_eq!(
        door.get(&format!("{place}:getGoogleUpdated?readMask=title")).await.at("/diffMask"),
        "",
        "writing our own value settles it"
    );
    let refused = door.send(Method::PATCH, &format!("{place}?updateMask=title"), &json!({ "title": " " })).await;
    assert_eq!(refused.at("/error/details/0/fieldViolations/0/field"), "title");
    assert_eq!(door.effects("location.updated"), 1);
}

#[tokio::test]
async fn reviews_are_paged_and_answered_once() {
    let world = world().await;
    let door = google(&world);
    let reviews = "/v4/accounts/108800001/locations/4503600001/reviews";
    let first = door.get(reviews).await;
    assert_eq!((first.at("/reviews").as_array().map(Vec::len), first.at("/totalReviewCount")), (Some(50), &json!(64)));
    let token = first.at("/nextPageToken").as_str().expect("a token");
    let second = door.get(&format!("{reviews}?pageToken={token}")).await;
    assert_eq!((second.at("/reviews").as_array().map(Vec::len), second.at("/nextPageToken")), (Some(14), &json!(null)));
    let unanswered = second
        .at("/reviews")
        .as_array()
        .expect("reviews")
        .iter()
        .find(|it| it["reviewReply"].is_null())
        .expect("one without an answer");
    let reply = format!("/v4/{}/reply", unanswered["name"].as_str().expect("a name"));
    door.send(Method::PUT, &reply, &json!({ "comment": "Thank you." })).await;
    door.send(Method::PUT, &reply, &json!({ "comment": "Thank you!" })).await;
    assert_eq!((door.effects("reply.created"), door.effects("reply.replaced")), (1, 1));
    let posts = "/v4/accounts/108800001/locations/4503600001/localPosts";
    let made = door.post(posts, &json!({ "summary": "New shades.", "topicType": "STANDARD" })).await;
    assert_eq!(door.get(&format!("/v4/{}", made.at("/name").as_str().expect("a name"))).await.at("/state"), "LIVE");
    assert_eq!(
        door.post(posts, &json!({ "summary": "Sale", "topicType": "EVENT" })).await.status,
        400,
        "an event has a time"
    );
}

#[tokio::test]
async fn speed_is_measured_in_the_laboratory_and_in_the_field() {
    let world = world().await;
    let door = google_key(&world);
    let run = door.get("/pagespeedonline/v5/runPagespeed?url=http%3A%2F%2Fshop.example%2Fproducts&strategy=mobile&category=performance&category=seo").await;
    let score = run.at("/lighthouseResult/categories/performance/score").as_f64().expect("a score");
    assert!((0.0..=1.0).contains(&score) && run.at("/lighthouseResult/categories/seo/score").is_number());
    assert!(run.at("/loadingExperience/metrics/LARGEST_CONTENTFUL_PAINT_MS/percentile").is_u64());
    let broken = door.get("/pagespeedonline/v5/runPagespeed?url=http%3A%2F%2Fshop.example%2Ferror").await;
    assert_eq!(broken.status, 500);
    let history = door
        .post("/v1/records:queryHistoryRecord", &json!({ "origin": "http://shop.example", "formFactor": "PHONE" }))
        .await;
    let p75s = history
        .at("/record/metrics/largest_contentful_paint/percentilesTimeseries/p75s")
        .as_array()
        .expect("a series")
        .clone();
    assert_eq!((p75s.len(), history.at("/record/collectionPeriods").as_array().map(Vec::len)), (25, Some(25)));
    assert!(p75s[24].as_u64() > p75s[0].as_u64(), "the planted slowness");
    assert_eq!(
        door.post("/v1/records:queryRecord", &json!({ "url": "http://shop.example/contact" })).await.status,
        404
    );
}

#[tokio::test]
async fn analytics_know_visits_from_assistants_and_page_by_offset() {
    let world = world().await;
    let door = google(&world);
    let report = "/v1beta/properties/310000001:runReport";
    let body = |limit: u64, offset: u64| {
        json!({ "dateRanges": [{ "startDate": "28daysAgo", "endDate": "yesterday" }], "dimensions": [{ "name": "sessionSource" }, { "name": "landingPage" }], "metrics": [{ "name": "sessions" }], "limit": limit.to_string(), "offset": offset.to_string(),
        "dimensionFilter": { "filter": { "fieldName": "sessionSource", "stringFilter": { "matchType": "FULL_REGEXP", "value": "chatgpt\\.com|perplexity\\.ai" } } } })
    };
    let all = door.post(report, &body(1_000, 0)).await;
    let rows = all.at("/rows").as_array().expect("rows").clone();
    assert_eq!(all.at("/rowCount").as_u64(), Some(rows.len() as u64));
    let mut paged = door.post(report, &body(5, 0)).await.at("/rows").as_array().expect("rows").clone();
    paged.extend(door.post(report, &body(1_000, 5)).await.at("/rows").as_array().expect("rows").clone());
    assert_eq!(paged, rows);
    assert_eq!(door.post("/v1beta/properties/1:runReport", &body(1, 0)).await.status, 403);
}

#[tokio::test]
async fn what_is_sent_through_gmail_is_answered_in_its_thread() {
    let world = world().await;
    let door = google(&world);
    let raw = "From: hello@shop.example\r\nTo: Reply Guy <reply@press.example>\r\nSubject: A lamp\r\nMessage-ID: <one@shop.example>\r\n\r\nHello.";
    let sent = door.post("/gmail/v1/users/me/messages/send", &json!({ "raw": BASE64_URL_SAFE.encode(raw) })).await;
    let thread =
        door.get(&format!("/gmail/v1/users/me/threads/{}", sent.at("/threadId").as_str().expect("a thread"))).await;
    assert_eq!(thread.at("/messages").as_array().map(Vec::len), Some(2));
    let found = door.get("/gmail/v1/users/me/messages?q=from:reply@press.example").await;
    let id = found.at("/messages/0/id").as_str().expect("an id").to_owned();
    let answer = door.get(&format!("/gmail/v1/users/me/messages/{id}?format=raw")).await;
    let decoded = BASE64_URL_SAFE.decode(answer.at("/raw").as_str().expect("text")).expect("base64");
    assert!(String::from_utf8(decoded).expect("UTF-8").contains("In-Reply-To: <one@shop.example>"));
    let page = door.get("/gmail/v1/users/me/messages?maxResults=2").await;
    let rest = door
        .get(&format!(
            "/gmail/v1/users/me/messages?maxResults=100&pageToken={}",
            page.at("/nextPageToken").as_str().expect("a token")
        ))
        .await;
    assert_eq!(rest.at("/messages").as_array().map(Vec::len), Some(3));
}

#[tokio::test]
async fn a_service_account_gets_a_token_for_an_assertion_that_its_key_signed_and_for_no_other() {
    let world = world().await;
    let held = world.google.credentials();
    let file: Value = serde_json::from_str(text(&held, "service_account")).expect("a key file");
    let pem = file["private_key"].as_str().expect("a key");
    let der: String = pem.lines().filter(|line| !line.starts_with('-')).collect();
    let der = base64::prelude::BASE64_STANDARD.decode(der).expect("base64");
    let keys = aws_lc_rs::signature::RsaKeyPair::from_pkcs8(&der).expect("an RSA key");
    let now = jiff::Timestamp::now().as_second();
    let assertion = |scope: &str, life: i64| {
        let claims = json!({ "iss": file["client_email"], "aud": file["token_uri"], "scope": scope, "iat": now, "exp": now + life });
        let part = |value: Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
        let signed = format!("{}.{}", part(json!({ "alg": "RS256", "typ": "JWT" })), part(claims));
        let mut signature = vec![0; keys.public_modulus_len()];
        let random = aws_lc_rs::rand::SystemRandom::new();
        keys.sign(&aws_lc_rs::signature::RSA_PKCS1_SHA256, &random, signed.as_bytes(), &mut signature).expect("signed");
        format!("{signed}.{}", BASE64_URL_SAFE_NO_PAD.encode(signature))
    };
    let redeem = async |assertion: String| {
        let form = [("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer".to_owned()), ("assertion", assertion)];
        read(client().post(format!("{}/token", world.google.url())).form(&form).send().await.expect("an answer")).await
    };
    let scope = "https://www.googleapis.com/auth/indexing";
    let token = redeem(assertion(scope, 3_600)).await.at("/access_token").as_str().expect("a token").to_owned();
    let notice = json!({ "url": "http://shop.example/jobs/1", "type": "URL_UPDATED" });
    let publish =
        client().post(format!("{}/v3/urlNotifications:publish", world.google.url())).bearer_auth(&token).json(&notice);
    assert_eq!(read(publish.send().await.expect("an answer")).await.status, 200);
    let other = client().get(format!("{}/webmasters/v3/sites", world.google.url())).bearer_auth(&token);
    assert_eq!(read(other.send().await.expect("an answer")).await.status, 403, "only what was asked for");
    let mut forged = assertion(scope, 3_600);
    forged.replace_range(forged.len() - 8.., "AAAAAAAA");
    assert_eq!(redeem(forged).await.at("/error_description"), "Invalid JWT Signature.");
    assert_eq!(redeem(assertion(scope, 7_200)).await.at("/error"), "invalid_grant");
}
