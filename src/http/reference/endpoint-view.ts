import type { Json, JsonObject } from '../../contract/openapi.ts'
import { emptyMarkup, html, inlineMarkup, jsonMarkup, type Markup, proseMarkup } from '../../lib/html.ts'
import { LANGUAGES, type SampleRequest } from './samples.ts'
import { constraintsOf, referenceName, type Schemas, schemaFields, typeOf } from './schema-view.ts'

export type ApiOperation = { readonly method: string; readonly path: string; readonly spec: JsonObject }

export type ReferenceContext = {
  readonly schemas: Schemas
  readonly responses: { readonly [name: string]: JsonObject }
  readonly parameters: { readonly [name: string]: JsonObject }
  readonly baseUrl: string
}

type Example = {
  readonly key: string
  readonly summary: string
  readonly response: Json
  readonly body: Json | undefined
}

const asObject = (value: Json | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
const asList = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.map(asObject) : [])
const asText = (value: Json | undefined) => (typeof value === 'string' ? value : '')

export const anchorOf = ({ spec }: ApiOperation) => asText(spec.operationId)
export const operationTier = ({ spec }: ApiOperation) => asText(spec['x-tier'])

function parametersOf({ spec }: ApiOperation, reference: ReferenceContext): JsonObject[] {
  return asList(spec.parameters).map((parameter) => {
    const name = asText(parameter.$ref).replace('#/components/parameters/', '')
    return name ? (reference.parameters[name] ?? {}) : parameter
  })
}

const jsonContent = (holder: JsonObject): JsonObject => asObject(asObject(holder.content)['application/json'])
/** Media type and content of the response of status 200. */
const okContent = ({ spec }: ApiOperation): readonly [string, JsonObject] => {
  const [type = '', content] = Object.entries(asObject(asObject(asObject(spec.responses)['200']).content))[0] ?? []
  return [type, asObject(content)]
}

function examplesOf(operation: ApiOperation): Example[] {
  const responses = asObject(okContent(operation)[1].examples)
  const bodies = asObject(jsonContent(asObject(operation.spec.requestBody)).examples)
  return Object.entries(responses).map(([key, example]) => ({
    key,
    summary: asText(asObject(example).summary),
    response: asObject(example).value ?? null,
    body: bodies[key] === undefined ? undefined : (asObject(bodies[key]).value ?? null),
  }))
}

function sampleRequest(operation: ApiOperation, example: Example, reference: ReferenceContext): SampleRequest {
  const exampleValues = (location: string) =>
    parametersOf(operation, reference)
      .filter((parameter) => parameter.in === location && parameter.example !== undefined)
      .map(({ name, example }) => [asText(name), typeof example === 'number' ? example : String(example)] as const)
  return {
    operationId: anchorOf(operation),
    method: operation.method,
    path: operation.path,
    pathParameters: Object.fromEntries(exampleValues('path').map(([name, value]) => [name, String(value)])),
    query: Object.fromEntries(exampleValues('query')),
    body: example.body,
  }
}

/** The request in every language. The page's script remembers the reader's choice; without it all are shown. */
function requestView(request: SampleRequest, reference: ReferenceContext, summary: string): Markup {
  const choices = LANGUAGES.map(
    ({ id, name }) => html`<button type="button" data-language="${id}" aria-pressed="false">${name}</button>`,
  )
  const blocks = LANGUAGES.map(
    ({ id, name, write }) =>
      html`<div data-in="${id}">${codeBlock(name, write(request, reference.baseUrl), `${name} of ${summary}`)}</div>`,
  )
  return html`<div class="languages" role="group" aria-label="Language of ${summary}" hidden>${choices}</div>${blocks}`
}

export function codeBlock(label: string, code: Markup | string, name: string): Markup {
  return html`<figure class="code"><figcaption><span>${label}</span><button type="button" class="copy" data-copy aria-label="Copy ${name}">Copy</button></figcaption><pre tabindex="0" aria-label="${name}"><code>${code}</code></pre></figure>`
}

function parameterRows(parameters: readonly JsonObject[], location: string, caption: string): Markup {
  const shown = parameters.filter((parameter) => parameter.in === location)
  if (shown.length === 0) return emptyMarkup
  const rows = shown.map((parameter) => {
    const schema = asObject(parameter.schema)
    return html`<div class="field">
<div class="field-head"><code class="field-name">${asText(parameter.name)}</code> ${typeOf(schema)}${parameter.required ? html` <span class="badge badge-must">required</span>` : ''}</div>
<div class="field-text">${inlineMarkup(asText(parameter.description))} ${constraintsOf(schema)}</div>
</div>`
  })
  return html`<h4>${caption}</h4><div class="fields">${rows}</div>`
}

function bodyView(operation: ApiOperation, reference: ReferenceContext): Markup {
  const body = asObject(operation.spec.requestBody)
  const name = referenceName(asObject(jsonContent(body).schema))
  if (!name) return emptyMarkup
  return html`<h4>Request body</h4><p class="small">${asText(body.description)}</p>${schemaFields(reference.schemas[name] ?? {}, reference.schemas, 1)}`
}

