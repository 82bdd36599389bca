//! What an operation may ask of a customer's provider: one line each, as its author declares it, a reviewer reads it,
//! and the host enforces it.
//!
//! `wordpress POST /wp-json/wp/v2/posts/* change`: the kind of connection, the method, the path, and what the request
//! does there. Nothing that no line permits is sent.
//!
//! Mail has a line too: `smtp SEND /transactional change`, or `/list` for what goes to the people of a list.

use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::contract::Kind;

pub use self::path::{Path, PathError, Pattern};

mod path;

/// The methods that a provider can be asked with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Method {
    /// Reads.
    Get,
    /// Reads the head.
    Head,
    /// Asks or changes; the line says which.
    Post,
    /// Puts in place; the same again changes nothing more (RFC 9110, 9.2.2).
    Put,
    /// Changes a part.
    Patch,
    /// Removes; the same again changes nothing more (RFC 9110, 9.2.2).
    Delete,
    /// Submits mail (RFC 6409); the path is the class of the message.
    Send,
}

/// The classes of mail, as the path of a line: what one person is told about their own affairs, and what goes to the
/// people of a list, who can leave it.
pub const CLASSES: [&str; 2] = ["/transactional", "/list"];

impl Method {
    /// As HTTP writes it, and mail as `SEND`.
    pub fn as_str(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Head => "HEAD",
            Method::Post => "POST",
            Method::Put => "PUT",
            Method::Patch => "PATCH",
            Method::Delete => "DELETE",
            Method::Send => "SEND",
        }
    }

    /// Whether the same request again changes nothing more, by the method alone (RFC 9110, 9.2.2).
    pub fn is_idempotent(self) -> bool {
        match self {
            Method::Get | Method::Head | Method::Put | Method::Delete => true,
            Method::Post | Method::Patch | Method::Send => false,
        }
    }
}

impl FromStr for Method {
    type Err = LineError;

    fn from_str(text: &str) -> Result<Self, LineError> {
        Ok(match text {
            "GET" => Method::Get,
            "HEAD" => Method::Head,
            "POST" => Method::Post,
            "PUT" => Method::Put,
            "PATCH" => Method::Patch,
            "DELETE" => Method::Delete,
            "SEND" => Method::Send,
            _ => return Err(LineError::Method),
        })
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What a request does at the provider.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Effect {
    /// Nothing: GET and HEAD, which need no word.
    Read,
    /// Nothing either: a POST that only asks.
    Query,
    /// Makes or changes something.
    Change,
    /// Takes something away.
    Remove,
}

impl Effect {
    /// As a line writes it.
    pub fn as_str(self) -> &'static str {
        match self {
            Effect::Read => "read",
            Effect::Query => "query",
            Effect::Change => "change",
            Effect::Remove => "remove",
        }
    }

    /// Whether anything at the provider differs afterwards.
    pub fn mutates(self) -> bool {
        match self {
            Effect::Read | Effect::Query => false,
            Effect::Change | Effect::Remove => true,
        }
    }

    /// What the kind of an operation lets it do.
    pub fn right_of(self, kind: Kind) -> Right {
        match (self, kind) {
            (Effect::Read | Effect::Query, _) => Right::Given,
            (Effect::Change | Effect::Remove, Kind::Read) => Right::Never,
            (Effect::Change, Kind::Write | Kind::Job | Kind::Destructive) => Right::Given,
            (Effect::Remove, Kind::Write | Kind::Job) => Right::WithReason,
            (Effect::Remove, Kind::Destructive) => Right::Given,
        }
    }
}

/// Whether a kind of operation may have an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Right {
    /// By its kind.
    Given,
    /// When the lock says why, under `may_remove`.
    WithReason,
    /// Whatever the lock says.
    Never,
}

