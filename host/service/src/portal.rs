//! What the portal shows a signed-in customer of their own: usage, activity, jobs; and the catalog, to anybody inside.

pub mod activity;
pub mod catalog;
pub mod invoices;
pub mod jobs;
mod tokens;
pub mod usage;
