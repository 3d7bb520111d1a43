import type { Json, JsonObject } from '../src/contract/openapi.ts'
import { type Operation, operationsOf, responseType } from './client-generator.ts'

/** Names that mean something else in Python; the same as in the TypeScript client. */
const RENAMED: Readonly<Record<string, string>> = { Error: 'ErrorObject', Event: 'ServiceEvent' }
const typeName = (name: string) => RENAMED[name] ?? name
const refName = (ref: Json | undefined) => typeName(String(ref).split('/').at(-1) ?? '')
const pascal = (name: string) => name.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
const snake = (id: string) => id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const literal = (value: Json) =>
  value === null ? 'None' : typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value)
const docstring = (text: Json | undefined, indent: string) =>
  typeof text === 'string' && text !== ''
    ? `${indent}"""${text
        .replace(/\s*\n+\s*/g, ' ')
        .replaceAll('\\', '\\\\')
        .replaceAll('"""', "'''")
        .replace(/"$/, '" ')}"""\n`
    : ''
const comment = (text: Json | undefined) =>
  typeof text === 'string' && text !== '' ? `    #: ${text.replace(/\s*\n+\s*/g, ' ')}\n` : ''

const PYTHON_KEYWORDS = new Set([
  'and',
  'as',
  'class',
  'def',
  'from',
  'global',
  'if',
  'import',
  'in',
  'is',
  'not',
  'or',
  'with',
])
/** The name of an argument; keywords get an underscore, as is usual in Python. */
const argument = (name: string) => (PYTHON_KEYWORDS.has(name) ? `${name}_` : name)
/** A class cannot have a field whose name is a keyword. */
function functionalType(name: string, { description }: JsonObject, fields: readonly string[]): string {
  const entries = fields.map((field) =>
    field.replace(
      /^ {4}(\w+): (.*)$/m,
      (_, key: string, type: string) => `    "${key}": "${type.replaceAll('"', "'")}",`,
    ),
  )
  const text = typeof description === 'string' ? `# ${description.replace(/\s*\n+\s*/g, ' ')}\n` : ''
  return `${text}${name} = TypedDict(\n    "${name}",\n    {\n${entries.join('').replace(/^(?=.)/gm, '    ')}    },\n)\n`
}

