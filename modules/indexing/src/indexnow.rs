//! The operations `indexing.indexnow.key.create`, `.key.verify` and `.submit`, and how a notice is sent.
//!
//! Source: indexnow.org/documentation: the key file, what it may speak for, and the statuses.

use sdk::Degraded;
use sdk::Fix;
use sdk::Next;
use sdk::prelude::*;
use sdk::{Need, Send, SendFailure, json};

use crate::stored::{IndexNowKey, Receiver};
use crate::submission::{self, Ready, Skipped};
use site::Site;

/// What a submission needs.
pub(crate) const NEED: Need = Need::key("indexnow", &["the key file is on the website"]);
/// Skipped addresses that are told.
const TOLD: usize = 500;

#[args]
pub(crate) struct Create {
    /// The website, as listed.
    site_id: Id<Site>,
    /// Where the key file will be, on this website; at its root when left out. A file in a folder speaks for that
    /// folder only.
    key_location: Option<Url>,
    /// A key that you have already, instead of a new one.
    key: Option<Text<8, 128>>,
    /// Makes a new key although there is one: the file has to be replaced, and the connection's key too.
    #[default(false)]
    replace: bool,
}

/// A key.
#[value]
pub(crate) struct Created {
    /// What the file holds; it is public.
    key: String,
    file_name: String,
    /// Where the file has to be.
    location: String,
    /// Which addresses it speaks for.
    scope: String,
    /// Whether it was made by this call.
    created: bool,
    /// What to do, in order.
    instructions: Vec<String>,
    /// What comes next.
    next: Vec<Next>,
}

/// Creates an IndexNow key for a website with the file name, content and location to host.
///
/// A website keeps its key until `replace` makes another. The file cannot be put among the media of a content system:
/// from there it would speak for that folder only (IndexNow's documentation, option 2).
#[operation(
    write,
    scope = "assets:write",
    cost = write,
    side_effects = ["keeps the key of the website"],
    needs = ["store"],
    phrasings = [
        "set up indexnow for my site",
        "create an indexnow key",
        "which key file do I need for bing indexnow",
    ],
    examples = [
        { "site_id": "4503599627370496" },
        { "site_id": "4503599627370496", "key_location": "https://shop.example/my-key.txt" },
    ]
)]
pub(crate) fn create(cx: &Cx, args: Create) -> Result<Created> {
    let site = site::get(cx, &args.site_id)?;
    let id: Id<IndexNowKey> = site.id.cast();
    let known = cx.records::<IndexNowKey>().find(&id);
    if let Some(key) = &args.key
        && !key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    {
        return Err(Fault::invalid("/key", "invalid_key", "a key has letters, digits and hyphens only"));
    }
    let made = || kit::text::hex(&cx.random::<16>());
    let given = args.key.as_ref().map(|it| it.as_str().to_owned());
    let key = match (&known, given, args.replace) {
        (_, Some(given), _) => given,
        (Some(known), None, false) => known.key.clone(),
        (_, None, _) => made(),
    };
    let location = match (&args.key_location, &known) {
        (Some(url), _) => located(&site, url)?,
        (None, Some(known)) if known.key == key => known.location.clone(),
        (None, _) => format!("{}/{key}.txt", site.origin),
    };
    let changed = known.as_ref().is_none_or(|it| it.key != key || it.location != location);
    let created = known.as_ref().is_none_or(|it| it.key != key);
    if changed {
        let it = IndexNowKey {
            site_id: site.id.to_string(),
            key: key.clone(),
            location: location.clone(),
            created_ms: cx.now().millis(),
        };
        cx.records::<IndexNowKey>().put_many_as([(&id, &it)])?;
    }
    let file_name = location.rsplit('/').next().unwrap_or_default().to_owned();
    let instructions = vec![
        format!("Put a file named {file_name} at {location}, as plain text in UTF-8, with the key and nothing else."),
        "Let it answer with status 200, without a redirect and without a login.".to_owned(),
        "Check it with indexing.indexnow.key.verify.".to_owned(),
        "Add a connection of the kind indexnow with this key (connections.add); then indexing.indexnow.submit works."
            .to_owned(),
    ];
    Ok(Created {
        scope: scope(&location),
        next: vec![
            Fix::new("indexing.indexnow.key.verify", json!({ "site_id": site.id }))
                .because("checks the key file once it is on the website"),
        ],
        key,
        file_name,
        location,
        created,
        instructions,
    })
}

