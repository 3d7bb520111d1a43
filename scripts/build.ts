/**
 * `npm run build` makes dist/device-intelligence, the one-file executable for this machine. `npm run build -- --release`
 * makes one for each platform, named with the version, and SHA256SUMS.
 */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { VERSION } from '../src/lib/version.ts'
import { buildExecutable, TARGETS } from './executable.ts'

const DIST = join(import.meta.dir, '../dist')
mkdirSync(DIST, { recursive: true })

const builds = process.argv.includes('--release')
  ? TARGETS.map((target) => ({ name: `device-intelligence-${VERSION}-${target}`, target }))
  : [{ name: 'device-intelligence', target: undefined }]
const sums: string[] = []
for (const { name, target } of builds) {
  const file = join(DIST, name)
  await buildExecutable(file, target)
  sums.push(`${new Bun.CryptoHasher('sha256').update(readFileSync(file)).digest('hex')}  ${name}\n`)
  console.error(`dist/${name}, ${Math.round(statSync(file).size / 1e6)} MB`)
}
if (builds.length > 1) writeFileSync(join(DIST, 'SHA256SUMS'), sums.join(''))
