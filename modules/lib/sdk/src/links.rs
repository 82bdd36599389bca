//! Tracked redirects at the host's own address, and who followed them as far as that may be known.

use crate::bindings::wit::{links as wit, links_write as write};
use crate::host::Edges as _;
use crate::value::{Day, Moment, Url};
use crate::{Cx, Fault, Result};

/// A coarse class of device.
pub use crate::bindings::wit::links::Device;
/// One request for a link: when, a name of the visitor for that day, and what tells people from programs.
pub use crate::bindings::wit::links::Hit;
/// Hits, and where they go on.
pub use crate::bindings::wit::links::HitsPage;
/// A link: its code, address, target, context and state.
pub use crate::bindings::wit::links::Link;
/// Whether a link leads to its target; `Expired` is for good.
pub use crate::bindings::wit::links::State as LinkState;

/// A link that is to be made.
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub struct Redirect(write::Redirect);

impl Redirect {
    /// Leads to a public page.
    pub fn to(target: &Url) -> Self {
        Self(write::Redirect {
            target: target.as_str().to_owned(),
            context: String::new(),
            code: None,
            keep_query: false,
            expires: None,
        })
    }

    /// The module's own reference, at most 200 bytes.
    pub fn context(mut self, context: &str) -> Self {
        context.clone_into(&mut self.0.context);
        self
    }

    /// A code of one's own: 4 to 64 letters, digits, `-` and `_`.
    pub fn code(mut self, code: &str) -> Self {
        self.0.code = Some(code.to_owned());
        self
    }

    /// A visitor's query goes on to the target.
    pub fn keep_query(mut self) -> Self {
        self.0.keep_query = true;
        self
    }

    /// Leads there until this moment.
    pub fn until(mut self, expires: Moment) -> Self {
        self.0.expires = Some(expires.millis());
        self
    }
}

/// What a link was asked for in one UTC day. The last three are not among the visits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinkDay {
    /// Which day.
    pub day: Day,
    /// Requests that are none of the following.
    pub visits: u64,
    /// Something looked where the link leads.
    pub probes: u64,
    /// Fetched ahead by a browser or a proxy.
    pub prefetches: u64,
    /// Programs that say what they are.
    pub agents: u64,
}

/// The links. Made by `Cx::links`.
pub struct Links<'a> {
    pub(crate) cx: &'a Cx,
}

impl Links<'_> {
    /// Makes a link; committed with the call. 409 `code_taken` when somebody has the code.
    pub fn create(&self, redirect: &Redirect) -> Result<Link> {
        self.cx.host.link_create(&redirect.0).map_err(fault)
    }

    /// The link with this code; 404 `link_not_found` without one.
    pub fn get(&self, code: &str) -> Result<Link> {
        self.find(code).ok_or_else(|| fault(write::LinkError::Missing))
    }

    /// The link with this code, if there is one of this module.
    pub fn find(&self, code: &str) -> Option<Link> {
        self.cx.host.link_get(code)
    }

    /// Sets whether a link leads to its target. 409 `link_expired` for one that is expired.
    pub fn set_state(&self, code: &str, state: LinkState) -> Result<()> {
        self.cx.host.link_set_state(code, state).map_err(fault)
    }

    /// Counts by UTC day, from one to another, both included.
    pub fn days(&self, code: &str, from: Day, to: Day) -> Vec<LinkDay> {
        let number = |day: Day| u32::try_from(day.since_epoch()).unwrap_or(0);
        let shown = |it: wit::Day| LinkDay {
            day: Day::from_epoch(i32::try_from(it.day).unwrap_or(i32::MAX)),
            visits: it.visits,
            probes: it.probes,
            prefetches: it.prefetches,
            agents: it.agents,
        };
        self.cx.host.link_days(code, number(from), number(to)).into_iter().map(shown).collect()
    }

    /// Single hits, the oldest first; `after` is the `next` of an earlier page.
    pub fn hits(&self, code: &str, after: Option<&str>, limit: u32) -> HitsPage {
        self.cx.host.link_hits(code, after, limit)
    }
}

fn fault(error: write::LinkError) -> Fault {
    match error {
        write::LinkError::Malformed(reason) => Fault::refused("link_refused", reason),
        write::LinkError::Taken => Fault::conflict("code_taken", "somebody has this code; choose another one"),
        write::LinkError::Missing => Fault::not_found("link_not_found", "there is no such link"),
        write::LinkError::Expired => Fault::conflict("link_expired", "the link has expired, and that is for good"),
    }
}
