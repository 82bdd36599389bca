//! What this module keeps of campaigns, links, audiences and tasks.

use campaign::fulfilment::TaskState;
use campaign::{State, Turn};
use sdk::prelude::*;

/// A viral organic boost.
#[record(
    collection = "campaigns",
    index(created_ms),
    index(site_id, created_ms),
    index(state, created_ms),
    index(site_id, state, created_ms)
)]
pub(crate) struct Campaign {
    /// The website that it is for.
    pub(crate) site_id: String,
    /// Its domain, as people read it.
    pub(crate) domain: String,
    /// The country whose daytime and language are used.
    pub(crate) country: Option<String>,
    /// When it was bought, in milliseconds since 1970 UTC.
    pub(crate) created_ms: u64,
    /// Where it is.
    pub(crate) state: State,
    /// How it came there.
    pub(crate) timeline: Vec<Turn>,
    /// What was asked for.
    pub(crate) terms: Terms,
    /// The job that prepares the links, and whose end charges for those that are ready.
    pub(crate) prepare_job: String,
    /// The job that delivers.
    pub(crate) deliver_job: Option<String>,
    /// The day that is being delivered, as it is counted where the people live.
    pub(crate) today: Option<Today>,
    /// The first day of delivery.
    pub(crate) first_day: Option<Day>,
    /// Links that became ready.
    pub(crate) links_ready: u32,
    /// People still to be invited.
    pub(crate) left: u32,
    /// People whom the campaign reached.
    pub(crate) delivered: u64,
    /// People who accepted; only panels say.
    pub(crate) accepted: u64,
    /// People who declined; only panels say.
    pub(crate) declined: u64,
    /// Visits, as they were counted last; none while fewer than five people came.
    pub(crate) visits: Option<u64>,
    /// Credits that went back, in thousandths.
    pub(crate) refunded_milli: u64,
    /// What went wrong, the newest last; at most 50.
    pub(crate) problems: Vec<Problem>,
}

/// What a campaign is bought by: the terms of its quote.
#[value]
pub(crate) struct Terms {
    /// The website.
    pub(crate) site_id: String,
    /// The addresses, as given.
    pub(crate) urls: Vec<String>,
    /// For how many days it is planned.
    pub(crate) duration_days: u32,
    /// People to invite on a day.
    pub(crate) daily_actions: u32,
    /// Whom to invite; empty: every usable audience of the website, and of a panel.
    pub(crate) audience_refs: Vec<String>,
    /// The campaign's own words.
    pub(crate) message: Option<String>,
    /// Thousandths of a credit for one link.
    pub(crate) per_url_milli: u64,
}

/// The plan of one day.
#[value]
pub(crate) struct Today {
    /// Which.
    pub(crate) day: Day,
    /// Invitations that were planned for it.
    pub(crate) planned: u32,
    /// Up to when its plan was followed.
    pub(crate) until: Moment,
}

/// Something that went wrong, for the customer to read.
#[value]
pub(crate) struct Problem {
    /// A stable word.
    pub(crate) code: String,
    /// In a sentence.
    pub(crate) message: String,
    /// The address that it is about.
    pub(crate) url: Option<String>,
    /// When.
    pub(crate) at: Moment,
}

impl Campaign {
    /// Turns to the next state.
    pub(crate) fn turn(&mut self, next: State, at: Moment) -> Result<()> {
        campaign::turn(&mut self.state, &mut self.timeline, next, at)
    }

    /// Notes what went wrong. The same once more in a row is not noted again.
    pub(crate) fn problem(&mut self, code: &str, message: &str, url: Option<&str>, at: Moment) {
        let same = |it: &Problem| it.code == code && it.url.as_deref() == url;
        if self.problems.last().is_some_and(same) {
            return;
        }
        if self.problems.len() >= 50 {
            self.problems.remove(0);
        }
        let (code, message, url) = (code.to_owned(), message.to_owned(), url.map(str::to_owned));
        self.problems.push(Problem { code, message, url, at });
    }

    /// Invitations that the whole campaign plans.
    pub(crate) fn planned(&self) -> u32 {
        self.terms.daily_actions * self.terms.duration_days
    }
}

