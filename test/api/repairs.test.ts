import { afterAll, beforeAll, expect, test } from 'bun:test'
import { policyStore } from '../../src/appraisal/policy-store.ts'
import type { DatabaseOptions } from '../../src/db/database.ts'
import { type FactRecord, NO_FACTS } from '../../src/repairs/repair-fact.ts'
import { repairStore } from '../../src/repairs/repair-store.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { bundledExchange } from '../support/ecb.ts'
import { importText } from '../support/import.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

const DEVICE = 'apple-iphone-13-pro'
const VARIANT = 'apple-iphone-13-pro-128gb-graphite'
const ELSEWHERE = 'apple-iphone-12'

function factsAbout(subject: string, facts: Partial<FactRecord>): FactRecord {
  return {
    level: 'device',
    subject,
    source: 'workshop list',
    updatedAt: Date.parse('2026-11-10'),
    ...NO_FACTS,
    ...facts,
  }
}

onDatabaseOfSuite((store) => {
  let opening: DatabaseOptions
  let service: TestService
  beforeAll(async () => {
    opening = await store.openFull()
    service = await startService(opening, { SAMPLE_DATA: 'off' })
  })
  afterAll(() => service.stop())

  const repairs = async (query: string) => {
    const response = await service.ask(`/api/repairs?${query}`, { tier: 'paid' })
    expect(response.status).toBe(200)
    return response.body.data
  }
  const until = async (query: string, seen: (data: Awaited<ReturnType<typeof repairs>>) => boolean) => {
    const look = async () => {
      const data = await repairs(query)
      return seen(data) && data
    }
    return waitUntil(look, { describe: `the changed repairs of ${query}` })
  }

  test('a response for a device has every field of the document', async () => {
    const data = await repairs(`device_id=${DEVICE}`)
    expect(data).toMatchObject({
      device_id: DEVICE,
      device_name: 'iPhone 13 Pro',
      variant_id: null,
      repairsite_score: 6,
      repairability_rating: 'good',
      source: 'repairsite',
      last_updated: '2026-11-01T00:00:00.000Z',
      data_completeness: 87,
    })
    expect(data.common_repairs[0]).toEqual({
      name: 'Display replacement',
      difficulty: 'moderate',
      estimated_time_minutes: 75,
      parts: [
        {
          name: 'Display assembly',
          cost_min: 4200,
          cost_max: 27_900,
          currency: 'USD',
          availability: 'unknown',
          source: 'published prices of the makers (US)',
          basis: 'listed',
          confidence: 70,
        },
      ],
      labour_min: 2500,
      labour_max: 7500,
      labour_source: 'maker repair manuals and programmes; published teardown scores',
      labour_basis: 'listed',
      labour_confidence: 70,
      repairsite_guide_url: null,
    })
    expect(data.common_failure_points[0]).toBe('Cracked OLED display')
    expect(data.technical_notes.join(' ')).toContain('reference ranges')
  })

  test('a response for a variant equals that of its device, with its own id', async () => {
    const ofDevice = await repairs(`device_id=${DEVICE}`)
    const ofVariant = await repairs(`variant_id=${VARIANT}`)
    expect(ofVariant).toEqual({
      ...ofDevice,
      variant_id: VARIANT,
      repair_roi_indicator: ofVariant.repair_roi_indicator,
      repair_return: ofVariant.repair_return,
    })
    expect(await repairs(`device_id=${DEVICE}&variant_id=${VARIANT}`)).toEqual(ofVariant)
  })

  test("an organization's own labour rate replaces that of the service", async () => {
    const { organizationId, keys } = await service.newOrganization('Own rate')
    const look = async () => (await service.ask(`/api/repairs?device_id=${DEVICE}`, { key: keys.paid })).body.data
    const usual = await look()
    await policyStore(service.app.db).change(
      organizationId,
      { labour_per_hour: 3000 },
      OPERATOR,
      Date.now(),
      bundledExchange,
    )
    const own = await waitUntil(
      async () => {
        const data = await look()
        return data.common_repairs[0].labour_max === 3750 && data
      },
      { describe: 'repairs at the own rate' },
    )
    expect(own.common_repairs[0]).toEqual({ ...usual.common_repairs[0], labour_min: 1250, labour_max: 3750 })
    expect((await repairs(`device_id=${DEVICE}`)).common_repairs[0].labour_max).toBe(7500)
  })

  test('LABOUR_RATE changes labour and the average cost, not the parts', async () => {
    const usual = await repairs(`device_id=${DEVICE}`)
    const other = await startService(opening, { SAMPLE_DATA: 'off', LABOUR_RATE: '90' })
    const expensive = (await other.ask(`/api/repairs?device_id=${DEVICE}`, { tier: 'paid' })).body.data
    await other.stop()
    expect(expensive.common_repairs[0]).toEqual({ ...usual.common_repairs[0], labour_min: 3750, labour_max: 11_250 })
    expect(expensive.average_repair_cost.min).toBeGreaterThan(usual.average_repair_cost.min)
    expect(expensive.technical_notes.join(' ')).toContain('parts and labour, at $90 an hour')
  })

  /** The rule of docs/decisions/0012-appraisal-arithmetic.md, applied to the responses of two endpoints. */
  const wordOf = (resale: Record<string, number>, cost: { min: number; max: number }) => {
    const roi = ((resale.Good ?? 0) - (resale.Poor ?? 0) - cost.min) / cost.min
    return roi >= 1 ? 'high' : roi >= 0.25 ? 'medium' : roi >= 0 ? 'low' : 'negative'
  }
  const resaleOf = async (variant: string) =>
    (await service.ask(`/api/pricing?variant_id=${variant}`, { tier: 'paid' })).body.data.resale.current

  test('the return on repair follows from the current prices, for a variant and for the median variant of a device', async () => {
    for (const device of [DEVICE, 'samsung-galaxy-s22', 'google-pixel-7-pro', 'apple-iphone-6', 'nintendo-switch']) {
      const { variants } = (await service.ask(`/api/devices?search=${device}`, { tier: 'paid' })).body.data[0]
      const prices: { id: string; resale: Record<string, number> }[] = []
      for (const { id } of variants) {
        const resale = await resaleOf(id)
        prices.push({ id, resale })
        const data = await repairs(`variant_id=${id}`)
        expect([id, data.repair_roi_indicator]).toEqual([id, wordOf(resale, data.average_repair_cost)])
      }
      const ordered = prices.toSorted((a, b) => (a.resale.Good ?? 0) - (b.resale.Good ?? 0) || (a.id < b.id ? -1 : 1))
      const data = await repairs(`device_id=${device}`)
      const middle = ordered[(ordered.length - 1) >> 1]?.resale ?? {}
      expect([device, data.repair_roi_indicator]).toEqual([device, wordOf(middle, data.average_repair_cost)])
    }
  })

  test('new prices change the return on repair', async () => {
    const variant = 'apple-iphone-11-64gb-black'
    const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10)
    const sales = (good: number, poor: number, run: string) => [
      'source,side,variant_id,condition,amount,currency,date,listing_id',
      ...Array.from({ length: 30 }, (_, at) => [
        `shop,sold,${variant},Good,${good + (at % 3)},USD,${day(at % 20)},${run}-g${at}`,
        `shop,sold,${variant},Poor,${poor + (at % 3)},USD,${day(at % 20)},${run}-p${at}`,
      ]).flat(),
    ]
    const before = await repairs(`variant_id=${variant}`)
    expect(before.repair_roi_indicator).not.toBe('unknown')
    const imported = await importText(opening, 'observations', 'sales.csv', sales(520, 60, 'a').join('\n'))
    expect(imported.counts).toMatchObject({ observations: 60, rejected: 0 })
    const after = await until(`variant_id=${variant}`, (seen) => seen.repair_roi_indicator === 'high')
    expect(after.repair_roi_indicator).toBe(wordOf(await resaleOf(variant), after.average_repair_cost))
    // A process that has not loaded these prices reads them before its first response.
    await using other = await startService(opening, { SAMPLE_DATA: 'off' })
    const ofOther = async () => (await other.ask(`/api/repairs?variant_id=${variant}`, { tier: 'paid' })).body.data
    expect((await ofOther()).repair_roi_indicator).toBe('high')
    // The fit at the end of the import moves the price once more.
    const isSame = async () => Bun.deepEquals(await repairs(`variant_id=${variant}`), await ofOther())
    await waitUntil(isSame, { describe: 'the same repairs from both processes' })
  })

  for (const [why, query, tier, status, code] of [
    ['no key', `device_id=${DEVICE}`, undefined, 401, 'UNAUTHORIZED'],
    ['a tier too low', `device_id=${DEVICE}`, 'public', 403, 'FORBIDDEN'],
    ['neither id', '', 'paid', 400, 'VALIDATION_ERROR'],
    ['empty ids', 'device_id=&variant_id=', 'paid', 400, 'VALIDATION_ERROR'],
    ['a variant of another device', `device_id=${ELSEWHERE}&variant_id=${VARIANT}`, 'paid', 400, 'VALIDATION_ERROR'],
    ['an unknown device', 'device_id=no-such', 'paid', 404, 'NOT_FOUND'],
    ['an unknown variant', 'variant_id=no-such', 'paid', 404, 'NOT_FOUND'],
    ['an unknown device with a known variant', `device_id=no-such&variant_id=${VARIANT}`, 'paid', 404, 'NOT_FOUND'],
    ['an unknown variant of a known device', `device_id=${DEVICE}&variant_id=no-such`, 'paid', 404, 'NOT_FOUND'],
    ['a device id in place of a variant id', `variant_id=${DEVICE}`, 'paid', 404, 'NOT_FOUND'],
    ['a NUL in the id', 'device_id=a%00b', 'paid', 404, 'NOT_FOUND'],
    ['a name of an Object property', 'device_id=__proto__', 'paid', 404, 'NOT_FOUND'],
  ] as const) {
    test(`${why} is ${status} ${code}`, async () => {
      const response = await service.ask(`/api/repairs?${query}`, { tier })
      expect(response.status).toBe(status)
      expect(response.body.error.code).toBe(code)
    })
  }

  test('an unchanged response is 304', async () => {
    const first = await service.ask(`/api/repairs?device_id=${DEVICE}`, { tier: 'paid' })
    const etag = first.headers.get('ETag') ?? ''
    const again = await service.ask(`/api/repairs?device_id=${DEVICE}`, {
      tier: 'paid',
      headers: { 'If-None-Match': etag },
    })
    expect(again.status).toBe(304)
  })

  test('an imported fact is served soon and takes precedence over bundled facts, and a stated cost replaces the reference', async () => {
    const stated = { kind: 'battery', name: 'Battery, new', availability: 'limited' } as const
    await repairStore(service.app.db).replaceSource(
      'workshop list',
      [
        factsAbout('apple-iphone-14', {
          score: { value: 9, rubricYear: null },
          repairs: [
            {
              kind: 'battery',
              name: null,
              difficulty: 'very_easy',
              minutes: 12,
              parts: [{ ...stated, cost: { minCents: 3000, maxCents: 3900 } }],
              guideUrl: 'https://guides.example/battery',
            },
          ],
        }),
      ],
      'run-1',
    )
    const data = await until('device_id=apple-iphone-14', (seen) => seen.repairsite_score === 9)
    expect(data.repairability_rating).toBe('excellent')
    expect(data.last_updated).toBe('2026-11-10T00:00:00.000Z')
    const battery = data.common_repairs.find((repair: { name: string }) => repair.name === 'Battery replacement')
    expect(battery).toEqual({
      name: 'Battery replacement',
      difficulty: 'very_easy',
      estimated_time_minutes: 12,
      parts: [
        {
          name: 'Battery, new',
          cost_min: 3000,
          cost_max: 3900,
          currency: 'USD',
          availability: 'limited',
          source: 'workshop list',
          basis: 'listed',
          confidence: 90,
        },
      ],
      labour_min: 400,
      labour_max: 1200,
      labour_source: 'workshop list',
      labour_basis: 'listed',
      labour_confidence: 90,
      repairsite_guide_url: 'https://guides.example/battery',
    })
  })

  test('facts of a variant apply to that variant only', async () => {
    const note = 'Only this one has it.'
    const record = { ...factsAbout(VARIANT, { notes: [note] }), level: 'variant' as const, source: 'variant list' }
    await repairStore(service.app.db).writeFacts([record], 'run-2')
    const ofVariant = await until(`variant_id=${VARIANT}`, (seen) => seen.technical_notes.includes(note))
    expect(ofVariant.technical_notes[0]).toBe(note)
    expect((await repairs(`device_id=${DEVICE}`)).technical_notes).not.toContain(note)
  })

  test('replacing a source removes facts it no longer contains', async () => {
    const facts = repairStore(service.app.db)
    const passingFacts = (subject: string) => ({
      ...factsAbout(subject, { notes: ['Passing remark.'] }),
      source: 'passing',
    })
    await facts.replaceSource('passing', [passingFacts('apple-iphone-xr'), passingFacts('apple-iphone-xs')], 'run-3')
    await until('device_id=apple-iphone-xr', (seen) => seen.technical_notes.includes('Passing remark.'))
    await facts.replaceSource('passing', [passingFacts('apple-iphone-xs')], 'run-4')
    await until('device_id=apple-iphone-xr', (seen) => !seen.technical_notes.includes('Passing remark.'))
    expect((await repairs('device_id=apple-iphone-xs')).technical_notes).toContain('Passing remark.')
  })

  test('thousands of imported facts are all loaded, and one corrupt row affects no other', async () => {
    const facts = repairStore(service.app.db)
    const many = Array.from({ length: 1_200 }, (_, at) => ({
      ...factsAbout(`no-such-device-${at}`, { notes: [`Note ${at}.`] }),
      source: 'many',
    }))
    const last = { ...factsAbout('samsung-galaxy-s22', { notes: ['The last of many.'] }), source: 'many' }
    await facts.replaceSource('many', [...many, last], 'run-5')
    await service.app.db.transaction((tx) =>
      tx
        .insertInto('repair_fact')
        .values({
          level: 'device',
          subject: 'samsung-galaxy-s22',
          source: 'broken',
          document: '{',
          updated_at: 0,
          run_id: 'x',
        })
        .execute(),
    )
    expect((await facts.readImported()).importedFacts.filter((record) => record.source === 'many')).toHaveLength(1_201)
    await until('device_id=samsung-galaxy-s22', (seen) => seen.technical_notes.includes('The last of many.'))
  })

  test('imported failure statistics order the failure points', async () => {
    const before = await repairs('device_id=samsung-galaxy-s21')
    expect(before.common_failure_points[0]).toBe('Cracked AMOLED display')
    const tally = { category: 'smartphone', make: 'Samsung', deviceId: 'samsung-galaxy-s21' }
    await repairStore(service.app.db).replaceFaults('counted', [{ ...tally, fault: 'charging-port', count: 500 }])
    const after = await until(
      'device_id=samsung-galaxy-s21',
      (seen) => seen.common_failure_points[0] !== 'Cracked AMOLED display',
    )
    expect(after.common_failure_points[0]).toBe('USB-C port worn, moisture warning')
  })
})
