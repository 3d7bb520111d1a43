import type { Json, JsonObject } from '../../contract/openapi.ts'
import { html, inline, jsonMarkup, type Markup, nothing, prose } from './markup.ts'
import { LANGUAGES, type SampleRequest } from './samples.ts'
import { limitsOf, referenceName, type Schemas, schemaFields, typeOf } from './schema-view.ts'

export type Operation = { readonly method: string; readonly path: string; readonly spec: JsonObject }

export type Reference = {
  readonly schemas: Schemas
  readonly responses: { readonly [name: string]: JsonObject }
  readonly parameters: { readonly [name: string]: JsonObject }
  readonly baseUrl: string
}

type Example = {
  readonly key: string
  readonly summary: string
  readonly answer: Json
  readonly body: Json | undefined
}

const object = (value: Json | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
const list = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.map(object) : [])
const text = (value: Json | undefined) => (typeof value === 'string' ? value : '')

export const anchorOf = ({ spec }: Operation) => text(spec.operationId)
export const tierOf = ({ spec }: Operation) => text(spec['x-tier'])

function parametersOf({ spec }: Operation, reference: Reference): JsonObject[] {
  return list(spec.parameters).map((parameter) => {
    const name = text(parameter.$ref).replace('#/components/parameters/', '')
    return name ? (reference.parameters[name] ?? {}) : parameter
  })
}

const jsonContent = (holder: JsonObject): JsonObject => object(object(holder.content)['application/json'])

function examplesOf(operation: Operation): Example[] {
  const answers = object(jsonContent(object(object(operation.spec.responses)['200'])).examples)
  const bodies = object(jsonContent(object(operation.spec.requestBody)).examples)
  return Object.entries(answers).map(([key, example]) => ({
    key,
    summary: text(object(example).summary),
    answer: object(example).value ?? null,
    body: bodies[key] === undefined ? undefined : (object(bodies[key]).value ?? null),
  }))
}

const placeParameters = (operation: Operation, reference: Reference) =>
  parametersOf(operation, reference).filter((parameter) => parameter.in === 'path')

function requestOf(operation: Operation, example: Example, reference: Reference): SampleRequest {
  const shown = (where: string) =>
    parametersOf(operation, reference)
      .filter((parameter) => parameter.in === where && parameter.example !== undefined)
      .map(({ name, example }) => [text(name), typeof example === 'number' ? example : String(example)] as const)
  return {
    operationId: anchorOf(operation),
    method: operation.method,
    path: operation.path,
    places: Object.fromEntries(shown('path').map(([name, value]) => [name, String(value)])),
    query: Object.fromEntries(shown('query')),
    body: example.body,
  }
}