/// Where the preparation of a link is.
#[value]
pub(crate) enum Preparation {
    /// It leads to its target.
    Ready,
    /// Its target did not answer.
    Failed,
}

/// Where the charge for a link is.
#[value]
pub(crate) enum Charge {
    /// Held back until its preparation has ended.
    Reserved,
    /// Charged: the link became ready.
    Charged,
    /// Given back: the link did not become ready.
    Released,
    /// Charged, and given back: nothing of it was delivered.
    Refunded,
    /// A link outside campaigns costs nothing.
    Free,
}

/// A tracked link, of a campaign or for own sharing.
#[record(collection = "links", index(campaign, seq), index(site_id, created_ms))]
pub(crate) struct Link {
    /// The website.
    pub(crate) site_id: String,
    /// The campaign; empty for own sharing.
    pub(crate) campaign: String,
    /// Its place in the campaign, from 0.
    pub(crate) seq: u32,
    /// When it was made, in milliseconds since 1970 UTC.
    pub(crate) created_ms: u64,
    /// The page that people are invited to.
    pub(crate) target: String,
    /// Whether it belongs to the website's domain.
    pub(crate) own: bool,
    /// The code of the redirect; none when there is none.
    pub(crate) code: Option<String>,
    /// What is given to people.
    pub(crate) short_url: Option<String>,
    /// Where its preparation is.
    pub(crate) state: Preparation,
    /// How the target answered: a status, or a word for why it did not.
    pub(crate) answered: String,
    /// Where its charge is.
    pub(crate) charge: Charge,
    /// People whose invitation was handed over.
    pub(crate) asked: u64,
    /// People who were reached with it.
    pub(crate) delivered: u64,
}

/// How an own audience is reached.
#[value]
pub(crate) enum Channel {
    /// Readers of a newsletter.
    Newsletter,
    /// Members of a community.
    Community,
    /// Followers of an own account.
    Social,
    /// People who work there.
    Staff,
    /// A panel of the customer's own.
    Panel,
}

/// An own audience of people who opted in.
#[record(collection = "audiences", index(created_ms), index(site_id, created_ms), index(site_id, name))]
pub(crate) struct Audience {
    /// The website.
    pub(crate) site_id: String,
    /// What the customer calls it; once for each website.
    pub(crate) name: String,
    /// When it was registered, in milliseconds since 1970 UTC.
    pub(crate) created_ms: u64,
    /// How its people are reached.
    pub(crate) channel: Channel,
    /// How many people.
    pub(crate) size: u64,
    /// What they agreed to, and how.
    pub(crate) consent_basis: String,
    /// Where the wording stands that they agreed to.
    pub(crate) consent_url: Option<String>,
    /// When that page was found to answer; none: it never was.
    pub(crate) proven_at: Option<Moment>,
    /// What they read about who pays; none: the standard words.
    pub(crate) disclosure: Option<String>,
    /// Invitations that one person gets in seven days at most.
    pub(crate) max_per_week: u32,
    /// What they like to hear of.
    pub(crate) topics: Vec<String>,
}

/// Invitations of one hour to one audience for one link.
#[record(collection = "tasks", index(campaign, day), index(campaign, open, day), index(audience_ref, day))]
pub(crate) struct Task {
    /// The campaign.
    pub(crate) campaign: String,
    /// The day, as days since 1970-01-01.
    pub(crate) day: i32,
    /// When it was handed over.
    pub(crate) at: Moment,
    /// Whom it invites.
    pub(crate) audience_ref: String,
    /// Whether a panel delivers it; else it stands ready for the audience's owner.
    pub(crate) panel: bool,
    /// The link, by its place in the campaign.
    pub(crate) link: u32,
    /// How many people.
    pub(crate) quantity: u32,
    /// The panel's reference.
    pub(crate) task_ref: Option<String>,
    /// Where it is.
    pub(crate) state: TaskState,
    /// 1 while something may still come of it, so that it can be asked for.
    pub(crate) open: u8,
    /// What people read, and who pays for it.
    pub(crate) text: String,
    /// Who pays for it.
    pub(crate) disclosure: String,
    /// People who were reached.
    pub(crate) delivered: u32,
    /// People who accepted.
    pub(crate) accepted: u32,
    /// People who declined.
    pub(crate) declined: u32,
}
