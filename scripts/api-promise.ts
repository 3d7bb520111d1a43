import { type Tier, tierIncludes } from '../src/contract/tiers.ts'

/**
 * What the OpenAPI document promises to callers, as a flat list of fields, and the changes of it that break a caller:
 * a response loses a field, gains a type or leaves its limits, a request needs more or accepts less, an operation needs a
 * higher tier or another right.
 */
type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly additionalProperties?: Schema | boolean
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
} & Readonly<Partial<Record<Bound, number>>> &
  Readonly<Partial<Record<(typeof EXACT_TERMS)[number], unknown>>>
type Parameter = {
  readonly $ref?: string
  readonly name?: string
  readonly in?: string
  readonly required?: boolean
  readonly schema?: Schema
}
type Content = { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }
type Operation = {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: Content & { readonly required?: boolean }
  readonly responses?: Readonly<Record<string, Content & { readonly $ref?: string }>>
  readonly 'x-tier'?: string
  readonly 'x-right'?: string
}
type PathItems = Readonly<Record<string, Readonly<Record<string, Operation>>>>
export type OpenApi = {
  readonly paths: PathItems
  readonly webhooks?: PathItems
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> } & Readonly<Record<string, unknown>>
}

/** The types of a field and its terms, such as `maxLength=64`, in text order, such as `null string`, with a `?` if it may be absent. */
export type ApiPromise = Readonly<Record<string, string>>
export type BreakingChange = { readonly operation: string; readonly change: string }

const UPPER_BOUNDS = ['maximum', 'maxLength', 'maxItems'] as const
const LOWER_BOUNDS = ['minimum', 'minLength', 'minItems'] as const
const BOUNDS = [...UPPER_BOUNDS, ...LOWER_BOUNDS]
type Bound = (typeof BOUNDS)[number]
/** Terms that mean something else with any other value. */
const EXACT_TERMS = ['default', 'format', 'pattern'] as const

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete'])
const JSON_TYPE = 'application/json'

export function describePromise(document: OpenApi): ApiPromise {
  const fields = new Map<string, Set<string>>()
  const resolve = <Value extends { readonly $ref?: string }>(value: Value): Value => {
    if (!value.$ref) return value
    const [, , kind = '', name = ''] = value.$ref.split('/')
    return ((document.components?.[kind] ?? {}) as Record<string, Value>)[name] as Value
  }
  const add = (path: string, types: readonly string[]) => {
    const known = fields.get(path) ?? new Set()
    for (const type of types) known.add(type)
    fields.set(path, known)
  }
  const visit = (path: string, schema: Schema, isOptional: boolean, visiting: readonly string[]): void => {
    // A schema that contains itself promises nothing new further down.
    if (schema.$ref && visiting.includes(schema.$ref)) return
    const inside = schema.$ref ? [...visiting, schema.$ref] : visiting
    const resolved = resolve(schema)
    const { type, const: only, enum: values, properties = {}, required = [], ...rest } = resolved
    const literals = values ?? (only === undefined ? [] : [only])
    const types = typeof type === 'string' ? [type] : (type ?? [])
    add(path, [
      ...(literals.length > 0 ? literals.map((value) => JSON.stringify(value)) : types),
      ...(isOptional ? ['?'] : []),
      ...[...BOUNDS, ...EXACT_TERMS].flatMap((term) =>
        resolved[term] === undefined ? [] : [`${term}=${JSON.stringify(resolved[term]).replaceAll(' ', '\\u0020')}`],
      ),
    ])
    for (const [name, property] of Object.entries(properties)) {
      visit(`${path}.${name}`, property, !required.includes(name), inside)
    }
    if (rest.items) visit(`${path}[]`, rest.items, false, inside)
    if (typeof rest.additionalProperties === 'object') visit(`${path}.*`, rest.additionalProperties, false, inside)
    for (const branch of [...(rest.oneOf ?? []), ...(rest.anyOf ?? []), ...(rest.allOf ?? [])]) {
      visit(path + (path.includes(' response ') ? kindOf(resolve(branch)) : ''), branch, isOptional, inside)
    }
  }
  for (const [type, { post }] of Object.entries(document.webhooks ?? {})) {
    add(`WEBHOOK ${type}`, ['operation'])
    // What the service sends is a response to the receiver.
    const schema = post?.requestBody?.content?.[JSON_TYPE]?.schema
    if (schema) visit(`WEBHOOK ${type} response body`, schema, false, [])
  }
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (!METHODS.has(method)) continue
      const name = `${method.toUpperCase()} ${path}`
      const { 'x-tier': tier, 'x-right': right } = operation
      add(name, ['operation', ...(tier ? [`tier=${tier}`] : []), ...(right ? [`right=${right}`] : [])])
      for (const sent of operation.parameters ?? []) {
        const { name: parameter, in: place, required = false, schema = {} } = resolve(sent)
        visit(`${name} request ${place} ${parameter}`, schema, !required, [])
      }
      const body = operation.requestBody
      if (body?.content?.[JSON_TYPE]?.schema) {
        visit(`${name} request body`, body.content[JSON_TYPE].schema, body.required !== true, [])
      }
      for (const [status, response] of Object.entries(operation.responses ?? {})) {
        if (!status.startsWith('2')) continue
        for (const [mediaType, { schema }] of Object.entries(resolve(response).content ?? {})) {
          const place = `${name} response ${status}`
          if (schema) visit(mediaType === JSON_TYPE ? place : `${place} ${mediaType}`, schema, false, [])
        }
      }
    }
  }
  return Object.fromEntries(
    [...fields]
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([path, types]) => [path, [...types].sort().join(' ')]),
  )
}

