import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { insertGeneratedTables } from './documentation-tables.ts'
import { parseProvider } from './sources/provider-settings.ts'

const FILE = join(import.meta.dir, '../../docs/risk.md')

// UPDATE_DOCS=1 rewrites the tables.
test('docs/risk.md contains the factors and the sandbox of the code', () => {
  const document = readFileSync(FILE, 'utf8')
  if (process.env.UPDATE_DOCS) writeFileSync(FILE, insertGeneratedTables(document))
  else expect(document).toBe(insertGeneratedTables(document))
  expect(document).toContain('<!-- table: factors -->')
  expect(document).toContain('<!-- table: sandbox -->')
})

test('the example source in docs/risk.md is valid', () => {
  const example = /```json\n([\s\S]*?)```/.exec(readFileSync(FILE, 'utf8'))?.[1] ?? ''
  const { sources } = JSON.parse(example.replace(`\${CHECKS_TOKEN}`, 'x'))
  expect(sources.map(parseProvider)).toMatchObject([{ provider: { name: 'gsma' }, mistakes: [] }])
})
