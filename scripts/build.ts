/** `npm run build`: makes dist/device-intelligence, the one-file executable. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { buildExecutable } from './executable.ts'

const outfile = join(import.meta.dir, '../dist/device-intelligence')
await buildExecutable(outfile)
console.error(`dist/device-intelligence, ${Math.round(statSync(outfile).size / 1e6)} MB`)
