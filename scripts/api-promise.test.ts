import { describe, expect, test } from 'bun:test'
import { describePromise, findBreakingChanges, type OpenApi } from './api-promise.ts'

type Fields = Record<string, object>

const NAME = { type: 'string', minLength: 1, maxLength: 64, format: 'uri' }
const KIND = { enum: ['red', 'blue'] }
const LIMIT = { type: 'integer', minimum: 1, maximum: 100, default: 20 }
const SCORE = { type: 'integer', minimum: 0, maximum: 100 }

/** A document with one operation; `required` are the fields that are always there. */
function documentWith({
  request = { name: NAME, kind: KIND },
  requiredInRequest = ['name'],
  response = { id: { type: 'string' }, state: { type: 'string', enum: ['open', 'done'] } },
  requiredInResponse = ['id', 'state'],
  paths = ['/api/things'],
  tier = 'paid',
  limit = LIMIT,
  score = SCORE,
}: {
  request?: Fields
  requiredInRequest?: string[]
  response?: Fields
  requiredInResponse?: string[]
  paths?: string[]
  tier?: string
  limit?: object
  score?: object
}): OpenApi {
  const operation = {
    'x-tier': tier,
    parameters: [{ name: 'limit', in: 'query', schema: limit }],
    requestBody: { required: true, content: { 'application/json': { schema: { $ref: '#/components/schemas/New' } } } },
    responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } } },
  }
  return {
    paths: Object.fromEntries(paths.map((path) => [path, { post: operation }])),
    components: {
      schemas: {
        New: { type: 'object', properties: request, required: requiredInRequest },
        Thing: {
          type: 'object',
          properties: { ...response, score, parent: { $ref: '#/components/schemas/Thing' } },
          required: requiredInResponse,
        },
      },
    },
  }
}

const released = describePromise(documentWith({}))
const changesTo = (change: Parameters<typeof documentWith>[0]) =>
  findBreakingChanges(released, describePromise(documentWith(change))).map(({ change: text }) => text)

describe('a change that breaks callers is reported', () => {
  test.each([
    ['an operation goes', { paths: [] }, ['POST /api/things: removed']],
    [
      'a field of a response goes',
      { response: { id: { type: 'string' } }, requiredInResponse: ['id'] },
      ['POST /api/things response 200.state: removed'],
    ],
    [
      'a field of a response can be null',
      { response: { id: { type: ['string', 'null'] }, state: { enum: ['open', 'done'] } } },
      ['POST /api/things response 200.id: can now be null'],
    ],
    [
      'a field of a response can be absent',
      { requiredInResponse: ['id'] },
      ['POST /api/things response 200.state: can now be absent'],
    ],
    [
      'a request needs a new field',
      { request: { name: NAME, kind: KIND, size: { type: 'integer' } }, requiredInRequest: ['name', 'size'] },
      ['POST /api/things request body.size: is new and required'],
    ],
    [
      'a request accepts another type',
      { request: { name: { ...NAME, type: 'integer' }, kind: KIND } },
      ['POST /api/things request body.name: no longer accepts string'],
    ],
    [
      'a request accepts one value less',
      { request: { name: NAME, kind: { enum: ['red'] } } },
      ['POST /api/things request body.kind: no longer accepts "blue"'],
    ],
    [
      'a request accepts less text',
      { request: { name: { ...NAME, maxLength: 32 }, kind: KIND } },
      ['POST /api/things request body.name: maxLength was 64, is 32'],
    ],
    [
      'a request accepts another form of text',
      { request: { name: { ...NAME, format: 'email' }, kind: KIND } },
      ['POST /api/things request body.name: format was "uri", is "email"'],
    ],
    [
      'a parameter has another default and a higher minimum',
      { limit: { ...LIMIT, minimum: 5, default: 50 } },
      [
        'POST /api/things request query limit: default was 20, is 50',
        'POST /api/things request query limit: minimum was 1, is 5',
      ],
    ],
    [
      'a number of a response exceeds its maximum',
      { score: { ...SCORE, maximum: 1000 } },
      ['POST /api/things response 200.score: maximum was 100, is 1000'],
    ],
    ['an operation needs a higher tier', { tier: 'enterprise' }, ['POST /api/things: tier was paid, is enterprise']],
  ])('%s', (_, change, expected) => {
    expect(changesTo(change)).toEqual(expected)
  })
})

test('a field that one kind of event loses is reported, in responses and in webhooks', () => {
  const event = (type: string, fields: Fields) => ({
    properties: { type: { type: 'string', const: type }, id: { type: 'string' }, ...fields },
    required: ['type', 'id'],
  })
  const events = (moved: Fields, ended: Fields): OpenApi => {
    const schemas = { Moved: event('moved', moved), Ended: event('ended', ended) }
    const content = (schema: object) => ({ content: { 'application/json': { schema } } })
    const either = { oneOf: [{ $ref: '#/components/schemas/Moved' }, { $ref: '#/components/schemas/Ended' }] }
    return {
      paths: { '/api/events': { get: { responses: { 200: content(either) } } } },
      webhooks: { moved: { post: { requestBody: content({ $ref: '#/components/schemas/Moved' }) } } },
      components: { schemas },
    }
  }
  const price = { price: { type: 'integer' } }
  const before = describePromise(events(price, price))
  expect(
    findBreakingChanges(before, describePromise(events({}, price))).map(({ operation, change }) => [operation, change]),
  ).toEqual([
    ['GET /api/events', 'GET /api/events response 200|type="moved".price: removed'],
    ['WEBHOOK moved', 'WEBHOOK moved response body.price: removed'],
  ])
})

test('a new optional field with one value names no kind: the other fields of the object stay', () => {
  const outcome = (more: Fields) =>
    describePromise(
      documentWith({
        response: {
          id: { type: 'string' },
          state: { anyOf: [{ type: 'object', properties: { at: {}, ...more }, required: ['at'] }, { type: 'null' }] },
        },
      }),
    )
  expect(findBreakingChanges(outcome({}), outcome({ released: { type: 'boolean', const: true } }))).toEqual([])
})

describe('a change that keeps every promise is not reported', () => {
  test.each([
    ['nothing changes', {}],
    ['a lower tier', { tier: 'public' }],
    ['more text in a request, of any form', { request: { name: { type: 'string' }, kind: KIND } }],
    ['a parameter that accepts more', { limit: { ...LIMIT, minimum: 0, maximum: 200 } }],
    ['a number of a response within narrower limits', { score: { ...SCORE, maximum: 10 } }],
    ['a new operation', { paths: ['/api/things', '/api/others'] }],
    ['a new field in a response', { response: { id: { type: 'string' }, state: { enum: ['open', 'done'] }, at: {} } }],
    ['a new optional field in a request', { request: { name: NAME, kind: KIND, size: { type: 'integer' } } }],
    ['a field of a request that becomes optional', { requiredInRequest: [] }],
    [
      'a new value of an enum in a response',
      { response: { id: { type: 'string' }, state: { enum: ['open', 'done', 'lost'] } } },
    ],
  ])('%s', (_, change) => {
    expect(changesTo(change)).toEqual([])
  })
})
