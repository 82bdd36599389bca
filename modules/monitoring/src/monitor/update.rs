//! The operation `monitoring.monitor.update`.

use sdk::prelude::*;

use super::shown::{Shown, shown};
use super::stored::{Every, Monitor, Threshold};
use super::{allowed, rounds};

#[args]
pub(crate) struct Update {
    /// The monitor.
    monitor_ref: Id<Monitor>,
    /// Another interval.
    every: Option<Every>,
    /// `content`: another CSS selector; an empty text for the main content.
    selector: Option<Text<0, 200>>,
    /// Another threshold, in the place of the whole one.
    threshold: Option<Threshold>,
    /// `content` and `robots`: regular expressions of what is cut from the text before it is compared, in the place of all.
    ignore: Option<List<Text<1, 200>, 0, 20>>,
    /// Whether it rests.
    paused: Option<bool>,
}

/// The monitor as it is now.
#[value]
pub(crate) struct Updated {
    monitor: Shown,
}

/// Changes interval, selector, threshold or ignore patterns of a monitor, or pauses and resumes it.
///
/// After another selector or other patterns the next check takes a first snapshot, and makes no event of it.
#[operation(
    write,
    scope = "seo:execute",
    cost = write,
    side_effects = ["a finer interval costs more a day"],
    needs = ["store", "jobs", "credits"],
    phrasings = ["pause a monitor", "check less often", "ignore the date on a watched page", "change the threshold of a monitor"],
    examples = [
        { "monitor_ref": "monitor_01", "every": "1h" },
        { "monitor_ref": "monitor_01", "paused": true },
        { "monitor_ref": "monitor_01", "ignore": ["\\d+ in stock"] },
    ]
)]
pub(crate) fn update(cx: &Cx, args: Update) -> Result<Updated> {
    let mut it = get(cx, &args.monitor_ref)?;
    let before = it.every;
    if let Some(every) = args.every {
        allowed::every(it.kind, every)?;
        it.every = every;
    }
    if let Some(threshold) = args.threshold {
        allowed::threshold(it.kind, &threshold)?;
        let site = site::get(cx, &Id::new(it.site_id.clone()))?;
        allowed::target(cx, it.kind, &site, &it.target, &threshold)?;
        it.threshold = threshold;
    }
    if let Some(selector) = args.selector.map(Text::into_string) {
        let selector = (!selector.is_empty()).then_some(selector);
        selector.as_deref().map_or(Ok(()), |text| allowed::selector(it.kind, text))?;
        if selector != it.selector {
            it.selector = selector;
            it.seen = None;
        }
    }
    if let Some(ignore) = args.ignore {
        allowed::ignore(ignore.iter().map(Text::as_str))?;
        let ignore: Vec<String> = ignore.into_vec().into_iter().map(Text::into_string).collect();
        if ignore != it.ignore {
            it.ignore = ignore;
            it.seen = None;
        }
    }
    if let Some(paused) = args.paused {
        it.paused = paused;
    }
    let it = cx.records::<Monitor>().save(it)?;
    rounds::settle(cx, it.every)?;
    if before != it.every {
        rounds::settle(cx, before)?;
    }
    Ok(Updated { monitor: shown(cx, &rounds::Rounds::of(cx), it) })
}

/// A monitor that is not being deleted.
///
/// # Errors
/// 404 `monitor_not_found` at `/monitor_ref`.
pub(crate) fn get(cx: &Cx, monitor: &Id<Monitor>) -> Result<Stored<Monitor>> {
    let it = cx.records::<Monitor>().get(monitor).map_err(|fault| fault.at("/monitor_ref"))?;
    if it.deleting {
        return Err(Fault::not_found("monitor_not_found", "this monitor is being deleted").at("/monitor_ref"));
    }
    Ok(it)
}
