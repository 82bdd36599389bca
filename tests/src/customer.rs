//! A customer with a token, speaking REST.

use std::sync::atomic::{AtomicU64, Ordering};

use reqwest::header::HeaderMap;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

/// A bearer of one token.
#[derive(Clone, Debug)]
pub struct Customer {
    /// The customer's id, as an operator knows it.
    pub id: String,
    /// The access token.
    pub token: String,
    /// `{base_url}`.
    pub rest: String,
    /// `{mcp_url}`.
    pub mcp: String,
    pub(crate) http: reqwest::Client,
}

/// An answer over REST.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body's bytes.
    pub bytes: Vec<u8>,
}

impl Answer {
    /// The body as JSON.
    ///
    /// # Panics
    /// When it is not.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes)
            .unwrap_or_else(|error| panic!("not JSON ({error}): {}", String::from_utf8_lossy(&self.bytes)))
    }

    /// Whether the host says that nobody can tell yet, or that the call is still being done.
    fn is_unconfirmed(&self) -> bool {
        let body = serde_json::from_slice::<Value>(&self.bytes).unwrap_or_default();
        let code = body["error"]["code"].as_str().unwrap_or_default();
        matches!((self.status.as_u16(), code), (503, "unavailable") | (409, "idempotency_in_progress"))
    }

    /// `data` of a success.
    ///
    /// # Panics
    /// When it is not a success.
    #[track_caller]
    pub fn data(&self) -> Value {
        assert_eq!(self.status, StatusCode::OK, "{}", String::from_utf8_lossy(&self.bytes));
        let data = self.json()["data"].clone();
        sdk::check_named_calls("the answer", &data);
        data
    }

    /// Status and code of a refusal.
    ///
    /// # Panics
    /// When it is not in the error envelope.
    #[track_caller]
    pub fn refusal(&self) -> (u16, String) {
        let body = self.json();
        assert!(body["request_id"].is_string(), "no request_id: {body}");
        assert!(body["error"]["message"].is_string(), "no message: {body}");
        (self.status.as_u16(), body["error"]["code"].as_str().unwrap_or_else(|| panic!("no code: {body}")).to_owned())
    }

    /// The JSON pointer at fault.
    #[track_caller]
    pub fn pointer(&self) -> String {
        self.json()["error"]["pointer"].as_str().unwrap_or_default().to_owned()
    }
}

/// A key that no other call of this process uses.
pub fn fresh_key() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("test-key-{:08}", NEXT.fetch_add(1, Ordering::Relaxed))
}

impl Customer {
    /// A customer whose token came from elsewhere, at these addresses.
    pub fn with(id: &str, token: &str, rest: &str, mcp: &str) -> Self {
        let (id, token, rest, mcp) = (id.to_owned(), token.to_owned(), rest.to_owned(), mcp.to_owned());
        Self { id, token, rest, mcp, http: reqwest::Client::new() }
    }

    /// The same customer with another token.
    pub fn with_token(&self, token: &str) -> Self {
        Self { token: token.to_owned(), ..self.clone() }
    }

