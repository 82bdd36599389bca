//! JSON-LD that says who an author is: a ProfilePage about a Person.
//!
//! Rules: schema.org `ProfilePage` and `Person`, and Google Search Central, "Profile page (ProfilePage) structured data"
//! (`mainEntity` with a `name` is required; dates in ISO 8601; `sameAs` and `description` recommended).

use sdk::json;
use sdk::prelude::*;
use sdk::serde_json::{Map, Value};

use crate::Author;
use site::Site;

#[args]
pub(crate) struct Generate {
    author_ref: Id<Author>,
    /// The author's own page, which the markup is for; without one the identity hangs on the website.
    page_url: Option<Url>,
}

#[value]
pub(crate) struct Generated {
    /// The markup, for a `<script type="application/ld+json">`.
    jsonld: Map<String, Value>,
    /// Members of the profile that would make it say more, by the argument of `authors.update` that sets them.
    pub(crate) missing: Vec<String>,
    /// Whether it satisfies the required properties of a profile page.
    pub(crate) valid: bool,
}

/// Generates ProfilePage and Person JSON-LD for an author with stable @id, sameAs and topics, validated.
#[operation(
    read,
    scope = "seo:analyze",
    cost = indexed_read,
    phrasings = ["structured data for an author page", "Person schema for our writer", "author JSON-LD"],
    examples = [{ "author_ref": "0000000000000001", "page_url": "https://shop.example/team/ada" }]
)]
pub(crate) fn generate(cx: &Cx, args: Generate) -> Result<Generated> {
    let author = cx.records::<Author>().get(&args.author_ref)?;
    Ok(of(cx, &author, args.page_url.as_ref()))
}

/// The markup of an author on a page.
pub(crate) fn of(cx: &Cx, author: &Stored<Author>, page: Option<&Url>) -> Generated {
    let origin = author.site_id.as_ref().and_then(|it| cx.records::<Site>().find(it)).map(|it| it.it.origin);
    let jsonld = written(author, page, origin.as_deref());
    let valid = problems(&jsonld).is_empty();
    let mut missing = Vec::new();
    let mut lacks = |absent: bool, what: &str| {
        if absent {
            missing.push(what.to_owned());
        }
    };
    lacks(page.is_none(), "page_url");
    lacks(author.role.is_none(), "role");
    lacks(author.bio.is_none(), "bio");
    lacks(author.same_as.is_empty(), "same_as");
    lacks(author.topics.is_empty(), "topics");
    lacks(author.credentials.is_empty(), "credentials");
    Generated { jsonld, missing, valid }
}

/// The identity stays the same as long as the page, or without one the website, does.
fn written(author: &Stored<Author>, page: Option<&Url>, origin: Option<&str>) -> Map<String, Value> {
    let page = page.map(Url::without_fragment);
    let (profile, person) = match (&page, origin) {
        (Some(page), _) => (format!("{page}#profile"), format!("{page}#person")),
        (None, Some(origin)) => (format!("{origin}/#profile-{}", author.id), format!("{origin}/#person-{}", author.id)),
        (None, None) => (format!("#profile-{}", author.id), format!("#person-{}", author.id)),
    };
    let mut who = json!({
        "@type": "Person",
        "@id": person,
        "name": author.name(),
        "givenName": author.firstname,
        "familyName": author.lastname,
        "identifier": author.id,
    });
    let mut say = |name: &str, value: Value| who[name] = value;
    if let Some(role) = &author.role {
        say("jobTitle", json!(role));
    }
    if let Some(bio) = &author.bio {
        say("description", json!(bio));
    }
    if let Some(page) = &page {
        say("url", json!(page));
    }
    if !author.same_as.is_empty() {
        say("sameAs", json!(author.same_as));
    }
    if !author.topics.is_empty() {
        say("knowsAbout", json!(author.topics));
    }
    if !author.credentials.is_empty() {
        let credential = |name: &Text<1, 200>| json!({ "@type": "EducationalOccupationalCredential", "name": name });
        say("hasCredential", author.credentials.iter().map(credential).collect());
    }
    if let Some(origin) = origin {
        say("worksFor", json!({ "@type": "Organization", "@id": format!("{origin}/#organization"), "url": origin }));
    }
    let mut about = Map::new();
    about.insert("@context".to_owned(), json!("https://schema.org"));
    about.insert("@type".to_owned(), json!("ProfilePage"));
    about.insert("@id".to_owned(), json!(profile));
    if let Some(page) = &page {
        about.insert("url".to_owned(), json!(page));
    }
    about.insert("dateCreated".to_owned(), json!(author.created_at));
    about.insert("dateModified".to_owned(), json!(author.updated_at));
    about.insert("mainEntity".to_owned(), who);
    about
}

/// What is wrong with a profile page's markup, one line each.
pub(crate) fn problems(jsonld: &Map<String, Value>) -> Vec<String> {
    let mut problems = Vec::new();
    let mut require = |holds: bool, what: &str| {
        if !holds {
            problems.push(what.to_owned());
        }
    };
    let text = |value: &Value| value.as_str().is_some_and(|it| !it.trim().is_empty());
    let get = |name: &str| jsonld.get(name).unwrap_or(&Value::Null);
    require(get("@context") == "https://schema.org", "@context is https://schema.org");
    require(get("@type") == "ProfilePage", "@type is ProfilePage");
    for date in ["dateCreated", "dateModified"] {
        let dated = get(date).as_str().is_none_or(|it| it.parse::<Moment>().is_ok());
        require(dated, &format!("{date} is a date in ISO 8601"));
    }
    let who = get("mainEntity");
    require(
        matches!(who["@type"].as_str(), Some("Person" | "Organization")),
        "mainEntity is a Person or an Organization",
    );
    require(text(&who["name"]), "mainEntity has a name");
    require(text(&who["@id"]), "mainEntity has an @id");
    let web = |it: &Value| it.as_str().is_some_and(|it| it.parse::<Url>().is_ok());
    require(who["sameAs"].as_array().is_none_or(|it| it.iter().all(web)), "sameAs are web addresses");
    require(who["url"].is_null() || web(&who["url"]), "url is a web address");
    problems
}

#[cfg(test)]
mod tests;
