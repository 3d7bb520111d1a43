import colours from '../../../dashboard/colours.css' with { type: 'text' }
import shared from '../../../dashboard/shared.css' with { type: 'text' }
import { CONDITION_GRADES } from '../../contract/conditions.ts'
import { ERROR_CODES, ERRORS, errorDocsAnchor } from '../../contract/errors.ts'
import { exampleMatch } from '../../contract/examples.ts'
import type { JsonObject } from '../../contract/openapi.ts'
import { KEY_PREFIXES, TIER_NAMES, TIERS } from '../../contract/tiers.ts'
import { html, inlineMarkup, jsonMarkup, type Markup, proseMarkup } from '../../lib/html.ts'
import { FAVICON } from '../static-file.ts'
import script from './client.js' with { type: 'text' }
import {
  type ApiOperation,
  anchorOf,
  codeBlock,
  endpointView,
  operationTier,
  type ReferenceContext,
} from './endpoint-view.ts'
import { BASE_URL_PLACEHOLDER as baseUrl, limitPlaceholder } from './placeholders.ts'
import style from './reference.css' with { type: 'text' }
import { schemaFields } from './schema-view.ts'

/** Served at /docs/reference.css and /docs/reference.js. The page loads nothing else. */
export const REFERENCE_CSS: string = colours + shared + style
export const REFERENCE_JS: string = script

function listOperations(document: JsonObject): ApiOperation[] {
  const paths = document.paths as { [path: string]: { [method: string]: JsonObject } }
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, spec]) => ({ method: method.toUpperCase(), path, spec })),
  )
}

function navigation(tags: readonly string[], operations: readonly ApiOperation[], schemas: readonly string[]): Markup {
  const link = (operation: ApiOperation) =>
    html`<li data-entry><a href="#${anchorOf(operation)}"><span class="method method-${operation.method.toLowerCase()}">${operation.method}</span><span>${operation.path.replace('/api', '')}</span></a></li>`
  const groups = tags.map((tag) => {
    const tagged = operations.filter((operation) => (operation.spec.tags as string[]).includes(tag))
    return html`<p class="nav-title">${tag}</p><ul>${tagged.map(link)}</ul>`
  })
  const guide = [
    ['start', 'First request'],
    ['keys', 'Authentication'],
    ['errors', 'Errors'],
    ['limits', 'Rate limits'],
    ['pages', 'Pagination'],
    ['clients', 'Clients and tools'],
    ['grades', 'Condition grades'],
  ] as const
  return html`<nav aria-label="Reference">
<label class="filter"><span class="hidden">Search the reference</span><input type="search" id="filter" placeholder="Search everything…" autocomplete="off" spellcheck="false"></label>
<p class="filter-none" id="filter-none" role="status" hidden>Nothing matches.</p>
<p class="nav-title">Guide</p><ul><li class="narrow" data-entry><a href="/dashboard">Dashboard</a></li>${guide.map(([id, name]) => html`<li data-entry><a href="#${id}">${name}</a></li>`)}</ul>
${groups}
<p class="nav-title">Schemas</p><ul>${schemas.map((name) => html`<li data-entry><a href="#schema-${name}">${name}</a></li>`)}</ul>
</nav>`
}

