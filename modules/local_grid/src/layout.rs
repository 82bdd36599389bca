//! Where the pins of a scan are.
//!
//! A grid is laid out on a plane around the business, and each of its points is put on the ellipsoid in its own direction
//! and at its own distance, so both are true however large the grid is.

use sdk::prelude::*;

use crate::geodesy::Point;

/// The side of a figure that pins form.
#[value]
pub(crate) enum Shape {
    /// Rows and columns.
    Square,
    /// Every second row is moved by half a spacing, so that all neighbours are equally far.
    Hex,
    /// Rows and columns within a circle.
    Circle,
}

/// What pins are laid out by.
#[value]
pub(crate) struct Grid {
    /// The figure.
    pub(crate) shape: Shape,
    /// Pins along its side, or its diameter.
    pub(crate) size: u32,
    /// Metres between neighbours.
    pub(crate) spacing_m: u32,
    /// The corners of an area without pins; none when it is empty.
    #[serde(default)]
    pub(crate) excluded: Vec<Point>,
}

/// One pin of a layout.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Spot {
    /// From 0 in the north.
    pub(crate) row: u32,
    /// From 0 in the west.
    pub(crate) column: u32,
    /// Metres east of the business.
    pub(crate) east: f64,
    /// Metres north of it.
    pub(crate) north: f64,
    /// Where that is.
    pub(crate) point: Point,
}

impl Spot {
    /// Metres from the business.
    pub(crate) fn distance(&self) -> f64 {
        self.east.hypot(self.north)
    }

    /// Degrees clockwise from north, as seen from the business; 0 at the business itself.
    pub(crate) fn bearing(&self) -> f64 {
        self.east.atan2(self.north).to_degrees().rem_euclid(360.0)
    }
}

impl Grid {
    /// The pins around a point, row by row from the north-west.
    pub(crate) fn lay(&self, centre: Point) -> Vec<Spot> {
        let hole: Vec<(f64, f64)> = self.excluded.iter().map(|corner| centre.plane(*corner)).collect();
        self.offsets()
            .into_iter()
            .filter(|(_, _, east, north)| !inside(&hole, *east, *north))
            .map(|(row, column, east, north)| {
                let spot = Spot { row, column, east, north, point: centre };
                Spot { point: centre.towards(spot.bearing(), spot.distance()), ..spot }
            })
            .collect()
    }

    /// Row, column, metres east and metres north of each point of the figure.
    fn offsets(&self) -> Vec<(u32, u32, f64, f64)> {
        let spacing = f64::from(self.spacing_m);
        let middle = f64::from(self.size - 1) / 2.0;
        let rise = if self.shape == Shape::Hex { 3_f64.sqrt() / 2.0 } else { 1.0 };
        let mut all = Vec::new();
        for row in 0..self.size {
            let (pins, shift) = match (self.shape, self.size % 2, (row + self.size / 2) % 2) {
                // With one pin less in every second row the business is a pin and the figure stays around it.
                (Shape::Hex, 1, 1) => (self.size - 1, 0.5),
                // Without a row in the middle both kinds of rows are moved by a quarter.
                (Shape::Hex, 0, odd) => (self.size, f64::from(odd) / 2.0 - 0.25),
                _ => (self.size, 0.0),
            };
            for column in 0..pins {
                let (across, up) = (f64::from(column) - middle + shift, (middle - f64::from(row)) * rise);
                // The rounding of a root must not cost the circle its outermost pins.
                if self.shape != Shape::Circle || across.hypot(up) <= middle + 1e-9 {
                    all.push((row, column, across * spacing, up * spacing));
                }
            }
        }
        all
    }

    /// Whether two pins are next to each other: up to eight in rows and columns, up to six in a hexagonal grid.
    pub(crate) fn are_neighbours(&self, one: &Spot, other: &Spot) -> bool {
        // The diagonal of a square is 1.41 spacings, the second ring of a hexagonal grid 1.73.
        (one.east - other.east).hypot(one.north - other.north) < 1.5 * f64::from(self.spacing_m)
    }

    /// The corners of the piece of ground that a pin stands for, in metres east and north of the business.
    pub(crate) fn cell(&self, spot: &Spot) -> [(f64, f64); 4] {
        let half = f64::from(self.spacing_m) / 2.0;
        let tall = if self.shape == Shape::Hex { half * 3_f64.sqrt() / 2.0 } else { half };
        [(-half, -tall), (half, -tall), (half, tall), (-half, tall)].map(|(x, y)| (spot.east + x, spot.north + y))
    }
}

/// Whether a point is inside a polygon: a ray from it crosses the outline an odd number of times.
fn inside(polygon: &[(f64, f64)], east: f64, north: f64) -> bool {
    let mut odd = false;
    for (at, &(x, y)) in polygon.iter().enumerate() {
        let (to_x, to_y) = polygon[(at + 1) % polygon.len()];
        if (y > north) != (to_y > north) && east < (to_x - x) * (north - y) / (to_y - y) + x {
            odd = !odd;
        }
    }
    odd
}

/// The smallest convex polygon around points, counter-clockwise, by A. M. Andrew's monotone chain (1979).
pub(crate) fn hull(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
    sorted.dedup();
    if sorted.len() < 3 {
        return sorted;
    }
    let turns_right = |chain: &[(f64, f64)], next: (f64, f64)| {
        let [.., a, b] = chain else { return false };
        (b.0 - a.0) * (next.1 - a.1) - (b.1 - a.1) * (next.0 - a.0) <= 0.0
    };
    let chain = |points: &mut dyn Iterator<Item = (f64, f64)>| {
        let mut chain: Vec<(f64, f64)> = Vec::new();
        for point in points {
            while turns_right(&chain, point) {
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let mut around = chain(&mut sorted.iter().copied());
    around.extend(chain(&mut sorted.iter().rev().copied()));
    around
}

/// The area of a polygon without crossings, in the square of its unit (the shoelace formula).
pub(crate) fn area(polygon: &[(f64, f64)]) -> f64 {
    let pairs = polygon.iter().zip(polygon.iter().cycle().skip(1));
    pairs.map(|(a, b)| a.0 * b.1 - b.0 * a.1).sum::<f64>().abs() / 2.0
}

/// Square kilometres of the smallest convex area around the ground that pins stand for.
pub(crate) fn ground<'a>(grid: &Grid, spots: impl Iterator<Item = &'a Spot>) -> f64 {
    let corners: Vec<(f64, f64)> = spots.flat_map(|spot| grid.cell(spot)).collect();
    area(&hull(&corners)) / 1e6
}

#[cfg(test)]
mod tests;
