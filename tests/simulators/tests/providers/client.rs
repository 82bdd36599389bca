//! A client as a connection is one: an origin, a way to show its credential, and JSON.

use std::time::Duration;

use reqwest::{Client, Method, RequestBuilder, Response};
use serde_json::Value;
use simulators::{Seed, Simulator, World};

/// How a request shows who it comes from.
pub(crate) type Sign = fn(RequestBuilder, &Value) -> RequestBuilder;

/// A provider and how to be known to it.
pub(crate) struct Door {
    pub(crate) simulator: Simulator,
    pub(crate) sign: Sign,
}

/// An answer that was read whole.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) status: u16,
    pub(crate) headers: reqwest::header::HeaderMap,
    pub(crate) body: Value,
}

impl Said {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("text"))
    }

    /// The value at a JSON pointer.
    pub(crate) fn at(&self, pointer: &str) -> &Value {
        self.body.pointer(pointer).unwrap_or(&Value::Null)
    }
}

pub(crate) async fn world() -> World {
    simulators::start(Seed(1)).await.expect("free ports")
}

/// Patient enough for a loaded machine, not for an answer that never comes.
pub(crate) fn client() -> Client {
    Client::builder()
        .timeout(Duration::from_secs(30))
        .redirect(reqwest::redirect::Policy::none())
        .build()
        .expect("a client")
}

impl Door {
    /// A request with the right credential.
    pub(crate) fn request(&self, client: &Client, method: Method, path: &str) -> RequestBuilder {
        let url = format!("{}{path}", self.simulator.url());
        (self.sign)(client.request(method, url), &self.simulator.credentials())
    }

    pub(crate) async fn get(&self, path: &str) -> Said {
        read(self.request(&client(), Method::GET, path).send().await.expect("an answer")).await
    }

    pub(crate) async fn send(&self, method: Method, path: &str, body: &Value) -> Said {
        read(self.request(&client(), method, path).json(body).send().await.expect("an answer")).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Said {
        self.send(Method::POST, path, body).await
    }

    /// How often something took effect.
    pub(crate) fn effects(&self, name: &str) -> usize {
        self.simulator.effects().iter().filter(|effect| effect.name == name).count()
    }
}

pub(crate) async fn read(response: Response) -> Said {
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let bytes = response.bytes().await.expect("a body");
    Said { status, headers, body: serde_json::from_slice(&bytes).unwrap_or(Value::Null) }
}

pub(crate) fn text<'a>(credentials: &'a Value, name: &str) -> &'a str {
    credentials[name].as_str().expect("a text")
}

pub(crate) fn wordpress(world: &World) -> Door {
    let sign: Sign = |it, held| it.basic_auth(text(held, "username"), Some(text(held, "application_password")));
    Door { simulator: world.wordpress.clone(), sign }
}

pub(crate) fn google(world: &World) -> Door {
    Door { simulator: world.google.clone(), sign: |it, held| it.bearer_auth(text(held, "access_token")) }
}

/// The part of Google that wants a key and not a token.
pub(crate) fn google_key(world: &World) -> Door {
    Door { simulator: world.google.clone(), sign: |it, held| it.query(&[("key", text(held, "api_key"))]) }
}

pub(crate) fn bing(world: &World) -> Door {
    Door { simulator: world.bing_webmaster.clone(), sign: |it, held| it.query(&[("apikey", text(held, "api_key"))]) }
}

/// IndexNow has no credential in its requests: the key is in the body.
pub(crate) fn indexnow(world: &World) -> Door {
    Door { simulator: world.indexnow.clone(), sign: |it, _| it }
}

pub(crate) fn dataforseo(world: &World) -> Door {
    let sign: Sign = |it, held| it.basic_auth(text(held, "login"), Some(text(held, "password")));
    Door { simulator: world.dataforseo.clone(), sign }
}

pub(crate) fn llm(world: &World) -> Door {
    Door { simulator: world.llm.clone(), sign: |it, held| it.bearer_auth(text(held, "api_key")) }
}

pub(crate) fn jmap(world: &World) -> Door {
    Door { simulator: world.jmap.clone(), sign: |it, held| it.bearer_auth(text(held, "token")) }
}

pub(crate) fn cloudflare(world: &World) -> Door {
    Door { simulator: world.cloudflare.clone(), sign: |it, held| it.bearer_auth(text(held, "api_token")) }
}

pub(crate) fn powerdns(world: &World) -> Door {
    Door { simulator: world.powerdns.clone(), sign: |it, held| it.header("x-api-key", text(held, "api_key")) }
}

pub(crate) fn name_com(world: &World) -> Door {
    let sign: Sign = |it, held| it.basic_auth(text(held, "username"), Some(text(held, "token")));
    Door { simulator: world.name_com.clone(), sign }
}

/// Porkbun's keys are in the body: see [`with_keys`].
pub(crate) fn porkbun(world: &World) -> Door {
    Door { simulator: world.porkbun.clone(), sign: |it, _| it }
}

/// A body with Porkbun's keys.
pub(crate) fn with_keys(world: &World, mut body: Value) -> Value {
    for (member, field) in [("apikey", "api_key"), ("secretapikey", "secret_api_key")] {
        body[member] = world.porkbun.credentials()[field].clone();
    }
    body
}

pub(crate) fn fulfilment(world: &World) -> Door {
    Door { simulator: world.fulfilment.clone(), sign: |it, held| it.bearer_auth(text(held, "api_key")) }
}