/** The request in every language. A reader's choice is kept by the page's script; without it all of them are shown. */
function requestView(request: SampleRequest, reference: Reference, summary: string): Markup {
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

function parameterRows(parameters: readonly JsonObject[], caption: string): Markup {
  if (parameters.length === 0) return nothing
  const rows = parameters.map((parameter) => {
    const schema = object(parameter.schema)
    return html`<div class="field">
<div class="field-head"><code class="field-name">${text(parameter.name)}</code> ${typeOf(schema)}${parameter.required ? html` <span class="badge badge-must">required</span>` : ''}</div>
<div class="field-text">${inline(text(parameter.description))} ${limitsOf(schema)}</div>
</div>`
  })
  return html`<h4>${caption}</h4><div class="fields">${rows}</div>`
}

function bodyView(operation: Operation, reference: Reference): Markup {
  const body = object(operation.spec.requestBody)
  const name = referenceName(object(jsonContent(body).schema))
  if (!name) return nothing
  return html`<h4>Request body</h4><p class="small">${text(body.description)}</p>${schemaFields(reference.schemas[name] ?? {}, reference.schemas, [name])}`
}

function answerView(operation: Operation, reference: Reference): Markup {
  const ok = jsonContent(object(object(operation.spec.responses)['200']))
  const envelope = reference.schemas[referenceName(object(ok.schema)) ?? ''] ?? {}
  return html`<h4>Answer <span class="status status-2">200</span></h4>${schemaFields(envelope, reference.schemas)}`
}

function refusalsView(operation: Operation, reference: Reference): Markup {
  const rows = Object.entries(object(operation.spec.responses))
    .filter(([status]) => status !== '200')
    .map(([status, response]) => {
      const spec = object(response)
      const name = text(spec.$ref).replace('#/components/responses/', '')
      const full = name ? (reference.responses[name] ?? {}) : spec
      const code = text(object(object(jsonContent(full).example).error).code)
      return html`<tr><td><span class="status status-${status[0]}">${status}</span></td><td>${code ? html`<code>${code}</code>` : 'Not modified'}</td><td>${inline(text(full.description))}</td></tr>`
    })
  return html`<h4>Other answers</h4><div class="scroll" tabindex="0" role="region" aria-label="Other answers of ${text(operation.spec.summary)}"><table><thead><tr><th>Status</th><th>Code</th><th>When</th></tr></thead><tbody>${rows}</tbody></table></div>`
}

function tryInput(parameter: JsonObject, anchor: string): Markup {
  const name = text(parameter.name)
  const schema = object(parameter.schema)
  const id = `${anchor}-${name}`
  const place = parameter.in === 'path' ? 'place' : 'query'
  const value = parameter.example === undefined ? '' : String(parameter.example)
  const control = Array.isArray(schema.enum)
    ? html`<select id="${id}" data-${place}="${name}"><option value="">–</option>${schema.enum.map((word) => html`<option>${String(word)}</option>`)}</select>`
    : html`<input id="${id}" data-${place}="${name}" value="${value}" autocomplete="off" spellcheck="false">`
  return html`<div class="try-row"><label for="${id}">${name}</label>${control}</div>`
}

function tryView(operation: Operation, reference: Reference, examples: readonly Example[]): Markup {
  const anchor = anchorOf(operation)
  const query = parametersOf(operation, reference).filter(
    (parameter) => parameter.in === 'query' && object(parameter.schema).type !== 'object',
  )
  const body = examples[0]?.body
  return html`<details class="try"><summary>Try it</summary>
<form data-try data-method="${operation.method}" data-path="${operation.path}">
<div class="try-row"><label for="${anchor}-key">API key</label><input id="${anchor}-key" data-key type="password" autocomplete="off" spellcheck="false" placeholder="pk_…"></div>
<p class="small" data-key-note>The key stays in the memory of this page and is sent to this service alone.</p>
${[...placeParameters(operation, reference), ...query].map((parameter) => tryInput(parameter, anchor))}
${body === undefined ? nothing : html`<div class="try-row try-body"><label for="${anchor}-body">Body</label><textarea id="${anchor}-body" data-body rows="6" spellcheck="false">${JSON.stringify(body, null, 2)}</textarea></div>`}
<button class="send" type="submit">Send ${operation.method} request</button>
</form>
<div class="try-answer" data-answer aria-live="polite"></div>
</details>`
}

export function endpointView(operation: Operation, reference: Reference): Markup {
  const { spec, method, path } = operation
  const anchor = anchorOf(operation)
  const parameters = parametersOf(operation, reference)
  const examples = examplesOf(operation)
  const description = text(spec.description).replace(/\n\nTier: .*$/s, '')
  const samples = examples.map(
    (example) => html`<div class="sample"><p class="sample-title">${example.summary}</p>
${requestView(requestOf(operation, example, reference), reference, example.summary)}
${codeBlock('200 · application/json', jsonMarkup(example.answer), `answer of ${example.summary}`)}</div>`,
  )
  return html`<section class="endpoint" id="${anchor}" data-filter>
<div class="endpoint-text">
<h3><a class="anchor" href="#${anchor}">${text(spec.summary)}</a></h3>
<p class="route"><span class="method method-${method.toLowerCase()}">${method}</span> <code>${path}</code> <span class="tier tier-${tierOf(operation)}">${tierOf(operation)}</span></p>
${prose(description)}
${parameterRows(
  parameters.filter((parameter) => parameter.in === 'path'),
  'Path parameters',
)}
${parameterRows(
  parameters.filter((parameter) => parameter.in === 'query'),
  'Query parameters',
)}
${bodyView(operation, reference)}
${parameterRows(
  parameters.filter((parameter) => parameter.in === 'header'),
  'Request headers',
)}
${answerView(operation, reference)}
${refusalsView(operation, reference)}
</div>
<div class="endpoint-code">${tryView(operation, reference, examples)}${samples}</div>
</section>`
}