/// One thing that an operation may ask of a provider.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Line {
    /// The kind of connection: `wordpress`.
    pub kind: String,
    /// Which of the kind's hosts, where it has several; none is the first.
    pub service: Option<String>,
    /// With which method.
    pub method: Method,
    /// At which paths.
    pub path: Pattern,
    /// What that does there.
    pub effect: Effect,
    /// Whether the provider documents that the same request again changes nothing more, although its method does not
    /// say so.
    pub idempotent: bool,
}

impl Line {
    /// Whether this line is about such a request.
    pub fn permits(&self, kind: &str, service: Option<&str>, method: Method, path: &Path) -> bool {
        self.kind == kind && self.service.as_deref() == service && self.method == method && self.path.matches(path)
    }

    /// Whether a request by this line can be sent again without another effect (RFC 9110, 9.2.2).
    pub fn repeats(&self) -> bool {
        self.idempotent || self.method.is_idempotent()
    }
}

/// Why a text is not a line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// Too few or too many words.
    #[error("a line is a kind, a method, a path and a word: `wordpress POST /wp-json/wp/v2/posts change`")]
    Words,
    /// The first word.
    #[error("a kind is written `wordpress`, or with the service after a dot, in small letters, digits and underscores")]
    Kind,
    /// The second word.
    #[error("a method is GET, HEAD, POST, PUT, PATCH or DELETE, and SEND for mail")]
    Method,
    /// The third word of a line of mail.
    #[error("mail is sent to `/transactional` or to `/list`")]
    Class,
    /// The third word.
    #[error(transparent)]
    Path(#[from] PathError),
    /// The last word.
    #[error(
        "GET and HEAD `read`, a POST can `query`, DELETE can only `remove`, SEND only `change`, and the others `change` \
         or `remove`"
    )]
    Effect,
}

impl FromStr for Line {
    type Err = LineError;

    fn from_str(text: &str) -> Result<Self, LineError> {
        let mut words = text.split(' ');
        let mut next = || words.next().ok_or(LineError::Words);
        let (kind, method, path) = (next()?, next()?.parse()?, next()?);
        if method == Method::Send && !CLASSES.contains(&path) {
            return Err(LineError::Class);
        }
        let path = path.parse()?;
        let (kind, service) = match kind.split_once('.') {
            Some((kind, service)) => (kind, Some(service)),
            None => (kind, None),
        };
        if !is_name(kind) || !service.is_none_or(is_name) {
            return Err(LineError::Kind);
        }
        let word = words.next();
        let effect = match (method, word) {
            (Method::Get | Method::Head, None | Some("read")) => Effect::Read,
            (Method::Post, Some("query")) => Effect::Query,
            (Method::Post | Method::Put | Method::Patch | Method::Send, Some("change")) => Effect::Change,
            (Method::Post | Method::Put | Method::Patch | Method::Delete, Some("remove")) => Effect::Remove,
            _ => return Err(LineError::Effect),
        };
        let idempotent = match words.next() {
            None => false,
            Some("idempotent") if effect.mutates() && matches!(method, Method::Post | Method::Patch) => true,
            Some(_) => return Err(LineError::Words),
        };
        if words.next().is_some() {
            return Err(LineError::Words);
        }
        Ok(Self { kind: kind.to_owned(), service: service.map(str::to_owned), method, path, effect, idempotent })
    }
}

/// Whether it can name a kind or a service.
fn is_name(text: &str) -> bool {
    text.len() <= 64
        && text.starts_with(|first: char| first.is_ascii_lowercase())
        && text.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'_')
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.kind)?;
        if let Some(service) = &self.service {
            write!(f, ".{service}")?;
        }
        write!(f, " {} {}", self.method, self.path)?;
        if self.effect != Effect::Read {
            write!(f, " {}", self.effect.as_str())?;
        }
        if self.idempotent { f.write_str(" idempotent") } else { Ok(()) }
    }
}

impl Serialize for Line {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Line {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|error| D::Error::custom(format!("{text:?}: {error}")))
    }
}

#[cfg(test)]
mod tests;
