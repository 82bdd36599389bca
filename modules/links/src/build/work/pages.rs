//! The phase that reads the addresses of the crawl.

use sdk::prelude::*;

use super::{Checkpoint, LONG, Phase};
use crate::node::{self, Name, Node, PAGES, State};
use crate::stored::{Graph, Row};

/// Blobs that one step writes; a row takes some 50,000 units of fuel, and a step has 5,000 million.
const PARTS: usize = 4;

/// Reads addresses into pages and titles.
pub(super) fn read(cx: &Cx, graph: &mut Stored<Graph>, state: &mut Checkpoint) -> Result<()> {
    for _ in 0..PARTS {
        if cx.elapsed() > LONG {
            break;
        }
        let (mut nodes, mut names) = (Vec::with_capacity(PAGES), Vec::with_capacity(PAGES));
        loop {
            let rows = cx.records::<Row>().by("run_seq").equals(&graph.run_ref);
            let batch = rows.page((PAGES - nodes.len()) as u64, state.cursor.take())?;
            for row in batch.items {
                let (node, name) = add(row.into_inner(), state);
                nodes.push(node);
                names.push(name);
            }
            state.cursor = batch.next;
            if state.cursor.is_none() || nodes.len() >= PAGES {
                break;
            }
        }
        state.pages += u32::try_from(nodes.len()).unwrap_or(u32::MAX);
        graph.it.bytes += node::write(cx, &node::blob(graph.id.as_str(), "pages", graph.page_parts), &nodes)?;
        node::write(cx, &node::blob(graph.id.as_str(), "names", graph.name_parts), &names)?;
        graph.it.page_parts += 1;
        graph.it.name_parts += 1;
        if state.cursor.is_none() {
            let most = state.languages.iter().max_by_key(|(_, pages)| **pages);
            graph.it.language = most.map_or_else(|| "en".to_owned(), |(language, _)| language.clone());
            state.phase = Phase::Links;
            break;
        }
    }
    Ok(())
}

fn add(row: Row, state: &mut Checkpoint) -> (Node, Name) {
    if let Some(language) = row.lang.as_deref().map(kit::language::primary).filter(|it| it.len() == 2) {
        *state.languages.entry(language).or_default() += 1;
    }
    let standing = State::of(&row.indexability_reason);
    let leads = match standing {
        State::Moved => row.redirect_to,
        State::Canonicalised => row.canonical,
        _ => None,
    };
    let node = Node {
        url: row.url,
        status: row.status,
        state: standing,
        in_sitemap: row.in_sitemap,
        words: row.word_count,
        ..Node::default()
    };
    (node, Name { title: row.title, h1: row.h1.unwrap_or_default(), leads })
}
