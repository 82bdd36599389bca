//! How far the customer has come, in the few facts that the first steps ask for.

use kit::crawled::RunState;
use sdk::PlatformQuestion;
use sdk::prelude::*;
use search::SearchType;

use crate::known::Audit;
use crate::platform::account::{Account, Connected};
use crate::platform::balance::Balance;
use site::{Run, Site};

/// The most websites that are looked at, the oldest first.
const SITES: u64 = 100;
/// The newest crawls and audits of a website that are looked at.
const RECENT: u64 = 10;

/// How far the customer has come.
pub(super) struct State {
    /// Whether the account is activated.
    pub(super) activated: bool,
    /// Thousandths of a credit that can be spent.
    pub(super) credits_milli: i64,
    /// The website that the next step is for.
    pub(super) site: Option<Id<Site>>,
    /// The name of that website.
    pub(super) domain: Option<String>,
    /// Whether it is proven to be the customer's.
    pub(super) verified: bool,
    /// Whether figures of Search Console were imported.
    pub(super) synced: bool,
    /// A crawl that has ended.
    pub(super) crawled: Option<Id<Run>>,
    /// Whether a crawl is on its way.
    pub(super) crawling: bool,
    /// Whether an audit has ended.
    pub(super) audited: bool,
    /// Whether an audit is on its way.
    pub(super) auditing: bool,
    /// How a connection to Search Console does.
    pub(super) search_console: Option<String>,
    /// How a connection to a mail server does.
    pub(super) mail: Option<String>,
}

impl State {
    /// Looks at one website, or at all.
    pub(super) fn read(cx: &Cx, only: Option<&Id<Site>>) -> Result<Self> {
        let account: Account = cx.platform().ask(&PlatformQuestion::Account)?;
        let balance: Balance = cx.platform().ask(&PlatformQuestion::Balance)?;
        let connected: Connected = cx.platform().ask(&PlatformQuestion::Connected)?;
        let of_kind = |kind: &str| {
            let mut states = connected.connections.iter().filter(|it| it.kind == kind).map(|it| it.state.clone());
            // One that works counts before one that does not.
            let first = states.next();
            states.find(|it| works(it)).or(first)
        };
        let sites = match only {
            Some(id) => vec![cx.records::<Site>().get(id)?],
            None => cx.records::<Site>().by("order").page(SITES, None)?.items,
        };
        let is_verified = |site: &Stored<Site>| site.verification.as_ref().is_some_and(|it| it.verified);
        let verified = sites.iter().find(|site| is_verified(site));
        let next = verified.or_else(|| sites.first());
        let mut state = Self {
            activated: account.activated_at.is_some(),
            credits_milli: balance.credits_milli,
            site: next.map(|site| site.id.clone()),
            domain: next.map(|site| site.domain.clone()),
            verified: verified.is_some(),
            synced: false,
            crawled: None,
            crawling: false,
            audited: false,
            auditing: false,
            search_console: of_kind("google_search_console"),
            mail: of_kind("smtp"),
        };
        // What comes next is for the website of the steps before, so that one is looked at first.
        let rest = sites.iter().map(|site| &site.id).filter(|id| state.site.as_ref() != Some(id));
        let ordered: Vec<&Id<Site>> = next.iter().map(|site| &site.id).chain(rest).collect();
        for id in ordered {
            if state.audited && state.synced && state.crawled.is_some() {
                break;
            }
            state.look_at(cx, id)?;
        }
        Ok(state)
    }

    fn look_at(&mut self, cx: &Cx, site: &Id<Site>) -> Result<()> {
        let runs = cx.records::<Run>().by("site_id").equals(site).descending().page(RECENT, None)?.items;
        let crawls = || runs.iter().filter(|run| run.0.kind.is_crawl() && !run.0.deleting);
        let ended = crawls().find(|run| run.0.is_readable());
        self.crawling |= crawls().any(|run| matches!(run.0.state, RunState::Queued | RunState::Running));
        self.crawled = self.crawled.take().or_else(|| ended.map(|run| run.id.clone()));
        let audits = cx.records::<Audit>().by("site_id_created_ms").equals(site).descending().page(RECENT, None)?.items;
        self.synced |= search::last_day(cx, site, SearchType::Web).is_some();
        self.audited |= audits.iter().any(|audit| audit.state == "succeeded");
        self.auditing |= audits.iter().any(|audit| audit.state != "succeeded");
        Ok(())
    }
}

/// Whether a connection can be used as far as anybody knows.
pub(super) fn works(state: &str) -> bool {
    matches!(state, "ok" | "untested")
}
