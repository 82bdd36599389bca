//! The operation `monitoring.monitor.create`.

use sdk::prelude::*;
use sdk::{Next, json};
use site::Site;

use super::stored::{Every, Kind, Monitor, Threshold};
use super::{allowed, rounds, shown};

/// Monitors of one website.
const MOST: u64 = 200;

#[args]
pub(crate) struct Create {
    /// The website.
    site_id: Id<Site>,
    kind: Kind,
    /// What is watched: an address for `uptime`, `content`, `head`, `robots`, `sitemap`, `index` and `cwv`; a host for `tls` and
    /// `domain`; a keyword for `rank`; for `metric` a name that monitoring.anomaly.detect knows.
    target: Text<1, 500>,
    /// The interval. `uptime` from 5m; `content`, `head`, `robots` and `sitemap` from 1h; `cwv` 7d; all others from 1d.
    every: Every,
    /// `content`: a CSS selector of what is compared; the main content when left out.
    selector: Option<Text<1, 200>>,
    /// What counts as wrong; each kind has a sensible one when left out, but `rank` and `metric`.
    threshold: Option<Threshold>,
}

/// A monitor that was created.
#[value]
pub(crate) struct Created {
    monitor_ref: Id<Monitor>,
    /// The first check.
    next_check_at: Option<Moment>,
    /// Credits a day: checks of a day by 1/1,000.
    daily_cost: f64,
    next: Vec<Next>,
}

/// Creates a monitor of one kind: uptime, page content, head elements, robots.txt, sitemap, certificate, domain expiry, index state, vitals, rank or any stored metric.
///
/// The first check comes within one interval. A check that fails is repeated after 20 seconds before it counts, and one that its
/// host keeps away is skipped and costs nothing. A website has at most 200 monitors.
#[operation(
    write,
    scope = "seo:execute",
    cost = write,
    native_price(unit = "checks", every = 1, credits_milli = 1, most = 0),
    side_effects = ["checks begin by themselves, and each costs a thousandth of a credit"],
    needs = ["store", "web", "dns", "tls", "jobs", "credits"],
    phrasings = ["monitor my website", "tell me when a page changes", "watch uptime every 5 minutes", "warn me before the certificate expires"],
    examples = [
        { "site_id": "4503599627370496", "kind": "uptime", "target": "https://shop.example/", "every": "5m", "threshold": { "contains": "Lamps", "down_after": 2 } },
        { "site_id": "4503599627370496", "kind": "content", "target": "https://shop.example/lamps", "every": "1d", "selector": "main .price" },
        { "site_id": "4503599627370496", "kind": "metric", "target": "search.clicks", "every": "1d", "threshold": { "change_percent": 30, "days": 7 } },
    ]
)]
pub(crate) fn create(cx: &Cx, args: Create) -> Result<Created> {
    let site = site::get(cx, &args.site_id)?;
    let threshold = args.threshold.unwrap_or_default();
    allowed::every(args.kind, args.every)?;
    allowed::threshold(args.kind, &threshold)?;
    let target = allowed::target(cx, args.kind, &site, args.target.as_str(), &threshold)?;
    let selector = args.selector.map(Text::into_string);
    selector.as_deref().map_or(Ok(()), |it| allowed::selector(args.kind, it))?;
    let of_site = cx.records::<Monitor>().by("site_id_created_ms").equals(&site.id);
    let (mut count, mut same) = (0, None);
    for it in of_site.scan() {
        count += 1;
        if (it.kind, &it.target, &it.selector) == (args.kind, &target, &selector) && it.threshold == threshold {
            same = Some(it.id.clone());
        }
    }
    if let Some(same) = same {
        let message = "this website has this monitor already; change it with monitoring.monitor.update";
        return Err(Fault::conflict("monitor_exists", message).at("/target").detail(json!({ "monitor_ref": same })));
    }
    if count >= MOST {
        let message = format!("a website has at most {MOST} monitors; delete one with monitoring.monitor.delete");
        return Err(Fault::conflict("too_many_monitors", message).at("/site_id"));
    }
    let monitor = Monitor {
        site_id: site.id.to_string(),
        kind: args.kind,
        target,
        every: args.every,
        selector,
        threshold,
        created_ms: cx.now().millis(),
        ..Monitor::default()
    };
    let monitor_ref = cx.records::<Monitor>().insert(monitor)?.id;
    let next_check_at = rounds::settle(cx, args.every)?;
    let rule = json!({
        "site_id": site.id,
        "name": "Critical events",
        "on": "event.any",
        "condition": { "is": "event", "min_severity": "critical" },
        "severity": "critical",
    });
    let now = json!({ "monitor_ref": monitor_ref });
    Ok(Created {
        next_check_at,
        daily_cost: shown::daily_cost(args.every),
        next: vec![
            Next::new("monitoring.alert_rule.set", rule, "tells you when something critical happens"),
            Next::new("monitoring.monitor.check_now", now, "checks at once, without waiting for the interval"),
        ],
        monitor_ref,
    })
}
