//! Keywords of competitors: `keywords.gap.analyze`.

pub(crate) mod analyze;
pub(crate) mod work;
