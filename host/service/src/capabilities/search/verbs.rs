//! What the verbs of a goal say of the kind of work: `delete` removes, `how many` only asks.

use std::collections::HashSet;
use std::sync::LazyLock;

use model::contract::Kind;

use super::words;

/// The kinds that a goal speaks of, as how likely each is: they multiply the score of an operation.
pub(super) struct Prior {
    of: [f32; 4],
}

/// How much an operation of the kind gains that the goal's verb names.
const FITS: f32 = 1.44;
/// How much one loses that removes where nothing in the goal speaks of removing.
const UNASKED: f32 = 0.8;

static ASKING: Verbs = LazyLock::new(|| {
    stems(
        "list show see view get read find which compare check how why what who whose when where is are does do did can \
         could should was were has have display tell explain many count measure analyze inspect review look preview",
    )
});
static CHANGING: Verbs = LazyLock::new(|| {
    stems(
        "add edit update change set rename publish connect create make save fill write register assign replace import \
         upload store remember map move mark accept approve reject reply apply put turn enable disable pause resume \
         switch hold",
    )
});
static STARTING: Verbs = LazyLock::new(|| {
    stems("start run launch generate send schedule crawl scan refresh render build load order recheck")
});
static REMOVING: Verbs = LazyLock::new(|| {
    stems(
        "delete remove stop cancel erase disconnect revoke abort kill undo rollback purge trash drop clear forget \
         destroy wipe withdraw unplug close rid",
    )
});

type Verbs = LazyLock<HashSet<String>>;

fn stems(verbs: &str) -> HashSet<String> {
    verbs.split_whitespace().map(words::stem).collect()
}

/// Whether the stem is one of the verbs.
pub(super) fn knows(stem: &str) -> bool {
    [&ASKING, &CHANGING, &STARTING, &REMOVING].iter().any(|verbs| verbs.contains(stem))
}

/// The stems of all verbs.
pub(super) fn words() -> impl Iterator<Item = &'static str> {
    [&*ASKING, &*CHANGING, &*STARTING, &*REMOVING].into_iter().flatten().map(String::as_str)
}

impl Prior {
    /// Reads the stems of a goal.
    pub(super) fn of(stems: &[String]) -> Self {
        let mut prior = Self { of: [1.0; 4] };
        let any = |verbs: &Verbs, stems: &[String]| stems.iter().any(|stem| verbs.contains(stem));
        let removes = any(&REMOVING, stems);
        if any(&ASKING, &stems[..stems.len().min(1)]) {
            prior.raise(Kind::Read);
        } else if any(&CHANGING, stems) {
            prior.raise(Kind::Write);
        }
        if any(&STARTING, stems) {
            prior.raise(Kind::Job);
        }
        if removes {
            prior.raise(Kind::Destructive);
        } else {
            prior.of[Kind::Destructive as usize] = UNASKED;
        }
        prior
    }

    fn raise(&mut self, kind: Kind) {
        self.of[kind as usize] = FITS;
    }

    /// What the score of an operation of this kind is multiplied by.
    pub(super) fn for_kind(&self, kind: Kind) -> f32 {
        self.of[kind as usize]
    }
}
