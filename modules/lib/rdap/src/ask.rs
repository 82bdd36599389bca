//! Which registry answers for a domain (RFC 9224), and what it answers.

use std::collections::HashMap;

use sdk::prelude::*;
use sdk::serde_json::{self, Value};
use sdk::{Failure, Response as Answer};

use super::{Object, Source};

/// Which registry has which suffix.
const BOOTSTRAP: &str = "https://data.iana.org/rdap/dns.json";
/// Bytes of the bootstrap.
const LIST: u32 = 1 << 20;
/// Bytes of an answer.
const BYTES: u32 = 256 << 10;

/// What a registry answered.
#[derive(Debug, Clone, PartialEq)]
pub enum Answered {
    /// It has the domain.
    Object(Box<Object>),
    /// It does not have the domain.
    NotFound,
    /// It keeps the name back, in its own words.
    Reserved(String),
    /// Nobody answers for this suffix.
    NoRegistry,
    /// It wants to be left alone for so many seconds.
    Paced(u32),
    /// It limits how often it answers.
    RateLimited,
    /// It does not want programs to ask.
    Forbidden,
    /// It did not answer, or not in a form that is known.
    Unreachable(String),
}

impl Answered {
    /// Why nothing is known.
    pub fn why(&self) -> String {
        match self {
            Self::Object(_) | Self::NotFound => String::new(),
            Self::Reserved(notice) => format!("the registry keeps the name back: {notice}"),
            Self::NoRegistry => "no registry of this suffix answers over RDAP".to_owned(),
            Self::Paced(seconds) => format!("the registry wants to be left alone for {seconds} seconds"),
            Self::RateLimited => "the registry limits how often it answers; ask again later".to_owned(),
            Self::Forbidden => "the registry does not answer programs".to_owned(),
            Self::Unreachable(what) => format!("the registry did not answer: {what}"),
        }
    }

    /// The word for programs.
    pub const fn reason(&self) -> Option<&'static str> {
        match self {
            Self::Object(_) | Self::NotFound | Self::Reserved(_) => None,
            Self::NoRegistry => Some("no_rdap"),
            Self::Paced(_) | Self::RateLimited => Some("rate_limited"),
            Self::Forbidden => Some("registry_forbids"),
            Self::Unreachable(_) => Some("unreachable"),
        }
    }
}

/// Registries by suffix, read once in a call.
#[derive(Default)]
pub struct Registries {
    bases: Option<Result<HashMap<String, String>, String>>,
    asked: Vec<Source>,
}

impl Registries {
    /// None is read yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// What was asked so far.
    pub fn sources(&mut self) -> Vec<Source> {
        std::mem::take(&mut self.asked)
    }

    /// The address of a domain's object at its registry.
    ///
    /// # Errors
    /// Why there is none.
    fn address(&mut self, cx: &Cx, domain: &str) -> Result<Url, Answered> {
        let bases = self.bases.get_or_insert_with(|| bootstrap(cx));
        let bases = bases.as_ref().map_err(|what| Answered::Unreachable(format!("IANA's list: {what}")))?;
        // The longest suffix that has a registry (RFC 9224, 4).
        let mut suffix = domain;
        while let Some((_, rest)) = suffix.split_once('.') {
            suffix = rest;
            if let Some(base) = bases.get(suffix) {
                return format!("{base}domain/{domain}").parse().map_err(|_| Answered::NoRegistry);
            }
        }
        Err(Answered::NoRegistry)
    }

    /// What the registry of a domain says.
    pub fn ask(&mut self, cx: &Cx, domain: &str) -> Answered {
        match self.address(cx, domain) {
            Ok(url) => {
                let answer = cx.web().fetch(&request(&url));
                let status = answer.as_ref().map_or(0, |it| it.status);
                self.asked.push(Source { url: url.to_string(), status });
                read(answer, domain)
            }
            Err(why) => why,
        }
    }

    /// The answer of a registrar about a domain, and that it was asked.
    pub fn of_registrar(&self, cx: &Cx, url: &Url, domain: &str) -> (Source, Option<Object>) {
        let answer = cx.web().fetch(&request(url));
        let status = answer.as_ref().map_or(0, |it| it.status);
        let object = answer.ok().filter(|it| it.status == 200).and_then(|it| Object::read(&it.body, domain));
        (Source { url: url.to_string(), status }, object)
    }
}

/// The request for an object.
fn request(url: &Url) -> Request {
    Request::get(url).header("accept", "application/rdap+json, application/json").max_bytes(BYTES).any_age()
}

/// What an answer says of a domain.
fn read(answer: Result<Answer, Failure>, domain: &str) -> Answered {
    let answer = match answer {
        Ok(answer) => answer,
        Err(Failure::Paced(seconds)) => return Answered::Paced(seconds),
        Err(Failure::Disallowed) => return Answered::Forbidden,
        Err(failure) => return Answered::Unreachable(failure.name().to_owned()),
    };
    match answer.status {
        200 => match Object::read(&answer.body, domain) {
            Some(object) => Answered::Object(Box::new(object)),
            None => Answered::Unreachable("what came is not about this domain".to_owned()),
        },
        404 => Answered::NotFound,
        429 => Answered::RateLimited,
        401 | 403 => Answered::Forbidden,
        400..=499 => match reserved(&answer.body) {
            Some(notice) => Answered::Reserved(notice),
            None => Answered::Unreachable(format!("it answers {}", answer.status)),
        },
        status => Answered::Unreachable(format!("it answers {status}")),
    }
}

/// A notice of an error that says that a name is kept back.
fn reserved(body: &[u8]) -> Option<String> {
    let value: Value = serde_json::from_slice(body).ok()?;
    let mut all: Vec<String> = ["title", "description"].iter().map(|it| value[it].to_string()).collect();
    all.extend(value["notices"].as_array().into_iter().flatten().map(|it| it["description"].to_string()));
    all.into_iter().find(|it| {
        let text = it.to_lowercase();
        ["reserved", "not available for registration", "blocked"].iter().any(|word| text.contains(word))
    })
}

/// Suffixes with the base of their registry, https before http.
fn bootstrap(cx: &Cx) -> Result<HashMap<String, String>, String> {
    let url: Url = BOOTSTRAP.parse().map_err(|_| "no address".to_owned())?;
    let answer = cx.web().fetch(&Request::get(&url).max_bytes(LIST).any_age()).map_err(|it| it.name().to_owned())?;
    let value: Value = match answer.status {
        200 => serde_json::from_slice(&answer.body).map_err(|_| "it does not read".to_owned())?,
        status => return Err(format!("it answers {status}")),
    };
    let mut out = HashMap::new();
    for service in value["services"].as_array().into_iter().flatten() {
        let bases: Vec<&str> = service[1].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let Some(base) = bases.iter().find(|it| it.starts_with("https://")).or(bases.first()) else { continue };
        let base = if base.ends_with('/') { (*base).to_owned() } else { format!("{base}/") };
        for suffix in service[0].as_array().into_iter().flatten().filter_map(Value::as_str) {
            out.insert(suffix.to_ascii_lowercase(), base.clone());
        }
    }
    Ok(out)
}
