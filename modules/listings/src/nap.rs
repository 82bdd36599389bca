//! Name, address and phone number of a location: the record of what is right, and how others are compared with it.

pub(crate) mod address;
pub(crate) mod compare;
pub(crate) mod name;
pub(crate) mod phone;
pub(crate) mod ratio;
pub(crate) mod set;
pub(crate) mod stored;
#[cfg(test)]
mod tests;
