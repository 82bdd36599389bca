//! Mail: from the parts that a guest gives to the bytes that a submission server gets.

pub(crate) mod address;
pub(crate) mod letter;
pub(crate) mod outcome;
