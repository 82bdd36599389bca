//! `local_grid.gmb_signals.*`: campaigns of invitations that stand on what own scans have found.
//!
//! A campaign asks people who opted in, near where the business is weak, to have a look at it. It imitates nobody and asks
//! for no search, click, rating or review. Places are chosen in here and never shown: no answer of these operations has a
//! pin, a coordinate, a direction or a way in it.

pub(crate) mod campaign;
pub(crate) mod create;
pub(crate) mod day;
pub(crate) mod evidence;
mod plan;
pub(crate) mod sources;
pub(crate) mod stored;
#[cfg(test)]
pub(crate) mod trial;
pub(crate) mod view;
