import { afterAll, beforeAll, expect, test } from 'bun:test'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

onDatabaseOfSuite((store) => {
  let service: TestService
  const lookup = async (identifier: string, more: object = {}) =>
    (await service.ask('/api/imei', { tier: 'enterprise', json: { identifier, ...more } })).body.data
  const codes = (response: { risk_factors: { code: string }[] }) => response.risk_factors.map(({ code }) => code)

  beforeAll(async () => {
    service = await startService(await store.open())
  })
  afterAll(() => service.stop())

  for (const [sent, code, suggested] of [
    ['354178036859781', 'check_digit_mismatch', '354178036859789'],
    ['354178036859789/01', 'not_an_imei', '354178036859789'],
    ['3541780368S9789', 'not_an_imei', '354178036859789'],
    ['3541780368597', 'not_an_imei', null],
    ['3541780368', 'not_an_imei', null],
    ['35417803685', 'not_an_imei', null],
    ['MLVC3LL/A', 'not_an_identifier', null],
    ['SM-G991B', 'not_an_identifier', null],
    ['A4:83:E7:12:34:56', 'not_an_identifier', null],
    ['RR123456785LT', 'not_an_identifier', null],
    ['000000000000', 'impossible_identifier', null],
    ['hello world', 'impossible_identifier', null],
    ['262011234567890', 'looks_like_imsi', null],
    ['123456789012347', 'sample_identifier', null],
  ] as const) {
    test(`${sent} is ${code}: check the identifier`, async () => {
      const response = await lookup(sent)
      expect(response).toMatchObject({
        identifier: sent,
        blacklist_status: 'unknown',
        recommendation: 'recheck_identifier',
        cleared_by: [],
      })
      expect(codes(response)).toContain(code)
      expect(response.risk_score).toBeGreaterThanOrEqual((await lookup('354178036859789')).risk_score)
      if (suggested === null) expect(response.suggested_identifiers).toEqual([])
      else expect(response.suggested_identifiers).toContain(suggested)
    })
  }

  test('a mistyped IMEI is a finding, not a critical risk', async () => {
    const response = await lookup('354178036859781')
    expect(response).toMatchObject({ risk_level: 'medium', recommendation: 'recheck_identifier' })
    expect(response.risk_factors[1].message).toStartWith('Check the number: ')
  })

  test('a number rounded by a spreadsheet is rejected with advice', async () => {
    const response = await service.ask('/api/imei', { tier: 'enterprise', json: { identifier: '3.56938E+14' } })
    expect(response.status).toBe(400)
    expect(response.body.error.message).toContain('format the column as text')
  })

  test('valid identifiers get the recommendation of their risk level', async () => {
    expect(await lookup('354178036859789')).toMatchObject({ recommendation: 'inspect', suggested_identifiers: [] })
    expect(await lookup('100000010000015')).toMatchObject({ recommendation: 'buy', risk_level: 'low' })
    expect(await lookup('100000010000023')).toMatchObject({ recommendation: 'reject', risk_level: 'critical' })
    expect(await lookup('SANDBOXCLEAN')).toMatchObject({ recommendation: 'buy', blacklist_status: 'clean' })
  })

  test('an old Apple serial number reveals plant, week and model code', async () => {
    const response = await lookup('F2TK4TZ7DTWF')
    const read = response.risk_factors.find(({ code }: { code: string }) => code === 'serial_read')
    expect(read).toMatchObject({
      points: 0,
      message: 'If Apple gave it: plant F2T (Foxconn, Zhengzhou), week 4 of 2013 or 2023, model code DTWF.',
    })
  })

  test('thirteen digits declared as a serial number are one', async () => {
    const response = await lookup('3541780368597', { identifier_type: 'serial' })
    expect(response).toMatchObject({ identifier_type: 'serial', recommendation: 'inspect' })
    expect(codes(response)).not.toContain('not_an_imei')
  })
})
