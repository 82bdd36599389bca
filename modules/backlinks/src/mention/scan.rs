//! The operation `backlinks.mention.scan`.

use dataforseo::Account;
use sdk::IsQueued;
use sdk::prelude::*;
use site::Site;

use super::work::Payload;
use crate::searching::WHY;

#[args]
pub(crate) struct Scan {
    /// The website.
    site_id: Id<Site>,
    /// Names of the brand and its products.
    aliases: List<Text<2, 80>, 1, 20>,
    /// Feeds, sitemaps and pages in which is looked.
    sources: Option<List<Url, 1, 200>>,
    /// Whether a search engine is asked for pages with the names too.
    #[default(false)]
    use_serp: bool,
    /// At most this many pages.
    #[default(200)]
    max_pages: Count<10, 1_000>,
    /// Words beside which a name that is a word of everyday language means the brand, such as its products and places.
    context: Option<List<Text<2, 80>, 1, 50>>,
    /// Phrases in which a name means something else.
    exclude: Option<List<Text<2, 80>, 1, 50>>,
    /// The country that is searched from; that of the website when left out.
    country: Option<Country>,
    /// The language that is searched in.
    #[default("en")]
    language: Language,
    /// The most that the provider may be paid, in US dollars.
    cost_cap: Option<Decimal<10, 1_000_000>>,
}

/// A scan that was queued.
#[value]
pub(crate) struct Started {
    /// The job; account.job.get follows it.
    job_ref: Id<Job>,
    /// Always `queued`.
    state: IsQueued,
}

/// Finds unlinked brand mentions in given feeds, pages and search results by alias matching with context checks and reports page, sentence and contact page.
///
/// A name is found between the borders of words, the longest first. One that is a word of everyday language counts where the sentence
/// holds something else that means the brand: another alias, the domain, or one of `context`. Pages are read as their robots.txt
/// allows. Searches use operators, for which DataForSEO takes five times its price.
#[operation(
    job,
    scope = "seo:execute",
    cost = bulk(most = max_pages, unit = "pages"),
    queued(step = "scan"),
    result_operation = "account.job.get",
    side_effects = ["fetches pages of other websites", "may be paid from your DataForSEO account"],
    needs = ["web", "store", "jobs", "connection:dataforseo?"],
    outside = ["dataforseo POST /v3/serp/google/organic/live/advanced query"],
    phrasings = ["find unlinked mentions of our brand", "who writes about us without a link", "brand mentions"],
    examples = [
        { "site_id": "4503599627370496", "aliases": ["Lamp Shop"], "sources": ["https://news.example/feed.xml"] },
        { "site_id": "4503599627370496", "aliases": ["Lumen"], "context": ["desk lamp"], "exclude": ["lumen per watt"], "use_serp": true, "country": "GB" },
    ]
)]
pub(crate) fn scan(cx: &Cx, args: Scan) -> Result<Answer<Started>> {
    let site = site::get(cx, &args.site_id)?;
    if args.sources.is_none() && !args.use_serp {
        let message = "say where to look: give sources, or set use_serp";
        return Err(Fault::invalid("/sources", "no_source", message));
    }
    let country = args.country.or_else(|| site.country.as_deref()?.parse().ok());
    if args.use_serp {
        Account::required(cx, "/use_serp", WHY)?;
        if country.is_none() {
            let message = "say the country that is searched from; the website has none";
            return Err(Fault::invalid("/country", "country_required", message));
        }
    }
    let texts = |list: Option<&List<Text<2, 80>, 1, 50>>| -> Vec<String> {
        list.into_iter().flat_map(|it| it.iter()).map(|it| it.as_str().to_owned()).collect()
    };
    let max = u64::try_from(args.max_pages.get()).unwrap_or(0);
    let payload = Payload {
        site_id: site.id.clone(),
        aliases: args.aliases.iter().map(|it| it.as_str().to_owned()).collect(),
        sources: args.sources.iter().flat_map(|it| it.iter()).map(ToString::to_string).collect(),
        country: country.filter(|_| args.use_serp),
        language: args.language.clone(),
        max_pages: max,
        context: texts(args.context.as_ref()),
        exclude: texts(args.exclude.as_ref()),
        cost_cap: args.cost_cap.map(Decimal::get),
    };
    let job_ref = cx.jobs().enqueue("scan", &payload)?;
    let started = Started { job_ref, state: IsQueued::Queued };
    Ok(Answer::new(started).units(max))
}