/** Names a branch of a union by its constants, such as `|type="price.changed"`: each branch keeps its own fields. */
const kindOf = ({ properties = {}, required = [] }: Schema): string =>
  Object.entries(properties)
    .filter(([name]) => required.includes(name))
    .flatMap(([name, { const: only }]) => (only === undefined ? [] : [`|${name}=${JSON.stringify(only)}`]))
    .join('')

export function findBreakingChanges(released: ApiPromise, current: ApiPromise): BreakingChange[] {
  const changes: BreakingChange[] = []
  const report = (path: string, change: string) =>
    changes.push({ operation: path.split(' ').slice(0, 2).join(' '), change: `${path}: ${change}` })
  for (const [path, promised] of Object.entries(released)) {
    const now = current[path]
    const part = path.split(' ')[2]
    const isRequest = part === 'request'
    if (now === undefined) {
      // A removed operation is one change, not one per field.
      const operation = path.split(' ').slice(0, 2).join(' ')
      if (path === operation || current[operation] !== undefined) report(path, 'removed')
      continue
    }
    for (const change of changedTerms(promised, now, part)) report(path, change)
    const lost = missingFrom(promised, now).filter((type) => !isTerm(type))
    const gained = missingFrom(now, promised).filter((type) => !isTerm(type))
    if (isRequest && lost.length > 0) report(path, `no longer accepts ${lost.join(', ').replace('?', 'its absence')}`)
    // More values of an enum do not break a reader; another type, null or absence does.
    const types = gained.filter((type) => !type.startsWith('"'))
    if (!isRequest && types.length > 0) report(path, `can now be ${types.join(', ').replace('?', 'absent')}`)
  }
  for (const [path, types] of Object.entries(current)) {
    const [method, route, part] = path.split(' ')
    const isNewField =
      part === 'request' && released[path] === undefined && released[`${method} ${route}`] !== undefined
    const parent = path.slice(0, Math.max(path.lastIndexOf('.'), path.lastIndexOf('[')))
    const hasReleasedParent = parent === '' || released[parent] !== undefined || path.split(' ').length === 5
    if (isNewField && hasReleasedParent && !types.split(' ').includes('?') && !path.endsWith('[]')) {
      report(path, 'is new and required')
    }
  }
  return changes
}

const isTerm = (type: string) => /^[a-zA-Z]+=/.test(type)

function termsOf(types: string): ReadonlyMap<string, string[]> {
  const terms = new Map<string, string[]>()
  for (const type of types.split(' ').filter(isTerm)) {
    const at = type.indexOf('=')
    const name = type.slice(0, at)
    terms.set(name, [...(terms.get(name) ?? []), type.slice(at + 1)])
  }
  return terms
}

/** Limits of a request may only widen, those of a response only narrow; other terms stay as they are. */
function changedTerms(promised: string, now: string, part: string | undefined): string[] {
  const [before, after] = [termsOf(promised), termsOf(now)]
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [old, current] = [before.get(name), after.get(name)]
    const change = `${name} was ${old?.join(' or ') ?? 'not set'}, is ${current?.join(' or ') ?? 'not set'}`
    const isUpper = (UPPER_BOUNDS as readonly string[]).includes(name)
    if (isUpper || (LOWER_BOUNDS as readonly string[]).includes(name)) {
      const room = (values: string[] | undefined) =>
        values ? Math.max(...values.map((value) => Number(value) * (isUpper ? 1 : -1))) : Number.POSITIVE_INFINITY
      const isBroken = part === 'request' ? room(current) < room(old) : room(current) > room(old)
      return isBroken ? [change] : []
    }
    if (old?.join(' ') === current?.join(' ')) return []
    // A request that accepts any text, or a response that keeps a form it did not promise, breaks nobody.
    const isRelaxed = name !== 'default' && ((part === 'request' && !current) || (part === 'response' && !old))
    return isRelaxed || isLowerTier(name, old, current) || (name === 'right' && !current) ? [] : [change]
  })
}

const isLowerTier = (name: string, old: string[] | undefined, current: string[] | undefined) =>
  name === 'tier' && tierIncludes(old?.[0] as Tier, current?.[0] as Tier)

const missingFrom = (types: string, others: string): string[] => {
  const known = new Set(others.split(' '))
  return types.split(' ').filter((type) => !known.has(type))
}
