import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MEANINGS, STATUSES, toDefinition, toForm } from './source-form.ts'
import templates from './source-templates.json'

const EXAMPLES = join(import.meta.dir, '../../../docs/examples/sources')
const readExample = (name: string) => JSON.parse(readFileSync(join(EXAMPLES, name), 'utf8')).sources[0]

describe('the form of a source', () => {
  for (const [name, template] of Object.entries(templates)) {
    test(`keeps every field of the template ${name}`, () => {
      const { method = 'GET', ...request } = template.request as { method?: string }
      const complete = { identifiers: ['imei'], ...template, request: { method, ...request } }
      expect(toDefinition(toForm(template))).toEqual(complete)
    })
  }

  test('its templates are those of the documentation, without secrets', () => {
    const { headers: _, ...registry } = readExample('registry-check.json').request
    expect(templates.registry).toEqual({ ...readExample('registry-check.json'), request: registry })
    const carrier = readExample('carrier-oauth.json')
    delete carrier.request.oauth.client_secret
    expect(templates.carrier).toEqual(carrier)
  })

  test('every word of a template has a meaning that the form offers', () => {
    for (const template of Object.values(templates)) {
      const form = toForm(template)
      for (const status of STATUSES) {
        for (const { meaning } of form.statuses[status]?.words ?? []) {
          expect(MEANINGS[status] as readonly string[]).toContain(meaning)
        }
      }
    }
  })

  test('a source speaks for the statuses that the form maps, and empty words are left out', () => {
    const form = toForm(templates.lookup)
    const changed = toDefinition({
      ...form,
      statuses: {
        carrier_lock: {
          path: 'lock',
          words: [
            { text: 'yes', meaning: 'locked' },
            { text: '', meaning: 'unknown' },
          ],
        },
      },
    })
    expect(changed).toMatchObject({ speaks_for: ['carrier_lock'] })
    expect((changed.answer as { facts: object }).facts).toEqual({
      carrier_lock: { path: 'lock', words: { yes: 'locked' } },
    })
  })

  test('a body with more than the identifier is kept as it is', () => {
    const body = { query: { imei: '{identifier}' }, fields: ['status'] }
    const form = toForm({ ...templates.registry, request: { ...templates.registry.request, body } })
    expect(form.bodyField).toBeNull()
    expect(toDefinition(form).request).toMatchObject({ body })
  })

  test('a definition of another shape is shown with empty fields', () => {
    for (const definition of [{}, { request: 'x', answer: [], identifiers: 'imei' }, { answer: { facts: null } }]) {
      expect(toForm(definition)).toMatchObject({ url: '', statuses: {} })
    }
  })
})
