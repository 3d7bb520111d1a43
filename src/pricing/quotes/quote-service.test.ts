import { expect, test } from 'bun:test'
import { sampleDevice } from '../../../test/support/device.ts'
import type { Device, Variant } from '../../catalog/device.ts'
import type { VariantPricingWire } from '../../contract/pricing.ts'
import { neverReload } from '../../db/reload-on-change.ts'
import { SLICE_MS } from '../../lib/event-loop.ts'
import { DAY_MS } from '../../lib/time.ts'
import { priorMarkets } from '../markets/fitted-markets.ts'
import type { VariantObservation } from './device-quotes.ts'
import type { DefectiveObservation } from './observed-defects.ts'
import { openQuoteService, type QuoteServiceOptions } from './quote-service.ts'

const NO_ORGANIZATIONS = {
  organizationMarkets: async () => new Map<string, string>(),
  organizationsWithPrices: async () => [],
  ownPricesChangedSince: async (revision: number) => ({ organizationIds: [], revision }),
  newestOwnDevices: async () => [],
  ownObservationsOf: async () => [],
}

const NOW = Date.UTC(2026, 5, 1, 12)

const device = sampleDevice('Acme', 'One', { releasedOn: '2024-01-01', variants: [{ listCents: 60_000 }] })
const variant = device.variants[0] as Variant

function sold(cents: number): VariantObservation[] {
  return Array.from({ length: 30 }, (_, at) => ({
    source: 'shop',
    side: 'sold',
    variantId: '64gb',
    exactVariantId: variant.id,
    grade: 'Good',
    label: 'good',
    market: 'us',
    lock: '',
    cents: cents + at,
    observedAt: NOW - (at + 1) * DAY_MS,
    listingId: `${at}`,
    state: 'sold',
    listedAt: null,
  }))
}

async function open(more: Partial<QuoteServiceOptions<{ data: unknown }>> = {}) {
  let buildCount = 0
  const quotes = await openQuoteService<{ data: unknown }>({
    registry: () => REGISTRY,
    source: {
      observedSince: async () => ({ deviceIds: [], revision: 0 }),
      observationsOf: async () => [],
      ...NO_ORGANIZATIONS,
    },
    readMarkets: async () => ({ markets: { world: priorMarkets(NOW), byCountry: new Map() }, fittedAt: 0 }),
    sampleOf: () => [],
    defaultMarket: () => 'us',
    toResponse: (data) => {
      buildCount++
      return { data }
    },
    now: () => NOW,
    reloadOnChange: neverReload,
    onFailure: (error) => {
      throw error
    },
    ...more,
  })
  const goodCents = async () => {
    const response = await quotes.findResponse(variant.id, 'resale')
    return (response?.data as VariantPricingWire | undefined)?.resale?.current.Good as number
  }
  return { quotes, goodCents, buildCount: () => buildCount }
}

function registryOf(devices: readonly Device[]) {
  return {
    findDevice: (id: string) => devices.find((entry) => entry.id === id),
    findVariant(id: string) {
      const found = devices.find(({ variants }) => variants.some((entry) => entry.id === id))
      const match = found?.variants.find((entry) => entry.id === id)
      return found && match ? { device: found, variant: match } : undefined
    },
  }
}
const REGISTRY = registryOf([device])

test('an unobserved device is priced synchronously, and the response is cached', async () => {
  const { quotes, buildCount } = await open()
  const first = quotes.findResponse(variant.id, 'both')
  expect(first).not.toBeInstanceOf(Promise)
  expect(quotes.findResponse(variant.id, 'both')).toBe(first)
  expect(buildCount()).toBe(1)
  expect(quotes.findResponse('no-such', 'both')).toBeUndefined()
})

test('a new day invalidates responses, because prices fall with time', async () => {
  let now = NOW
  const { quotes, buildCount } = await open({ now: () => now })
  quotes.findResponse(variant.id, 'both')
  now += DAY_MS
  quotes.findResponse(variant.id, 'both')
  expect(buildCount()).toBe(2)
})

test('an observed device is read once and cached until its observations change', async () => {
  let read = 0
  let [cents, revision] = [30_000, 1]
  const { quotes, goodCents } = await open({
    source: {
      observedSince: async (since) => ({ deviceIds: since < revision ? [device.id] : [], revision }),
      ...NO_ORGANIZATIONS,
      observationsOf: async () => {
        read++
        return sold(cents)
      },
    },
  })
  const before = await goodCents()
  await goodCents()
  expect(read).toBe(1)
  ;[cents, revision] = [40_000, 2]
  await quotes.refresh()
  expect(await goodCents()).toBeGreaterThan(before + 5_000)
  expect(read).toBe(2)
})

