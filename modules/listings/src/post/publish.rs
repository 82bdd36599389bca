//! The operation `listings.post.publish`.

use sdk::prelude::*;
use sdk::serde_json::{Map, Value};
use sdk::{Next, Planned, Send, SendFailure, json};

use super::policy;
use super::read::{Type, posts};
use super::stored::{OwnPost, State, schedule_name};
use crate::google;
use crate::place::Place;
use crate::stored::Location;
use crate::week::date_written;

const OPERATION: &str = "listings.post.publish";
/// How far ahead a post may be scheduled, in milliseconds: 90 days.
const FURTHEST: u64 = 90 * 86_400_000;

#[args]
pub(crate) struct Publish {
    /// The locations, as listed: each gets the post.
    location_refs: List<Id<Location>, 1, 50>,
    text: Text<1, 1500>,
    #[default("update")]
    r#type: Type,
    /// Where its button leads.
    link: Option<Url>,
    /// A public picture, JPEG or PNG.
    image_url: Option<Url>,
    /// When an offer or event begins. Google reads the time of day as that of the location: nine o'clock there is written `T09:00:00Z`.
    start: Option<Moment>,
    /// When it ends, in the location's own time of day.
    end: Option<Moment>,
    /// A moment within 90 days at which it is published; now when left out.
    publish_at: Option<Moment>,
}

/// A location that got no post.
#[value]
pub(crate) struct Refused {
    location_ref: Id<Location>,
    #[own]
    reason: String,
}

/// What became of the post.
#[value]
pub(crate) struct Published {
    /// One for each location that has it, or will have it.
    post_refs: Vec<Id<OwnPost>>,
    /// Whether it is to be published at `publish_at`.
    scheduled: bool,
    refused: Vec<Refused>,
    /// The link with the marks that analytics count it by.
    link: Option<String>,
    next: Vec<Next>,
}

/// Publishes or schedules an update, offer or event post with image and tagged link after a policy check.
///
/// A text that Google would refuse is refused here, before any location gets it. A link without `utm` marks gets
/// `utm_source=google&utm_medium=organic&utm_campaign=gbp-post`. A scheduled post is this same call made once at its moment, at its price then.
#[operation(
    write,
    scope = "assets:write",
    cost = live(most = 120),
    side_effects = ["publishes a post that everybody sees on Google"],
    needs = ["store", "jobs", "web", "connection:google_business_profile"],
    outside = [
        "google_business_profile.v4 GET /v4/accounts/*/locations/*/localPosts",
        "google_business_profile.v4 POST /v4/accounts/*/locations/*/localPosts change",
    ],
    phrasings = ["post on google business profile", "schedule a google post", "publish an offer on my profile", "announce an event on google"],
    examples = [
        { "location_refs": ["108800001.4503600001.con_1"], "text": "Bring a lamp that went dark: we mend it on Saturdays.", "link": "https://shop.example/guides/mending" },
        { "location_refs": ["108800001.4503600001.con_1"], "text": "Ten lamps at half their price.", "type": "offer", "start": "2026-12-01T09:00:00Z", "end": "2026-12-05T17:00:00Z", "publish_at": "2026-11-30T08:00:00Z" },
    ]
)]
pub(crate) fn publish(cx: &Cx, args: Publish) -> Result<Published> {
    let link = args.link.as_ref().map(tagged);
    check(cx, &args, link.as_deref())?;
    let places = places(cx, &args)?;
    let (mut post_refs, mut refused, mut first) = (Vec::new(), Vec::new(), None);
    for (reference, place) in places {
        let made = match args.publish_at {
            Some(at) => schedule(cx, &args, &reference, at),
            None => publish_to(cx, &args, &place, link.as_deref()),
        };
        match made {
            Ok(id) => post_refs.push(id),
            Err(fault) => {
                let reason = format!("{}: {}", fault.code, fault.message);
                refused.push(Refused { location_ref: reference, reason });
                first = first.or(Some(fault));
            }
        }
    }
    // Where no location has it, nothing came to be.
    if let Some(fault) = first.filter(|_| post_refs.is_empty()) {
        return Err(fault);
    }
    let list = args.location_refs.iter().next().map(|it| {
        Next::new("listings.post.list", json!({ "location_ref": it }), "shows whether Google has taken the post")
    });
    let next = list.into_iter().filter(|_| !post_refs.is_empty()).collect();
    Ok(Published { scheduled: args.publish_at.is_some() && !post_refs.is_empty(), post_refs, refused, link, next })
}

