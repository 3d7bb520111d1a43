/**
 * `npm run build` makes dist/device-intelligence, the one-file executable for this machine, and the packages of both clients.
 * `npm run build -- --release` makes an executable for each platform, named with the version, and SHA256SUMS;
 * `npm run build -- --clients` makes the clients alone.
 */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { VERSION } from '../src/lib/version.ts'
import { buildNpmPackage, buildPythonWheel } from './build-clients.ts'
import { buildExecutable, TARGETS } from './executable.ts'
import { generateClients } from './generate-client.ts'

const DIST = join(import.meta.dir, '../dist')
mkdirSync(DIST, { recursive: true })

await generateClients()
console.error(`dist/${await buildNpmPackage(DIST)}`)
console.error(`dist/${buildPythonWheel(DIST)}`)
if (process.argv.includes('--clients')) process.exit()

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
