import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { ERROR_CODES, errorDocsAnchor } from '../../src/contract/errors.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

onDatabaseOfSuite((store) => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(await store.open())
  })
  afterAll(() => service.stop())

  // In the order of the checks: a request is rejected for its first error.
  for (const [why, method, path, tier, json, status, code] of [
    ['an unknown path', 'GET', '/api/nothing', undefined, undefined, 404, 'NOT_FOUND'],
    ['an unknown path with a wrong method', 'DELETE', '/nothing', undefined, undefined, 404, 'NOT_FOUND'],
    ['a wrong method', 'DELETE', '/api/devices', undefined, undefined, 405, 'METHOD_NOT_ALLOWED'],
    ['a POST to a list', 'POST', '/api/devices', 'public', {}, 405, 'METHOD_NOT_ALLOWED'],
    ['no key', 'GET', '/api/devices', undefined, undefined, 401, 'UNAUTHORIZED'],
    ['no key and no body', 'POST', '/api/imei', undefined, undefined, 401, 'UNAUTHORIZED'],
    ['a tier too low for pricing', 'GET', '/api/pricing', 'public', undefined, 403, 'FORBIDDEN'],
    ['a tier too low for repairs', 'GET', '/api/repairs', 'public', undefined, 403, 'FORBIDDEN'],
    ['a tier too low for lookups', 'POST', '/api/imei', 'paid', {}, 403, 'FORBIDDEN'],
    ['a tier too low for history', 'GET', '/api/imei', 'paid', undefined, 403, 'FORBIDDEN'],
    ['a tier too low for appraisals', 'POST', '/api/appraisals', 'public', {}, 403, 'FORBIDDEN'],
    ['a tier too low for one appraisal', 'GET', '/api/appraisals/apr_0', 'public', undefined, 403, 'FORBIDDEN'],
    ['a tier too low for an identifier', 'POST', '/api/appraisals', 'paid', { identifier: '' }, 403, 'FORBIDDEN'],
    ['no key for one appraisal', 'GET', '/api/appraisals/apr_0', undefined, undefined, 401, 'UNAUTHORIZED'],
    [
      'a wrong method for one appraisal',
      'PUT',
      '/api/appraisals/apr_0',
      undefined,
      undefined,
      405,
      'METHOD_NOT_ALLOWED',
    ],
    ['an unknown appraisal', 'GET', '/api/appraisals/apr_0', 'paid', undefined, 404, 'NOT_FOUND'],
  ] as const) {
    test(`${why} is ${status} ${code}`, async () => {
      const response = await service.ask(path, { method, tier, json })
      expect(response.status).toBe(status)
      expect(response.body).toMatchObject({ success: false, error: { code } })
      expect(response.body.error.message.length).toBeGreaterThan(20)
      expect(response.body.error.request_id).toBe(response.headers.get('X-Request-Id'))
    })
  }

  test('an error links to the reference section that explains its code', async () => {
    const page = await (await fetch(`${service.url}/docs`)).text()
    for (const [path, code] of [
      ['/api/nothing', 'NOT_FOUND'],
      ['/api/devices', 'UNAUTHORIZED'],
    ] as const) {
      const { body } = await service.ask(path)
      expect(body.error).toMatchObject({ code, docs: expect.stringContaining(`${service.url}/docs#`) })
    }
    for (const code of ERROR_CODES) {
      const line = page.slice(page.indexOf(`id="${errorDocsAnchor(code)}"`))
      expect(line.slice(0, line.indexOf('</tr>'))).toContain(`<code>${code}</code>`)
    }
  })

  test('405 lists the allowed methods', async () => {
    expect((await service.ask('/api/imei', { method: 'DELETE' })).headers.get('Allow')?.split(', ').sort()).toEqual([
      'GET',
      'HEAD',
      'POST',
    ])
  })

  test('403 names the tier that is needed and asks to upgrade', async () => {
    const { body } = await service.ask('/api/imei', { tier: 'public' })
    expect(body.error.message).toContain('Enterprise')
    expect(body.error.message).toContain('Upgrade')
  })

  describe('a request id', () => {
    test('that is a valid token is used', async () => {
      const response = await service.ask('/api/nothing', { headers: { 'X-Request-Id': 'order-77:a.b' } })
      expect(response.headers.get('X-Request-Id')).toBe('order-77:a.b')
    })
    for (const sent of ['a b', '"><script>', 'x'.repeat(129), '{"a":1}']) {
      test(`that is invalid ("${sent.slice(0, 12)}") is replaced`, async () => {
        const response = await service.ask('/api/nothing', { headers: { 'X-Request-Id': sent } })
        expect(response.headers.get('X-Request-Id')).toMatch(/^req_[0-9a-z]+$/)
      })
    }
  })

  describe('an invalid key', () => {
    // The request id and the time differ per request; everything else must be the same.
    const bodyOf = (text: string) => text.replace(/"(timestamp|request_id)":"[^"]+"/g, '')
    let plain: string
    beforeAll(async () => {
      plain = bodyOf((await service.ask('/api/devices')).text)
    })
    const key = () => service.keys.public
    for (const [why, headers, query] of [
      ['missing', () => ({}), ''],
      ['empty', () => ({ Authorization: 'Bearer ' }), ''],
      ['with another scheme', () => ({ Authorization: `Basic ${key()}` }), ''],
      ['doubled', () => ({ Authorization: `Bearer ${key()}, Bearer ${key()}` }), ''],
      ['with trailing text', () => ({ Authorization: `Bearer ${key()} x` }), ''],
      [
        'with a wrong checksum',
        () => ({ Authorization: `Bearer ${key().slice(0, -1)}${key().endsWith('0') ? '1' : '0'}` }),
        '',
      ],
      [
        'with the prefix of a higher tier',
        () => ({ Authorization: `Bearer ${key().replace('pk_pub_', 'pk_ent_')}` }),
        '',
      ],
      ['in the query', () => ({}), 'key'],
      ['in another header', () => ({ 'X-Api-Key': key() }), ''],
      ['of excessive length', () => ({ Authorization: `Bearer ${'x'.repeat(8_000)}` }), ''],
    ] as const) {
      test(`${why} is 401 with the same body and a challenge`, async () => {
        const path = query ? `/api/devices?api_key=${key()}&authorization=Bearer+${key()}` : '/api/devices'
        const response = await service.ask(path, { headers: headers() })
        expect(response.status).toBe(401)
        expect(response.headers.get('WWW-Authenticate')).toBe('Bearer')
        expect(bodyOf(response.text)).toBe(plain)
      })
    }

    test('is rejected, but the scheme may be in any case', async () => {
      const response = await service.ask('/api/meta/conditions', { headers: { Authorization: `bEARER ${key()}` } })
      expect(response.status).toBe(200)
    })
  })
})
