//! Pages that may link to the website: `backlinks.prospect.*`.

pub(crate) mod find;
mod kinds;
pub(crate) mod stored;
pub(crate) mod work;

#[cfg(test)]
mod tests;
