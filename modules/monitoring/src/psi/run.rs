//! The operation `monitoring.psi.run`.

use sdk::IsQueued;
use sdk::prelude::*;
use site::Site;

use super::stored::Strategy;
use super::work::Payload;
use crate::crux::ask::NEED;

/// What is measured as.
#[value]
pub(crate) enum Strategies {
    Mobile,
    Desktop,
    Both,
}

#[args]
pub(crate) struct Run {
    /// Public pages.
    urls: List<Url, 1, 50>,
    #[default("mobile")]
    strategy: Strategies,
    /// The website that results are stored for; that of each address when left out.
    site_id: Option<Id<Site>>,
}

/// Runs that were queued.
#[value]
pub(crate) struct Started {
    /// The job; account.job.get follows it.
    job_ref: Id<Job>,
    /// Always `queued`.
    state: IsQueued,
    /// Runs of Lighthouse.
    runs: u64,
}

/// Runs PageSpeed Insights for up to 50 URLs on mobile or desktop and stores Lighthouse scores, lab metrics, field data and the opportunities with byte and time savings.
///
/// A run takes 10 to 60 seconds at Google. Laboratory figures vary from run to run; monitoring.psi.result.list says which changes are
/// more than that. Results of addresses that are of none of your websites are in the job's result alone.
#[operation(
    job,
    scope = "seo:execute",
    cost = live(most = 100),
    queued(step = "psi"),
    result_operation = "account.job.get",
    side_effects = ["uses the quota of your Google API key", "stores the results"],
    needs = ["store", "jobs", "connection:pagespeed"],
    outside = ["pagespeed GET /pagespeedonline/v5/runPagespeed"],
    phrasings = ["run pagespeed insights", "lighthouse score of my pages", "why is my page slow", "measure page speed"],
    examples = [
        { "urls": ["https://shop.example/", "https://shop.example/lamps"] },
        { "urls": ["https://shop.example/"], "strategy": "both", "site_id": "4503599627370496" },
    ]
)]
pub(crate) fn run(cx: &Cx, args: Run) -> Result<Answer<Started>> {
    let site = args.site_id.as_ref().map(|it| site::get(cx, it)).transpose()?;
    if let Some(site) = &site {
        site::all_own(site, &args.urls)?;
    }
    cx.connections().required(NEED, "/urls", "pages are measured by PageSpeed Insights")?;
    let strategies: &[Strategy] = match args.strategy {
        Strategies::Mobile => &[Strategy::Mobile],
        Strategies::Desktop => &[Strategy::Desktop],
        Strategies::Both => &[Strategy::Mobile, Strategy::Desktop],
    };
    let mut runs: Vec<(String, Strategy)> = Vec::new();
    for url in args.urls.iter() {
        for strategy in strategies {
            let run = (url.to_string(), *strategy);
            if !runs.contains(&run) {
                runs.push(run);
            }
        }
    }
    let count = runs.len() as u64;
    let payload = Payload {
        site_id: site.map(|it| it.id),
        urls: runs.iter().map(|it| it.0.clone()).collect(),
        strategies: runs.iter().map(|it| it.1).collect(),
    };
    let job_ref = cx.jobs().enqueue("psi", &payload)?;
    Ok(Answer::new(Started { job_ref, state: IsQueued::Queued, runs: count }).units(count))
}