/// What can be said before anything is sent.
fn check(cx: &Cx, args: &Publish, link: Option<&str>) -> Result<()> {
    let problems = policy::in_post(args.text.as_str(), link);
    if let Some(first) = problems.first() {
        let message = format!("Google would refuse the post: {}", first.words());
        return Err(Fault::invalid("/text", "post_refused", message).detail(json!({ "problems": problems })));
    }
    if args.r#type != Type::Update {
        let (Some(start), Some(end)) = (args.start, args.end) else {
            let at = if args.start.is_none() { "/start" } else { "/end" };
            return Err(Fault::invalid(at, "period_required", "an offer or event needs start and end"));
        };
        if end <= start {
            return Err(Fault::invalid("/end", "reversed_period", "end is after start"));
        }
    }
    if let Some(at) = args.publish_at {
        let now = cx.now();
        if at <= now || at.since(now) > FURTHEST {
            return Err(Fault::invalid("/publish_at", "not_in_reach", "publish_at is to come, within 90 days"));
        }
        if args.end.is_some_and(|end| end <= at) {
            return Err(Fault::invalid("/publish_at", "after_end", "it would be published after its end"));
        }
    }
    if let Some(url) = &args.image_url {
        picture(cx, url)?;
    }
    Ok(())
}

/// Google fetches the picture by its address, as anybody.
fn picture(cx: &Cx, url: &Url) -> Result<()> {
    let refused = |words: &str| Err(Fault::invalid("/image_url", "image_refused", words));
    match cx.web().fetch(&Request::get(url).follow(3).max_bytes(5 << 20).timeout(15_000)) {
        Ok(answer) if !answer.is_success() => refused("the picture does not answer with 200"),
        Ok(answer) if answer.truncated => refused("a picture has at most 5 MB"),
        Ok(answer) if answer.body.starts_with(&[0xff, 0xd8, 0xff]) || answer.body.starts_with(b"\x89PNG\r\n\x1a\n") => {
            Ok(())
        }
        Ok(_) => refused("a picture is JPEG or PNG"),
        Err(failure) => Err(failure.unasked("/image_url").unwrap_or_else(|| {
            Fault::invalid(
                "/image_url",
                "image_unreachable",
                format!("the picture was not reached: {}", failure.name()),
            )
        })),
    }
}

fn places(cx: &Cx, args: &Publish) -> Result<Vec<(Id<Location>, Place)>> {
    let mut all: Vec<(Id<Location>, Place)> = Vec::new();
    for (at, reference) in args.location_refs.iter().enumerate() {
        let place = Place::find(cx, reference, &format!("/location_refs/{at}"))?;
        if all.iter().all(|(_, other)| *other != place) {
            all.push((reference.clone(), place));
        }
    }
    Ok(all)
}

/// The link with the marks by which analytics tell posts apart, unless it has its own.
fn tagged(link: &Url) -> String {
    let mut url = url::Url::parse(link.as_str()).ok();
    if let Some(url) = url.as_mut().filter(|it| !it.query_pairs().any(|(name, _)| name.starts_with("utm_"))) {
        url.query_pairs_mut()
            .append_pair("utm_source", "google")
            .append_pair("utm_medium", "organic")
            .append_pair("utm_campaign", "gbp-post");
    }
    url.map_or_else(|| link.to_string(), |it| it.to_string())
}

