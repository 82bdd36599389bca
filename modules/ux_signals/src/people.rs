//! Whom a campaign may invite: own audiences with a proven consent, and those of a connected panel.

use campaign::fulfilment::{self, PanelAudience};
use sdk::Degraded;
use sdk::json;
use sdk::prelude::*;

use crate::stored::{Audience, Task, Terms};

/// People who can be invited together.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct People {
    /// As `ux_signals.audience.list` names them.
    pub(crate) reference: String,
    /// Whether a panel delivers to them.
    pub(crate) panel: bool,
    /// How many.
    pub(crate) people: u64,
    /// Invitations that one of them gets in seven days at most.
    pub(crate) weekly_cap: u32,
    /// Where most of them live, if that is known.
    pub(crate) country: Option<String>,
    /// Own words about who pays.
    pub(crate) disclosure: Option<String>,
}

impl From<PanelAudience> for People {
    fn from(it: PanelAudience) -> Self {
        Self {
            reference: it.audience_ref,
            panel: true,
            people: it.people,
            weekly_cap: it.weekly_cap,
            country: it.countries.into_iter().next(),
            disclosure: None,
        }
    }
}

impl From<Stored<Audience>> for People {
    fn from(it: Stored<Audience>) -> Self {
        Self {
            reference: it.id.as_str().to_owned(),
            panel: false,
            people: it.size,
            weekly_cap: it.max_per_week,
            country: None,
            disclosure: it.disclosure.clone(),
        }
    }
}

/// The people of a campaign's terms, with what could not be found out. Named ones must be there and usable.
///
/// # Errors
/// 404 `audience_not_found` and 409 `audience_unusable` at the reference; what the panel refused, where one of its
/// audiences is named.
pub(crate) fn chosen(cx: &Cx, terms: &Terms) -> Result<(Vec<People>, Vec<Degraded>)> {
    let (panel, mut degraded) = of_panel(cx);
    if terms.audience_refs.is_empty() {
        let own = cx.records::<Audience>().by("site_id_created_ms").equals(&terms.site_id);
        let usable = own.page(100_u64, None)?.items.into_iter().filter(|it| it.proven_at.is_some());
        let everybody = usable.map(People::from).chain(panel.unwrap_or_default().into_iter().map(People::from));
        return Ok((everybody.collect(), degraded));
    }
    let mut people = Vec::new();
    for (at, reference) in terms.audience_refs.iter().enumerate() {
        let pointer = format!("/audience_refs/{at}");
        match cx.records::<Audience>().find(&Id::new(reference.as_str())) {
            Some(own) if own.site_id != terms.site_id => {
                let message = "this audience was registered for another website";
                return Err(Fault::conflict("audience_of_another_site", message).at(pointer));
            }
            Some(own) if own.proven_at.is_none() => {
                let message =
                    "the consent of this audience is not proven; register it again with a consent_url that answers";
                let detail = json!({ "act": { "operation_id": "ux_signals.audience.register" } });
                return Err(Fault::conflict("audience_unusable", message).at(pointer).detail(detail));
            }
            Some(own) => people.push(own.into()),
            None => match panel.iter().flatten().find(|it| it.audience_ref == *reference) {
                Some(of_panel) => people.push(of_panel.clone().into()),
                None if !degraded.is_empty() => {
                    let message = "this is no own audience, and the panel does not answer now; ask again later";
                    return Err(Fault::unavailable("panel_unavailable", message).at(pointer));
                }
                None => {
                    let message = "there is no such audience; ux_signals.audience.list names them";
                    return Err(Fault::not_found("audience_not_found", message).at(pointer));
                }
            },
        }
    }
    degraded.retain(|_| people.iter().any(|it: &People| it.panel));
    Ok((people, degraded))
}

/// The audiences of the connected panel; none without a panel, or where it does not answer, which is told.
pub(crate) fn of_panel(cx: &Cx) -> (Option<Vec<PanelAudience>>, Vec<Degraded>) {
    let Some(panel) = fulfilment::panel(cx) else { return (None, Vec::new()) };
    match fulfilment::audiences(cx, &panel.reference) {
        Ok(audiences) => (Some(audiences), Vec::new()),
        Err(fault) => {
            (None, vec![Degraded::new("panel", format!("the connected panel gave no audiences: {}", fault.code))])
        }
    }
}

/// Invitations that an audience got in the seven days up to and with this one, over all campaigns.
pub(crate) fn in_seven_days(cx: &Cx, reference: &str, day: Day) -> u64 {
    let from = day.since_epoch() - 6;
    let tasks = cx.records::<Task>().by("audience_ref_day").equals(reference).at_least(from).below(from + 7).scan();
    tasks.map(|task| u64::from(task.quantity)).sum()
}
