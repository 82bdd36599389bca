//! `account.credit.*`, what there is, how it came and went, and ordering more.

pub(crate) mod balance;
pub(crate) mod ledger;
pub(crate) mod order;
