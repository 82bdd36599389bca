//! The inert WASI of components from other toolchains, with the grant `wasi-inert`.

use std::time::Duration;

use model::clock::{Entropy, Moment, SeededEntropy};
use wasmtime::component::ResourceTable;
use wasmtime_wasi::random::Deterministic;
use wasmtime_wasi::{HostMonotonicClock, HostWallClock, WasiCtx, WasiCtxBuilder};

/// Resource handles that an inert WASI may hold at once.
const MAX_HANDLES: usize = 256;

/// A WASI without files, sockets, names, environment or arguments, with the host's time and seeded randomness.
pub(crate) struct Inert {
    pub(crate) context: WasiCtx,
    pub(crate) table: ResourceTable,
}

impl Inert {
    pub(crate) fn new(now: Moment, seed: [u8; 32]) -> Self {
        let entropy: &dyn Entropy = &SeededEntropy::new(seed);
        let mut table = ResourceTable::new();
        table.set_max_capacity(MAX_HANDLES);
        let random = || Deterministic::new(entropy.array::<4_096>().to_vec());
        let context = WasiCtxBuilder::new()
            .allow_tcp(false)
            .allow_udp(false)
            .allow_ip_name_lookup(false)
            .max_random_size(64 * 1024)
            .secure_random(random())
            .insecure_random(random())
            .insecure_random_seed(u128::from_be_bytes(entropy.array()))
            .wall_clock(FixedClock(now))
            .monotonic_clock(FixedClock(now))
            .build();
        Self { context, table }
    }
}

/// A clock that is fixed at the run's moment.
struct FixedClock(Moment);

impl FixedClock {
    fn since_epoch(&self) -> Duration {
        Duration::from_millis(u64::try_from(self.0.0).unwrap_or(0))
    }
}

impl HostWallClock for FixedClock {
    fn resolution(&self) -> Duration {
        Duration::from_millis(1)
    }

    fn now(&self) -> Duration {
        self.since_epoch()
    }
}

impl HostMonotonicClock for FixedClock {
    fn resolution(&self) -> u64 {
        1_000_000
    }

    fn now(&self) -> u64 {
        u64::try_from(self.since_epoch().as_nanos()).unwrap_or(u64::MAX)
    }
}
