//! The fingerprints of what talks with visitors: chat, captcha, comments, search, maps, films, forms.

use super::super::mark::Category::Widget;
use super::super::mark::{Mark, attribute, class, embed, id, inline, link, mark, script};

pub(super) const MARKS: &[Mark] = &[
    mark(
        "Intercom",
        Widget,
        &[script("widget.intercom.io", 97), inline("widget.intercom.io", 93), inline("window.intercomSettings", 93)],
    ),
    mark("Zendesk", Widget, &[script("static.zdassets.com", 96), id("ze-snippet", 97)]),
    mark("Tawk.to", Widget, &[script("embed.tawk.to", 97), inline("embed.tawk.to", 96)]),
    mark("Crisp", Widget, &[script("client.crisp.chat", 97), inline("client.crisp.chat", 96)]),
    mark("LiveChat", Widget, &[script("cdn.livechatinc.com", 96), inline("cdn.livechatinc.com", 95)]),
    mark("Drift", Widget, &[script("js.driftt.com", 96), inline("js.driftt.com", 95)]),
    mark(
        "HubSpot",
        Widget,
        &[script("js.hs-scripts.com", 96), id("hs-script-loader", 97), script("js.hsforms.net", 93)],
    ),
    mark(
        "Mailchimp",
        Widget,
        &[id("mc_embed_signup", 95), script("chimpstatic.com", 95), script("list-manage.com", 85)],
    ),
    mark("Klaviyo", Widget, &[script("static.klaviyo.com", 97)]),
    mark(
        "reCAPTCHA",
        Widget,
        &[script("google.com/recaptcha", 97), script("recaptcha.net/recaptcha", 97), class("g-recaptcha", 93)],
    ),
    mark("hCaptcha", Widget, &[script("hcaptcha.com/1/api.js", 97), class("h-captcha", 93)]),
    mark(
        "Cloudflare Turnstile",
        Widget,
        &[script("challenges.cloudflare.com/turnstile", 97), class("cf-turnstile", 93)],
    ),
    mark(
        "Disqus",
        Widget,
        &[id("disqus_thread", 93), inline(".disqus.com/embed.js", 96), script("disqus.com/count.js", 95)],
    ),
    mark(
        "Algolia DocSearch",
        Widget,
        &[class("DocSearch", 85), script("docsearch", 85), link("docsearch", 85), id("docsearch", 80)],
    ),
    mark("Google Maps", Widget, &[script("maps.googleapis.com/maps/api/js", 97), embed("google.com/maps/embed", 97)]),
    mark("Leaflet", Widget, &[script("leaflet.js", 90), link("leaflet.css", 90), class("leaflet-container", 90)]),
    mark("YouTube", Widget, &[embed("youtube.com/embed", 97), embed("youtube-nocookie.com/embed", 97)]),
    mark("Vimeo", Widget, &[embed("player.vimeo.com/video", 97)]),
    mark("Trustpilot", Widget, &[script("widget.trustpilot.com", 97), class("trustpilot-widget", 95)]),
    mark("Trusted Shops", Widget, &[script("widgets.trustedshops.com", 97), inline("widgets.trustedshops.com", 93)]),
    mark("Typeform", Widget, &[script("embed.typeform.com", 97), attribute("data-tf-widget", 93)]),
    mark("Calendly", Widget, &[script("assets.calendly.com", 97), class("calendly-inline-widget", 95)]),
    mark("Sentry", Widget, &[script("browser.sentry-cdn.com", 97), inline("Sentry.init", 88)]),
    mark("New Relic", Widget, &[inline("NREUM", 90), script("js-agent.newrelic.com", 97)]),
    mark("Optimizely", Widget, &[script("cdn.optimizely.com", 97)]),
    mark("VWO", Widget, &[inline("dev.visualwebsiteoptimizer.com", 95), script("dev.visualwebsiteoptimizer.com", 96)]),
];
