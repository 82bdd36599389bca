// A module of the tests that looks around in the machine it runs on, by what JavaScript itself offers and by
// what its toolchain's system interface does, and says what it saw.
import { getArguments, getEnvironment } from "wasi:cli/environment@0.2.0";
import { getDirectories } from "wasi:filesystem/preopens@0.2.0";
import { getRandomU64 } from "wasi:random/random@0.2.0";

/** Counts for as long as this takes on the machine, and says how much time the clocks saw go by. */
function wait() {
  const [date, precise] = [Date.now(), performance.now()];
  for (let count = 0; count < 20_000; count += 1);
  return Date.now() - date + (performance.now() - precise);
}

function get() {
  const seen = {
    variables: getEnvironment().length,
    parameters: getArguments().length,
    folders: getDirectories().length,
    globals: ["process", "require", "fetch", "XMLHttpRequest", "Deno", "std", "os"].filter((name) => name in globalThis),
    now: Date.now(),
    waited: wait(),
    chance: String(getRandomU64()),
  };
  return { data: JSON.stringify(seen), units: 0 };
}

export const operations = { get };
