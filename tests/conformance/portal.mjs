// A person in a browser: Chromium goes through every page of the portal, at 360 and 1600 pixels, light and dark,
// with the mouse, with the keyboard alone, and without scripts.
//
// usage: node portal.mjs '{"origin","out","chromium","ada","new","password","authorize","deny","job","site","endless"}'
// Prints one line of JSON: how many pages were checked, and what is wrong with them.

import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';

const given = JSON.parse(process.argv[2]);
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
mkdirSync(given.out, { recursive: true });

const browser = await chromium.launch({
  executablePath: given.chromium,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync'],
});
const faults = [];
let pages = 0;

/** A window of its own, in which nothing but the host can be reached. */
async function open(width, scheme, options = {}) {
  const context = await browser.newContext({
    viewport: { width, height: width < 600 ? 780 : 1000 }, colorScheme: scheme, reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'], ...options,
  });
  const page = await context.newPage();
  page.on('console', (said) => said.type() === 'error' && !/status of 4\d\d|registered handler/.test(said.text()) && faults.push(`${page.url()}: ${said.text()}`));
  page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`));
  // Where the application would wait for the browser.
  await page.route('http://127.0.0.1:45678/**', (route) => route.fulfill({ contentType: 'text/html', body: '<title>back</title>back' }));
  return page;
}

/** What every page has to be: no fault that axe finds, nothing wider than the window, landmarks, one heading. */
async function check(page, name) {
  pages += 1;
  const { width } = page.viewportSize();
  const scheme = await page.evaluate(() => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'));
  await page.screenshot({ path: join(given.out, `${name}-${width}-${scheme}.png`), fullPage: true });
  const there = `${name} at ${width} ${scheme}`;
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (wide > 0) faults.push(`${there}: ${wide} pixels wider than the window`);
  // Policy forbids scripts that are not ours; the debugger's are not the page's.
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Runtime.evaluate', { expression: axe });
  const { result } = await devtools.send('Runtime.evaluate', {
    expression: `axe.run(document, { resultTypes: ['violations'] }).then((found) => JSON.stringify(found.violations.map((one) => one.id + ' ' + one.nodes.map((node) => node.html.slice(0, 160) + ' ' + node.failureSummary.replaceAll('\\n', ' ')).join(' | '))))`,
    awaitPromise: true, returnByValue: true,
  });
  for (const violation of JSON.parse(result.value)) faults.push(`${there}: ${violation}`);
  const { nodes } = await devtools.send('Accessibility.getFullAXTree');
  await devtools.detach();
  const role = (wanted) => nodes.filter((node) => !node.ignored && node.role?.value === wanted);
  if (role('main').length !== 1) faults.push(`${there}: ${role('main').length} main landmarks`);
  const tops = role('heading').filter((node) => node.properties?.some(({ name, value }) => name === 'level' && value.value === 1));
  if (tops.length !== 1) faults.push(`${there}: ${tops.length} headings of the first level`);
  for (const control of [...role('button'), ...role('link'), ...role('textbox'), ...role('searchbox'), ...role('combobox'), ...role('checkbox')]) {
    if (!control.name?.value?.trim()) faults.push(`${there}: a ${control.role.value} without a name`);
  }
  return role;
}

async function signIn(page, email) {
  await page.goto(`${given.origin}/sign-in`);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(given.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
}

const PLACES = [
  ['overview', '/'], ['usage', '/usage'], ['activity', '/activity'], ['activity-none', '/activity?outcome=well&event=job.cancelled&from=2020-01-01&to=2020-01-02'],
  ['activity-wrong', '/activity?from=yesterday'], ['jobs', '/jobs'], ['job', `/jobs/${given.job}`], ['credits', '/credits'], ['apps', '/apps'],
  ['tokens', '/tokens'], ['catalog', '/catalog'], ['catalog-none', '/catalog?query=zzzzzz+qqqqq'], ['contract', '/catalog/authors.list'],
  ['contract-job', '/catalog/crawl.run.start'], ['reference', '/reference'], ['not-found', '/jobs/job_nothing'],
  ['websites', '/websites'], ['website', `/websites/${given.site}`], ['no-page', '/no/such/page'],
];

/** Every page of somebody who has much, and of somebody who has nothing. */
async function look(width, scheme) {
  const page = await open(width, scheme);
  await page.goto(`${given.origin}/activity?operation=authors.list`);
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await check(page, 'sign-in');
  await page.getByLabel('E-mail').fill(given.ada);
  await page.getByLabel('Password').fill('not the password');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').waitFor();
  await check(page, 'sign-in-wrong');
  await page.getByLabel('Password').fill(given.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  assert.equal(new URL(page.url()).search, '?operation=authors.list', 'back to where one wanted to go');
  for (const [name, path] of PLACES) {
    await page.goto(given.origin + path);
    const role = await check(page, name);
    if (name === 'activity') {
      // However narrow it is drawn, it is a table to who cannot see it.
      assert.ok(role('row').length > 10 && role('columnheader').length === 5, 'rows and column headers');
    }
    if (name === 'usage') {
      assert.match(role('image').map((node) => node.name?.value).join(), /Points by UTC day/, 'the chart in words');
      await page.getByText('The same as a table').click();
      assert.equal(await page.getByRole('table', { name: 'Points and calls by UTC day' }).getByRole('row').count(), 31);
      await check(page, 'usage-table');
    }
  }
  if (width < 600) {
    await page.goto(`${given.origin}/`);
    await page.getByText('Menu', { exact: true }).click();
    await page.getByRole('link', { name: 'API reference' }).waitFor();
    await check(page, 'menu');
  }
  await page.goto(given.authorize);
  await page.getByRole('button', { name: 'Approve' }).waitFor();
  await check(page, 'consent');
  await page.context().close();

  const poor = await open(width, scheme);
  await signIn(poor, given.new);
  for (const [name, path] of [['overview', '/'], ['usage', '/usage'], ['activity', '/activity?event=operation.'], ['jobs', '/jobs'], ['credits', '/credits'], ['apps', '/apps'], ['tokens', '/tokens'], ['websites', '/websites']]) {
    await poor.goto(given.origin + path);
    await check(poor, `new-${name}`);
  }
  await poor.goto(given.authorize);
  await poor.getByText('are missing').waitFor();
  await check(poor, 'new-consent');
  await poor.context().close();
}

/** What a person does, click by click; with scripts and without. */
async function use(page) {
  await signIn(page, given.ada);
  // Consent, with one scope left out.
  await page.goto(given.authorize);
  const [deny, approve] = await Promise.all(['Deny', 'Approve'].map((name) => page.getByRole('button', { name }).boundingBox()));
  assert.ok(deny.width === approve.width && deny.height === approve.height && deny.y === approve.y, 'denying is as easy as approving');
  for (const group of ['Read', 'Change', 'Spend', 'Send', 'Destroy']) {
    assert.equal(await page.getByRole('group', { name: new RegExp(`^${group}`) }).count(), 1, group);
  }
  assert.equal(await page.getByText('Unverified name').count(), 1);
  assert.equal(await page.getByText('a program on this computer').count(), 1, 'a warning for a loopback address');
  for (const box of await page.getByRole('checkbox').all()) await box.uncheck();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('alert').filter({ hasText: 'Nothing is ticked' }).waitFor();
  await page.goto(given.authorize);
  await page.getByRole('checkbox', { name: /destructive:execute/ }).uncheck();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.waitForURL('http://127.0.0.1:45678/**');
  assert.ok(new URL(page.url()).searchParams.get('code'), 'a code came back');
  await page.goto(given.deny);
  await page.getByRole('button', { name: 'Deny' }).click();
  await page.waitForURL('http://127.0.0.1:45678/**');
  assert.equal(new URL(page.url()).searchParams.get('error'), 'access_denied');

  // The new app is there without that scope, and is revoked.
  await page.goto(`${given.origin}/apps`);
  const app = page.getByRole('article').first();
  await app.getByText('What it may do').click();
  assert.equal(await app.getByText('assets:write').count(), 1);
  assert.equal(await app.getByText('destructive:execute').count(), 0);
  const before = await page.getByRole('article').count();
  await app.getByRole('button', { name: /^Revoke/ }).click();
  await page.waitForURL('**/apps');
  assert.equal(await page.getByRole('article').count(), before - 1);

  // A token is made, seen once, and revoked.
  await page.goto(`${given.origin}/tokens`);
  await page.getByRole('textbox', { name: 'Name' }).fill('By hand');
  await page.getByLabel('Expires after').selectOption('7');
  await page.getByRole('checkbox', { name: /seo:audit/ }).check();
  await page.getByRole('button', { name: 'Make the token' }).click();
  const secret = await page.getByLabel('The new token').textContent();
  assert.match(secret, /^esp_at_/);
  assert.equal(page.url(), `${given.origin}/tokens`);
  const headers = { authorization: `Bearer ${secret}` };
  assert.equal((await fetch(`${given.origin}/v1/account`, { headers })).status, 200);
  await page.reload();
  assert.equal(await page.getByText(secret).count(), 0, 'shown once');
  await page.getByRole('listitem').filter({ hasText: 'By hand' }).getByRole('button', { name: 'Revoke By hand' }).click();
  await page.waitForURL('**/tokens');
  assert.equal((await fetch(`${given.origin}/v1/account`, { headers })).status, 401);

  // The catalog is searched, and a contract read.
  await page.goto(`${given.origin}/catalog`);
  await page.getByLabel('What do you want to do?').fill('who writes for us');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('link', { name: 'authors.list' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'authors.list' }).waitFor();
  assert.match(await page.getByLabel('With curl').textContent(), /\/v1\/operations\/authors\.list/);
  assert.equal(await page.getByRole('table', { name: 'Arguments' }).count(), 1);

  // Activity, filtered and then page by page.
  await page.goto(`${given.origin}/activity`);
  await page.getByLabel('Event').selectOption('operation.refused');
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByText('invalid_arguments').first().waitFor();
  await page.getByRole('link', { name: 'Clear' }).click();
  await page.getByRole('link', { name: 'Older' }).click();
  await page.waitForURL(/before=\d+/);
  assert.ok(await page.getByRole('row').count() > 10);
}

/** From the sign-in page to a revoked app without a mouse. */
async function keyboard(page) {
  await page.goto(`${given.origin}/apps`);
  const focus = () => page.evaluate(() => {
    const it = document.activeElement;
    const style = getComputedStyle(it);
    return { words: (it.textContent || it.name || '').trim(), seen: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2 };
  });
  await page.locator('#email:focus').waitFor();
  await page.keyboard.type(given.ada);
  await page.keyboard.press('Tab');
  await page.keyboard.type(given.password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Apps' }).waitFor();
  await page.keyboard.press('Tab');
  assert.equal((await focus()).words, 'Skip to the content');
  await page.screenshot({ path: join(given.out, 'keyboard-skip.png') });
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'main');
  const before = await page.getByRole('article').count();
  let found = false;
  for (let step = 0; step < 40 && !found; step++) {
    await page.keyboard.press('Tab');
    const { words, seen } = await focus();
    assert.ok(seen, `the focus on “${words}” is seen`);
    found = words.startsWith('Revoke');
  }
  assert.ok(found, 'the button can be reached');
  await page.keyboard.press('Enter');
  await page.waitForFunction((many) => document.querySelectorAll('article').length < many, before);
}

/** A job that goes on is renewed by itself, and cancelled. */
async function live(page) {
  await signIn(page, given.ada);
  await page.goto(`${given.origin}/jobs/${given.endless}`);
  assert.match(await page.getByRole('status').textContent(), /queued|running/);
  const renewed = page.waitForResponse((answer) => answer.url().endsWith(given.endless) && answer.request().resourceType() === 'fetch');
  await renewed;
  await check(page, 'job-running');
  await page.getByRole('button', { name: 'Cancel the job' }).click();
  await page.getByRole('status').filter({ hasText: 'cancelled' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Cancel the job' }).count(), 0);
  await page.goto(`${given.origin}/catalog/authors.create`);
  await page.getByRole('button', { name: 'Copy' }).first().click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^curl /);
}

/** An application whose address leads on: to another host, and from there to an address of a scheme of its own. */
async function forward(page) {
  const server = createServer((asked, answer) => {
    const on = asked.url.startsWith('/second') ? 'espalier-test://done' : `http://localhost:${server.address().port}/second`;
    answer.writeHead(302, { location: on }).end();
  });
  await new Promise((done) => server.listen(0, done));
  const asked = new URL(given.authorize);
  const back = new URL(asked.searchParams.get('redirect_uri'));
  back.port = server.address().port;
  asked.searchParams.set('redirect_uri', back.href);
  const seen = [];
  page.on('request', (request) => seen.push(request.url()));
  const said = [];
  page.on('console', (message) => said.push(message.text()));
  await signIn(page, given.ada);
  await page.goto(asked.href);
  await page.getByRole('button', { name: 'Deny' }).click();
  await page.waitForRequest('espalier-test://done', { timeout: 5_000 }).catch(() => {});
  assert.ok(seen.some((url) => url.includes('/second')), `the second hop is asked for: ${said.join('; ')}`);
  assert.ok(!said.some((text) => text.includes('form-action')), said.join('; '));
  server.close();
}

/** Runs one part; what stops it is a fault, and the other parts are run all the same. */
async function part(name, run) {
  try {
    await run();
  } catch (error) {
    faults.push(`${name}: ${error.stack}`);
  }
}

for (const width of [360, 1600]) {
  for (const scheme of ['light', 'dark']) await part(`look ${width} ${scheme}`, () => look(width, scheme));
}
await part('use with scripts', async () => use(await open(1600, 'light')));
await part('use without scripts', async () => use(await open(360, 'dark', { javaScriptEnabled: false })));
await part('keyboard', async () => keyboard(await open(1600, 'light')));
await part('forward', async () => forward(await open(1600, 'light')));
await part('live', async () => live(await open(1600, 'light')));
await browser.close();
console.log(JSON.stringify({ pages, faults }));
process.exit(faults.length ? 1 : 0);
