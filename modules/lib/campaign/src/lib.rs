//! What both campaign families share, `ux_signals.viral.*` and `local_grid.gmb_signals.*`.
//!
//! A campaign invites people who opted in, a few each day, and measures redirects of our own. It never asks anybody to
//! search, to click a result, to rate or to review.
//!
//! - [`State`]: where a campaign is. `state.to(State::Running)?` refuses what cannot be with 409 `campaign_state`.
//! - [`pacing`]: what is due on a day and when. `pacing::due(left, per_day)` for the day's quota,
//!   `pacing::allot` to split it by audiences within their weekly caps, `pacing::times` for the moments, which are the
//!   same for the same campaign and day however often they are asked for.
//! - [`hours`]: the hours in which people are asked, by their country.
//! - [`wording`]: the lint over what people read, `wording::check("/message", text)?`, and the invitation around it.
//! - [`fulfilment`]: the client of the open panel contract (`tests/simulators/FULFILMENT.md`), with the lines of
//!   `outside` that it needs.
//! - [`terms`]: a quote's terms, sealed and checked.
//! - [`privacy`]: counts of fewer than five people are withheld.
//!
//! How the money moves. The operation that creates is `queued(…)` with a `native_price`: its most is held with the call.
//! A job that ends with `Step::done(..).units(n)` is charged for `n` and the rest goes back. A job that starts another
//! one from its last step and ends with `.handing_over()` leaves the rest to that one: so a campaign that is charged as
//! it delivers is a chain of jobs, one for each day, and each day is a charge of its own. `native_price(most =
//! daily_actions * duration_days)` holds a product. `cx.jobs().refund(&job, units)` gives back, once for each job.

pub mod fulfilment;
pub mod hours;
pub mod pacing;
pub mod privacy;
mod state;
pub mod terms;
pub mod wording;

pub use state::{State, Turn, turn};
