import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startOnSqlite, type TestService } from '../support/service.ts'

/** A separate package: see its description. */
const TOOLS = join(import.meta.dir, '../tools')
const project = join(TOOLS, `project-${process.pid}`)
const document = join(project, 'openapi.json')
const VARIANT = 'apple-iphone-13-128gb-midnight'

let service: TestService
let environment: Record<string, string>

async function run(command: string[], cwd = project): Promise<string> {
  const env = { ...process.env, ...environment, npm_config_update_notifier: 'false' }
  const child = Bun.spawn(command, { cwd, env, stdout: 'pipe', stderr: 'pipe' })
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}:\n${stdout}\n${stderr}`)
  return stdout
}

const tool = (name: string) => join(TOOLS, 'node_modules/.bin', name)
const TSC = join(import.meta.dir, '../../node_modules/.bin/tsc')

/** Runs a program in the project and parses its output as JSON. */
async function runProgram(name: string, source: string): Promise<unknown> {
  writeFileSync(join(project, name), source)
  return JSON.parse(await run([process.execPath, name]))
}

/** The programs that use generated clients. */
const programs: string[] = []

/** Runs a program that uses a generated client; the last test compiles all of them. */
function runClient(name: string, source: string): Promise<unknown> {
  programs.push(name)
  return runProgram(name, source)
}

beforeAll(async () => {
  service = await startOnSqlite()
  environment = { SERVICE_URL: service.url, SERVICE_KEY: service.keys.enterprise }
  const installed = join(TOOLS, 'node_modules/.installed-from')
  const lock = readFileSync(join(TOOLS, 'package-lock.json'), 'utf8')
  if (!existsSync(installed) || readFileSync(installed, 'utf8') !== lock) {
    // Six times faster than npm.
    await run([process.execPath, 'install', '--frozen-lockfile', '--ignore-scripts'], TOOLS)
    cpSync(join(TOOLS, 'package-lock.json'), installed)
  }
  mkdirSync(project, { recursive: true })
  symlinkSync('../node_modules', join(project, 'node_modules'))
  await Bun.write(document, await (await fetch(`${service.url}/openapi.json`)).text())
}, 300_000)
afterAll(async () => {
  await service.stop()
  rmSync(project, { recursive: true, force: true })
})

test('swagger-parser validates the document', async () => {
  const paths = await runProgram(
    'swagger-parser.ts',
    `import SwaggerParser from '@apidevtools/swagger-parser'
const { paths } = await SwaggerParser.validate('openapi.json')
console.log(JSON.stringify(Object.keys(paths).length))
`,
  )
  expect(paths).toBeGreaterThan(15)
})

test('openapi-typescript and openapi-fetch: runs', async () => {
  await run([tool('openapi-typescript'), document, '--output', 'schema.ts'])
  const result = await runClient(
    'openapi-fetch.ts',
    `import createClient from 'openapi-fetch'
import type { components, paths, webhooks } from './schema'
declare const process: { env: Record<string, string> }
const client = createClient<paths>({ baseUrl: process.env.SERVICE_URL!, headers: { Authorization: 'Bearer ' + process.env.SERVICE_KEY } })
const { data, error } = await client.GET('/api/pricing', { params: { query: { variant_id: '${VARIANT}' } } })
if (error) throw new Error(error.error.message)
const { data: made } = await client.POST('/api/appraisals', { body: { variant_id: '${VARIANT}', condition: 'Good' } })
export type Delivery = webhooks['price.changed']['post']['requestBody']['content']['application/json']
const appraisal: components['schemas']['Appraisal'] | undefined = made?.data
console.log(JSON.stringify({ good: data.data.resale?.current.Good, decision: appraisal?.offer.decision }))
`,
  )
  expect(result).toEqual({ good: expect.any(Number), decision: expect.any(String) })
})

test('hey-api: runs', async () => {
  await run([tool('openapi-ts'), '--input', document, '--output', 'hey', '--client', '@hey-api/client-fetch'])
  const result = await runClient(
    'hey-api.ts',
    `import { appraiseDevice, getPricing, listDevices } from './hey'
import { client } from './hey/client.gen'
declare const process: { env: Record<string, string> }
client.setConfig({ baseUrl: process.env.SERVICE_URL!, auth: () => process.env.SERVICE_KEY })
const { data } = await getPricing({ query: { variant_id: '${VARIANT}' }, throwOnError: true })
const { data: list } = await listDevices({ query: { make: 'Google', limit: 2 }, throwOnError: true })
const { data: made } = await appraiseDevice({ body: { variant_id: '${VARIANT}' }, throwOnError: true })
console.log(JSON.stringify({ good: data.data.resale?.current.Good, devices: list.data.length, decision: made.data.offer.decision }))
`,
  )
  expect(result).toEqual({ good: expect.any(Number), devices: 2, decision: expect.any(String) })
})

test('orval: the fetch client and its Zod schemas run and accept real responses', async () => {
  writeFileSync(
    join(project, 'orval.config.cjs'),
    `const input = ${JSON.stringify(document)}
const override = { mutator: { path: './orval-fetch.ts', name: 'send' } }
module.exports = {
  client: { input, output: { client: 'fetch', mode: 'single', target: './orval/client.ts', override } },
  schemas: { input, output: { client: 'zod', mode: 'single', target: './orval/zod.ts', fileExtension: '.ts' } },
}
`,
  )
  writeFileSync(
    join(project, 'orval-fetch.ts'),
    `declare const process: { env: Record<string, string> }
export async function send<T>(path: string, options: RequestInit): Promise<T> {
  const headers = { ...(options.headers as Record<string, string>), Authorization: 'Bearer ' + process.env.SERVICE_KEY }
  const response = await fetch(new URL(path, process.env.SERVICE_URL), { ...options, headers })
  return { data: await response.json(), status: response.status, headers: response.headers } as T
}
`,
  )
  await run([tool('orval'), '--config', 'orval.config.cjs'])
  const result = await runClient(
    'orval.ts',
    `import { appraiseDevice, getPricing, listEvents } from './orval/client'
import * as zod from './orval/zod'
zod.ListEventsQueryParams.parse({ limit: 5 })
const events = await listEvents({ limit: 5 })
zod.ListEventsResponse.parse(events.data)
const pricing = await getPricing({ variant_id: '${VARIANT}' })
if (pricing.status !== 200) throw new Error('no price')
zod.GetPricingResponse.parse(pricing.data)
const appraisal = await appraiseDevice({ variant_id: '${VARIANT}', condition: 'Good' })
zod.AppraiseDeviceResponse.parse(appraisal.data)
console.log(JSON.stringify({ good: pricing.data.data.resale?.current.Good, status: appraisal.status }))
`,
  )
  expect(result).toEqual({ good: expect.any(Number), status: 200 })
})

test('the programs and every generated client that they import compile in strict mode', async () => {
  expect(programs).toHaveLength(3)
  const options =
    '--ignoreConfig --noEmit --allowImportingTsExtensions --strict --skipLibCheck --target es2022 --module esnext --moduleResolution bundler'
  await run([TSC, ...options.split(' '), '--lib', 'es2022,dom,dom.iterable', ...programs])
})

test('the documents have no spelling mistakes', async () => {
  const root = join(import.meta.dir, '../..')
  const documents = ['*.md', 'docs/*.md', 'lab/*.md', 'client/*.md', 'client/python/*.md']
  // Fails with the unknown words, file and line; the terms of this field are in cspell.json.
  await run([tool('cspell'), '--no-progress', '--no-summary', ...documents], root)
})
