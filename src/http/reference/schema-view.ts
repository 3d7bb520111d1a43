import type { Json, JsonObject } from '../../contract/openapi.ts'
import { emptyMarkup, html, inlineMarkup, type Markup } from '../../lib/html.ts'

export type Schemas = { readonly [name: string]: JsonObject }

const REFERENCE = '#/components/schemas/'

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const objects = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : [])

export function referenceName(schema: JsonObject): string | undefined {
  return typeof schema.$ref === 'string' && schema.$ref.startsWith(REFERENCE)
    ? schema.$ref.slice(REFERENCE.length)
    : undefined
}

const typeLink = (name: string) => html`<a class="type" href="#schema-${name}">${name}</a>`
const typeWord = (word: string) => html`<span class="type">${word}</span>`

/** The type of a field, with links to schemas. */
export function typeOf(schema: JsonObject): Markup {
  const name = referenceName(schema)
  if (name) return typeLink(name)
  const options = objects(schema.anyOf ?? schema.oneOf)
  if (options.length > 0) return options.map(typeOf).reduce((all, option) => html`${all} or ${option}`)
  if (schema.type === 'array' && isObject(schema.items)) return html`array of ${typeOf(schema.items)}`
  if (schema.type === 'object' && isObject(schema.additionalProperties)) return typeWord('object of strings')
  const words = Array.isArray(schema.type) ? schema.type.join(' or ') : String(schema.type ?? 'any')
  return typeWord(schema.format ? words.replace('string', String(schema.format)) : words)
}

/** Constraints of a value: enum, range, default. */
export function constraintsOf(schema: JsonObject): Markup {
  const { minimum, maximum, maxLength, maxItems } = schema
  const limits: Markup[] = []
  if (Array.isArray(schema.enum)) {
    const values = schema.enum.filter((value) => value !== null).map((value) => html`<code>${String(value)}</code> `)
    limits.push(html`one of ${values}`)
  }
  if (schema.const !== undefined) limits.push(html`always <code>${String(schema.const)}</code>`)
  if (minimum !== undefined && maximum !== undefined) limits.push(html`${String(minimum)} – ${String(maximum)}`)
  else if (minimum !== undefined) limits.push(html`at least ${String(minimum)}`)
  if (maxLength !== undefined) limits.push(html`at most ${String(maxLength)} characters`)
  if (maxItems !== undefined) limits.push(html`at most ${Number(maxItems).toLocaleString('en-US')} items`)
  if (schema.default !== undefined) limits.push(html`default <code>${String(schema.default)}</code>`)
  if (limits.length === 0) return emptyMarkup
  return html`<span class="limits">${limits.map((limit) => html`<span class="limit">${limit}</span>`)}</span>`
}

/** The schemas nested in a field, directly or in a list. */
function nestedSchemaNames(schema: JsonObject): string[] {
  const name = referenceName(schema)
  if (name) return [name]
  const items = isObject(schema.items) ? nestedSchemaNames(schema.items) : []
  return [...items, ...objects(schema.anyOf).flatMap(nestedSchemaNames)]
}

function fieldRow(name: string, schema: JsonObject, required: boolean, schemas: Schemas, depth: number): Markup {
  const nested = nestedSchemaNames(schema).filter((inner) => schemas[inner])
  const ownDescription = typeof schema.description === 'string' ? schema.description : ''
  const nestedDescription = nested[0] ? String(schemas[nested[0]]?.description ?? '') : ''
  return html`<div class="field">
<div class="field-head"><code class="field-name">${name}</code> ${typeOf(schema)}${required ? '' : html` <span class="badge">optional</span>`}</div>
<div class="field-text">${inlineMarkup(ownDescription || nestedDescription)} ${constraintsOf(schema)}</div>
${depth === 0 ? emptyMarkup : nested.map((inner) => html`<details class="nested"><summary>Fields of ${inner}</summary>${schemaFields(schemas[inner] ?? {}, schemas, depth - 1)}</details>`)}
</div>`
}

/**
 * A schema as a list of fields. Nested schemas expand in place to this depth; deeper ones are links to their section, or
 * the page would repeat the large ones dozens of times.
 */
export function schemaFields(schema: JsonObject, schemas: Schemas, depth: number): Markup {
  const choices = objects(schema.oneOf)
  if (choices.length > 0) {
    const parts = choices.map(
      (choice, index) =>
        html`<p class="choice">${index === 0 ? 'Either' : 'or'}</p>${schemaFields(choice, schemas, depth)}`,
    )
    return html`${parts}`
  }
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const fields = isObject(schema.properties) ? Object.entries(schema.properties) : []
  const rows = fields.map(([name, field]) =>
    isObject(field) ? fieldRow(name, field, required.has(name), schemas, depth) : emptyMarkup,
  )
  return html`<div class="fields">${rows}</div>`
}
