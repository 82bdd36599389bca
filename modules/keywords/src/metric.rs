//! Metrics of keywords: `keywords.metric.refresh`.

mod batch;
pub(crate) mod refresh;
pub(crate) mod work;
