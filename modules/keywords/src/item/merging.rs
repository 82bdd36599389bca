//! Which keywords become rows, and which are forms of others.

use std::collections::{BTreeMap, HashMap};

use sdk::prelude::*;

use super::source::Entry;
use crate::normal::{Keys, same_words};
use crate::stored::{Keyword, MAX_KEYWORDS, Set, Variant, keyword_id};

/// A keyword that is a form of another one.
#[sdk::value]
pub(crate) struct Merged {
    /// As it was handed over.
    keyword: String,
    /// The keyword that has it as a form.
    into: String,
    /// `exact` for the same words in the same order, `order` for another order, `stem` for other endings.
    #[own]
    by: String,
}

/// A set while keywords are added to it.
pub(super) struct Merging<'s> {
    set: &'s Stored<Set>,
    keys: Keys,
    exact: bool,
    rows: BTreeMap<Id<Keyword>, Keyword>,
    by_key: HashMap<String, Id<Keyword>>,
    /// Forms of keywords, by their normal form.
    forms: HashMap<String, Id<Keyword>>,
    changed: BTreeMap<Id<Keyword>, bool>,
    now: u64,
    pub(super) merged: Vec<Merged>,
    pub(super) added: u64,
    pub(super) updated: u64,
}

impl<'s> Merging<'s> {
    /// With the keywords that the set has.
    pub(super) fn new(
        set: &'s Stored<Set>,
        keys: Keys,
        exact: bool,
        known: impl Iterator<Item = Stored<Keyword>>,
        now: u64,
    ) -> Self {
        let (rows, by_key, forms) = (BTreeMap::new(), HashMap::new(), HashMap::new());
        let (changed, merged) = (BTreeMap::new(), Vec::new());
        let mut this = Self { set, keys, exact, rows, by_key, forms, changed, now, merged, added: 0, updated: 0 };
        for row in known {
            this.by_key.entry(this.keys.key(&row.normal)).or_insert_with(|| row.id.clone());
            for form in &row.variants {
                this.forms.insert(form.keyword.clone(), row.id.clone());
            }
            this.rows.insert(row.id.clone(), row.into_inner());
        }
        this
    }

    /// Adds the keywords; those that do not fit into the set come back. The main form of keywords that are new together is the
    /// one with the most searches, then with the most words, then the first.
    pub(super) fn add(&mut self, entries: Vec<Entry>) -> Vec<Entry> {
        let mut groups: Vec<Vec<Entry>> = Vec::new();
        let mut by_key: HashMap<String, usize> = HashMap::new();
        for entry in entries {
            let own: Id<Keyword> = keyword_id(&self.set.id, &entry.normal);
            if self.rows.contains_key(&own) {
                self.same(&own, &entry);
                continue;
            }
            if let Some(holder) = self.forms.get(&entry.normal).cloned() {
                if !self.exact {
                    self.form(&holder, &entry);
                    continue;
                }
                self.split(&holder, &entry.normal);
            }
            let key = self.keys.key(&entry.normal);
            if let Some(holder) = self.by_key.get(&key).cloned() {
                self.form(&holder, &entry);
                continue;
            }
            let group = *by_key.entry(key).or_insert(groups.len());
            if group == groups.len() {
                groups.push(Vec::new());
            }
            groups[group].push(entry);
        }
        let mut left = Vec::new();
        for mut group in groups {
            if self.rows.len() as u64 >= MAX_KEYWORDS {
                left.extend(group);
                continue;
            }
            let words = |entry: &Entry| entry.normal.split(' ').count();
            let main =
                (0..group.len()).max_by_key(|at| (group[*at].volume, words(&group[*at]), std::cmp::Reverse(*at)));
            let main = group.remove(main.unwrap_or(0));
            let id = self.insert(main);
            group.iter().for_each(|entry| {
                if entry.normal == self.rows[&id].normal { self.same(&id, entry) } else { self.form(&id, entry) }
            });
        }
        left
    }

