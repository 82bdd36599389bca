//! What pages load: noted while they are read, and asked for its headers once at the end.

use std::collections::HashSet;

use kit::crawled::PageRecord;
use kit::pace::{Sign, retry_after_ms};
use kit::url::{Url, origin, path_and_query, same_site};
use sdk::prelude::*;
use sdk::{Failure, value};

use super::Phase;
use super::crawl::Crawl;
use super::fetch;
use crate::stored::{Resource, ResourceKind, ResourceState};

/// Resources asked for in one run.
const MOST: u64 = 2_000;
/// Asked at the same time, each of another host.
const AT_ONCE: usize = 8;
/// Between two rounds that ask other hosts.
const ROUND_MS: u32 = 1_000;
const TIMEOUT_MS: u32 = 6_000;
/// Pages named as users of one resource.
const SAMPLES: usize = 5;

/// A page's use of something.
pub(super) struct Use<'a> {
    /// As `kit::page::Resource::kind` says it, or `image`.
    pub(super) kind: &'a str,
    pub(super) url: &'a str,
    pub(super) blocking: bool,
}

/// What a resource is, by how it is loaded and by its address.
fn kind_of(word: &str, url: &str, content_type: Option<&str>) -> ResourceKind {
    let path = path_and_query(url).split('?').next().unwrap_or_default().to_ascii_lowercase();
    let ends = |endings: &[&str]| endings.iter().any(|ending| path.ends_with(ending));
    let is = |kind: &str| content_type.is_some_and(|it| it.starts_with(kind));
    match word {
        "image" => ResourceKind::Image,
        "script" => ResourceKind::Script,
        "style" => ResourceKind::Style,
        "font" => ResourceKind::Font,
        _ if is("application/pdf") || ends(&[".pdf"]) => ResourceKind::Pdf,
        _ if is("image/") || ends(&[".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".svg", ".ico"]) => {
            ResourceKind::Image
        }
        _ if is("font/") || ends(&[".woff2", ".woff", ".ttf", ".otf"]) => ResourceKind::Font,
        _ if is("text/css") || ends(&[".css"]) => ResourceKind::Style,
        _ if is("text/javascript") || is("application/javascript") || ends(&[".js", ".mjs"]) => ResourceKind::Script,
        _ => ResourceKind::Other,
    }
}

impl Crawl<'_> {
    /// Notes that a page loads something.
    pub(super) fn use_resource(&mut self, page: &str, it: &Use<'_>) -> Result<()> {
        if self.budget.is_spent() {
            return Ok(());
        }
        let again = self.point.again;
        let (run, origin) = (self.reference(), self.origin.clone());
        let (kind, url) = (kind_of(it.kind, it.url, None), it.url);
        let blocking = it.blocking;
        let (resource, known) = self.resource(url, || Resource {
            run,
            url: url.to_owned(),
            kind,
            internal: Url::parse(url).is_ok_and(|url| same_site(&origin, &url)),
            ..Resource::default()
        });
        resource.blocking |= blocking;
        // A page that is fetched again has been counted.
        if !(again && known) {
            resource.pages += 1;
            if resource.sample.len() < SAMPLES {
                resource.sample.push(page.to_owned());
            }
        }
        Ok(())
    }

    /// A document, picture or other file that was asked for as a page is a resource too, and needs no second question.
    pub(super) fn use_document(&mut self, record: &PageRecord) -> Result<()> {
        let headers = &record.facts.headers;
        let header = |name: &str| headers.get(name).map(str::to_owned);
        let content_type = (!record.facts.content_type.is_empty()).then(|| record.facts.content_type.clone());
        let kind = kind_of("", &record.url, content_type.as_deref());
        let told = header("content-length").and_then(|length| length.trim().parse().ok());
        let read = (record.facts.html_bytes > 0).then_some(record.facts.html_bytes);
        let (run, status) = (self.reference(), record.status);
        let (resource, _) =
            self.resource(&record.url, || Resource { run, url: record.url.clone(), ..Resource::default() });
        resource.kind = kind;
        resource.internal = true;
        resource.state = ResourceState::Checked;
        resource.status = Some(status);
        resource.bytes = told.or(read);
        resource.content_type = content_type;
        resource.cache_control = header("cache-control");
        resource.expires = header("expires");
        resource.etag = header("etag");
        resource.last_modified = header("last-modified");
        resource.content_encoding = header("content-encoding");
        Ok(())
    }

    /// A resource of this run, and whether it was known before.
    fn resource(&mut self, url: &str, new: impl FnOnce() -> Resource) -> (&mut Resource, bool) {
        let id = self.id(url);
        let mut known = self.resources.contains_key(&id);
        if !known {
            self.budget.call();
            self.budget.row();
            let found = self.cx.records::<Resource>().find(&Id::new(id.clone()));
            known = found.is_some();
            let resource = found.map_or_else(new, Stored::into_inner);
            self.resources.insert(id.clone(), resource);
        }
        (self.resources.entry(id).or_default(), known)
    }

    /// Asks for the headers of some; ends the phase when none is left, or enough were asked for.
    pub(super) fn check_resources(&mut self) -> Result<()> {
        if self.budget.requests < 2 * AT_ONCE as u32 {
            self.budget.end();
            return Ok(());
        }
        self.flush_resources()?;
        self.budget.call();
        let waiting = self.cx.records::<Resource>().by("run_state").equals(&self.run.id).equals(ResourceState::Waiting);
        let batch = waiting.page(200_u64, None)?.items;
        if batch.is_empty() || u64::from(self.point.chosen) >= MOST {
            self.point.phase = Phase::Graph;
            self.point.chosen = 0;
            return Ok(());
        }
        let mut hosts = HashSet::new();
        let mut round: Vec<(value::Url, Resource)> = Vec::new();
        let mut unknown = Vec::new();
        for stored in batch {
            let mut resource = stored.into_inner();
            let address = resource.url.parse::<value::Url>().ok();
            let Some(url) = address.filter(|_| resource.internal || self.run.0.settings.check_external) else {
                resource.state = ResourceState::LeftOut;
                self.settle_resource(resource);
                continue;
            };
            let host = origin(&url);
            match self.known_rules(&host) {
                Some(rules) if !rules.robots.allows(&resource.url) => {
                    let busy = rules.failure.as_deref() == Some("paced");
                    resource.state = if busy { ResourceState::LeftOut } else { ResourceState::Robots };
                    resource.failure = rules.failure;
                    self.settle_resource(resource);
                }
                rules => {
                    if round.len() < AT_ONCE && hosts.insert(host.clone()) {
                        if rules.is_none() {
                            unknown.push(host);
                        } else {
                            round.push((url, resource));
                        }
                    }
                }
            }
        }
        if !unknown.is_empty() {
            // They are asked for in the next round, by their own rules.
            return self.fetch_rules(&unknown);
        }
        self.check_resource_round(round);
        Ok(())
    }

    fn check_resource_round(&mut self, round: Vec<(value::Url, Resource)>) {
        if round.iter().any(|(_, resource)| resource.internal) && !self.keep_pace() {
            return;
        }
        if round.iter().any(|(_, resource)| !resource.internal) {
            self.budget.call();
            self.cx.wait(ROUND_MS);
        }
        let heads = round.iter().map(|(url, _)| Request::head(url).follow(5).timeout(TIMEOUT_MS));
        let answers = if round.is_empty() { Vec::new() } else { self.cx.web().fetch_many(heads) };
        for ((_, mut resource), answer) in round.into_iter().zip(answers) {
            self.budget.request();
            if let (Err(Failure::Paced(seconds)), true) = (&answer, resource.internal)
                && self.rest(*seconds)
            {
                continue;
            }
            self.point.chosen += 1;
            resource.state = match answer {
                Err(Failure::Paced(_)) => ResourceState::LeftOut,
                Err(Failure::Disallowed) => ResourceState::Robots,
                _ => ResourceState::Checked,
            };
            match answer {
                Ok(answer) => {
                    if resource.internal {
                        let wait = answer.header("retry-after").and_then(retry_after_ms);
                        self.run.0.pace.note(Sign::of_status(answer.status, wait));
                    }
                    describe(&mut resource, &answer);
                }
                Err(Failure::Paced(_) | Failure::Disallowed) => {}
                Err(failure) => {
                    resource.status = Some(0);
                    resource.failure = Some(fetch::name(&failure).to_owned());
                }
            }
            self.settle_resource(resource);
        }
    }

    fn settle_resource(&mut self, resource: Resource) {
        self.budget.row();
        let id = self.id(&resource.url);
        self.resources.insert(id, resource);
    }

    /// Writes what is noted, so that the next question sees it.
    pub(super) fn flush_resources(&mut self) -> Result<()> {
        if self.resources.is_empty() {
            return Ok(());
        }
        let mut noted: Vec<(Id<Resource>, Resource)> =
            self.resources.drain().map(|(id, it)| (Id::new(id), it)).collect();
        noted.sort_by(|a, b| a.1.url.cmp(&b.1.url));
        self.budget.call();
        self.cx.records::<Resource>().put_many_as(noted.iter().map(|(id, it)| (id, it)))?;
        Ok(())
    }
}

/// What the headers of an answer say.
fn describe(resource: &mut Resource, answer: &Response) {
    let header = |name: &str| answer.header(name).map(|value| kit::text::clip(value, 300).to_owned());
    resource.status = Some(answer.status);
    resource.bytes = header("content-length").and_then(|length| length.trim().parse().ok());
    resource.content_type =
        header("content-type").map(|it| it.split(';').next().unwrap_or_default().trim().to_ascii_lowercase());
    resource.cache_control = header("cache-control");
    resource.expires = header("expires");
    resource.etag = header("etag");
    resource.last_modified = header("last-modified");
    resource.content_encoding = header("content-encoding");
    if resource.kind == ResourceKind::Other {
        resource.kind = kind_of("", &resource.url, resource.content_type.as_deref());
    }
}
