//! Mail composition: from the parts that a guest provides to the bytes for a submission server.

pub(crate) mod address;
pub(crate) mod invitation;
pub(crate) mod letter;
pub(crate) mod outcome;
