//! The operation `backlinks.gap.analyze`.

use sdk::prelude::*;
use sdk::{IsQueued, Need, json};
use site::Site;

use super::work::Payload;
use crate::stored::Links;
use crate::subject::subject;

/// Where links of competitors come from.
#[value]
pub(crate) enum Source {
    /// DataForSEO where it is connected, else what is imported.
    Auto,
    /// What backlinks.import.run imported with `of`.
    Imported,
    /// DataForSEO's Backlinks API.
    Provider,
}

#[args]
pub(crate) struct Analyze {
    /// The website.
    site_id: Id<Site>,
    /// The competitors.
    competitors: List<Domain, 1, 5>,
    /// Competitors that a domain must link to.
    #[default(2)]
    min_competitors: Count<1, 5>,
    /// Where their links come from.
    #[default("auto")]
    source: Source,
    /// At most this many domains.
    #[default(500)]
    max: Count<10, 2_000>,
    /// The most that the provider may be paid, in US dollars.
    cost_cap: Option<Decimal<10, 1_000_000>>,
}

/// An analysis that was queued.
#[value]
pub(crate) struct Started {
    /// The job; account.job.get follows it.
    job_ref: Id<Job>,
    /// Always `queued`.
    state: IsQueued,
    /// Whether a provider is asked.
    asks_provider: bool,
}

/// Finds domains linking to two or more competitors but not to the website, from imported profiles or DataForSEO, ranked by competitors linked and rating.
///
/// A domain of which a link to the website is stored is left out. With imported profiles each domain is shown with pages that link;
/// the provider tells domains alone. Directories link to everybody: look at a domain before writing to it.
#[operation(
    job,
    scope = "seo:analyze",
    cost = bulk(most = max, unit = "domains"),
    queued(step = "gap"),
    result_operation = "account.job.get",
    side_effects = ["may be paid from your DataForSEO account"],
    needs = ["store", "jobs", "connection:dataforseo?"],
    outside = ["dataforseo POST /v3/backlinks/domain_intersection/live query"],
    phrasings = ["who links to my competitors but not to me", "link gap analysis", "backlink intersect"],
    examples = [
        { "site_id": "4503599627370496", "competitors": ["brass-lamps.example", "lumen.example"] },
        { "site_id": "4503599627370496", "competitors": ["brass-lamps.example"], "min_competitors": 1, "source": "imported" },
    ]
)]
pub(crate) fn analyze(cx: &Cx, args: Analyze) -> Result<Answer<Started>> {
    let site = site::get(cx, &args.site_id)?;
    let mut competitors: Vec<String> = Vec::new();
    for (at, it) in args.competitors.iter().enumerate() {
        let pointer = format!("/competitors/{at}");
        let subject = subject(cx, &site.id, Some(it.as_str())).map_err(|fault| fault.at(&pointer))?;
        if competitors.contains(&subject.site.domain) {
            let message = format!("{} stands twice", subject.site.domain);
            return Err(Fault::invalid(&pointer, "competitor_twice", message));
        }
        competitors.push(subject.site.domain);
    }
    let least = usize::try_from(args.min_competitors.get()).unwrap_or(1);
    if least > competitors.len() {
        let message = format!("no domain links to {least} of {} competitors; ask for fewer", competitors.len());
        return Err(Fault::invalid("/min_competitors", "too_many_competitors", message));
    }
    let is_connected = !cx.connections().of("dataforseo").is_empty();
    let asks_provider = match args.source {
        Source::Auto => is_connected,
        Source::Imported => false,
        Source::Provider => {
            cx.connections().required(Need::DATAFORSEO, "/source", super::work::WHY)?;
            true
        }
    };
    if !asks_provider {
        let mut missing = Vec::new();
        for (at, domain) in competitors.iter().enumerate() {
            let links = Links::of(cx, &subject(cx, &site.id, Some(domain))?.id);
            if links.profile.links == 0 {
                missing.push((at, domain.clone()));
            }
        }
        if let Some((at, domain)) = missing.first() {
            let message = format!("no links to {domain} are imported; import them, or connect DataForSEO");
            let import = sdk::Fix::new("backlinks.import.run", json!({ "site_id": site.id, "of": domain }));
            let fault = Fault::conflict("links_not_imported", message).at(format!("/competitors/{at}"));
            return Err(fault.detail(json!(import)));
        }
    }
    let max = u64::try_from(args.max.get()).unwrap_or(0);
    let payload = Payload {
        site_id: site.id.clone(),
        competitors,
        least: least as u64,
        asks_provider,
        max,
        cost_cap: args.cost_cap.map(Decimal::get),
    };
    let job_ref = cx.jobs().enqueue("gap", &payload)?;
    Ok(Answer::new(Started { job_ref, state: IsQueued::Queued, asks_provider }).units(max))
}
