//! Imports of log files: `logs.import.*`.

pub(crate) mod claims;
pub(crate) mod hours;
pub(crate) mod list;
pub(crate) mod merge;
mod outcome;
pub(crate) mod reading;
pub(crate) mod rules;
pub(crate) mod run;
pub(crate) mod state;
pub(crate) mod stream;
pub(crate) mod tally;
pub(crate) mod work;

#[cfg(test)]
mod tests;

/// Host and path of a whole address.
fn absolute(target: &str) -> Option<(String, String)> {
    let (host, path) = crate::format::whole(target.as_bytes())?;
    Some((String::from_utf8(host).ok()?, String::from_utf8(path).ok()?))
}
