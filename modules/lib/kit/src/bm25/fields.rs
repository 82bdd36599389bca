//! BM25F (Robertson, Zaragoza and Taylor 2004): one score of a text that has several fields.

/// How fast repetition of a term stops counting.
pub const K1: f64 = 1.2;

/// A field: what a term in it is worth, how much its length counts, and its average length in terms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Field {
    /// What once in this field is worth.
    pub weight: f64,
    /// 0 takes no notice of the length, 1 all of it.
    pub b: f64,
    /// Terms, on average.
    pub average: f64,
}

/// The part of the score that one term gives: its inverse document frequency, and for each field how often the term is in
/// it and how many terms it has.
#[must_use]
pub fn term(idf: f64, fields: &[(Field, f64, f64)]) -> f64 {
    let weighed = |(field, times, length): &(Field, f64, f64)| {
        field.weight * times / (1.0 - field.b + field.b * length / field.average.max(1e-9))
    };
    let times: f64 = fields.iter().map(weighed).sum();
    idf * times / (K1 + times)
}

#[cfg(test)]
mod tests {
    use super::{Field, K1, term};

    #[test]
    fn one_field_is_bm25_and_a_second_adds_before_the_saturation() {
        let body = Field { weight: 1.0, b: 0.75, average: 10.0 };
        let title = Field { weight: 2.0, b: 0.5, average: 4.0 };
        let norm = 1.0 - 0.75 + 0.75 * 20.0 / 10.0;
        let plain = 1.7 * 3.0 / (3.0 + K1 * norm);
        assert!((term(1.7, &[(body, 3.0, 20.0)]) - plain).abs() < 1e-12);
        let both = 3.0 / norm + 2.0 / (0.5 + 0.5 * 6.0 / 4.0);
        assert!((term(1.7, &[(body, 3.0, 20.0), (title, 1.0, 6.0)]) - 1.7 * both / (K1 + both)).abs() < 1e-12);
        assert!(term(1.7, &[(body, 0.0, 20.0)]).abs() < f64::EPSILON);
    }
}
