import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openApiJson } from '../src/contract/openapi.ts'

/** Words that readers of the public texts stumbled over. */
const UNCLEAR_WORDS = /\b(?:mend(?:s|ed|ing)?|reckon\w*|dear(?:er|est)|on board|whoever|for want of|puts? up with)\b/gi

const ROOT = join(import.meta.dir, '..')
const PAGES = ['README.md', 'client/README.md', ...new Bun.Glob('docs/*.md').scanSync(ROOT)]

test('the OpenAPI document is written in plain English', () => {
  const document = openApiJson({ baseUrl: 'http://127.0.0.1:3000', version: '0.1.0' })
  expect(document.match(UNCLEAR_WORDS) ?? []).toEqual([])
})

test('the documentation is written in plain English', () => {
  const unclear = PAGES.flatMap((page) =>
    readFileSync(join(ROOT, page), 'utf8')
      .split('\n')
      .flatMap((text, at) => [...text.matchAll(UNCLEAR_WORDS)].map(([word]) => `${page}:${at + 1} ${word}`)),
  )
  expect(unclear).toEqual([])
})
