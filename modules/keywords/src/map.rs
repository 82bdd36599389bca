//! Which page answers which keywords: `keywords.map.*`.

pub(crate) mod assign;
mod evidence;
pub(crate) mod report;
pub(crate) mod work;

use std::collections::BTreeMap;

use sdk::prelude::*;

use crate::cluster::groups;
use crate::stored::{Cluster, Keyword, Set};

/// Keywords that are mapped together: a cluster, or a keyword alone.
pub(crate) struct Unit {
    /// The cluster; `None` for a keyword alone.
    pub(crate) cluster: Option<Stored<Cluster>>,
    /// The rows of its keywords, those with the most searches first.
    pub(crate) rows: Vec<Stored<Keyword>>,
}

impl Unit {
    /// Its main keyword.
    pub(crate) fn main(&self) -> &Stored<Keyword> {
        &self.rows[0]
    }

    /// The name of the cluster, or the keyword.
    pub(crate) fn name(&self) -> &str {
        self.cluster.as_ref().map_or(self.main().keyword.as_str(), |it| it.name.as_str())
    }

    /// Its searches in a month.
    pub(crate) fn volume(&self) -> u64 {
        self.rows.iter().filter_map(|it| it.volume).sum()
    }
}

/// The units of a set, those with the most searches first: its clusters, and keywords that no cluster has. Excluded keywords
/// are left out.
pub(crate) fn units(cx: &Cx, set: &Stored<Set>) -> Vec<Unit> {
    let mut rows: BTreeMap<String, Stored<Keyword>> =
        crate::set::keywords(cx, &set.id).filter(|it| !it.excluded).map(|it| (it.normal.clone(), it)).collect();
    let mut units = Vec::new();
    for cluster in groups::current(cx, set) {
        let mut own: Vec<Stored<Keyword>> = cluster.members.iter().filter_map(|it| rows.remove(it)).collect();
        own.sort_by(|a, b| b.order.cmp(&a.order).then_with(|| a.normal.cmp(&b.normal)));
        if !own.is_empty() {
            units.push(Unit { cluster: Some(cluster), rows: own });
        }
    }
    units.extend(rows.into_values().map(|row| Unit { cluster: None, rows: vec![row] }));
    units.sort_by(|a, b| b.volume().cmp(&a.volume()).then_with(|| a.main().normal.cmp(&b.main().normal)));
    units
}
