//! What authors and reviewers do before anything is served, and what holds of the sources themselves. Without a database.

mod authoring;
mod cutting;
mod dependencies;
mod documents;
mod names;
mod prove;
mod review;
mod shipping;
mod tidy;
mod tongues;
