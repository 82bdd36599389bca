//! The operation `backlinks.prospect.find`.

use dataforseo::Account;
use sdk::IsQueued;
use sdk::prelude::*;
use site::Site;

use super::kinds::Kind;
use super::work::Payload;
use crate::searching::WHY;

#[args]
pub(crate) struct Find {
    /// The website.
    site_id: Id<Site>,
    /// What kind of page is wanted.
    #[serde(rename = "type")]
    kind: Kind,
    /// What the pages are about.
    topic: Text<2, 120>,
    /// The country that is searched from; that of the website when left out.
    country: Option<Country>,
    /// The language that is searched in.
    #[default("en")]
    language: Language,
    /// At most this many prospects.
    #[default(100)]
    max: Count<10, 500>,
    /// Domains that are left out, such as competitors.
    exclude: Option<List<Domain, 1, 50>>,
    /// The most that the provider may be paid, in US dollars.
    cost_cap: Option<Decimal<10, 1_000_000>>,
}

/// A search that was queued.
#[value]
pub(crate) struct Started {
    /// The job; account.job.get follows it.
    job_ref: Id<Job>,
    /// Always `queued`.
    state: IsQueued,
    /// What is searched for.
    searches: Vec<String>,
}

/// Finds link prospects of a type (resource page, broken-link replacement, guest guideline, directory, statistics citer, supplier) through search patterns, fetched and scored for topic fit.
///
/// Pages are read, as their robots.txt allows, and kept when they are of the type: a resource page links to ten other websites in its
/// main part, one for broken links has dead ones among them, a guest guideline says so. Domains that link to the website already are
/// left out. Searches use operators, for which DataForSEO takes five times its price.
#[operation(
    job,
    scope = "seo:execute",
    cost = bulk(most = max, unit = "pages"),
    queued(step = "find"),
    result_operation = "account.job.get",
    side_effects = ["is paid from your DataForSEO account", "fetches pages of other websites", "stores the prospects"],
    needs = ["web", "store", "jobs", "connection:dataforseo"],
    outside = ["dataforseo POST /v3/serp/google/organic/live/advanced query"],
    phrasings = ["find link building opportunities", "find resource pages about a topic", "find guest post sites", "broken link building"],
    examples = [
        { "site_id": "4503599627370496", "type": "resource", "topic": "desk lamps", "country": "GB" },
        { "site_id": "4503599627370496", "type": "broken", "topic": "lighting design", "country": "US", "max": 50, "cost_cap": 1 },
    ]
)]
pub(crate) fn find(cx: &Cx, args: Find) -> Result<Answer<Started>> {
    let site = site::get(cx, &args.site_id)?;
    Account::required(cx, "/site_id", WHY)?;
    let Some(country) = args.country.or_else(|| site.country.as_deref()?.parse().ok()) else {
        let message = "say the country that is searched from; the website has none";
        return Err(Fault::invalid("/country", "country_required", message));
    };
    let max = u64::try_from(args.max.get()).unwrap_or(0);
    let payload = Payload {
        site_id: site.id.clone(),
        kind: args.kind,
        topic: args.topic.as_str().to_owned(),
        country,
        language: args.language.clone(),
        max,
        exclude: args
            .exclude
            .iter()
            .flat_map(|it| it.iter())
            .map(|it| crate::link::registrable(it.as_str()).to_owned())
            .collect(),
        cost_cap: args.cost_cap.map(Decimal::get),
    };
    let searches = super::kinds::searches(args.kind, args.topic.as_str(), args.language.primary());
    let job_ref = cx.jobs().enqueue("find", &payload)?;
    Ok(Answer::new(Started { job_ref, state: IsQueued::Queued, searches }).units(max))
}
