import { expect, test } from 'bun:test'
import { z } from 'zod'
import { idValue } from '../contract/values.ts'
import type { DomainError } from './errors.ts'
import { parseOrThrow } from './validate.ts'

const messageOf = (schema: z.ZodType, input: unknown, isSecret = false): string => {
  try {
    parseOrThrow(schema, input, { root: 'body', isSecret })
  } catch (error) {
    return (error as Error).message
  }
  return 'no error'
}

const field = (schema: z.ZodType) => z.object({ value: schema })

for (const [why, schema, value, expected] of [
  ['a missing text', z.string(), undefined, 'value is missing; expected text.'],
  ['a number instead of text', z.string(), 5, 'value was 5; expected text.'],
  ['text that is too short', z.string().min(12), 'short', 'value was "short"; expected at least 12 characters.'],
  ['an empty text', z.string().min(1), '', 'value was ""; expected at least 1 character.'],
  ['text that is too long', z.string().max(3), 'four', 'value was "four"; expected at most 3 characters.'],
  ['a number above the maximum', z.int().max(20), 21, 'value was 21; expected at most 20.'],
  ['a number that is too small', z.number().gt(0), 0, 'value was 0; expected more than 0.'],
  ['text instead of a number', z.int(), 'x', 'value was "x"; expected a number.'],
  ['a fraction', z.int(), 1.5, 'value was 1.5; expected a whole number.'],
  ['a coerced text', z.coerce.number(), 'x', 'value was "x"; expected a number.'],
  ['an unknown value of several', z.enum(['a', 'b']), 'c', 'value was "c"; expected one of a, b.'],
  ['an unknown value of one', z.literal('a'), 'c', 'value was "c"; expected a.'],
  ['text instead of a list', z.array(z.string()), 'x', 'value was "x"; expected an array.'],
  ['a list that is too long', z.array(z.int()).max(1), [1, 2], 'value was a list of 2 items; expected at most 1 item.'],
  ['text instead of an object', z.object({}), 'x', 'value was "x"; expected a JSON object.'],
  ['text instead of a record', z.record(z.string(), z.string()), 'x', 'value was "x"; expected a JSON object.'],
  [
    'a mistake in one of several forms',
    z.union([z.strictObject({ replaces: z.string() }), z.object({ name: z.string(), limit: z.int() })]),
    { name: 'till', limit: 1.5 },
    'value.limit was 1.5; expected a whole number.',
  ],
  ['text instead of yes or no', z.boolean(), 'x', 'value was "x"; expected true or false.'],
  [
    'a missing optional value that is required',
    z.string().optional().nonoptional(),
    undefined,
    'value is missing; expected a value.',
  ],
  [
    'a day that does not exist',
    z.iso.date(),
    '2026-02-30',
    'value was "2026-02-30"; expected a day such as 2026-11-16.',
  ],
  [
    'an instant without zone',
    z.iso.datetime(),
    '2026',
    'value was "2026"; expected an instant such as 2026-11-16T08:30:00Z.',
  ],
  ['text that is no URL', z.url(), 'x', 'value was "x"; expected a URL such as https://shop.example/.'],
  ['an unknown field', z.strictObject({}), { b: 1 }, 'value was {"b":1}; expected no field named b.'],
  ['an invalid id', idValue, 'a b', 'value was "a b"; expected an id of letters, digits and _.'],
  [
    'a value of no alternative',
    z.union([z.int(), z.boolean()]),
    'x',
    'value was "x"; expected a number, or true or false.',
  ],
] as const) {
  test(`the error for ${why} says in plain words what is expected`, () => {
    expect(messageOf(field(schema), { value })).toBe(expected)
  })
}

test('the error of a schema is used as it is', () => {
  expect(messageOf(field(z.string({ error: 'a colour' })), { value: 1 })).toBe('value was 1; expected a colour.')
})

test('the error for a body that may hold a password repeats no value, but tells missing from invalid', () => {
  const schema = field(z.string())
  expect(messageOf(schema, { value: 5 }, true)).toBe('value is invalid; expected text.')
  expect(messageOf(schema, {}, true)).toBe('value is missing; expected text.')
  expect(messageOf(schema, null, true)).toBe('body is invalid; expected a JSON object.')
})

test('an error names every wrong field once, the first one in its sentence, and at most 20', () => {
  const detailsOf = (schema: z.ZodType, input: unknown) => {
    try {
      parseOrThrow(schema, input, { root: 'body', prefix: 'items[0].' })
    } catch (error) {
      const { message, details } = error as DomainError
      return { message, fields: details.map(({ field }) => field) }
    }
    return null
  }
  const schema = z.object({ a: z.int().min(3).multipleOf(2), b: z.string(), c: z.object({ d: z.boolean() }) })
  expect(detailsOf(schema, { a: 1, b: 5, c: { d: 'x' } })).toEqual({
    message: 'items[0].a was 1; expected at least 3.',
    fields: ['items[0].a', 'items[0].b', 'items[0].c.d'],
  })
  const many = detailsOf(
    z.array(z.int()),
    Array.from({ length: 50 }, () => 'x'),
  )
  expect(many?.fields).toEqual(Array.from({ length: 20 }, (_, at) => `items[0].${at}`))
})
