//! The notes module a version later: a note says its website under another name and counts its words, so what is stored is
//! brought into another form.

use sdk::prelude::*;

sdk::module! {
    name: notes,
    operations: [list, create],
    collections: [Note],
    upgrades: [Note],
}

/// A note about a website.
#[record(collection = "notes", version = 2, upgrade = Note::of_first, index(website))]
struct Note {
    /// The website, by its domain.
    website: Domain,
    text: Text<1, 500>,
    /// Words in the text.
    words: u32,
    created_at: Moment,
}

/// A note as the first version kept it.
#[value]
struct First {
    site: Domain,
    text: Text<1, 500>,
    created_at: Moment,
}

impl Note {
    fn of_first(before: Before) -> Result<Self> {
        let First { site, text, created_at } = before.read()?;
        Ok(Self { words: words(&text), website: site, text, created_at })
    }
}

fn words(text: &str) -> u32 {
    text.split_whitespace().fold(0, |count, _| count + 1)
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
        Some(site) => notes.by("website").equals(site),
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
    let words = words(&args.text);
    let note = cx.records().insert(Note { website: args.site, text: args.text, words, created_at: cx.now() })?;
    Ok(Created { note_ref: note.id })
}

#[cfg(test)]
mod tests {
    //! A note of the first version, as the fake host has it stored.

    use sdk::json;

    #[test]
    fn a_note_of_the_version_before_is_listed_in_the_form_of_this_one() {
        let fake = crate::fake();
        let before = json!({ "site": "example.com", "text": "Renew in May.", "created_at": "2026-01-01T00:00:00Z" });
        fake.stored("notes", "old", &before);
        let listed = fake.call("notes.list", json!({ "site": "example.com" })).unwrap();
        assert_eq!(listed["notes"][0]["website"], "example.com");
        assert_eq!(listed["notes"][0]["words"], 3);
    }
}
