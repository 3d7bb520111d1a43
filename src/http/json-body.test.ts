import { describe, expect, test } from 'bun:test'
import { ApiError } from './api-error.ts'
import { parseStrictJson, readJsonBody } from './json-body.ts'

const TOO_MANY_KEYS = '400 The body has more than 40000 keys, or an object with more than 1000.'
const TOO_MANY_VALUES = '400 The body has more than 100000 values.'
const objectWithKeys = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 1])))

function refusal(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    if (error instanceof ApiError) return `${error.status} ${error.message}`
    throw error
  }
  return 'accepted'
}

describe('a JSON body', () => {
  test('is parsed', () => {
    expect(parseStrictJson(' {"a": [1, {"b": "x:\\"y"}], "c": null} ')).toEqual({ a: [1, { b: 'x:"y' }], c: null })
  })

  for (const [why, text, expected] of [
    ['empty', '  ', '400 The body is empty; a JSON object is expected.'],
    ['broken', '{"a":', '400 The body is not valid JSON.'],
    ['an open string', '{"a', '400 The body is not valid JSON.'],
    ['the same key twice', '{"a":1,"a":2}', '400 The body has the field "a" twice.'],
    ['the same key twice, spelled differently', '{"a":1,"\\u0061":2}', '400 The body has the field "a" twice.'],
    ['__proto__', '{"__proto__":{"x":1}}', '400 The body must not have a field named "__proto__".'],
    ['nested too deep', `${'['.repeat(33)}${']'.repeat(33)}`, '400 The body is nested deeper than 32 levels.'],
    ['an object with too many keys', objectWithKeys(1_001), TOO_MANY_KEYS],
    ['many objects with too many keys in all', `[${Array(41).fill(objectWithKeys(1_000)).join(',')}]`, TOO_MANY_KEYS],
    ['too many values', `[${'1,'.repeat(100_000)}1]`, TOO_MANY_VALUES],
    ['too many empty objects', `[${'{},'.repeat(100_000)}{}]`, TOO_MANY_VALUES],
    ['too many lists of one', `[${'[[[1]]],'.repeat(30_000)}1]`, TOO_MANY_VALUES],
    ['nested far too deep', '['.repeat(60_000), '400 The body is nested deeper than 32 levels.'],
  ] as const) {
    test(`that is ${why} is rejected with a message`, () => expect(refusal(() => parseStrictJson(text))).toBe(expected))
  }

  test('may have quotes and backslashes in its texts and keys', () => {
    const body = { '"': '\\', '\\"': '"\\', 'a\\': ['\\\\"', ',{[', '"'] }
    expect(parseStrictJson(JSON.stringify(body))).toEqual(body)
    expect(refusal(() => parseStrictJson('{"a\\\\":1,"a\\\\":2}'))).toBe('400 The body has the field "a\\" twice.')
  })

  test('may repeat a key in sibling objects and be 32 deep', () => {
    expect(refusal(() => parseStrictJson('[{"a":1},{"a":2}]'))).toBe('accepted')
    expect(refusal(() => parseStrictJson(`${'['.repeat(32)}${']'.repeat(32)}`))).toBe('accepted')
  })

  const request = (body: BodyInit, headers: Record<string, string> = {}) =>
    new Request('http://a/', { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })
  const read = (bytes: Uint8Array<ArrayBuffer> | string, type = 'application/json') =>
    readJsonBody(request(bytes, { 'content-type': type }), 100)
  const stream = (...pieces: string[]) =>
    new ReadableStream({
      async pull(controller) {
        const next = pieces.shift()
        if (next === 'never') await new Promise(() => {})
        else if (next === 'broken') controller.error(new Error('the line was cut'))
        else if (next === undefined) controller.close()
        else controller.enqueue(new TextEncoder().encode(next))
      },
    })

  test('that arrives in chunks is read completely', async () => {
    expect(await readJsonBody(request(stream('{"a"', ':1}')), 100)).toEqual({ a: 1 })
  })

  for (const [fault, status, pieces] of [
    ['too large', 413, ['x'.repeat(60), 'x'.repeat(60), 'never']],
    ['late', 408, ['{"a"', 'never']],
    ['cut short', 400, ['{"a"', 'broken']],
  ] as const) {
    test(`that is ${fault} is rejected with ${status}`, () =>
      expect(readJsonBody(request(stream(...pieces)), 100, 50)).rejects.toMatchObject({ status }))
  }

  test('with a Content-Length over the limit is rejected before it is read', () => {
    const sent = request(stream('never'), { 'content-length': '101' })
    return expect(readJsonBody(sent, 100)).rejects.toMatchObject({ status: 413 })
  })

  test('of another media type, charset or encoding is rejected', async () => {
    expect(read('{}', 'text/plain')).rejects.toMatchObject({ status: 415 })
    expect(read('{}', 'application/json; charset=utf-16')).rejects.toMatchObject({ status: 415 })
    expect(read(new Uint8Array([0x7b, 0xff, 0x7d]))).rejects.toMatchObject({ status: 400 })
    expect(await read('{"a":1}', 'Application/JSON; charset=UTF-8')).toEqual({ a: 1 })
  })
})

test('a body with a Content-Encoding is rejected with 415 and never decompressed', async () => {
  const bytes = Bun.gzipSync('{"a":1}')
  const send = (encoding: string, body: BodyInit) =>
    readJsonBody(
      new Request('http://a', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Content-Encoding': encoding },
        body,
      }),
      1_000,
    )
  for (const encoding of ['gzip', 'br', 'identity, gzip', 'x'.repeat(200)]) {
    await expect(send(encoding, bytes)).rejects.toMatchObject({ status: 415, headers: { Connection: 'close' } })
  }
  expect(await send('Identity', '{"a":1}')).toEqual({ a: 1 })
})
