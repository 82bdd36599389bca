//! What the name system says.

pub(crate) mod lookup;
