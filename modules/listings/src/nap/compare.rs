//! What a page or a directory shows of a business, compared with the record.

use sdk::prelude::*;

use super::{address, name, phone};
use crate::address::Address;

/// How a field goes together with the record.
#[value]
pub(crate) enum Grade {
    Exact,
    /// Written otherwise, and yet the same.
    Near,
    /// Something else stands there.
    Conflict,
    /// Nothing stands there.
    Absent,
}

/// What is shown of a business.
#[value]
#[derive(Default, Eq)]
#[serde(default)]
pub(crate) struct Shown {
    pub(crate) name: Option<String>,
    /// Street and house number.
    pub(crate) street: Option<String>,
    pub(crate) postcode: Option<String>,
    pub(crate) city: Option<String>,
    pub(crate) phone: Option<String>,
    pub(crate) website: Option<String>,
}

/// The grades of the fields.
#[value]
#[derive(Copy, Eq)]
pub(crate) struct Grades {
    pub(crate) name: Grade,
    pub(crate) address: Grade,
    pub(crate) phone: Grade,
    pub(crate) website: Grade,
}

/// What something is compared with.
#[derive(Debug, Clone)]
pub(crate) struct Truth<'t> {
    pub(crate) names: Vec<&'t str>,
    pub(crate) address: &'t Address,
    /// In its international form.
    pub(crate) phone: &'t str,
    pub(crate) website: Option<&'t str>,
}

impl Truth<'_> {
    fn country(&self) -> String {
        self.address.country.to_string()
    }

    /// The grade of each field.
    pub(crate) fn grades(&self, shown: &Shown) -> Grades {
        let name = shown.name.as_deref().filter(|it| !it.trim().is_empty());
        let name = name.map_or(Grade::Absent, |theirs| {
            self.names.iter().map(|ours| name::grade(ours, theirs)).min().unwrap_or(Grade::Absent)
        });
        let phone = shown.phone.as_deref().map_or(Grade::Absent, |theirs| {
            if phone::same(self.phone, theirs, &self.country()) { Grade::Exact } else { Grade::Conflict }
        });
        Grades { name, address: self.address(shown), phone, website: self.website(shown.website.as_deref()) }
    }

    fn address(&self, shown: &Shown) -> Grade {
        let postcode = address::same_postcode(self.address.postcode.as_deref(), shown.postcode.as_deref());
        if postcode == Some(false) {
            return Grade::Conflict;
        }
        let Some(theirs) = shown.street.as_deref().map(address::street) else { return Grade::Absent };
        let ours = self.address.lines.iter().map(|it| address::street(it));
        ours.map(|it| address::grade(&it, &theirs)).min().unwrap_or(Grade::Absent)
    }

    fn website(&self, theirs: Option<&str>) -> Grade {
        let parse = |text: &str| url::Url::parse(text).ok();
        let Some(theirs) = theirs.and_then(parse) else { return Grade::Absent };
        let Some(ours) = self.website.and_then(parse) else { return Grade::Absent };
        if kit::url::same_site(&ours, &theirs) {
            return Grade::Exact;
        }
        let domain = |it: &url::Url| it.host_str().and_then(kit::url::registrable_domain).map(str::to_owned);
        if domain(&ours).is_some() && domain(&ours) == domain(&theirs) { Grade::Near } else { Grade::Conflict }
    }

    /// Whether what is shown is the same business: two points for the phone number, two or one for address and name, three are
    /// enough; another name needs phone number and address to be the same, and some likeness.
    pub(crate) fn is_same(&self, shown: &Shown) -> bool {
        let grades = self.grades(shown);
        let points = |grade: Grade| match grade {
            Grade::Exact => 2,
            Grade::Near => 1,
            Grade::Conflict | Grade::Absent => 0,
        };
        let phone = grades.phone == Grade::Exact;
        let sum = 2 * u32::from(phone) + points(grades.address) + points(grades.name);
        let likeness = || {
            let theirs = shown.name.as_deref().unwrap_or_default();
            self.names.iter().map(|ours| name::score(ours, theirs)).fold(0.0, f64::max)
        };
        let other_name =
            grades.name == Grade::Conflict && !(phone && grades.address == Grade::Exact && likeness() >= 0.45);
        sum >= 3 && !other_name
    }
}
