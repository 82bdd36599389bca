//! Tracked redirects and shares, as strangers meet them: over HTTP, without a token.

use std::time::Duration;

use model::edges::Edges;
use reqwest::redirect::Policy;
use reqwest::{Method, Response, StatusCode};
use sandbox::passcode::Passcode;
use sqlx::{Any, Row as _};
use store::edges::links::LinkState;
use store::{HitPage, Redirect};
use tests::customer::Customer;
use tests::edges::HOUR;
use tests::host::Host;

const FIREFOX: &str = "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0";
const IPHONE: &str = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1";

async fn link(host: &Host, ada: &Customer, redirect: Redirect) -> String {
    let mut workspace = host.workspace(ada);
    let link = workspace.create_link(redirect).await.expect("a link");
    host.commit(ada, workspace).await;
    link.code
}

fn to(target: &str) -> Redirect {
    let (target, context) = (target.to_owned(), "person:7".to_owned());
    Redirect { target, context, code: None, keeps_query: false, expires: None }
}

async fn ask(host: &Host, method: Method, path: &str, headers: &[(&str, &str)]) -> Response {
    let client = reqwest::Client::builder().redirect(Policy::none()).build().expect("a client");
    let mut request = client.request(method, format!("{}{path}", host.rest.trim_end_matches("/v1")));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.send().await.expect("an answer")
}

/// As a person's browser asks.
async fn visit(host: &Host, code: &str, agent: &str) -> Response {
    let browser = [("user-agent", agent), ("accept", "text/html"), ("accept-language", "de")];
    ask(host, Method::GET, &format!("/l/{code}"), &browser).await
}

async fn hits(host: &Host, ada: &Customer, code: &str) -> HitPage {
    host.service.edges.flush_visits().await;
    host.clock.advance(Duration::from_secs(6));
    host.workspace(ada).link_hits(code, None, 100).await.expect("readable")
}

