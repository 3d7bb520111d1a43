import { describe, expect, test } from 'bun:test'
import { bundledDevices } from '../../src/catalog/bundled-catalogue-service.ts'
import { endpoints } from '../../src/contract/endpoints.ts'
import { exampleDevice } from '../../src/contract/examples.ts'
import { exampleResponse, type JsonObject, openApiDocument, openApiJson } from '../../src/contract/openapi.ts'

const options = { baseUrl: 'http://127.0.0.1:3000', version: '0.1.0' }
const document = openApiDocument(options)

describe('the OpenAPI document', () => {
  test('contains every endpoint of the contract and no other', () => {
    const listed = Object.entries(document.paths as JsonObject).flatMap(([path, item]) =>
      Object.keys(item as JsonObject).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(listed.sort()).toEqual(endpoints.map(({ method, path }) => `${method} ${path}`).sort())
  })

  test('contains the endpoints and tiers of the API document', () => {
    const promised = {
      'GET /api/devices': 'public',
      'GET /api/variants': 'public',
      'GET /api/pricing': 'paid',
      'GET /api/repairs': 'paid',
      'POST /api/imei': 'enterprise',
      'GET /api/imei': 'enterprise',
    }
    const tiers = Object.fromEntries(endpoints.map(({ method, path, tier }) => [`${method} ${path}`, tier]))
    expect(tiers).toMatchObject(promised)
  })

  test('is byte-identical every time', () => {
    expect(JSON.stringify(openApiDocument(options))).toBe(JSON.stringify(openApiDocument(options)))
    expect(openApiJson(options)).toBe(openApiJson(options))
  })

  test('a whole number outside the bounds of a parameter is rejected, and one without bounds is not', () => {
    const wrong: string[] = []
    for (const { route, query, examples } of endpoints) {
      const [method = '', path = ''] = route.split(' ')
      const item = (document.paths as JsonObject)[path] as JsonObject
      const { parameters } = item[method.toLowerCase()] as { parameters?: JsonObject[] }
      for (const { name, schema } of parameters ?? []) {
        const { type, minimum, maximum } = (schema ?? {}) as JsonObject
        if (type !== 'integer') continue
        const accepts = (value: number) => query.safeParse({ ...examples[0].query, [String(name)]: `${value}` }).success
        if (accepts(Number(minimum ?? 0) - 1) !== (minimum === undefined)) wrong.push(`${route} ${name} below`)
        if (accepts(Number(maximum ?? 1e9) + 1) !== (maximum === undefined)) wrong.push(`${route} ${name} above`)
      }
    }
    expect(wrong).toEqual([])
  })

  test('refers only to schemas it defines', () => {
    const references = JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)
    for (const [, pointer] of references) {
      const target = (pointer ?? '')
        .split('/')
        .reduce<unknown>((node, name) => (node as JsonObject | undefined)?.[name], document)
      expect(target, pointer).toBeDefined()
    }
  })

  test('describes every parameter and every field', () => {
    const bare: string[] = []
    const check = (node: unknown, path: string) => {
      if (typeof node !== 'object' || node === null) return
      const { properties } = node as { properties?: Record<string, JsonObject> }
      for (const [name, field] of Object.entries(properties ?? {})) {
        if (!field.description && !field.$ref && !field.anyOf) bare.push(`${path}.${name}`)
      }
      for (const [name, child] of Object.entries(node)) check(child, `${path}.${name}`)
    }
    const { schemas } = document.components as { schemas: Record<string, JsonObject> }
    for (const [name, schema] of Object.entries(schemas)) if (!name.endsWith('Response')) check(schema, name)
    expect(bare).toEqual([])
  })
})

describe('the examples', () => {
  for (const endpoint of endpoints) {
    test(`of ${endpoint.method} ${endpoint.path} are responses that the contract allows`, () => {
      for (const example of endpoint.examples) {
        const response = exampleResponse(endpoint, example, options.baseUrl)
        expect(endpoint.response.safeParse(response).error?.issues ?? []).toEqual([])
        if (endpoint.body) expect(endpoint.body.schema.safeParse(example.body).success).toBe(true)
      }
    })
  }
})

test('the device of the examples is in the bundled catalogue', () => {
  const known = bundledDevices().find((device) => device.id === exampleDevice.id)
  expect(known).toMatchObject({
    name: exampleDevice.name,
    modelNumbers: exampleDevice.model_numbers,
    modelIdentifiers: exampleDevice.model_identifiers,
    specifications: exampleDevice.technical_specifications,
    releasedOn: exampleDevice.release_date,
    releasePrecision: exampleDevice.release_date_precision,
    status: exampleDevice.status,
  })
  const [shown] = exampleDevice.variants
  expect(known?.variants.find((variant) => variant.id === shown?.id)).toMatchObject({
    sku: shown?.sku,
    listCents: shown?.price,
    partNumbers: shown?.part_numbers,
  })
})
