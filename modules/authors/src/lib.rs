//! Authors: the people behind content. Their profiles, the pages and drafts they stand for, the evidence
//! that they are who they seem, and the markup that says so.

mod assignment;
mod byline;
mod crawled;
mod markup;
mod name;
mod profile;
mod removal;
mod trust;

use sdk::prelude::*;

use assignment::Assignment;
use site::Site;

sdk::module! {
    operations: [
        list,
        create,
        profile::get as get,
        profile::update as update,
        assignment::assign as assign,
        trust::score,
        byline::audit,
        markup::generate,
        removal::delete as delete,
    ],
    collections: [Author, Assignment],
    untrusted: [web],
}

/// A byline owned by the customer.
#[record(collection = "authors", index(status), index(site_id), index(site_id, status))]
struct Author {
    firstname: Text<1, 80>,
    lastname: Text<1, 80>,
    /// The website that the author writes for.
    site_id: Option<Id<Site>>,
    /// What the author is, such as "Head of tax law".
    role: Option<Text<0, 120>>,
    bio: Option<Text<0, 3_000>>,
    /// Degrees, licences, memberships.
    credentials: List<Text<1, 200>, 0, 20>,
    /// Profiles of the same person elsewhere.
    same_as: List<Url, 0, 20>,
    /// What the author writes about.
    topics: List<Text<1, 80>, 0, 20>,
    status: Status,
    created_at: Moment,
    updated_at: Moment,
}

#[value]
enum Status {
    /// Not to be published under.
    Draft,
    Active,
    /// Kept for what was published before; takes no new pages.
    Archived,
}

#[args(paged)]
struct Filter {
    /// Only authors in this state.
    status: Option<Status>,
    /// Only authors of this website.
    site_id: Option<Id<Site>>,
}

#[page]
struct Authors {
    authors: Vec<Entry>,
}

#[value]
struct Entry {
    author_ref: Id<Author>,
    name: String,
    role: Option<Text<0, 120>>,
    site_id: Option<Id<Site>>,
    status: Status,
    /// Pages assigned, as author or reviewer.
    pages: u64,
    /// From 0 to 100, when it was computed in the last seven days.
    trust_score: Option<u8>,
}

/// Lists author profiles with status, page counts and trust score.
///
/// Newest first. The trust score is the one that `authors.trust.score` last found, if that was within a week.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    phrasings = ["who writes for us", "show our authors", "list bylines", "which authors are archived"],
    examples = [{}, { "limit": 50, "status": "active" }]
)]
fn list(cx: &Cx, args: Filter) -> Result<Authors> {
    let authors = cx.records::<Author>();
    let query = match (args.site_id, args.status) {
        (None, None) => authors.all(),
        (None, Some(status)) => authors.by("status").equals(status),
        (Some(site), None) => authors.by("site_id").equals(site),
        (Some(site), Some(status)) => authors.by("site_id_status").equals(site).equals(status),
    };
    let page = query.descending().page(args.limit, args.cursor)?;
    let (scores, pages) = (trust::scores(cx), assignment::counts(cx)?);
    let entry = |Stored { id, it: author, .. }: Stored<Author>| Entry {
        name: author.name(),
        pages: pages(&id),
        trust_score: scores.get(id.as_str()).copied(),
        author_ref: id,
        role: author.role,
        site_id: author.site_id,
        status: author.status,
    };
    Ok(page.map(entry).into())
}

#[args]
struct Create {
    firstname: Text<1, 80>,
    lastname: Text<1, 80>,
    /// The website that the author writes for.
    site_id: Option<Id<Site>>,
    /// What the author is, such as "Head of tax law".
    role: Option<Text<0, 120>>,
    bio: Option<Text<0, 3_000>>,
    /// Degrees, licences, memberships.
    credentials: Option<List<Text<1, 200>, 0, 20>>,
    /// Profiles of the same person elsewhere.
    same_as: Option<List<Url, 0, 20>>,
    /// What the author writes about.
    topics: Option<List<Text<1, 80>, 0, 20>>,
    #[default("active")]
    status: Initial,
}

#[value]
enum Initial {
    Draft,
    Active,
}

#[value]
struct Created {
    author_ref: Id<Author>,
    author: Stored<Author>,
}

/// Creates an author profile with name, role, biography, credentials, topics and profile links that bylines, drafts and
/// Person markup use.
#[operation(
    write,
    scope = "assets:write",
    cost = write,
    side_effects = ["adds an author profile"],
    phrasings = ["add an author", "create a byline", "new writer profile"],
    examples = [{ "firstname": "Ada", "lastname": "Lovelace", "role": "Mathematician", "topics": ["computing"] }]
)]
fn create(cx: &Cx, args: Create) -> Result<Created> {
    if let Some(site) = &args.site_id {
        cx.records().get(site).map_err(|fault| fault.at("/site_id"))?;
    }
    let author = cx.records().insert(Author {
        firstname: args.firstname,
        lastname: args.lastname,
        site_id: args.site_id,
        role: args.role,
        bio: args.bio,
        credentials: args.credentials.unwrap_or_default(),
        same_as: args.same_as.unwrap_or_default(),
        topics: args.topics.unwrap_or_default(),
        status: match args.status {
            Initial::Draft => Status::Draft,
            Initial::Active => Status::Active,
        },
        created_at: cx.now(),
        updated_at: cx.now(),
    })?;
    Ok(Created { author_ref: author.id.clone(), author })
}

impl Author {
    /// As a byline shows it.
    fn name(&self) -> String {
        format!("{} {}", self.firstname.trim(), self.lastname.trim())
    }
}

#[cfg(test)]
mod tests;
