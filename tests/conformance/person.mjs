// A person in a browser without a screen: signs in, approves what is asked, and goes where the page sends them.
//
// As a program, for clients that open a browser: BROWSER="node person.mjs" with ESPALIER_EMAIL and ESPALIER_PASSWORD.
// usage: node person.mjs ADDRESS            ends at the client's own address, as a browser does
//        node person.mjs --print ADDRESS    prints that address and leaves it alone

import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Follows an authorization address as far as the redirect back to the client, which is another origin. */
export async function person(first, email, password) {
  const home = new URL(first).origin;
  const cookies = new Map();
  const ask = async (target, init = {}) => {
    const headers = { ...init.headers, cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') };
    const answer = await fetch(target, { ...init, headers, redirect: 'manual' });
    for (const line of answer.headers.getSetCookie()) {
      const [name, value] = line.split(';')[0].split(/=(.*)/s);
      cookies.set(name, value);
    }
    return answer;
  };
  let address = first;
  for (let turn = 0; turn < 8; turn++) {
    let answer = await ask(address);
    while (answer.status === 200) {
      const whole = await answer.text();
      const wanted = whole.includes('name="password"') ? 'name="password"' : 'name="decision"';
      const form = whole.match(/<form.*?<\/form>/gs)?.find((one) => one.includes(wanted));
      if (!form) throw new Error(`${new URL(address).pathname} shows no form to fill in`);
      const values = new URLSearchParams();
      for (const [tag] of form.matchAll(/<input[^>]*>/g)) {
        const attribute = (name) => tag.match(new RegExp(`\\b${name}="([^"]*)"`))?.[1];
        const kind = attribute('type');
        if (kind === 'hidden' || (kind === 'checkbox' && /\bchecked\b/.test(tag))) {
          values.append(attribute('name'), (attribute('value') ?? 'on').replaceAll('&amp;', '&'));
        }
      }
      if (wanted.includes('password')) {
        values.append('email', email);
        values.append('password', password);
      } else {
        values.append('decision', 'approve');
      }
      const action = form.match(/<form[^>]*\baction="([^"]*)"/)?.[1]?.replaceAll('&amp;', '&') ?? '';
      address = new URL(action, address).href;
      answer = await ask(address, { method: 'POST', body: values, headers: { origin: new URL(address).origin } });
    }
    if (![302, 303].includes(answer.status)) throw new Error(`${new URL(address).pathname} answered ${answer.status}`);
    address = new URL(answer.headers.get('location'), address).href;
    if (new URL(address).origin !== home) return address;
  }
  throw new Error('the sign-in never came back to the client');
}

/** Goes there; some clients open the browser before they listen, since people take their time. */
async function visit(back) {
  for (let turn = 0; ; turn++) {
    try {
      return await fetch(back);
    } catch (error) {
      if (turn === 50) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const print = process.argv[2] === '--print';
  const address = process.argv[print ? 3 : 2];
  const back = await person(address, process.env.ESPALIER_EMAIL, process.env.ESPALIER_PASSWORD);
  if (print) console.log(back);
  else await visit(back);
}
