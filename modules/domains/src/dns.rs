//! What the name system says.

pub(crate) mod health;
pub(crate) mod lookup;
pub(crate) mod record;
pub(crate) mod zone_export;
