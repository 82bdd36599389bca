//! What a provider's answer says of a connection: well, or what is wrong and what a person does about it.

mod by_kind;

use sdk::prelude::*;
use sdk::serde_json::Value;
use sdk::{SendFailure, Sent};

/// Seconds that two clocks may differ; AWS and Kerberos (RFC 4120, 3.1.3) have the same five minutes.
const SKEW: i64 = 300;

/// What is wrong with a connection.
#[value]
pub(crate) enum Code {
    /// The account may not do what is needed.
    MissingPermission,
    /// The credential is of an account or a place that is not the right one.
    WrongAccount,
    /// The provider's clock and ours differ by more than five minutes.
    ClockSkew,
    /// Too many requests, or no credit left.
    Quota,
    /// The credential is wrong, revoked or expired.
    ExpiredCredential,
    /// Nothing answers at the address.
    Unreachable,
    /// No whole answer in time.
    Timeout,
    /// The provider failed or refused for a reason of its own.
    ProviderError,
    /// The answer is not what the provider documents.
    MalformedAnswer,
}

/// What is wrong and what to do.
#[value]
pub(crate) struct Trouble {
    /// One word for programs.
    pub(crate) code: Code,
    /// What a person does about it.
    pub(crate) hint: String,
}

/// How much the provider still grants.
#[value]
pub(crate) struct Quota {
    /// In all.
    pub(crate) limit: Option<f64>,
    /// Left of it.
    pub(crate) remaining: Option<f64>,
    /// Of what: `requests`, `usd` of credit, or `bytes` of one message.
    pub(crate) unit: String,
    /// Seconds to wait when nothing is left, as the provider says.
    pub(crate) retry_after: Option<u32>,
}

/// All that an answer says.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Diagnosis {
    /// Whether the provider accepted the credential.
    pub(crate) accepted: bool,
    pub(crate) latency_ms: Option<u32>,
    pub(crate) missing_permissions: Vec<String>,
    pub(crate) quota: Option<Quota>,
    /// Seconds that the provider's clock is ahead of ours.
    pub(crate) clock_skew: Option<i64>,
    pub(crate) trouble: Option<Trouble>,
}

impl Diagnosis {
    /// With permissions that were asked for and not granted: a person can untick some at the provider.
    pub(crate) fn lacking(mut self, scopes: Vec<String>) -> Self {
        if self.trouble.as_ref().is_none_or(|it| it.code == Code::MissingPermission) {
            let hint = "not everything was permitted at the provider: connect the account again with \
                        connections.oauth.start and leave every permission ticked";
            self.trouble = Some(Trouble { code: Code::MissingPermission, hint: hint.to_owned() });
        }
        self.missing_permissions = scopes;
        self
    }

    /// Of an account of a kind that customers consent to.
    pub(crate) fn of_consent(self, is_entered: bool) -> Self {
        Self { trouble: self.trouble.map(|it| it.of_consent(is_entered)), ..self }
    }
}

impl Trouble {
    /// Of an account of a kind that customers consent to: there is nothing to enter again, unless the kind has that too.
    pub(crate) fn of_consent(self, is_entered: bool) -> Self {
        if self.code != Code::ExpiredCredential {
            return self;
        }
        let or = if is_entered { ", or enter another credential with connections.secret.rotate" } else { "" };
        let hint = format!(
            "the provider does not accept the credential any more: connect the account again under the same name with \
             connections.oauth.start{or}"
        );
        Self { hint, ..self }
    }
}

