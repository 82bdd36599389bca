//! Files that a customer hands over at a one-time address: whole or not at all, once, and never more than was asked for.

use std::time::Duration;

use model::edges::UploadLimits;
use model::token::hex;
use reqwest::{Body, Response, StatusCode};
use serde_json::Value;
use sha2::{Digest as _, Sha256};
use sqlx::{Any, Row as _};
use store::{UploadState, UploadView, WantedUpload};
use tests::customer::Customer;
use tests::edges::HOUR;
use tests::host::Host;
use tests::patience::tries;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// An upload of at most this many bytes of CSV: its reference and the path of its address.
async fn open(host: &Host, ada: &Customer, most_bytes: u64) -> (String, String) {
    let mut workspace = host.workspace(ada);
    let media_types = vec!["text/csv".to_owned(), "application/gzip".to_owned()];
    let wanted = WantedUpload { purpose: "log".to_owned(), most_bytes, media_types, life: HOUR };
    let (id, secret, _) = workspace.open_upload(wanted, &UploadLimits::default()).await.expect("opened");
    host.commit(ada, workspace).await;
    (id.to_string(), format!("/uploads/{}", secret.reveal()))
}

fn address(host: &Host, path: &str) -> String {
    format!("{}{path}", host.rest.trim_end_matches("/v1"))
}

async fn put(host: &Host, path: &str, headers: &[(&str, &str)], body: impl Into<Body>) -> Response {
    let mut request = reqwest::Client::new().put(address(host, path)).body(body);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    request.send().await.expect("an answer")
}

const CSV: (&str, &str) = ("content-type", "text/csv; charset=utf-8");

async fn code(response: Response) -> (u16, String) {
    let status = response.status().as_u16();
    let body: Value = response.json().await.expect("JSON");
    (status, body["error"]["code"].as_str().unwrap_or_default().to_owned())
}

fn refused(status: u16, code: &str) -> (u16, String) {
    (status, code.to_owned())
}

async fn view(host: &Host, ada: &Customer, reference: &str) -> UploadView {
    host.workspace(ada).upload(reference).await.expect("readable").expect("an upload")
}

async fn chunks(host: &Host) -> i64 {
    let count = sqlx::query::<Any>("SELECT COUNT(*) FROM upload_chunk");
    host.service.core.store().database.reader().fetch_one(count).await.expect("a count").try_get(0).expect("a number")
}

