// Writes the language subtags that axe-core takes for valid, a bit each, for `audit.lighthouse_seo.check`.
import fs from 'node:fs';
import {isValidLang} from './node_modules/lighthouse/third-party/axe/valid-langs.js';

const OUT = new URL('../../../modules/audit/src/lighthouse/languages.bin', import.meta.url);
const letter = place => String.fromCharCode(97 + place);
const bits = Buffer.alloc(Math.ceil((26 ** 2 + 26 ** 3) / 8));
const mark = place => { bits[place >> 3] |= 1 << (place & 7); };
for (let a = 0; a < 26; a++) {
  for (let b = 0; b < 26; b++) {
    if (isValidLang(letter(a) + letter(b))) mark(a * 26 + b);
    for (let c = 0; c < 26; c++) {
      if (isValidLang(letter(a) + letter(b) + letter(c))) mark(676 + (a * 26 + b) * 26 + c);
    }
  }
}
fs.writeFileSync(OUT, bits);
