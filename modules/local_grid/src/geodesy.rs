//! Points on the earth, how far they are from each other, and in which direction.
//!
//! Distances are geodesics on the WGS 84 ellipsoid by C. F. F. Karney, "Algorithms for geodesics", J. Geodesy 87 (2013),
//! accurate to some nanometres, across the antimeridian and at the poles too.

use geographiclib_rs::{DirectGeodesic, Geodesic, InverseGeodesic};
use sdk::prelude::*;

/// A point on the earth, in degrees of WGS 84.
#[value]
#[derive(Copy, PartialOrd)]
pub(crate) struct Point {
    /// Degrees north, from -90 to 90.
    pub(crate) latitude: f64,
    /// Degrees east, from -180 to 180.
    pub(crate) longitude: f64,
}

impl Point {
    /// The point so many metres from here in a direction, in degrees clockwise from north.
    pub(crate) fn towards(self, bearing: f64, metres: f64) -> Self {
        let (latitude, longitude) = Geodesic::wgs84().direct(self.latitude, self.longitude, bearing, metres);
        Self { latitude, longitude }
    }

    /// Metres to another point, and its direction from here in degrees clockwise from north, from 0 to below 360.
    pub(crate) fn to(self, other: Self) -> (f64, f64) {
        let found: (f64, f64, f64, f64) =
            Geodesic::wgs84().inverse(self.latitude, self.longitude, other.latitude, other.longitude);
        let (metres, bearing, ..) = found;
        (metres, bearing.rem_euclid(360.0))
    }

    /// Metres east and north of here, on the azimuthal equidistant projection: direction and distance from here are true.
    pub(crate) fn plane(self, other: Self) -> (f64, f64) {
        let (metres, bearing) = self.to(other);
        let turn = bearing.to_radians();
        (metres * turn.sin(), metres * turn.cos())
    }
}

/// Eight directions of the compass, each 45 degrees wide around its middle.
#[value]
pub(crate) enum Direction {
    North,
    NorthEast,
    East,
    SouthEast,
    South,
    SouthWest,
    West,
    NorthWest,
}

impl Direction {
    /// All of them, clockwise from north.
    pub(crate) const ALL: [Self; 8] = [
        Self::North,
        Self::NorthEast,
        Self::East,
        Self::SouthEast,
        Self::South,
        Self::SouthWest,
        Self::West,
        Self::NorthWest,
    ];

    /// The one that a bearing in degrees lies in. A bearing between two belongs to the one clockwise of it.
    pub(crate) fn of(bearing: f64) -> Self {
        let eighth = ((bearing.rem_euclid(360.0) + 22.5) / 45.0).floor();
        Self::ALL[eighth as usize % 8]
    }
}

#[cfg(test)]
mod tests {
    //! Points beside those of the reference, and directions.

    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    struct Fixture {
        cases: Vec<Case>,
    }

    #[derive(Deserialize)]
    struct Case {
        from: (f64, f64),
        bearing: f64,
        metres: f64,
        to: (f64, f64),
    }

    #[test]
    fn points_up_to_a_hundred_kilometres_away_are_those_of_geographiclib_at_poles_and_antimeridian_too() {
        let fixture: Fixture = serde_json::from_str(include_str!("../fixtures/geodesics.json")).unwrap();
        assert!(fixture.cases.len() >= 400);
        let mut worst: f64 = 0.0;
        for case in fixture.cases {
            let from = Point { latitude: case.from.0, longitude: case.from.1 };
            let wanted = Point { latitude: case.to.0, longitude: case.to.1 };
            let found = from.towards(case.bearing, case.metres);
            assert!(found.longitude.abs() <= 180.0, "{found:?}");
            worst = worst.max(found.to(wanted).0).max((from.to(found).0 - case.metres).abs());
        }
        assert!(worst < 1e-6, "{worst} m");
    }

    #[test]
    fn a_direction_is_an_eighth_of_the_compass_around_its_middle() {
        for (bearing, direction) in [
            (0.0, Direction::North),
            (22.4, Direction::North),
            (22.5, Direction::NorthEast),
            (180.0, Direction::South),
            (359.0, Direction::North),
            (-90.0, Direction::West),
        ] {
            assert_eq!(Direction::of(bearing), direction, "{bearing}");
        }
    }
}
