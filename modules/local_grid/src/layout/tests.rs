//! Pins where they belong, and areas beside those of the reference.

use serde::Deserialize;

use super::*;

const LONDON: Point = Point { latitude: 51.508, longitude: -0.128 };

fn grid(shape: Shape, size: u32, spacing_m: u32) -> Grid {
    Grid { shape, size, spacing_m, excluded: Vec::new() }
}

#[test]
fn direction_and_distance_of_every_pin_are_true_to_a_tenth_of_a_metre_anywhere_on_earth() {
    for (latitude, longitude) in [(51.508, -0.128), (-17.7, 179.999), (89.99, 30.0), (-90.0, 0.0), (0.0, 180.0)] {
        let centre = Point { latitude, longitude };
        for shape in [Shape::Square, Shape::Hex, Shape::Circle] {
            for spot in grid(shape, 15, 10_000).lay(centre) {
                let (metres, bearing) = centre.to(spot.point);
                assert!((metres - spot.distance()).abs() < 0.1, "{spot:?}");
                assert!(spot.distance() < 101_000.0 && spot.point.longitude.abs() <= 180.0, "{spot:?}");
                let off = (bearing - spot.bearing() + 180.0).rem_euclid(360.0) - 180.0;
                // At a pole a direction is a matter of the longitude that it is seen from.
                assert!(metres < 1.0 || latitude.abs() > 89.999 || off.abs() < 1e-6, "{spot:?} {off}");
            }
        }
    }
}

#[test]
fn a_square_has_rows_and_columns_from_the_north_west_with_the_business_in_the_middle() {
    let spots = grid(Shape::Square, 3, 1_000).lay(LONDON);
    let places: Vec<_> = spots.iter().map(|it| (it.row, it.column, it.east, it.north)).collect();
    assert_eq!(places[0], (0, 0, -1_000.0, 1_000.0));
    assert_eq!(places[4], (1, 1, 0.0, 0.0));
    assert_eq!(places[8], (2, 2, 1_000.0, -1_000.0));
    assert!(spots[4].point.to(LONDON).0 < 1e-6);
    assert!(spots[0].point.latitude > LONDON.latitude && spots[0].point.longitude < LONDON.longitude);
}

#[test]
fn neighbours_in_a_hexagonal_grid_are_equally_far_and_up_to_six_around_the_business_itself() {
    let grid = grid(Shape::Hex, 7, 500);
    let spots = grid.lay(LONDON);
    assert_eq!(spots.len(), 3 * 7 + 4 * 6);
    let middle = spots.iter().find(|it| it.distance() < 1e-6).expect("the business is a pin");
    let around: Vec<&Spot> = spots.iter().filter(|it| *it != middle && grid.are_neighbours(middle, it)).collect();
    assert_eq!(around.len(), 6);
    for spot in around {
        let metres = (spot.east - middle.east).hypot(spot.north - middle.north);
        assert!((metres - 500.0).abs() < 1e-6, "{metres}");
    }
}

#[test]
fn every_figure_lies_evenly_around_the_business() {
    for (shape, size) in [(Shape::Square, 4), (Shape::Hex, 4), (Shape::Hex, 5), (Shape::Hex, 15), (Shape::Circle, 6)] {
        let spots = grid(shape, size, 1_000).lay(LONDON);
        let sum = spots.iter().fold((0.0, 0.0), |sum, it| (sum.0 + it.east, sum.1 + it.north));
        assert!(sum.0.abs() < 1e-6 && sum.1.abs() < 1e-6, "{shape:?} {size}: {sum:?}");
    }
}

#[test]
fn a_circle_keeps_what_is_within_half_its_size() {
    let counts: Vec<usize> = [3, 5, 7, 15].map(|size| grid(Shape::Circle, size, 1_000).lay(LONDON).len()).into();
    // Gauss's circle problem for the radii 1, 2, 3 and 7.
    assert_eq!(counts, [5, 13, 29, 149]);
}

#[test]
fn pins_in_an_area_without_pins_are_left_out_across_the_antimeridian_too() {
    let centre = Point { latitude: -17.7, longitude: 179.999 };
    let corner = |bearing: f64| centre.towards(bearing, 1_600.0);
    // The east: from the business over the antimeridian.
    let excluded = vec![corner(0.0), corner(45.0), corner(135.0), corner(180.0)];
    let spots = Grid { excluded, ..grid(Shape::Square, 3, 1_000) }.lay(centre);
    assert_eq!(spots.len(), 6);
    assert!(spots.iter().all(|it| it.east < 1.0), "{spots:?}");
}

#[derive(Deserialize)]
struct Fixture {
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    points: Vec<(f64, f64)>,
    area: f64,
}

#[test]
fn areas_of_hulls_are_those_of_scipy() {
    let fixture: Fixture = serde_json::from_str(include_str!("../../fixtures/hulls.json")).unwrap();
    assert!(fixture.cases.len() >= 40);
    for case in fixture.cases {
        let found = area(&hull(&case.points));
        assert!((found - case.area).abs() <= 1e-9 * case.area, "{found} {}", case.area);
    }
    assert!(area(&hull(&[(0.0, 0.0), (1.0, 1.0)])).abs() < f64::EPSILON);
}

#[test]
fn the_ground_of_a_pin_is_its_cell() {
    let square = grid(Shape::Square, 3, 1_000);
    let spots = square.lay(LONDON);
    assert!((ground(&square, spots.iter().take(1)) - 1.0).abs() < 1e-9);
    assert!((ground(&square, spots.iter()) - 9.0).abs() < 1e-9);
}
