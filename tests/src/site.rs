//! Sites that tests crawl: a folder of files that nobody here wrote, and the demo shop.

use std::net::SocketAddr;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::Router;
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use tokio::net::TcpListener;

/// A folder served over HTTP on loopback.
#[derive(Clone, Debug)]
pub struct Folder {
    /// Where it listens.
    pub address: SocketAddr,
    /// How many requests came.
    pub requests: Arc<AtomicU64>,
}

/// Writes a start page and this many pages, each linked from it and linking back.
///
/// # Panics
/// When the folder cannot be written.
pub fn pages(folder: &Path, many: usize) {
    let write = |name: &str, body: String| std::fs::write(folder.join(name), body).expect("a file");
    let page = |title: &str, links: &str| {
        format!("<!doctype html><html lang=\"en\"><title>{title}</title><h1>{title}</h1>{links}")
    };
    let links: String = (0..many).map(|number| format!("<a href=\"/p{number}.html\">{number}</a> ")).collect();
    write("index.html", page("Start", &links));
    for number in 0..many {
        write(&format!("p{number}.html"), page(&format!("Page {number}"), "<a href=\"/\">start</a>"));
    }
}

/// Serves a folder until the process ends.
///
/// # Panics
/// When loopback cannot be listened on.
pub async fn serve_folder(root: PathBuf) -> Folder {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");
    let requests = Arc::new(AtomicU64::new(0));
    let counter = requests.clone();
    let router = Router::new().fallback(move |uri: Uri| {
        counter.fetch_add(1, Ordering::Relaxed);
        let root = root.clone();
        async move { file(&root, uri.path()) }
    });
    tokio::spawn(async move { axum::serve(listener, router).await });
    Folder { address, requests }
}

fn file(root: &Path, path: &str) -> Response {
    let relative = Path::new(path.trim_start_matches('/'));
    if relative.components().any(|part| !matches!(part, Component::Normal(_))) {
        return StatusCode::NOT_FOUND.into_response();
    }
    let mut wanted = root.join(relative);
    if wanted.is_dir() {
        wanted = wanted.join("index.html");
    }
    let kind = match wanted.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("txt") => "text/plain; charset=utf-8",
        Some("css") => "text/css",
        Some("js") => "text/javascript",
        Some("png") => "image/png",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    };
    match std::fs::read(&wanted) {
        Ok(bytes) => ([(header::CONTENT_TYPE, kind)], bytes).into_response(),
        Err(_) => {
            (StatusCode::NOT_FOUND, [(header::CONTENT_TYPE, "text/html")], "<title>Not found</title>").into_response()
        }
    }
}
