//! The two linkers of the process, each built once and never cloned: one with the product's interfaces, and one that
//! adds an inert WASI for components of other toolchains with the grant `wasi-inert`.

use wasmtime::Engine;
use wasmtime::component::Linker;

use crate::bindings;
use crate::stage::Stage;
use crate::witness::{Watched, watch};

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
    bindings::accounts::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::blobs::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::blobs_write::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::cache::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::catalog::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::jobs::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::jobs_write::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::links::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::links_write::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::shares::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::shares_write::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::guarded_shares_write::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
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
    bindings::notices::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::notices_write::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::mail::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::recipients::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::recipients_write::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::web::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::dns::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::tls::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::clock::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::random::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    bindings::log::add_to_linker::<Stage, Watched>(&mut linker, watch)?;
    Ok(linker)
}
