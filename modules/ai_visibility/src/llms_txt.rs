//! `ai_visibility.llms_txt.*`: the file that tells programs where a website's substance is.

pub(crate) mod format;
pub(crate) mod generate;
mod name;
pub(crate) mod validate;
