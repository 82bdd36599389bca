//! `ai_visibility.answer.*`: stored answers.

pub(crate) mod get;
pub(crate) mod list;