function guide(about: string): Markup {
  const { text, decision, device_id, variant_id, variant_name, confidence } = exampleMatch
  const call = `curl '${baseUrl}/api/match?text=${text.replaceAll(' ', '+')}' \\\n  -H "Authorization: Bearer $API_KEY"`
  const firstResponse = {
    success: true,
    data: { text, decision, device_id, variant_id, variant_name, confidence },
    timestamp: '2026-03-02T09:30:00.000Z',
  }
  const errorExample = {
    success: false,
    error: {
      code: 'UNAUTHORIZED',
      message: ERRORS.UNAUTHORIZED.message,
      request_id: 'req_0f246810c52148df3',
      docs: `${baseUrl}/docs#${errorDocsAnchor('UNAUTHORIZED')}`,
    },
    timestamp: '2026-03-02T09:30:00.000Z',
  }
  const tierRows = TIERS.map(
    (tier) =>
      html`<tr><td><span class="tier tier-${tier}">${TIER_NAMES[tier]}</span></td><td><code>${KEY_PREFIXES[tier]}</code></td><td>${limitPlaceholder(tier)} a minute</td></tr>`,
  )
  const errorRows = ERROR_CODES.map(
    (code) =>
      html`<tr id="${errorDocsAnchor(code)}"><td><span class="status status-${String(ERRORS[code].status)[0] ?? ''}">${ERRORS[code].status}</span></td><td><code>${code}</code></td><td>${inlineMarkup(ERRORS[code].meaning)}</td></tr>`,
  )
  const gradeCards = CONDITION_GRADES.map(
    (grade) =>
      html`<div class="card"><h3>${grade.name}</h3><p>${grade.definition}</p><dl><dt>Screen</dt><dd>${grade.screen}</dd><dt>Body</dt><dd>${grade.body}</dd><dt>Battery</dt><dd>${grade.battery_min_percent === null ? 'No minimum' : `${grade.battery_min_percent} % or more`}</dd></dl></div>`,
  )
  const [lead = '', ...paragraphs] = about.split('\n\n')
  // The sections below say it with examples: keys, and where errors are listed their order.
  const isAbout = (topic: string) => (paragraph: string) => paragraph.startsWith(`**${topic}.**`)
  const general = paragraphs.filter(
    (paragraph) => !isAbout('Authentication')(paragraph) && !isAbout('Errors')(paragraph),
  )
  const errorOrder = paragraphs.filter(isAbout('Errors')).map((paragraph) => paragraph.replace('**Errors.** ', ''))
  return html`<section class="guide" id="start"><h1>Device Intelligence Service API</h1><p class="lead">${lead}</p>
<div class="two"><div>${codeBlock('Your first request', call, 'your first request')}${codeBlock('The response, without its lists', jsonMarkup(firstResponse), 'the response')}<p class="small">Set <code>API_KEY</code> to one of <a href="/dashboard/keys">your keys</a>, or press “Try it” at any endpoint. OpenAPI 3.1 document: <a href="/openapi.json">openapi.json</a></p></div><div>${proseMarkup(general.join('\n\n'))}</div></div></section>
<section class="guide" id="keys"><h2>Authentication</h2><p>Send your key as <code>Authorization: Bearer &lt;API_KEY&gt;</code>. A key belongs to an organization and has one tier; a higher tier includes every endpoint of the lower ones. Create keys in the dashboard or on the command line; a key is shown once. Keep them on your servers, use separate keys for development and production, and rotate them about every 90 days.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Tiers"><table><thead><tr><th>Tier</th><th>Key begins with</th><th>Requests</th></tr></thead><tbody>${tierRows}</tbody></table></div></section>
<section class="guide" id="errors"><h2>Errors</h2><div class="two"><div><p>Use <code>error.code</code> in your code; the message may change. A 400 lists each invalid parameter in <code>error.details</code>; a 404 of a device or variant lists similar ids in <code>error.nearest_ids</code>. <code>error.docs</code> links to the line below. Quote <code>error.request_id</code> when you report a problem.</p>${proseMarkup(errorOrder.join('\n\n'))}</div><div>${codeBlock('401 · application/json', jsonMarkup(errorExample), 'an error')}</div></div>
<div class="scroll" tabindex="0" role="region" aria-label="Error codes"><table><thead><tr><th>Status</th><th>Code</th><th>When</th></tr></thead><tbody>${errorRows}</tbody></table></div></section>
<section class="guide" id="limits"><h2>Rate limits</h2><p>Each key may make its tier's requests per minute, counted over a sliding window; an organization can have limits of its own. Every response to a valid key states the limit: <code>X-RateLimit-Limit</code>, <code>X-RateLimit-Remaining</code>, <code>X-RateLimit-Reset</code> (epoch seconds), and <code>RateLimit</code> with <code>RateLimit-Policy</code>. Beyond the limit the response is 429 with <code>Retry-After</code> in seconds. A batch counts each of its items.</p></section>
<section class="guide" id="pages"><h2>Pagination</h2><p>Lists take <code>page</code> and <code>limit</code>; <code>meta</code> has the page, the limit and the total. Histories also take <code>after</code>: pass <code>meta.next_after</code> of the page before. Numbered pages of a history end at 10,000 records.</p></section>
<section class="guide" id="clients"><h2>Clients and tools</h2><div class="two"><div><p>Every endpoint has examples in curl, JavaScript and Python. The JavaScript examples use the typed client, which retries and iterates over lists; the Python examples use the standard library.</p><p>Language models use the service as tools at <code>${baseUrl}/mcp</code> (Model Context Protocol, Streamable HTTP) with the same key. <a href="/llms.txt">llms.txt</a> describes it to them.</p></div><div>${codeBlock('The typed client, from the source tree of this service', 'cd client && npm pack\nnpm install ./device-intelligence-client-*.tgz', 'how to install the client')}</div></div></section>
<section class="guide" id="grades"><h2>Condition grades</h2><p>Every price is given for these four grades, best first. Also served at <code>GET /api/meta/conditions</code>.</p><div class="cards">${gradeCards}</div></section>`
}

