//! Groups of keywords on their way to clusters: manual edits, names, and how they are written.

use std::collections::{BTreeMap, HashMap, HashSet};

use sdk::prelude::*;

use crate::stored::{Cluster, Clustered, Constraint, Edit, Set};

/// Clusters that one step writes.
const MAX_WRITTEN: usize = 9_000;
/// Bytes of a blob.
const MAX_BYTES: u32 = 8 << 20;

/// A group of keywords, by their normal forms.
#[value]
pub(crate) struct Group {
    pub(crate) members: Vec<String>,
    /// The name that an edit gave it.
    pub(crate) name: Option<String>,
    /// Whether an edit made it.
    pub(crate) pinned: bool,
}

impl Group {
    /// Of these keywords.
    pub(crate) fn of(members: Vec<String>) -> Self {
        Self { members, name: None, pinned: false }
    }
}

/// Applies manual edits in their order. Keywords that are gone are passed over.
pub(crate) fn apply(mut groups: Vec<Group>, edits: &[Edit]) -> Vec<Group> {
    let mut holder: HashMap<String, usize> = HashMap::new();
    for (at, group) in groups.iter().enumerate() {
        group.members.iter().for_each(|member| _ = holder.insert(member.clone(), at));
    }
    for edit in edits {
        let known: Vec<String> = edit.keywords.iter().filter(|it| holder.contains_key(*it)).cloned().collect();
        let Some(first) = known.first() else { continue };
        match edit.constraint {
            Constraint::Together => {
                let into = holder[first];
                for member in &known[1..] {
                    let other = holder[member];
                    if other != into {
                        let moved = std::mem::take(&mut groups[other].members);
                        moved.iter().for_each(|member| _ = holder.insert(member.clone(), into));
                        groups[into].members.extend(moved);
                        let name = groups[other].name.take();
                        groups[into].name = groups[into].name.take().or(name);
                    }
                }
                groups[into].pinned = true;
            }
            Constraint::Apart => {
                let Some(from) = edit.other.as_ref().and_then(|it| holder.get(it)).copied() else { continue };
                let leaving: HashSet<String> =
                    known.into_iter().filter(|it| holder[it] == from && Some(it) != edit.other.as_ref()).collect();
                if leaving.is_empty() {
                    continue;
                }
                let (away, stays) =
                    std::mem::take(&mut groups[from].members).into_iter().partition(|it| leaving.contains(it));
                groups[from].members = stays;
                leaving.into_iter().for_each(|member| _ = holder.insert(member, groups.len()));
                groups.push(Group { members: away, name: None, pinned: true });
            }
            Constraint::Named => {
                let at = holder[first];
                groups[at].name.clone_from(&edit.other);
                groups[at].pinned = true;
            }
        }
    }
    groups.retain(|it| !it.members.is_empty());
    groups
}

/// The searches of each keyword of a set that is not excluded, or -1 where they are not known.
pub(crate) fn volumes(cx: &Cx, set: &Id<Set>) -> BTreeMap<String, i64> {
    crate::set::keywords(cx, set).filter(|it| !it.excluded).map(|it| (it.normal.clone(), it.order)).collect()
}

/// How the keywords of some groups are written, by their normal forms.
pub(crate) fn shown(cx: &Cx, set: &Id<Set>, groups: &[Group]) -> HashMap<String, String> {
    let wanted: HashSet<&str> = groups.iter().flat_map(|it| it.members.iter().map(String::as_str)).collect();
    let rows = crate::set::keywords(cx, set).filter(|it| wanted.contains(it.normal.as_str()));
    rows.map(|it| (it.normal.clone(), it.keyword.clone())).collect()
}

/// The cluster of a group: its main keyword is the one with the most searches, then the shortest, and names it.
pub(crate) fn cluster(
    group: Group,
    set: &str,
    generation: u64,
    volumes: &BTreeMap<String, i64>,
    shown: &HashMap<String, String>,
) -> Cluster {
    let mut members = group.members;
    let volume = |keyword: &String| volumes.get(keyword).copied().unwrap_or(-1);
    members.sort_by(|a, b| volume(b).cmp(&volume(a)).then_with(|| a.len().cmp(&b.len())).then_with(|| a.cmp(b)));
    let main = members.first().cloned().unwrap_or_default();
    let order = members.iter().map(|it| volume(it).max(0)).sum();
    let name = group.name.unwrap_or_else(|| shown.get(&main).cloned().unwrap_or_else(|| main.clone()));
    Cluster { set: set.to_owned(), order, name, main, members, pinned: group.pinned, generation, mapped: None }
}

/// The blob that holds the groups of a clustering until they are written.
fn blob(set: &Id<Set>) -> String {
    format!("clustering/{set}/groups")
}

/// Keeps groups for the steps that write them.
pub(crate) fn keep(cx: &Cx, set: &Id<Set>, groups: &[Group]) -> Result<()> {
    cx.blobs().write(&blob(set), sdk::json!(groups).to_string().as_bytes())
}

