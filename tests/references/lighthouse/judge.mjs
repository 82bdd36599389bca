// Runs Lighthouse's SEO category in Chromium over static pages and writes what it says beside what was served.
//
// Pages: real ones (the documents of modules/lib/kit/fixtures/pages.json.gz) and ones put together from a seed, so that each
// fault stands beside others. Each page has a host of its own, and so a robots.txt of its own.
import fs from 'node:fs';
import http from 'node:http';
import zlib from 'node:zlib';
import * as launcher from 'chrome-launcher';
import lighthouse from 'lighthouse';

const ROOT = new URL('../../../', import.meta.url);
const OUT = new URL('modules/audit/src/lighthouse/judged.json', ROOT);
const PORT = 8391;
const [REAL, MADE] = [Number(process.argv[2] ?? 60), Number(process.argv[3] ?? 140)];

let state = 20261122;
const chance = () => {
  // Numerical Recipes' linear congruential generator: the same pages every time.
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
};
const one = list => list[Math.floor(chance() * list.length)];

const HTML = ['<html lang=en>', '<html lang=de>', '<html>', '<html lang=pt-BR>', '<html lang=en>'];
const TITLES = ['<title>Lamps of brass</title>', '<title>Lamps</title>', '<title> </title>', '', '<title>Lamps</title>'];
const HEAD = host => [
  '<meta name=description content="Lamps of brass that can be mended.">',
  '<meta name=Description content=" ">',
  '<meta name=description content="Lamps">',
  '<meta name=robots content="noindex, follow">',
  '<meta name=robots content="index, nofollow">',
  '<meta name=ROBOTS content="NONE">',
  '<meta name=googlebot content="noindex">',
  '<meta name=robots content=noindex><meta name=bingbot content=index>',
  `<link rel=canonical href="http://${host}/lamps">`,
  '<link rel=canonical href="/lamps">',
  `<link rel=canonical href="http://${host}/">`,
  '<link rel=canonical href="https://">',
  '<link rel=canonical href="">',
  '<link rel=canonical href="https://other.example/lamps">',
  `<link rel="Canonical" href="http://${host}/lamps#top">`,
  `<link rel=alternate hreflang=de href="http://${host}/de">`,
  `<link rel=alternate hreflang=en href="http://${host}/lamps">`,
  '<link rel=alternate hreflang=fr href="/fr">',
  `<link rel=alternate hreflang=xx href="http://${host}/xx">`,
  `<link rel=alternate hreflang=x-default href="http://${host}/lamps">`,
  `<link rel=alternate hreflang=en_US href="http://${host}/us">`,
  `<link rel=alternate hreflang=zh-Hant href="http://${host}/zh">`,
  '<base href="/shop/">',
  '',
  '',
];
const BODY = [
  '<img src=a.png alt="A lamp">', '<img src=a.png>', '<img src=a.png alt="">', '<img src=a.png alt=" ">',
  '<img src=a.png role=presentation>', '<img src=a.png aria-label="A lamp">', '<img src=a.png title="A lamp">',
  '<div style="display:none"><img src=a.png></div>', '<div aria-hidden=true><img src=a.png></div>',
  '<p id=name>Name</p><img src=a.png aria-labelledby=name>', '<img src=a.png aria-labelledby=nobody>',
  '<a href=/desk>Lamps for the desk</a>', '<a href=/desk>click here</a>', '<a href=/desk> Read More </a>',
  '<a href=/desk lang=de>hier</a>', '<a href=/desk>hier</a>', '<a href=/desk lang=fr>here</a>',
  '<a href=/desk rel=nofollow>here</a>', '<a href="#top">here</a>', '<a href="mailto:a@shop.example">here</a>',
  '<a href=/desk><span lang=de>mehr</span></a>', '<a href=/desk><b lang=de>mehr</b> <b lang=en>more</b></a>',
  '<a href="javascript:void(0)">Open</a>', '<a href="javascript:open()">Open</a>', '<a href="">Same page</a>',
  '<a onclick="go()">Open</a>', '<a>Nowhere</a>', '<a id=place></a>', '<a name=place></a>', '<a target=_blank>New</a>',
  '<a role=button onclick="go()">Open</a>', '<a href="http://">Broken</a>', '<a href="file:///a">File</a>',
  '<a href="tel:123">Call us</a>', '<a href="  /space  ">Space</a>', '<a href=/a><img src=a.png alt="more"></a>',
  '<svg><a href="/svg"><text>here</text></a></svg>', '<a rel=author>Somebody</a>',
  '<meta name=robots content=noindex>', '<link rel=canonical href="/in-body">', '<p>Lamps of brass.</p>',
];
const HEADERS = host => [
  {}, {}, {}, {},
  {'x-robots-tag': 'noindex'},
  {'x-robots-tag': 'googlebot: noindex'},
  {'x-robots-tag': 'nofollow, none'},
  {'x-robots-tag': 'unavailable_after: 25 Jun 2010 15:00:00 PST'},
  {link: `<http://${host}/lamps>; rel="canonical"`},
  {link: `</elsewhere>; rel=canonical`},
  {link: `<http://${host}/de>; rel="alternate"; hreflang="de"`},
  {link: `</fr>; rel="alternate"; hreflang="fr"`},
];
const ROBOTS = [
  [404, ''], [404, ''], [404, ''], [200, ''], [200, 'User-agent: *\nDisallow: /cart\n'], [200, 'User-agent: *\nDisallow: /\n'],
  [200, 'User-agent: *\nDisallow: /lamps$\n\nUser-agent: bingbot\nAllow: /\n'], [200, 'Disallow: /cart\n'],
  [200, '<!doctype html><title>Lamps</title>'], [200, 'User-agent: *\nDisallow: cart\nSitemap: /sitemap.xml\n'],
  [200, 'user-agent: *\r\nallow: /*.pdf$\r\nCrawl-delay: 2 # slow\r\nSitemap: https://shop.example/a.xml\r\n'],
  [200, 'User-agent:\nDisallow: /*$a\n'], [200, 'User-agent: *\nNoindex: /a\nFoo: bar\n'], [500, 'Sorry'], [403, 'No'],
];

