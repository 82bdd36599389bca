//! The operation `monitoring.event.diff.get`.

use sdk::prelude::*;
use similar::{ChangeTag, TextDiff};

use super::stored::{Changed, Event, read};

/// The most pieces of a diff that are shown, and lines around a change.
const MOST: usize = 2_000;
const AROUND: usize = 3;

/// How the difference is written.
#[value]
pub(crate) enum Form {
    /// Lines with three around each change, as `diff -u` writes them.
    Unified,
    /// Words (Unicode, UAX 29).
    Words,
    /// Pieces by name, such as the elements of a head.
    Fields,
}

#[args]
pub(crate) struct Get {
    /// The event.
    event_ref: Id<Event>,
    #[default("words")]
    form: Form,
}

/// What a piece of a text does.
#[value]
pub(crate) enum Does {
    Same,
    Removed,
    Added,
}

/// A piece of a text.
#[value]
pub(crate) struct Piece {
    pub(super) does: Does,
    pub(super) text: String,
}

/// The difference.
#[value]
pub(crate) struct Diff {
    /// The whole difference in words or lines; empty for `fields`.
    pub(super) pieces: Vec<Piece>,
    /// As `diff -u` writes it; null for the other forms.
    unified: Option<String>,
    pub(super) added: u64,
    pub(super) removed: u64,
    /// More pieces than are shown.
    cut: bool,
}

/// The texts.
#[value]
pub(crate) struct Snapshots {
    before: Option<String>,
    after: Option<String>,
}

/// A change.
#[value]
pub(crate) struct Difference {
    /// Null where no text was kept: an incident has none, and of a monitor the newest 100 are kept.
    diff: Option<Diff>,
    fields: Vec<Changed>,
    /// At most 256 KiB each.
    snapshots: Snapshots,
}

/// Returns the before and after of a change as a word-level or line diff with head elements compared field by field.
///
/// Applied to the text before, the pieces give the text after.
#[operation(
    read,
    scope = "assets:read",
    cost = indexed_read,
    needs = ["store"],
    phrasings = ["show what changed on the page", "diff of a change", "before and after of this event"],
    examples = [{ "event_ref": "event_01" }, { "event_ref": "event_01", "form": "unified" }]
)]
pub(crate) fn get(cx: &Cx, args: Get) -> Result<Difference> {
    let event = cx.records::<Event>().get(&args.event_ref).map_err(|fault| fault.at("/event_ref"))?;
    let (before, after) = (read(cx, event.before.as_deref()), read(cx, event.after.as_deref()));
    let diff = before.as_deref().zip(after.as_deref()).map(|(before, after)| diff(before, after, args.form));
    Ok(Difference { diff, fields: event.into_inner().fields, snapshots: Snapshots { before, after } })
}

/// The difference of two texts.
pub(super) fn diff(before: &str, after: &str, form: Form) -> Diff {
    let lines = matches!(form, Form::Unified);
    let of_texts =
        if lines { TextDiff::from_lines(before, after) } else { TextDiff::from_unicode_words(before, after) };
    let mut out = Diff { pieces: Vec::new(), unified: None, added: 0, removed: 0, cut: false };
    for change in of_texts.iter_all_changes() {
        let does = match change.tag() {
            ChangeTag::Equal => Does::Same,
            ChangeTag::Delete => Does::Removed,
            ChangeTag::Insert => Does::Added,
        };
        let counts = lines || change.value().chars().any(char::is_alphanumeric);
        match does {
            Does::Removed => out.removed += u64::from(counts),
            Does::Added => out.added += u64::from(counts),
            Does::Same => {}
        }
        let is_full = out.pieces.len() == MOST;
        match out.pieces.last_mut().filter(|it| it.does == does) {
            Some(piece) => piece.text.push_str(change.value()),
            None if is_full => out.cut = true,
            None => out.pieces.push(Piece { does, text: change.value().to_owned() }),
        }
    }
    match form {
        Form::Unified => {
            out.unified = Some(of_texts.unified_diff().context_radius(AROUND).header("before", "after").to_string());
        }
        Form::Fields => out.pieces.clear(),
        Form::Words => {}
    }
    out
}
