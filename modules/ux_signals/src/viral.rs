//! The operations `ux_signals.viral.campaign.quote` and `.create`: what a campaign costs, and buying it on those terms.

use campaign::{State, Turn, wording};
use kit::url::{is_local, registrable_domain};
use sdk::Degraded;
use sdk::IsQueued;
use sdk::credits;
use sdk::prelude::*;
use sdk::{Request, json};

use crate::due::preview;
use crate::people::{self, People};
use crate::stored::{Campaign, Terms};
use site::Site;

/// The price of one link, in thousandths of a credit. The contract of `create` says the same.
pub(crate) const PER_URL_MILLI: u64 = 5_000;
/// What the quote is named by when it is sealed.
const FAMILY: &str = "viral";

/// A campaign as it is asked for.
#[args]
pub(crate) struct Quote {
    /// The website, as listed.
    site_id: Id<Site>,
    /// The pages to share, 1 to 10; at least one belongs to the website's domain, the others may be anywhere.
    urls: List<Url, 1, 10>,
    /// For how many days invitations go out.
    #[default(14)]
    duration_days: Count<3, 60>,
    /// People who are invited on a day.
    #[default(20)]
    daily_actions: Count<1, 200>,
    /// Whom to invite, as `ux_signals.audience.list` names them; every usable audience when left out.
    #[serde(default)]
    audience_refs: List<Text<1, 128>, 0, 10>,
    /// Own words that stand before the invitation. They may not ask for a search, a click, a rating or a review.
    message: Option<Text<10, 400>>,
}

/// One page of a quote.
#[value]
pub(crate) struct Checked {
    /// The page.
    url: String,
    /// Whether it belongs to the website's domain.
    own: bool,
    /// Whether it answered with success just now. One that does not by the time its link is made is not charged.
    reachable: bool,
    /// The status it answered with, or a word for why it did not.
    answered: String,
}

/// What people would be invited, at most.
#[value]
pub(crate) struct Preview {
    /// Invitations in all.
    actions_total: u32,
    /// People in the audiences.
    people: u64,
    /// Invitations that their weekly caps have room for in seven days.
    weekly_room: u64,
    /// Days that the caps make of the duration that was asked for.
    days_needed: u32,
    /// When the first hour of the first day begins.
    first_hour_at: Moment,
    /// How many on each of the first seven days.
    by_day: Vec<u32>,
}

/// A quote.
#[value]
pub(crate) struct Quoted {
    /// Give this back unchanged as `expected_quote_hash` to buy.
    quote_hash: String,
    /// Until when it holds.
    expires_at: Moment,
    /// Credits for each link that becomes ready.
    per_url_credits: f64,
    /// Credits when all of them do: what is held back when the campaign is created.
    total_credits: f64,
    /// Each page, as it was found.
    urls: Vec<Checked>,
    /// Whom and when.
    schedule_preview: Preview,
    /// What could not be found out, or stands in the way.
    degraded: Vec<Degraded>,
}

/// Prices a viral organic boost for 1 to 10 pages, at least one on the website's domain, and says whom it would invite.
///
/// Every page is asked for once. The price is 5 credits for each link that becomes ready, held back when the campaign is
/// created and charged when its links are prepared. Invitations go to people who opted in: own audiences with a proven
/// consent, and those of a connected panel.
#[operation(
    read,
    scope = "seo:analyze",
    cost = live(most = 12),
    needs = ["web", "store", "connection:fulfilment?"],
    outside = ["fulfilment GET /v1/audiences"],
    phrasings = [
        "what would it cost to get people to share my articles",
        "price for making my new page go viral",
        "quote a boost for these urls",
        "how much to have a community spread the word about my posts",
    ],
    examples = [{ "site_id": "8123456789012345", "urls": ["https://shop.example/guides/oak"] }]
)]
pub(crate) fn quote(cx: &Cx, args: Quote) -> Result<Quoted> {
    let (site, terms) = checked(cx, &args)?;
    let requests = args.urls.iter().map(|url| Request::get(url).max_bytes(64 << 10));
    let answers = cx.web().fetch_many(requests);
    let urls = args.urls.iter().zip(answers).map(|(url, answer)| Checked {
        url: url.to_string(),
        own: is_own(url, &site.domain),
        reachable: answer.as_ref().is_ok_and(sdk::Response::is_success),
        answered: answer.map_or_else(|failure| failure.name().to_owned(), |answer| answer.status.to_string()),
    });
    let urls: Vec<Checked> = urls.collect();
    let (people, mut degraded) = people::chosen(cx, &terms)?;
    if people.is_empty() {
        let words = "no usable audience: register one with ux_signals.audience.register, or connect a panel with connections.add";
        degraded.push(Degraded::new("people", words));
    }
    if urls.iter().any(|it| !it.reachable) {
        degraded.push(Degraded::new("links", "a page that does not answer gets no link and is not charged"));
    }
    let seal = campaign::terms::seal(cx, FAMILY, &terms);
    Ok(Quoted {
        quote_hash: seal.quote_hash,
        expires_at: seal.expires_at,
        per_url_credits: credits(PER_URL_MILLI),
        total_credits: credits(PER_URL_MILLI * urls.len() as u64),
        urls,
        schedule_preview: shown(cx, &terms, site.country.as_deref(), &people),
        degraded,
    })
}

