//! `listings.review.*`: reviews of locations, and answers to them.

pub(crate) mod bursts;
pub(crate) mod invite;
pub(crate) mod lint;
pub(crate) mod list;
pub(crate) mod reply;
pub(crate) mod report;
pub(crate) mod stored;
pub(crate) mod sync;
pub(crate) mod themes;
pub(crate) mod work;
