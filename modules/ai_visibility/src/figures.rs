//! The statistics of answers: rates of clustered samples, paired changes, change points and stability.

pub(crate) mod breaks;
pub(crate) mod paired;
pub(crate) mod rate;
pub(crate) mod spread;
#[cfg(test)]
mod tests;
