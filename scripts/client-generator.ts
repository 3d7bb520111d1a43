import type { Json, JsonObject } from '../src/contract/openapi.ts'

/** The client's types and methods as TypeScript, from the OpenAPI document. */
export function generateClient(document: JsonObject): string {
  const { schemas } = document.components as { schemas: Record<string, JsonObject> }
  const operations = operationsOf(document)
  const types = Object.entries(schemas)
    .filter(([name]) => !name.endsWith('Response'))
    .map(([name, schema]) => `${comment(schema.description)}export type ${typeName(name)} = ${typeOf(schema)}`)
  return [
    '// Generated from the OpenAPI document of the service.',
    "import type { CallOptions } from './client.ts'",
    "import type { PagedRequest, PageMeta } from './paging.ts'",
    "import type { ApiRequest, ListRequest } from './response.ts'",
    '',
    ...types,
    `/** Error code, for programs. */\nexport type ErrorCode = ErrorObject['code']`,
    ...operations.filter(({ query }) => query.length > 0).map(queryType),
    SHARED_TYPES,
    `const OPERATIONS = {\n${operations.map(tableRow).join('\n')}\n} satisfies Record<string, Operation>`,
    `/** One method per endpoint. */\nexport abstract class Endpoints {\n${ABSTRACT_METHODS}\n${operations.map((one) => method(one, schemas)).join('\n')}\n}`,
  ].join('\n\n')
}

const SHARED_TYPES = `/** An endpoint. */
export type Operation = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly takesIdempotencyKey: boolean
  /** Whether a repeated request does no harm even without an idempotency key. */
  readonly isIdempotent: boolean
}

/** What a request is built from. */
export type RequestParts = {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}`

const ABSTRACT_METHODS = `  protected abstract readText(operation: Operation, parts: RequestParts, options?: CallOptions): ApiRequest<string>
  protected abstract read<Data>(operation: Operation, parts: RequestParts, options?: CallOptions): ApiRequest<Data>
  protected abstract readList<Item>(operation: Operation, parts: RequestParts, options?: CallOptions): ListRequest<Item>
  protected abstract list<Item, Meta extends PageMeta>(operation: Operation, parts: RequestParts, options?: CallOptions): PagedRequest<Item, Meta>
`

type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: JsonObject }
export type Operation = {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly spec: JsonObject
  readonly places: readonly string[]
  readonly query: readonly Parameter[]
  readonly body: JsonObject | undefined
  readonly takesIdempotencyKey: boolean
  readonly isIdempotent: boolean
}

export function operationsOf(document: JsonObject): Operation[] {
  const paths = document.paths as unknown as Record<string, Record<string, JsonObject>>
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, spec]) => {
      const parameters = (spec.parameters ?? []) as unknown as (Parameter & { $ref?: string })[]
      const body = spec.requestBody as JsonObject | undefined
      return {
        id: String(spec.operationId),
        method: method.toUpperCase(),
        path,
        spec,
        places: parameters.filter((one) => one.in === 'path').map(({ name }) => name),
        query: parameters.filter((one) => one.in === 'query' && !isFileParameter(one, parameters)),
        body: body && contentOf(body),
        takesIdempotencyKey: parameters.some(({ $ref }) => $ref?.endsWith('/Idempotency-Key')),
        isIdempotent: method !== 'post' || spec['x-idempotent'] === true,
      }
    }),
  )
}

const contentOf = (of: JsonObject) =>
  (of.content as unknown as Record<string, { schema: JsonObject }>)['application/json']?.schema ?? {}

/** Names that mean something else in every program. */
const RENAMED: Readonly<Record<string, string>> = { Error: 'ErrorObject', Event: 'ServiceEvent' }
const typeName = (name: string) => RENAMED[name] ?? name
const pascal = (id: string) => id.charAt(0).toUpperCase() + id.slice(1)
/** `format` and its `language`: clients return data, and `format=csv` would return a file. */
const isFileParameter = ({ name }: Parameter, parameters: readonly Parameter[]) =>
  parameters.some((parameter) => parameter.in === 'query' && parameter.name === 'format') &&
  ['format', 'language'].includes(name)

const queryName = ({ id }: Operation) => `${pascal(id)}Query`

function comment(text: Json | undefined): string {
  return typeof text === 'string' && text !== ''
    ? `/** ${text.replaceAll('*/', '*\\/').replace(/\s*\n+\s*/g, ' ')} */\n`
    : ''
}

