//! Where a token of ownership is to stand, and looking for it there.

use kit::dom::Dom;
use kit::url::{self as address, Url as Address};
use sdk::prelude::*;
use sdk::{DnsFailure, Failure, Outcome as Known, Question, Trust};

use super::Token;
use crate::stored::{Method, Website};

/// The name before the token, in all three places.
const NAME: &str = "espalier-site-verification";
/// Redirects followed, all of them within the registrable domain.
const REDIRECTS: u8 = 2;
/// Bytes read of a verification file: one line, and room to say what else stands there.
const FILE: u32 = 4 << 10;
/// Bytes read of a home page.
const HOME: u32 = 512 << 10;
/// Milliseconds for one page; a write has 15 seconds in all.
const PATIENCE: u32 = 4_000;

/// What a look came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The token stands there.
    Found,
    /// Something else does, or nothing.
    Other,
    /// The place gave no answer.
    Unseen,
}

/// What was seen.
pub(super) struct Seen {
    pub(super) outcome: Outcome,
    pub(super) place: String,
    pub(super) found: String,
}

/// One token of one website.
pub(super) struct Look<'a> {
    site: &'a Website,
    method: Method,
    token: &'a str,
}

impl<'a> Look<'a> {
    pub(super) fn of(site: &'a Website, token: &'a Token) -> Self {
        Self { site, method: token.method, token: &token.token }
    }

    /// Where it is to stand.
    pub(super) fn place(&self) -> String {
        match self.method {
            Method::DnsTxt => self.site.registrable_domain.clone(),
            Method::HtmlFile => format!("{}/{}", self.site.origin, self.file()),
            Method::MetaTag => format!("{}/", self.site.origin),
        }
    }

    /// What is to stand there.
    pub(super) fn content(&self) -> String {
        match self.method {
            Method::DnsTxt => format!("{NAME}={}", self.token),
            Method::HtmlFile => format!("{NAME}: {}", self.file()),
            Method::MetaTag => format!("<meta name=\"{NAME}\" content=\"{}\">", self.token),
        }
    }

    /// What to do, in words.
    pub(super) fn instructions(&self) -> String {
        let (place, content) = (self.place(), self.content());
        let todo = match self.method {
            Method::DnsTxt => {
                let host = self.site.domain.as_str();
                let or = if host == place { String::new() } else { format!(" (or {host})") };
                format!(
                    "Add a TXT record for {place}{or} with exactly this value: {content}. In most DNS panels the name of \
                     the record is @. Keep the TXT records that are there."
                )
            }
            Method::HtmlFile => format!(
                "Put a file named {} at the root of the website, so that {place} answers 200 with exactly this one line: \
                 {content}",
                self.file()
            ),
            Method::MetaTag => format!(
                "Put {content} into the <head> of the home page {place}, before anything that belongs to the body."
            ),
        };
        format!("{todo} Then call websites.verify.check, and leave it in place: re-checks look for it again.")
    }

    /// Looks for it.
    pub(super) fn go(&self, cx: &Cx) -> Seen {
        match self.method {
            Method::DnsTxt => self.record(cx),
            Method::HtmlFile => self.page(cx, FILE, |answer| self.in_file(answer)),
            Method::MetaTag => self.page(cx, HOME, |answer| self.in_head(answer)),
        }
    }

    fn file(&self) -> String {
        format!("espalier-{}.html", self.token)
    }

    fn record(&self, cx: &Cx) -> Seen {
        let mut names = vec![self.site.registrable_domain.clone()];
        names.extend(Some(self.site.domain.to_string()).filter(|host| *host != self.site.registrable_domain));
        let answers = cx.dns().lookup_many(names.iter().map(|name| Question::new(name, "TXT")));
        let (mut found, mut unseen) = (Vec::new(), false);
        // Of a single name the place says which it is.
        let of = |name: &str, what: String| if names.len() > 1 { format!("{name}: {what}") } else { what };
        for (name, answer) in names.iter().zip(answers) {
            let answer = match answer {
                Ok(answer) if answer.trust != Some(Trust::Bogus) && answer.outcome != Known::Failed => answer,
                other => {
                    unseen = true;
                    found.push(of(name, silent(other.map(|it| it.trust)).to_owned()));
                    continue;
                }
            };
            let texts: Vec<Vec<u8>> = answer.entries.iter().filter_map(sdk::Entry::joined).collect();
            if texts.iter().any(|text| same(text, self.content().as_bytes())) {
                let found = format!("the TXT record {}", self.content());
                return Seen { outcome: Outcome::Found, place: name.clone(), found };
            }
            found.push(of(name, other_texts(&texts)));
        }
        let outcome = if unseen { Outcome::Unseen } else { Outcome::Other };
        Seen { outcome, place: self.place(), found: found.join("; ") }
    }

