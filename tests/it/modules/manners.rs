//! Politeness as a site sees it: who asks, what for, in which order, and what is not asked for at all.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, Response, Uri};
use serde_json::{Value, json};
use tests::customer::Customer;
use tests::host::Host;
use tokio::net::TcpListener;

/// A site that says what it is told to, and remembers who asked for what.
#[derive(Clone)]
struct Site {
    address: SocketAddr,
    answers: Arc<Mutex<BTreeMap<String, Answer>>>,
    asked: Arc<Mutex<Vec<(String, HeaderMap)>>>,
}

type Answer = (u16, Vec<(&'static str, String)>, Vec<u8>);

impl Site {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let site = Self { address, answers: Arc::default(), asked: Arc::default() };
        let served = site.clone();
        let router = Router::new().fallback(move |uri: Uri, headers: HeaderMap| {
            let served = served.clone();
            async move { served.answer(uri.path(), headers) }
        });
        tokio::spawn(async move { axum::serve(listener, router).await });
        site
    }

    fn answer(&self, path: &str, headers: HeaderMap) -> Response<Body> {
        let missing = || (404, Vec::new(), Vec::new());
        let known = self.answers.lock().expect("no panic").get(path).cloned().unwrap_or_else(missing);
        let tagged = known.1.iter().find(|(name, _)| *name == "etag").map(|(_, value)| value.clone());
        let unchanged = tagged.is_some_and(|tag| headers.get("if-none-match").is_some_and(|it| it == tag.as_str()));
        self.asked.lock().expect("no panic").push((path.to_owned(), headers));
        let (status, said, body) = known;
        let mut response = Response::builder().status(if unchanged { 304 } else { status });
        for (name, value) in said {
            response = response.header(name, value);
        }
        response.body(Body::from(if unchanged { Vec::new() } else { body })).expect("a response")
    }

    fn serve(&self, path: &str, status: u16, headers: &[(&'static str, &str)], body: &[u8]) {
        let headers = headers.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        self.answers.lock().expect("no panic").insert(path.to_owned(), (status, headers, body.to_vec()));
    }

    fn page(&self, path: &str, title: &str) {
        let html = format!("<!doctype html><html lang=en><title>{title}</title><h1>{title}</h1><p>Some text.</p>");
        self.serve(path, 200, &[("content-type", "text/html; charset=utf-8"), ("etag", "\"one\"")], html.as_bytes());
    }

    fn rules(&self, text: &str) {
        self.serve("/robots.txt", 200, &[("content-type", "text/plain")], text.as_bytes());
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("no panic").iter().map(|(path, _)| path.clone()).collect()
    }

    fn count(&self, path: &str) -> usize {
        self.asked().iter().filter(|it| *it == path).count()
    }
}

async fn reader(host: &Host) -> Customer {
    let ada = host.customer("seo:analyze seo:audit websites:read assets:read assets:write seo:execute").await;
    host.buy_points(&ada, 10).await;
    ada
}

/// A page by the operation that reads its headings.
fn headings(path: &str) -> Value {
    json!({ "url": format!("http://polite.example{path}") })
}

#[tokio::test(flavor = "multi_thread")]
async fn a_forbidden_page_is_refused_and_never_asked_for_and_every_request_says_who_asks() {
    let site = Site::start().await;
    site.rules("User-agent: EspalierBot\nDisallow: /closed\n");
    site.page("/open", "Open");
    site.page("/closed", "Closed");
    let host = Host::start_with(|options| options.map("polite.example", site.address)).await;
    let ada = reader(&host).await;
    let refused = ada.read("onpage.heading.outline", headings("/closed")).await;
    assert_eq!(refused.refusal(), (409, "robots_disallowed".to_owned()));
    assert_eq!(refused.pointer(), "/url");
    ada.read("onpage.heading.outline", headings("/open")).await.data();
    assert_eq!(site.asked(), ["/robots.txt", "/open"]);
    let agents = site.asked.lock().expect("no panic").clone();
    for (path, headers) in agents {
        let agent = headers["user-agent"].to_str().expect("text");
        assert!(agent.starts_with("EspalierBot/") && agent.ends_with("/bot)"), "{path}: {agent}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_nodes_ask_for_the_rules_once_and_keep_pages_for_one_customer_alone() {
    let site = Site::start().await;
    site.rules("User-agent: *\nDisallow:\n");
    site.page("/", "Home");
    let here = Host::start_with(|options| options.map("polite.example", site.address)).await;
    let there = Host::start_with(|options| {
        options.map("polite.example", site.address);
        options.beside(&here);
    })
    .await;
    let (ada, bob) = (reader(&here).await, reader(&here).await);
    ada.read("onpage.heading.outline", headings("/")).await.data();
    let again = there.bearer(&ada, &ada.token);
    let first = again.read("onpage.heading.outline", headings("/")).await.data();
    assert_eq!(first["page"]["status"], 200, "{first}");
    bob.read("onpage.heading.outline", headings("/")).await.data();
    assert_eq!(site.count("/robots.txt"), 1);
    let asked = site.asked.lock().expect("no panic").clone();
    let validated: Vec<bool> = asked
        .iter()
        .filter(|(path, _)| path == "/")
        .map(|(_, headers)| headers.contains_key("if-none-match"))
        .collect();
    assert_eq!(validated, [false, true, false], "Ada's second request knows the first; Bob's knows nothing of hers");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_asks_for_a_pause_is_left_alone_and_the_answer_says_for_how_long() {
    let site = Site::start().await;
    site.serve("/", 429, &[("retry-after", "90")], b"");
    let host = Host::start_with(|options| options.map("polite.example", site.address)).await;
    let (ada, bob) = (reader(&host).await, reader(&host).await);
    assert_eq!(ada.read("onpage.heading.outline", headings("/")).await.refusal().1, "page_not_ok");
    let asked = site.asked().len();
    for customer in [&ada, &bob] {
        let refused = customer.read("onpage.heading.outline", headings("/other")).await;
        assert_eq!(refused.refusal(), (503, "host_paced".to_owned()));
        let seconds: u64 = refused.headers["retry-after"].to_str().expect("text").parse().expect("seconds");
        assert!((1..=90).contains(&seconds), "{seconds}");
    }
    assert_eq!(site.asked().len(), asked, "nobody asked it again");
    host.verify_ledger().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_read_in_the_encoding_it_is_written_in() {
    let site = Site::start().await;
    // 日本語 in Shift_JIS, which only the page itself declares; a description that talks of charsets comes before it.
    let head =
        b"<!doctype html><meta name=description content='charset=koi8-r'><meta charset=shift_jis><title>".to_vec();
    let page = [&head[..], b"\x93\xFA\x96{\x8C\xEA</title><h1>\x93\xFA\x96{\x8C\xEA</h1>"].concat();
    site.serve("/sjis", 200, &[("content-type", "text/html")], &page);
    let wide: Vec<u8> =
        "\u{feff}<title>日本語</title><h1>日本語</h1>".encode_utf16().flat_map(u16::to_be_bytes).collect();
    site.serve("/wide", 200, &[("content-type", "text/html; charset=utf-8")], &wide);
    let host = Host::start_with(|options| options.map("polite.example", site.address)).await;
    let ada = reader(&host).await;
    for path in ["/sjis", "/wide"] {
        let read = ada.read("onpage.heading.outline", headings(path)).await.data();
        assert!(read.to_string().contains("日本語"), "{path}: {read}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crawl_waits_for_a_host_that_asks_for_a_pause_and_then_goes_on() {
    let site = Site::start().await;
    site.rules("User-agent: *\nDisallow: /closed\n");
    let links = "<!doctype html><html lang=en><title>Home</title><a href=/a>a</a><a href=/closed>b</a>";
    site.serve("/", 200, &[("content-type", "text/html")], links.as_bytes());
    site.page("/a", "A");
    site.page("/closed", "Closed");
    // Any picture of the start page would do: the first thing the crawl asks for after the rules wants a short pause.
    site.serve("/sitemap.xml", 503, &[("retry-after", "1")], b"");
    let host = Host::start_with(|options| options.map("polite.example", site.address)).await;
    let ada = reader(&host).await;
    let made = ada.run("websites.create", json!({ "domain": "polite.example" })).await.data();
    let arguments = json!({ "site_id": made["site_id"], "rate_rps": 10, "check_external": false });
    let started = ada.run("crawl.run.start", arguments).await.data();
    let run = json!({ "run_ref": started["run_ref"] });
    let ended = ada.wait_for("crawl.run.get", run, 180).await;
    assert_eq!(ended["state"], "succeeded", "{ended}");
    let page = |path: &str| json!({ "run_ref": started["run_ref"], "url": format!("http://polite.example{path}") });
    assert_eq!(ada.read("crawl.page.get", page("/a")).await.data()["page"]["status"], 200);
    let closed = ada.read("crawl.page.get", page("/closed")).await.data();
    assert_eq!(closed["page"]["status"], 0, "{closed}");
    assert_eq!(site.count("/closed"), 0);
}