/// Has this same call made at its moment for one location.
fn schedule(cx: &Cx, args: &Publish, location: &Id<Location>, at: Moment) -> Result<Id<OwnPost>> {
    let mut arguments = Map::new();
    let mut set = |name: &str, value: Value| arguments.insert(name.to_owned(), value);
    set("location_refs", json!([location]));
    set("text", json!(args.text));
    set("type", json!(args.r#type));
    let others = [
        ("link", json!(args.link)),
        ("image_url", json!(args.image_url)),
        ("start", json!(args.start)),
        ("end", json!(args.end)),
    ];
    for (name, value) in others {
        if !value.is_null() {
            set(name, value);
        }
    }
    let post: Id<OwnPost> = Id::new(kit::text::hex(&cx.random::<12>()));
    let call = Planned { operation: OPERATION.to_owned(), arguments: Value::Object(arguments).to_string() };
    cx.schedules().put_once(&schedule_name(post.as_str()), at.millis(), &[call])?;
    let planned = OwnPost {
        location: location.to_string(),
        state: State::Scheduled,
        at_ms: at.millis(),
        text: args.text.to_string(),
        kind: args.r#type,
        link: args.link.as_ref().map(ToString::to_string),
        name: None,
    };
    cx.records::<OwnPost>().insert_as(post.clone(), planned)?;
    Ok(post)
}

fn publish_to(cx: &Cx, args: &Publish, place: &Place, link: Option<&str>) -> Result<Id<OwnPost>> {
    let path = format!("{}/localPosts", place.v4());
    let sent = cx
        .connections()
        .send(&Send::post(&place.connection, path).service("v4").json(&body(args, link)).timeout(20_000));
    let name = match sent {
        // Posts have no key at Google: whether this one came to be is seen among the newest.
        Err(SendFailure::UnknownOutcome | SendFailure::Timeout) => lost(cx, args, place)?,
        sent => google::answered(sent, "/location_refs")?["name"].as_str().map(str::to_owned),
    };
    let name = name.ok_or(SendFailure::Malformed)?;
    let location = place.reference();
    // The post that was scheduled is this one.
    let waiting = cx.records::<OwnPost>().by("location_state_at_ms").equals(&location).equals(State::Scheduled);
    let waiting =
        waiting.scan().take(200).find(|it| it.text == args.text.as_str() && it.at_ms <= cx.now().millis() + 60_000);
    let post = OwnPost {
        location: location.to_string(),
        state: State::Published,
        at_ms: cx.now().millis(),
        text: args.text.to_string(),
        kind: args.r#type,
        link: link.map(str::to_owned),
        name: Some(name),
    };
    match waiting {
        Some(mut it) => {
            it.it = post;
            Ok(cx.records::<OwnPost>().save(it)?.id)
        }
        None => Ok(cx.records::<OwnPost>().insert(post)?.id),
    }
}

/// The name of a post whose answer was lost; it is never sent a second time by itself.
fn lost(cx: &Cx, args: &Publish, place: &Place) -> Result<Option<String>> {
    let since = cx.now().millis().saturating_sub(300_000);
    let (newest, _) = posts(cx, place, 1)?;
    let mut newest = newest.into_iter().take(20);
    let found = newest.find(|it| it.text == args.text.as_str() && it.created_at.is_some_and(|at| at.millis() >= since));
    match found {
        Some(it) => Ok(Some(it.name)),
        None => Err(Fault::unavailable(
            "provider_error",
            "Google did not answer, and the post is not there; make the same call again",
        )),
    }
}

fn body(args: &Publish, link: Option<&str>) -> Value {
    let mut post = json!({
        "languageCode": kit::language::detect(args.text.as_str()).map_or_else(|| "en".to_owned(), |it| it.language.to_owned()),
        "summary": args.text,
        "topicType": match args.r#type { Type::Update => "STANDARD", Type::Offer => "OFFER", Type::Event => "EVENT" },
    });
    if let Some(url) = &args.image_url {
        post["media"] = json!([{ "mediaFormat": "PHOTO", "sourceUrl": url }]);
    }
    if let (Some(start), Some(end), false) = (args.start, args.end, args.r#type == Type::Update) {
        let time = |at: Moment| json!({ "hours": at.millis() / 3_600_000 % 24, "minutes": at.millis() / 60_000 % 60 });
        let title = kit::sentence::sentences(args.text.as_str()).first().copied().unwrap_or_default();
        post["event"] = json!({
            "title": kit::text::clip(title, 58),
            "schedule": {
                "startDate": date_written(start.day()), "startTime": time(start),
                "endDate": date_written(end.day()), "endTime": time(end),
            },
        });
    }
    match (link, args.r#type) {
        (Some(link), Type::Offer) => post["offer"] = json!({ "redeemOnlineUrl": link }),
        (Some(link), _) => post["callToAction"] = json!({ "actionType": "LEARN_MORE", "url": link }),
        (None, _) => {}
    }
    post
}
