//! A bounded map: what was not asked for while half of it was filled anew goes.

use std::collections::HashMap;
use std::hash::Hash;

/// Values by their keys, up to a weight.
pub(super) struct Kept<K, V> {
    young: HashMap<K, (V, usize)>,
    old: HashMap<K, (V, usize)>,
    /// Of what is young.
    weight: usize,
    most: usize,
}

impl<K: Eq + Hash, V: Clone> Kept<K, V> {
    /// Nothing yet; `most` is about the weight of all.
    pub(super) fn new(most: usize) -> Self {
        Self { young: HashMap::new(), old: HashMap::new(), weight: 0, most }
    }

    pub(super) fn get(&mut self, key: &K) -> Option<V> {
        if let Some((value, _)) = self.young.get(key) {
            return Some(value.clone());
        }
        let (key, (value, weight)) = self.old.remove_entry(key)?;
        self.put(key, value.clone(), weight);
        Some(value)
    }

    pub(super) fn put(&mut self, key: K, value: V, weight: usize) {
        if self.weight + weight > self.most / 2 {
            self.old = std::mem::take(&mut self.young);
            self.weight = 0;
        }
        self.old.remove(&key);
        let before = self.young.insert(key, (value, weight)).map_or(0, |(_, weight)| weight);
        self.weight = self.weight + weight - before;
    }

    pub(super) fn remove(&mut self, key: &K) {
        self.old.remove(key);
        if let Some((_, weight)) = self.young.remove(key) {
            self.weight -= weight;
        }
    }

    pub(super) fn clear(&mut self) {
        *self = Self::new(self.most);
    }
}