/// What broke off goes in the background.
async fn wait_until_nothing_is_left(host: &Host) {
    for _ in tries(600) {
        let receiving = sqlx::query::<Any>("SELECT COUNT(*) FROM upload WHERE state = 'receiving'");
        let receiving = host.service.core.store().database.reader().fetch_one(receiving).await.expect("a count");
        if receiving.try_get::<i64, _>(0).expect("a number") == 0 && chunks(host).await == 0 {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("an upload that broke off left something behind");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_of_several_chunks_arrives_as_it_was_sent_and_its_address_is_used_up() {
    let host = Host::start().await;
    let ada = host.customer("assets:write").await;
    let (reference, path) = open(&host, &ada, 8 << 20).await;
    let file: Vec<u8> = (0..3_500_000_u32).flat_map(|at| [(at % 251) as u8]).collect();
    let answer = put(&host, &path, &[CSV], file.clone()).await;
    assert_eq!(answer.status(), StatusCode::CREATED);
    assert_eq!(answer.headers()["cache-control"], "no-store");
    let body: Value = answer.json().await.expect("JSON");
    let sha256 = hex(&Sha256::digest(&file));
    assert_eq!(body["data"]["upload_ref"], reference.as_str());
    assert_eq!((&body["data"]["bytes"], &body["data"]["sha256"]), (&3_500_000.into(), &sha256.as_str().into()));
    let seen = view(&host, &ada, &reference).await;
    assert_eq!((seen.state, seen.bytes, seen.sha256), (UploadState::Complete, 3_500_000, Some(sha256)));
    assert_eq!((seen.media_type.as_deref(), seen.encoding), (Some("text/csv"), None));
    let (mut workspace, mut read) = (host.workspace(&ada), Vec::new());
    loop {
        let piece = workspace.upload_read(&reference, read.len() as u64, 700_000).await.expect("readable");
        let piece = piece.expect("here");
        if piece.is_empty() {
            break;
        }
        read.extend(piece);
    }
    assert!(read == file);
    assert_eq!(code(put(&host, &path, &[CSV], "again").await).await, refused(409, "upload_complete"));
    assert_eq!(view(&host, &ada, &reference).await.bytes, 3_500_000);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_too_large_is_refused_by_its_length_or_while_it_comes_and_leaves_nothing() {
    let host = Host::start().await;
    let ada = host.customer("assets:write").await;
    let (reference, path) = open(&host, &ada, 2_000_000).await;
    assert_eq!(code(put(&host, &path, &[CSV], vec![b'x'; 2_000_001]).await).await, refused(413, "body_too_large"));
    // Without a length nobody knows before.
    let pieces = (0..300).map(|_| Ok::<_, std::io::Error>(vec![b'x'; 10_000]));
    let endless = Body::wrap_stream(futures_util::stream::iter(pieces));
    assert_eq!(code(put(&host, &path, &[CSV], endless).await).await, refused(413, "body_too_large"));
    wait_until_nothing_is_left(&host).await;
    assert_eq!(view(&host, &ada, &reference).await.state, UploadState::Waiting);
    assert_eq!(put(&host, &path, &[CSV], vec![b'x'; 2_000_000]).await.status(), StatusCode::CREATED);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_what_was_asked_for_is_taken_and_gzip_is_kept_as_it_came() {
    let host = Host::start().await;
    let ada = host.customer("assets:write").await;
    let (reference, path) = open(&host, &ada, 1_000).await;
    for headers in [&[][..], &[("content-type", "text/html")], &[CSV, ("content-encoding", "br")]] {
        let answer = code(put(&host, &path, headers, "a,b\n").await).await;
        assert_eq!(answer, refused(415, "unsupported_media_type"), "{headers:?}");
    }
    assert_eq!(code(put(&host, &path, &[CSV], "").await).await, refused(422, "upload_empty"));
    wait_until_nothing_is_left(&host).await;
    let gzip = [0x1f, 0x8b, 8, 0, 1, 2, 3];
    let answer = put(&host, &path, &[CSV, ("content-encoding", "gzip")], gzip.to_vec()).await;
    assert_eq!(answer.status(), StatusCode::CREATED);
    assert_eq!(view(&host, &ada, &reference).await.encoding.as_deref(), Some("gzip"));
    let read = host.workspace(&ada).upload_read(&reference, 0, 100).await.expect("readable").expect("here");
    assert_eq!(read, gzip);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_digest_that_was_declared_has_to_be_the_one_that_comes() {
    let host = Host::start().await;
    let ada = host.customer("assets:write").await;
    let (_, path) = open(&host, &ada, 1_000).await;
    // RFC 9530, appendix B: the digest of {"hello": "world"} and a newline.
    let right = ("content-digest", "sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:");
    let other = ("content-digest", "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:");
    let broken = ("content-digest", "sha-256=:not base 64:");
    let text = "{\"hello\": \"world\"}\n";
    assert_eq!(code(put(&host, &path, &[CSV, other], text).await).await, refused(422, "digest_mismatch"));
    assert_eq!(code(put(&host, &path, &[CSV, broken], text).await).await, refused(400, "malformed_request"));
    wait_until_nothing_is_left(&host).await;
    assert_eq!(put(&host, &path, &[CSV, right], text).await.status(), StatusCode::CREATED);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_stays_of_a_transfer_that_broke_off_and_it_can_be_made_again() {
    let host = Host::start().await;
    let ada = host.customer("assets:write").await;
    let (reference, path) = open(&host, &ada, 8 << 20).await;
    let authority = address(&host, "").trim_start_matches("http://").to_owned();
    let mut stream = TcpStream::connect(&authority).await.expect("a connection");
    let head = format!(
        "PUT {path} HTTP/1.1\r\nHost: {authority}\r\nContent-Type: text/csv\r\nContent-Length: 5000000\r\nExpect: 100-continue\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.expect("sent");
    let mut told = [0; 25];
    stream.read_exact(&mut told).await.expect("an interim answer");
    assert_eq!(&told, b"HTTP/1.1 100 Continue\r\n\r\n", "the head was enough to say yes");
    assert_eq!(code(put(&host, &path, &[CSV], "other").await).await, refused(409, "upload_in_progress"));
    stream.write_all(&vec![b'x'; 2_500_000]).await.expect("sent");
    drop(stream);
    wait_until_nothing_is_left(&host).await;
    assert_eq!(view(&host, &ada, &reference).await.state, UploadState::Waiting);
    assert_eq!(put(&host, &path, &[CSV], "a,b\n").await.status(), StatusCode::CREATED);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_ends_with_its_time_and_with_its_person() {
    let host = Host::start().await;
    let ada = host.customer("assets:write").await;
    let (reference, late) = open(&host, &ada, 1_000).await;
    let (_, erased) = open(&host, &ada, 1_000).await;
    host.clock.advance(HOUR);
    assert_eq!(code(put(&host, &late, &[CSV], "a").await).await, refused(404, "upload_not_found"));
    assert_eq!(view(&host, &ada, &reference).await.state, UploadState::Expired);
    let id = model::id::CustomerId::from(ada.id.as_str());
    host.service.core.store().identity.erase(id, host.service.core.clock().now()).await.expect("erased");
    assert_eq!(code(put(&host, &erased, &[CSV], "a").await).await, refused(404, "upload_not_found"));
}
