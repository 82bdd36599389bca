// Writes modules/ai_visibility/src/agent_readiness/axe.jsonl: pages, and the elements at which axe-core fails each of the rules that
// Lighthouse's audit `agent-accessibility-tree` has. Needs: npm install axe-core@4.13.0 jsdom@26; then `node axe.mjs > axe.jsonl`.
import { createRequire } from 'node:module';
import { JSDOM, VirtualConsole } from 'jsdom';
const require = createRequire(import.meta.url);
const source = require('fs').readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

const RULES = ['button-name', 'input-button-name', 'input-image-alt', 'label', 'link-name', 'select-name', 'document-title',
  'aria-allowed-attr', 'aria-allowed-role', 'aria-command-name', 'aria-conditional-attr', 'aria-dialog-name', 'aria-hidden-body',
  'aria-hidden-focus', 'aria-input-field-name', 'aria-prohibited-attr', 'aria-required-attr', 'aria-required-children',
  'aria-required-parent', 'aria-roles', 'aria-text', 'aria-toggle-field-name', 'aria-tooltip-name', 'aria-treeitem-name',
  'aria-valid-attr', 'aria-valid-attr-value', 'definition-list', 'table-duplicate-name', 'tabindex',
  'autocomplete-valid', 'presentation-role-conflict', 'svg-img-alt'];

