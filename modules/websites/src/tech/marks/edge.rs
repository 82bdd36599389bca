//! The fingerprints of networks that deliver pages, and of hosts that serve them.

use super::super::mark::Category::{Cdn, Hosting};
use super::super::mark::{Mark, cookie, header, link, mark, script};

pub(super) const MARKS: &[Mark] = &[
    mark(
        "Cloudflare",
        Cdn,
        &[header("server", "cloudflare", 98), header("cf-ray", "", 98), cookie("__cf_bm", 90), script("/cdn-cgi/", 85)],
    ),
    mark(
        "Fastly",
        Cdn,
        &[
            header("x-fastly-request-id", "", 97),
            header("fastly-debug-digest", "", 95),
            header("x-served-by", "cache-", 80),
        ],
    ),
    mark(
        "Amazon CloudFront",
        Cdn,
        &[
            header("x-amz-cf-id", "", 98),
            header("x-amz-cf-pop", "", 97),
            header("via", "cloudfront", 96),
            header("x-cache", "cloudfront", 96),
        ],
    ),
    mark(
        "Akamai",
        Cdn,
        &[
            header("x-akamai-transformed", "", 97),
            header("server", "akamaighost", 97),
            header("server-timing", "ak_p", 85),
            cookie("ak_bmsc", 93),
            cookie("_abck", 80),
        ],
    ),
    mark("bunny.net", Cdn, &[header("server", "bunnycdn", 98), header("cdn-pullzone", "", 93)]),
    mark("KeyCDN", Cdn, &[header("server", "keycdn", 98)]),
    mark("Azure Front Door", Cdn, &[header("x-azure-ref", "", 93), header("x-fd-healthprobe", "", 80)]),
    mark("Google Cloud CDN", Cdn, &[header("via", "1.1 google", 60)]),
    mark(
        "Imperva",
        Cdn,
        &[
            cookie("visid_incap_*", 96),
            cookie("incap_ses_*", 96),
            header("x-iinfo", "", 90),
            header("x-cdn", "imperva", 97),
        ],
    ),
    mark("Sucuri", Cdn, &[header("x-sucuri-id", "", 98), header("server", "sucuri", 97)]),
    mark("jsDelivr", Cdn, &[script("cdn.jsdelivr.net", 97), link("cdn.jsdelivr.net", 96)]),
    mark("cdnjs", Cdn, &[script("cdnjs.cloudflare.com", 98), link("cdnjs.cloudflare.com", 97)]),
    mark("unpkg", Cdn, &[script("unpkg.com/", 97), link("unpkg.com/", 96)]),
    mark("Google Hosted Libraries", Cdn, &[script("ajax.googleapis.com/ajax/libs", 98)]),
    mark(
        "Vercel",
        Hosting,
        &[header("x-vercel-id", "", 98), header("server", "vercel", 98), header("x-vercel-cache", "", 97)],
    ),
    mark("Netlify", Hosting, &[header("x-nf-request-id", "", 98), header("server", "netlify", 98)]),
    mark("GitHub Pages", Hosting, &[header("server", "github.com", 97), header("x-github-request-id", "", 90)]),
    mark("GitLab Pages", Hosting, &[header("gitlab-lb", "", 85), header("gitlab-sv", "", 85)]),
    mark(
        "Heroku",
        Hosting,
        &[header("via", "vegur", 97), header("server", "heroku", 93), header("report-to", "heroku", 85)],
    ),
    mark("Fly.io", Hosting, &[header("fly-request-id", "", 98), header("server", "fly/", 97)]),
    mark("Render", Hosting, &[header("x-render-origin-server", "", 98), header("rndr-id", "", 97)]),
    mark("Amazon S3", Hosting, &[header("server", "amazons3", 98), header("x-amz-request-id", "", 75)]),
    mark("WP Engine", Hosting, &[header("x-powered-by", "wp engine", 98), header("wpe-backend", "", 96)]),
    mark("Kinsta", Hosting, &[header("x-kinsta-cache", "", 98), header("ki-edge", "", 93)]),
    mark("Pantheon", Hosting, &[header("x-pantheon-styx-hostname", "", 98), header("x-styx-req-id", "", 93)]),
    mark("Acquia", Hosting, &[header("x-ah-environment", "", 97), header("x-acquia-host", "", 95)]),
    mark("Platform.sh", Hosting, &[header("x-platform-cluster", "", 97), header("x-platform-processor", "", 97)]),
];
