//! Query parameters that name a campaign or a click and never change the page.

/// Exact names, in lower case, sorted.
const NAMES: &[&str] = &[
    "_ga",
    "_gl",
    "_hsenc",
    "_hsmi",
    "_ke",
    "_kx",
    "_openstat",
    "ad_id",
    "adgroupid",
    "campaignid",
    "cmpid",
    "dclid",
    "dicbo",
    "ef_id",
    "epik",
    "fb_action_ids",
    "fb_action_types",
    "fb_source",
    "fbclid",
    "gad_campaignid",
    "gad_source",
    "gbraid",
    "gclid",
    "gclsrc",
    "hsa_acc",
    "hsa_ad",
    "hsa_cam",
    "hsa_grp",
    "hsa_kw",
    "hsa_mt",
    "hsa_net",
    "hsa_src",
    "hsa_tgt",
    "hsa_ver",
    "hsctatracking",
    "icid",
    "igsh",
    "igshid",
    "irclickid",
    "li_fat_id",
    "mc_cid",
    "mc_eid",
    "mkt_tok",
    "ml_subscriber",
    "ml_subscriber_hash",
    "msclkid",
    "oly_anon_id",
    "oly_enc_id",
    "rb_clickid",
    "s_cid",
    "s_kwcid",
    "sc_campaign",
    "sc_channel",
    "sc_content",
    "sc_medium",
    "sc_outcome",
    "srsltid",
    "trk_contact",
    "trk_module",
    "trk_msg",
    "trk_sid",
    "ttclid",
    "twclid",
    "vero_conv",
    "vero_id",
    "wbraid",
    "wickedid",
    "yclid",
    "ymclid",
    "ysclid",
];

/// Beginnings of names: Google and Matomo campaign families.
const FAMILIES: &[&str] = &["utm_", "mtm_", "matomo_", "pk_", "piwik_"];

/// Whether a query parameter is only there to track.
#[must_use]
pub fn is_tracking(name: &str) -> bool {
    if name.len() < 3 || name.len() > 24 {
        return false;
    }
    let name = name.to_ascii_lowercase();
    NAMES.binary_search(&name.as_str()).is_ok() || FAMILIES.iter().any(|family| name.starts_with(family))
}
