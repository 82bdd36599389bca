//! Lines of every format, as servers write them.

mod reference;

use sdk::json;

use super::{Clock, Format, Line, Read, Reader, Reason};
use crate::trial;

/// 2026-09-01T10:20:30Z.
const AT: i64 = 1_788_258_030;

fn reader(format: Format, pattern: Option<&str>, zone: Option<&str>) -> Reader {
    Reader::new(format, pattern, None, Clock::new(zone, AT + 1_000_000)).expect("a reader")
}

fn line<'a>(reader: &mut Reader, text: &'a str) -> Line<'a> {
    match reader.read(text.as_bytes()) {
        Read::Line(line) => line,
        other => panic!("{text}: {other:?}"),
    }
}

fn rejected(reader: &mut Reader, text: &str) -> Reason {
    match reader.read(text.as_bytes()) {
        Read::Rejected(reason) => reason,
        other => panic!("{text}: {other:?}"),
    }
}

/// Address, time after [`AT`], method, target, status.
fn short(line: &Line<'_>) -> (String, i64, String, String, u16) {
    let text = |it: &[u8]| String::from_utf8_lossy(it).into_owned();
    (text(&line.address), line.second - AT, text(&line.method), text(&line.target), line.status)
}

fn expected(address: &str, target: &str, status: u16) -> (String, i64, String, String, u16) {
    (address.to_owned(), 0, "GET".to_owned(), target.to_owned(), status)
}

