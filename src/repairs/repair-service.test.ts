import { expect, test } from 'bun:test'
import { sampleDevice } from '../../test/support/device.ts'
import { waitUntil } from '../../test/support/wait.ts'
import type { Device, Variant } from '../catalog/device.ts'
import { neverReload, reloadOnChange } from '../db/reload-on-change.ts'
import { type FactRecord, NO_FACTS } from './repair-fact.ts'
import { medianResale, openRepairService, type RepairServiceOptions } from './repair-service.ts'

const device = (id: string, variants: readonly Partial<Variant>[] = [{ id: `${id}-64gb`, listCents: 50_000 }]) =>
  sampleDevice('Acme', id, { id, releasedOn: null, releasePrecision: null, variants })

async function open(devices: readonly Device[], more: Partial<RepairServiceOptions<string>> = {}) {
  let buildCount = 0
  const notes = ['first']
  const record = (note: string) => ({
    level: 'category' as const,
    subject: 'smartphone',
    source: 'test',
    updatedAt: 0,
    ...NO_FACTS,
    notes: [note],
  })
  const service = await openRepairService<string>({
    bundled: {
      lines: [],
      costs: { pricedOn: '2026-01-01', typicalAgeYears: 4, families: [] },
      bundledFacts: [],
      bundledFaults: [],
    },
    registry: () => ({
      findDevice: (id) => devices.find((each) => each.id === id),
      findVariant: (id) => {
        for (const each of devices) {
          const found = each.variants.find((one) => one.id === id)
          if (found) return { device: each, variant: found }
        }
        return undefined
      },
    }),
    readImported: async () => ({ importedFacts: notes.map(record), importedFaults: [] }),
    preparePrices: () => undefined,
    resaleOf: () => null,
    market: () => ({ labourCentsPerHour: 6000, partCostFactor: 1 }),
    now: () => 0,
    toResponse: (data) => {
      buildCount++
      return JSON.stringify(data)
    },
    reloadOnChange: neverReload,
    ...more,
  })
  return { service, notes, buildCount: () => buildCount }
}

type RepairService = Awaited<ReturnType<typeof open>>['service']

/** In these tests prices are in memory, so results are synchronous. */
function ofDevice(service: RepairService, id: string) {
  const found = service.findByDevice(id)
  if (found instanceof Promise) throw new Error('came later')
  return found
}

test('a response is built once and cached', async () => {
  const { service, buildCount } = await open([device('one')])
  expect(ofDevice(service, 'one')?.response).toBe(ofDevice(service, 'one')?.response ?? '')
  expect((await service.findByVariant('one-64gb'))?.deviceId).toBe('one')
  expect(buildCount()).toBe(2)
})

test('an unknown id is not cached, so that requests for nonsense do not fill the cache', async () => {
  const { service, buildCount } = await open([device('one')], { maxCachedResponses: 1 })
  service.findByDevice('one')
  for (let at = 0; at < 100; at++) expect(service.findByDevice(`nonsense-${at}`)).toBeUndefined()
  service.findByDevice('one')
  expect(buildCount()).toBe(1)
})

test('the cache is limited, and frequently used responses stay', async () => {
  const names = Array.from({ length: 20 }, (_, at) => `d${at}`)
  const { service, buildCount } = await open(
    names.map((name) => device(name)),
    { maxCachedResponses: 4 },
  )
  service.findByDevice('d0')
  for (const name of names) {
    service.findByDevice(name)
    service.findByDevice('d0')
  }
  expect(buildCount()).toBe(20)
})

test('after a change, cached responses are rebuilt in the background', async () => {
  const { service, notes, buildCount } = await open([device('one'), device('two')])
  expect(ofDevice(service, 'one')?.response).toContain('first')
  notes[0] = 'second'
  expect(ofDevice(service, 'one')?.response).toContain('first')
  await service.refresh()
  expect(buildCount()).toBe(2)
  expect(ofDevice(service, 'one')?.response).toContain('second')
  expect(buildCount()).toBe(2)
})

test('a refresh during another one is not lost', async () => {
  const { service, notes } = await open([device('one')])
  service.findByDevice('one')
  const first = service.refresh()
  notes[0] = 'late'
  await Promise.all([first, service.refresh()])
  expect(ofDevice(service, 'one')?.response).toContain('late')
})

test('cached responses are served while the database is unavailable', async () => {
  let away = false
  let failed = 0
  const failures: unknown[] = []
  const { service } = await open([device('one')], {
    readImported: async () => {
      if (away && ++failed) throw new Error('away')
      return { importedFacts: [], importedFaults: [] }
    },
    reloadOnChange: reloadOnChange({
      subscribe: () => () => {},
      onFailure: (error) => failures.push(error),
      onRecovery() {},
    }),
  })
  const before = ofDevice(service, 'one')?.response
  away = true
  service.invalidate()
  await waitUntil(() => failed >= 2, { describe: 'two reads that fail' })
  expect(failures).toHaveLength(1)
  expect(ofDevice(service, 'one')?.response).toBe(before ?? '')
  service.close()
})

