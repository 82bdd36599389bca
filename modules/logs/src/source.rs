//! Sources of logs: `logs.source.*`.

pub(crate) mod save;

#[cfg(test)]
mod tests;
