import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { createByteSource, createTextSource } from './byte-source-service.ts'
import { readJsonDocument, readJsonItems, readNdjson } from './json.ts'

async function* pieces(text: string, chunk: number) {
  for (let at = 0; at < text.length; at += chunk) yield text.slice(at, at + chunk)
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

test('a line that is not JSON is reported with its number, and the others are read', async () => {
  expect(await all(readNdjson(pieces('{"a":1}\r\n\r\n{oops\n[2]', 3), 'file'))).toEqual([
    { line: 1, value: { a: 1 } },
    { line: 3, problem: 'not_json' },
    { line: 4, value: [2] },
  ])
})

test('a document without text is empty, not broken JSON', async () => {
  for (const text of ['', ' \n', '\uFEFF'])
    expect(readJsonDocument(createTextSource(text, 'file.json'))).rejects.toThrow('file.json is empty.')
})

const DOCUMENT =
  '{\n "format": "x, y]",\n "devices": [\n  {"a": "]}\\""},\n  [1, [2]], "t", 3\n ],\n "empty": [], "n": null, "o": {"p": [1]}\n}\n'

for (const chunk of [1, 2, 3, 10, 1000]) {
  test(`items come one by one with line and member name, in chunks of ${chunk}`, async () => {
    expect(await all(readJsonItems(pieces(DOCUMENT, chunk), 'file'))).toEqual([
      { line: 2, key: 'format', isElement: false, value: 'x, y]' },
      { line: 4, key: 'devices', isElement: true, value: { a: ']}"' } },
      { line: 5, key: 'devices', isElement: true, value: [1, [2]] },
      { line: 5, key: 'devices', isElement: true, value: 't' },
      { line: 5, key: 'devices', isElement: true, value: 3 },
      { line: 7, key: 'n', isElement: false, value: null },
      { line: 7, key: 'o', isElement: false, value: { p: [1] } },
    ])
  })
}

test('every array of JSON values is read as JSON.parse reads it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue()), fc.integer({ min: 1, max: 20 }), async (values, chunk) => {
      const items = await all(readJsonItems(pieces(JSON.stringify(values), chunk), 'file'))
      expect(items.map((item) => item.value)).toEqual(JSON.parse(JSON.stringify(values)))
    }),
    { numRuns: 200 },
  )
})

for (const [problem, text, message] of [
  ['nothing', '', 'is empty'],
  ['a bare word', 'hello', 'neither [ nor {'],
  ['half a file', '[{"a":1},', 'cut short'],
  ['a broken item', '[{"a":1},\n{"b":}]', 'not JSON near line 2'],
  ['a wrong bracket', '[1}', 'wrong closing bracket'],
  ['something after the end', '[] []', 'after its end'],
] as const) {
  test(`${problem} is rejected`, async () => {
    expect(all(readJsonItems(pieces(text, 4), 'file'))).rejects.toThrow(message)
  })
}

test('values that are nested deeper than any list are rejected, before they are parsed', async () => {
  const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`
  const message = 'nested more than 64 levels deep'
  await expect(all(readJsonItems(pieces(`[${deep}]`, 1000), 'file'))).rejects.toThrow(message)
  await expect(all(readJsonItems(pieces(`{"devices":${deep}}`, 1000), 'file'))).rejects.toThrow(message)
  await expect(readJsonDocument(createTextSource(`{"a":"[[{","b":${deep}}`, 'file.json'))).rejects.toThrow(message)
  expect(await all(readNdjson(pieces(`${deep}\n{"a":"${'['.repeat(100)}\\""}`, 1000), 'file'))).toEqual([
    { line: 1, problem: 'not_json' },
    { line: 2, value: { a: `${'['.repeat(100)}"` } },
  ])
})

test('reading an endless item stops with an error after 1 MiB', async () => {
  async function* endless() {
    yield '["'
    for (;;) yield 'x'.repeat(65536)
  }
  await expect(all(readJsonItems(endless(), 'file'))).rejects.toThrow('begins on line 1 is longer than 1 MiB')
})

test('reading a document over its size limit stops before the end', async () => {
  let bytesRead = 0
  const source = createByteSource('big.json', function* () {
    for (;;) {
      bytesRead += 65536
      yield Buffer.alloc(65536, 0x20)
    }
  })
  await expect(readJsonDocument(source, undefined, 1024 * 1024)).rejects.toThrow('larger than 1 MiB')
  expect(bytesRead).toBeLessThan(2 * 1024 * 1024)
  expect(await readJsonDocument(createTextSource('{"a":[1]}'))).toEqual({ a: [1] })
})
