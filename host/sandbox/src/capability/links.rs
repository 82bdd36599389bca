//! `links` and `links-write`: tracked redirects. The target is fixed when the link is created and never comes from a
//! visitor.

use model::clock::Moment;
use store::edges::hits::{Hit, LinkDay};
use store::edges::links::{LinkState, LinkView};
use store::{RecordsError, Redirect};
use url::Url;

use crate::bindings::{links, links_write};
use crate::capability::since_1970;
use crate::state::State;

const MOST_TARGET: usize = 2_048;
/// Bytes of the context, the module's own reference.
const MOST_CONTEXT: usize = 200;

type Outcome<T> = wasmtime::Result<Result<T, links_write::LinkError>>;

impl links::Host for State {
    async fn get(&mut self, code: String) -> wasmtime::Result<Option<links::Link>> {
        self.enter()?;
        let link = self.span.bound(self.workspace.link(&code)).await;
        Ok(self.known(link)?.ok().flatten().map(|link| self.shown_link(link)))
    }

    async fn days(&mut self, code: String, from: u32, to: u32) -> wasmtime::Result<Vec<links::Day>> {
        self.enter()?;
        let days = self.span.bound(self.workspace.link_days(&code, i64::from(from), i64::from(to))).await;
        Ok(self.known(days)?.unwrap_or_default().into_iter().map(shown_day).collect())
    }

    async fn hits(&mut self, code: String, after: Option<String>, limit: u32) -> wasmtime::Result<links::HitsPage> {
        self.enter()?;
        let page = self.span.bound(self.workspace.link_hits(&code, after.as_deref(), limit)).await;
        Ok(match self.known(page)? {
            Ok(page) => links::HitsPage { hits: page.hits.into_iter().map(shown_hit).collect(), next: page.next },
            Err(_) => links::HitsPage { hits: Vec::new(), next: None },
        })
    }
}

impl links_write::Host for State {
    async fn create(&mut self, redirect: links_write::Redirect) -> Outcome<links::Link> {
        self.enter_changing()?;
        let redirect = match checked(redirect, &self.edges.public_url, self.now) {
            Ok(redirect) => redirect,
            Err(reason) => return Ok(Err(links_write::LinkError::Malformed(reason.to_owned()))),
        };
        let made = self.span.bound(self.workspace.create_link(redirect)).await;
        Ok(self.known(made)?.map(|link| self.shown_link(link)).map_err(|error| match error {
            RecordsError::Conflict => links_write::LinkError::Taken,
            error => links_write::LinkError::Malformed(error.to_string()),
        }))
    }

    async fn set_state(&mut self, code: String, state: links::State) -> Outcome<()> {
        self.enter_changing()?;
        let state = match state {
            links::State::Active => LinkState::Active,
            links::State::Paused => LinkState::Paused,
            links::State::Expired => LinkState::Expired,
        };
        let set = self.span.bound(self.workspace.set_link(&code, state)).await;
        Ok(self.known(set)?.map_err(|error| match error {
            RecordsError::Conflict => links_write::LinkError::Expired,
            _ => links_write::LinkError::Missing,
        }))
    }
}

impl State {
    fn shown_link(&self, link: LinkView) -> links::Link {
        links::Link {
            url: self.edges.link(&link.code),
            code: link.code,
            target: link.target,
            context: link.context,
            state: match link.state {
                LinkState::Active => links::State::Active,
                LinkState::Paused => links::State::Paused,
                LinkState::Expired => links::State::Expired,
            },
            created: since_1970(link.created),
            expires: link.expires.map(since_1970),
        }
    }
}

