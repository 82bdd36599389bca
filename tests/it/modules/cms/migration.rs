//! A website of 300 pages moves: its map is built from two crawls, three real servers read its rules, and the redirects are
//! followed live.

use std::collections::{BTreeMap, HashMap};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::{Duration, Instant};

use axum::Router;
use axum::http::{StatusCode, Uri, header};
use axum::response::{Html, IntoResponse as _, Response};
use serde_json::{Value, json};
use tests::customer::Customer;
use tests::host::Host;
use tests::needs;

use super::SCOPES;

const OLD: &str = "http://lamps.example";
const NEW: &str = "http://lights.example";
const KINDS: [&str; 10] = ["brass", "oak", "linen", "marble", "walnut", "wool", "copper", "glass", "bamboo", "steel"];
const THINGS: [&str; 10] = ["lamp", "table", "chair", "shelf", "mirror", "rug", "vase", "clock", "sofa", "desk"];
const STYLES: [&str; 7] = ["nordic", "vintage", "rustic", "minimal", "retro", "tall", "round"];

/// A page: its path with the query, its title, its text.
type Page = (String, String, String);

/// A running server, ended with the test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = Command::new("kill").args(["-TERM", &self.0.id().to_string()]).status();
        let _ = self.0.wait();
    }
}

fn text(number: usize, edited: bool) -> String {
    let word = |at: usize| {
        let place = if edited && at.is_multiple_of(23) { at * 31 + 7 } else { at };
        format!("{}{}", THINGS[(place * 7 + number * 3) % 10], (place * place + number * 131 + place * number) % 211)
    };
    (0..90).map(word).collect::<Vec<_>>().join(" ")
}

/// The old pages, each with the one that takes its place; some products have none, so their folder is no pattern.
fn moves() -> Vec<(Page, Option<Page>)> {
    let mut all = Vec::new();
    for number in 0..300 {
        let (kind, thing) = (KINDS[number % 10], THINGS[number / 10 % 10]);
        let style = STYLES[(number / 100 + number) % 7];
        let slug = format!("{kind}-{thing}-{style}");
        let title = format!("{kind} {thing} {style}");
        let (from, to) = match number {
            0..200 => (format!("/shop/{thing}/{slug}-{number}.html"), format!("/c/{style}/{slug}")),
            200..260 => (
                format!("/20{}/{:02}/{:02}/on-{slug}/", 10 + number % 9, 1 + number % 12, 1 + number % 28),
                format!("/journal/on-{slug}"),
            ),
            260..280 => (format!("/page.php?id={}", 7_000 + number), format!("/info/{slug}")),
            _ => (format!("/f%C3%BCr-alle/{slug}.htm"), format!("/f%C3%BCr/{slug}/")),
        };
        let new = (number >= 200 || number % 29 != 7).then(|| (to, format!("{title} | Lights"), text(number, true)));
        all.push(((from, format!("{title} | Lamps"), text(number, false)), new));
    }
    all
}

