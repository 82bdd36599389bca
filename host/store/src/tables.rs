//! The groups of tables: each is a field of [`crate::Store`], and its functions stand in the files of its folder.

use crate::database::Database;

/// Customers, and who may act for them.
#[derive(Clone, Debug)]
pub struct Identity {
    pub(crate) database: Database,
}

/// What is paid, reserved, charged and given back.
#[derive(Clone, Debug)]
pub struct Money {
    pub(crate) database: Database,
}

/// Calls of the product: their keys, reservations, answers and what they leave.
#[derive(Clone, Debug)]
pub struct Calls {
    pub(crate) database: Database,
}

/// Jobs and schedules.
#[derive(Clone, Debug)]
pub struct Jobs {
    pub(crate) database: Database,
}

/// What modules have stored.
#[derive(Clone, Debug)]
pub struct Records {
    pub(crate) database: Database,
}

/// Accounts at providers, and their sealed secrets.
#[derive(Clone, Debug)]
pub struct Connections {
    pub(crate) database: Database,
}

/// What crosses the public edges.
#[derive(Clone, Debug)]
pub struct Edges {
    pub(crate) database: Database,
}

/// The audit trail and its proofs.
#[derive(Clone, Debug)]
pub struct Trail {
    pub(crate) database: Database,
}

/// Revisions of the catalog that are or were in force.
#[derive(Clone, Debug)]
pub struct Serving {
    pub(crate) database: Database,
}

/// Gives each group its `of`: its tables in one database.
macro_rules! of {
    ($($group:ident),+) => {
        $(impl $group {
            /// These tables of one database.
            pub(crate) fn of(database: &Database) -> Self {
                Self { database: database.clone() }
            }
        })+
    };
}

of!(Identity, Money, Calls, Jobs, Records, Connections, Edges, Trail, Serving);
