/** Lints the generated OpenAPI document with Spectral's OpenAPI rules. Any warning or error fails. */
import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { openApiJson } from '../src/contract/openapi.ts'

const LEVELS = ['error', 'warning', 'note', 'hint'] as const

const spectral = new Spectral()
spectral.setRuleset({ extends: [oas as RulesetDefinition] })

const document = openApiJson({ baseUrl: 'http://127.0.0.1:3000', version: '0.0.0' })
const findings = await spectral.run(JSON.parse(document))

for (const finding of findings) {
  console.error(`${LEVELS[finding.severity]}  ${finding.path.join('.')}  ${finding.message} (${finding.code})`)
}
const serious = findings.filter((finding) => finding.severity <= 1).length
console.log(`openapi: ${findings.length} findings, ${serious} of them errors or warnings`)
process.exit(serious > 0 ? 1 : 0)
