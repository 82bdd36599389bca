//! What is paid, reserved, charged and given back: the ledger, the book that decides over it, budgets, orders, invoices
//! and what was used.

pub mod account;
pub(crate) mod book;
pub(crate) mod budgets;
pub mod invoices;
pub(crate) mod ledger;
pub mod orders;
pub(crate) mod refunds;
pub mod spending;
pub mod subscriptions;
pub mod usage;