/// A location that can hold a key of the website.
fn located(site: &Site, url: &Url) -> Result<String> {
    let wrong = |code: &str, message: String| Fault::invalid("/key_location", code, message);
    let parsed = kit::url::Url::parse(url.as_str()).map_err(|_| wrong("no_url", "this is no address".to_owned()))?;
    let own =
        kit::url::Url::parse(&site.origin).map_err(|_| wrong("no_url", "the website has no address".to_owned()))?;
    if parsed.host_str() != own.host_str() {
        let message =
            format!("the key file stands on the host that it speaks for: {}", own.host_str().unwrap_or_default());
        return Err(wrong("url_not_of_site", message));
    }
    if !parsed.path().ends_with(".txt") || parsed.query().is_some() {
        return Err(wrong("no_text_file", "the key file is a text file: its address ends with .txt".to_owned()));
    }
    Ok(url.without_fragment().as_str().to_owned())
}

/// The addresses that a key file speaks for: those of its folder and below.
fn scope(location: &str) -> String {
    location.rsplit_once('/').map_or_else(|| location.to_owned(), |(folder, _)| format!("{folder}/"))
}

/// The key of a website; 409 with the call that makes one.
fn key(cx: &Cx, site: &Stored<Site>) -> Result<Stored<IndexNowKey>> {
    cx.records::<IndexNowKey>().find(&site.id.cast()).ok_or_else(|| {
        let message = "this website has no IndexNow key yet; make one with indexing.indexnow.key.create";
        let first = json!({ "operation_id": "indexing.indexnow.key.create", "arguments": { "site_id": site.id } });
        Fault::conflict("key_required", message).at("/site_id").detail(first)
    })
}

#[args]
pub(crate) struct Verify {
    /// The website, as listed.
    site_id: Id<Site>,
}

/// Something wrong with a key file.
#[value]
pub(crate) struct Problem {
    /// `unreachable`, `redirect`, `status`, `content`, `type`, `other_host`.
    code: String,
    message: String,
    advice: String,
}

/// A key file that was looked at.
#[value]
pub(crate) struct Verified {
    verified: bool,
    problems: Vec<Problem>,
    location: String,
    /// Which addresses it speaks for.
    scope: String,
    /// Its status; 0 without an answer.
    status: u16,
    checked_at: Moment,
    next: Vec<Next>,
}

/// Fetches the hosted key file and checks content, type, redirect and host scope before any submission is allowed.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 1),
    needs = ["web", "store"],
    phrasings = [
        "is my indexnow key file right",
        "verify the indexnow key",
        "why does indexnow answer 403",
    ],
    examples = [{ "site_id": "4503599627370496" }]
)]
pub(crate) fn verify(cx: &Cx, args: Verify) -> Result<Verified> {
    let site = site::get(cx, &args.site_id)?;
    let key = key(cx, &site)?;
    let (status, problems) = look(cx, &site, &key);
    let verified = problems.iter().all(|it| it.code == "type");
    let again = Fix::new("indexing.indexnow.key.create", json!({ "site_id": site.id }))
        .because("shows again what the key file must hold and where it belongs");
    Ok(Verified {
        verified,
        next: if verified { Vec::new() } else { vec![again] },
        problems,
        location: key.location.clone(),
        scope: scope(&key.location),
        status,
        checked_at: cx.now(),
    })
}

