//! What the name system says, and what is changed in it.

pub(crate) mod health;
pub(crate) mod lookup;
pub(crate) mod propagation;
pub(crate) mod record;
pub(crate) mod template;
pub(crate) mod zone_export;
pub(crate) mod zone_import;