    fn insert(&mut self, entry: Entry) -> Id<Keyword> {
        let id: Id<Keyword> = keyword_id(&self.set.id, &entry.normal);
        let mut row = Keyword {
            set: self.set.id.to_string(),
            keyword: entry.keyword.clone(),
            normal: entry.normal.clone(),
            added_ms: self.now,
            order: -1,
            ..Keyword::default()
        };
        self.take(&mut row, &entry);
        self.by_key.insert(self.keys.key(&row.normal), id.clone());
        self.rows.insert(id.clone(), row);
        self.changed.insert(id.clone(), true);
        self.added += 1;
        id
    }

    /// What an entry brings goes into a row: metrics of a file replace those of an earlier file, never measured ones.
    fn take(&self, row: &mut Keyword, entry: &Entry) -> bool {
        let before = row.clone();
        if entry.has_metrics() && (row.imported || row.metrics_ms.is_none()) {
            row.set_volume(entry.volume.or(row.volume));
            row.cpc = entry.cpc.or(row.cpc);
            row.difficulty = entry.difficulty.or(row.difficulty);
            (row.metrics_ms, row.imported) = (Some(self.now), true);
        }
        if row.intent.is_none() {
            row.intent = entry.intent;
        }
        for tag in &entry.tags {
            if !row.tags.contains(tag) {
                row.tags.push(tag.clone());
            }
        }
        if row.target_url.is_none() {
            row.target_url.clone_from(&entry.url);
        }
        let same = Keyword { metrics_ms: before.metrics_ms, ..row.clone() } == before;
        !same
    }

    /// The keyword is there already.
    fn same(&mut self, id: &Id<Keyword>, entry: &Entry) {
        let Some(mut row) = self.rows.get(id).cloned() else { return };
        self.note(entry, &row.keyword, "exact");
        if self.take(&mut row, entry) {
            self.rows.insert(id.clone(), row);
            self.touch(id);
        }
    }

    /// The keyword is another form of one that is there.
    fn form(&mut self, id: &Id<Keyword>, entry: &Entry) {
        let Some(row) = self.rows.get_mut(id) else { return };
        let by = if same_words(&row.normal, &entry.normal) { "order" } else { "stem" };
        let known = row.variants.iter_mut().find(|it| it.keyword == entry.normal);
        let changed = match known {
            Some(form) if form.volume == entry.volume || entry.volume.is_none() => false,
            Some(form) => {
                form.volume = entry.volume;
                true
            }
            None => {
                row.variants.push(Variant { keyword: entry.normal.clone(), volume: entry.volume });
                true
            }
        };
        let into = row.keyword.clone();
        self.note(entry, &into, by);
        if changed {
            self.forms.insert(entry.normal.clone(), id.clone());
            self.touch(id);
        }
    }

    /// A form becomes a keyword of its own again.
    fn split(&mut self, holder: &Id<Keyword>, normal: &str) {
        if let Some(row) = self.rows.get_mut(holder) {
            row.variants.retain(|it| it.keyword != normal);
        }
        self.forms.remove(normal);
        self.touch(holder);
    }

    fn touch(&mut self, id: &Id<Keyword>) {
        if !self.changed.contains_key(id) {
            self.changed.insert(id.clone(), false);
            self.updated += 1;
        }
    }

    fn note(&mut self, entry: &Entry, into: &str, by: &str) {
        self.merged.push(Merged { keyword: entry.keyword.clone(), into: into.to_owned(), by: by.to_owned() });
    }

    /// The rows to write: new ones, and those that changed.
    pub(super) fn changes(&self) -> impl Iterator<Item = (&Id<Keyword>, &Keyword)> {
        self.changed.keys().map(|id| (id, &self.rows[id]))
    }

    /// All rows.
    pub(super) fn all(&self) -> impl Iterator<Item = &Keyword> {
        self.rows.values()
    }
}
