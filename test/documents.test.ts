import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { listSettings } from '../src/config.ts'
import { VERSION } from '../src/lib/version.ts'

const root = join(import.meta.dir, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

test('every setting stands in docs/operations.md with its default', () => {
  const operations = read('docs/operations.md')
  const table = operations.slice(operations.indexOf('## Settings'), operations.indexOf('## Organizations'))
  const rows = table.split('\n').filter((line) => line.startsWith('| `'))
  const missing = listSettings({}).filter(({ name, value }) => {
    const short = name.replace(/^RATE_LIMIT(?=_)/, '')
    const row = rows.find((line) => line.includes(`\`${name}\``) || line.includes(`\`${short}\``))
    return !row || (value !== '' && !row.includes(`\`${value}\``))
  })
  expect(missing.map(({ name, value }) => `${name}=${value}`)).toEqual([])
})

test('the notice names every folder of data, every TAC source, and every file that is share-alike', () => {
  const notice = read('data/NOTICE')
  for (const entry of readdirSync(join(root, 'data'), { withFileTypes: true })) {
    if (entry.isDirectory()) expect(notice).toContain(`\n${entry.name}/`)
  }
  const lines = JSON.parse(read('data/tacs/phones.json')) as { seenIn: string[] }[]
  for (const source of new Set(lines.flatMap(({ seenIn }) => seenIn))) expect(notice).toContain(`"${source}"`)
  for (const name of readdirSync(join(root, 'data/repairs'))) {
    if (read(`data/repairs/${name}`).includes('CC BY-SA')) expect(notice).toContain(`SHARE-ALIKE: ${name}`)
  }
})

test('the changelog knows this version and has a place for what comes', () => {
  const headings = [...read('CHANGELOG.md').matchAll(/^## \[(.+?)\]/gm)].map((match) => match[1])
  expect(headings[0]).toBe('Unreleased')
  expect(headings).toContain(VERSION)
})

test('documents link only to existing files and show only existing images', () => {
  const inDocs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'))
  const papers = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'client/README.md', 'lab/README.md']
  for (const paper of [...papers, ...inDocs.map((name) => `docs/${name}`)]) {
    const links = read(paper).matchAll(/\]\((?![a-z]+:|\/|#)([^)#\s]+)|(?:src|srcset)="(?!https?:)([^"]+)"/g)
    const missing = [...links]
      .map((match) => match[1] ?? match[2] ?? '')
      .filter((path) => !existsSync(join(root, dirname(paper), path)))
    expect({ paper, missing }).toEqual({ paper, missing: [] })
  }
})
