/**
 * Lints the generated OpenAPI document with the strictest rules of Redocly and compares it with the last release. Any
 * finding fails, and so does a change that breaks callers unless the first section of the changelog names its operation.
 * `--release` writes the promise of this version to released-api.json, as part of a release.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { openApiJson } from '../src/contract/openapi.ts'
import { type ApiPromise, describePromise, findBreakingChanges } from './api-promise.ts'

const ROOT = join(import.meta.dir, '..')
const RELEASED_FILE = join(import.meta.dir, 'released-api.json')

const source = openApiJson({ baseUrl: 'http://127.0.0.1:3000', version: '0.0.0' })
const promise = describePromise(JSON.parse(source))
if (process.argv.includes('--release')) {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  writeFileSync(RELEASED_FILE, `${JSON.stringify({ version, promise }, null, 2)}\n`)
}

const config = await createConfig({ extends: ['recommended-strict'] })
const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })
for (const { severity, ruleId, message, location } of problems) {
  console.error(`${severity}  ${location[0]?.pointer ?? ''}  ${message} (${ruleId})`)
}

const released: { version: string; promise: ApiPromise } = JSON.parse(readFileSync(RELEASED_FILE, 'utf8'))
const [, latest = ''] = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8').split(/^## /m)
const unnamed = findBreakingChanges(released.promise, promise).filter(
  ({ operation }) => !latest.includes(`\`${operation}\``),
)
for (const { operation, change } of unnamed) {
  console.error(`breaks callers of ${released.version}: ${change}. Keep it, or name \`${operation}\` in CHANGELOG.md.`)
}
console.log(
  `openapi: ${problems.length} findings, ${unnamed.length} changes since ${released.version} that break callers`,
)
process.exit(problems.length + unnamed.length > 0 ? 1 : 0)
