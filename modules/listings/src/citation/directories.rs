//! Directories that matter, by country: how much, and where a business is put in.
//!
//! The importance is our own estimate, from 1 to 5; a domain that is not in the table has 1. A test fails when the table is older than
//! 365 days.

const TABLE: &str = include_str!("directories.tsv");

/// A directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Directory {
    pub(crate) domain: &'static str,
    pub(crate) importance: u32,
    /// Where a business is put in or taken over.
    pub(crate) entry: &'static str,
}

fn rows() -> impl Iterator<Item = (Directory, &'static str)> {
    TABLE.lines().filter(|it| !it.starts_with('#')).filter_map(|line| {
        let mut parts = line.split('\t');
        let (domain, countries) = (parts.next()?, parts.next()?);
        let (importance, entry) = (parts.next()?.parse().ok()?, parts.next()?);
        Some((Directory { domain, importance, entry }, countries))
    })
}

/// The directories of a country, the most important first.
pub(crate) fn of(country: &str) -> Vec<Directory> {
    let is_of = |countries: &str| countries == "*" || countries.split(',').any(|it| it == country);
    let mut all: Vec<Directory> = rows().filter(|it| is_of(it.1)).map(|it| it.0).collect();
    all.sort_by(|a, b| b.importance.cmp(&a.importance).then(a.domain.cmp(b.domain)));
    all
}

/// A directory by its registrable domain.
pub(crate) fn find(domain: &str) -> Option<Directory> {
    rows().map(|it| it.0).find(|it| it.domain == domain)
}

/// How much a domain matters; one more where it stands among the search results for the business.
pub(crate) fn importance(domain: &str, in_search: bool) -> u32 {
    find(domain).map_or(1, |it| it.importance) + u32::from(in_search)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the age of the table is measured by the clock of the machine")]
    fn every_row_is_whole_and_the_table_is_of_this_year() {
        let lines = TABLE.lines().filter(|it| !it.starts_with('#')).count();
        assert_eq!(rows().count(), lines);
        assert!(
            lines >= 60 && rows().all(|it| (1..=5).contains(&it.0.importance) && it.0.entry.starts_with("https://"))
        );
        assert_eq!(of("DE").iter().filter(|it| it.domain.ends_with(".de")).count(), 7);
        let checked: sdk::value::Day =
            TABLE.lines().next().unwrap().rsplit(' ').next().unwrap().trim_end_matches('.').parse().unwrap();
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs() / 86_400;
        assert!(i64::try_from(now).unwrap() - i64::from(checked.since_epoch()) < 365, "look at the table again");
    }
}
