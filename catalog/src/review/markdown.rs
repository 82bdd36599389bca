//! A report as Markdown, for a person: what stops first, then the rest by subject.

use std::fmt::{self, Write as _};

use super::{Change, Report, Version};

/// Characters of a value that is quoted.
const QUOTED: usize = 400;

/// The whole report.
pub(super) fn write(report: &Report) -> String {
    let mut out = format!("# Review of {}\n\n", report.module);
    let version = |version: Option<&Version>| match version {
        None => "nothing".to_owned(),
        Some(it) => {
            let size = it.size.map_or(String::new(), |size| format!(", {size} bytes"));
            format!("`{}`, {} operations{size}", it.component, it.operations)
        }
    };
    let _ = writeln!(out, "- before: {}\n- after: {}", version(report.old.as_ref()), version(report.new.as_ref()));
    let class = format!("{:?}", report.class()).to_lowercase();
    let _ = writeln!(out, "- for those who call today: {class}\n- report: `{}`", report.digest());
    if report.changes.is_empty() {
        out += "\nNothing changed.\n";
        return out;
    }
    let (stops, rest): (Vec<&Change>, Vec<&Change>) = report.changes.iter().partition(|change| change.stops);
    for (title, changes) in [("Somebody has to say yes to this", stops), ("Also changed", rest)] {
        if changes.is_empty() {
            continue;
        }
        let _ = writeln!(out, "\n## {title}\n");
        for change in changes {
            let _ = writeln!(out, "- **{}** {change}", change.reason.as_str());
        }
    }
    out
}

/// Without its name: what it is about, where, and what is and was.
impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.pointer.is_empty() { String::new() } else { format!(" at `{}`", self.pointer) };
        let quoted = |text: &str| format!("`{}`", text.chars().take(QUOTED).collect::<String>().replace('`', "'"));
        let what = match (self.before.as_str(), self.after.as_str()) {
            ("", "") => String::new(),
            ("", after) => format!(": {}", quoted(after)),
            (before, "") => format!(": was {}", quoted(before)),
            (before, after) => format!(": {} was {}", quoted(after), quoted(before)),
        };
        write!(f, "{}{place}{what}", self.subject)
    }
}