fn header<'a>(response: &'a Response, name: &str) -> &'a str {
    response.headers().get(name).unwrap_or_else(|| panic!("no {name}")).to_str().expect("text")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_visitor_is_sent_on_and_nothing_on_the_way_keeps_it_or_tells_where_they_were() {
    let host = Host::start().await;
    let ada = host.customer("assets:write").await;
    let code = link(&host, &ada, to("https://shop.example/sale?utm_source=x")).await;
    for query in ["", "?next=https://evil.example", "?url=//evil.example&to=javascript:alert(1)"] {
        let answer = ask(&host, Method::GET, &format!("/l/{code}{query}"), &[]).await;
        assert_eq!(answer.status(), StatusCode::FOUND);
        assert_eq!(header(&answer, "location"), "https://shop.example/sale?utm_source=x");
        assert_eq!(header(&answer, "cache-control"), "no-store");
        assert_eq!(header(&answer, "referrer-policy"), "no-referrer");
        assert!(!answer.headers().contains_key("set-cookie"));
    }
    let keeps = link(&host, &ada, Redirect { keeps_query: true, ..to("https://shop.example/sale") }).await;
    let answer = ask(&host, Method::GET, &format!("/l/{keeps}?gclid=1"), &[]).await;
    assert_eq!(header(&answer, "location"), "https://shop.example/sale?gclid=1");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_that_is_paused_or_over_is_the_same_page_as_one_that_never_was() {
    let host = Host::start().await;
    let ada = host.customer("assets:write").await;
    let (paused, over) = (link(&host, &ada, to("https://shop.example/")).await, {
        let end = host.service.core.clock().now().plus(HOUR);
        link(&host, &ada, Redirect { expires: Some(end), ..to("https://shop.example/") }).await
    });
    let mut workspace = host.workspace(&ada);
    workspace.set_link(&paused, LinkState::Paused).await.expect("paused");
    host.commit(&ada, workspace).await;
    host.clock.advance(HOUR);
    let mut pages = Vec::new();
    for code in [paused.as_str(), over.as_str(), "neverwas99"] {
        let answer = visit(&host, code, FIREFOX).await;
        assert_eq!(answer.status(), StatusCode::NOT_FOUND);
        pages.push(answer.text().await.expect("a page"));
    }
    assert!(pages[0] == pages[1] && pages[1] == pages[2]);
    assert!(hits(&host, &ada, &paused).await.hits.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn people_are_told_from_programs_and_nobody_is_written_down() {
    let host = Host::start().await;
    let ada = host.customer("assets:write").await;
    let code = link(&host, &ada, to("https://shop.example/")).await;
    let path = format!("/l/{code}");
    visit(&host, &code, FIREFOX).await;
    visit(&host, &code, FIREFOX).await;
    let from = [
        ("user-agent", IPHONE),
        ("accept", "text/html"),
        ("accept-language", "de"),
        ("referer", "https://News.Example/story?reader=ada%40example.com"),
    ];
    ask(&host, Method::GET, &path, &from).await;
    assert_eq!(ask(&host, Method::HEAD, &path, &[("user-agent", FIREFOX)]).await.status(), StatusCode::FOUND);
    ask(&host, Method::GET, &path, &[("user-agent", FIREFOX), ("sec-purpose", "prefetch;prerender")]).await;
    ask(&host, Method::GET, &path, &[("user-agent", "curl/8.14.1")]).await;
    let hits = hits(&host, &ada, &code).await.hits;
    assert_eq!(hits.len(), 6);
    assert_eq!(hits[0].visitor, hits[1].visitor);
    assert_ne!(hits[0].visitor, hits[2].visitor, "another browser is another visitor");
    assert_eq!((hits[2].device.as_str(), hits[2].referrer.as_deref()), ("mobile", Some("news.example")));
    assert!(hits[3].signs.head && hits[4].signs.prefetch && hits[5].signs.agent && hits[5].signs.bare);
    assert!(!hits[0].signs.bare && !hits[0].signs.agent);
    let day = host.service.core.clock().now().0.div_euclid(86_400_000);
    let days = host.workspace(&ada).link_days(&code, day, day).await.expect("readable");
    let counted: Vec<_> = days.iter().map(|day| (day.visits, day.probes, day.prefetches, day.agents)).collect();
    assert_eq!(counted, [(3, 1, 1, 1)]);
    // Tomorrow the same browser is somebody else, and today's names cannot be made again.
    let tomorrow = host.service.core.clock().now().next_day();
    host.clock.advance(tomorrow.since(host.service.core.clock().now()));
    visit(&host, &code, FIREFOX).await;
    let later = self::hits(&host, &ada, &code).await.hits;
    assert!(later[6..].iter().all(|hit| hit.visitor != hits[0].visitor));
    let all = sqlx::query::<Any>("SELECT visitor || device || COALESCE(referrer, '') FROM link_hit");
    for row in host.service.core.store().database.reader().fetch_all(all).await.expect("rows") {
        let text: String = row.try_get(0).expect("text");
        assert!(!text.contains("127.0.0.1") && !text.contains("Firefox") && !text.contains("reader"), "{text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shared_page_is_shown_as_paper_and_a_file_is_handed_over() {
    let host = Host::start().await;
    let ada = host.customer("assets:write").await;
    let mut workspace = host.workspace(&ada);
    let page = b"<h1>Report</h1><script>alert(1)</script>".to_vec();
    workspace.blob_write("page", page.clone()).await.expect("written");
    let (page_share, page_secret) = workspace.publish("page", "text/html", None, HOUR, false).await.expect("shared");
    workspace.blob_write("picture", b"<svg xmlns='http://www.w3.org/2000/svg'/>".to_vec()).await.expect("written");
    let named = Some("chart.svg".to_owned());
    let (_, svg_secret) = workspace.publish("picture", "image/svg+xml", named, HOUR, false).await.expect("shared");
    host.commit(&ada, workspace).await;
    let at = |secret: &model::token::Secret| {
        let edges = Edges { public_url: "".into(), uploads: model::edges::UploadLimits::default() };
        edges.share(secret.reveal())
    };
    let answer = ask(&host, Method::GET, &at(&page_secret), &[]).await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(header(&answer, "content-type"), "text/html; charset=utf-8");
    assert_eq!(header(&answer, "cache-control"), "private, no-store");
    assert_eq!(header(&answer, "x-robots-tag"), "noindex, nofollow, noarchive");
    assert_eq!(header(&answer, "x-content-type-options"), "nosniff");
    assert_eq!(header(&answer, "referrer-policy"), "no-referrer");
    let policy = header(&answer, "content-security-policy").to_owned();
    assert!(policy.starts_with("sandbox; default-src 'none'") && !policy.contains("allow-"), "{policy}");
    assert!(!policy.contains("script-src") && !answer.headers().contains_key("set-cookie"));
    assert!(answer.bytes().await.expect("bytes") == page);
    let answer = ask(&host, Method::GET, &at(&svg_secret), &[]).await;
    assert_eq!(header(&answer, "content-disposition"), "attachment; filename=\"chart.svg\"");
    // Looking ahead is no view.
    let head = ask(&host, Method::HEAD, &at(&page_secret), &[]).await;
    assert_eq!((head.status(), header(&head, "content-length")), (StatusCode::OK, page.len().to_string().as_str()));
    host.service.edges.flush_visits().await;
    let mut workspace = host.workspace(&ada);
    let seen = workspace.share(page_share.reference.as_str()).await.expect("readable").expect("a share");
    assert_eq!(seen.views, 1);
    workspace.end_share(page_share.reference.as_str()).await.expect("ended");
    host.commit(&ada, workspace).await;
    assert_eq!(ask(&host, Method::GET, &at(&page_secret), &[]).await.status(), StatusCode::NOT_FOUND);
    host.clock.advance(HOUR);
    assert_eq!(ask(&host, Method::GET, &at(&svg_secret), &[]).await.status(), StatusCode::NOT_FOUND);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_passcode_opens_a_share_on_every_host_and_is_tried_five_times_on_all_of_them_together() {
    let host = Host::start().await;
    let peer = Host::start_with(|options| options.beside(&host)).await;
    let ada = host.customer("assets:write").await;
    let mut workspace = host.workspace(&ada);
    workspace.blob_write("plan", b"the plan".to_vec()).await.expect("written");
    let hash = Passcode::of("open sesame").expect("a passcode").hashed([9; 16]).await;
    let named = Some("plan.md".to_owned());
    let sharing = workspace.publish_guarded("plan", "text/markdown", named, HOUR, false, Some(hash));
    let (share, secret) = sharing.await.expect("shared");
    host.commit(&ada, workspace).await;
    let path = format!("/r/{}", secret.reveal());
    let client = reqwest::Client::builder().redirect(Policy::none()).build().expect("a client");
    let enter = async |host: &Host, passcode: &str| {
        let address = format!("{}{path}", host.rest.trim_end_matches("/v1"));
        client.post(address).form(&[("passcode", passcode)]).send().await.expect("an answer")
    };
    let question = ask(&peer, Method::GET, &path, &[]).await;
    assert_eq!((question.status(), header(&question, "cache-control")), (StatusCode::OK, "no-store"));
    assert!(!question.text().await.expect("a page").contains("plan"));
    for host in [&host, &peer] {
        let answer = enter(host, "open sesame").await;
        assert_eq!((answer.status(), header(&answer, "cache-control")), (StatusCode::OK, "private, no-store"));
        assert_eq!(header(&answer, "content-disposition"), "attachment; filename=\"plan.md\"");
        assert_eq!(answer.text().await.expect("text"), "the plan");
    }
    for host in [&host, &peer, &host, &peer, &host] {
        assert_eq!(enter(host, "open barley").await.status(), StatusCode::FORBIDDEN);
    }
    for host in [&host, &peer] {
        let answer = enter(host, "open sesame").await;
        assert_eq!(answer.status(), StatusCode::TOO_MANY_REQUESTS);
        assert!(header(&answer, "retry-after").parse::<u64>().expect("seconds") <= 61);
    }
    host.service.edges.flush_visits().await;
    peer.service.edges.flush_visits().await;
    let seen = host.workspace(&ada).share(share.reference.as_str()).await.expect("readable").expect("a share");
    assert_eq!(seen.views, 2);
}