/** The TypeScript type of a JSON Schema, as far as the document uses it. */
function typeOf(schema: JsonObject): string {
  if (typeof schema.$ref === 'string') return typeName(schema.$ref.split('/').at(-1) ?? '')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  const union = (schema.oneOf ?? schema.anyOf) as JsonObject[] | undefined
  if (union) return union.map(typeOf).join(' | ')
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type })).join(' | ')
  if (schema.type === 'array') return `(${typeOf((schema.items ?? {}) as JsonObject)})[]`
  if (schema.type === 'object') return objectType(schema)
  if (schema.type === 'integer') return 'number'
  return typeof schema.type === 'string' ? schema.type : 'unknown'
}

function objectType({ properties = {}, required = [], additionalProperties }: JsonObject): string {
  const fields = Object.entries(properties as Record<string, JsonObject>).map(([name, field]) => {
    const isRequired = (required as string[]).includes(name)
    return `${comment(field.description)}${name}${isRequired ? '' : '?'}: ${typeOf(field)}`
  })
  if (fields.length > 0) return `{\n${fields.join('\n')}\n}`
  return `Record<string, ${additionalProperties ? typeOf(additionalProperties as JsonObject) : 'unknown'}>`
}

function queryType(operation: Operation): string {
  const fields = operation.query.map(
    ({ name, required, description, schema }) =>
      `${comment(description)}${name}${required ? '' : '?'}: ${typeOf(schema)}`,
  )
  return `/** Query parameters of \`${operation.id}\`. */\nexport type ${queryName(operation)} = {\n${fields.join('\n')}\n}`
}

const tableRow = ({ id, method, path, takesIdempotencyKey, isIdempotent }: Operation) =>
  `${id}: { method: '${method}', path: '${path}', takesIdempotencyKey: ${takesIdempotencyKey}, isIdempotent: ${isIdempotent} },`

function method(operation: Operation, schemas: Record<string, JsonObject>): string {
  const { id, places, query, body, spec } = operation
  const isQueryRequired = query.some(({ required }) => required)
  // The body comes first and the query into the options: a body in the place of a query would end up in the URL.
  const isQueryOption = body !== undefined && query.length > 0
  const parameters = [
    ...places.map((name) => `${name}: string`),
    ...(body ? [`body: ${typeOf(body)}`] : []),
    ...(query.length > 0 && !isQueryOption ? [`query: ${queryName(operation)}${isQueryRequired ? '' : ' = {}'}`] : []),
    !isQueryOption
      ? 'options?: CallOptions'
      : isQueryRequired
        ? `options: CallOptions & { readonly query: ${queryName(operation)} }`
        : `options?: CallOptions & { readonly query?: ${queryName(operation)} }`,
  ]
  const requestFields = [
    ...(places.length > 0 ? [`params: { ${places.join(', ')} }`] : []),
    ...(query.length > 0 ? [isQueryOption ? 'query: options?.query ?? {}' : 'query'] : []),
    ...(body ? ['body'] : []),
  ]
  const { data, meta, isFile } = responseType(operation, schemas)
  const isPaged = meta !== undefined
  const more = meta === 'PaginationMeta' ? '' : `, ${meta}`
  const isList = !isPaged && data.type === 'array'
  const item = () => typeOf(data.items as JsonObject)
  const call = isFile ? 'readText' : isPaged ? 'list' : isList ? 'readList' : 'read'
  const returns = isPaged
    ? `PagedRequest<${item()}${more}>`
    : isList
      ? `ListRequest<${item()}>`
      : `ApiRequest<${typeOf(data)}>`
  return `${comment(`${String(spec.summary)}. ${String(spec.description)}`)}${id}(${parameters.join(', ')}): ${returns} {
  return this.${call}(OPERATIONS.${id}, { ${requestFields.join(', ')} }, options)
}
`
}

/** Schemas of `meta` of a paged list: by page number, by cursor, or both. */
const PAGED_BY = ['PaginationMeta', 'CursorMeta', 'HistoryMeta']

/** Schema of `data` in the response envelope, and the name of its `meta` if it is a page; of a file, its text. */
export function responseType(
  { spec }: Operation,
  schemas: Record<string, JsonObject>,
): { data: JsonObject; meta: string | undefined; isFile: boolean } {
  const { '200': ok } = spec.responses as unknown as Record<string, JsonObject>
  const schemaName = (schema: JsonObject) => String(schema.$ref).split('/').at(-1) ?? ''
  if (!Object.hasOwn(ok?.content as JsonObject, 'application/json')) {
    return { data: { type: 'string' }, meta: undefined, isFile: true }
  }
  const envelope = schemas[schemaName(contentOf(ok ?? {}))] ?? {}
  const { data = {}, meta = {} } = envelope.properties as Record<string, JsonObject>
  // A thing that holds a page, such as a person with purchases, is returned as it is.
  const isPage = data.type === 'array'
  return { data, meta: PAGED_BY.find((name) => isPage && name === schemaName(meta)), isFile: false }
}
