//! What the filter promises, as tests: on single hits, and on a log whose labels are known because it was made so.

use kit::chance::Chance;

use super::*;

/// Milliseconds of a day.
const DAY: f64 = 86_400_000.0;

fn hit(at: u64, visitor: &str) -> Hit {
    Hit {
        at,
        visitor: visitor.to_owned(),
        device: Device::Mobile,
        head: false,
        prefetch: false,
        agent: false,
        bare: false,
        referrer: None,
    }
}

#[test]
fn a_hit_that_says_what_it_is_falls_under_the_first_rule_that_holds() {
    let hits = [
        Hit { head: true, agent: true, ..hit(0, "a") },
        Hit { prefetch: true, ..hit(10_000, "b") },
        Hit { agent: true, bare: true, ..hit(20_000, "c") },
        Hit { device: Device::Program, ..hit(30_000, "d") },
        Hit { bare: true, ..hit(40_000, "e") },
        hit(50_000, "f"),
    ];
    use Rule::*;
    let expected = [Some(Head), Some(Prefetch), Some(KnownAgent), Some(KnownAgent), Some(MissingHeaders), None];
    assert_eq!(judge(&hits), expected);
}

#[test]
fn a_visitor_counts_five_times_within_an_hour_and_again_when_it_is_over() {
    let mut hits: Vec<Hit> = (0..7).map(|number| hit(number * 60_000, "a")).collect();
    hits.push(hit(6 * 60_000 + 3_600_000, "a"));
    let judged = judge(&hits);
    assert_eq!(judged[..5], [None; 5]);
    assert_eq!(judged[5..7], [Some(Rule::Repeated); 2]);
    assert_eq!(judged[7], None);
}

#[test]
fn five_hits_within_a_second_of_one_another_are_a_burst_and_four_are_not() {
    let four: Vec<Hit> = (0..4).map(|number| hit(number * 900, &number.to_string())).collect();
    assert_eq!(judge(&four), [None; 4]);
    let five: Vec<Hit> = (0..5).map(|number| hit(number * 900, &number.to_string())).collect();
    assert_eq!(judge(&five), [Some(Rule::Burst); 5]);
}

/// Fourteen days of one link, each hit with whether a program made it. The labels are how each was made: people come as
/// a Poisson process, one to three hits each, minutes apart; programs are of seven kinds. One of them, 2 of 100 of all
/// programs, behaves like a person in everything that can be seen, so that no filter here can reach 1.
fn log(seed: u64) -> Vec<(Hit, bool)> {
    let mut chance = Chance::new(seed);
    let mut log = Vec::new();
    for number in 0..3_000 {
        let (start, visitor) = ((chance.unit() * 14.0 * DAY) as u64, format!("person {number}"));
        for again in 0..=(chance.below(10) / 4) as u64 {
            let device = [Device::Mobile, Device::Desktop, Device::Tablet][chance.below(3)];
            log.push((Hit { device, ..hit(start + again * 90_000, &visitor) }, false));
        }
    }
    let mut programs = 0;
    while programs < 3_000 {
        let (start, name) = ((chance.unit() * 14.0 * DAY) as u64, format!("program {programs}"));
        let one = hit(start, &name);
        let made: Vec<Hit> = match chance.below(100) {
            0..20 => vec![Hit { agent: true, device: Device::Program, ..one }],
            20..35 => vec![Hit { head: true, ..one }],
            35..45 => vec![Hit { prefetch: true, ..one }],
            45..65 => vec![Hit { bare: true, device: Device::Other, ..one }],
            // One that comes every minute.
            65..67 => (0..120).map(|again| hit(start + again * 60_000, &name)).collect(),
            // One that changes its name each time.
            67..70 => (0..30).map(|again| hit(start + again * 300, &format!("{name} {again}"))).collect(),
            70..72 => vec![one],
            _ => vec![Hit { agent: true, ..one }],
        };
        programs += made.len();
        log.extend(made.into_iter().map(|hit| (hit, true)));
    }
    log.sort_by_key(|(hit, _)| hit.at);
    log
}

#[test]
fn of_a_labelled_log_at_least_95_of_100_programs_are_found_and_at_most_1_of_100_people() {
    for seed in [1, 2, 3, 4, 5] {
        let log = log(seed);
        let hits: Vec<Hit> = log.iter().map(|(hit, _)| hit.clone()).collect();
        let judged = judge(&hits);
        let share = |program: bool| {
            let of: Vec<_> = log.iter().zip(&judged).filter(|((_, label), _)| *label == program).collect();
            of.iter().filter(|(_, rule)| rule.is_some()).count() as f64 / of.len() as f64
        };
        let (recall, false_alarms) = (share(true), share(false));
        println!("seed {seed}: recall {recall:.4}, people taken for programs {false_alarms:.4}");
        assert!(recall >= 0.95, "seed {seed}: {recall}");
        assert!(false_alarms <= 0.01, "seed {seed}: {false_alarms}");
    }
}

#[test]
fn every_rule_is_counted_even_when_it_never_held() {
    let counts = counts([Some(Rule::Head), None, Some(Rule::Head)]);
    assert_eq!(counts.len(), Rule::ALL.len());
    assert_eq!((counts["head"], counts["burst"]), (2, 0));
}
