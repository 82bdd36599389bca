//! The operation `websites.task.list`.

use sdk::prelude::*;

use super::state::State;
use super::stored::{LastVerification, Source, Task};
use crate::stored::Website;

#[args(paged)]
pub(crate) struct ListTasks {
    /// The website, as listed.
    site_id: Id<Website>,
    /// Only this state.
    state: Option<State>,
    /// Only what this person does; what nobody does when empty.
    assignee: Option<Text<0, 80>>,
}

/// A work item in a list; `websites.task.update` gives its history.
#[value]
pub(crate) struct Listed {
    /// Its reference.
    task_ref: Id<Task>,
    /// What is to be done.
    title: String,
    /// Where it stands.
    state: State,
    /// Who does it.
    assignee: Option<String>,
    /// When it is to be done.
    due: Option<Day>,
    /// Whether that day has passed and the work is not done.
    overdue: bool,
    /// More about it.
    note: Option<String>,
    /// Pages that it is about.
    urls: u32,
    /// The finding it comes from.
    source: Option<Source>,
    /// Whether `websites.task.verify` can tell that it is done.
    verifiable: bool,
    /// The last look of `websites.task.verify`.
    last_verification: Option<LastVerification>,
    /// When it was made.
    created_at: Moment,
    /// When it was changed last.
    updated_at: Moment,
}

/// Work items, the newest first.
#[page]
pub(crate) struct Tasks {
    /// The work items.
    tasks: Vec<Listed>,
}

/// Lists work items with state, owner, due date, linked finding and last verification.
#[operation(
    read,
    scope = "assets:read",
    cost = list,
    phrasings = [
        "what is left to do on my website",
        "show Ada's tasks",
        "which fixes are done but not verified",
        "list overdue work items",
    ],
    examples = [
        { "site_id": "4503599627370496", "state": "open" },
        { "site_id": "4503599627370496", "assignee": "Ada", "limit": 10 },
    ]
)]
pub(crate) fn list(cx: &Cx, args: ListTasks) -> Result<Tasks> {
    let site = cx.records::<Website>().get(&args.site_id)?;
    let tasks = cx.records::<Task>();
    let assignee = args.assignee.as_ref().map(|it| it.as_str().trim());
    let query = match (assignee, args.state) {
        (None, None) => tasks.by("site_id").equals(&site.id),
        (None, Some(state)) => tasks.by("site_id_state").equals(&site.id).equals(state),
        (Some(assignee), None) => tasks.by("site_id_assignee").equals(&site.id).equals(assignee),
        (Some(assignee), Some(state)) => {
            tasks.by("site_id_assignee_state").equals(&site.id).equals(assignee).equals(state)
        }
    };
    let today = cx.now().day();
    Ok(query.descending().page(args.limit, args.cursor)?.map(|task| listed(task, today)).into())
}

fn listed(Stored { id, it, .. }: Stored<Task>, today: Day) -> Listed {
    let waits = matches!(it.state, State::Open | State::Doing | State::Regressed);
    Listed {
        task_ref: id,
        title: it.title,
        state: it.state,
        assignee: Some(it.assignee).filter(|it| !it.is_empty()),
        due: it.due,
        overdue: waits && it.due.is_some_and(|due| due < today),
        note: it.note,
        urls: it.urls,
        source: it.source,
        verifiable: it.verifiable,
        last_verification: it.last_verification,
        created_at: it.created_at,
        updated_at: it.updated_at,
    }
}
