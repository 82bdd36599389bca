//! The two linkers of the process, each built once and never cloned: one with the product's interfaces, and one that
//! adds an inert WASI for components of other toolchains with the grant `wasi-inert`.

use std::time::Duration;

use model::clock::{Entropy, Moment, SeededEntropy};
use wasmtime::Engine;
use wasmtime::component::{Linker, ResourceTable};
use wasmtime_wasi::random::Deterministic;
use wasmtime_wasi::{HostMonotonicClock, HostWallClock, WasiCtx, WasiCtxBuilder, WasiCtxView, WasiView};

use crate::bindings;
use crate::stage::Stage;
use crate::witness::{Watched, watch};

/// Resource handles that an inert WASI may hold at once.
const MOST_HANDLES: usize = 256;

pub(crate) struct Linkers {
    pub(crate) product: Linker<Stage>,
    pub(crate) inert: Linker<Stage>,
}

impl Linkers {
    pub(crate) fn new(engine: &Engine) -> wasmtime::Result<Self> {
        let mut inert = product(engine)?;
        wasmtime_wasi::p2::add_to_linker_async(&mut inert)?;
        Ok(Self { product: product(engine)?, inert })
    }
}

fn product(engine: &Engine) -> wasmtime::Result<Linker<Stage>> {
    let mut linker = Linker::new(engine);
    bindings::types::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::records::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::records_write::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::blobs::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::blobs_write::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::cache::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::jobs::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::jobs_write::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::links::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::links_write::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::shares::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::shares_write::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::uploads::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::uploads_write::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::platform::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::platform_write::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::quotes::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::refunds_write::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::schedule::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::schedule_write::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::connections::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::vault::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::mail::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::web::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::dns::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::tls::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::clock::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::random::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::log::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    Ok(linker)
}

/// A WASI without files, sockets, names, environment or arguments, with the host's time and seeded randomness.
pub(crate) struct Inert {
    context: WasiCtx,
    table: ResourceTable,
}

impl Inert {
    pub(crate) fn new(now: Moment, seed: [u8; 32]) -> Self {
        let entropy: &dyn Entropy = &SeededEntropy::new(seed);
        let mut table = ResourceTable::new();
        table.set_max_capacity(MOST_HANDLES);
        let chance = || Deterministic::new(entropy.array::<4_096>().to_vec());
        let context = WasiCtxBuilder::new()
            .allow_tcp(false)
            .allow_udp(false)
            .allow_ip_name_lookup(false)
            .max_random_size(64 * 1024)
            .secure_random(chance())
            .insecure_random(chance())
            .insecure_random_seed(u128::from_be_bytes(entropy.array()))
            .wall_clock(Standing(now))
            .monotonic_clock(Standing(now))
            .build();
        Self { context, table }
    }
}

impl WasiView for Stage {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        let (wasi, now, seed) = self.inert();
        let inert = wasi.get_or_insert_with(|| Inert::new(now, seed));
        WasiCtxView { ctx: &mut inert.context, table: &mut inert.table }
    }
}

/// A clock that is fixed at the run's moment.
struct Standing(Moment);

impl Standing {
    fn since_epoch(&self) -> Duration {
        Duration::from_millis(u64::try_from(self.0.0).unwrap_or(0))
    }
}

impl HostWallClock for Standing {
    fn resolution(&self) -> Duration {
        Duration::from_millis(1)
    }

    fn now(&self) -> Duration {
        self.since_epoch()
    }
}

impl HostMonotonicClock for Standing {
    fn resolution(&self) -> u64 {
        1_000_000
    }

    fn now(&self) -> u64 {
        u64::try_from(self.since_epoch().as_nanos()).unwrap_or(u64::MAX)
    }
}
