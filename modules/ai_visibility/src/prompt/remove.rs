//! The operation `ai_visibility.prompt.remove`.

use sdk::prelude::*;
use sdk::{Next, json};
use site::Site;

use crate::stored::{Answer, Citation, Prompt, Tally, text_key};

/// Answers that one call removes.
const MAX_ANSWERS: u64 = 200;

#[args]
pub(crate) struct Remove {
    /// The website.
    site_id: Id<Site>,
    /// The prompts.
    prompt_refs: List<Id<Prompt>, 1, 200>,
    /// Their stored answers too, with sources and figures. Otherwise these stay for reports.
    #[default(false)]
    delete_answers: bool,
}

/// What was removed.
#[value]
pub(crate) struct Removed {
    /// Prompts.
    removed: u64,
    answers_deleted: u64,
    /// Whether answers are left: one call deletes 200. `next` goes on with the same call.
    answers_left: bool,
    next: Vec<Next>,
}

/// Removes prompts and, when asked, their stored answers.
///
/// A prompt goes once none of its answers is left, so that the same call can be made again for the rest.
#[operation(
    destructive,
    scope = "destructive:execute",
    cost = write,
    side_effects = ["removes prompts, and their answers when asked"],
    needs = ["store"],
    phrasings = ["stop tracking a prompt", "delete prompts and their answers", "remove questions from AI visibility", "clean up old prompts"],
    examples = [
        { "site_id": "4503599627370496", "prompt_refs": ["prm_01"] },
        { "site_id": "4503599627370496", "prompt_refs": ["prm_01"], "delete_answers": true },
    ]
)]
pub(crate) fn remove(cx: &Cx, args: Remove) -> Result<Removed> {
    let site = site::get(cx, &args.site_id)?;
    let mut prompts: Vec<Stored<Prompt>> = Vec::with_capacity(args.prompt_refs.len());
    for (at, id) in args.prompt_refs.iter().enumerate() {
        let found = cx.records::<Prompt>().find(id).filter(|it| it.site_id == site.id.as_str());
        let prompt = found.ok_or_else(|| {
            let message = "no prompt of this website has this reference; ai_visibility.prompt.list shows them";
            Fault::not_found("prompt_not_found", message).at(format!("/prompt_refs/{at}"))
        })?;
        if prompts.iter().all(|it| it.id != prompt.id) {
            prompts.push(prompt);
        }
    }
    let (mut removed, mut answers_deleted) = (0, 0);
    let mut left: Vec<Id<Prompt>> = Vec::new();
    for prompt in &prompts {
        if args.delete_answers {
            answers_deleted += delete_answers(cx, &site, &prompt.id, MAX_ANSWERS - answers_deleted)?;
            if answers_of(cx, &site, &prompt.id).first().is_some() {
                left.push(prompt.id.clone());
                continue;
            }
            cx.records::<Tally>().by("site_id_prompt").equals(&site.id).equals(&prompt.id).remove();
        }
        cx.records::<Prompt>().remove(prompt)?;
        removed += 1;
    }
    let again = (!left.is_empty()).then(|| {
        let arguments = json!({ "site_id": site.id, "prompt_refs": left, "delete_answers": true });
        Next::new("ai_visibility.prompt.remove", arguments, "deletes the answers that are left")
    });
    Ok(Removed { removed, answers_deleted, answers_left: !left.is_empty(), next: again.into_iter().collect() })
}

fn answers_of<'a>(cx: &'a Cx, site: &Stored<Site>, prompt: &Id<Prompt>) -> sdk::Query<'a, Answer> {
    cx.records::<Answer>().by("site_id_prompt_at_ms").equals(&site.id).equals(prompt)
}

fn delete_answers(cx: &Cx, site: &Stored<Site>, prompt: &Id<Prompt>, most: u64) -> Result<u64> {
    if most == 0 {
        return Ok(0);
    }
    let page = answers_of(cx, site, prompt).page(most, None)?;
    let mut deleted = 0;
    for answer in page.items {
        cx.records::<Citation>().by("answer").equals(&answer.id).remove();
        // A blob cannot be removed; without its bytes nothing of the answer is left.
        cx.blobs().remove(&text_key(&answer.id))?;
        cx.records::<Answer>().remove(&answer)?;
        deleted += 1;
    }
    Ok(deleted)
}
