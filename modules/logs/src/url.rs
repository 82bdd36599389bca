//! Single addresses: `logs.url.*`.

pub(crate) mod history;