/// Serves pages. At a port that is not 0, redirects are those that the server there answers.
async fn serve(pages: Vec<Page>, moved: Arc<AtomicU16>) -> SocketAddr {
    let links: String = pages.iter().map(|(path, title, _)| format!("<a href=\"{path}\">{title}</a> ")).collect();
    let mut all: HashMap<String, String> = HashMap::new();
    for (path, title, text) in pages {
        let html = format!(
            "<html lang=\"en\"><head><title>{title}</title></head><body><main><h1>{title}</h1><p>{text}</p></main><a href=\"/\">home</a></body></html>"
        );
        all.insert(path, html);
    }
    all.insert("/".to_owned(), format!("<html lang=\"en\"><head><title>Home of lamps</title></head><body><h1>Home of lamps</h1>{links}</body></html>"));
    let all = Arc::new(all);
    let router = Router::new().fallback(move |uri: Uri| {
        let (all, moved) = (all.clone(), moved.clone());
        async move {
            let path = uri.path_and_query().map_or("/", |it| it.as_str()).to_owned();
            match moved.load(Ordering::Relaxed) {
                0 => page(&all, &path),
                port => through(port, &path).await,
            }
        }
    });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

fn page(all: &HashMap<String, String>, path: &str) -> Response {
    match all.get(path) {
        Some(html) => Html(html.clone()).into_response(),
        None => (StatusCode::NOT_FOUND, Html("<title>Not found</title>")).into_response(),
    }
}

/// What a server on loopback answers: the status and where it sends.
async fn asked(port: u16, path: &str) -> (u16, Option<String>) {
    let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().expect("a client");
    let answer = client.get(format!("http://127.0.0.1:{port}{path}")).send().await.expect("an answer");
    let to = answer.headers().get(header::LOCATION).and_then(|it| it.to_str().ok()).map(str::to_owned);
    (answer.status().as_u16(), to)
}

async fn through(port: u16, path: &str) -> Response {
    let (status, to) = asked(port, path).await;
    let status = StatusCode::from_u16(status).expect("a status");
    to.map_or_else(|| status.into_response(), |to| (status, [(header::LOCATION, to)]).into_response())
}

fn program(paths: &[&str]) -> Option<PathBuf> {
    paths.iter().map(PathBuf::from).find(|it| it.is_file())
}

/// The servers that are here, with what starts each.
fn servers() -> Option<[PathBuf; 3]> {
    let all = [
        program(&["/usr/sbin/nginx", "/usr/local/sbin/nginx"]),
        program(&["/usr/sbin/apache2"]),
        program(&["/usr/bin/caddy"]),
    ];
    let [Some(nginx), Some(apache), Some(caddy)] = all else {
        needs::skip("nginx, apache2 and caddy", "apt-get install nginx-light apache2-bin caddy");
        return None;
    };
    Some([nginx, apache, caddy])
}

/// A server with these rules, on a port of its own.
async fn started(format: &str, program: &Path, rules: &str, folder: &Path) -> (Server, u16) {
    let (port, place) = (postgres_cluster::free_port(), folder.join(format));
    std::fs::create_dir_all(place.join("none")).expect("a folder");
    let at = place.display();
    let mut command = Command::new(program);
    let configuration = match format {
        "nginx" => {
            let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
                .map(|name| format!("{name}_temp_path {at}/{name};\n"))
                .concat();
            let (maps, server) = rules.split_once("# In the server of the old website:").expect("two parts");
            command.arg("-p").arg(&place).arg("-c").arg(place.join("rules"));
            format!(
                "daemon off;\nmaster_process off;\npid {at}/pid;\nerror_log {at}/error.log;\nevents {{}}\nhttp {{\naccess_log off;\n\
                 {temporary}{maps}\nserver {{ listen 127.0.0.1:{port};\n{server}\nlocation / {{ return 404; }} }} }}\n"
            )
        }
        "apache" => {
            let modules = "/usr/lib/apache2/modules";
            let load: String = ["mpm_event", "alias", "rewrite", "authz_core"]
                .map(|name| format!("LoadModule {name}_module {modules}/mod_{name}.so\n"))
                .concat();
            command.arg("-f").arg(place.join("rules")).arg("-D").arg("FOREGROUND");
            format!(
                "ServerRoot {at}\nPidFile {at}/pid\n{load}User nobody\nGroup nogroup\nErrorLog {at}/error.log\nListen 127.0.0.1:{port}\nServerName localhost\n\
                 DocumentRoot {at}/none\n<VirtualHost *:{port}>\n{rules}\n</VirtualHost>\n"
            )
        }
        _ => {
            command.args(["run", "--adapter", "caddyfile", "--config"]).arg(place.join("rules"));
            command.env("XDG_DATA_HOME", &place).env("XDG_CONFIG_HOME", &place);
            format!("{{\n\tadmin off\n\tauto_https off\n}}\nhttp://127.0.0.1:{port} {{\n{rules}\nrespond 404\n}}\n")
        }
    };
    std::fs::write(place.join("rules"), configuration).expect("a file");
    let server = Server(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts"));
    let began = Instant::now();
    while tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_err() {
        assert!(began.elapsed() < Duration::from_secs(150), "{format} does not answer");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    (server, port)
}

async fn job(ada: &Customer, operation: &str, arguments: Value, seconds: u64) -> Value {
    let answer = ada.run(operation, arguments).await;
    assert_eq!(answer.status, 200, "{operation}: {}", answer.json());
    let ended = ada.wait_for("account.job.get", json!({ "job_ref": answer.data()["job_ref"] }), seconds).await;
    assert_eq!(ended["state"], "succeeded", "{operation}: {ended}");
    ended["result"].clone()
}

async fn crawled(ada: &Customer, domain: &str) -> Value {
    let site = ada.run("websites.create", json!({ "domain": domain })).await.data()["site_id"].clone();
    let crawl = json!({ "site_id": site, "max_pages": 400, "check_external": false, "rate_rps": 10 });
    let run = ada.run("crawl.run.start", crawl).await.data()["run_ref"].clone();
    let ended = ada.wait_for("crawl.run.get", json!({ "run_ref": run }), 240).await;
    assert_eq!((&ended["state"], &ended["stop_reason"]), (&json!("succeeded"), &json!("completed")), "{ended}");
    run
}

/// One spelling of an address: Apache writes the digits of encodings in lower case.
fn normal(url: &str) -> String {
    let url: reqwest::Url = url.parse().expect("an address");
    let mut parts = url.as_str().split('%');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| format!("{all}%{}{}", part[..2].to_uppercase(), &part[2..]))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_website_of_300_pages_moves_by_a_map_that_three_servers_read() {
    let Some(programs) = servers() else { return };
    let moves = moves();
    let (moved, never) = (Arc::new(AtomicU16::new(0)), Arc::new(AtomicU16::new(0)));
    let old = serve(moves.iter().map(|it| it.0.clone()).collect(), moved.clone()).await;
    let new = serve(moves.iter().filter_map(|it| it.1.clone()).collect(), never).await;
    let host = Host::start_with(|options| {
        options.map("lamps.example", old);
        options.map("lights.example", new);
    })
    .await;
    let ada = host.customer(SCOPES).await;
    host.buy_points(&ada, 90).await;
    let (old_run, new_run) = tokio::join!(crawled(&ada, "lamps.example"), crawled(&ada, "lights.example"));

    let arguments = json!({ "old_run_ref": old_run, "new_run_ref": new_run });
    let map = job(&ada, "cms.redirect.map.build", arguments, 120).await;
    assert_eq!((&map["addresses"], &map["unchanged"]), (&json!(301), &json!(0)), "{map}");
    let export = async |format: &str| {
        ada.both("cms.redirect.map.export", json!({ "map_ref": map["map_ref"], "format": format })).await
    };
    let csv = export("csv").await;
    let rows: BTreeMap<String, (String, String)> = csv["rules"]
        .as_str()
        .expect("text")
        .lines()
        .skip(1)
        .map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>())
        .map(|cells| (cells[0].clone(), (cells[1].clone(), cells[2].clone())))
        .collect();
    let (mut right, mut matched, mut have) = (0, 0, 0);
    for (from, to) in &moves {
        let (target, state) = &rows[&normal(&format!("{OLD}{}", from.0))];
        let is_right = to.as_ref().is_some_and(|to| normal(&format!("{NEW}{}", to.0)) == *target);
        have += usize::from(to.is_some());
        matched += usize::from(state == "matched");
        right += usize::from(state == "matched" && is_right);
    }
    assert!(
        right * 100 >= matched * 98 && right * 100 >= have * 93,
        "{right} right of {matched} matched, {have} have one"
    );

    let folder = tempfile::tempdir().expect("a folder");
    let mut running = Vec::new();
    for (format, program) in ["nginx", "apache", "caddy"].iter().zip(&programs) {
        let rules = export(format).await;
        assert!(rules["merged_patterns"].as_array().is_some_and(|it| !it.is_empty()), "{format}: {rules}");
        let (server, port) = started(format, program, rules["rules"].as_str().expect("text"), folder.path()).await;
        for (from, (to, state)) in &rows {
            let said = asked(port, from.trim_start_matches(OLD)).await;
            let goes = said.1.as_deref().map(normal);
            let wanted = (state == "matched").then(|| to.clone());
            assert_eq!((said.0, goes), (if wanted.is_some() { 301 } else { 404 }, wanted), "{format}: {from}");
        }
        for page in moves.iter().filter_map(|it| it.1.as_ref()) {
            assert_eq!(asked(port, &page.0).await, (404, None), "{format}: {}", page.0);
        }
        running.push((server, port));
    }

    moved.store(running[0].1, Ordering::Relaxed);
    let seen = job(&ada, "cms.redirect.map.test", json!({ "map_ref": map["map_ref"], "max_urls": 40 }), 120).await;
    assert_eq!(
        (&seen["tested"], &seen["passed"], &seen["failed"], &seen["warnings"], &seen["unknown"]),
        (&json!(40), &json!(40), &json!([]), &json!([]), &json!([])),
        "{seen}"
    );
    host.verify_ledger().await;
}