/** Types and methods of the Python client, from the OpenAPI document. */
export function generatePythonClient(document: JsonObject): string {
  const { schemas } = document.components as { schemas: Record<string, JsonObject> }
  const types: string[] = []

  /** Annotations are strings at run time, so that types may refer to later ones. */
  function typeOf(schema: JsonObject, name: string): string {
    if (schema.$ref) return refName(schema.$ref)
    // Python has no literal types of fractions.
    if (typeof schema.const === 'number' && !Number.isInteger(schema.const)) return 'float'
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`
    const union = (schema.oneOf ?? schema.anyOf) as JsonObject[] | undefined
    if (union) return union.map((member, at) => typeOf(member, `${name}${at + 1}`)).join(' | ')
    if (Array.isArray(schema.enum)) {
      const values = schema.enum.filter((value) => value !== null).map(literal)
      return `Literal[${values.join(', ')}]${schema.enum.includes(null) ? ' | None' : ''}`
    }
    if (Array.isArray(schema.type)) {
      return schema.type.map((type) => typeOf({ ...schema, type } as JsonObject, name)).join(' | ')
    }
    if (schema.type === 'array') return `list[${typeOf((schema.items ?? {}) as JsonObject, `${name}Item`)}]`
    if (schema.type === 'object') return objectType(schema, name)
    const simple = { integer: 'int', number: 'float', string: 'str', boolean: 'bool', null: 'None' }
    return simple[schema.type as keyof typeof simple] ?? 'Any'
  }

  function objectType(schema: JsonObject, name: string): string {
    const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonObject>)
    if (properties.length === 0) {
      const { additionalProperties: values } = schema
      return `dict[str, ${values ? typeOf(values as JsonObject, `${name}Value`) : 'Any'}]`
    }
    const required = (schema.required ?? []) as string[]
    const fields = properties.map(([field, of]) => {
      const type = typeOf(of, `${name}${pascal(field)}`)
      return `${comment(of.description)}    ${field}: ${required.includes(field) ? type : `NotRequired[${type}]`}\n`
    })
    types.push(
      properties.some(([field]) => PYTHON_KEYWORDS.has(field))
        ? functionalType(name, schema, fields)
        : `class ${name}(TypedDict):\n${docstring(schema.description, '    ')}\n${fields.join('')}`,
    )
    return name
  }

  for (const [id, schema] of Object.entries(schemas)) {
    if (id.endsWith('Response')) continue
    const name = typeName(id)
    const type = typeOf(schema, name)
    if (type !== name) types.push(`${name}: TypeAlias = "${type.replaceAll('"', "'")}"`)
  }

  const operations = operationsOf(document)
  const method = (operation: Operation, isAsync: boolean): string => {
    const { id, places, query, body, spec } = operation
    const queryArguments = query.map(({ name, required, schema }) => {
      const type = typeOf(schema, `${pascal(id)}${pascal(name)}`)
      return required ? `${argument(name)}: ${type}` : `${argument(name)}: ${type} | None = None`
    })
    const parameters = [
      'self',
      ...places.map((name) => `${name}: str`),
      ...(body ? [`body: ${typeOf(body, `${pascal(id)}Body`)}`] : []),
      '*',
      ...queryArguments,
      'options: CallOptions | None = None',
    ]
    const { data, meta, isFile } = responseType(operation, schemas)
    const item = () => typeOf(data.items as JsonObject, `${pascal(id)}Item`)
    const returns = meta ? `${isAsync ? 'AsyncPaged' : 'Paged'}[${item()}]` : typeOf(data, `${pascal(id)}Data`)
    const params = `{${places.map((name) => `"${name}": ${name}`).join(', ')}}`
    const sent = `{${query.map(({ name }) => `"${name}": ${argument(name)}`).join(', ')}}`
    const operationArguments = `OPERATIONS["${id}"], ${params}, ${sent}`
    const call = meta
      ? `self._list(${operationArguments}, options)`
      : `${isAsync ? 'await ' : ''}self.${isFile ? '_read_text' : '_read'}(${operationArguments}, ${body ? 'body' : 'None'}, options)`
    const isCast = !meta && !isFile
    return `    ${isAsync && !meta ? 'async ' : ''}def ${snake(id)}(
        ${parameters.join(',\n        ')},
    ) -> ${returns}:
${docstring(`${String(spec.summary)}. ${String(spec.description)}`, '        ')}        return ${isCast ? `cast("${returns.replaceAll('"', "'")}", ${call})` : call}
`
  }
  const endpointClass = (name: string, isAsync: boolean) =>
    `class ${name}:
    """One method per endpoint."""

    ${isAsync ? 'async ' : ''}def _read(
        self, operation: Operation, params: dict[str, str], query: dict[str, Any], body: Any, options: CallOptions | None
    ) -> Any:
        raise NotImplementedError

    ${isAsync ? 'async ' : ''}def _read_text(
        self, operation: Operation, params: dict[str, str], query: dict[str, Any], body: Any, options: CallOptions | None
    ) -> str:
        raise NotImplementedError

    def _list(
        self, operation: Operation, params: dict[str, str], query: dict[str, Any], options: CallOptions | None
    ) -> ${isAsync ? 'AsyncPaged' : 'Paged'}[Any]:
        raise NotImplementedError

${operations.map((operation) => method(operation, isAsync)).join('\n')}`
  const methods = [endpointClass('Endpoints', false), endpointClass('AsyncEndpoints', true)]
  const rows = operations.map(
    ({ id, method: verb, path, takesIdempotencyKey, isIdempotent }) =>
      `    "${id}": {"method": "${verb}", "path": "${path}", "takes_idempotency_key": ${literal(takesIdempotencyKey)}, "is_idempotent": ${literal(isIdempotent)}},`,
  )
  return `# Generated from the OpenAPI document of the service.
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NotRequired, TypeAlias, TypedDict, cast

if TYPE_CHECKING:
    from .client import AsyncPaged, CallOptions, Paged


class Operation(TypedDict):
    """An endpoint."""

    method: str
    path: str
    takes_idempotency_key: bool
    #: Whether a repeated request does no harm even without an idempotency key.
    is_idempotent: bool


${[...new Set(types)].join('\n\n')}

OPERATIONS: dict[str, Operation] = {
${rows.join('\n')}
}


${methods.join('\n\n')}`
}