/// Reads the answer to a probe of a kind.
pub(crate) fn diagnose(
    kind: &str,
    answer: &Result<Sent, SendFailure>,
    permissions: &[String],
    now: Moment,
) -> Diagnosis {
    let response = match answer {
        Ok(response) => response,
        Err(failure) => return failed(*failure),
    };
    let body = response.json::<Value>().ok();
    let clock_skew = skew(response, now);
    let quota = quota(kind, response, body.as_ref());
    let mut missing_permissions = Vec::new();
    let documented = body.as_ref().is_some_and(|body| by_kind::is_documented(kind, body));
    let mut trouble = trouble(kind, response, body.as_ref(), documented);
    if trouble.is_none() {
        missing_permissions = by_kind::lacking(kind, body.as_ref().unwrap_or(&Value::Null));
        if !missing_permissions.is_empty() {
            let hint = format!("give the account {}, then test again", permissions.join(", "));
            trouble = Some(Trouble { code: Code::MissingPermission, hint });
        }
    } else if trouble.as_ref().is_some_and(|it| it.code == Code::MissingPermission) {
        missing_permissions = permissions.to_vec();
    }
    let accepted = trouble.as_ref().is_none_or(|it| matches!(it.code, Code::MissingPermission | Code::WrongAccount));
    let apart = clock_skew.filter(|seconds| seconds.abs() > SKEW);
    // A credential that is refused while the clocks differ may be good: signatures and tokens live by the clock.
    let refused = trouble.as_ref().is_none_or(|it| it.code == Code::ExpiredCredential);
    if let (Some(seconds), true) = (apart, refused) {
        let way = if seconds > 0 { "ahead of" } else { "behind" };
        let hint = format!(
            "the provider's clock is {} seconds {way} ours: look for a proxy or a cache between, and at the clock of \
             your own server if it is one",
            seconds.abs()
        );
        trouble = Some(Trouble { code: Code::ClockSkew, hint });
    }
    Diagnosis { accepted, latency_ms: Some(response.total_ms), missing_permissions, quota, clock_skew, trouble }
}

/// What is wrong with an answer as such; none when the provider did what was asked, in the documented form.
pub(crate) fn trouble(kind: &str, response: &Sent, body: Option<&Value>, is_documented: bool) -> Option<Trouble> {
    let told = |code, hint: &str| Some(Trouble { code, hint: hint.to_owned() });
    if kind == "smtp" {
        return by_kind::smtp(response.status).and_then(|(code, hint)| told(code, hint));
    }
    if let Some(known) = body.and_then(|body| by_kind::known(kind, response.status, body)) {
        return known.map(|(code, hint)| Trouble { code, hint: hint.to_owned() });
    }
    match response.status {
        200..=299 if is_documented => None,
        200..=299 => told(
            Code::MalformedAnswer,
            "the answer is not the provider's: check the endpoint, and whether a firewall or a login page stands before it",
        ),
        300..=399 => {
            let to = response.header("location").and_then(host).unwrap_or_else(|| "another address".to_owned());
            Some(Trouble {
                code: Code::ProviderError,
                hint: format!("the endpoint sends on to {to:.100}: enter the address it leads to as the endpoint"),
            })
        }
        401 | 407 => Some(expired()),
        402 => told(Code::Quota, "the account at the provider has no credit left: top it up there"),
        403 => told(
            Code::MissingPermission,
            "the provider knows the credential and refuses this: give the account the permissions that the kind needs",
        ),
        404 | 410 => told(
            Code::ProviderError,
            "there is no such API at this address: check the endpoint, and that the API is switched on",
        ),
        429 => Some(too_often(None)),
        500..=599 => told(Code::ProviderError, "the provider has a failure of its own: try again later"),
        _ => told(Code::ProviderError, "the provider refuses the request: see whether the account is in order there"),
    }
}

/// Reads a request that came to nothing.
fn failed(failure: SendFailure) -> Diagnosis {
    let retry_after = if let SendFailure::RateLimited(seconds) = failure { seconds } else { None };
    let limited = matches!(failure, SendFailure::RateLimited(_));
    let quota = limited.then(|| Quota { limit: None, remaining: Some(0.0), unit: "requests".to_owned(), retry_after });
    Diagnosis {
        accepted: false,
        latency_ms: None,
        missing_permissions: Vec::new(),
        quota,
        clock_skew: None,
        trouble: Some(of_failure(failure)),
    }
}

