import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { licencesSection } from '../scripts/licences.ts'
import { listSettings } from '../src/config.ts'
import { VERSION } from '../src/lib/version.ts'
import { insertFolderDrawing } from './support/folder-drawing.ts'

const root = join(import.meta.dir, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

test('every setting is in docs/operations.md with its default', () => {
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

test('the notice names every data folder, every TAC source and every share-alike file', () => {
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

test('docs/decisions/dependencies.md lists every shipped package with its licence', () => {
  // To update: bin/bun scripts/licences.ts
  expect(read('docs/decisions/dependencies.md')).toEndWith(licencesSection())
})

// UPDATE_DOCS=1 rewrites it.
test('the drawing in CONTRIBUTING.md shows the folders as they are', () => {
  const document = read('CONTRIBUTING.md')
  if (process.env.UPDATE_DOCS) writeFileSync(join(root, 'CONTRIBUTING.md'), insertFolderDrawing(document))
  else expect(document).toBe(insertFolderDrawing(document))
})

test('every benchmark that a document names exists', () => {
  const named = ['*.md', 'docs/*.md', 'docs/decisions/*.md', 'lab/*.md', 'bench/*.md', 'test/*.md']
    .flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(root)])
    .flatMap((page) => [...read(page).matchAll(/npm run bench ([a-z -]+)`/g)])
    .flatMap(([, subjects = '']) => subjects.trim().split(' '))
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((subject) => !existsSync(join(root, `bench/${subject}.ts`)))).toEqual([])
})

test('the changelog describes this version in 40 lines', () => {
  const release =
    read('CHANGELOG.md')
      .split(/^## /m)
      .find((section) => section.startsWith(`[${VERSION}]`)) ?? ''
  expect(release.split('\n').length).toBeWithin(10, 41)
})

/** Anchors of a page, as GitHub derives them from its headings. */
const anchorsOf = (page: string) =>
  [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

test('documents link only to existing files and headings and show only existing images', () => {
  const pages = [
    '*.md',
    'docs/*.md',
    'docs/decisions/*.md',
    'lab/*.md',
    'bench/*.md',
    'test/*.md',
    'client/*.md',
    'client/python/*.md',
  ].flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(root)])
  expect(pages.length).toBeGreaterThan(25)
  for (const page of pages) {
    const links = read(page).matchAll(/\]\((?![a-z]+:|\/)([^)\s]+)|(?:src|srcset)="(?!https?:)([^"]+)"/g)
    const missing = [...links]
      .map((match) => match[1] ?? match[2] ?? '')
      .filter((link) => {
        const [path = '', anchor] = link.split('#')
        const target = path ? join(dirname(page), path) : page
        if (!existsSync(join(root, target))) return true
        return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor)
      })
    expect({ page, missing }).toEqual({ page, missing: [] })
  }
})

test('files and folders named in the documents exist', () => {
  const pages = ['*.md', 'docs/*.md', 'lab/*.md', 'bench/*.md'].flatMap((pattern) => [
    ...new Bun.Glob(pattern).scanSync(root),
  ])
  const named = pages.flatMap((page) =>
    [...read(page).matchAll(/`((?:src|data|deploy|scripts|bench|lab|client|dashboard)\/[\w./-]+)`/g)].map(
      ([, path = '']) => ({ page, path }),
    ),
  )
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter(({ path }) => !existsSync(join(root, path)))).toEqual([])
})

test('tests named in test/README.md exist', () => {
  const named = [...read('test/README.md').matchAll(/`((?:test|src)\/[\w/-]+)`/g)].map(([, path = '']) => path)
  expect(named.length).toBeGreaterThan(50)
  const missing = named.filter((path) =>
    ['.test.ts', '.long.test.ts'].every((end) => !existsSync(join(root, path + end))),
  )
  expect(missing).toEqual([])
})