/// Validates a redirect, or says why it cannot become a link.
fn checked(redirect: links_write::Redirect, public_url: &str, now: Moment) -> Result<Redirect, &'static str> {
    if redirect.context.len() > MOST_CONTEXT {
        return Err("a context has at most 200 bytes");
    }
    if redirect.code.as_deref().is_some_and(|code| !is_a_code(code)) {
        return Err("a code has 4 to 64 letters, digits, - and _");
    }
    let expires = redirect.expires.map(|moment| Moment(i64::try_from(moment).unwrap_or(i64::MAX)));
    if expires.is_some_and(|expires| expires <= now) {
        return Err("a link ends in the future");
    }
    let target = target(&redirect.target)
        .ok_or("a target is an absolute http or https address without a user part, of at most 2,048 bytes")?;
    // A link to this service could form a loop or hide the real target.
    if Url::parse(public_url).is_ok_and(|own| own.origin() == target.origin()) {
        return Err("a target is not an address of this service");
    }
    Ok(Redirect {
        target: target.into(),
        context: redirect.context,
        code: redirect.code,
        keeps_query: redirect.keep_query,
        expires,
    })
}

/// Parses a target as browsers do (WHATWG URL), so that the address that was checked is the one that is followed.
fn target(text: &str) -> Option<Url> {
    // Before it is parsed. What is longer does not become short enough.
    if text.len() > 2 * MOST_TARGET {
        return None;
    }
    let url = Url::parse(text).ok()?;
    let is_web = matches!(url.scheme(), "http" | "https") && url.host_str().is_some_and(|host| !host.is_empty());
    let is_plain = url.username().is_empty() && url.password().is_none();
    (is_web && is_plain && url.as_str().len() <= MOST_TARGET).then_some(url)
}

fn is_a_code(code: &str) -> bool {
    (4..=64).contains(&code.len()) && code.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'-' || it == b'_')
}

fn shown_day(day: LinkDay) -> links::Day {
    let LinkDay { day, visits, probes, prefetches, agents } = day;
    links::Day { day: u32::try_from(day).unwrap_or(0), visits, probes, prefetches, agents }
}

fn shown_hit(hit: Hit) -> links::Hit {
    links::Hit {
        at: since_1970(hit.at),
        visitor: hit.visitor,
        device: match hit.device.as_str() {
            "desktop" => links::Device::Desktop,
            "mobile" => links::Device::Mobile,
            "tablet" => links::Device::Tablet,
            "program" => links::Device::Program,
            _ => links::Device::Other,
        },
        head: hit.signs.head,
        prefetch: hit.signs.prefetch,
        agent: hit.signs.agent,
        bare: hit.signs.bare,
        referrer: hit.referrer,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &str = "https://espalier.example";
    const NOW: Moment = Moment(1_790_000_000_000);

    fn to(target: &str) -> Result<Redirect, &'static str> {
        let (target, context) = (target.to_owned(), String::new());
        checked(links_write::Redirect { target, context, code: None, keep_query: false, expires: None }, OWN, NOW)
    }

    #[test]
    fn a_target_is_an_absolute_web_address_and_is_kept_as_a_browser_reads_it() {
        assert_eq!(to("HTTPS://Shop.Example/a b?q=1#part").unwrap().target, "https://shop.example/a%20b?q=1#part");
        assert_eq!(to("http://shop.example").unwrap().target, "http://shop.example/");
    }

    #[test]
    fn what_is_no_web_address_is_refused() {
        for target in [
            "",
            "/relative",
            "//shop.example/",
            "javascript:alert(1)",
            "data:text/html,hi",
            "ftp://shop.example/",
            "https://user@shop.example/",
            "https://:secret@shop.example/",
            "https://",
            "mailto:a@shop.example",
        ] {
            assert!(to(target).is_err(), "{target}");
        }
        assert!(to(&format!("https://shop.example/{}", "a".repeat(2_048))).is_err());
    }

    #[test]
    fn a_link_never_leads_back_to_this_service() {
        assert!(to("https://espalier.example/l/other").is_err());
        assert!(to("https://ESPALIER.example:443/").is_err());
        assert!(to("https://espalier.example.evil.example/").is_ok());
    }

    #[test]
    fn a_code_of_ones_own_has_letters_digits_and_two_signs() {
        for code in ["spring", "Spring_26-a", "abcd"] {
            assert!(is_a_code(code), "{code}");
        }
        for code in ["abc", "a/../b", "späti", "a b c", "abcd%00", "", "a.bcd"] {
            assert!(!is_a_code(code), "{code}");
        }
    }
}