    fn page(&self, cx: &Cx, bytes: u32, look: impl Fn(&Response) -> Result<String, String>) -> Seen {
        let place = self.place();
        let Ok(url) = place.parse::<Url>() else {
            return Seen { outcome: Outcome::Other, place, found: "this is no address that can be asked".to_owned() };
        };
        let answer = cx.web().fetch(&Request::get(&url).follow(REDIRECTS).max_bytes(bytes).timeout(PATIENCE));
        let (outcome, found) = match answer {
            Err(Failure::Disallowed) => {
                (Outcome::Unseen, "no page: robots.txt of the website forbids it to EspalierBot".to_owned())
            }
            Err(failure) => (unanswered(failure), format!("no page: {}", failure.name())),
            // A server that fails, or asks for a pause, says nothing about what stands there.
            Ok(answer) if answer.status >= 500 || answer.status == 429 => {
                (Outcome::Unseen, format!("the server answers {}", answer.status))
            }
            Ok(answer) => match self.elsewhere(&answer) {
                Some(other) => (Outcome::Other, format!("a redirect to {other}, which is not this website")),
                None if answer.status != 200 => (Outcome::Other, format!("the status {}", answer.status)),
                None => match look(&answer) {
                    Ok(found) => (Outcome::Found, found),
                    Err(found) => (Outcome::Other, found),
                },
            },
        };
        Seen { outcome, place, found }
    }

    /// The first address on the way of an answer that is not within the registrable domain.
    fn elsewhere(&self, answer: &Response) -> Option<String> {
        let own = self.site.registrable_domain.as_str();
        let foreign = |url: &&str| {
            let parsed = Address::parse(url).ok();
            let host = parsed.as_ref().and_then(Address::host_str);
            !host.is_some_and(|host| host == own || address::registrable_domain(host) == Some(own))
        };
        let hops = answer.hops.iter().map(|hop| hop.url.as_str());
        let first = hops.chain([answer.url.as_str()]).find(foreign)?;
        Some(kit::text::clip(first, 200).to_owned())
    }

    fn in_file(&self, answer: &Response) -> Result<String, String> {
        let text = answer.text();
        let line = text.trim();
        if !answer.truncated && same(line.as_bytes(), self.content().as_bytes()) {
            return Ok(format!("the file with the line {}", self.content()));
        }
        let shown = kit::text::collapse_to(line, 120);
        Err(if shown.is_empty() { "an empty file".to_owned() } else { format!("a file that says: {shown}") })
    }

    fn in_head(&self, answer: &Response) -> Result<String, String> {
        let dom = Dom::parse(&answer.text());
        let named = |id: &u32| dom.attribute(*id, "name").is_some_and(|it| it.trim().eq_ignore_ascii_case(NAME));
        let metas: Vec<u32> = dom.elements("meta").filter(named).collect();
        // What visitors can write stands in the body, so that only the head speaks for the owner.
        let in_head = |id: u32| dom.parent(id).is_some_and(|parent| dom.name(parent) == "head");
        let content = |id: u32| dom.attribute(id, "content").unwrap_or_default().trim();
        if metas.iter().any(|id| in_head(*id) && same(content(*id).as_bytes(), self.token.as_bytes())) {
            return Ok(format!("{} in the head", self.content()));
        }
        Err(match metas.first() {
            None => format!("a home page without <meta name=\"{NAME}\">"),
            Some(id) if !in_head(*id) => "the element outside the head, where it does not count".to_owned(),
            Some(id) => format!("the element with another content: {}", kit::text::clip(content(*id), 80)),
        })
    }
}

/// A page that is not there at all is an answer; a network that fails is none.
fn unanswered(failure: Failure) -> Outcome {
    match failure {
        Failure::Unresolved | Failure::Redirects | Failure::Refused => Outcome::Other,
        Failure::Unreachable
        | Failure::Timeout
        | Failure::Tls
        | Failure::Malformed
        | Failure::Paced(_)
        | Failure::Disallowed => Outcome::Unseen,
    }
}

fn silent(answer: Result<Option<Trust>, DnsFailure>) -> &'static str {
    match answer {
        Ok(Some(Trust::Bogus)) => "an answer that fails DNSSEC, which proves nothing",
        Ok(_) => "the name servers fail",
        Err(DnsFailure::Timeout) => "no answer in time",
        Err(DnsFailure::Refused | DnsFailure::Malformed) => "a name that cannot be asked",
        Err(_) => "no answer",
    }
}

fn other_texts(texts: &[Vec<u8>]) -> String {
    let ours = |text: &&Vec<u8>| text.starts_with(NAME.as_bytes());
    match texts.iter().find(ours) {
        Some(text) => format!("another token: {}", kit::text::clip(&String::from_utf8_lossy(text), 120)),
        None if texts.is_empty() => "no TXT record".to_owned(),
        None => format!("{} TXT records, none of which begins with {NAME}=", texts.len()),
    }
}

/// Compares in a time that does not tell where the first difference is.
fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}
