/** Makes the one-file executable: the program, its pages and the data on board. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { bundle } from '../dashboard/bundle.ts'

const outfile = join(import.meta.dir, '../dist/device-intelligence')
const pages = await bundle()
const built = await Bun.build({
  plugins: [
    {
      name: 'dashboard',
      setup(build) {
        // The executable has no sources to bundle the pages from, so it carries them finished.
        build.onLoad({ filter: /dashboard\/ready-bundle\.ts$/ }, () => ({
          contents: `export const readyBundle = ${JSON.stringify(pages)}`,
          loader: 'js',
        }))
      },
    },
  ],
  entrypoints: [join(import.meta.dir, '../src/main.ts')],
  compile: { outfile },
  minify: { syntax: true, whitespace: true },
  sourcemap: 'none',
})
if (!built.success) {
  for (const message of built.logs) console.error(String(message))
  process.exit(1)
}
console.error(`dist/device-intelligence, ${Math.round(statSync(outfile).size / 1e6)} MB`)
