//! Redirects as a graph: where each leads in the end, which lead in a circle, and what new ones make of it.

use std::collections::{BTreeMap, BTreeSet};

/// A redirect that stands, or is to stand. Places are keys, or whole addresses of other hosts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Edge {
    /// Where it begins.
    pub(crate) from: String,
    /// Where it leads; none for what is gone.
    pub(crate) to: Option<String>,
}

/// Where a visitor of a place ends.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum End {
    /// At a place without a redirect, after so many of them.
    At(String, u32),
    /// Nowhere: what was there is gone.
    Gone,
    /// Nowhere: in a circle.
    Loop,
}

/// Redirects by their source.
#[derive(Debug, Clone, Default)]
pub(crate) struct Graph(BTreeMap<String, Option<String>>);

/// Why a redirect was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Why {
    /// It leads to itself.
    Itself,
    /// It closes a circle.
    Loop,
    /// It leads to what is gone.
    TargetGone,
}

/// What taking a redirect did to it and to those that stood.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Taken {
    /// Where it leads now: the end of its chain.
    pub(crate) to: Option<String>,
    /// Redirects that stood and led to its source; they lead to its end now.
    pub(crate) pulled: Vec<String>,
}

impl Graph {
    pub(crate) fn of(edges: impl IntoIterator<Item = Edge>) -> Self {
        // Of two redirects of one source the first answers.
        let mut all = BTreeMap::new();
        for Edge { from, to } in edges {
            all.entry(from).or_insert(to);
        }
        Self(all)
    }

    /// Where a visitor of a place ends.
    pub(crate) fn end(&self, place: &str) -> End {
        let mut seen = BTreeSet::new();
        let mut at = place;
        loop {
            match self.0.get(at) {
                None => return End::At(at.to_owned(), u32::try_from(seen.len()).unwrap_or(u32::MAX)),
                Some(None) => return End::Gone,
                Some(Some(next)) => {
                    if !seen.insert(at) {
                        return End::Loop;
                    }
                    at = next;
                }
            }
        }
    }

    /// Takes a redirect, in the place of one of the same source. It leads to the end of its chain, and what led to its source
    /// leads there too.
    pub(crate) fn take(&mut self, edge: &Edge) -> Result<Taken, Why> {
        let to = match &edge.to {
            None => None,
            Some(to) if *to == edge.from => return Err(Why::Itself),
            Some(to) => {
                // Its own redirect of before is no part of its way.
                let before = self.0.remove(&edge.from);
                let end = self.end(to);
                if let Some(before) = before {
                    self.0.insert(edge.from.clone(), before);
                }
                match end {
                    End::At(end, _) if end == edge.from => return Err(Why::Loop),
                    End::At(end, _) => Some(end),
                    End::Gone => return Err(Why::TargetGone),
                    End::Loop => return Err(Why::Loop),
                }
            }
        };
        self.0.insert(edge.from.clone(), to.clone());
        let mut pulled = Vec::new();
        if to.is_some() {
            for (from, led) in &mut self.0 {
                if led.as_deref() == Some(edge.from.as_str()) {
                    led.clone_from(&to);
                    pulled.push(from.clone());
                }
            }
        }
        Ok(Taken { to, pulled })
    }
}

#[cfg(test)]
mod tests;
