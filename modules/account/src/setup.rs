//! The operation `account.setup.get`, what is done of the first steps and how to do the rest.

mod state;
mod step;

use sdk::prelude::*;
use sdk::serde_json::{Map, Value};

use crate::known;
use site::Site;
use state::State;
use step::{Name, STEPS};

#[args]
pub(crate) struct Get {
    /// Looks at this website alone; at all of them when left out.
    site_id: Option<Id<Site>>,
}

/// The first steps.
#[value]
pub(crate) struct Setup {
    /// Steps that are done, in their order.
    completed: Vec<Name>,
    /// Steps that are not, in the order to take them in.
    missing: Vec<Missing>,
    /// The share of steps that are done, from 0 to 100.
    percent: u32,
}

/// A step that is not done.
#[value]
pub(crate) struct Missing {
    /// Its name.
    pub(crate) step: Name,
    /// Why it counts as missing, and what comes of it.
    pub(crate) reason: String,
    /// What to call.
    pub(crate) operation_id: String,
    /// Arguments for it; they are valid as they stand.
    pub(crate) example_args: Map<String, Value>,
    /// JSON pointers into the arguments: what only stands for the customer's own value and is to be replaced.
    pub(crate) fill_in: Vec<String>,
}

/// Returns the onboarding checklist (activation, verified websites, provider connections, first crawl, mail sender) and, for every missing step, the operation id and example arguments that complete it.
///
/// A step about websites is done when it is done for one of them, or for the one named in `site_id`. References in
/// `example_args` are filled in where they are known; `fill_in` points at everything else.
#[operation(
    read,
    scope = "account:read",
    cost = indexed_read,
    needs = ["store"],
    phrasings = [
        "what should I do first",
        "is my account set up completely",
        "which onboarding steps are missing",
        "help me get started",
        "what is left to configure",
    ],
    examples = [{}, { "site_id": "4503599627370496" }]
)]
pub(crate) fn get(cx: &Cx, args: Get) -> Result<Setup> {
    if let Some(id) = &args.site_id {
        known::site(cx, id, "/site_id")?;
    }
    let state = State::read(cx, args.site_id.as_ref())?;
    let (mut completed, mut missing) = (Vec::new(), Vec::new());
    for (name, look) in STEPS {
        match look(&state) {
            None => completed.push(name),
            Some(step) => missing.push(step.missing(name)),
        }
    }
    let percent = u32::try_from(100 * completed.len() / STEPS.len()).unwrap_or(100);
    Ok(Setup { completed, missing, percent })
}

#[cfg(test)]
mod tests;
