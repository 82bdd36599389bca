//! Dimensions and filters of a question, and which cut answers it.

use std::collections::BTreeMap;

use kit::pack::{Figures as _, Search};
use regex::{Regex, RegexBuilder};
use sdk::prelude::*;
use search::{Cut, Period, parts};
use site::Rules;

use crate::brand::Brand;
use crate::given::{self, Given};

/// Bytes that a compiled expression may take.
const MAX_COMPILED: usize = 1 << 16;

/// A dimension to group by.
#[value]
pub(crate) enum Dimension {
    Query,
    Page,
    Country,
    Device,
    Date,
    Segment,
}

/// A dimension to filter by.
#[value]
pub(crate) enum Filtered {
    Query,
    Page,
    Country,
    Device,
    /// A segment, by its reference.
    Segment,
}

/// How a filter compares.
#[value]
pub(crate) enum Operator {
    /// Equal; letters of either case are equal for country and device.
    Eq,
    /// Contains, whatever the case of letters.
    Contains,
    /// Matches an expression in the syntax of RE2.
    Regex,
    /// Does not match the expression.
    NotRegex,
}

/// A condition; all conditions must hold.
#[args]
pub(crate) struct Filter {
    /// What it looks at.
    dimension: Filtered,
    /// How it compares.
    op: Operator,
    /// What it compares with. A country has two or three letters; a segment is its `segment_ref`.
    value: Text<1, 300>,
}

/// Which queries count.
#[value]
pub(crate) enum Brands {
    All,
    Brand,
    NonBrand,
}

/// A condition, ready to be asked.
enum Test {
    Equals(String),
    Contains(String),
    Matches(Regex, bool),
    Segment(Rules),
}

impl Test {
    fn holds(&self, value: &str) -> bool {
        match self {
            Self::Equals(wanted) => value == wanted,
            Self::Contains(part) => value.to_lowercase().contains(part),
            Self::Matches(regex, wanted) => regex.is_match(value) == *wanted,
            Self::Segment(rules) => site::holds(rules, value),
        }
    }
}

/// The values of one key, by dimension; empty where the cut has none.
#[derive(Debug, Clone, Copy, Default)]
struct Values<'k> {
    page: &'k str,
    query: &'k str,
    country: &'k str,
    device: &'k str,
}

impl<'k> Values<'k> {
    fn of(cut: Cut, key: &'k [u8]) -> Self {
        let (first, rest) = parts(key);
        let (second, third) = rest.split_once('\0').unwrap_or((rest, ""));
        match cut {
            Cut::Markets => Self { country: first, device: second, ..Self::default() },
            Cut::Pages | Cut::Appearances => Self { page: first, ..Self::default() },
            Cut::PageMarkets => Self { page: first, country: second, device: third, ..Self::default() },
            Cut::Queries => Self { query: first, ..Self::default() },
            Cut::Details => Self { page: first, query: second, ..Self::default() },
        }
    }
}

/// A question.
pub(crate) struct Question {
    pub(crate) cut: Option<Cut>,
    dimensions: Vec<Dimension>,
    tests: Vec<(Filtered, Test)>,
    brand: Option<(Brand, bool)>,
    segments: Vec<(String, Rules)>,
}

/// The name of the group of pages in no segment.
pub(crate) const UNASSIGNED: &str = "unassigned";

impl Question {
    /// Checks dimensions and filters, and finds the cut that has them all.
    ///
    /// # Errors
    /// 422 with the pointer of the dimension or filter that cannot be asked.
    pub(crate) fn new(given: &Given<'_>, dimensions: &[Dimension], filters: &[Filter], brands: Brands) -> Result<Self> {
        let mut tests = Vec::new();
        for (at, filter) in filters.iter().enumerate() {
            tests.push((
                filter.dimension,
                test(given, filter).map_err(|fault| fault.at(format!("/filters/{at}/value")))?,
            ));
        }
        let has = |wanted: Dimension, filtered: Filtered| {
            dimensions.contains(&wanted) || filters.iter().any(|it| it.dimension == filtered)
        };
        let page = has(Dimension::Page, Filtered::Page) || has(Dimension::Segment, Filtered::Segment);
        let query = has(Dimension::Query, Filtered::Query) || brands != Brands::All;
        let market = has(Dimension::Country, Filtered::Country) || has(Dimension::Device, Filtered::Device);
        let cut = match (page, query, market) {
            (false, false, false) => None,
            (false, false, true) => Some(Cut::Markets),
            (true, false, false) => Some(Cut::Pages),
            (true, false, true) => Some(Cut::PageMarkets),
            (false, true, false) => Some(Cut::Queries),
            (true, true, false) => Some(Cut::Details),
            (_, true, true) => {
                let message = "queries are stored without country and device; ask for query and page, or for page, country and device";
                return Err(Fault::invalid("/dimensions", "dimensions_not_stored_together", message));
            }
        };
        let segments = if dimensions.contains(&Dimension::Segment) {
            let all = site::segments(given.cx, &given.site.id);
            all.filter_map(|segment| Some((segment.id.to_string(), segment.ready()?))).collect()
        } else {
            Vec::new()
        };
        let brand = (brands != Brands::All).then(|| (Brand::of(&given.site), brands == Brands::Brand));
        Ok(Self { cut, dimensions: dimensions.to_vec(), tests, brand, segments })
    }

