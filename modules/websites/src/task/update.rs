//! The operation `websites.task.update`.

use sdk::json;
use sdk::prelude::*;

use super::state::{State, Step as Transition};
use super::stored::Task;

/// States that a person can say.
#[value]
pub(crate) enum Wanted {
    /// Not begun.
    Open,
    /// Somebody is at it.
    Doing,
    /// Finished, as far as its owner says.
    Done,
    /// Given up.
    Dropped,
}

/// Members that are left out stay as they are.
#[args]
pub(crate) struct Update {
    /// The work item.
    task_ref: Id<Task>,
    /// Where it stands.
    state: Option<Wanted>,
    /// When it is to be done.
    due: Option<Day>,
    /// Take the due date away.
    #[serde(default)]
    clear_due: bool,
    /// Who does it; nobody when empty.
    assignee: Option<Text<0, 80>>,
    /// More about it; takes the place of the note before, none when empty.
    note: Option<Text<0, 2_000>>,
}

/// The work item as it is now.
#[value]
pub(crate) struct Updated {
    /// The work item, with its history.
    task: Stored<Task>,
}

/// Changes state, owner, due date or note of a work item and appends to its history.
///
/// Open work is begun, done or dropped; dropped and verified work is opened again. `verified` and `regressed` are said by
/// `websites.task.verify` alone. A change that the state does not allow is refused with 409 and the states that are.
#[operation(
    write,
    scope = "assets:write",
    cost = write,
    side_effects = ["changes the work item"],
    phrasings = [
        "mark the task as done",
        "give the task to somebody else",
        "move the due date of a work item",
        "drop this to-do",
    ],
    examples = [
        { "task_ref": "0198f2c4a7b0", "state": "done" },
        { "task_ref": "0198f2c4a7b0", "assignee": "Bob", "due": "2026-10-31", "note": "waits for the new template" },
    ]
)]
pub(crate) fn update(cx: &Cx, args: Update) -> Result<Updated> {
    let dated = args.due.is_some() || args.clear_due;
    if args.state.is_none() && !dated && args.assignee.is_none() && args.note.is_none() {
        return Err(Fault::invalid("", "nothing_to_change", "name a state, a due date, an assignee or a note"));
    }
    if args.due.is_some() && args.clear_due {
        return Err(Fault::invalid("/clear_due", "due_and_clear_due", "name a due date or take it away, not both"));
    }
    let mut task = cx.records::<Task>().get(&args.task_ref)?;
    let now = cx.now();
    let before = task.it.clone();
    if let Some(wanted) = args.state {
        let step = match wanted {
            Wanted::Open => Transition::Open,
            Wanted::Doing => Transition::Begin,
            Wanted::Done => Transition::Finish,
            Wanted::Dropped => Transition::Drop,
        };
        let Some(next) = before.state.after(step) else {
            let (from, to) = (before.state.word(), step.target().word());
            let message = format!("a task that is {from} cannot become {to}");
            let allowed: Vec<_> = before.state.allowed().map(State::word).collect();
            let detail = json!({ "from": from, "to": to, "allowed": allowed });
            return Err(Fault::conflict("transition_not_allowed", message).at("/state").detail(detail));
        };
        if next != before.state {
            task.it.go(next, now);
        }
    }
    let day = |day: Option<Day>| day.map_or_else(String::new, |it| it.to_string());
    if dated && args.due != before.due {
        task.it.due = args.due;
        task.it.remember(now, "due", &day(before.due), &day(args.due));
    }
    if let Some(assignee) = args.assignee.map(|it| it.as_str().trim().to_owned())
        && assignee != before.assignee
    {
        task.it.remember(now, "assignee", &before.assignee, &assignee);
        task.it.assignee = assignee;
    }
    if let Some(note) = args.note.map(Text::into_string)
        && note != before.note.clone().unwrap_or_default()
    {
        task.it.remember(now, "note", before.note.as_deref().unwrap_or_default(), &note);
        task.it.note = Some(note).filter(|it| !it.is_empty());
    }
    if task.it != before {
        task.it.updated_at = now;
        task = cx.records::<Task>().save(task)?;
    }
    Ok(Updated { task })
}
