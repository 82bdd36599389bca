//! The kinds of provider accounts that customers connect: how each is asked, and with what credential.
//!
//! The file is part of the program. Nothing of it comes from a customer or a module, so an address that a credential
//! is sent to is either one that was reviewed here or the customer's own.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use model::outside::{Line, Method, Path};
use serde::Deserialize;

pub use self::auth::{Auth, Oauth};

mod auth;

/// The file, `catalog/connections.toml`.
const TEXT: &str = include_str!("../connections.toml");

/// All kinds, by name.
pub fn kinds() -> &'static BTreeMap<String, Kind> {
    static KINDS: LazyLock<BTreeMap<String, Kind>> =
        LazyLock::new(|| read(TEXT).expect("the embedded file is read by a test"));
    &KINDS
}

/// A kind of connection.
pub fn kind(name: &str) -> Option<&'static Kind> {
    kinds().get(name)
}

/// How the accounts of one provider are asked.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kind {
    /// For people.
    pub title: String,
    /// What it stands in for where an operation takes any of several: `dns_provider`.
    #[serde(default)]
    pub group: Option<String>,
    /// Where the provider describes the API or its credentials.
    pub documentation: String,
    /// Whether a connection says where the API is.
    #[serde(default)]
    pub endpoint: Endpoint,
    /// What an endpoint can begin with.
    #[serde(default = "https")]
    pub schemes: Vec<String>,
    /// The least that the account must permit, in words.
    pub permissions: Vec<String>,
    /// What a person enters.
    pub fields: Vec<Field>,
    /// How a request says who it is from: the first whose fields are all there.
    pub auth: Vec<Auth>,
    /// The provider's APIs by name; one is `default`. None: it is not asked by HTTP.
    #[serde(default)]
    pub services: BTreeMap<String, Service>,
    /// The cheapest documented request that tells whether the credential is good.
    #[serde(default)]
    pub probe: Option<Probe>,
    /// Media types that a body may have.
    #[serde(default = "json")]
    pub bodies: Vec<String>,
    /// Request headers beside those that every kind takes.
    #[serde(default)]
    pub headers: Vec<String>,
    /// Response headers beside those that every module may see.
    #[serde(default)]
    pub answers: Vec<String>,
    /// Query parameters that would say something else than the method, the path or the credential.
    #[serde(default)]
    pub refused_parameters: BTreeSet<String>,
    /// Paths that no line may open, and all below them: they run other requests, or make users and code.
    #[serde(default)]
    pub refused_paths: BTreeSet<String>,
    /// Paths that may only be read, and all below them.
    #[serde(default)]
    pub read_only_paths: BTreeSet<String>,
    /// Whether the provider routes before it decodes, so that an encoded slash is data.
    #[serde(default)]
    pub encoded_slashes: bool,
    /// The request header under whose value the provider does a thing once, as it documents.
    #[serde(default)]
    pub idempotency: Option<String>,
}

/// Whether a connection has an endpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Endpoint {
    /// The provider's, unless it is tried out against another.
    #[default]
    Provider,
    /// The provider's, or one that speaks alike.
    Optional,
    /// Each customer has an own one.
    Own,
}

/// A part of a credential.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// As a member of `credentials`.
    pub name: String,
    /// Whether it is never shown.
    #[serde(default)]
    pub secret: bool,
    /// Whether it may be left out.
    #[serde(default)]
    pub optional: bool,
    /// What it is, for people.
    pub words: String,
}

/// One API of a provider.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Service {
    /// Scheme, host and the path before that of a line; none where customers have their own.
    #[serde(default)]
    pub base: Option<String>,
}

/// A request that asks for little and tells much.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Probe {
    /// At which service.
    #[serde(default)]
    pub service: Option<String>,
    /// How.
    #[serde(default = "get")]
    method: String,
    /// Where.
    pub path: String,
    /// With which parameters.
    #[serde(default)]
    pub query: BTreeMap<String, String>,
    /// Statuses that mean that the credential is good.
    #[serde(default = "ok")]
    pub well: Vec<u16>,
}

fn https() -> Vec<String> {
    vec!["https".to_owned()]
}

fn json() -> Vec<String> {
    vec!["application/json".to_owned()]
}

fn get() -> String {
    "GET".to_owned()
}

fn ok() -> Vec<u16> {
    vec![200]
}

impl Probe {
    /// How it asks.
    pub fn method(&self) -> Method {
        self.method.parse().unwrap_or(Method::Get)
    }
}

impl Kind {
    /// The service of a line or a request; none names the default one.
    pub fn service(&self, name: Option<&str>) -> Option<&Service> {
        self.services.get(name.unwrap_or(DEFAULT))
    }