// The rows were read before the change and arrive after it: cached, they would be served until the next change.
test('observations read before a change are not cached after it', async () => {
  const slow = Promise.withResolvers<VariantObservation[]>()
  const reads = [slow.promise]
  let revision = 1
  const { quotes, goodCents } = await open({
    source: {
      observedSince: async (since) => ({ deviceIds: since < revision ? [device.id] : [], revision }),
      ...NO_ORGANIZATIONS,
      observationsOf: async () => reads.shift() ?? sold(40_000),
    },
  })
  const early = goodCents()
  revision = 2
  await quotes.refresh()
  slow.resolve(sold(30_000))
  const before = await early
  expect(await goodCents()).toBeGreaterThan(before + 5_000)
})

test('when prices of many devices change at once, other requests are served in between', async () => {
  const many = Array.from({ length: 300 }, (_, at) => ({
    ...device,
    id: `acme-${at}`,
    variants: [{ ...variant, id: `v${at}` }],
  }))
  const find = (id: string) => many.find((one) => one.id === id)
  const findVariant = (id: string) => {
    const found = many[Number(id.slice(1))]
    return found && { device: found, variant: found.variants[0] as Variant }
  }
  let revision = 1
  const { quotes } = await open({
    registry: () => ({ findDevice: find, findVariant }),
    source: {
      observedSince: async (since) => ({ deviceIds: since < revision ? many.map(({ id }) => id) : [], revision }),
      // A store in the same process responds without leaving the loop iteration.
      ...NO_ORGANIZATIONS,
      observationsOf: async () => sold(30_000),
    },
    reloadOnChange: (work) => ({ ...neverReload(work), refresh: work }),
  })
  for (const one of many) await quotes.findResponse(one.variants[0]?.id ?? '', 'resale')
  revision = 2
  let turns = 0
  const timer = setInterval(() => turns++, 0)
  await quotes.refresh()
  clearInterval(timer)
  expect(turns).toBeGreaterThan(3)
})

test('prices of defective devices change no grade and are returned as shares of the Good price', async () => {
  const dead = sold(5_000).map((row) => ({ ...row, side: 'quote' as const, grade: 'dead' as const, observedAt: NOW }))
  const source = (rows: readonly (VariantObservation | DefectiveObservation)[]) => ({
    observedSince: async () => ({ deviceIds: [device.id], revision: 1 }),
    ...NO_ORGANIZATIONS,
    observationsOf: async () => rows,
  })
  const plain = await (await open({ source: source(sold(30_000)) })).quotes.valueOf(variant.id)
  const value = await (await open({ source: source([...sold(30_000), ...dead]) })).quotes.valueOf(variant.id)
  expect(value?.resale).toEqual(plain?.resale ?? null)
  expect(value?.defectRatios).toHaveLength(dead.length)
  const [first] = value?.defectRatios ?? []
  expect(first).toMatchObject({ grade: 'dead', side: 'buyback' })
  expect(first?.ratio).toBeCloseTo(5_000 / (value?.buyback?.Good.amount ?? 0), 6)
})

test('devices that are asked for at the same moment are read and priced one after the other, with the event loop between', async () => {
  const devices = Array.from({ length: 12 }, (_, at) =>
    sampleDevice('Acme', `Many ${at}`, { releasedOn: '2024-01-01', variants: [{ listCents: 60_000 }] }),
  )
  const registry = registryOf(devices)
  let turn = 0
  let isCounting = true
  const count = () => {
    turn++
    if (isCounting) setImmediate(count)
  }
  setImmediate(count)
  const turns: number[] = []
  const { quotes } = await open({
    registry: () => registry,
    source: {
      ...NO_ORGANIZATIONS,
      observedSince: async () => ({ deviceIds: devices.map(({ id }) => id), revision: 1 }),
      observationsOf: async () => {
        // As long as a read on SQLite, which holds the event loop.
        for (const until = performance.now() + SLICE_MS + 1; performance.now() < until; );
        turns.push(turn)
        return []
      },
    },
  })
  await Promise.all(devices.map(({ variants: [first] }) => quotes.valueOf((first as Variant).id)))
  isCounting = false
  expect(new Set(turns).size).toBe(devices.length)
})
