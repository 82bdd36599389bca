//! The imports of `wit/v1`, generated once for all modules.

#![expect(missing_docs, reason = "wit-bindgen writes this from the committed WIT")]

wit_bindgen::generate!({
    path: "../../../wit/v1",
    inline: "package espalier:guest;
        world guest {
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
            import espalier:module/web@1.0.0;
            import espalier:module/links@1.0.0;
            import espalier:module/links-write@1.0.0;
            import espalier:module/shares@1.0.0;
            import espalier:module/shares-write@1.0.0;
            import espalier:module/guarded-shares-write@1.0.0;
            import espalier:module/uploads@1.0.0;
            import espalier:module/uploads-write@1.0.0;
            import espalier:module/dns@1.0.0;
            import espalier:module/tls@1.0.0;
            import espalier:module/connections@1.0.0;
            import espalier:module/vault@1.0.0;
            import espalier:module/mail@1.0.0;
            import espalier:module/recipients@1.0.0;
            import espalier:module/recipients-write@1.0.0;
            import espalier:module/notices@1.0.0;
            import espalier:module/notices-write@1.0.0;
            import espalier:module/platform@1.0.0;
            import espalier:module/platform-write@1.0.0;
            import espalier:module/quotes@1.0.0;
            import espalier:module/refunds-write@1.0.0;
            import espalier:module/schedule@1.0.0;
            import espalier:module/schedule-write@1.0.0;
            import espalier:module/clock@1.0.0;
            import espalier:module/random@1.0.0;
            import espalier:module/log@1.0.0;
        }",
    world: "espalier:guest/guest",
    runtime_path: "::wit_bindgen::rt",
    generate_all,
    generate_unused_types: true,
    additional_derives: [PartialEq],
});

/// The types that cross the boundary in a call, as `wit/v1/types.wit` has them.
pub use espalier::module::types as boundary;

pub(crate) use espalier::module as wit;
