//! The operation `keywords.gap.analyze`.

use dataforseo::{Account, Market};
use sdk::JobState;
use sdk::prelude::*;
use site::Site;

use super::work::Payload;
use crate::market::WHY;

#[args]
pub(crate) struct Analyze {
    /// The website, as listed.
    site_id: Id<Site>,
    /// Competitors by domain.
    competitors: List<Domain, 1, 5>,
    /// The country.
    country: Country,
    /// The language.
    language: Language,
    /// Keywords of all competitors together; each row costs at the provider.
    #[default(1_000)]
    limit: Count<10, 5_000>,
    /// US dollars at the provider after which no more is asked.
    cost_cap: Option<Decimal<10, 1_000_000>>,
}

/// A job that was queued.
#[value]
pub(crate) struct Started {
    /// The job; account.job.get follows it.
    job_ref: Id<Job>,
    /// Always `queued`.
    state: JobState,
}

/// Finds keywords where up to five competitors rank and the website does not or ranks far lower, through DataForSEO Labs, grouped into clusters with effort class.
///
/// `missing` are keywords for which a competitor ranks and the website does not; `weak` those where it is beyond place 20, or
/// ten places behind. A keyword of several competitors is told once.
#[operation(
    job,
    scope = "seo:execute",
    cost = bulk(most = limit, unit = "keywords"),
    queued(step = "gap"),
    result_operation = "account.job.get",
    side_effects = ["spends credit of your DataForSEO account"],
    needs = ["store", "jobs", "connection:dataforseo"],
    outside = ["dataforseo POST /v3/dataforseo_labs/google/domain_intersection/live query"],
    phrasings = ["keyword gap analysis", "which keywords do competitors rank for and I do not", "content gap", "keywords my rivals have"],
    examples = [{ "site_id": "4503599627370496", "competitors": ["rival.example"], "country": "GB", "language": "en" }]
)]
pub(crate) fn analyze(cx: &Cx, args: Analyze) -> Result<Started> {
    let site = site::get(cx, &args.site_id)?;
    Market::of_labs(args.country, &args.language)?;
    Account::required(cx, "/competitors", WHY)?;
    for (at, rival) in args.competitors.iter().enumerate() {
        let own = site.domain.trim_start_matches("www.");
        if rival.as_str() == own {
            let message = "this is the website itself";
            return Err(Fault::invalid(format!("/competitors/{at}"), "own_domain", message));
        }
    }
    let payload = Payload {
        site_id: site.id.clone(),
        competitors: args.competitors.into_vec(),
        country: args.country,
        language: args.language,
        limit: args.limit.into(),
        cost_cap: args.cost_cap.map(Decimal::get),
    };
    Ok(Started { job_ref: cx.jobs().enqueue("gap", &payload)?, state: JobState::Queued })
}
