#!/usr/bin/env bash
# From a folder with JavaScript to a component that has no contracts yet: build.sh FOLDER OUT.
# It takes componentize-qjs, which `npm install componentize-qjs@0.4.5` puts below the folder NODE_FOLDER or this one.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=$(cd "$1" && pwd)
name=$(basename "$folder"/*.js .js)
wit=$(mktemp -d)
trap 'rm -rf "$wit"' EXIT

# The module's world, and beside it what it speaks of: the boundary.
mkdir -p "$wit/deps/espalier"
cp "$folder/module.wit" "$wit/"
cp "$here"/../../wit/v1/*.wit "$wit/deps/espalier/"

# Without component async, which is off in the host. The smaller engine, `--opt-size`, needs tail calls, which are off too.
"${NODE_FOLDER:-$here}/node_modules/.bin/componentize-qjs" --sync --world module \
  --wit "$wit" --js "$folder/$name.js" --output "$2"
