//! One registry, as one command speaks with it: every answer has a bound, and every failure says what to do.

use std::time::Duration;

use anyhow::{Context as _, bail};
use reqwest::header::ACCEPT;
use reqwest::redirect::Policy;
use reqwest::{Client, Response, Url};
use tokio::sync::Mutex;

use super::address::{Address, is_loopback};
use super::content::MOST_MANIFEST;
use super::login::Login;
use super::pass::{self, Pass};
use super::{digest, is_digest};

/// The media type of an image's manifest, which is that of every artifact too.
pub(super) const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
/// How long a connection may take.
pub(super) const CONNECT: Duration = Duration::from_secs(10);
/// How long a registry may say nothing.
pub(super) const SILENCE: Duration = Duration::from_secs(30);
/// How long one answer may take in all.
const ANSWER: Duration = Duration::from_secs(600);
/// How often a registry may send on: to its store, and that to another place.
const MOST_REDIRECTS: usize = 5;

/// What a registry is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Reading.
    Fetch,
    /// Reading and writing.
    Publish,
}

impl Purpose {
    /// The actions in the scope of a token.
    pub(super) fn actions(self) -> &'static str {
        match self {
            Self::Fetch => "pull",
            Self::Publish => "pull,push",
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Fetch => "read",
            Self::Publish => "write",
        }
    }
}

/// A registry and a name in it.
#[derive(Debug)]
pub struct Door {
    /// Where it is.
    pub address: Address,
    pub(super) login: Option<Login>,
    purpose: Purpose,
    http: Client,
    pass: Mutex<Option<Pass>>,
}

