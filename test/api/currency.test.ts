import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { isStaleRate } from '../../src/currency/rate-lookup.ts'
import type { DatabaseOptions } from '../../src/db/database.ts'
import { dayOf } from '../../src/lib/time.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { importText } from '../support/import.ts'
import { startService, type TestService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

const TODAY = dayOf(Date.now())
const PHONE = 'apple-iphone-13-128gb-midnight'

onDatabaseOfSuite((store) => {
  let service: TestService
  let opening: DatabaseOptions
  beforeAll(async () => {
    opening = await store.open()
    service = await startService(opening)
  })
  afterAll(() => service.stop())
  const ask = (path: string) => service.ask(path, { tier: 'paid' })
  const withoutTime = (text: string) => text.replace(/"timestamp":"[^"]+"}$/, '')

  test('the bundled rate of the European Central Bank is used before any import, and the response says how old it is', async () => {
    const { status, body } = await ask(`/api/pricing?variant_id=${PHONE}&currency=EUR`)
    expect(status).toBe(200)
    const { date, stale, source } = body.data.exchange_rate
    expect({ stale, source }).toEqual({ stale: isStaleRate(date, TODAY), source: 'ecb' })
  })

  describe('with imported rates', () => {
    beforeAll(async () => {
      const imported = await importText(
        opening,
        'rates',
        'r.csv',
        `currency,day,usd\nEUR,${TODAY},1.25\nJPY,${TODAY},0.0064`,
      )
      expect(imported.code).toBe(0)
      const isServed = async (path: string) => {
        const { body } = await ask(`${path}?variant_id=${PHONE}&currency=JPY`)
        return body.data.exchange_rate.source === 'imported'
      }
      await waitUntil(async () => (await isServed('/api/pricing')) && (await isServed('/api/repairs')), {
        describe: 'the running service uses the imported rates',
      })
    })

    for (const path of [
      `/api/pricing?variant_id=${PHONE}`,
      `/api/repairs?variant_id=${PHONE}`,
      '/api/repairs?device_id=apple-iphone-13',
    ]) {
      test(`${path} is byte-identical with USD and without a currency`, async () => {
        const plain = await ask(path)
        expect(withoutTime((await ask(`${path}&currency=usd`)).text)).toBe(withoutTime(plain.text))
        expect(withoutTime((await ask(`${path}&currency=`)).text)).toBe(withoutTime(plain.text))
        expect(plain.text).not.toContain('exchange_rate')
        for (const [, currency] of plain.text.matchAll(/"currency":"([^"]+)"/g)) expect(currency).toBe('USD')
      })

      test(`${path} returns all amounts in euros, with the rate`, async () => {
        const { status, body, text, headers } = await ask(`${path}&currency=eur`)
        expect(status).toBe(200)
        expect(body.data.exchange_rate).toEqual({ rate: 0.8, date: TODAY, stale: false, source: 'imported' })
        for (const [, currency] of text.matchAll(/"currency":"([^"]+)"/g)) expect(currency).toBe('EUR')
        const again = await service.ask(`${path}&currency=EUR`, {
          tier: 'paid',
          headers: { 'If-None-Match': headers.get('ETag') ?? '' },
        })
        expect(again.status).toBe(304)
      })

      for (const [sent, says] of [
        ['PKR', 'currency was "PKR", which has no exchange rate.'],
        ['EUT', 'Did you mean EUR?'],
        ['EURO', 'three letters'],
        ['€', 'three letters'],
      ] as const) {
        test(`${path} rejects ${sent}`, async () => {
          const { status, body } = await ask(`${path}&currency=${encodeURIComponent(sent)}`)
          expect(status).toBe(400)
          expect(body.error.message).toContain(says)
        })
      }
    }

    test('amounts are the dollars times the rate, in minor units', async () => {
      const [dollars, euros, yen] = await Promise.all(
        ['USD', 'EUR', 'JPY'].map(
          async (code) => (await ask(`/api/pricing?variant_id=${PHONE}&currency=${code}`)).body.data,
        ),
      )
      for (const condition of ['Excellent', 'Good', 'Fair', 'Poor']) {
        expect(euros.resale.current[condition]).toBe(Math.round(dollars.resale.current[condition] * 0.8))
        expect(yen.buyback.current[condition]).toBe(Math.round(dollars.buyback.current[condition] * 1.5625))
      }
      const parts = async (code: string) => (await ask(`/api/repairs?variant_id=${PHONE}&currency=${code}`)).body.data
      const [inDollars, inEuros] = [await parts('USD'), await parts('EUR')]
      expect(inEuros.average_repair_cost.min).toBe(Math.round(inDollars.average_repair_cost.min * 0.8))
      expect(inDollars.technical_notes.join()).toContain('at $60 an hour')
      expect(inEuros.technical_notes.join()).toContain('at 48.00 EUR an hour')
      expect(inEuros.common_repairs[0].labour_max).toBe(Math.round(inDollars.common_repairs[0].labour_max * 0.8))
    })

    test('a missing amount is missing in every currency', async () => {
      expect((await ask('/api/pricing?variant_id=no-such&currency=EUR')).status).toBe(404)
      expect((await ask('/api/repairs?device_id=no-such&currency=EUR')).status).toBe(404)
      expect((await ask(`/api/repairs?device_id=apple-iphone-14&variant_id=${PHONE}&currency=EUR`)).status).toBe(400)
    })
  })
})
