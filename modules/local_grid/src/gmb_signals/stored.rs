//! What is stored of a campaign.

use campaign::fulfilment::Near;
use campaign::{State, Turn};
use sdk::prelude::*;

/// A campaign of invitations.
#[record(collection = "signal_campaigns", thing = "campaign", reference = "campaign_ref", index(business, created_ms))]
pub(crate) struct Campaign {
    /// The website.
    pub(crate) site_id: String,
    /// The business.
    pub(crate) business: String,
    /// What invitations call it.
    pub(crate) called: String,
    /// Where invitations lead.
    pub(crate) url: String,
    /// The country of its people, as far as it is known.
    pub(crate) country: Option<String>,
    /// Where it is.
    pub(crate) state: State,
    /// How it came there.
    pub(crate) history: Vec<Turn>,
    /// Results of scans that it stands on.
    pub(crate) sources: Vec<Source>,
    /// Invitations in a day.
    pub(crate) daily_actions: u32,
    /// Days that were quoted.
    pub(crate) duration_days: u32,
    /// Invitations that were quoted.
    pub(crate) actions_total: u32,
    /// The one audience that was asked for; all of the panel without.
    pub(crate) audience_ref: Option<String>,
    /// Where people are asked, with how many weak pins each place stands for.
    pub(crate) places: Vec<Spot>,
    /// Its first day, in days since 1970.
    pub(crate) first_day: i32,
    /// The code of the tracked link, once it is made.
    pub(crate) link: Option<String>,
    /// The address that people get.
    pub(crate) link_url: Option<String>,
    /// Days that have ended, in order.
    #[serde(default)]
    pub(crate) days: Vec<Delivered>,
    /// The job of the day that is going on.
    pub(crate) job_ref: String,
    /// When it was made, in milliseconds since 1970 UTC.
    pub(crate) created_ms: u64,
    /// Why it could not go on.
    pub(crate) trouble: Option<String>,
}

impl Campaign {
    /// Invitations that people have seen.
    pub(crate) fn delivered(&self) -> u32 {
        self.days.iter().map(|it| it.delivered).sum()
    }

    /// Invitations that are still to be delivered.
    pub(crate) fn left(&self) -> u32 {
        self.actions_total.saturating_sub(self.delivered())
    }
}

/// A result of a scan that a campaign stands on.
#[value]
pub(crate) struct Source {
    /// The result.
    pub(crate) source: String,
    /// Its scan.
    pub(crate) run: String,
    /// Its keyword.
    pub(crate) keyword: String,
    /// When its scan ended, in milliseconds since 1970 UTC.
    pub(crate) finished_ms: u64,
}

/// A place where people are asked.
#[value]
pub(crate) struct Spot {
    /// Degrees north, to a hundredth.
    pub(crate) latitude: f64,
    /// Degrees east, to a hundredth.
    pub(crate) longitude: f64,
    /// Around it.
    pub(crate) radius_m: u32,
    /// Weak pins that it stands for.
    pub(crate) pins: u32,
}

impl Spot {
    /// As a panel is told.
    pub(crate) const fn near(&self) -> Near {
        Near { latitude: self.latitude, longitude: self.longitude, radius_m: self.radius_m }
    }
}

/// A day that has ended.
#[value]
pub(crate) struct Delivered {
    /// In days since 1970.
    pub(crate) day: i32,
    /// Invitations that were to be shown.
    pub(crate) planned: u32,
    /// Invitations that people have seen; these are charged.
    pub(crate) delivered: u32,
    /// How many of them each audience got.
    #[serde(default)]
    pub(crate) by_audience: Vec<(String, u32)>,
}

/// What a native key has bought, under a name that is made of the key.
#[record(collection = "signal_keys")]
pub(crate) struct NativeKey {
    /// The campaign.
    pub(crate) campaign: String,
    /// Over all arguments but the key.
    pub(crate) fingerprint: String,
}
