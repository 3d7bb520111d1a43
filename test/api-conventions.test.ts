import { describe, expect, test } from 'bun:test'
import { z } from 'zod'
import { CONDITIONS } from '../src/contract/condition-grades.ts'
import { type Endpoint, endpoints } from '../src/contract/endpoints.ts'
import { EVENT_TYPES } from '../src/contract/event-types.ts'

/** The conventions of CONTRIBUTING.md, "Conventions of the API", for every operation. */

const SNAKE_CASE = /^[a-z0-9]+(_[a-z0-9]+)*$/
/** Codes of errors are upper case, as the API document has them. */
const UPPER_CASE = /^[A-Z]+(_[A-Z]+)*$/
/** Names of settings of the program, which are those of its environment variables. */
const isSetting = (name: string) => UPPER_CASE.test(name)
const GRADES = new Set<string>(CONDITIONS)
const EVENTS = new Set<string>(EVENT_TYPES)
/** Values that others define: the API document, ISO 3166, an import format that is named like its publisher. */
const OTHERS_VALUES = new Set(['real-time', 'open-repair', '', 'US', 'GB', 'DE', 'FR', 'IT', 'ES', 'AU', 'CA'])

type Json = { readonly [name: string]: unknown }
type Found = { readonly fields: Set<string>; readonly values: Set<string> }

function collect(schema: unknown, found: Found): Found {
  if (Array.isArray(schema)) for (const each of schema) collect(each, found)
  if (!schema || typeof schema !== 'object' || Array.isArray(schema)) return found
  const { properties, enum: values, ...rest } = schema as Json
  if (Array.isArray(values)) for (const value of values) if (typeof value === 'string') found.values.add(value)
  for (const [name, property] of Object.entries((properties ?? {}) as Json)) {
    found.fields.add(name)
    collect(property, found)
  }
  for (const [keyword, part] of Object.entries(rest))
    if (!['examples', 'example', 'default', 'const', 'required'].includes(keyword)) collect(part, found)
  return found
}

function namesOf({ query, body, response }: Endpoint): Found {
  const found: Found = { fields: new Set(), values: new Set() }
  for (const schema of [query, body?.schema])
    if (schema) collect(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), found)
  return collect(z.toJSONSchema(response, { io: 'output', unrepresentable: 'any' }), found)
}

const parametersOf = ({ query }: Endpoint): string[] => (query instanceof z.ZodObject ? Object.keys(query.shape) : [])

for (const endpoint of endpoints as readonly Endpoint[]) {
  const { route, path, method, id, summary, description, permission, examples } = endpoint
  describe(route, () => {
    test('its path is plural nouns in kebab case, with parameters in braces', () => {
      for (const segment of path.split('/').slice(1))
        expect(segment).toMatch(/^(\{[a-z]+(_[a-z]+)*\}|[a-z]+(-[a-z]+)*)$/)
    })

    test('it has a permission, a summary without a full stop, a description and an example', () => {
      expect({ permission: typeof permission, examples: examples.length > 0 }).toEqual({
        permission: 'string',
        examples: true,
      })
      expect(summary).toMatch(/[^.]$/)
      expect(description).toMatch(/\.$/)
      expect(id).toMatch(/^[a-z]+([A-Z][a-z]+)+$/)
    })

    test('its fields are in snake case', () => {
      const odd = [...namesOf(endpoint).fields].filter(
        (name) => !SNAKE_CASE.test(name) && !GRADES.has(name) && !isSetting(name),
      )
      expect(odd).toEqual([])
    })

    test('its values are in snake case, but those that the API document or others define', () => {
      const odd = [...namesOf(endpoint).values].filter(
        (value) =>
          !SNAKE_CASE.test(value) &&
          !UPPER_CASE.test(value) &&
          !GRADES.has(value) &&
          !EVENTS.has(value) &&
          !OTHERS_VALUES.has(value),
      )
      expect(odd).toEqual([])
    })

    test('a list continues with `after`; numbered pages exist only where the API document has them', () => {
      const parameters = parametersOf(endpoint)
      if (parameters.includes('page')) expect(endpoint.paged).toBe(true)
      if (parameters.includes('after')) expect(parameters).toContain('limit')
      expect(parameters.filter((name) => ['cursor', 'offset', 'per_page', 'page_size'].includes(name))).toEqual([])
    })

    if (method === 'GET')
      test('reading changes nothing and has no body', () => {
        expect(endpoint.body).toBeUndefined()
      })

    if (path.endsWith('/batch'))
      test('a batch is sent by POST', () => {
        expect(method).toBe('POST')
      })
  })
}

describe('resources that can be listed and have an id', () => {
  const paths = new Set((endpoints as readonly Endpoint[]).map(({ route }) => route))
  for (const { method, path } of endpoints as readonly Endpoint[]) {
    const collection = /^(.*)\/\{id\}$/.exec(path)?.[1]
    if (method !== 'PATCH' || !collection) continue
    test(`${path} can be read`, () => {
      expect(paths).toContain(`GET ${path}`)
    })
  }
})
