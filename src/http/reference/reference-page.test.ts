import { expect, test } from 'bun:test'
import { endpoints, examplePath } from '../../contract/endpoints.ts'
import { openApiDocument } from '../../contract/openapi.ts'
import { html } from '../../lib/html.ts'
import { VERSION } from '../../lib/version.ts'
import { FAVICON } from '../static-file.ts'
import { documentTemplates } from './document-templates.ts'
import { fillPlaceholders } from './placeholders.ts'
import { REFERENCE_CSS, REFERENCE_JS } from './reference-page.ts'

const settings = { baseUrl: 'https://devices.example', limits: { public: 300, paid: 1_200, enterprise: 6_000 } }
const templates = documentTemplates()
const page = fillPlaceholders(templates.page, settings, (text) => text)

test('the documents for an address and limits have no placeholder left', () => {
  const openApi = fillPlaceholders(templates.openApi, settings, (text) => text)
  expect(JSON.parse(openApi)).toEqual(openApiDocument({ baseUrl: settings.baseUrl, version: VERSION }))
  expect(page + openApi).not.toMatch(/\{(base_url|limit_\w+)\}/)
})

test('shows every endpoint with its example call', () => {
  for (const endpoint of endpoints) {
    expect(page).toContain(`id="${endpoint.id}"`)
    expect(page).toContain(`https://devices.example${examplePath(endpoint)}`)
  }
})

test('starts with a first request, then authentication, errors, limits and pagination', () => {
  const guide = page.slice(page.indexOf('<main'))
  const order = ['Your first request', 'id="keys"', 'id="errors"', 'id="limits"', 'id="pages"', 'id="listDevices"']
  const places = order.map((text) => guide.indexOf(text))
  expect(places).toEqual(places.toSorted((one, other) => one - other))
  expect(places).not.toContain(-1)
  expect(guide.indexOf('checked in this order')).toBeGreaterThan(guide.indexOf('id="errors"'))
})

test('lists the objects of responses, not their envelopes', () => {
  expect(page).toContain('id="schema-VariantPricing"')
  expect(page).not.toContain('id="schema-GetPricingResponse"')
})

test('shows the configured limits', () => {
  expect(page).toContain('6,000 a minute')
})

test('loads nothing from another host and runs no inline script', () => {
  const loaded = [...page.matchAll(/<(?:script|link|img|iframe)[^>]*(?:src|href)="([^"]+)"/g)].map(
    ([, address]) => address,
  )
  expect(loaded.sort()).toEqual(['/docs/reference.css', '/docs/reference.js', FAVICON.replaceAll("'", '&#39;')])
  expect(page).not.toMatch(/<script(?![^>]*src=)|<style|\sstyle=|\son[a-z]+=/)
  expect(REFERENCE_CSS).not.toMatch(/url\(|@import/)
  expect(REFERENCE_JS).not.toMatch(/https?:\/\/|innerHTML|eval\(/)
})

test('every link within the page has a target', () => {
  const places = new Set([...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id))
  for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) expect(places).toContain(target)
})

test('text in markup is escaped', () => {
  expect(html`<p>${'<img src=x onerror=alert(1)> & "quoted"'}</p>`.html).toBe(
    '<p>&lt;img src=x onerror=alert(1)&gt; &amp; &quot;quoted&quot;</p>',
  )
})
