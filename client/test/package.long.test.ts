import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

/** The examples of the README, as whoever reads it would copy them. */
function examples(language: string): string[] {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  return [...readme.matchAll(/```(\w+)\n([\s\S]*?)```/g)]
    .filter(([, of]) => of === language)
    .map(([, , code]) => code ?? '')
}

beforeAll(async () => {
  service = await startService()
  environment = { SERVICE_URL: service.url, SERVICE_KEY: await service.newKey('enterprise') }
  await run(['npm', 'pack', '--pack-destination', project], root)
  const packed = readdirSync(project).find((name) => name.endsWith('.tgz')) ?? ''
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module', private: true }))
  await run(['npm', 'install', '--offline', '--no-audit', '--no-fund', `./${packed}`], project)
})
afterAll(async () => {
  await service.stop()
  rmSync(project, { recursive: true, force: true })
})

test('in an empty project the package installs alone: JavaScript, types and nothing else', async () => {
  expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
    '@device-intelligence',
  ])
  const installed = join(project, 'node_modules/@device-intelligence/client')
  expect(readdirSync(installed).sort()).toEqual(['README.md', 'dist', 'package.json'])
  const files = readdirSync(join(installed, 'dist'))
  for (const name of files) expect(name).toMatch(/\.(js|d\.ts)$/)
  // Whatever the package imports is in the package: no module of Node, Bun or anybody else.
  const imported = files.flatMap((name) =>
    [...readFileSync(join(installed, 'dist', name), 'utf8').matchAll(/(?:from|import\()\s*['"]([^'"]+)['"]/g)].map(
      ([, target]) => target ?? '',
    ),
  )
  expect(imported.length).toBeGreaterThan(5)
  expect(imported.filter((target) => !/^\.\/[a-z]+\.(js|ts)$/.test(target))).toEqual([])
})

test('the examples of the README run on plain Node', async () => {
  const expected = [
    /^iPhone 13 \d+(\.\d+)? confidence \d+\n(buy|buy_and_repair|inspect) \d+/,
    /^5 of \d+\n(google-\S+ \d+\n)+$/,
    / was not found\. .* apple-iphone-13 http/,
  ]
  const codes = examples('js')
  expect(codes).toHaveLength(expected.length)
  for (const [at, code] of codes.entries()) {
    const file = join(project, `example-${at}.mjs`)
    writeFileSync(file, code)
    expect(await run(['node', file], project)).toMatch(expected[at]!)
  }
})

test('whoever writes TypeScript gets the types of the contract', async () => {
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
  const tsc = join(root, '../node_modules/.bin/tsc')
  const options = [
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
  await run([tsc, ...options, 'webhook.ts', 'typed.ts'], project)
})
