import { describe, expect, test } from 'bun:test'
import { describePromise, findBreakingChanges, type OpenApi } from './api-promise.ts'

type Fields = Record<string, object>

/** A document with one operation; `required` are the fields that are always there. */
function documentWith({
  request = { name: { type: 'string' } },
  requiredInRequest = ['name'],
  response = { id: { type: 'string' }, state: { type: 'string', enum: ['open', 'done'] } },
  requiredInResponse = ['id', 'state'],
  paths = ['/api/things'],
}: {
  request?: Fields
  requiredInRequest?: string[]
  response?: Fields
  requiredInResponse?: string[]
  paths?: string[]
}): OpenApi {
  const operation = {
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
          properties: { ...response, parent: { $ref: '#/components/schemas/Thing' } },
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
      { request: { name: { type: 'string' }, size: { type: 'integer' } }, requiredInRequest: ['name', 'size'] },
      ['POST /api/things request body.size: is new and required'],
    ],
    [
      'a request accepts another type',
      { request: { name: { type: 'integer' } } },
      ['POST /api/things request body.name: no longer accepts string'],
    ],
  ])('%s', (_, change, expected) => {
    expect(changesTo(change)).toEqual(expected)
  })
})

describe('a change that keeps every promise is not reported', () => {
  test.each([
    ['nothing changes', {}],
    ['a new operation', { paths: ['/api/things', '/api/others'] }],
    ['a new field in a response', { response: { id: { type: 'string' }, state: { enum: ['open', 'done'] }, at: {} } }],
    ['a new optional field in a request', { request: { name: { type: 'string' }, size: { type: 'integer' } } }],
    ['a field of a request that becomes optional', { requiredInRequest: [] }],
    [
      'a new value of an enum in a response',
      { response: { id: { type: 'string' }, state: { enum: ['open', 'done', 'lost'] } } },
    ],
  ])('%s', (_, change) => {
    expect(changesTo(change)).toEqual([])
  })
})
