//! Who is asked on a day, where and when.

use campaign::fulfilment::{NewTask, PanelAudience, TaskKind};
use campaign::hours::Hours;
use campaign::pacing::{self, Room};
use campaign::wording::{To, invitation};
use sdk::prelude::*;

use super::stored::{Campaign, Spot};

/// Tasks of one day, at most: neighbouring moments share one.
const TASKS: usize = 12;

/// The audiences that may be asked: those with a basis of consent, of the country, and the one that was named.
pub(super) fn audiences(all: Vec<PanelAudience>, named: Option<&str>, country: Option<&str>) -> Vec<PanelAudience> {
    let fits = |it: &PanelAudience| {
        let here = country.is_none_or(|country| {
            it.countries.is_empty() || it.countries.iter().any(|it| it.eq_ignore_ascii_case(country))
        });
        !it.consent_basis.trim().is_empty()
            && it.people > 0
            && it.weekly_cap > 0
            && named.is_none_or(|named| named == it.audience_ref)
            && here
    };
    all.into_iter().filter(fits).collect()
}

/// How many invitations a day audiences take in the long run: their weekly caps, and nobody twice on one day.
pub(super) fn daily_room(audiences: &[PanelAudience]) -> u64 {
    audiences.iter().map(|it| (it.people * u64::from(it.weekly_cap) / 7).min(it.people)).sum()
}

/// A task of a day, and where its people are.
pub(super) struct Planned {
    pub(super) task: NewTask,
    pub(super) place: Spot,
}

/// The tasks of a day: the day's share of what is left, split by audiences within their caps, at moments like people's, and
/// by places as they are weak. Planned again, the day is the same.
pub(super) fn day(campaign: &Stored<Campaign>, audiences: &[PanelAudience], day: Day) -> Vec<Planned> {
    let hours = Hours::of(campaign.country.as_deref());
    let rooms: Vec<Room> =
        audiences.iter().map(|it| Room { weight: it.people, room: room(campaign, it, day) }).collect();
    let due = pacing::due(campaign.left(), campaign.daily_actions);
    let shares = pacing::allot(due, &rooms);
    let actions = shares.iter().sum();
    let mut times = pacing::times(campaign.id.as_str(), day, actions, hours).into_iter();
    let words = invitation(&campaign.called, To::Visit, campaign.country.as_deref(), None);
    let url = campaign.link_url.clone().unwrap_or_else(|| campaign.url.clone());
    let mut planned = Vec::new();
    for (audience, share) in audiences.iter().zip(shares).filter(|it| it.1 > 0) {
        let moments: Vec<Moment> = times.by_ref().take(share as usize).collect();
        let together = moments.len().div_ceil((TASKS / audiences.len().max(1)).max(1));
        for chunk in moments.chunks(together.max(1)) {
            let place = place(&campaign.places, campaign.id.as_str(), day, planned.len());
            let task = NewTask {
                campaign: campaign.id.as_str().to_owned(),
                kind: TaskKind::Visit,
                audience_ref: audience.audience_ref.clone(),
                quantity: u32::try_from(chunk.len()).unwrap_or(1),
                text: words.text.clone(),
                disclosure: words.disclosure.clone(),
                url: url.clone(),
                not_before: chunk.first().copied(),
                expires_at: Some(hours.closes(day)),
            };
            planned.push(Planned { task, place });
        }
    }
    planned
}

/// How many invitations an audience takes on a day: its weekly cap, less what it got in the six days before.
fn room(campaign: &Campaign, audience: &PanelAudience, day: Day) -> u32 {
    let since = day.since_epoch() - 6;
    let recent = campaign.days.iter().filter(|it| it.day >= since).flat_map(|it| &it.by_audience);
    let got: u64 = recent.filter(|it| it.0 == audience.audience_ref).map(|it| u64::from(it.1)).sum();
    pacing::room(audience.people, audience.weekly_cap, got)
}

/// A place, as often as it stands for weak pins.
fn place(places: &[Spot], campaign: &str, day: Day, number: usize) -> Spot {
    let mut chance = kit::chance::Chance::of(&format!("{campaign} {day} {number}"));
    let all: u32 = places.iter().map(|it| it.pins).sum();
    let mut left = (chance.unit() * f64::from(all)) as u32;
    let hit = places.iter().find(|it| match left.checked_sub(it.pins) {
        Some(rest) => {
            left = rest;
            false
        }
        None => true,
    });
    hit.or(places.last()).cloned().unwrap_or(Spot { latitude: 0.0, longitude: 0.0, radius_m: 1_000, pins: 0 })
}
