//! The host's Rust bindings of `wit/v1`, generated from the committed WIT.

#![expect(missing_docs, reason = "wasmtime writes this from the committed WIT")]

wasmtime::component::bindgen!({
    path: "../../wit/v1",
    inline: "
        package espalier:host;

        world host {
            import espalier:module/types@1.0.0;
            import espalier:module/records@1.0.0;
            import espalier:module/records-write@1.0.0;
            import espalier:module/accounts@1.0.0;
            import espalier:module/blobs@1.0.0;
            import espalier:module/blobs-write@1.0.0;
            import espalier:module/cache@1.0.0;
            import espalier:module/catalog@1.0.0;
            import espalier:module/jobs@1.0.0;
            import espalier:module/jobs-write@1.0.0;
            import espalier:module/links@1.0.0;
            import espalier:module/links-write@1.0.0;
            import espalier:module/shares@1.0.0;
            import espalier:module/shares-write@1.0.0;
            import espalier:module/guarded-shares-write@1.0.0;
            import espalier:module/uploads@1.0.0;
            import espalier:module/uploads-write@1.0.0;
            import espalier:module/platform@1.0.0;
            import espalier:module/platform-write@1.0.0;
            import espalier:module/quotes@1.0.0;
            import espalier:module/refunds-write@1.0.0;
            import espalier:module/schedule@1.0.0;
            import espalier:module/schedule-write@1.0.0;
            import espalier:module/web@1.0.0;
            import espalier:module/dns@1.0.0;
            import espalier:module/tls@1.0.0;
            import espalier:module/connections@1.0.0;
            import espalier:module/vault@1.0.0;
            import espalier:module/mail@1.0.0;
            import espalier:module/recipients@1.0.0;
            import espalier:module/recipients-write@1.0.0;
            import espalier:module/notices@1.0.0;
            import espalier:module/notices-write@1.0.0;
            import espalier:module/clock@1.0.0;
            import espalier:module/random@1.0.0;
            import espalier:module/log@1.0.0;
        }
    ",
    imports: {
        "espalier:module/catalog": trappable,
        "espalier:module/quotes": trappable,
        "espalier:module/random": trappable,
        "espalier:module/log": trappable,
        "espalier:module/clock.now": trappable,
        "espalier:module/clock.elapsed": trappable,
        default: async | trappable,
    },
    // The transcript of a run serialises these values.
    additional_derives: [serde::Serialize, serde::Deserialize],
});

pub(crate) use espalier::module::{
    accounts, blobs, blobs_write, cache, catalog, clock, connections, dns, guarded_shares_write, jobs, jobs_write,
    links, links_write, log, mail, notices, notices_write, platform, platform_write, quotes, random, recipients,
    recipients_write, records, records_write, refunds_write, schedule, schedule_write, shares, shares_write, tls,
    types, uploads, uploads_write, vault, web,
};
