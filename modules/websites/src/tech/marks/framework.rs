//! The fingerprints of frameworks that make the pages, on the server or in the browser.

use super::super::mark::Category::Framework;
use super::super::mark::{Mark, attribute, class, cookie, generator, header, id, inline, link, mark, meta, on, script};

pub(super) const MARKS: &[Mark] = &[
    on(
        "Next.js",
        Framework,
        &["React", "Node.js"],
        &[
            id("__NEXT_DATA__", 97),
            id("__next", 80),
            script("/_next/static/", 95),
            header("x-powered-by", "next.js", 98),
            header("x-nextjs-cache", "", 97),
            inline("self.__next_f", 95),
        ],
    ),
    on(
        "Nuxt",
        Framework,
        &["Vue.js", "Node.js"],
        &[
            id("__nuxt", 90),
            id("__NUXT_DATA__", 97),
            script("/_nuxt/", 93),
            link("/_nuxt/", 90),
            inline("window.__NUXT__", 95),
        ],
    ),
    on("Gatsby", Framework, &["React"], &[generator("Gatsby"), id("___gatsby", 97), id("gatsby-focus-wrapper", 95)]),
    on("Remix", Framework, &["React"], &[inline("window.__remixContext", 98), inline("__reactRouterContext", 70)]),
    mark(
        "SvelteKit",
        Framework,
        &[
            inline("__sveltekit_", 97),
            attribute("data-sveltekit-preload-data", 96),
            link("/_app/immutable/", 92),
            script("/_app/immutable/", 92),
        ],
    ),
    mark(
        "Astro",
        Framework,
        &[generator("Astro"), script("/_astro/", 85), link("/_astro/", 85), attribute("data-astro-cid", 80)],
    ),
    mark("Qwik", Framework, &[attribute("q:container", 95), attribute("q:version", 95).version("")]),
    mark("Angular", Framework, &[attribute("ng-version", 98).version(""), id("ng-state", 85)]),
    mark(
        "AngularJS",
        Framework,
        &[
            attribute("ng-app", 90),
            attribute("ng-controller", 85),
            script("angular.min.js", 80),
            script("angularjs/", 85).version("angularjs"),
        ],
    ),
    mark(
        "React",
        Framework,
        &[
            attribute("data-reactroot", 96),
            attribute("data-reactid", 93),
            script("react-dom", 90).version("react-dom@"),
            script("react.production", 90),
        ],
    ),
    mark("Preact", Framework, &[script("preact.min.js", 90), script("/preact@", 92).version("preact@")]),
    mark(
        "Vue.js",
        Framework,
        &[
            attribute("data-v-app", 95),
            attribute("data-server-rendered", 80),
            script("vue.global", 92),
            script("/vue@", 92).version("vue@"),
            script("vue.min.js", 92),
            script("vue.runtime", 88),
        ],
    ),
    mark("Ember.js", Framework, &[class("ember-view", 90), class("ember-application", 90), script("ember.prod", 80)]),
    mark(
        "Alpine.js",
        Framework,
        &[attribute("x-data", 70), attribute("x-cloak", 40), script("alpinejs", 92).version("alpinejs@")],
    ),
    mark(
        "htmx",
        Framework,
        &[
            attribute("hx-get", 85),
            attribute("hx-post", 85),
            script("htmx.min.js", 93),
            script("htmx.org", 95).version("htmx.org@"),
        ],
    ),
    mark(
        "Hotwire Turbo",
        Framework,
        &[attribute("data-turbo-track", 93), meta("turbo-cache-control", "", 90), attribute("data-turbo-frame", 85)],
    ),
    mark("Stimulus", Framework, &[attribute("data-controller", 40), script("stimulus", 70)]),
    on(
        "Laravel",
        Framework,
        &["PHP"],
        &[cookie("laravel_session", 97), cookie("XSRF-TOKEN", 20), header("x-powered-by", "laravel", 95)],
    ),
    on(
        "Livewire",
        Framework,
        &["Laravel"],
        &[script("/livewire/livewire", 95), attribute("wire:id", 93), attribute("wire:snapshot", 95)],
    ),
    on("Symfony", Framework, &["PHP"], &[header("x-debug-token", "", 85), id("sfwdt*", 80)]),
    on("CodeIgniter", Framework, &["PHP"], &[cookie("ci_session", 93), cookie("ci_csrf_token", 85)]),
    on("CakePHP", Framework, &["PHP"], &[cookie("CAKEPHP", 96), cookie("cakephp", 90)]),
    on(
        "Yii",
        Framework,
        &["PHP"],
        &[inline("yii.initModule", 85), script("/yii.js", 85), meta("csrf-param", "_csrf", 35)],
    ),
    on("Django", Framework, &["Python"], &[cookie("csrftoken", 75), cookie("django_language", 95)]),
    on(
        "Ruby on Rails",
        Framework,
        &["Ruby"],
        &[meta("csrf-param", "authenticity_token", 93), header("x-runtime", "", 40), cookie("_session_id", 40)],
    ),
    on(
        "ASP.NET",
        Framework,
        &[],
        &[
            header("x-aspnet-version", "", 97).version(""),
            header("x-powered-by", "asp.net", 95),
            header("x-aspnetmvc-version", "", 97),
            cookie("ASP.NET_SessionId", 97),
            id("__VIEWSTATE", 96),
            cookie(".AspNetCore.*", 95),
        ],
    ),
    on("Blazor", Framework, &["ASP.NET"], &[script("_framework/blazor", 97), id("blazor-error-ui", 93)]),
    on("Spring", Framework, &["Java"], &[header("x-application-context", "", 85)]),
    on("Express", Framework, &["Node.js"], &[header("x-powered-by", "express", 95)]),
    on(
        "Phoenix",
        Framework,
        &[],
        &[attribute("data-phx-session", 95), attribute("data-phx-main", 95), attribute("phx-click", 85)],
    ),
    on("Meteor", Framework, &["Node.js"], &[inline("__meteor_runtime_config__", 97)]),
    on("Streamlit", Framework, &["Python"], &[class("stApp", 85)]),
    mark(
        "Flutter",
        Framework,
        &[script("flutter.js", 85), script("flutter_bootstrap.js", 95), script("main.dart.js", 85)],
    ),
];