function responseView(operation: ApiOperation, reference: ReferenceContext): Markup {
  const [type, ok] = okContent(operation)
  const envelope = reference.schemas[referenceName(asObject(ok.schema)) ?? ''] ?? {}
  return html`<h4>Response <span class="status status-2">200</span></h4>${type === 'text/csv' ? html`<p>A CSV file.</p>` : schemaFields(envelope, reference.schemas, 1)}`
}

function errorsView(operation: ApiOperation, reference: ReferenceContext): Markup {
  const rows = Object.entries(asObject(operation.spec.responses))
    .filter(([status]) => status !== '200')
    .map(([status, response]) => {
      const spec = asObject(response)
      const name = asText(spec.$ref).replace('#/components/responses/', '')
      const full = name ? (reference.responses[name] ?? {}) : spec
      const code = asText(asObject(asObject(jsonContent(full).example).error).code)
      return html`<tr><td><span class="status status-${status[0]}">${status}</span></td><td>${code ? html`<code>${code}</code>` : 'Not modified'}</td><td>${inlineMarkup(asText(full.description))}</td></tr>`
    })
  return html`<h4>Other responses</h4><div class="scroll" tabindex="0" role="region" aria-label="Other responses of ${asText(operation.spec.summary)}"><table><thead><tr><th>Status</th><th>Code</th><th>When</th></tr></thead><tbody>${rows}</tbody></table></div>`
}

function tryInput(parameter: JsonObject, anchor: string): Markup {
  const name = asText(parameter.name)
  const schema = asObject(parameter.schema)
  const location = parameter.in === 'path' ? 'place' : 'query'
  const id = `${anchor}-${location}-${name}`
  const value = parameter.example === undefined ? '' : String(parameter.example)
  const control = Array.isArray(schema.enum)
    ? html`<select id="${id}" data-${location}="${name}"><option value="">–</option>${schema.enum.map((word) => html`<option>${String(word)}</option>`)}</select>`
    : html`<input id="${id}" data-${location}="${name}" value="${value}" autocomplete="off" spellcheck="false">`
  return html`<div class="try-row"><label for="${id}">${name}</label>${control}</div>`
}

function tryView(operation: ApiOperation, reference: ReferenceContext, examples: readonly Example[]): Markup {
  const anchor = anchorOf(operation)
  const parameters = parametersOf(operation, reference)
  const path = parameters.filter((parameter) => parameter.in === 'path')
  const query = parameters.filter(
    (parameter) => parameter.in === 'query' && asObject(parameter.schema).type !== 'object',
  )
  const body = examples[0]?.body
  return html`<details class="try"><summary>Try it</summary>
<form data-try data-method="${operation.method}" data-path="${operation.path}">
<div class="try-row"><label for="${anchor}-key">API key</label><input id="${anchor}-key" data-key type="password" autocomplete="off" spellcheck="false" placeholder="pk_…"></div>
<p class="small" data-key-note>The key stays in the memory of this page and is sent to this service alone.</p>
${[...path, ...query].map((parameter) => tryInput(parameter, anchor))}
${body === undefined ? emptyMarkup : html`<div class="try-row try-body"><label for="${anchor}-body">Body</label><textarea id="${anchor}-body" data-body rows="6" spellcheck="false">${JSON.stringify(body, null, 2)}</textarea></div>`}
<button class="send" type="submit">Send ${operation.method} request</button>
</form>
<div class="try-response" data-response aria-live="polite"></div>
</details>`
}

export function endpointView(operation: ApiOperation, reference: ReferenceContext): Markup {
  const { spec, method, path } = operation
  const anchor = anchorOf(operation)
  const parameters = parametersOf(operation, reference)
  const examples = examplesOf(operation)
  const description = asText(spec.description).replace(/\n\nTier: .*$/s, '')
  const samples = examples.map(
    (example) => html`<div class="sample"><p class="sample-title">${example.summary}</p>
${requestView(sampleRequest(operation, example, reference), reference, example.summary)}
${codeBlock(`200 · ${okContent(operation)[0]}`, typeof example.response === 'string' ? example.response : jsonMarkup(example.response), `response of ${example.summary}`)}</div>`,
  )
  return html`<section class="endpoint" id="${anchor}" data-filter>
<div class="endpoint-text">
<h3><a class="anchor" href="#${anchor}">${asText(spec.summary)}</a></h3>
<p class="route"><span class="method method-${method.toLowerCase()}">${method}</span> <code>${path}</code> <span class="tier tier-${operationTier(operation)}">${operationTier(operation)}</span></p>
${proseMarkup(description)}
${parameterRows(parameters, 'path', 'Path parameters')}
${parameterRows(parameters, 'query', 'Query parameters')}
${bodyView(operation, reference)}
${parameterRows(parameters, 'header', 'Request headers')}
${responseView(operation, reference)}
${errorsView(operation, reference)}
</div>
<div class="endpoint-code">${tryView(operation, reference, examples)}${samples}</div>
</section>`
}
