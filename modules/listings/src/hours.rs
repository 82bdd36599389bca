//! The operation `listings.hours.update`.

mod holidays;

use sdk::Next;
use sdk::prelude::*;
use sdk::serde_json::{Map, json};

use crate::edit::Edit;
use crate::place::Place;
use crate::profile::Hours;
use crate::stored::{Change, Location};
use crate::week::{self, Period, Special, Weekday, Wrong};

/// Days ahead that holidays are looked for in.
const AHEAD: i32 = 60;

/// Hours of a weekday as they are given.
#[value]
pub(crate) struct GivenPeriod {
    pub(crate) day: Weekday,
    /// 00:00 to 23:59.
    pub(crate) open: Text<5, 5>,
    /// 00:00 to 24:00; at or before `open` it is on the next day.
    pub(crate) close: Text<5, 5>,
}

/// Hours of a day as they are given.
#[value]
pub(crate) struct GivenSpecial {
    pub(crate) date: Day,
    /// 00:00 to 23:59; left out when closed.
    #[serde(default)]
    pub(crate) open: Option<Text<5, 5>>,
    #[serde(default)]
    pub(crate) close: Option<Text<5, 5>>,
    #[serde(default)]
    pub(crate) closed: bool,
}

#[args]
pub(crate) struct Update {
    /// The location, as listed.
    location_ref: Id<Location>,
    /// The whole week; left alone when left out, and an empty list takes all hours away.
    regular: Option<List<GivenPeriod, 0, 21>>,
    /// All special days that are to come; left alone when left out.
    special: Option<List<GivenSpecial, 0, 60>>,
}

/// The hours afterwards.
#[value]
pub(crate) struct Updated {
    hours: Hours,
    /// Null when nothing differs.
    change_ref: Option<Id<Change>>,
    #[own]
    warnings: Vec<String>,
    next: Vec<Next>,
}

/// Sets regular, special and more-hours with overlap and holiday checks.
///
/// What is given replaces what was there: the week, or the special days. Hours of delivery, pickup and so on are kept. Public holidays of
/// the country in the next 60 days without special hours are named.
#[operation(
    write,
    scope = "assets:write",
    cost = live(most = 5),
    side_effects = ["changes the opening hours that everybody sees on Google"],
    needs = ["store", "connection:google_business_profile"],
    outside = [
        "google_business_profile GET /v1/locations/*",
        "google_business_profile PATCH /v1/locations/* change",
    ],
    phrasings = ["set opening hours on google", "we are closed on christmas", "change business hours", "set holiday hours"],
    examples = [
        { "location_ref": "108800001.4503600001.con_1", "regular": [{ "day": "monday", "open": "09:00", "close": "17:30" }, { "day": "friday", "open": "18:00", "close": "02:00" }] },
        { "location_ref": "108800001.4503600001.con_1", "special": [{ "date": "2026-12-25", "closed": true }, { "date": "2026-12-24", "open": "09:00", "close": "13:00" }] },
    ]
)]
pub(crate) fn update(cx: &Cx, args: Update) -> Result<Updated> {
    if args.regular.is_none() && args.special.is_none() {
        return Err(Fault::invalid("", "nothing_to_change", "give regular, special or both"));
    }
    let place = Place::find(cx, &args.location_ref, "/location_ref")?;
    let mut warnings = Vec::new();
    let mut fields = Map::new();
    if let Some(regular) = args.regular {
        let given: Vec<Period> = regular.into_vec().into_iter().map(Period::from).collect();
        let (settled, said) = week::settled(&given).map_err(|it| refused("regular", &it))?;
        warnings.extend(said);
        fields.insert("regularHours".to_owned(), week::write_week(&settled));
    }
    if let Some(special) = args.special {
        let settled = special_days(cx.now().day(), special.into_vec())?;
        fields.insert("specialHours".to_owned(), week::write_special(&settled));
    }
    let before = place.read(cx, "/location_ref")?;
    let edit = Edit { place: &place, operation: "listings.hours.update", pointer: "", before: &before, fields };
    let made = edit.make(cx, false)?;
    let profile = crate::profile::Profile::read(cx, &place, &made.after);
    let (hours, address) = (profile.hours, profile.address);
    let mut next = Vec::new();
    if let Some(address) = address {
        let country = json!(address.country);
        let missing =
            holidays::without_hours(country.as_str().unwrap_or_default(), cx.now().day(), AHEAD, &hours.special);
        match missing {
            None => warnings.push("public holidays of this country are not known here".to_owned()),
            Some(missing) if missing.is_empty() => {}
            Some(missing) => {
                warnings
                    .extend(missing.iter().map(|(day, name)| format!("{day} is {name}, and no special hours are set")));
                next.push(holidays::closing(&args.location_ref, &hours.special, &missing, cx.now().day()));
            }
        }
    }
    Ok(Updated { hours, change_ref: made.change_ref, warnings, next })
}

pub(crate) use holidays::{closing, without_hours};

fn refused(list: &str, wrong: &Wrong) -> Fault {
    Fault::invalid(format!("/{list}/{}", wrong.at), wrong.code, wrong.words.clone())
}

/// The special days in order: none has passed, none is given twice, and a closed day has no times.
fn special_days(today: Day, given: Vec<GivenSpecial>) -> Result<Vec<Special>> {
    let mut all: Vec<Special> = Vec::new();
    for (at, it) in given.into_iter().enumerate() {
        let wrong = |code: &str, words: &str| Err(Fault::invalid(format!("/special/{at}"), code, words));
        let (open, close) = (it.open.map(Text::into_string), it.close.map(Text::into_string));
        if it.date < today {
            return wrong("date_passed", "this day has passed");
        }
        if all.iter().any(|other| other.date == it.date) {
            return wrong("date_twice", "this day is given twice");
        }
        if it.closed && (open.is_some() || close.is_some()) {
            return wrong("closed_with_times", "a closed day has no times");
        }
        let is_time = |text: &Option<String>| text.as_deref().and_then(week::minutes);
        if !it.closed && (is_time(&open).is_none_or(|it| it >= 1_440) || is_time(&close).is_none()) {
            return wrong(
                "invalid_hours",
                "a day that is not closed opens at 00:00 to 23:59 and closes at 00:00 to 24:00",
            );
        }
        all.push(Special { date: it.date, open, close, closed: it.closed });
    }
    all.sort_by_key(|it| it.date);
    Ok(all)
}

impl From<GivenPeriod> for Period {
    fn from(given: GivenPeriod) -> Self {
        Self { day: given.day, open: given.open.into_string(), close: given.close.into_string() }
    }
}
