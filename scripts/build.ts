/** Makes the one-file executable: the program, its pages and the data on board. */
import { statSync } from 'node:fs'
import { join } from 'node:path'

const outfile = join(import.meta.dir, '../dist/device-intelligence')
const built = await Bun.build({
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