impl Door {
    /// A door that nobody has knocked at yet.
    ///
    /// # Errors
    /// There is no TLS here.
    pub fn new(address: Address, login: Option<Login>, purpose: Purpose) -> anyhow::Result<Self> {
        let http = Client::builder()
            .user_agent(concat!("espalier/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT)
            .read_timeout(SILENCE)
            .timeout(ANSWER)
            .redirect(redirects(address.is_loopback()))
            .build()
            .context("no HTTP client can be made")?;
        Ok(Self { address, login, purpose, http, pass: Mutex::new(None) })
    }

    /// Asks whether a registry answers there and lets this login do what it is for, before anything else is done.
    ///
    /// # Errors
    /// It does not.
    pub async fn knock(&self) -> anyhow::Result<()> {
        let response = self.send("/v2/", "application/json").await?;
        match response.status().as_u16() {
            200 => Ok(()),
            404 => bail!("{} answers, and is no OCI registry; look at its name and port", self.address.host()),
            _ => Err(self.refused(&response, "whether it is a registry")),
        }
    }

    /// Whether something had to be shown so far.
    pub(super) async fn is_locked(&self) -> bool {
        self.pass.lock().await.is_some()
    }

    /// The manifest under a tag or a digest, and its digest.
    ///
    /// # Errors
    /// The registry cannot be asked, has none, or gives another than the digest says.
    pub async fn manifest(&self, at: &str) -> anyhow::Result<(Vec<u8>, String)> {
        let (host, name) = (self.address.host(), self.address.name());
        let what = if is_digest(at) { format!("{name}@{at}") } else { format!("{name}:{at}") };
        let response = self.send(&format!("/v2/{name}/manifests/{at}"), MANIFEST).await?;
        if !response.status().is_success() {
            return Err(self.refused(&response, &what));
        }
        let body = whole(response, MOST_MANIFEST).await.with_context(|| format!("the manifest of {host}/{what}"))?;
        let found = digest(&body);
        if is_digest(at) && found != at {
            bail!("{}", self.other_bytes(&format!("the manifest of {what}"), at, &found));
        }
        Ok((body, found))
    }

    /// The bytes of this digest and size, whatever else a registry would give. `what` is what messages call them.
    ///
    /// # Errors
    /// The registry cannot be asked, has none, or gives others.
    pub async fn blob(&self, wanted: &str, size: usize, what: &str) -> anyhow::Result<Vec<u8>> {
        let response = self.send(&format!("/v2/{}/blobs/{wanted}", self.address.name()), "*/*").await?;
        if !response.status().is_success() {
            return Err(self.refused(&response, &format!("{what} ({wanted})")));
        }
        let body = whole(response, size).await.with_context(|| format!("{what} from {}", self.address.host()))?;
        if body.len() < size {
            bail!("{what}: {} sent {} of {size} bytes; try again", self.address.host(), body.len());
        }
        let found = digest(&body);
        if found != wanted {
            bail!("{}", self.other_bytes(what, wanted, &found));
        }
        Ok(body)
    }

    /// Asks, and once more with what the registry wants to see.
    async fn send(&self, path: &str, accept: &str) -> anyhow::Result<Response> {
        let url = format!("{}{path}", self.address.origin());
        let ask = async |pass: Option<Pass>| {
            let request = self.http.get(&url).header(ACCEPT, accept);
            let request = match &pass {
                Some(pass) => pass.show(request),
                None => request,
            };
            request.send().await.map_err(|error| {
                let host = self.address.host();
                let sent_on = error.is_redirect();
                let hint = if sent_on { "" } else { "; see whether it is up and named right" };
                reason(error).context(format!("{host} cannot be asked{hint}"))
            })
        };
        let shown = self.pass.lock().await.clone();
        let response = ask(shown).await?;
        // Who is asked by a redirect only has no say in where a login goes.
        let itself = Url::parse(&url).is_ok_and(|asked| asked.origin() == response.url().origin());
        if response.status().as_u16() != 401 || !itself {
            return Ok(response);
        }
        let login = self.login.as_ref();
        match pass::earn(&self.http, &self.address, login, self.purpose, response.headers()).await? {
            None => Ok(response),
            Some(pass) => {
                *self.pass.lock().await = Some(pass.clone());
                ask(Some(pass)).await
            }
        }
    }

    fn refused(&self, response: &Response, what: &str) -> anyhow::Error {
        self.denied(response.status().as_u16(), what)
    }

    /// What a status means for whoever runs the command.
    pub(super) fn denied(&self, status: u16, what: &str) -> anyhow::Error {
        let (host, name, word) = (self.address.host(), self.address.name(), self.purpose.word());
        match status {
            401 | 403 if self.login.is_none() => anyhow::anyhow!(
                "{host} wants a login to {word} {name}; set ESPALIER_REGISTRY_USER and ESPALIER_REGISTRY_PASSWORD, or \
                 run `docker login {host}` where no credential helper keeps the password"
            ),
            401 | 403 => {
                anyhow::anyhow!("{host} does not let this login {word} {name}; ask whoever runs it, or use another")
            }
            404 => anyhow::anyhow!("{host} has no {what}; see what `espalier publish` printed"),
            429 => anyhow::anyhow!("{host} wants fewer requests (429); wait and try again"),
            500.. => anyhow::anyhow!("{host} answered {status} for {what}; try again later"),
            _ => anyhow::anyhow!("{host} answered {status} for {what}; it may be no OCI registry"),
        }
    }

    fn other_bytes(&self, what: &str, wanted: &str, found: &str) -> String {
        let host = self.address.host();
        format!("{what}: {host} sent other bytes, {found}, for {wanted}; use another registry, and tell who runs it")
    }
}

/// A body of at most this many bytes.
///
/// # Errors
/// It is longer, or breaks off.
pub(super) async fn whole(mut response: Response, most: usize) -> anyhow::Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let chunk = response.chunk().await.map_err(reason);
        let chunk = chunk.with_context(|| format!("it breaks off after {} bytes; try again", body.len()))?;
        let Some(chunk) = chunk else { return Ok(body) };
        if body.len() + chunk.len() > most {
            bail!("it is longer than {most} bytes, and is not read further");
        }
        body.extend_from_slice(&chunk);
    }
}

/// Why a request failed, in the words of the innermost cause. The whole chain would repeat addresses, and a store's have
/// signatures in them.
pub(super) fn reason(error: reqwest::Error) -> anyhow::Error {
    let error = error.without_url();
    let mut inner: &dyn std::error::Error = &error;
    while let Some(cause) = inner.source() {
        inner = cause;
    }
    anyhow::anyhow!("{inner}")
}

/// A registry may send on to where it stores; never from TLS into the clear.
fn redirects(loopback: bool) -> Policy {
    Policy::custom(move |attempt| {
        let near = loopback && attempt.url().host_str().is_some_and(is_loopback);
        if attempt.url().scheme() != "https" && !near {
            return attempt.error("it sends on to another place over plain HTTP, which is not followed");
        }
        if attempt.previous().len() > MOST_REDIRECTS {
            return attempt.error("it sends on and on");
        }
        attempt.follow()
    })
}