/// A campaign as it is bought.
#[args]
pub(crate) struct Create {
    /// The website, as listed.
    site_id: Id<Site>,
    /// The pages to share, as quoted.
    urls: List<Url, 1, 10>,
    /// As quoted.
    #[default(14)]
    duration_days: Count<3, 60>,
    /// As quoted.
    #[default(20)]
    daily_actions: Count<1, 200>,
    /// As quoted.
    #[serde(default)]
    audience_refs: List<Text<1, 128>, 0, 10>,
    /// As quoted.
    message: Option<Text<10, 400>>,
    /// The `quote_hash` of `ux_signals.viral.campaign.quote` for exactly these terms.
    expected_quote_hash: Text<1, 128>,
}

/// A campaign that has begun.
#[value]
pub(crate) struct Created {
    /// The campaign.
    campaign_ref: Id<Campaign>,
    /// Always `queued`; the campaign prepares its links first.
    state: IsQueued,
    /// The job that prepares the links.
    job_ref: Id<Job>,
    /// Credits that are held back, and charged only for links that become ready.
    held_credits: f64,
}

/// What the jobs of a campaign are given.
#[value]
pub(crate) struct Work {
    pub(crate) campaign: Id<Campaign>,
}

/// Creates a viral organic boost from an unchanged quote: its tracked links are prepared, those that became ready are charged, then people who opted in are invited day by day.
///
/// 5 credits for each page are held back now. When the links are prepared, those that became ready are charged and the
/// rest goes back; when no page of the website's own domain became ready, nothing is charged and the campaign fails.
/// `ux_signals.campaign.get` shows how it goes.
#[operation(
    job,
    scope = "seo:execute",
    cost = job(unit = "urls", every = 1_000, most = urls),
    native_price(unit = "urls", every = 1, credits_milli = 5_000, most = urls),
    queued(step = "prepare"),
    result_operation = "ux_signals.campaign.get",
    side_effects = ["makes tracked links", "invites people who opted in, for as many days as asked for"],
    needs = ["web", "store", "jobs", "credits", "connection:fulfilment?"],
    outside = [
        "fulfilment GET /v1/audiences",
        "fulfilment GET /v1/tasks/*",
        "fulfilment POST /v1/tasks change",
        "fulfilment POST /v1/tasks/*/cancel change",
    ],
    phrasings = [
        "start the viral boost that was quoted",
        "buy the sharing campaign for these pages",
        "get my article shared by people who opted in",
        "launch the organic boost",
    ],
    examples = [{
        "site_id": "8123456789012345",
        "urls": ["https://shop.example/guides/oak"],
        "expected_quote_hash": "00005090a3"
    }]
)]
pub(crate) fn create(cx: &Cx, args: Create) -> Result<Created> {
    let hash = args.expected_quote_hash;
    let Create { site_id, urls, duration_days, daily_actions, audience_refs, message, .. } = args;
    let asked = Quote { site_id, urls, duration_days, daily_actions, audience_refs, message };
    let (site, terms) = checked(cx, &asked)?;
    campaign::terms::check(cx, FAMILY, &terms, &hash, "ux_signals.viral.campaign.quote")?;
    let (people, _) = people::chosen(cx, &terms)?;
    if people.is_empty() {
        let message =
            "there is nobody to invite; register an audience with ux_signals.audience.register, or connect a panel";
        return Err(Fault::conflict("no_usable_audience", message).at("/audience_refs"));
    }
    let now = cx.now();
    let id = Id::new(format!("camp_{}", cx.random::<12>().iter().map(|it| format!("{it:02x}")).collect::<String>()));
    let job_ref = cx.jobs().enqueue("prepare", &Work { campaign: id.clone() })?;
    let state = State::Quoted.to(State::PreparingLinks)?;
    let planned = terms.daily_actions * terms.duration_days;
    let held_credits = credits(PER_URL_MILLI * terms.urls.len() as u64);
    cx.records::<Campaign>().insert_as(
        id.clone(),
        Campaign {
            site_id: terms.site_id.clone(),
            domain: site.domain.clone(),
            country: site.country.clone().or_else(|| people.iter().max_by_key(|it| it.people)?.country.clone()),
            created_ms: now.millis(),
            state,
            timeline: vec![Turn { state, at: now }],
            terms,
            prepare_job: job_ref.as_str().to_owned(),
            deliver_job: None,
            today: None,
            first_day: None,
            links_ready: 0,
            left: planned,
            delivered: 0,
            accepted: 0,
            declined: 0,
            visits: Some(0),
            refunded_milli: 0,
            problems: Vec::new(),
        },
    )?;
    Ok(Created { campaign_ref: id, state: IsQueued::Queued, job_ref, held_credits })
}