/** The API reference as one static page with placeholders, rendered from the OpenAPI document. */
export function referencePage(document: JsonObject): string {
  const components = document.components as unknown as ReferenceContext
  const reference: ReferenceContext = { ...components, baseUrl }
  const operations = listOperations(document)
  const tags = document.tags as { name: string; description: string }[]
  const names = Object.keys(reference.schemas).filter((name) => !name.endsWith('Response'))
  const chapters = tags.map(({ name, description }) => {
    const tagged = operations.filter((operation) => (operation.spec.tags as string[]).includes(name))
    const tier = tagged[0] ? operationTier(tagged[0]) : 'public'
    return html`<div class="chapter"><div class="chapter-head"><h2>${name}</h2><p>${description.replace(/ Tier [A-Z][a-z]+\.$/, '')} <span class="tier tier-${tier}">${tier}</span></p></div>${tagged.map((operation) => endpointView(operation, reference))}</div>`
  })
  const schemaSections = names.map((name) => {
    const schema = reference.schemas[name] ?? {}
    return html`<section class="schema" id="schema-${name}" data-filter><h3><a class="anchor" href="#schema-${name}">${name}</a></h3><p>${inlineMarkup(String(schema.description ?? ''))}</p>${schemaFields(schema, reference.schemas, 0)}</section>`
  })
  const { info } = document as { info: { description: string; version: string } }
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<title>API reference · Device Intelligence</title><link rel="icon" href="${FAVICON}"><link rel="stylesheet" href="/docs/reference.css"><script src="/docs/reference.js" defer></script></head>
<body><a class="skip" href="#content">Skip to content</a>
<header class="top"><a class="brand" href="/docs"><span class="mark" aria-hidden="true"></span>Device Intelligence</a><span class="top-note">API reference · version ${info.version}</span><a class="top-link" href="/dashboard">Dashboard</a><button type="button" class="theme" id="theme">Light / dark</button><button type="button" class="menu" id="menu" aria-expanded="false" aria-controls="side">Contents</button></header>
<div class="frame"><aside class="side" id="side">${navigation(
    tags.map((tag) => tag.name),
    operations,
    names,
  )}</aside>
<main id="content" tabindex="-1">${guide(info.description)}${chapters}<div class="chapter"><div class="chapter-head"><h2>Schemas</h2><p>Every object of requests and responses.</p></div><div class="schemas">${schemaSections}</div></div></main></div>
</body></html>`.html
}