const cases = [];
const real = JSON.parse(zlib.gunzipSync(fs.readFileSync(new URL('modules/lib/kit/fixtures/pages.json.gz', ROOT))));
for (const [at, page] of real.slice(0, REAL).entries()) {
  const host = `real${at}.localhost:${PORT}`;
  cases.push({url: `http://${host}/${page.page}`, document: at, headers: {}, robots: ROBOTS[0], html: page.html});
}
for (let at = 0; at < MADE; at++) {
  const host = `made${at}.localhost:${PORT}`;
  const few = (list, most) => Array.from({length: Math.floor(chance() * (most + 1))}, () => one(list)).join('\n');
  const head = few(HEAD(host), 4);
  const html = `<!doctype html>${one(HTML)}<head>${one(TITLES)}\n${head}\n</head><body>\n${few(BODY, 4)}\n</body></html>`;
  cases.push({url: `http://${host}/lamps`, headers: one(HEADERS(host)), robots: one(ROBOTS), html});
}

const byHost = new Map(cases.map(it => [new URL(it.url).host, it]));
const server = http.createServer((request, response) => {
  const it = byHost.get(request.headers.host);
  if (it && request.url === '/robots.txt') {
    response.writeHead(it.robots[0], {'content-type': 'text/plain'}).end(it.robots[1]);
  } else if (it && request.url === new URL(it.url).pathname) {
    response.writeHead(200, {'content-type': 'text/html; charset=utf-8', ...it.headers}).end(it.html);
  } else {
    response.writeHead(404, {'content-type': 'text/plain'}).end('');
  }
}).listen(PORT);

const chrome = await launcher.launch({
  chromePath: process.env.CHROME_PATH ?? '/usr/bin/chromium',
  chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
});
const judged = [];
for (const it of cases) {
  const flags = {
    port: chrome.port, onlyCategories: ['seo'], throttlingMethod: 'provided', disableFullPageScreenshot: true,
    screenEmulation: {disabled: true}, formFactor: 'desktop', maxWaitForLoad: 15000, logLevel: 'error',
  };
  const {lhr} = await lighthouse(it.url, flags);
  if (lhr.runtimeError) {
    console.error(it.url, lhr.runtimeError.code);
    continue;
  }
  const audits = {};
  for (const {id} of lhr.categories.seo.auditRefs) {
    const {score, scoreDisplayMode} = lhr.audits[id];
    if (scoreDisplayMode === 'manual') continue;
    audits[id] = scoreDisplayMode === 'notApplicable' ? 'not_applicable' : score === 1 ? 'pass' : 'fail';
  }
  const {html, document, ...rest} = it;
  const served = document === undefined ? {html} : {document};
  judged.push({...rest, ...served, audits, score: Math.round(lhr.categories.seo.score * 100)});
  fs.writeFileSync(OUT, `${JSON.stringify(judged, null, 0).replaceAll('},{"url"', '},\n{"url"')}\n`);
}
await chrome.kill();
server.close();
console.log(`${judged.length} pages`);