    /// Whether it counts known queries only.
    pub(crate) fn is_of_known_queries(&self) -> bool {
        matches!(self.cut, Some(Cut::Queries | Cut::Details))
    }

    /// Whether rows are of all that is stored.
    pub(crate) fn is_unfiltered(&self) -> bool {
        self.tests.is_empty() && self.brand.is_none()
    }

    fn holds(&self, values: Values<'_>) -> bool {
        let value = |filtered: &Filtered| match filtered {
            Filtered::Query => values.query,
            Filtered::Page | Filtered::Segment => values.page,
            Filtered::Country => values.country,
            Filtered::Device => values.device,
        };
        self.tests.iter().all(|(filtered, test)| test.holds(value(filtered)))
            && self.brand.as_ref().is_none_or(|(brand, wanted)| brand.has(values.query) == *wanted)
    }

    /// The groups of a period with their figures, and the sum of all.
    ///
    /// # Errors
    /// 422 `period_too_wide`.
    pub(crate) fn groups(&self, given: &Given<'_>, period: Period) -> Result<(BTreeMap<Vec<String>, Search>, Search)> {
        let (mut groups, mut total) = (BTreeMap::<Vec<String>, Search>::new(), Search::default());
        let by_date = self.dimensions.contains(&Dimension::Date);
        let Some(cut) = self.cut else {
            for record in given.days(period) {
                let figures =
                    Search { impressions: record.impressions, clicks: record.clicks, positions: record.positions };
                total.add(&figures);
                groups.entry(vec![record.date]).or_default().add(&figures);
            }
            return Ok((groups, total));
        };
        let mut add = |key: &[u8], day: Option<Day>, figures: Search| {
            let values = Values::of(cut, key);
            if !self.holds(values) {
                return;
            }
            total.add(&figures);
            for group in self.group(values, day) {
                // Beyond the bound only groups that are there are added to; the answer is refused below.
                if groups.len() <= given::MAX_GROUPS || groups.contains_key(&group) {
                    groups.entry(group).or_default().add(&figures);
                }
            }
        };
        let read = if by_date {
            given.figures.by_day(cut, period, b"", |key, day, figures| add(key, Some(day), figures))
        } else {
            given.figures.sums(cut, period, b"", |key, figures| add(key, None, figures))
        };
        read.map_err(Given::unread)?;
        given::within_bounds(groups.len())?;
        Ok((groups, total))
    }

    /// The groups that a key belongs to: one, and one for each segment of its page.
    fn group(&self, values: Values<'_>, day: Option<Day>) -> Vec<Vec<String>> {
        let of_segments: Vec<&str> = if self.dimensions.contains(&Dimension::Segment) {
            let mut held: Vec<&str> = self
                .segments
                .iter()
                .filter(|(_, rules)| site::holds(rules, values.page))
                .map(|it| it.0.as_str())
                .collect();
            if held.is_empty() {
                held.push(UNASSIGNED);
            }
            held
        } else {
            vec![""]
        };
        let value = |dimension: &Dimension, segment: &str| match dimension {
            Dimension::Query => values.query.to_owned(),
            Dimension::Page => values.page.to_owned(),
            Dimension::Country => country(values.country),
            Dimension::Device => values.device.to_ascii_lowercase(),
            Dimension::Date => day.map(|day| day.to_string()).unwrap_or_default(),
            Dimension::Segment => segment.to_owned(),
        };
        of_segments
            .into_iter()
            .map(|segment| self.dimensions.iter().map(|dimension| value(dimension, segment)).collect())
            .collect()
    }
}

/// A country as results name it: two letters, or Google's code where there are none.
pub(crate) fn country(alpha3: &str) -> String {
    kit::countries::alpha2(alpha3).unwrap_or(alpha3).to_owned()
}

fn test(given: &Given<'_>, filter: &Filter) -> Result<Test> {
    let value = filter.value.as_str();
    if filter.dimension == Filtered::Segment {
        if filter.op != Operator::Eq {
            return Err(Fault::invalid("", "operator_not_available", "a segment is compared with `eq`"));
        }
        let segment = Id::new(value);
        let rules = site::rules(given.cx, given.site.id.as_str(), Some(&segment))?;
        return rules
            .map(Test::Segment)
            .ok_or_else(|| Fault::not_found("segment_not_found", "there is no such segment"));
    }
    Ok(match filter.op {
        Operator::Eq => Test::Equals(match filter.dimension {
            Filtered::Country => {
                kit::countries::alpha3(value).map_or_else(|| value.to_ascii_lowercase(), str::to_owned)
            }
            Filtered::Device => value.to_ascii_uppercase(),
            _ => value.to_owned(),
        }),
        Operator::Contains => Test::Contains(value.to_lowercase()),
        Operator::Regex | Operator::NotRegex => {
            let regex = RegexBuilder::new(value).size_limit(MAX_COMPILED).build().map_err(|_| {
                let message = "this is no expression in the syntax of RE2, or it is too large";
                Fault::invalid("", "invalid_expression", message)
            })?;
            Test::Matches(regex, filter.op == Operator::Regex)
        }
    })
}