/// What a step before this one kept.
///
/// # Errors
/// 409 `clustering_lost` when it cannot be read, since what is missing would be keywords without a cluster.
pub(crate) fn stored<T: sdk::serde::de::DeserializeOwned>(cx: &Cx, key: &str) -> Result<T> {
    let bytes = cx.blobs().read(key, 0, MAX_BYTES).unwrap_or_default();
    sdk::serde_json::from_slice(&bytes).map_err(|_| {
        let message = "what was clustered so far cannot be read; start the clustering again";
        Fault::conflict("clustering_lost", message)
    })
}

/// Writes the next clusters; how many are written then, and how many there are.
pub(crate) fn write(cx: &Cx, set: &Stored<Set>, generation: u64, written: usize) -> Result<(usize, usize)> {
    let groups: Vec<Group> = stored(cx, &blob(&set.id))?;
    let count = groups.len();
    let wanted: Vec<Group> = groups.into_iter().skip(written).take(MAX_WRITTEN).collect();
    let (volumes, shown) = (volumes(cx, &set.id), shown(cx, &set.id, &wanted));
    let row = |group| cluster(group, set.id.as_str(), generation, &volumes, &shown);
    let rows: Vec<Cluster> = wanted.into_iter().map(row).collect();
    if !rows.is_empty() {
        cx.records::<Cluster>().put_many(&rows)?;
    }
    Ok((written + rows.len(), count))
}

/// The number of the next clustering: the time, and later than the one before.
pub(crate) fn next_generation(cx: &Cx, set: &Set) -> u64 {
    let before = set.clustered.as_ref().map_or(0, |it| it.generation);
    cx.now().millis().max(before + 1)
}

/// Makes a clustering the one in force and removes the one before.
pub(crate) fn finish(cx: &Cx, set: &Id<Set>, clustered: Clustered) -> Result<()> {
    cx.blobs().remove(&blob(set))?;
    let before = cx.records::<Set>().get(set)?.clustered.as_ref().map(|it| it.generation);
    cx.records::<Set>().update(set, |set| set.clustered = Some(clustered))?;
    if let Some(before) = before {
        cx.records::<Cluster>().by("set_generation_order").equals(set).equals(before).remove();
    }
    Ok(())
}

/// The clusters in force, those with the most searches first; none when the set was not clustered.
pub(crate) fn current<'a>(cx: &'a Cx, set: &Stored<Set>) -> impl Iterator<Item = Stored<Cluster>> + use<'a> {
    let generation = set.clustered.as_ref().map_or(0, |it| it.generation);
    cx.records::<Cluster>().by("set_generation_order").equals(&set.id).equals(generation).descending().scan()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(all: &[&[&str]]) -> Vec<Group> {
        all.iter().map(|members| Group::of(members.iter().map(|it| (*it).to_owned()).collect())).collect()
    }

    fn edit(constraint: Constraint, keywords: &[&str], other: Option<&str>) -> Edit {
        Edit {
            constraint,
            keywords: keywords.iter().map(|it| (*it).to_owned()).collect(),
            other: other.map(str::to_owned),
        }
    }

    #[test]
    fn edits_join_split_and_name_whatever_the_clustering_made() {
        let edits = [
            edit(Constraint::Apart, &["b"], Some("a")),
            edit(Constraint::Together, &["b", "d"], None),
            edit(Constraint::Named, &["d"], Some("Best")),
            edit(Constraint::Together, &["gone", "x"], None),
        ];
        let found = apply(groups(&[&["a", "b", "c"], &["d", "e"], &["f"]]), &edits);
        let members: Vec<Vec<&str>> = found.iter().map(|it| it.members.iter().map(String::as_str).collect()).collect();
        assert_eq!(members, [vec!["a", "c"], vec!["f"], vec!["b", "d", "e"]]);
        assert_eq!((found[2].name.as_deref(), found[2].pinned, found[0].pinned), (Some("Best"), true, false));
        // On another clustering the same edits hold.
        let found = apply(groups(&[&["a"], &["b"], &["c", "d"], &["e", "f"]]), &edits);
        assert!(found.iter().any(|it| it.members == ["b", "c", "d"]), "{found:?}");
    }

    #[test]
    fn the_main_keyword_has_the_most_searches_and_names_its_cluster() {
        let volumes =
            BTreeMap::from([("lamp".to_owned(), 90), ("lamps".to_owned(), 400), ("lamp shop".to_owned(), -1)]);
        let group = Group::of(vec!["lamp".to_owned(), "lamp shop".to_owned(), "lamps".to_owned()]);
        let made = cluster(group, "s", 1, &volumes, &HashMap::from([("lamps".to_owned(), "Lamps".to_owned())]));
        assert_eq!((made.name.as_str(), made.main.as_str(), made.order), ("Lamps", "lamps", 490));
        assert_eq!(made.members, ["lamps", "lamp", "lamp shop"]);
    }
}
