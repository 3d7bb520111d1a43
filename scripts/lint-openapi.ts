/** Lints the generated OpenAPI document with the strictest rules of Redocly. Any finding fails. */
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { openApiJson } from '../src/contract/openapi.ts'

const config = await createConfig({ extends: ['recommended-strict'] })
const source = openApiJson({ baseUrl: 'http://127.0.0.1:3000', version: '0.0.0' })
const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })

for (const { severity, ruleId, message, location } of problems) {
  console.error(`${severity}  ${location[0]?.pointer ?? ''}  ${message} (${ruleId})`)
}
console.log(`openapi: ${problems.length} findings`)
process.exit(problems.length > 0 ? 1 : 0)
