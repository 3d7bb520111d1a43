/**
 * What the OpenAPI document promises to callers, as a flat list of fields, and the changes of it that break a caller:
 * a response loses a field or gains a type, a request needs more or accepts less.
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
}
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
}
export type OpenApi = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> } & Readonly<Record<string, unknown>>
}

/** The types of a field in text order, such as `null string`, with a `?` if it may be absent. */
export type ApiPromise = Readonly<Record<string, string>>
export type BreakingChange = { readonly operation: string; readonly change: string }

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
    const { type, const: only, enum: values, properties = {}, required = [], ...rest } = resolve(schema)
    const literals = values ?? (only === undefined ? [] : [only])
    const types = typeof type === 'string' ? [type] : (type ?? [])
    add(path, [
      ...(literals.length > 0 ? literals.map((value) => JSON.stringify(value)) : types),
      ...(isOptional ? ['?'] : []),
    ])
    for (const [name, property] of Object.entries(properties)) {
      visit(`${path}.${name}`, property, !required.includes(name), inside)
    }
    if (rest.items) visit(`${path}[]`, rest.items, false, inside)
    if (typeof rest.additionalProperties === 'object') visit(`${path}.*`, rest.additionalProperties, false, inside)
    for (const branch of [...(rest.oneOf ?? []), ...(rest.anyOf ?? []), ...(rest.allOf ?? [])]) {
      visit(path, branch, isOptional, inside)
    }
  }
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (!METHODS.has(method)) continue
      const name = `${method.toUpperCase()} ${path}`
      add(name, ['operation'])
      for (const sent of operation.parameters ?? []) {
        const { name: parameter, in: place, required = false, schema = {} } = resolve(sent)
        visit(`${name} request ${place} ${parameter}`, schema, !required, [])
      }
      const body = operation.requestBody
      if (body?.content?.[JSON_TYPE]?.schema) {
        visit(`${name} request body`, body.content[JSON_TYPE].schema, body.required !== true, [])
      }
      for (const [status, response] of Object.entries(operation.responses ?? {})) {
        const schema = resolve(response).content?.[JSON_TYPE]?.schema
        if (schema && status.startsWith('2')) visit(`${name} response ${status}`, schema, false, [])
      }
    }
  }
  return Object.fromEntries(
    [...fields]
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([path, types]) => [path, [...types].sort().join(' ')]),
  )
}

export function findBreakingChanges(released: ApiPromise, current: ApiPromise): BreakingChange[] {
  const changes: BreakingChange[] = []
  const report = (path: string, change: string) =>
    changes.push({ operation: path.split(' ').slice(0, 2).join(' '), change: `${path}: ${change}` })
  for (const [path, promised] of Object.entries(released)) {
    const now = current[path]
    const isRequest = path.split(' ')[2] === 'request'
    if (now === undefined) {
      // A removed operation is one change, not one per field.
      const operation = path.split(' ').slice(0, 2).join(' ')
      if (path === operation || current[operation] !== undefined) report(path, 'removed')
      continue
    }
    const lost = missingFrom(promised, now)
    const gained = missingFrom(now, promised)
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

const missingFrom = (types: string, others: string): string[] => {
  const known = new Set(others.split(' '))
  return types.split(' ').filter((type) => !known.has(type))
}
