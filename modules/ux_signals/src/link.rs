//! The operation `ux_signals.link.create`: a tracked link for own sharing, with what people will see of it.

use kit::page::{self, Answer, PageFacts};
use sdk::prelude::*;
use sdk::{Media, Redirect, Request, Response, json};

use crate::stored::{Charge, Link, Preparation};
use site::Site;

/// Seconds for which the picture of a QR code can be seen: a year.
const YEAR: u32 = 365 * 86_400;

#[args]
pub(crate) struct Create {
    /// The website.
    site_id: Id<Site>,
    /// The page that the link leads to; it may be anywhere.
    url: Url,
    /// `utm_source`: where it is shared.
    source: Option<Text<1, 60>>,
    /// `utm_medium`: by what means.
    medium: Option<Text<1, 60>>,
    /// `utm_campaign`: for what.
    campaign: Option<Text<1, 60>>,
    /// The last UTC day on which it leads there.
    expires_at: Option<Day>,
}

/// What people see of a page when a link to it is shared.
#[value]
pub(crate) struct Preview {
    /// The status that the page answered with.
    status: u16,
    /// Its title.
    title: Option<String>,
    /// Its description.
    description: Option<String>,
    /// Its picture.
    image: Option<String>,
    /// What is missing for a good preview: `og:title`, `og:description`, `og:image`, `twitter:card`.
    missing: Vec<String>,
}

/// A tracked link.
#[value]
pub(crate) struct Created {
    /// The link.
    link_ref: Id<Link>,
    /// What you share.
    short_url: String,
    /// Where it leads, with its UTM parameters.
    target: String,
    /// The address of a QR code of the short address, as SVG; none where there is no room for it.
    #[schemars(url)]
    qr_svg_ref: Option<String>,
    /// What people will see of the page.
    preview: Preview,
    /// Until when it leads there.
    expires_at: Option<Moment>,
}

/// Creates a tracked share link with UTM parameters, a check of its social preview and a QR code, for own sharing outside campaigns.
///
/// The page is asked for once and must answer with success. Parameters that it has already are replaced by yours.
#[operation(
    write,
    scope = "assets:write",
    cost = write,
    side_effects = ["makes a public address that leads to the page"],
    needs = ["web", "store"],
    phrasings = [
        "make a short link with utm parameters",
        "qr code for my page",
        "trackable link for my newsletter",
        "how will my page look when it is shared, and give me a link for it",
    ],
    examples = [{ "site_id": "8123456789012345", "url": "https://shop.example/sale", "source": "flyer", "medium": "print" }]
)]
pub(crate) fn create(cx: &Cx, args: Create) -> Result<Created> {
    let site = site::get(cx, &args.site_id)?;
    let expires_at = match args.expires_at {
        Some(day) if day < cx.now().day() => {
            return Err(Fault::invalid("/expires_at", "expires_in_the_past", "the last day must not be over"));
        }
        Some(day) => Some(Moment::from_millis(u64::try_from(day.plus(1).since_epoch()).unwrap_or(0) * 86_400_000)),
        None => None,
    };
    let answer = match cx.web().fetch(&Request::get(&args.url)) {
        Ok(answer) if answer.is_success() => answer,
        Ok(answer) => {
            let message = format!("the page answered with status {}", answer.status);
            return Err(unreachable(message, json!({ "status": answer.status })));
        }
        Err(failure) => {
            if let Some(fault) = failure.unasked("/url") {
                return Err(fault);
            }
            return Err(unreachable("the page does not answer".to_owned(), json!({ "cause": failure.name() })));
        }
    };
    let target = tagged(&args.url, &args);
    let mut redirect = Redirect::to(&target).context(site.id.as_str());
    if let Some(expires) = expires_at {
        redirect = redirect.until(expires);
    }
    let made = cx.links().create(&redirect)?;
    let qr_svg_ref = match qr::svg(&made.url) {
        Some(svg) => {
            let key = format!("qr/{}.svg", made.code);
            cx.blobs().write(&key, svg.as_bytes())?;
            Some(cx.shares().publish(&key, Media::Svg, Some("qr.svg"), YEAR)?.url)
        }
        None => None,
    };
    let link = cx.records::<Link>().insert(Link {
        site_id: args.site_id.as_str().to_owned(),
        campaign: String::new(),
        seq: 0,
        created_ms: cx.now().millis(),
        target: target.to_string(),
        own: crate::viral::is_own(&target, &site.domain),
        code: Some(made.code),
        short_url: Some(made.url.clone()),
        state: Preparation::Ready,
        answered: answer.status.to_string(),
        charge: Charge::Free,
        asked: 0,
        delivered: 0,
    })?;
    Ok(Created {
        link_ref: link.id.clone(),
        short_url: made.url,
        target: link.target.clone(),
        qr_svg_ref,
        preview: preview(&args.url, &answer),
        expires_at,
    })
}

fn unreachable(message: String, detail: serde_json::Value) -> Fault {
    Fault::conflict("url_unreachable", message).at("/url").detail(detail)
}

/// The address with its UTM parameters; those that it had of the same name go.
fn tagged(url: &Url, args: &Create) -> Url {
    let wanted = [("utm_source", &args.source), ("utm_medium", &args.medium), ("utm_campaign", &args.campaign)];
    let given: Vec<(&str, &str)> =
        wanted.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?.as_str()))).collect();
    if given.is_empty() {
        return url.clone();
    }
    let kept: Vec<(String, String)> =
        url.query_pairs().map(|(name, value)| (name.into_owned(), value.into_owned())).collect();
    let mut tagged = (**url).clone();
    tagged
        .query_pairs_mut()
        .clear()
        .extend_pairs(kept.iter().filter(|(name, _)| !given.iter().any(|(mine, _)| mine == name)))
        .extend_pairs(given);
    Url::try_from(tagged).unwrap_or_else(|_| url.clone())
}

/// By the Open Graph protocol (ogp.me) and X's card markup, with the page's own title and description behind them.
fn preview(url: &Url, answer: &Response) -> Preview {
    let facts = page::read(&Answer {
        url: url.as_str(),
        final_url: url.as_str(),
        status: answer.status,
        hops: &[],
        headers: &answer.headers,
        body: &answer.body,
        truncated: answer.truncated,
        timing: page::Timing::default(),
    });
    let PageFacts { open_graph, twitter, titles, descriptions, .. } = facts;
    let of = |pairs: &[(String, String)], name: &str| {
        let found = pairs.iter().find(|(known, value)| known == name && !value.trim().is_empty());
        found.map(|(_, value)| value.clone())
    };
    let wanted = [
        ("og:title", &open_graph),
        ("og:description", &open_graph),
        ("og:image", &open_graph),
        ("twitter:card", &twitter),
    ];
    let missing = wanted.iter().filter(|(name, pairs)| of(pairs, name).is_none()).map(|(name, _)| (*name).to_owned());
    Preview {
        status: answer.status,
        missing: missing.collect(),
        title: of(&open_graph, "og:title").or_else(|| titles.into_iter().next()),
        description: of(&open_graph, "og:description").or_else(|| descriptions.into_iter().next()),
        image: of(&open_graph, "og:image"),
    }
}
