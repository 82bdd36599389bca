//! The fingerprints of what answers the requests, and of the languages behind it.

use super::super::mark::Category::{Cdn, Language, Server};
use super::super::mark::{Mark, cookie, header, mark, on};

pub(super) const MARKS: &[Mark] = &[
    mark("nginx", Server, &[header("server", "nginx", 97).version("nginx")]),
    on("OpenResty", Server, &["nginx"], &[header("server", "openresty", 97).version("openresty")]),
    mark("Apache HTTP Server", Server, &[header("server", "apache", 96).version("apache")]),
    mark("Microsoft IIS", Server, &[header("server", "microsoft-iis", 98).version("iis")]),
    mark("LiteSpeed", Server, &[header("server", "litespeed", 98), header("x-litespeed-cache", "", 96)]),
    mark("Caddy", Server, &[header("server", "caddy", 98), header("via", "caddy", 90)]),
    mark("Envoy", Server, &[header("server", "envoy", 96), header("x-envoy-upstream-service-time", "", 95)]),
    mark("Varnish", Cdn, &[header("via", "varnish", 90), header("x-varnish", "", 96)]),
    mark("gunicorn", Server, &[header("server", "gunicorn", 98).version("gunicorn")]),
    mark("Werkzeug", Server, &[header("server", "werkzeug", 98).version("werkzeug")]),
    on(
        "Phusion Passenger",
        Server,
        &[],
        &[
            header("x-powered-by", "phusion passenger", 97).version("passenger"),
            header("server", "phusion passenger", 96),
        ],
    ),
    on(
        "Apache Tomcat",
        Server,
        &["Java"],
        &[header("server", "apache-coyote", 97), header("x-powered-by", "tomcat", 96)],
    ),
    on("Jetty", Server, &["Java"], &[header("server", "jetty", 97).version("jetty(")]),
    on("Kestrel", Server, &["ASP.NET"], &[header("server", "kestrel", 97)]),
    mark(
        "PHP",
        Language,
        &[
            header("x-powered-by", "php", 98).version("php"),
            cookie("PHPSESSID", 96),
            header("server", "php/", 95).version("php"),
        ],
    ),
    mark(
        "Java",
        Language,
        &[cookie("JSESSIONID", 93), header("x-powered-by", "servlet", 95), header("x-powered-by", "jsp", 93)],
    ),
    mark("Python", Language, &[header("server", "python/", 93).version("python")]),
    mark("Ruby", Language, &[header("x-powered-by", "ruby", 85), header("server", "webrick", 93)]),
    mark("Node.js", Language, &[header("x-powered-by", "node", 80), cookie("connect.sid", 85)]),
    mark("Perl", Language, &[header("server", "perl/", 93).version("perl")]),
];
