//! The operation `keywords.cluster.edit`.

use std::collections::{BTreeMap, BTreeSet};

use sdk::json;
use sdk::prelude::*;

use super::groups::{self, Group, apply};
use super::list::not_clustered;
use crate::normal::normal;
use crate::stored::{Cluster, Constraint, Edit, Set};

/// Manual edits of a set, at most.
const MAX_EDITS: usize = 2_000;

/// What an edit does.
#[value]
pub(crate) enum Op {
    /// Makes one cluster of several.
    Merge,
    /// Takes keywords out of a cluster into one of their own.
    Split,
    /// Gives a cluster a name.
    Rename,
    /// Takes keywords from their clusters into another one.
    Move,
}

/// A change of clusters.
#[args]
pub(crate) struct Change {
    /// What is done.
    op: Op,
    /// The clusters: two or more to merge, the one to split or rename, the one to move to.
    clusters: List<Id<Cluster>, 1, 50>,
    /// The keywords to split off or to move.
    keywords: Option<List<Text<1, 200>, 1, 500>>,
    /// The name, of `rename`; of `merge` and `split` the name of what comes out.
    name: Option<Text<1, 80>>,
}

#[args]
pub(crate) struct Changes {
    /// The set.
    set_ref: Id<Set>,
    /// Changes, in the order in which they are made.
    edits: List<Change, 1, 100>,
}

/// A cluster that is different now.
#[value]
pub(crate) struct Edited {
    cluster_ref: Id<Cluster>,
    name: String,
    main: String,
    members: Vec<String>,
    /// Searches in a month.
    volume: u64,
}

/// What was changed.
#[value]
pub(crate) struct Outcome {
    /// Clusters that are different now, or new.
    clusters: Vec<Edited>,
    /// Manual edits of the set that every later clustering keeps.
    pinned: u64,
    /// Earlier edits that these take back.
    replaced: u64,
}

/// Merges, splits, renames clusters or moves keywords between them; manual edits survive re-clustering.
///
/// An edit that contradicts an earlier one takes its place. Edits of one call that contradict each other are refused.
#[operation(
    write,
    scope = "assets:write",
    cost = write,
    side_effects = ["changes the clusters of the set, now and after every later clustering"],
    needs = ["store"],
    phrasings = ["merge keyword clusters", "move a keyword to another cluster", "rename a cluster", "split a keyword group"],
    examples = [
        { "set_ref": "set_01", "edits": [{ "op": "merge", "clusters": ["cluster_01", "cluster_02"], "name": "Desk lamps" }] },
        { "set_ref": "set_01", "edits": [{ "op": "move", "clusters": ["cluster_02"], "keywords": ["reading lamp"] }] },
    ]
)]
pub(crate) fn edit(cx: &Cx, args: Changes) -> Result<Outcome> {
    let set = crate::set::get(cx, &args.set_ref)?;
    crate::set::is_free(cx, &set)?;
    let clustered = set.clustered.clone().ok_or_else(|| not_clustered(&set.id))?;
    let before: Vec<Stored<Cluster>> = groups::current(cx, &set).collect();
    let mut made: Vec<(usize, Edit)> = Vec::new();
    let language = set.language();
    for (at, change) in args.edits.iter().enumerate() {
        let asked = Asked { at, change, before: &before, language: &language };
        made.extend(asked.constraints()?.into_iter().map(|edit| (at, edit)));
    }
    refuse_contradictions(&made)?;
    let edits: Vec<Edit> = made.into_iter().map(|it| it.1).collect();
    let stays = |old: &&Edit| !edits.iter().any(|new| contradicts(old, new));
    let mut kept: Vec<Edit> = set.edits.iter().filter(stays).cloned().collect();
    let replaced = (set.edits.len() - kept.len()) as u64;
    if kept.len() + edits.len() > MAX_EDITS {
        let message = format!("a set has at most {MAX_EDITS} manual edits");
        return Err(Fault::conflict("too_many_edits", message).at("/edits"));
    }
    let group = |it: &Stored<Cluster>| Group {
        members: it.members.clone(),
        name: it.pinned.then(|| it.name.clone()),
        pinned: it.pinned,
    };
    let after = apply(before.iter().map(group).collect(), &edits);
    kept.extend(edits);
    let pinned = kept.len() as u64;
    let written = rewrite(cx, &set, clustered.generation, &before, &after)?;
    cx.records::<Set>().update(&set.id, |set| {
        set.edits = kept;
        if let Some(clustered) = &mut set.clustered {
            clustered.clusters = after.len() as u64;
        }
    })?;
    Ok(Outcome { clusters: written, pinned, replaced })
}

/// Writes the groups that differ from the clusters before, and removes those that are gone.
fn rewrite(
    cx: &Cx,
    set: &Stored<Set>,
    generation: u64,
    before: &[Stored<Cluster>],
    after: &[Group],
) -> Result<Vec<Edited>> {
    let of_group = |it: &Group| (it.members.iter().cloned().collect::<BTreeSet<String>>(), it.name.clone());
    let of_row = |it: &Stored<Cluster>| {
        (it.members.iter().cloned().collect::<BTreeSet<String>>(), it.pinned.then(|| it.name.clone()))
    };
    let held: BTreeSet<_> = before.iter().map(of_row).collect();
    let now: BTreeSet<_> = after.iter().map(of_group).collect();
    let changed: Vec<Group> = after.iter().filter(|it| !held.contains(&of_group(it))).cloned().collect();
    let clusters = cx.records::<Cluster>();
    for row in before.iter().filter(|it| !now.contains(&of_row(it))) {
        clusters.remove(row)?;
    }
    let (volumes, shown) = (groups::volumes(cx, &set.id), groups::shown(cx, &set.id, &changed));
    let mut written = Vec::new();
    for group in changed {
        let row = clusters.insert(groups::cluster(group, set.id.as_str(), generation, &volumes, &shown))?;
        written.push(Edited {
            name: row.name.clone(),
            main: row.main.clone(),
            members: row.members.clone(),
            volume: u64::try_from(row.order).unwrap_or(0),
            cluster_ref: row.id,
        });
    }
    Ok(written)
}

