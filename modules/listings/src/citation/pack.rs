//! The operation `listings.citation.pack.create`.

use sdk::prelude::*;
use sdk::{Next, json};

use super::directories;
use super::stored::{Citation, Pack, State, Task, TaskState, Work};
use super::work::is_right;
use crate::nap::phone;
use crate::nap::stored::{self as nap, Nap};
use crate::stored::Location;

#[args]
pub(crate) struct Create {
    /// The location, as listed.
    location_ref: Id<Location>,
    /// Domains of directories, such as `yell.com`.
    directories: List<Domain, 1, 50>,
}

/// What is put in at a directory.
#[value]
pub(crate) struct Fields {
    name: String,
    address: Vec<String>,
    city: Option<String>,
    postcode: Option<String>,
    region: Option<String>,
    country: Country,
    /// As its own country writes it.
    phone: String,
    phone_international: String,
    website: Option<String>,
}

/// A task for a person.
#[value]
pub(crate) struct ShownTask {
    directory: String,
    work: Work,
    /// Where it is done; the page itself where the directory is in no table of ours.
    url: String,
    fields: Fields,
    /// The category of the profile, by which the directory's own is looked for; null when it is not known.
    category: Option<String>,
    /// Pages that show what is wrong.
    evidence: Vec<String>,
    state: TaskState,
    /// Looks at the directory again, once the task is done by a person.
    next: Vec<Next>,
}

/// The tasks.
#[value]
pub(crate) struct Created {
    pack_ref: Id<Pack>,
    tasks: Vec<ShownTask>,
}

/// Prepares submission and correction tasks with pre-filled fields, category mapping, claim addresses and evidence for people to carry out, and re-checks them when marked done.
///
/// Nothing is sent to a directory: a person carries a task out. listings.citation.scan with the pages of the tasks looks again and marks as done what
/// is right.
#[operation(
    write,
    scope = "assets:write",
    cost = write,
    needs = ["store"],
    phrasings = ["prepare directory submissions", "tasks to correct my listings", "submit my business to directories"],
    examples = [{ "location_ref": "108800001.4503600001.con_1", "directories": ["yell.com", "thomsonlocal.com"] }]
)]
pub(crate) fn create(cx: &Cx, args: Create) -> Result<Created> {
    let record = nap::required(cx, args.location_ref.as_str())?;
    let mut tasks: Vec<Task> = Vec::new();
    for domain in args.directories.iter() {
        let domain = kit::url::registrable_domain(domain.as_str()).unwrap_or(domain.as_str()).to_owned();
        if tasks.iter().all(|it| it.directory != domain) {
            tasks.push(task(cx, &args.location_ref, &domain));
        }
    }
    let pack = Pack { location: args.location_ref.to_string(), created_ms: cx.now().millis(), tasks: tasks.clone() };
    let pack_ref = cx.records::<Pack>().insert(pack)?.id;
    let category = cx.records::<Location>().find(&args.location_ref).and_then(|it| it.it.category);
    let tasks = tasks.into_iter().map(|it| shown(&args.location_ref, &record, category.clone(), it)).collect();
    Ok(Created { pack_ref, tasks })
}

fn task(cx: &Cx, location: &Id<Location>, domain: &str) -> Task {
    let there = cx.records::<Citation>().by("location_domain").equals(location).equals(domain).scan().take(20);
    let there: Vec<Stored<Citation>> = there.filter(|it| it.state != State::Gone).collect();
    let entry = directories::find(domain).map(|it| it.entry.to_owned());
    let right = there.iter().all(|it| it.grades.is_some_and(|it| is_right(&it)));
    let work = match there.len() {
        0 => Work::Submit,
        1 if right => Work::Claim,
        1 => Work::Correct,
        _ => Work::Merge,
    };
    let page = there.iter().find(|it| it.duplicate_of.is_none()).or(there.first()).map(|it| it.url.clone());
    let url = match work {
        Work::Correct | Work::Merge => page.or(entry),
        Work::Submit | Work::Claim => entry.or(page),
    };
    Task {
        directory: domain.to_owned(),
        work,
        url: url.unwrap_or_else(|| format!("https://{domain}/")),
        state: TaskState::Open,
        evidence: there.into_iter().map(|it| it.it.url).collect(),
    }
}

fn shown(location: &Id<Location>, record: &Nap, category: Option<String>, task: Task) -> ShownTask {
    let mut spellings = phone::spellings(&record.phone).into_iter();
    let national = spellings.next().unwrap_or_else(|| record.phone.clone());
    let urls: Vec<&String> = if task.evidence.is_empty() { vec![&task.url] } else { task.evidence.iter().collect() };
    let arguments =
        json!({ "location_ref": location, "urls": urls, "use_serp": false, "max_pages": 10.max(urls.len()) });
    let next = Next::new(
        "listings.citation.scan",
        arguments,
        "looks whether the directory shows it right, and marks the task as done",
    );
    ShownTask {
        fields: Fields {
            name: record.name.clone(),
            address: record.address.lines.clone(),
            city: record.address.city.clone(),
            postcode: record.address.postcode.clone(),
            region: record.address.region.clone(),
            country: record.address.country,
            phone: national,
            phone_international: record.phone.clone(),
            website: record.website.clone(),
        },
        category,
        directory: task.directory,
        work: task.work,
        url: task.url,
        evidence: task.evidence,
        state: task.state,
        next: vec![next],
    }
}
