//! A live page with its content, and what its head says first.

use std::ops::Deref;

use kit::extract::{self, Block, Content};
use sdk::prelude::*;
use site::live::{self, Reach};

/// A page that answered with HTML, and its content.
pub(crate) struct Live {
    page: live::Live,
    /// Its content.
    pub(crate) content: Content,
    /// The content as blocks.
    pub(crate) blocks: Vec<Block>,
}

impl Deref for Live {
    type Target = live::Live;

    fn deref(&self) -> &live::Live {
        &self.page
    }
}

impl From<live::Live> for Live {
    fn from(page: live::Live) -> Self {
        let content = extract::content(&page.dom);
        let blocks = extract::blocks(&page.dom, &content);
        Self { page, content, blocks }
    }
}

impl Live {
    /// The content as plain text.
    pub(crate) fn text(&self) -> String {
        extract::plain(&self.blocks)
    }

    /// The title, empty without one.
    pub(crate) fn title(&self) -> &str {
        self.facts.titles.first().map_or("", String::as_str)
    }

    /// The description, empty without one.
    pub(crate) fn description(&self) -> &str {
        self.facts.descriptions.first().map_or("", String::as_str)
    }

    /// The first heading of level one, empty without one.
    pub(crate) fn h1(&self) -> &str {
        self.facts.headings.iter().find(|it| it.level == 1).map_or("", |it| it.text.as_str())
    }

    /// The language to read it in: as asked for, as declared, or as detected; English at last.
    pub(crate) fn language(&self, asked: Option<&Language>) -> String {
        let declared =
            || self.facts.lang.as_deref().map(kit::language::primary).filter(|it| kit::language::is_known(it));
        let detected = || kit::language::detect(&self.text()).map(|it| it.language.to_owned());
        asked.map(|it| it.primary().to_owned()).or_else(declared).or_else(detected).unwrap_or_else(|| "en".to_owned())
    }
}

/// Reads one page; the refusal names the argument `pointer`.
pub(crate) fn page(cx: &Cx, url: &Url, pointer: &str) -> Result<Live> {
    live::page(cx, url, pointer).map(Live::from)
}

/// Reads several pages, fetched together, each up to `bytes`; answers in their order.
pub(crate) fn pages(cx: &Cx, urls: &[Url], bytes: u32) -> Vec<Result<Live>> {
    live::pages(cx, urls, Reach::bytes(bytes)).into_iter().map(|page| page.map(Live::from)).collect()
}

/// A page from its source, which nobody fetched.
pub(crate) fn of_source(cx: &Cx, url: &Url, html: &str) -> Live {
    live::of_source(cx, url, html).into()
}
