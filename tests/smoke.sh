#!/usr/bin/env bash
# The main job as a new user runs it: up, search, contract, execute, crawl, usage. From a release build, or from
# the one that ESPALIER_BIN names.
set -euo pipefail
cd "$(dirname "$0")/.."

data=$(mktemp -d)
log=$data/up.log
cleanup() { kill "$up" 2>/dev/null || true; wait "$up" 2>/dev/null || true; rm -rf "$data"; }
trap cleanup EXIT

if [ -z "${ESPALIER_BIN:-}" ]; then
  cargo build --release --quiet
  ESPALIER_BIN=target/release/espalier
fi
# Components that other hosts of this very build have compiled already, with the key that they are sealed with.
if [ -n "${ESPALIER_COMPILED:-}" ]; then
  mkdir -p "$data/data"
  cp -p "$ESPALIER_COMPILED/artefacts.key" "$data/data/"
  ln -s "$(realpath "$ESPALIER_COMPILED")" "$data/data/compiled"
fi
"$ESPALIER_BIN" --data-dir "$data/data" up --listen 127.0.0.1:0 --json >"$log" 2>"$data/err.log" &
up=$!
for _ in $(seq 1 600); do
  [ -s "$log" ] && break
  kill -0 "$up" 2>/dev/null || { cat "$data/err.log"; exit 1; }
  sleep 1
done

python3 - "$log" <<'PY'
import json, sys, time, urllib.request

first = json.loads(open(sys.argv[1]).readline())
rest, token = first["rest"], first["access_token"]

def ask(path, body=None, key=None):
    request = urllib.request.Request(rest + path, method="POST" if body is not None else "GET")
    request.add_header("authorization", f"Bearer {token}")
    if key:
        request.add_header("idempotency-key", key)
    if body is not None:
        request.add_header("content-type", "application/json")
        request.data = json.dumps(body).encode()
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)

found = ask("/capabilities?query=crawl%20my%20whole%20website%20and%20list%20broken%20pages")["data"]
assert any(row["operation_id"] == "crawl.run.start" for row in found["results"]), found
contract = ask("/capabilities/crawl.run.start?intent_ref=" + found["intent_ref"])["data"]
assert contract["mode"] == "queued", contract
site = ask("/operations/websites.create", {"domain": "shop.example"}, "smoke-site-1")["data"]["site_id"]
run = ask("/operations/crawl.run.start", {"site_id": site, "rate_rps": 10}, "smoke-crawl-1")["data"]["run_ref"]
for _ in range(120):
    state = ask("/operations/crawl.run.get", {"run_ref": run})["data"]
    if state["state"] not in ("queued", "running"):
        break
    time.sleep(1)
assert state["state"] == "succeeded", state
# The walk that `up` prints, pasted as it stands.
import subprocess
walked = subprocess.run(["bash", "-c", first["walk"]], capture_output=True, text=True, timeout=120)
said = [json.loads(line) for line in walked.stdout.splitlines() if line.startswith("{")]
assert said and all("data" in answer for answer in said), (walked.stdout, walked.stderr)
assert said[-1]["data"]["restored"] is True, said[-1]
usage = ask("/usage")
assert usage["meta"]["usage"]["included_remaining"] < 100, usage
print("the main job works:", json.dumps(state["totals"]))
PY