test('a response waits for prices that must be loaded, and is cached with them', async () => {
  let read = 0
  let loaded = false
  const { service, buildCount } = await open([device('one')], {
    preparePrices: () => {
      if (loaded) return undefined
      read++
      return Bun.sleep(5).then(() => {
        loaded = true
      })
    },
    resaleOf: () => (loaded ? { goodCents: 2, poorCents: 1 } : null),
  })
  const soon = service.findByDevice('one')
  expect(soon).toBeInstanceOf(Promise)
  await soon
  expect(ofDevice(service, 'one')?.deviceId).toBe('one')
  expect([read, buildCount()]).toEqual([1, 1])
})

test('a response without prices is returned if they cannot be loaded, and built again next time', async () => {
  const { service, buildCount } = await open([device('one')], {
    preparePrices: () => Promise.reject(new Error('away')),
  })
  expect((await service.findByDevice('one'))?.response).toContain('"repair_roi_indicator":"unknown"')
  await service.findByDevice('one')
  expect(buildCount()).toBe(2)
})

test('a new day rebuilds responses, because prices fall with time', async () => {
  let now = 0
  let good = 5
  const { service } = await open([device('one')], {
    now: () => now,
    resaleOf: () => ({ goodCents: good, poorCents: 1 }),
    toResponse: () => `${good}`,
  })
  expect(ofDevice(service, 'one')?.response).toBe('5')
  good = 4
  now = 86_400_000
  expect(ofDevice(service, 'one')?.response).toBe('5')
  await waitUntil(() => ofDevice(service, 'one')?.response === '4', { describe: 'the response of the new day' })
})

test('a device has the price of its median priced variant; disabled variants do not count', () => {
  const priced = (prices: Record<string, number>, off: readonly string[] = []) =>
    medianResale(
      device(
        'one',
        Object.keys(prices).map((id) => ({ id, disabled: off.includes(id) })),
      ),
      (id) => (prices[id] ? { goodCents: prices[id], poorCents: 1 } : null),
    )?.goodCents
  expect(priced({ a: 300, b: 100, c: 200 })).toBe(200)
  expect(priced({ a: 300, b: 100, c: 200, d: 400 })).toBe(200)
  expect(priced({ a: 300, b: 100, c: 200 }, ['b'])).toBe(200)
  expect(priced({ a: 0, b: 100 })).toBe(100)
  expect(priced({ a: 0 })).toBeUndefined()
})

test('disabled variants count if all are disabled, because the device never had a price in dollars', () => {
  const variants = ['a', 'b', 'c'].map((id) => ({ id, disabled: true }))
  const cents: Record<string, number> = { a: 300, b: 100, c: 200 }
  const resaleOf = (id: string) => ({ goodCents: cents[id] ?? 0, poorCents: 1 })
  expect(medianResale(device('one', variants), resaleOf)?.goodCents).toBe(200)
})

test('an imported part list moves the estimates of other devices of its family, not those of another part', async () => {
  const devices = ['one', 'two', 'three'].map((id) => device(id))
  const costs = {
    pricedOn: '2026-01-01',
    typicalAgeYears: 4,
    families: [
      {
        ...{
          level: 'category' as const,
          subject: 'smartphone',
          typicalListCents: 40_000,
          yearlyFactor: 0.9,
          leastFactor: 0.4,
        },
        parts: {
          screen: { share: [0.1, 0.3] as const, leastCents: [2000, 4000] as const },
          battery: { share: [0.02, 0.06] as const, leastCents: [500, 900] as const },
        },
      },
    ],
  }
  const listOf = (facts: readonly FactRecord[]) => ({
    bundled: { lines: [], costs, bundledFacts: [], bundledFaults: [] },
    readImported: async () => ({ importedFacts: facts, importedFaults: [] }),
  })
  const stated = (subject: string): FactRecord => ({
    ...{ level: 'device', subject, source: 'parts shop', updatedAt: 1, ...NO_FACTS },
    repairs: [
      {
        ...{ kind: 'screen', name: null, difficulty: null, minutes: null, guideUrl: null },
        parts: [{ kind: 'screen', name: null, cost: { minCents: 12_000, maxCents: 12_000 }, availability: null }],
      },
    ],
  })
  const before = (await open(devices, listOf([]))).service.pricedRepairs('three-64gb')
  const after = (await open(devices, listOf(['one', 'two'].map(stated)))).service.pricedRepairs('three-64gb')
  const middle = (repair: { partsMinCents: number; partsMaxCents: number } | undefined) =>
    Math.sqrt((repair?.partsMinCents ?? 0) * (repair?.partsMaxCents ?? 0))
  expect(middle(after?.get('screen'))).toBeGreaterThan(1.3 * middle(before?.get('screen')))
  expect(middle(after?.get('battery'))).toBeLessThan(1.25 * middle(before?.get('battery')))
})