/// What is wrong with a key file, as it is served now. A wrong type alone keeps no engine away.
pub(crate) fn look(cx: &Cx, site: &Site, key: &IndexNowKey) -> (u16, Vec<Problem>) {
    let mut problems = Vec::new();
    let mut tell = |code: &str, message: String, advice: &str| {
        problems.push(Problem { code: code.to_owned(), message, advice: advice.to_owned() });
    };
    let host = |url: &str| kit::url::Url::parse(url).ok().and_then(|it| it.host_str().map(str::to_owned));
    if host(&key.location) != host(&site.origin) {
        let message = format!("the file is at {}, the website at {}", key.location, site.origin);
        tell("other_host", message, "make the key anew for the host of the website");
    }
    let Ok(url) = key.location.parse::<Url>() else {
        tell("unreachable", "the location is no address".to_owned(), "make the key anew");
        return (0, problems);
    };
    let response = match cx.web().fetch(&Request::get(&url).follow(0).max_bytes(4_096).timeout(8_000)) {
        Ok(response) => response,
        Err(failure) => {
            let advice = "let the file answer, and let robots.txt allow it";
            tell("unreachable", format!("the file gives no answer: {}", failure.name()), advice);
            return (0, problems);
        }
    };
    let status = response.status;
    if (300..400).contains(&status) {
        let to = response.header("location").unwrap_or_default();
        tell("redirect", format!("the file redirects to {to}"), "serve it where it is, or make the key for that place");
    } else if status != 200 {
        tell(
            "status",
            format!("the file answers with status {status}"),
            "put the file there; it answers with status 200",
        );
    } else {
        let text = response.text();
        if text.trim_start_matches('\u{feff}').trim() != key.key {
            let html = text.trim_start().starts_with('<');
            let what = if html { "a page of HTML" } else { "another text" };
            tell(
                "content",
                format!("the file holds {what} instead of the key"),
                "write the key into the file, and nothing else",
            );
        }
        let kind = response.header("content-type").unwrap_or_default().to_ascii_lowercase();
        if !kind.starts_with("text/plain") {
            tell("type", format!("the file comes as `{kind}`"), "serve it as text/plain; engines read it all the same");
        }
    }
    (status, problems)
}

#[args]
pub(crate) struct Submit {
    /// The website, as listed.
    site_id: Id<Site>,
    /// Addresses that are new, changed or gone.
    urls: List<Url, 1, 10_000>,
    /// Hands over those too that were handed over unchanged.
    #[default(false)]
    force: bool,
}

/// Addresses that were handed over.
#[value]
pub(crate) struct Submitted {
    /// How many.
    pub(crate) submitted: u32,
    /// At most 500.
    pub(crate) skipped: Vec<Skipped>,
    /// How many were not handed over.
    pub(crate) skipped_total: u32,
    /// The status that IndexNow answered with: 200 taken, 202 taken while the key is checked, 403 the key is not
    /// accepted, 422 the addresses do not belong to the key; none when there was nothing to hand over.
    pub(crate) response_code: Option<u16>,
    /// What that means.
    pub(crate) meaning: String,
    pub(crate) next: Vec<Next>,
    pub(crate) degraded: Vec<Degraded>,
}

/// Submits up to 10,000 changed URLs of the verified host to IndexNow, skipping non-indexable and already submitted unchanged ones, and records the engine's answer.
///
/// The key file is looked at first; without it nothing is sent. Whether an address may be indexed and has changed is
/// told by the newest crawl, for up to 20 addresses that it does not know by the live page. Pages that are gone or
/// redirect are handed over: that is news for a search engine too.
#[operation(
    write,
    scope = "seo:execute",
    cost = bulk(most = urls, unit = "urls"),
    side_effects = ["tells Bing, Yandex and the other engines of IndexNow that pages changed"],
    needs = ["web", "store", "connection:indexnow"],
    outside = ["indexnow POST /indexnow change"],
    phrasings = [
        "submit these urls to indexnow",
        "tell bing that my pages changed",
        "ping search engines about updated pages",
    ],
    examples = [{ "site_id": "4503599627370496", "urls": ["https://shop.example/lamps"] }]
)]
pub(crate) fn submit(cx: &Cx, args: Submit) -> Result<Answer<Submitted>> {
    let site = site::get(cx, &args.site_id)?;
    let urls = args.urls.into_vec();
    site::all_own(&site, &urls)?;
    let target = target(cx, &site)?;
    if let Some(at) = urls.iter().position(|it| !target.speaks_for(it.as_str())) {
        let message = format!("the key file speaks for addresses that begin with {}", scope(&target.location));
        return Err(Fault::invalid(format!("/urls/{at}"), "outside_key_scope", message));
    }
    let sorted = submission::sort(cx, &site.id, Receiver::IndexNow, &urls, args.force);
    let code = if sorted.ready.is_empty() { None } else { Some(send(cx, &site.id, &target, &sorted.ready)?) };
    let took = code.is_some_and(|it| (200..300).contains(&it));
    let number = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
    let submitted = if took { number(sorted.ready.len()) } else { 0 };
    let looked = urls.len() as u64;
    let verify = Fix::new("indexing.indexnow.key.verify", json!({ "site_id": site.id }))
        .because("shows what is wrong with the key file");
    let out = Submitted {
        submitted,
        skipped_total: number(sorted.skipped.len()),
        skipped: sorted.skipped.into_iter().take(TOLD).collect(),
        response_code: code,
        meaning: meaning(code).to_owned(),
        next: if code.is_some() && !took { vec![verify] } else { Vec::new() },
        degraded: sorted.degraded,
    };
    Ok(Answer::new(out).units(looked))
}

