import { describe, expect, test } from 'bun:test'
import { MEANINGS, STATUSES, toDefinition, toForm } from './source-form.ts'
import { SOURCE_TEMPLATES } from './source-templates.ts'

describe('the form of a source', () => {
  for (const [name, template] of Object.entries(SOURCE_TEMPLATES)) {
    test(`keeps every field of the template ${name}`, () => {
      const { method = 'GET', ...request } = template.request as { method?: string }
      const complete = { identifiers: ['imei'], ...template, request: { method, ...request } }
      expect(toDefinition(toForm(template))).toEqual(complete)
    })
  }

  test('its templates contain no secret', () => {
    const text = JSON.stringify(SOURCE_TEMPLATES)
    for (const word of ['client_secret', 'headers', '${']) expect(text).not.toContain(word)
    expect(SOURCE_TEMPLATES.carrier).toMatchObject({ request: { oauth: { client_id: 'device-intelligence' } } })
  })

  test('every value of a template has a meaning that the form offers', () => {
    for (const template of Object.values(SOURCE_TEMPLATES)) {
      const form = toForm(template)
      for (const status of STATUSES) {
        for (const { meaning } of form.statuses[status]?.words ?? []) {
          expect(MEANINGS[status] as readonly string[]).toContain(meaning)
        }
      }
    }
  })

  test("a source's speaks_for has the statuses that the form maps, and empty values are left out", () => {
    const form = toForm(SOURCE_TEMPLATES.lookup)
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

  test('a body with more than the identifier stays unchanged', () => {
    const body = { query: { imei: '{identifier}' }, fields: ['status'] }
    const { registry } = SOURCE_TEMPLATES
    const form = toForm({ ...registry, request: { ...(registry.request as object), body } })
    expect(form.bodyField).toBeNull()
    expect(toDefinition(form).request).toMatchObject({ body })
  })

  test('a definition of another shape is shown with empty fields', () => {
    for (const definition of [{}, { request: 'x', answer: [], identifiers: 'imei' }, { answer: { facts: null } }]) {
      expect(toForm(definition)).toMatchObject({ url: '', statuses: {} })
    }
  })
})
