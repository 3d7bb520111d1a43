import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildNpmPackage } from '../../scripts/build-clients.ts'
import { startService } from './service.ts'

const root = join(import.meta.dir, '..')
const project = mkdtempSync(join(tmpdir(), 'di-client-'))
let service: Awaited<ReturnType<typeof startService>>
let environment: Record<string, string>

async function run(command: string[], cwd: string): Promise<string> {
  const env = { ...environment, PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/' }
  const child = Bun.spawn(command, { cwd, env, stdout: 'pipe', stderr: 'pipe' })
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}:\n${stdout}\n${stderr}`)
  return stdout
}

/** Code blocks of the README in a language. */
function examples(language: string): string[] {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  return [...readme.matchAll(/```(\w+)\n([\s\S]*?)```/g)]
    .filter(([, of]) => of === language)
    .map(([, , code]) => code ?? '')
}

const tsc = join(root, '../node_modules/.bin/tsc')
const tscOptions = [
  '--noEmit',
  '--strict',
  '--module',
  'nodenext',
  '--target',
  'es2022',
  '--lib',
  'es2022,dom',
  '--types',
  '',
]

beforeAll(async () => {
  service = await startService()
  environment = { SERVICE_URL: service.url, SERVICE_KEY: await service.newKey('enterprise') }
  const tarball = await buildNpmPackage(project)
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module', private: true }))
  await run(['npm', 'install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], project)
})
afterAll(async () => {
  await service.stop()
  rmSync(project, { recursive: true, force: true })
})

test('in an empty project the package installs alone: JavaScript, types, licence and nothing else', () => {
  expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
    '@device-intelligence',
  ])
  const installed = join(project, 'node_modules/@device-intelligence/client')
  expect(readdirSync(installed).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json'])
  expect(readFileSync(join(installed, 'LICENSE'), 'utf8')).toBe(readFileSync(join(root, '../LICENSE'), 'utf8'))
  expect(readFileSync(join(installed, 'dist/cjs/package.json'), 'utf8')).toContain('commonjs')
  const files = readdirSync(join(installed, 'dist'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.includes('/') && name !== 'cjs/package.json')
    .toSorted()
  for (const name of files) expect(name).toMatch(/^(esm|cjs)\/[a-z]+\.(js|d\.ts)$/)
  for (const name of ['esm/index.js', 'esm/index.d.ts', 'cjs/index.js', 'cjs/index.d.ts']) expect(files).toContain(name)
  // The package imports only its own modules: none of Node, Bun or another package.
  const imported = files.flatMap((name) =>
    [
      ...readFileSync(join(installed, 'dist', name), 'utf8').matchAll(
        /(?:from|import\(|require\()\s*['"]([^'"]+)['"]/g,
      ),
    ].map(([, target]) => target ?? ''),
  )
  expect(imported.length).toBeGreaterThan(10)
  expect(imported.filter((target) => !/^\.\/[a-z]+\.(js|ts)$/.test(target))).toEqual([])
})

test('the package contains every entry point of package.json', async () => {
  const [{ files }] = JSON.parse(await run(['npm', 'pack', '--dry-run', '--json'], root))
  const packed = files.map(({ path }: { path: string }) => path)
  const { exports, main, types } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const entries = [main, types, ...Object.values(exports['.']).flatMap((entry) => Object.values(entry as object))]
  for (const entry of entries) expect(packed).toContain(entry.replace('./', ''))
})

test('it can be required by CommonJS, also from TypeScript', async () => {
  writeFileSync(
    join(project, 'required.cjs'),
    `const { DeviceIntelligence } = require('@device-intelligence/client')
new DeviceIntelligence({ url: process.env.SERVICE_URL, key: process.env.SERVICE_KEY }).listMakes().then((makes) => console.log(makes.length))`,
  )
  expect(Number(await run(['node', 'required.cjs'], project))).toBeGreaterThan(5)
  writeFileSync(
    join(project, 'required.cts'),
    `import { type Device, DeviceIntelligence } from '@device-intelligence/client'
export const first = async (): Promise<Device | undefined> =>
  (await new DeviceIntelligence({ url: 'https://devices.example', key: 'k' }).listDevices()).data[0]
`,
  )
  await run([tsc, ...tscOptions, 'required.cts'], project)
})

test('the examples of the README run on plain Node', async () => {
  const expected = [
    /^iPhone 13 \d+(\.\d+)? confidence \d+\n(buy|buy_and_repair|inspect) \d+/,
    /^5 of \d+\n(google-\S+ \d+\n)+$/,
    / was not found\. .* apple-iphone-13 http/,
    /^200 1\ntrue req_\S+ \d+\n$/,
  ]
  const codes = examples('js')
  expect(codes).toHaveLength(expected.length)
  for (const [at, code] of codes.entries()) {
    const file = join(project, `example-${at}.mjs`)
    writeFileSync(file, code)
    expect(await run(['node', file], project)).toMatch(expected[at]!)
  }
})

test('TypeScript programs get the types of the contract', async () => {
  const [webhook = ''] = examples('ts')
  writeFileSync(join(project, 'webhook.ts'), webhook)
  writeFileSync(
    join(project, 'typed.ts'),
    `import { DeviceIntelligence, type Device, type IMEILookupResult } from '@device-intelligence/client'
const service = new DeviceIntelligence({ url: 'https://devices.example', key: 'pk_ent_x' })
export async function typed(): Promise<[Device | undefined, number | null, IMEILookupResult['recommendation']]> {
  const [device] = (await service.listDevices({ status: 'active' })).data
  const { resale } = await service.getPricing({ variant_id: 'x', pricing_type: 'resale' })
  // @ts-expect-error a grade that there is not
  await service.appraiseDevice({ text: 'x', condition: 'Great' })
  // @ts-expect-error without a variant there is no price
  await service.getPricing({})
  const { recommendation } = await service.assessIdentifier({ identifier: 'x' })
  return [device, resale?.current.Good ?? null, recommendation]
}
`,
  )
  await run([tsc, ...tscOptions, 'webhook.ts', 'typed.ts'], project)
})