/// Where notices of a website go, and what they say.
pub(crate) struct Target {
    connection: String,
    host: String,
    pub(crate) location: String,
}

impl Target {
    /// Whether the key file speaks for an address: one of its host and folder.
    pub(crate) fn speaks_for(&self, url: &str) -> bool {
        let parsed = kit::url::Url::parse(url).ok();
        let folder =
            kit::url::path_and_query(&self.location).rsplit_once('/').map_or("/", |(folder, _)| folder).to_owned()
                + "/";
        parsed.is_some_and(|it| it.host_str() == Some(self.host.as_str()) && it.path().starts_with(&folder))
    }
}

/// The target of a website's notices, once its key file was found to be right.
///
/// # Errors
/// 409 `key_required` without a key, 409 `key_not_verified` with what is wrong, 422 `connection_required`.
pub(crate) fn target(cx: &Cx, site: &Stored<Site>) -> Result<Target> {
    let key = key(cx, site)?;
    let why = "IndexNow takes notices that carry the key of the website";
    let connection = cx.connections().required(NEED, "/site_id", why)?;
    let (_, problems) = look(cx, site, &key);
    if let Some(problem) = problems.iter().find(|it| it.code != "type") {
        let message = format!("the key file is not right: {}; {}", problem.message, problem.advice);
        return Err(Fault::conflict("key_not_verified", message)
            .at("/site_id")
            .detail(json!({ "problems": problems })));
    }
    let host = kit::url::Url::parse(&key.location).ok().and_then(|it| it.host_str().map(str::to_owned));
    Ok(Target { connection: connection.reference, host: host.unwrap_or_default(), location: key.it.location })
}

/// Sends one notice, and keeps what was answered.
pub(crate) fn send(cx: &Cx, site: &Id<Site>, target: &Target, ready: &[Ready]) -> Result<u16> {
    let urls: Vec<&str> = ready.iter().map(|it| it.url.as_str()).collect();
    // The host of the service puts the connection's key in.
    let body = json!({ "host": target.host, "keyLocation": target.location, "urlList": urls });
    let code = match cx.connections().send(&Send::post(&target.connection, "/indexnow").json(&body).timeout(15_000)) {
        Ok(sent) if sent.status < 500 => sent.status,
        Ok(sent) => return Err(sent.accepted().err().unwrap_or_else(|| SendFailure::Malformed.into())),
        Err(failure) => return Err(failure.into()),
    };
    submission::keep(cx, site, Receiver::IndexNow, ready, code)?;
    Ok(code)
}

/// What a status of IndexNow means.
pub(crate) fn meaning(code: Option<u16>) -> &'static str {
    match code {
        None => "there was nothing to hand over",
        Some(200) => "taken",
        Some(202) => "taken; the key file is still to be checked",
        Some(400) => "refused: the notice is not of the form that IndexNow wants",
        Some(403) => "refused: the key of the connection is not the one in the key file",
        Some(422) => "refused: the addresses do not belong to the key's host or folder",
        Some(_) => "refused",
    }
}

#[cfg(test)]
mod tests;
