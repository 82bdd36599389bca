//! A WordPress for the tests: the simulator's, in the test's own process.

use std::cell::Cell;
use std::rc::Rc;

use sdk::prelude::*;
use sdk::{Collection, Fake, Module, SendFailure};
use simulators::Blog;
use site::Site;

use crate::{Change, Installation, Item};

/// What happens to the answer of a write.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Loss {
    /// It arrives.
    None,
    /// It is lost, after the write took effect.
    After,
    /// The request is lost, before anything took effect.
    Before,
}

/// A host whose customer has connected the blog.
pub(crate) struct Trial {
    pub(crate) fake: Fake,
    pub(crate) blog: Blog,
    pub(crate) loss: Rc<Cell<Loss>>,
}

impl Trial {
    pub(crate) fn new(blog: Blog) -> Self {
        let module = Module {
            name: "none",
            operations: Vec::new(),
            routes: Vec::new(),
            steps: Vec::new(),
            collections: vec![Collection::of::<Change>()],
            raw: Vec::new(),
            untrusted: Vec::new(),
        };
        let fake = Fake::new(module).connected("con_1", "wordpress");
        let loss = Rc::new(Cell::new(Loss::None));
        let (own, mode) = (blog.clone(), loss.clone());
        fake.provider_plays(move |asked| {
            let mode = if asked.method == "GET" { Loss::None } else { mode.get() };
            if mode == Loss::Before {
                return Some(Err(SendFailure::UnknownOutcome));
            }
            let said = own.ask(asked.method, asked.path, asked.query, asked.body, asked.headers);
            Some(if mode == Loss::After { Err(SendFailure::UnknownOutcome) } else { Ok(said) })
        });
        fake.put_as("81", Site { domain: "shop.example".to_owned(), origin: Blog::home(), ..Site::default() });
        Self { fake, blog, loss }
    }

    /// The blog, as its website has it.
    pub(crate) fn installation(&self) -> Installation {
        Installation::of(&self.fake, &self.site(), "tests read it").expect("an installation")
    }

    pub(crate) fn site(&self) -> Stored<Site> {
        self.fake.records::<Site>().find(&Id::new("81")).expect("the website")
    }

    /// A published item.
    pub(crate) fn item(&self, path: &str) -> Item {
        let url = format!("{}{path}", Blog::home());
        self.installation().find(&self.fake, &url).expect("an answer").unwrap_or_else(|| panic!("no item at {url}"))
    }

    /// Somebody else's edit, in the editor of the blog.
    pub(crate) fn edit(&self, item: &Item, body: &serde_json::Value) {
        let said = self.blog.ask("POST", &item.at.path(), &[], body.to_string().as_bytes(), &[]);
        assert_eq!(said.0, 200, "{}", String::from_utf8_lossy(&said.2));
    }

    /// The changes that are kept, oldest first.
    pub(crate) fn changes(&self) -> Vec<Stored<Change>> {
        self.fake.records::<Change>().all().scan().collect()
    }
}
