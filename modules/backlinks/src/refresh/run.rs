//! The operation `backlinks.refresh.run`.

use dataforseo::Account;
use sdk::prelude::*;
use sdk::{Every, IsQueued, Planned, json};
use site::Site;

use super::work::{Payload, WHY};
use crate::cadence;
use crate::import::run::none_running;
use crate::stored::{Links, Profile};

/// Whether the refresh goes on by itself.
#[value]
pub(crate) enum Repeat {
    Off,
    Weekly,
    Monthly,
}

#[args]
pub(crate) struct Refresh {
    /// The website.
    site_id: Id<Site>,
    /// At most this many links, the strongest first.
    #[default(5_000)]
    max_links: Count<100, 100_000>,
    /// The most that the provider may be paid, in US dollars.
    cost_cap: Option<Decimal<10, 1_000_000>>,
    /// Whether the refresh is repeated from now on; `off` ends the repetition.
    #[default("off")]
    every: Repeat,
}

/// A refresh that was queued.
#[value]
pub(crate) struct Started {
    /// The job; account.job.get follows it.
    job_ref: Id<Job>,
    /// Always `queued`.
    state: IsQueued,
    /// When it is repeated; null when it is not.
    next_refresh_at: Option<Moment>,
}

/// Fetches backlinks and referring domains of the website through the DataForSEO Backlinks API within a cost cap and marks new and lost ones.
///
/// Links that the provider's index has are merged with those that are stored, and those that it lost since the last refresh too. A
/// link beyond `max_links` is not lost. A request is made only when the mean cost of those before it still fits into `cost_cap`.
#[operation(
    job,
    scope = "seo:execute",
    cost = bulk(most = max_links, unit = "links"),
    queued(step = "refresh"),
    result_operation = "account.job.get",
    side_effects = ["is paid from your DataForSEO account", "stores links", "is repeated unless `every` is `off`"],
    needs = ["store", "jobs", "connection:dataforseo"],
    outside = [
        "dataforseo POST /v3/backlinks/backlinks/live query",
        "dataforseo POST /v3/backlinks/referring_domains/live query",
    ],
    phrasings = ["fetch my backlinks", "update the backlink profile", "get new and lost links from dataforseo"],
    examples = [
        { "site_id": "4503599627370496", "max_links": 1000, "cost_cap": 0.5 },
        { "site_id": "4503599627370496", "every": "monthly" },
    ]
)]
pub(crate) fn run(cx: &Cx, args: Refresh) -> Result<Started> {
    let site = site::get(cx, &args.site_id)?;
    Account::required(cx, "/site_id", WHY)?;
    let mut profile = Links::of(cx, &site.id).profile;
    none_running(cx, &profile)?;
    let name = format!("refresh:{}", site.id);
    let every = match args.every {
        Repeat::Off => None,
        Repeat::Weekly => Some(Every::Week),
        Repeat::Monthly => Some(Every::Month),
    };
    let next_refresh_at = match every {
        None => {
            cx.schedules().remove(&name);
            None
        }
        Some(every) => {
            let again = if matches!(args.every, Repeat::Weekly) { "weekly" } else { "monthly" };
            let arguments =
                json!({ "site_id": site.id, "max_links": args.max_links, "cost_cap": args.cost_cap, "every": again });
            let planned = Planned { operation: "backlinks.refresh.run".to_owned(), arguments: arguments.to_string() };
            cx.schedules().put(&name, cadence::of(&name, every), &[planned], None)?.next.map(Moment::from_millis)
        }
    };
    let payload = Payload {
        site_id: site.id.clone(),
        max_links: u64::try_from(args.max_links.get()).unwrap_or(0),
        cost_cap: args.cost_cap.map(Decimal::get),
        since: profile.refreshed_ms.map(|it| Moment::from_millis(it).day()),
    };
    let job_ref = cx.jobs().enqueue("refresh", &payload)?;
    profile.job_ref = Some(job_ref.clone());
    let id: Id<Profile> = site.id.cast();
    cx.records::<Profile>().put_many_as([(&id, &profile)])?;
    Ok(Started { job_ref, state: IsQueued::Queued, next_refresh_at })
}
