//! What customers want to remember about their websites. Say here, in a sentence, what your module is for.

use sdk::prelude::*;

sdk::module! {
    operations: [list, create],
    collections: [Note],
}

/// A note about a website.
#[record(collection = "notes", index(site))]
struct Note {
    /// The website, by its domain.
    site: Domain,
    text: Text<1, 500>,
    created_at: Moment,
}

#[args(paged)]
struct List {
    /// Only notes about this website.
    site: Option<Domain>,
}

#[page]
struct Notes {
    notes: Vec<Stored<Note>>,
}

/// Lists notes, the newest first.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    phrasings = ["what did I note", "show my notes", "notes about this website"],
    examples = [{}, { "site": "example.com", "limit": 10 }]
)]
fn list(cx: &Cx, args: List) -> Result<Notes> {
    let notes = cx.records::<Note>();
    let query = match args.site {
        Some(site) => notes.by("site").equals(site),
        None => notes.all(),
    };
    Ok(query.descending().page(args.limit, args.cursor)?.into())
}

#[args]
struct Create {
    /// The website, by its domain.
    site: Domain,
    /// What to remember.
    text: Text<1, 500>,
}

#[value]
struct Created {
    note_ref: Id<Note>,
}

/// Keeps a note about a website.
#[operation(
    write,
    scope = "assets:write",
    cost = write,
    side_effects = ["adds a note"],
    phrasings = ["remember this", "add a note", "write down something about a website"],
    examples = [{ "site": "example.com", "text": "Renew the certificate in May." }]
)]
fn create(cx: &Cx, args: Create) -> Result<Created> {
    let note = cx.records().insert(Note { site: args.site, text: args.text, created_at: cx.now() })?;
    Ok(Created { note_ref: note.id })
}

#[cfg(test)]
mod tests;
