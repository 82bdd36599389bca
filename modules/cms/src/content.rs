//! Items: listed, shown, made, changed, published, taken back, thrown away.

pub(crate) mod blocks;
pub(crate) mod checks;
pub(crate) mod create;
pub(crate) mod get;
pub(crate) mod list;
pub(crate) mod publish;
pub(crate) mod trash;
pub(crate) mod unpublish;
pub(crate) mod update;
