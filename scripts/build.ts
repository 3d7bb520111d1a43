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
if (builds.length > 1) {
  const bill = `device-intelligence-${VERSION}.cdx.json`
  writeFileSync(join(DIST, bill), softwareBillOfMaterials())
  sums.push(`${new Bun.CryptoHasher('sha256').update(readFileSync(join(DIST, bill))).digest('hex')}  ${bill}\n`)
  writeFileSync(join(DIST, 'SHA256SUMS'), sums.join(''))
}

/** The packages inside the executable with versions, hashes and licences, in the form of CycloneDX. */
function softwareBillOfMaterials(): string {
  const args = ['sbom', '--package-lock-only', '--omit=dev', '--sbom-format=cyclonedx', '--sbom-type=application']
  const { exitCode, stdout, stderr } = Bun.spawnSync(['npm', ...args], { cwd: join(import.meta.dir, '..') })
  if (exitCode !== 0) throw new Error(`npm sbom failed: ${stderr}`)
  return stdout.toString()
}
