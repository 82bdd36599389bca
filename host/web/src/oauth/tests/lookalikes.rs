//! Addresses that resemble a registered one: https://app.example/callback and http://127.0.0.1:3000/callback.

/// About 300 addresses that resemble a registered one and are not it.
#[rustfmt::skip]
pub(super) fn lookalikes() -> Vec<String> {
    let mut corpus: Vec<String> = Vec::new();
    let schemes =
        [
        "http", "HTTPS", "ftp", "ws", "javascript", "data", "https:", "hxxps", "app", "file", "blob:https", " https",
    ];
    corpus.extend(schemes.iter().map(|scheme| format!("{scheme}://app.example/callback")));
    let hosts = [
        "APP.example", "app.example.", "app.example..", ".app.example", "app.example:443", "app.example:80",
        "app.example:8443", "app.example:", "app.example:0443", "app.example:99999", "app.example:x", "app%2eexample",
        "app.example%00", "app.example%09", "app.example%20", "app.example%2f", "app.example\u{3002}",
        "app\u{ff0e}example", "\u{430}pp.example", "app.ex\u{e4}mple", "xn--pp-7kc.example",
        "app.example.evil.example", "evil.example", "evilapp.example", "app.example-evil.example", "app-example",
        "sub.app.example", "app.example@evil.example", "app.example:pass@evil.example", "evil.example@app.example",
        "@app.example", ":@app.example", "user@app.example", "app.example%40evil.example",
        "evil.example#@app.example", "evil.example?@app.example", "evil.example/@app.example",
        "evil.example\\@app.example", "app.example\\@evil.example", "evil.example%5c@app.example",
        "app.example;evil.example", "app.example,evil.example", "app.example evil.example",
        "app.example&evil.example", "[app.example]", "[::1]", "127.0.0.1", "0", "0x7f.1", "2130706433", "localhost",
        "app.exampl", "app.examplee", "ap.example", "app..example", "*.example", "*", "", "app.example\t",
        "app.example\n",
    ];
    corpus.extend(hosts.iter().map(|host| format!("https://{host}/callback")));
    let tails = [
        "", "/", "/Callback", "/CALLBACK", "/callback/", "//callback", "/callback//", "/./callback", "/callback/.",
        "/x/../callback", "/callback/..", "/callback/../callback", "/callback/../../evil", "/callback%2f",
        "/callback%2F..", "/%63allback", "/callbac%6b", "/callback%00",
        "/callback%0d%0aLocation:%20https://evil.example", "/callback%20", "/callback ", "/callback\t", "/callback\n",
        "/callback\r\nx: y", "/callback;", "/callback;x=1", "/callback?", "/callback?x=1", "/callback?code=1",
        "/callback?error=x", "/callback?state=1", "/callback?&", "/callback?redirect=//e", "/callback#",
        "/callback#x", "/callback#code=1", "/callback#/../evil", "/callback?#", "/callback%23", "/callback%3f",
        "/callback\\", "\\callback", "/\\callback", "/callback\\..\\evil", "/callback\u{0}", "/callback\u{e9}",
        "/callback\u{202e}", "/callbackevil", "/callback.evil", "/callback/evil", "/callback,", "/callback&x=1",
        "/callback=", "/callback:443", "/callback@evil.example", "/callback%40evil.example", "/callback*", "/*",
        "?/callback", "#/callback", "/callback%252f..", "/callback%c0%af..", "/callback..;/", "/..;/callback",
        "/callback/;x", "/.well-known/callback",
    ];
    corpus.extend(tails.iter().map(|tail| format!("https://app.example{tail}")));
    corpus.extend(
        [
        "app.example/callback", "//app.example/callback", "/callback", "callback", "https:app.example/callback",
        "https:/app.example/callback", "https:///app.example/callback", "https:\\\\app.example\\callback",
        "https//app.example/callback", "https://", "https:", "https", ":", "://", "//", "/", "#", "?", "null",
        "undefined", "about:blank", "about:srcdoc", "javascript:alert(1)", "JaVaScRiPt:alert(1)",
        "java\nscript:alert(1)", "javascript://app.example/callback%0aalert(1)",
        "data:text/html,<script>alert(1)</script>", "data:text/html;base64,PHNjcmlwdD4=", "vbscript:x",
        "blob:https://app.example/x", "filesystem:https://app.example/x", "view-source:https://app.example/callback",
        "intent://app.example/callback#Intent;end", "cursor://app/callback", "com.example.app:/callback",
        "urn:ietf:wg:oauth:2.0:oob", "urn:ietf:wg:oauth:2.0:oob:auto", "mailto:a@app.example", "tel:1",
        "file:///etc/passwd", "ldap://app.example/", "gopher://app.example/", "chrome://settings", "postmessage",
        "https://app.example/callback https://evil.example/", "https://app.example/callback,https://evil.example/",
        "https://evil.example/?https://app.example/callback", "https://evil.example/#https://app.example/callback",
        "https://evil.example/https://app.example/callback", "https://evil.example/app.example/callback",
        "https%3A%2F%2Fapp.example%2Fcallback", "%68ttps://app.example/callback",
        "\u{feff}https://app.example/callback", "\u{200b}https://app.example/callback",
        "https://app.example/callback\u{200b}", "\thttps://app.example/callback", "\nhttps://app.example/callback",
        "https://app.example/callback\u{a0}", "\"https://app.example/callback\"", "<https://app.example/callback>",
        "[https://app.example/callback]", "['https://app.example/callback']",
    ]
        .map(str::to_owned),
    );
    // On this machine the port may differ, and nothing else.
    let near = [
        "https://127.0.0.1:3000/callback", "http://127.0.0.1:3000/", "http://127.0.0.1:3000/callback/",
        "http://127.0.0.1:3000/Callback", "http://127.0.0.1:3000/callback?x=1", "http://127.0.0.1:3000/callback#",
        "http://127.0.0.1:3000/callback/../x", "http://127.0.0.1:3000//callback", "http://127.0.0.1:3000\\callback",
        "http://localhost:3000/callback", "http://LOCALHOST:3000/callback", "http://[::1]:3000/callback",
        "http://[0:0:0:0:0:0:0:1]:3000/callback", "http://[::ffff:127.0.0.1]:3000/callback",
        "http://127.0.0.2:3000/callback", "http://127.1:3000/callback", "http://127.0.1:3000/callback",
        "http://0177.0.0.1:3000/callback", "http://0x7f.0.0.1:3000/callback", "http://2130706433:3000/callback",
        "http://017700000001:3000/callback", "http://0.0.0.0:3000/callback", "http://0:3000/callback",
        "http://127.0.0.1.:3000/callback", "http://127.0.0.1.evil.example:3000/callback",
        "http://127.0.0.1@evil.example:3000/callback", "http://127.0.0.1:3000@evil.example/callback",
        "http://user@127.0.0.1:3000/callback", "http://evil.example#@127.0.0.1:3000/callback",
        "http://evil.example\\@127.0.0.1:3000/callback", "http://evil.example:3000/callback",
        "http://127.0.0.1:99999/callback", "http://127.0.0.1:-1/callback", "http://127.0.0.1:3000x/callback",
        "http://127.0.0.1:3000:3001/callback", "http://127.0.0.1%3a3000/callback",
        "http://\u{ff11}27.0.0.1:3000/callback", "http://127\u{3002}0.0.1:3000/callback", "http://127.0.0.1:3000",
        "http://localhost.evil.example:3000/callback", "http://127.0.0.1 :3000/callback",
        "http:127.0.0.1:3000/callback", "http:/127.0.0.1:3000/callback", "http:///127.0.0.1:3000/callback",
        "HTTP://127.0.0.1:3000/callback", "ws://127.0.0.1:3000/callback", "http://10.0.0.1:3000/callback",
        "http://169.254.169.254/callback", "http://app.example/callback", "http://127.0.0.1:3000/callback%00",
        "http://127.0.0.1:3000/callback%0d%0a",
    ];
    corpus.extend(near.map(str::to_owned));
    corpus
}