    /// GET under `{base_url}`.
    pub async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, &[], None).await
    }

    /// Whether the host says that it should be sent requests.
    pub async fn is_ready(&self) -> bool {
        let url = format!("{}/readyz", self.rest.trim_end_matches("/v1"));
        self.http.get(url).send().await.is_ok_and(|answer| answer.status() == 200)
    }

    /// POST of JSON under `{base_url}`.
    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.send(Method::POST, path, &[], Some(body.to_string())).await
    }

    /// Runs a read operation.
    pub async fn read(&self, operation: &str, arguments: Value) -> Answer {
        self.post(&format!("/operations/{operation}"), arguments).await
    }

    /// Runs an operation under a new key, and repeats it under the same key while nobody can tell whether it was done, as
    /// the host says: a machine whose disk does not answer within seconds says so of what it has done a moment later.
    pub async fn run(&self, operation: &str, arguments: Value) -> Answer {
        let key = fresh_key();
        let mut answer = self.run_as(operation, arguments.clone(), &key).await;
        for _ in 0..5 {
            if !answer.is_unconfirmed() {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_secs(1)).await;
            answer = self.run_as(operation, arguments.clone(), &key).await;
        }
        answer
    }

    /// Runs an operation under this key.
    pub async fn run_as(&self, operation: &str, arguments: Value, key: &str) -> Answer {
        let path = format!("/operations/{operation}");
        self.send(Method::POST, &path, &[("idempotency-key", key)], Some(arguments.to_string())).await
    }

    /// The same customer at another host.
    pub fn at(&self, rest: &str) -> Self {
        Self { rest: rest.to_owned(), ..self.clone() }
    }

    /// Runs an operation on a host that may be gone; none: no answer came.
    pub async fn try_run(&self, operation: &str, arguments: Value, key: Option<&str>) -> Option<Answer> {
        let headers: Vec<_> = key.map(|key| ("idempotency-key", key)).into_iter().collect();
        let path = format!("/operations/{operation}");
        self.try_send(Method::POST, &path, &headers, Some(arguments.to_string())).await.ok()
    }

    /// Any request under `{base_url}`.
    ///
    /// # Panics
    /// When the host does not answer.
    pub async fn send(&self, method: Method, path: &str, headers: &[(&str, &str)], body: Option<String>) -> Answer {
        self.try_send(method, path, headers, body).await.expect("the host answers")
    }

    async fn try_send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<String>,
    ) -> reqwest::Result<Answer> {
        let mut request = self.http.request(method, format!("{}{path}", self.rest)).bearer_auth(&self.token);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if let Some(body) = body {
            request = request.header("content-type", "application/json").body(body);
        }
        let answer = request.send().await?;
        Ok(Answer { status: answer.status(), headers: answer.headers().clone(), bytes: answer.bytes().await?.to_vec() })
    }

    /// Polls a read until its `state` says that the work has ended; returns the last `data`.
    ///
    /// # Panics
    /// When it takes much longer than these seconds of a quiet machine.
    pub async fn wait_for(&self, operation: &str, arguments: Value, seconds: u64) -> Value {
        for _ in crate::patience::tries(seconds * 4) {
            let answer = self.read(operation, arguments.clone()).await;
            // A disk that did not answer within seconds has said nothing about the work.
            if !answer.is_unconfirmed() {
                let data = answer.data();
                if !matches!(data["state"].as_str().unwrap_or_default(), "queued" | "running" | "retry") {
                    return data;
                }
            }
            tokio::time::sleep(std::time::Duration::from_millis(250)).await;
        }
        panic!("{operation} {} did not end in {seconds} seconds", json!(arguments));
    }
}

/// The same call this many times at once, each through the next of these doors. All that succeed must give the same
/// bytes, which are returned; who comes while another runs may be told so.
///
/// # Panics
/// When no twin succeeds, two differ, or one ends in any other way.
pub async fn twins(doors: &[Customer], many: usize, operation: &str, body: &Value, key: &str) -> Vec<u8> {
    let calls = doors.iter().cycle().take(many).map(|door| {
        let (door, operation, body, key) = (door.clone(), operation.to_owned(), body.clone(), key.to_owned());
        tokio::spawn(async move { door.run_as(&operation, body, &key).await })
    });
    // All of them are on their way before the first is waited for.
    let calls: Vec<_> = calls.collect();
    let mut answers = Vec::new();
    for call in calls {
        let answer = call.await.expect("joined");
        match answer.status.as_u16() {
            200 => answers.push(answer.bytes),
            409 => assert_eq!(answer.refusal().1, "idempotency_in_progress"),
            other => panic!("{other}: {}", String::from_utf8_lossy(&answer.bytes)),
        }
    }
    assert!(answers.windows(2).all(|pair| pair[0] == pair[1]), "twins got different answers");
    answers.pop().expect("a twin succeeds")
}
