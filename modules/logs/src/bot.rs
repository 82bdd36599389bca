//! Bots: `logs.bot.*`.

pub(crate) mod report;
pub(crate) mod verify;

#[cfg(test)]
mod tests;
