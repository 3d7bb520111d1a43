/** Makes the one-file executable: the program, its pages and the data on board. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { bundle } from '../dashboard/bundle.ts'
import { familyTables } from '../src/catalog/family-tables.ts'

const outfile = join(import.meta.dir, '../dist/device-intelligence')
const pages = await bundle()
const built = await Bun.build({
  plugins: [
    {
      name: 'carried',
      setup(build) {
        // The executable has no folder to bundle the pages or read the tables from, so it carries them finished.
        const carry = (filter: RegExp, contents: string) => build.onLoad({ filter }, () => ({ contents, loader: 'js' }))
        carry(/dashboard\/ready-bundle\.ts$/, `export const readyBundle = ${JSON.stringify(pages)}`)
        carry(/catalog\/family-tables\.ts$/, `export const familyTables = () => ${JSON.stringify(familyTables())}`)
      },
    },
  ],
  // The second is started as a thread, under the place it has below the folder of the first.
  entrypoints: ['main.ts', 'import/market/title-thread.ts'].map((file) => join(import.meta.dir, '../src', file)),
  compile: { outfile },
  minify: { syntax: true, whitespace: true },
  sourcemap: 'none',
})
if (!built.success) {
  for (const message of built.logs) console.error(String(message))
  process.exit(1)
}
console.error(`dist/device-intelligence, ${Math.round(statSync(outfile).size / 1e6)} MB`)
