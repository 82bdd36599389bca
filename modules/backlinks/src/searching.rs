//! Searches of a job, one after the other, within a cap of costs.

use dataforseo::{Account, language_code, location_code};
use sdk::prelude::*;
use sdk::serde_json::json;
use sdk::{Degraded, Money};

/// Why an account is needed.
pub(crate) const WHY: &str = "search results come from DataForSEO, which is asked by your own account";
const ENDPOINT: &str = "serp/google/organic/live/advanced";
/// What a question is reckoned to cost for each ten results before the first answer, in millionths of a dollar, as documented in
/// 2026-11: two thousandths, and five times that with search operators.
const TEN_MICROS: u64 = 10_000;
/// Tries of one question.
const MAX_TRIES: u32 = 4;

/// How far the searches of a job are.
#[value]
#[derive(Default)]
#[serde(default)]
pub(crate) struct Searching {
    /// The next one.
    pub(crate) at: usize,
    tries: u32,
    micros: u64,
    /// Questions that were answered.
    answered: u64,
}

/// What is searched for, and how.
pub(crate) struct Searches<'a> {
    pub(crate) queries: &'a [String],
    pub(crate) country: Country,
    pub(crate) language: &'a Language,
    /// Results of each.
    pub(crate) depth: u64,
    pub(crate) cost_cap: Option<f64>,
    /// The argument that asks for searches.
    pub(crate) pointer: &'a str,
    /// Whether the job comes to nothing without them.
    pub(crate) is_needed: bool,
}

impl Searching {
    /// What the provider says that they cost.
    pub(crate) fn cost(&self) -> Money {
        dataforseo::money(self.micros)
    }

    /// Makes the next search; its results, and milliseconds to wait before the same is asked again.
    ///
    /// # Errors
    /// The provider's refusal of the first search that is needed.
    pub(crate) fn next(
        &mut self,
        cx: &Cx,
        all: &Searches<'_>,
        degraded: &mut Vec<Degraded>,
    ) -> Result<(Vec<serps::Result>, u32)> {
        let Some(query) = all.queries.get(self.at) else { return Ok((Vec::new(), 0)) };
        let first = TEN_MICROS * all.depth.div_ceil(10);
        if dataforseo::is_beyond(all.cost_cap, self.micros, self.answered, first) {
            degraded.push(Degraded::new("searches", "the cap of costs was reached"));
            self.at = all.queries.len();
            return Ok((Vec::new(), 0));
        }
        let account = Account::required(cx, all.pointer, WHY)?;
        let task = json!({
            "keyword": dataforseo::escaped(query),
            "location_code": location_code(all.country),
            "language_code": language_code(all.language),
            "device": "desktop",
            "depth": all.depth,
        });
        match account.ask(ENDPOINT, &task) {
            Ok(answer) => {
                (self.micros, self.answered) = (self.micros + answer.cost_micros, self.answered + 1);
                (self.at, self.tries) = (self.at + 1, 0);
                Ok((answer.results.first().map(|it| serps::Page::read(it).results).unwrap_or_default(), 0))
            }
            Err(refusal) if refusal.passes() && self.tries < MAX_TRIES => {
                self.tries += 1;
                Ok((Vec::new(), 5_000 << self.tries.min(4)))
            }
            Err(refusal) => {
                let fault = refusal.fault(all.pointer);
                if all.is_needed && self.answered == 0 {
                    return Err(fault);
                }
                degraded.push(Degraded::new("searches", format!("{}: {}", fault.code, fault.message)));
                (self.at, self.tries) = (all.queries.len(), 0);
                Ok((Vec::new(), 0))
            }
        }
    }
}