/// A change with the clusters that it is about.
struct Asked<'a> {
    at: usize,
    change: &'a Change,
    before: &'a [Stored<Cluster>],
    language: &'a str,
}

impl Asked<'_> {
    fn wrong(&self, member: &str, code: &str, message: &str) -> Fault {
        Fault::invalid(format!("/edits/{}/{member}", self.at), code, message)
    }

    fn clusters(&self) -> Result<Vec<&Stored<Cluster>>> {
        let by_id: BTreeMap<&Id<Cluster>, &Stored<Cluster>> = self.before.iter().map(|it| (&it.id, it)).collect();
        let find = |(nth, reference): (usize, &Id<Cluster>)| {
            by_id.get(reference).copied().ok_or_else(|| {
                let message = "there is no such cluster in this set; keywords.cluster.list names those that there are";
                Fault::not_found("cluster_not_found", message).at(format!("/edits/{}/clusters/{nth}", self.at))
            })
        };
        self.change.clusters.iter().enumerate().map(find).collect()
    }

    fn holder(&self, keyword: &String) -> Option<&Stored<Cluster>> {
        self.before.iter().find(|it| it.members.contains(keyword))
    }

    /// What the change asks of every clustering.
    fn constraints(&self) -> Result<Vec<Edit>> {
        let clusters = self.clusters()?;
        let keywords: Vec<String> =
            self.change.keywords.iter().flatten().map(|it| normal(it.as_str(), self.language)).collect();
        for (nth, keyword) in keywords.iter().enumerate() {
            if self.holder(keyword).is_none() {
                let message = "no cluster of this set has this keyword";
                return Err(self.wrong(&format!("keywords/{nth}"), "keyword_not_found", message));
            }
        }
        let name = self.change.name.as_ref().map(|it| kit::text::collapse(it.as_str()));
        let target = clusters[0];
        let edit = |constraint, keywords, other| Edit { constraint, keywords, other };
        let mut edits = Vec::new();
        match self.change.op {
            Op::Merge if clusters.len() < 2 => {
                return Err(self.wrong("clusters", "two_clusters", "name two clusters or more to merge"));
            }
            Op::Split | Op::Move if keywords.is_empty() => {
                return Err(self.wrong("keywords", "keywords_needed", "name the keywords to split off or to move"));
            }
            Op::Rename if name.is_none() => return Err(self.wrong("name", "name_needed", "give the name")),
            Op::Rename => {}
            Op::Merge => {
                let all = clusters.iter().flat_map(|it| it.members.iter().cloned()).collect();
                edits.push(edit(Constraint::Together, all, None));
            }
            Op::Split => {
                let leaving: Vec<String> = keywords.iter().filter(|it| target.members.contains(it)).cloned().collect();
                if leaving.is_empty() {
                    let message = "the cluster has none of these keywords";
                    return Err(self.wrong("keywords", "keyword_not_found", message));
                }
                let Some(stays) = target.members.iter().find(|it| !leaving.contains(it)) else {
                    let message = "all keywords of the cluster would leave it; rename it instead";
                    return Err(self.wrong("keywords", "nothing_left", message));
                };
                edits.push(edit(Constraint::Apart, leaving, Some(stays.clone())));
            }
            Op::Move => {
                for keyword in keywords.iter().filter(|it| !target.members.contains(it)) {
                    let members = self.holder(keyword).map(|it| &it.members);
                    let stays = members.and_then(|all| all.iter().find(|other| !keywords.contains(other)));
                    if let Some(stays) = stays {
                        edits.push(edit(Constraint::Apart, vec![keyword.clone()], Some(stays.clone())));
                    }
                }
                let all = std::iter::once(target.main.clone()).chain(keywords.iter().cloned()).collect();
                edits.push(edit(Constraint::Together, all, None));
            }
        }
        if let Some(name) = name {
            let named = if self.change.op == Op::Split { keywords[0].clone() } else { target.main.clone() };
            edits.push(edit(Constraint::Named, vec![named], Some(name)));
        }
        Ok(edits)
    }
}

/// Whether a later edit takes an earlier one back.
fn contradicts(old: &Edit, new: &Edit) -> bool {
    let clash = |apart: &Edit, together: &Edit| {
        apart.constraint == Constraint::Apart
            && together.constraint == Constraint::Together
            && apart.other.as_ref().is_some_and(|it| together.keywords.contains(it))
            && apart.keywords.iter().any(|it| together.keywords.contains(it))
    };
    let named = |it: &Edit| it.constraint == Constraint::Named;
    clash(old, new) || clash(new, old) || (named(old) && named(new) && old.keywords == new.keywords)
}

/// Edits of different changes of one call must not contradict each other.
fn refuse_contradictions(made: &[(usize, Edit)]) -> Result<()> {
    for (at, (change, edit)) in made.iter().enumerate() {
        let clash = made[..at].iter().find(|(other, before)| other != change && contradicts(before, edit));
        if let Some((other, _)) = clash {
            let message = format!("this contradicts the change {other} of the same call");
            return Err(Fault::conflict("edits_contradict", message)
                .at(format!("/edits/{change}"))
                .detail(json!({ "edits": [other, change] })));
        }
    }
    Ok(())
}