/// The terms of a campaign that may be: known website, different public pages, one of them its own, honest words.
fn checked(cx: &Cx, asked: &Quote) -> Result<(Stored<Site>, Terms)> {
    let site = site::get(cx, &asked.site_id)?;
    let urls: Vec<String> = asked.urls.iter().map(|url| url.without_fragment().to_string()).collect();
    for (at, url) in asked.urls.iter().enumerate() {
        let pointer = format!("/urls/{at}");
        if urls[..at].contains(&urls[at]) {
            return Err(Fault::invalid(pointer, "url_twice", "each page is given once; it is priced by the page"));
        }
        if is_local(url) {
            return Err(Fault::invalid(pointer, "url_not_public", "this address cannot be reached from outside"));
        }
    }
    if !asked.urls.iter().any(|url| is_own(url, &site.domain)) {
        let message = format!("at least one page must belong to {}, the domain of the website", site.domain);
        return Err(Fault::invalid("/urls", "no_own_url", message).detail(json!({ "domain": site.domain })));
    }
    if let Some(message) = &asked.message {
        wording::check("/message", message)?;
    }
    let number = |count: i64| u32::try_from(count).unwrap_or(u32::MAX);
    let terms = Terms {
        site_id: asked.site_id.as_str().to_owned(),
        urls,
        duration_days: number(asked.duration_days.get()),
        daily_actions: number(asked.daily_actions.get()),
        audience_refs: asked.audience_refs.iter().map(|it| it.as_str().to_owned()).collect(),
        message: asked.message.as_ref().map(|it| it.as_str().to_owned()),
        per_url_milli: PER_URL_MILLI,
    };
    Ok((site, terms))
}

/// Whether a page belongs to a domain: the same registrable domain, or within the very host where that has none.
pub(crate) fn is_own(url: &Url, domain: &str) -> bool {
    let host = url.host_str().unwrap_or_default();
    match (registrable_domain(host), registrable_domain(domain)) {
        (Some(one), Some(other)) => one.eq_ignore_ascii_case(other),
        _ => host.eq_ignore_ascii_case(domain),
    }
}

fn shown(cx: &Cx, terms: &Terms, country: Option<&str>, people: &[People]) -> Preview {
    let plan = preview(cx.now(), terms, country, people);
    Preview {
        actions_total: terms.daily_actions * terms.duration_days,
        people: people.iter().map(|it| it.people).sum(),
        weekly_room: people.iter().map(|it| it.people * u64::from(it.weekly_cap)).sum(),
        days_needed: plan.days,
        first_hour_at: plan.first_hour,
        by_day: plan.by_day,
    }
}