// Bodies: each is a page of its own.
const BODIES = [
  '<button></button><button>Buy</button><button aria-label="Close"></button><button><img src=a alt="Cart"></button><button><img src=a></button><button title="Go"></button>',
  '<button><span hidden>Hidden</span></button><button><span aria-hidden="true">x</span></button>',
  '<div role="button"></div><div role="button">Go</div><span role="menuitem"></span><div role="link"></div><a role="button" href="/x"></a>',
  '<input type="submit"><input type="submit" value=""><input type="submit" value="Send"><input type="button"><input type="reset"><input type="button" value="Ok"><input type="button" aria-label="Ok">',
  '<input type="image" src=a><input type="image" src=a alt=""><input type="image" src=a alt="Search"><input type="image" src=a title="Find"><input type="image" aria-label="Go" src=a>',
  '<input><input type="text" aria-label="Name"><label>Name <input></label><label for=a>City</label><input id=a><input placeholder="Search"><input title="Mail"><textarea></textarea><input type=checkbox><input type=radio>',
  '<label for=b></label><input id=b><label><input type=checkbox> Agree</label><input type=hidden><input type=password><input type=email id=m><label for=m>Mail</label>',
  '<p id=l>Quantity</p><input aria-labelledby=l><input aria-labelledby=nope><input type=search><input type=number aria-labelledby="l">',
  '<a href="/"></a><a href="/">Home</a><a href="/"><img src=a></a><a href="/"><img src=a alt="Logo"></a><a href="/" aria-label="Cart"></a><a>no</a><a href="/" title="Up"></a><a href="/"><i class=icon></i></a>',
  '<a href="/" aria-hidden="true"></a><a href="/" tabindex="-1"></a><a href="/"><span hidden>Text</span></a><a href="/"><svg role=img aria-label="Home"></svg></a>',
  '<select><option>1</option></select><label>Sort <select><option>1</option></select></label><select aria-label="Size"><option>1</select><select title="Colour"></select>',
  '<div role="dialog"><p>Hi</p></div><div role="dialog" aria-label="Cart">x</div><div role="alertdialog" aria-labelledby=t><h2 id=t>Sure?</h2></div><div role="alertdialog"></div>',
  '<div aria-hidden="true"><a href="/">Link</a></div><div aria-hidden="true"><button disabled>no</button></div><div aria-hidden="true"><input tabindex="-1"></div><div aria-hidden="true">text</div><div aria-hidden="true" tabindex="0">x</div>',
  '<div role="textbox"></div><div role="searchbox" aria-label="Search"></div><div role="combobox" aria-expanded="false"></div><div role="listbox"></div><div role="slider" aria-valuenow="5"></div><div role="spinbutton"></div>',
  '<div role="checkbox" aria-checked="true"></div><div role="switch" aria-checked="false" aria-label="Dark"></div><div role="radio" aria-checked="false">One</div><div role="checkbox"></div><div role="switch"></div>',
  '<div role="tooltip"></div><div role="tooltip">Help</div><ul role="tree"><li role="treeitem"></li><li role="treeitem">A</li></ul>',
  '<div role="heading">No level</div><div role="heading" aria-level="2">Level</div><div role="slider"></div><div role="scrollbar"></div><div role="meter" aria-valuenow="3"></div><div role="separator"></div><div role="separator" tabindex="0"></div>',
  '<div role="list"><div role="listitem">a</div></div><div role="list"><p>text</p></div><div role="list"></div><div role="list"><div role="button">b</div></div><ul role="list"><li>x</li></ul>',
  '<div role="tablist"><div role="tab">A</div></div><div role="tablist"><button>A</button></div><div role="tab">alone</div><div role="menu"><div role="menuitem">x</div></div><div role="menuitem">y</div>',
  '<div role="listitem">a</div><div role="option">b</div><div role="row"><div role="cell">c</div></div><div role="table"><div role="row"><div role="cell">d</div></div></div><div role="cell">e</div>',
  '<div role="grid"><div role="rowgroup"><div role="row"><div role="gridcell">1</div></div></div></div><div role="radiogroup"><div role="radio" aria-checked="true">x</div></div>',
  '<div role="buton">typo</div><div role="button fancy">two</div><div role="widget">abstract</div><div role="">empty</div><div role="foo bar">x</div>',
  '<h1 role="button">H</h1><li role="menuitem">x</li><a href="/" role="heading" aria-level="2">x</a><button role="link">b</button><button role="heading" aria-level="1">b</button><input type="checkbox" role="switch" aria-label="s"><input type="text" role="button" aria-label="t">',
  '<img src=a alt="A" role="button"><img src=a alt="" role="presentation"><img src=a role="link"><main role="region" aria-label="x">m</main><nav role="menu" aria-label="n"></nav><section role="button">s</section><article role="list">a</article>',
  '<table role="presentation"><tr><td>x</td></tr></table><ul role="navigation" aria-label="n"><li>x</li></ul><form role="search"><input aria-label=q></form><header role="banner">h</header><iframe role="button" title=i></iframe>',
  '<div aria-labels="x">a</div><div aria-hiden="true">b</div><button aria-expand="true">c</button><div aria-label="ok" role="region">d</div>',
  '<div role="checkbox" aria-checked="maybe" aria-label="a"></div><button aria-expanded="yes">b</button><div aria-live="loud">c</div><div aria-level="x" role="heading">d</div><input aria-required="1" aria-label="e"><div aria-hidden="maybe">f</div>',
  '<button aria-controls="nope">a</button><button aria-controls="nope" aria-expanded="false">b</button><button aria-describedby="nope">c</button><div role="combobox" aria-label=c aria-expanded="true" aria-controls="nope"></div><div id=there></div><button aria-controls="there">d</button>',
  '<div aria-checked="true">a</div><button aria-checked="true">b</button><a href="/" aria-pressed="true">c</a><h2 aria-level="3">d</h2><p aria-expanded="true">e</p><input type="text" aria-valuenow="3" aria-label="f"><div role="button" aria-selected="true">g</div>',
  '<div aria-label="name">a</div><span aria-label="name">b</span><p aria-label="name">c</p><strong aria-label="x">d</strong><div role="presentation" aria-label="x">e</div><i aria-label="icon"></i><div role="group" aria-label="ok">f</div><code aria-label="x">g</code>',
  '<dl><dt>a</dt><dd>b</dd></dl><dl><p>x</p></dl><dl><div><dt>a</dt><dd>b</dd></div></dl><dl>text<dt>a</dt></dl><dl><div><p>x</p></div></dl><dl role="list"><p>y</p></dl>',
  '<table summary="Prices"><caption>Prices</caption><tr><td>1</td></tr></table><table summary="Other"><caption>Prices</caption><tr><td>1</td></tr></table><table><caption>Only</caption><tr><td>1</td></tr></table>',
  '<a href="/" tabindex="5">a</a><button tabindex="0">b</button><div tabindex="-1">c</div><input tabindex="1" aria-label="d">',
  '<input autocomplete="on" aria-label=a><input autocomplete="emial" aria-label=b><input autocomplete="shipping street-address" aria-label=c><input autocomplete="home email" aria-label=d><input autocomplete="section-x given-name" aria-label=e><input autocomplete="home name" aria-label=f><input type=submit autocomplete="xx" value=g>',
  '<input autocomplete="off" aria-label=a><select autocomplete="country" aria-label=b></select><textarea autocomplete="nope" aria-label=c></textarea><input disabled autocomplete="zzz" aria-label=d><input autocomplete="username webauthn" aria-label=e><input autocomplete="none" aria-label=f>',
  '<ul role="none" aria-live="polite"><li>x</li></ul><button role="presentation">b</button><img src=a alt="" tabindex="0"><img src=a alt="" aria-label="x"><h1 role="none">ok</h1><a href="/" role="none">link</a><table role="none" tabindex="0"><tr><td>1</table>',
  '<svg role="img"></svg><svg role="img"><title>Logo</title></svg><svg role="img" aria-label="x"></svg><svg role="img"><g><title>deep</title></g></svg><svg><circle role="img"/></svg><svg role="graphics-document"></svg><svg></svg>',
  '<span id=d>a</span><span id=d>b</span><button aria-labelledby=d></button><label for=e>x</label><input id=e><i id=e></i><p id=f></p><p id=f></p>',
  '<p role="text">Some <a href="/">link</a></p><p role="text">plain</p>',
  '<nav><ul><li><a href="/">Home</a></li></ul></nav><main><h1>Shop</h1><form><label for=q>Search</label><input id=q type=search><button>Go</button></form></main><footer>f</footer>',
  '<div hidden><button></button><a href="/"></a><input></div><div style="display:none"><button></button></div><details><summary>More</summary><button></button></details><details open><summary></summary><button></button></details>',
  '<div role="row" aria-level="1">x</div><div role="treegrid"><div role="row" aria-level="1"><div role="gridcell">a</div></div></div><table><tr aria-expanded="true"><td>x</td></tr></table><input type="checkbox" aria-checked="true" aria-label="x"><input type="checkbox" checked aria-checked="true" aria-label="y">',
  '<div role="listbox" aria-label=l><div role="option">a</div><div role="group"><div role="option">b</div></div></div><div role="menubar"><div role="none"><div role="menuitem">x</div></div></div><ul role="menu"><li role="none"><a role="menuitem" href="/">y</a></li></ul>',
  '<label for="same">One</label><label for="same">Two</label><input id="same"><label><span>Text</span><input type="text"></label><label><input type="text"></label><fieldset><legend>Pay</legend><input type=radio name=p id=p1><label for=p1>Card</label></fieldset>',
  '<a href="/"><h2></h2></a><a href="/"><h2>Title</h2></a><a href="/" aria-labelledby="zz"></a><a href="/" aria-labelledby="hh">x</a><span id="hh" hidden>Hidden name</span><area href="/x"><button aria-labelledby="hh"></button>',
  '<div role="progressbar"></div><progress></progress><meter value=1></meter><output></output><div role="img"></div><div role="img" aria-label="x"></div><figure role="img">f</figure><div role="tabpanel">t</div>',
  '<ol role="listbox" aria-label="x"><li role="option" aria-selected="true">1</li></ol><dl><dt role="button">t</dt><dd>d</dd></dl><button aria-pressed="mixed">m</button><button aria-haspopup="menu">n</button><button aria-haspopup="window">o</button><a href="/" aria-current="page">p</a><a href="/" aria-current="foo">q</a>',
  '<input type="range" aria-label="r" aria-valuemin="0"><input type="radio" role="menuitemradio" aria-label="s" aria-checked="true"><select role="menu" aria-label="t"></select><textarea role="button" aria-label="u"></textarea><label role="button">v</label><legend role="heading" aria-level="1">w</legend>',
];
const PAGES = BODIES.map((body) => `<!doctype html><html lang=en><head><title>Page</title></head><body>${body}</body></html>`);
PAGES.push('<!doctype html><html lang=en><head></head><body><p>x</p></body></html>');
PAGES.push('<!doctype html><html lang=en><head><title> </title></head><body><svg><title>in</title></svg></body></html>');
PAGES.push('<!doctype html><html lang=en><head><title>x</title></head><body aria-hidden="true"><p>x</p></body></html>');

for (const html of PAGES) {
  const dom = new JSDOM(html, { runScripts: 'outside-only', pretendToBeVisual: true, virtualConsole: new VirtualConsole() });
  dom.window.eval(source);
  const rules = Object.fromEntries(RULES.map((rule) => [rule, { enabled: true }]));
  const all = [...dom.window.document.querySelectorAll('*')];
  const result = await dom.window.axe.run(dom.window.document, {
    runOnly: { type: 'rule', values: RULES }, rules, elementRef: true, resultTypes: ['violations', 'incomplete'],
  });
  const failing = {};
  // jsdom has no layout, so that axe leaves open what a browser decides.
  const open = result.incomplete.filter((it) => it.id === 'aria-hidden-focus');
  for (const it of [...result.violations, ...open]) {
    failing[it.id] = it.nodes.map((node) => all.indexOf(node.element)).sort((a, b) => a - b);
  }
  console.log(JSON.stringify({ html, failing }));
}
