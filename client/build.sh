#!/bin/sh
# Compiles the package for import and require, and adds the licence. `npm pack` runs it.
set -eu
cd "$(dirname "$0")"
rm -rf dist
../node_modules/.bin/tsc -p tsconfig.json --outDir dist/esm
# A `verbatimModuleSyntax` module cannot be written as CommonJS.
../node_modules/.bin/tsc -p tsconfig.json --outDir dist/cjs --module commonjs --verbatimModuleSyntax false --isolatedModules
echo '{ "type": "commonjs" }' >dist/cjs/package.json
cp ../LICENSE LICENSE
