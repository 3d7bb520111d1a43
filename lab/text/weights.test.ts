import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import header from '../../data/text/weights.json' with { type: 'json' }
import { LABELS } from '../../src/text/labels.ts'
import { corpusHash, labelledText, readCorpus } from './corpus.ts'
import { kernelBytes } from './matrix-kernel.ts'
import { TEXT_DATA } from './pack.ts'

test('the weights were learned from the corpus and the labels of this version', () => {
  expect(header.corpus).toBe(corpusHash())
  expect(header.labels).toEqual([...LABELS])
})

test('the weights take at most 8 MB', () => {
  expect(readFileSync(join(TEXT_DATA, 'weights.bin')).length).toBeLessThanOrEqual(8 * 1024 ** 2)
})

test('the WebAssembly function is the build of its source', async () => {
  const built = Buffer.from(await kernelBytes())
  expect(built.equals(readFileSync(join(TEXT_DATA, 'matrix.wasm')))).toBe(true)
})

test('every line of the corpus can be read', () => {
  const texts = readCorpus()
  expect(texts.length).toBeGreaterThan(0)
  expect(texts.filter(({ text }) => text.trim() === '' || /\[[~?]?[a-z_]+\|/.test(text))).toEqual([])
})

test('marks name the words of a statement and leave the text as it was written', () => {
  const line = {
    text: 'iPhone 12, [cracked_back|Rückseite gesprungen], [~cracked_screen:absent|Display ohne Kratzer]',
    writer: 'w1',
  }
  const { text, marks, defects } = labelledText(line, 'de')
  expect(text).toBe('iPhone 12, Rückseite gesprungen, Display ohne Kratzer')
  expect(marks.map(({ from, to, code, says, reason }) => [text.slice(from, to), code, says, reason])).toEqual([
    ['Rückseite gesprungen', 'cracked_back', 'present', null],
    ['Display ohne Kratzer', 'cracked_screen', 'not', 'absent'],
  ])
  expect([...defects]).toEqual(['cracked_back'])
})