#[test]
fn the_usual_formats_of_servers_are_read() {
    let mut combined = reader(Format::Combined, None, None);
    let text = r#"192.0.2.7 - ada [01/Sep/2026:12:20:30 +0200] "GET /a?b=1 HTTP/1.1" 200 5120 "https://x.example/" "Mozilla/5.0 \"x\"""#;
    let it = line(&mut combined, text);
    assert_eq!(short(&it), expected("192.0.2.7", "/a?b=1", 200));
    assert_eq!((it.bytes, it.milliseconds), (Some(5_120), None));
    assert_eq!(it.agent.as_ref(), br#"Mozilla/5.0 "x""#);
    assert_eq!(it.referrer.as_ref(), b"https://x.example/");
    let common = r#"2001:db8::1%eth0 - - [01/Sep/2026:10:20:30 +0000] "GET / HTTP/2.0" 304 -"#;
    assert_eq!(short(&line(&mut reader(Format::Common, None, None), common)), expected("2001:db8::1%eth0", "/", 304));
    let vhost = r#"shop.example:443 192.0.2.7 - - [01/Sep/2026:10:20:30 +0000] "GET /x HTTP/1.1" 404 12 "-" "curl/8""#;
    let it = line(&mut reader(Format::VhostCombined, None, None), vhost);
    assert_eq!((it.host.as_ref(), it.referrer.as_ref()), (b"shop.example:443".as_slice(), b"".as_slice()));
    assert_eq!(short(&it), expected("192.0.2.7", "/x", 404));
}

#[test]
fn requests_that_are_none_are_kept_as_such() {
    let mut combined = reader(Format::Combined, None, None);
    for request in ["-", "", r"\x16\x03\x01", "GET"] {
        let text = format!(r#"192.0.2.7 - - [01/Sep/2026:10:20:30 +0000] "{request}" 400 0 "-" "-""#);
        let it = line(&mut combined, &text);
        assert_eq!(
            (it.target.as_ref(), it.method.as_ref(), it.status),
            (b"".as_slice(), b"".as_slice(), 400),
            "{request}"
        );
    }
    let old = r#"192.0.2.7 - - [01/Sep/2026:10:20:30 +0000] "get /old" 200 0 "-" "-""#;
    let it = line(&mut combined, old);
    assert_eq!((it.method.as_ref(), it.target.as_ref()), (b"get".as_slice(), b"/old".as_slice()));
    let blank = r#"192.0.2.7 - - [01/Sep/2026:10:20:30 +0000] "GET /a b HTTP/1.1" 200 0 "-" "-""#;
    assert_eq!(line(&mut combined, blank).target.as_ref(), b"/a b");
}

#[test]
fn lines_that_are_none_are_told_why() {
    let mut combined = reader(Format::Combined, None, None);
    let with = |time: &str, status: &str| format!(r#"192.0.2.7 - - [{time}] "GET / HTTP/1.1" {status} 1 "-" "-""#);
    assert_eq!(rejected(&mut combined, "nothing of it"), Reason::OtherForm);
    assert_eq!(rejected(&mut combined, &with("31/Feb/2026:10:20:30 +0000", "200")), Reason::NoTime);
    assert_eq!(rejected(&mut combined, &with("01/Sep/1980:10:20:30 +0000", "200")), Reason::NoTime);
    assert_eq!(rejected(&mut combined, &with("01/Sep/2036:10:20:30 +0000", "200")), Reason::NoTime);
    assert_eq!(rejected(&mut combined, &with("01/Sep/2026:10:20:30 +0000", "999")), Reason::NoStatus);
    assert_eq!(rejected(&mut combined, &with("01/Sep/2026:10:20:30 +0000", "x")), Reason::OtherForm);
    assert_eq!(rejected(&mut combined, &"x".repeat(70_000)), Reason::TooLong);
    assert_eq!(combined.read(b"  \r"), Read::Header);
    for end in 0..200 {
        // No cut of a line can make a reader panic.
        let text = with("01/Sep/2026:10:20:30 +0000", "200").repeat(2);
        let _ = combined.read(&text.as_bytes()[..end.min(text.len())]);
    }
}

#[test]
fn the_text_of_a_configuration_is_a_format() {
    let directive = "log_format main escape=json '$remote_addr [$time_iso8601] $msec '\n  '\"$request_method ${scheme}://$host$request_uri\" $status $request_time $bytes_sent \"$http_user_agent\"';";
    let mut nginx = reader(Format::Nginx, Some(directive), None);
    let text = r#"192.0.2.7 [2026-09-01T10:20:30+00:00] 1788258030.417 "GET https://shop.example/a" 200 0.250 99 "a \u0022b\u0022""#;
    let it = line(&mut nginx, text);
    assert_eq!(short(&it), expected("192.0.2.7", "/a", 200));
    assert_eq!((it.milliseconds, it.bytes, it.host.as_ref()), (Some(250), Some(99), b"shop.example".as_slice()));
    assert_eq!(it.agent.as_ref(), b"a \"b\"");
    let apache = r#"LogFormat "%v:%p %a %{%Y-%m-%dT%H:%M:%S%z}t %m %U%q %>s %B %D \"%{User-agent}i\" \"%{X-Forwarded-For}i\"" own"#;
    let text =
        r#"shop.example:80 10.0.0.1 2026-09-01T12:20:30+0200 GET /a?b=1 200 77 1234567 "curl/8" "192.0.2.7, 10.0.0.2""#;
    let it = line(&mut reader(Format::Apache, Some(apache), None), text);
    assert_eq!(short(&it), expected("10.0.0.1", "/a?b=1", 200));
    assert_eq!((it.milliseconds, it.forwarded.as_ref()), (Some(1_235), b"192.0.2.7, 10.0.0.2".as_slice()));
    let own = r"^(?P<ip>\S+) (?P<time>\S+) (?P<status>\d+) (?P<path>\S+)$";
    let it = line(&mut reader(Format::Regex, Some(own), None), "192.0.2.7 1788258030 200 /a");
    assert_eq!((it.target.as_ref(), it.second), (b"/a".as_slice(), AT));
    for (format, pattern) in [
        (Format::Regex, "(?P<ip>"),
        (Format::Regex, "(?P<status>a)"),
        (Format::Nginx, "$status ${x"),
        (Format::Nginx, "no variables"),
        (Format::Apache, "%h %!"),
        (Format::Apache, "%h %t"),
    ] {
        assert!(Reader::new(format, Some(pattern), None, Clock::new(None, AT)).is_err(), "{pattern}");
    }
}

#[test]
fn logs_with_headers_follow_them_also_where_they_change() {
    let mut iis = reader(Format::Iis, None, None);
    assert_eq!(
        iis.read(b"#Fields: date time c-ip cs-method cs-uri-stem cs-uri-query sc-status time-taken cs(User-Agent)"),
        Read::Header
    );
    let it = line(&mut iis, "2026-09-01 10:20:30 192.0.2.7 GET /a b=1 200 46 Mozilla/5.0+(Windows+NT)");
    assert_eq!(short(&it), expected("192.0.2.7", "/a?b=1", 200));
    assert_eq!((it.milliseconds, it.agent.as_ref()), (Some(46), b"Mozilla/5.0 (Windows NT)".as_slice()));
    assert_eq!(iis.read(b"#Fields: date time cs-uri-stem sc-status"), Read::Header);
    assert_eq!(line(&mut iis, "2026-09-01 10:20:30 /b 404").target.as_ref(), b"/b");
    assert_eq!(iis.header().as_deref(), Some("date time cs-uri-stem sc-status"));
    let mut cloudfront = reader(Format::Cloudfront, None, None);
    let text = "2026-09-01\t10:20:30\tFRA2\t2390\t192.0.2.7\tGET\td1.cloudfront.net\t/a\t200\t-\tMozilla/5.0%2520(compatible;%2520Googlebot/2.1)\tb=1\t-\tHit\tid==\tshop.example\thttps\t23\t0.001\t-\tTLSv1.3\tc\tHit\tHTTP/2.0\t-\t-\t11040\t0.001\tHit\ttext/html\t78\t-\t-";
    let it = line(&mut cloudfront, text);
    assert_eq!(short(&it), expected("192.0.2.7", "/a?b=1", 200));
    assert_eq!(it.agent.as_ref(), b"Mozilla/5.0 (compatible; Googlebot/2.1)");
    assert_eq!((it.host.as_ref(), it.milliseconds), (b"shop.example".as_slice(), Some(1)));
    let alb = r#"https 2026-09-01T10:20:30.000000Z app/lb/1 192.0.2.7:2817 10.0.0.1:80 0.001 0.086 0.000 200 200 34 366 "GET https://shop.example:443/a?b=1 HTTP/1.1" "curl/8" ECDHE TLSv1.2 arn "Root=1" "shop.example" "arn" 0 2026-09-01T10:20:29Z "forward" "-" "-""#;
    let it = line(&mut reader(Format::Alb, None, None), alb);
    assert_eq!(short(&it), expected("192.0.2.7", "/a?b=1", 200));
    assert_eq!((it.host.as_ref(), it.milliseconds, it.bytes), (b"shop.example".as_slice(), Some(86), Some(366)));
}

#[test]
fn json_is_read_by_the_names_of_its_members() {
    let lines = [
        json!({ "ClientIP": "192.0.2.7", "ClientRequestHost": "shop.example", "ClientRequestMethod": "GET", "ClientRequestURI": "/a?b=1", "EdgeResponseStatus": 200, "EdgeResponseBytes": 9, "EdgeStartTimestamp": 1_788_258_030_000_000_000_u64, "ClientRequestUserAgent": "x" }),
        json!({ "ts": 1_788_258_030.5, "request": { "remote_ip": "192.0.2.7", "method": "GET", "host": "shop.example", "uri": "/a?b=1", "headers": { "User-Agent": ["x"] } }, "duration": 0.25, "size": 9, "status": 200 }),
        json!({ "httpRequest": { "requestMethod": "GET", "requestUrl": "https://shop.example/a?b=1", "status": 200, "responseSize": "9", "userAgent": "x", "remoteIp": "192.0.2.7", "latency": "0.25s" }, "timestamp": "2026-09-01T10:20:30.5Z" }),
        json!({ "ClientHost": "192.0.2.7", "StartUTC": "2026-09-01T10:20:30Z", "RequestMethod": "GET", "RequestPath": "/a?b=1", "RequestHost": "shop.example", "DownstreamStatus": 200, "DownstreamContentSize": 9, "Duration": 250_000_000, "request_User-Agent": "x" }),
        json!({ "time": "2026-09-01T10:20:30Z", "properties": { "httpMethod": "GET", "requestUri": "https://shop.example/a?b=1", "clientIp": "192.0.2.7", (concat!("httpStatus", "Code")): "200", "userAgent": "x", "timeTaken": "0.25", "responseBytes": "9" } }),
        json!({ "timestamp": 1_788_258_030_000_u64, "proxy": { "method": "GET", "host": "shop.example", "path": "/a?b=1", "clientIp": "192.0.2.7", "statusCode": 200, "userAgent": ["x"] }, "bytes": 9 }),
    ];
    for it in lines {
        let text = it.to_string();
        let it = line(&mut reader(Format::Json, None, None), &text);
        assert_eq!(short(&it), expected("192.0.2.7", "/a?b=1", 200), "{text}");
        assert_eq!((it.host.as_ref(), it.agent.as_ref()), (b"shop.example".as_slice(), b"x".as_slice()), "{text}");
        assert!(it.milliseconds.is_none_or(|it| it == 250), "{text}");
        assert_eq!(it.bytes, Some(9), "{text}");
    }
    let mut json = reader(Format::Json, None, None);
    for text in ["{}", "[]", "{", "null", r#"{"status":{}}"#, &format!("{}1{}", "{\"a\":".repeat(500), "}".repeat(500))]
    {
        assert_eq!(rejected(&mut json, text), Reason::OtherForm, "{text}");
    }
}

#[test]
fn local_times_are_those_of_the_zone_and_the_earlier_one_where_two_are() {
    let mut clock = Clock::new(Some("Europe/Berlin"), AT + 100_000_000);
    assert_eq!(clock.read(b"2026-09-01 12:20:30"), Some(AT));
    // Clocks went back at 01:00 UTC: half past two was there twice.
    let at = clock.read(b"2026-10-25 02:30:00").expect("a time");
    assert_eq!(clock.read(b"2026-10-25T00:30:00Z"), Some(at));
    // They went forward at 01:00 UTC: there was no half past two.
    let at = clock.read(b"2026-03-29 02:30:00").expect("a time");
    assert_eq!(clock.read(b"2026-03-29T00:30:00Z"), Some(at));
    assert_eq!(clock.read(b"2026-09-01T12:20:30+02:00"), Some(AT));
    assert_eq!(clock.read(b"2026-09-01T10:20:30,123 UTC"), Some(AT));
    for text in ["", "yesterday", "2026-13-01 10:00:00", "2026-09-01", "99999999999999999999", "-5"] {
        assert_eq!(clock.read(text.as_bytes()), None, "{text}");
    }
}

#[test]
fn samples_are_told_their_format_with_its_confidence() {
    let fake = trial::website();
    let combined = r#"192.0.2.7 - - [01/Sep/2026:10:20:30 +0000] "GET /a HTTP/1.1" 200 5 "-" "Mozilla/5.0 (compatible; bingbot/2.0)""#;
    let cases: [(&str, &[&str]); 9] = [
        ("combined", &[combined]),
        ("common", &[r#"192.0.2.7 - - [01/Sep/2026:10:20:30 +0000] "GET /a HTTP/1.1" 200 5"#]),
        ("vhost", &[r#"shop.example 192.0.2.7 - - [01/Sep/2026:10:20:30 +0000] "GET /a HTTP/1.1" 200 5"#]),
        (
            "vhost_combined",
            &[r#"shop.example 192.0.2.7 - - [01/Sep/2026:10:20:30 +0000] "GET /a HTTP/1.1" 200 5 "-" "x""#],
        ),
        (
            "iis",
            &[
                "#Software: Microsoft Internet Information Services 10.0",
                "#Fields: date time c-ip cs-method cs-uri-stem sc-status",
                "2026-09-01 10:20:30 192.0.2.7 GET /a 200",
            ],
        ),
        (
            "cloudflare",
            &[
                r#"{"ClientIP":"192.0.2.7","ClientRequestURI":"/a","EdgeResponseStatus":200,"EdgeStartTimestamp":"2026-09-01T10:20:30Z"}"#,
            ],
        ),
        ("json", &[r#"{"ip":"192.0.2.7","url":"/a","status":200,"time":"2026-09-01T10:20:30Z"}"#]),
        (
            "alb",
            &[
                r#"http 2026-09-01T10:20:30.000000Z app/lb/1 192.0.2.7:2817 - -1 -1 -1 502 - 34 366 "GET http://shop.example:80/ HTTP/1.1" "curl/8" - - arn "Root=1""#,
            ],
        ),
        (
            "nginx",
            &[r#"192.0.2.7 - - [01/Sep/2026:10:20:30 +0000] "GET /a HTTP/1.1" 200 5 "-" "x" 0.004 "198.51.100.1""#],
        ),
    ];
    for (format, lines) in cases {
        let told = trial::call(&fake, "logs.format.detect", &json!({ "lines": lines }));
        assert_eq!((&told["format"], &told["confidence"]), (&json!(format), &json!(1.0)), "{told}");
        assert_eq!(told["parsed_lines"], 1, "{told}");
        assert!(!told["fields"].as_array().expect("fields").is_empty(), "{told}");
        assert_eq!(told["parsed_sample"][0]["network"], "192.0.2.0/24", "{told}");
        assert!(!told.to_string().contains("192.0.2.7"), "no address is shown whole: {told}");
    }
    let nginx = trial::call(&fake, "logs.format.detect", &json!({ "lines": cases[8].1 }));
    let pattern = "$remote_addr - $remote_user [$time_local] \"$request\" $status $body_bytes_sent \"$http_referer\" \"$http_user_agent\" $request_time \"$http_x_forwarded_for\"";
    assert_eq!(nginx["pattern"], pattern);
    assert_eq!(
        trial::call(&fake, "logs.format.detect", &json!({ "lines": [combined] }))["parsed_sample"][0]["bot"],
        "bingbot"
    );
    let odd = trial::call(&fake, "logs.format.detect", &json!({ "lines": [combined, "something else"] }));
    assert_eq!((&odd["confidence"], &odd["unparsed"][0]["index"]), (&json!(0.5), &json!(1)));
    let none = trial::call(&fake, "logs.format.detect", &json!({ "lines": ["hello", "world"] }));
    assert_eq!((&none["format"], &none["confidence"]), (&json!(null), &json!(0.0)));
}

#[test]
fn no_bytes_make_a_reader_panic() {
    let nginx = "$remote_addr - $remote_user [$time_local] \"$request\" $status $body_bytes_sent \"$http_referer\" \"$http_user_agent\" $request_time";
    let apache = r#"%v:%p %a %{%Y-%m-%dT%H:%M:%S%z}t %m %U%q %>s %B %D "%{User-agent}i""#;
    let own = r"^(?P<ip>\S+) (?P<time>\S+) (?P<status>\d+) (?P<path>.*)$";
    let samples = [
        r#"192.0.2.7 - - [01/Sep/2026:10:20:30 +0000] "GET /a?b=1 HTTP/1.1" 200 5 "-" "x \"y\" \x41" 0.004"#,
        "2026-09-01 10:20:30 192.0.2.7 GET /a b=1 200 46 Mozilla/5.0+(Windows+NT)",
        "#Fields: date time c-ip cs-method cs-uri-stem sc-status cs(User-Agent) time-taken",
        r#"{"time":"2026-09-01T10:20:30Z","request":{"uri":"/a","headers":{"User-Agent":["x"]}},"status":200,"duration":1e9}"#,
        r#"https 2026-09-01T10:20:30Z app/lb/1 [2001:db8::1]:2817 - -1 -1 -1 502 - 34 366 "GET http://shop.example:80/ HTTP/1.1" "c" - -"#,
    ];
    let mut chance = kit::chance::Chance::of("lines");
    for format in Format::ALL {
        let pattern = match format {
            Format::Nginx => Some(nginx),
            Format::Apache => Some(apache),
            Format::Regex => Some(own),
            _ => None,
        };
        let mut reader = reader(format, pattern, Some("Europe/Berlin"));
        for round in 0..4_000 {
            let mut line = samples[chance.below(samples.len())].as_bytes().to_vec();
            for _ in 0..round % 5 {
                let at = chance.below(line.len());
                match chance.below(4) {
                    0 => line[at] = u8::try_from(chance.below(256)).expect("a byte"),
                    1 => line.truncate(at),
                    2 => line.insert(at, br#""\[]{} -:/+%#"#[chance.below(13)]),
                    _ => drop(line.remove(at)),
                }
                if line.is_empty() {
                    line.push(b'x');
                }
            }
            if let Read::Line(it) = reader.read(&line) {
                assert!((100..=599).contains(&it.status) && it.second > 0);
            }
        }
    }
}