/// What a failure means for a person.
pub(crate) fn of_failure(failure: SendFailure) -> Trouble {
    let told = |code, hint: &str| Trouble { code, hint: hint.to_owned() };
    match failure {
        SendFailure::Refused => told(
            Code::Unreachable,
            "this address may not be asked: an endpoint is a public address that begins with https, and for mail with smtps \
             or smtp at port 465 or 587",
        ),
        SendFailure::NotConnected => told(
            Code::ExpiredCredential,
            "the stored credential cannot be used: enter it again with connections.secret.rotate",
        ),
        SendFailure::Unreachable => {
            told(Code::Unreachable, "nothing answers at the address: check the endpoint's host and port")
        }
        SendFailure::Tls => told(
            Code::Unreachable,
            "a secure connection could not be made: check that the server's certificate is valid and for this host",
        ),
        SendFailure::Timeout | SendFailure::UnknownOutcome => {
            told(Code::Timeout, "the provider gave no whole answer in time: try again, then look at its status page")
        }
        SendFailure::Malformed => told(
            Code::MalformedAnswer,
            "the answer broke off or is not what the provider speaks: check the endpoint, and any proxy that stands before it",
        ),
        SendFailure::ExpiredCredential => expired(),
        SendFailure::RateLimited(seconds) => too_often(seconds),
    }
}

fn expired() -> Trouble {
    let hint = "the provider does not accept the credential: make a new one there and enter it with \
                connections.secret.rotate";
    Trouble { code: Code::ExpiredCredential, hint: hint.to_owned() }
}

fn too_often(seconds: Option<u32>) -> Trouble {
    let wait = seconds.map_or_else(|| "a while".to_owned(), |seconds| format!("{seconds} seconds"));
    let hint =
        format!("the provider takes no more requests now: wait {wait}, or lower max_rps with connections.update");
    Trouble { code: Code::Quota, hint }
}

/// Seconds that the provider's clock is ahead, by its `Date` (RFC 9110, 6.6.1).
fn skew(response: &Sent, now: Moment) -> Option<i64> {
    let date = httpdate::parse_http_date(response.header("date")?).ok()?;
    let seconds = date.duration_since(std::time::UNIX_EPOCH).ok()?.as_secs();
    Some(i64::try_from(seconds).ok()? - i64::try_from(now.millis() / 1_000).ok()?)
}

/// The host of an address, for a hint.
fn host(address: &str) -> Option<String> {
    let url: Url = address.parse().ok()?;
    url.host_str().map(str::to_owned)
}

/// What is left, as headers or the body say: `RateLimit` fields of their old and new drafts, and those of the kinds.
fn quota(kind: &str, response: &Sent, body: Option<&Value>) -> Option<Quota> {
    if let Some(own) = body.and_then(|body| by_kind::credit(kind, body)) {
        return Some(own);
    }
    if kind == "smtp" {
        // RFC 1870, 3: 0 is no bound.
        let limit = response.header("size").and_then(|size| size.parse().ok()).filter(|size: &f64| *size > 0.0);
        return limit.map(|_| Quota { limit, remaining: None, unit: "bytes".to_owned(), retry_after: None });
    }
    let number = |names: &[&str]| names.iter().find_map(|name| response.header(name)?.trim().parse().ok());
    let limit = number(&["x-ratelimit-limit-requests", "ratelimit-limit", "x-ratelimit-limit"]);
    let remaining = number(&["x-ratelimit-remaining-requests", "ratelimit-remaining", "x-ratelimit-remaining"])
        .or_else(|| parameter(response.header("ratelimit")?, "r"));
    let limit = limit.or_else(|| parameter(response.header("ratelimit-policy")?, "q"));
    let retry_after = response.header("retry-after").and_then(|value| value.trim().parse().ok());
    (limit.is_some() || remaining.is_some()).then(|| Quota {
        limit,
        remaining,
        unit: "requests".to_owned(),
        retry_after,
    })
}

/// A parameter of a structured field (RFC 9651): `"default";r=50;t=30`.
fn parameter(field: &str, name: &str) -> Option<f64> {
    let pairs = field.split(',').next()?.split(';').filter_map(|part| part.trim().split_once('='));
    pairs.into_iter().find(|(key, _)| *key == name)?.1.parse().ok()
}

#[cfg(test)]
mod tests;