    /// Whether it takes mail, and nothing by HTTP.
    pub fn takes_mail(&self) -> bool {
        self.auth.iter().any(|auth| matches!(auth, Auth::Smtp { .. }))
    }

    /// Whether there is something to ask that tells whether the credential is good.
    pub fn can_be_probed(&self) -> bool {
        self.probe.is_some() || self.takes_mail()
    }

    /// How a customer consents, where that is a way to connect one.
    pub fn oauth(&self) -> Option<&Oauth> {
        self.auth.iter().find_map(|auth| match auth {
            Auth::Oauth(oauth) => Some(oauth),
            _ => None,
        })
    }

    /// A part of its credential.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}

/// The service that is meant when none is named.
pub const DEFAULT: &str = "default";

/// What is wrong with a line, as far as the kinds tell; none when nothing is.
pub fn broken(line: &Line) -> Option<&'static str> {
    let Some(kind) = kind(&line.kind) else { return Some("there is no such kind in catalog/connections.toml") };
    if line.service.as_deref() == Some(DEFAULT) {
        return Some("the default service is not named");
    }
    match (kind.takes_mail(), line.method == Method::Send) {
        (true, true) if line.service.is_none() => None,
        (true, false) => Some("the kind takes mail alone: `smtp SEND /transactional change`"),
        (false, true) => Some("the kind takes no mail"),
        _ if kind.closes(&line.path.to_string().parse().ok()?, line.method) => Some("the kind closes this path"),
        _ => kind.service(line.service.as_deref()).is_none().then_some("the kind has no such service"),
    }
}

/// Whether an operation's needs cover a kind: `connection:cloudflare`, `connection:dns_provider?`, `connection:any`.
pub fn is_needed(kind: &str, needs: &BTreeSet<String>) -> bool {
    let group = self::kind(kind).and_then(|kind| kind.group.as_deref());
    needs.iter().filter_map(|need| need.strip_prefix("connection:")).any(|need| {
        let need = need.strip_suffix('?').unwrap_or(need);
        need == "any" || need == kind || Some(need) == group
    })
}

fn read(text: &str) -> Result<BTreeMap<String, Kind>, String> {
    let kinds: BTreeMap<String, Kind> = toml::from_str(text).map_err(|error| error.to_string())?;
    for (name, kind) in &kinds {
        kind.check().map_err(|what| format!("{name}: {what}"))?;
    }
    Ok(kinds)
}

impl Kind {
    /// Whether no line opens a path to a method.
    pub fn closes(&self, path: &Path, method: Method) -> bool {
        let leads = |places: &BTreeSet<String>| places.iter().any(|place| path.leads_to(place));
        let reads = matches!(method, Method::Get | Method::Head);
        leads(&self.refused_paths) || (!reads && leads(&self.read_only_paths))
    }

    /// What toml cannot check.
    fn check(&self) -> Result<(), String> {
        let names: BTreeSet<&str> = self.fields.iter().map(|field| field.name.as_str()).collect();
        if names.len() != self.fields.len() {
            return Err("a field stands there twice".to_owned());
        }
        for field in self.auth.iter().flat_map(Auth::fields) {
            if !names.contains(field) {
                return Err(format!("the credential has no field {field}"));
            }
        }
        if self.auth.is_empty() {
            return Err("nothing says how a request is authorised".to_owned());
        }
        for (service, it) in &self.services {
            let https = it.base.as_ref().is_some_and(|base| base.starts_with("https://") && !base.ends_with('/'));
            if !https && (it.base.is_some() || self.endpoint != Endpoint::Own) {
                return Err(format!("the base of {service} is an https address without a slash at its end"));
            }
        }
        if !self.services.is_empty() && !self.services.contains_key(DEFAULT) {
            return Err("one service is the default one".to_owned());
        }
        let lower =
            |it: &String| it.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-' || byte.is_ascii_digit());
        if !self.headers.iter().chain(&self.answers).chain(&self.idempotency).all(lower) {
            return Err("headers are written in small letters".to_owned());
        }
        let place = |it: &String| {
            it.parse::<Path>().is_ok() && !it.ends_with('/') && !it.contains('%') && *it == it.to_lowercase()
        };
        if !self.refused_paths.iter().chain(&self.read_only_paths).all(place) {
            return Err("a closed path is in small letters, not encoded, and has no slash at its end".to_owned());
        }
        let Some(probe) = &self.probe else { return Ok(()) };
        probe.method.parse::<Method>().map_err(|error| error.to_string())?;
        probe.path.parse::<Path>().map_err(|error| error.to_string())?;
        if self.service(probe.service.as_deref()).is_none() {
            return Err("the probe asks a service that is not there".to_owned());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
