//! The operation `listings.citation.scan`.

use dataforseo::Account;
use sdk::IsQueued;
use sdk::prelude::*;

use super::work::Payload;
use crate::nap::stored as nap;
use crate::stored::Location;

#[args]
pub(crate) struct Scan {
    /// A location with a record of listings.nap.set.
    location_ref: Id<Location>,
    /// Pages that are looked at in any case: those of a pack, so that its tasks are marked as done.
    urls: Option<List<Url, 1, 200>>,
    /// Look in search results too, at most four paid pages of DataForSEO.
    #[default(true)]
    use_serp: bool,
    /// Pages that are fetched.
    #[default(100)]
    max_pages: Count<10, 300>,
}

/// A scan that was queued.
#[value]
pub(crate) struct Started {
    /// The job; account.job.get follows it.
    job_ref: Id<Job>,
    /// Always `queued`.
    state: IsQueued,
}

/// Finds and fetches directory and web mentions of a location by phone, name and address in search results and given pages, extracts their name, address and phone and compares with the record.
///
/// A page counts when what it shows is the same business: two points for the phone number, two or one for address and name, three are enough. Pages that
/// robots.txt keeps back are told and not read. Tasks of packs are marked as done where all fields of their page are right.
#[operation(
    job,
    scope = "seo:execute",
    cost = bulk(most = max_pages, unit = "pages"),
    queued(step = "citations"),
    result_operation = "account.job.get",
    side_effects = ["stores the citations", "spends credit of your DataForSEO account"],
    needs = ["store", "jobs", "web", "connection:dataforseo"],
    outside = ["dataforseo POST /v3/serp/google/organic/live/advanced query"],
    phrasings = ["find citations of my business", "check directories for wrong addresses", "NAP consistency scan", "where is my business listed"],
    examples = [
        { "location_ref": "108800001.4503600001.con_1" },
        { "location_ref": "108800001.4503600001.con_1", "urls": ["https://www.yell.com/biz/lamp-shop"], "use_serp": false },
    ]
)]
pub(crate) fn scan(cx: &Cx, args: Scan) -> Result<Answer<Started>> {
    nap::required(cx, args.location_ref.as_str())?;
    let mut use_serp = args.use_serp;
    if use_serp {
        let account = Account::required(
            cx,
            "/use_serp",
            "search results are read with DataForSEO; give urls and use_serp: false to do without",
        );
        match account {
            Ok(_) => {}
            // Pages were given: they are looked at, and the result says what was left out.
            Err(fault) if fault.code == "connection_required" && args.urls.is_some() => use_serp = false,
            Err(fault) => return Err(fault),
        }
    } else if args.urls.is_none() {
        return Err(Fault::invalid("/urls", "nothing_to_scan", "give urls, or use_serp: true"));
    }
    let payload = Payload {
        location: args.location_ref,
        urls: args.urls.into_iter().flat_map(List::into_vec).map(|it| it.to_string()).collect(),
        use_serp,
        left_out: args.use_serp && !use_serp,
        max_pages: usize::try_from(args.max_pages.get()).unwrap_or(100),
    };
    let job_ref = cx.jobs().enqueue("citations", &payload)?;
    Ok(Answer::new(Started { job_ref, state: IsQueued::Queued }))
}
