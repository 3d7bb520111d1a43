import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadCommands } from '../src/cli/commands.ts'
import { openApiJson } from '../src/contract/openapi.ts'

/** Unclear words that must not appear in public texts. */
const UNCLEAR_WORDS = /\b(?:mend(?:s|ed|ing)?|reckon\w*|dear(?:er|est)|on board|whoever|for want of|puts? up with)\b/gi

const ROOT = join(import.meta.dir, '..')

/** Unclear words in the files, with their lines. */
const unclearIn = (files: Iterable<string>) =>
  [...files].flatMap((file) =>
    readFileSync(join(ROOT, file), 'utf8')
      .split('\n')
      .flatMap((text, at) => [...text.matchAll(UNCLEAR_WORDS)].map(([word]) => `${file}:${at + 1} ${word}`)),
  )

const filesOf = (pattern: string) =>
  [...new Bun.Glob(pattern).scanSync(ROOT)].filter((file) => !/node_modules|\.test\.tsx?$/.test(file))

test('the OpenAPI document is written in plain English', () => {
  const document = openApiJson({ baseUrl: 'http://127.0.0.1:3000', version: '0.1.0' })
  expect(document.match(UNCLEAR_WORDS) ?? []).toEqual([])
})

test('the documentation is written in plain English', () => {
  expect(unclearIn(['README.md', 'client/README.md', ...filesOf('docs/*.md'), ...filesOf('lab/*.md')])).toEqual([])
})

test('the help of every command is written in plain English', async () => {
  const texts = (await loadCommands()).map(({ name, usage, help, details }) => `${name} ${usage}\n${help}\n${details}`)
  expect(texts.length).toBeGreaterThan(20)
  expect(texts.join('\n').match(UNCLEAR_WORDS) ?? []).toEqual([])
})

test('the dashboard, the command line, imports and the catalogue are written in plain English', () => {
  const sources = ['dashboard/**/*.{ts,tsx,json}', 'src/{cli,import,catalog}/**/*.ts'].flatMap(filesOf)
  expect(sources.length).toBeGreaterThan(200)
  expect(unclearIn(sources)).toEqual([])
})
