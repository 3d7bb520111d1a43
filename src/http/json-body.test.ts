import { describe, expect, test } from 'bun:test'
import { ApiError } from '../errors.ts'
import { readJson, readJsonBody } from './json-body.ts'

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
  test('is read as it stands', () => {
    expect(readJson(' {"a": [1, {"b": "x:\\"y"}], "c": null} ')).toEqual({ a: [1, { b: 'x:"y' }], c: null })
  })

  for (const [why, text, said] of [
    ['empty', '  ', '400 The body is empty; a JSON object is expected.'],
    ['broken', '{"a":', '400 The body is not valid JSON.'],
    ['an open string', '{"a', '400 The body is not valid JSON.'],
    ['the same key twice', '{"a":1,"a":2}', '400 The body has the field "a" twice.'],
    ['the same key twice, spelled differently', '{"a":1,"\\u0061":2}', '400 The body has the field "a" twice.'],
    ['__proto__', '{"__proto__":{"x":1}}', '400 The body must not have a field named "__proto__".'],
    ['too deep', `${'['.repeat(33)}${']'.repeat(33)}`, '400 The body is nested deeper than 32 levels.'],
    ['absurdly deep', '['.repeat(60_000), '400 The body is nested deeper than 32 levels.'],
  ] as const) {
    test(`that is ${why} is refused with a sentence`, () => expect(refusal(() => readJson(text))).toBe(said))
  }

  test('may repeat a key in sibling objects and be 32 deep', () => {
    expect(refusal(() => readJson('[{"a":1},{"a":2}]'))).toBe('accepted')
    expect(refusal(() => readJson(`${'['.repeat(32)}${']'.repeat(32)}`))).toBe('accepted')
  })

  const post = (body: BodyInit, type = 'application/json') =>
    new Request('http://x/', { method: 'POST', body, headers: { 'content-type': type } })

  test('is refused at the limit without reading on', async () => {
    let pulled = 0
    const endless = new ReadableStream({
      pull(controller) {
        pulled++
        controller.enqueue(new Uint8Array(16_384).fill(32))
      },
    })
    expect(readJsonBody(post(endless), 65_536)).rejects.toMatchObject({ status: 413 })
    await readJsonBody(post(new ReadableStream({ pull: (c) => c.enqueue(new Uint8Array(70_000)) })), 65_536).catch(
      () => {},
    )
    expect(pulled).toBeLessThan(10)
  })

  test('of another media type, charset or encoding is refused', async () => {
    expect(readJsonBody(post('{}', 'text/plain'), 100)).rejects.toMatchObject({ status: 415 })
    expect(readJsonBody(post('{}', 'application/json; charset=utf-16'), 100)).rejects.toMatchObject({ status: 415 })
    expect(readJsonBody(post(new Uint8Array([0x7b, 0xff, 0x7d])), 100)).rejects.toMatchObject({ status: 400 })
    expect(await readJsonBody(post('{"a":1}', 'Application/JSON; charset=UTF-8'), 100)).toEqual({ a: 1 })
  })
})
