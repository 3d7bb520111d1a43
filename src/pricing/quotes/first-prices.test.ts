import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { bundledDevices } from '../../catalog/bundled-catalogue-service.ts'
import { CONDITIONS } from '../../contract/condition-grades.ts'
import { DAY_MS, YEAR_MS } from '../../lib/time.ts'
import { loadBundledRepairData } from '../../repairs/bundled-repair-data.ts'
import { PART_KINDS } from '../../repairs/fault-kinds.ts'
import { indexRepairData } from '../../repairs/repair-fact-index.ts'
import { configurationOf, toDeviceInput } from '../configuration.ts'
import { priorMarkets } from '../markets/fitted-markets.ts'
import { fitCountries, marketsOf } from '../model/country-markets.ts'
import { familyOf, isPhone } from '../model/device-family.ts'
import { hasMoreMemory } from '../model/memory-order.ts'
import type { DeviceInput, Observation, PriceSide } from '../model/observation.ts'
import { PRIOR_COEFFICIENTS } from '../model/prior-coefficients.ts'
import { isPlausible, plausibleRange } from '../plausible-amount.ts'
import { type Quote, quoteDevice } from './quote.ts'

const NOW = Date.parse('2026-11-15')
const markets = priorMarkets(NOW)
const devices = [...bundledDevices()]
const registry = {
  findDevice: () => undefined,
  findVariant: () => undefined,
  listDevicesOfCategory: (category: string) => devices.filter((one) => one.category === category),
}

/** Every bundled variant with its price before any observation. */
const board = devices.flatMap((device) => {
  const facts = toDeviceInput(device, registry)
  const quotes = new Map(quoteDevice(markets, facts, [], NOW).map((quote) => [quote.variantId, quote]))
  return device.variants.map((variant) => ({
    device,
    facts,
    variant,
    quote: quotes.get(configurationOf(variant)) as Quote,
  }))
})

/** Categories with enough known prices for an estimate. */
const PRICES_NEEDED = 5
const pricedDevices = devices.filter(({ variants }) =>
  variants.some(({ listCents, announcedCents }) => listCents > 0 || announcedCents),
)
const canEstimate = ({ category }: (typeof devices)[number]) =>
  pricedDevices.filter((one) => one.category === category).length >= PRICES_NEEDED
const pricedMakes = new Set(pricedDevices.map(({ category, make }) => `${category} ${make}`))
/** A make without any price, and of which no more is known, has none: makes differ by a factor of two to three. */
const isKnown = ({ category, make, specifications, releasedOn }: (typeof devices)[number]) =>
  pricedMakes.has(`${category} ${make}`) || !!(releasedOn && specifications.memory && specifications.storage)

test('every variant has a price where prices of its category, and of its make or its specifications, are known', () => {
  const unpriced = board.filter(({ quote }) => quote.resale.cents === null || quote.buyback.cents === null)
  const expected = unpriced.filter(({ device }) => canEstimate(device) && isKnown(device))
  expect(expected.map(({ variant }) => variant.id)).toEqual([])
  const unknown = unpriced.filter(({ device }) => !isKnown(device))
  expect(unknown.filter(({ quote }) => quote.marketConfidence > 0).map(({ variant }) => variant.id)).toEqual([])
})

test('without known prices of the category there is no price, and the confidence is 0', () => {
  const unknown = board.filter(({ device }) => !pricedDevices.includes(device) && !canEstimate(device))
  expect(unknown.length).toBeGreaterThan(0)
  const priced = unknown.filter(({ quote }) => quote.resale.cents !== null || quote.marketConfidence > 0)
  expect(priced.map(({ variant }) => variant.id)).toEqual([])
})

test('a new model without a launch price is priced like its class, not like the cheapest of its line', () => {
  expect(launchCentsOf('samsung-galaxy-a57-5g')).toBeGreaterThan(33_000)
  expect(launchCentsOf('lenovo-legion-go-2')).toBeGreaterThan(launchCentsOf('lenovo-legion-go'))
})

/** Known or estimated, of the cheapest variant of a device. */
function launchCentsOf(id: string): number {
  const { facts } = board.find(({ device }) => device.id === id) ?? {}
  return Math.min(...(facts?.variants ?? []).flatMap(({ listCents }) => listCents ?? []))
}

/** Good, of the cheapest variant of a device. */
const lowestGood = (id: string) =>
  Math.min(...board.filter(({ device }) => device.id === id).map(({ quote }) => quote.resale.cents?.Good ?? 0))

for (const [pro, base] of [
  ['xiaomi-15-pro', 'xiaomi-15'], // announced in China and in Europe
  ['motorola-edge-60-pro', 'motorola-edge-60'], // in India and in Europe
  ['google-pixel-3a-xl', 'google-pixel-3a'], // on both sides of the limit of mid-range phones
  ['nothing-phone-3a-pro', 'nothing-phone-3a'],
] as const) {
  test(`${pro} costs at least nearly as much as ${base}`, () => {
    expect(lowestGood(pro)).toBeGreaterThan(0.95 * lowestGood(base))
  })
}

test('a gaming laptop keeps more of its price than other laptops, whether its chip is known or not', () => {
  const shareOf = (id: string) => {
    const { facts, quote, variant } = board.find(({ variant: one }) => one.listCents > 0 && one.id.startsWith(id)) ?? {}
    return { family: facts && familyOf(facts), share: (quote?.resale.cents?.Good ?? 0) / (variant?.listCents ?? 1) }
  }
  expect(shareOf('asus-rog-zephyrus-g14-2020')).toEqual({ family: 'gaming-laptop', share: expect.closeTo(0.26, 1) })
  expect(shareOf('dell-xps-13-9300')).toEqual({ family: 'laptop', share: expect.closeTo(0.17, 1) })
})

test('no bundled variant is below 4 % of its launch price within ten years, or above 92 % of it', () => {
  const wrong = board.filter(({ facts, variant, quote: { resale } }) => {
    if (!variant.listCents || !resale.cents || facts.releasedAt === null) return false
    const isYoung = NOW - facts.releasedAt <= 10 * YEAR_MS
    return (
      resale.cents.Excellent > 0.92 * variant.listCents || (isYoung && resale.cents.Fair < 0.04 * variant.listCents)
    )
  })
  expect(wrong.map(({ variant }) => variant.id)).toEqual([])
})

test('ten times the price of any bundled variant is implausible, and so is a tenth of it', () => {
  const state = { isNew: false, isDefective: false }
  const passing = board.flatMap(({ variant, quote }) =>
    [quote.resale, quote.buyback].flatMap(({ cents, interval }) => {
      const range = interval && plausibleRange({ ...interval.Good, isObserved: false }, variant.listCents, state)
      const wrong = [10, 0.1].filter((factor) => cents && range && isPlausible(cents.Good * factor, range))
      return wrong.map((factor) => [variant.id, factor])
    }),
  )
  expect(passing).toEqual([])
})

test('no part costs more than the device in good condition, unless its maker published the price', () => {
  const profileOf = indexRepairData({ ...loadBundledRepairData(), importedFacts: [], importedFaults: [] })
  const byDevice = Map.groupBy(board, ({ device }) => device)
  const above = [...byDevice].flatMap(([device, variants]) => {
    const goods = variants.flatMap(({ quote }) => quote.resale.cents?.Good ?? [])
    if (goods.length === 0) return []
    const { estimateCost } = profileOf(device, null, Math.min(...goods))
    return PART_KINDS.flatMap((kind) => {
      const cost = estimateCost(kind)
      return cost?.confidence && cost.value.maxCents > Math.min(...goods) ? [`${kind} of ${device.id}`] : []
    })
  })
  expect(above).toEqual([])
})

test('without fitted prices of the family, or with an estimated launch price, confidence is at most 35', () => {
  const proud = board.filter(
    ({ facts, quote }) =>
      quote.marketConfidence > 35 && (!isPhone(familyOf(facts)) || facts.launchPriceSpread !== undefined),
  )
  expect(proud.map(({ variant }) => variant.id)).toEqual([])
})

test('without dealer quotes the buyback interval is at least as wide as that of resale', () => {
  const proud = board.filter(({ quote }) =>
    CONDITIONS.some((grade) => widthOf(quote.buyback, grade) < widthOf(quote.resale, grade)),
  )
  expect(proud.map(({ variant }) => variant.id)).toEqual([])
})

/** ln from the lower end of a range to the upper; a cent more or less at both ends is rounding. */
function widthOf({ interval }: Quote['resale'] | Quote['buyback'], grade: (typeof CONDITIONS)[number]): number {
  const range = interval?.[grade]
  return range ? Math.log((range.high + 1) / Math.max(1, range.low - 1)) : 0
}

test('more storage or memory never costs less, in any grade, to sell or to buy', () => {
  let pairs = 0
  const cheaper: string[] = []
  for (const device of devices) {
    const facts = toDeviceInput(device, registry)
    if (facts.variants.length < 2) continue
    const quotes = quoteDevice(markets, facts, [], NOW)
    facts.variants.forEach((larger, atLarger) => {
      facts.variants.forEach((smaller, atSmaller) => {
        if (atLarger === atSmaller || !hasMoreMemory(larger, smaller) || hasMoreMemory(smaller, larger)) return
        pairs += 1
        for (const side of ['resale', 'buyback'] as const) {
          const [more, less] = [quotes[atLarger]?.[side].cents, quotes[atSmaller]?.[side].cents]
          if (more && less && CONDITIONS.some((grade) => more[grade] < less[grade]))
            cheaper.push(`${side} of ${larger.variantId} against ${smaller.variantId} of ${device.id}`)
        }
      })
    })
  }
  expect(pairs).toBeGreaterThan(5_000)
  expect(cheaper).toEqual([])
})

test('prices of iPhones make no device of another family more certain', () => {
  const phones = devices.filter(({ id }) => /^apple-iphone-1[2-5]/.test(id)).map((device) => toDeviceInput(device))
  const rowsOf = (phone: DeviceInput) =>
    quoteDevice(markets, phone, [], NOW).flatMap(({ variantId, resale }) =>
      Array.from(
        { length: 20 },
        (_, at): Observation => ({
          source: 'shop',
          side: 'sold',
          variantId,
          grade: 'Good',
          label: 'Good',
          market: 'us',
          lock: '',
          cents: Math.round((resale.cents?.Good ?? 0) * (1 + 0.002 * (at % 5))),
          observedAt: NOW - at * DAY_MS,
          listingId: `${variantId} ${at}`,
          state: 'sold',
          listedAt: null,
        }),
      ),
    )
  const fitted = marketsOf(
    fitCountries({ devices: phones, observationsOf: rowsOf, now: NOW, prior: PRIOR_COEFFICIENTS }),
    'us',
  )
  const [phone] = phones as [DeviceInput]
  const [iphone] = quoteDevice(fitted, phone, rowsOf(phone), NOW) as [Quote]
  expect(iphone.marketConfidence).toBeGreaterThan(80)
  const surer = board
    .filter(({ facts }) => familyOf(facts) !== 'iphone')
    .filter((_, at) => at % 50 === 0)
    .flatMap(({ facts, variant, quote }) => {
      const observed = quoteDevice(fitted, facts, [], NOW).find(({ variantId }) => variantId === quote.variantId)
      const isSurer =
        !observed ||
        // The level moves with the market, and the spread with the level.
        observed.marketConfidence > quote.marketConfidence + 2 ||
        CONDITIONS.some((grade) => widthOf(observed.resale, grade) < widthOf(quote.resale, grade) - 0.02)
      return isSurer ? `${variant.id}: ${observed?.marketConfidence} instead of ${quote.marketConfidence}` : []
    })
  expect(surer).toEqual([])
})

const headset: DeviceInput = {
  deviceId: 'acme-headset',
  make: 'Acme',
  category: 'VR Headset',
  releasedAt: Date.parse('2024-03-01'),
  variants: [{ variantId: 'any', storageGb: null, listCents: 50_000 }],
}

test('the buyback interval of devices other than phones is at least as wide as that of resale, despite dealer quotes', () => {
  const anyRow = fc.record({
    side: fc.constantFrom<PriceSide>('ask', 'sold', 'quote', 'quote', 'quote'),
    grade: fc.constantFrom('Excellent' as const, 'Good' as const, 'Fair' as const, 'Poor' as const),
    cents: fc.integer({ min: 10_000, max: 40_000 }),
    age: fc.integer({ min: 0, max: 200 }),
  })
  fc.assert(
    fc.property(fc.array(anyRow, { maxLength: 30 }), (rows) => {
      const observations = rows.map(
        ({ side, grade, cents, age }, at): Observation => ({
          source: 'shop',
          side,
          variantId: 'any',
          grade,
          label: grade,
          market: 'us',
          lock: '',
          cents,
          observedAt: NOW - age * DAY_MS,
          listingId: `${at}`,
          state: 'active',
          listedAt: null,
        }),
      )
      const [{ resale, buyback }] = quoteDevice(markets, headset, observations, NOW) as [Quote]
      for (const grade of CONDITIONS)
        expect(widthOf(buyback, grade)).toBeGreaterThanOrEqual(widthOf(resale, grade) - 0.001)
    }),
    { numRuns: 60 },
  )
})

const goodOf = (id: string) => {
  const { quote } = board.find(({ device }) => device.id === id) ?? {}
  const { resale, buyback } = quote ?? {}
  return { resale: resale?.cents as Amounts, buyback: buyback?.cents as Amounts, confidence: quote?.marketConfidence }
}
type Amounts = Record<(typeof CONDITIONS)[number], number>

test('shops pay about half of what they ask for a console, and more for a phone', () => {
  const paidShare = (id: string) => goodOf(id).buyback.Good / goodOf(id).resale.Good
  for (const id of ['nintendo-switch-oled-model', 'sony-playstation-5', 'microsoft-xbox-series-x'])
    expect(paidShare(id)).toBeWithin(0.4, 0.56)
  expect(paidShare('apple-iphone-15')).toBeGreaterThan(0.7)
})

test('a worn console keeps more of its price than a worn phone, and worn earbuds less', () => {
  const poorShare = (id: string) => goodOf(id).resale.Poor / goodOf(id).resale.Good
  const phone = poorShare('apple-iphone-15')
  expect(poorShare('sony-playstation-5')).toBeGreaterThan(phone * 1.08)
  expect(poorShare('apple-airpods-pro-2nd-generation')).toBeLessThan(phone * 0.9)
})

test('a pocket camera keeps its price better than a full-frame camera, and both better than an action camera', () => {
  const keptShare = (id: string) =>
    goodOf(id).resale.Good / (board.find(({ device }) => device.id === id)?.variant.listCents ?? 0)
  // All three are of autumn 2023.
  const [pocket, fullFrame, action] = ['dji-osmo-pocket-3', 'sony-alpha-a7c-ii', 'gopro-hero12-black'].map(keptShare)
  expect(pocket).toBeGreaterThan(0.74)
  expect(fullFrame).toBeWithin(0.6, 0.7)
  expect(action).toBeLessThan(0.5)
})

test('a successor whose launch price is unknown does not cost less than its predecessor', () => {
  const ratios = [
    ['samsung-galaxy-s26-fe', 'samsung-galaxy-s25-fe'],
    ['motorola-razr-2026', 'motorola-razr-2025'],
    ['samsung-galaxy-tab-s12-ultra', 'samsung-galaxy-tab-s11-ultra'],
    ['samsung-galaxy-watch9', 'samsung-galaxy-watch8'],
    ['motorola-razr-ultra-2026', 'motorola-razr-ultra-2025'],
    ['apple-airpods-max-2', 'apple-airpods-max-with-usb-c'],
  ].map(([successor = '', predecessor = '']) => ({
    successor,
    ratio: goodOf(successor).resale.Good / goodOf(predecessor).resale.Good,
    // What a year of age adds differs between kinds of devices.
    atLaunch: launchCentsOf(successor) / launchCentsOf(predecessor),
  }))
  expect(ratios.filter(({ ratio, atLaunch }) => !(ratio >= 1 && atLaunch < 1.2))).toEqual([])
})

test('what a market paid for a pocket camera, and a dealer for a console, is inside the range', () => {
  const rangesOf = (id: string) => board.find(({ device }) => device.id === id)?.quote
  expect(rangesOf('dji-osmo-pocket-3')?.resale.interval?.Good.high).toBeGreaterThan(46_400)
  expect(rangesOf('nintendo-switch-oled-model')?.buyback.interval?.Good.low).toBeLessThan(7_800)
})

// Performance decides their prices, which launch price and age do not show: pages say "No estimate" and the range.
test('a graphics card or laptop without prices has no estimate worth the name', () => {
  for (const id of ['amd-radeon-rx-6950-xt', 'amd-radeon-rx-7900-xt', 'dell-xps-13-9310'])
    expect(goodOf(id).confidence).toBeLessThan(20)
})

test('a card for computing that nothing replaces for its price keeps most of it, and the fastest card of all more', () => {
  const keptShare = (id: string) =>
    goodOf(id).resale.Good / (board.find(({ device }) => device.id === id)?.variant.listCents ?? 0)
  expect(keptShare('nvidia-geforce-rtx-5090')).toBeWithin(0.83, 0.92)
  expect(keptShare('nvidia-geforce-rtx-4090')).toBeWithin(0.75, 0.83)
  // The RTX 4090 replaces it.
  expect(keptShare('nvidia-geforce-rtx-3090-ti')).toBeLessThan(0.6)
})

/** Tiers of one generation from slow to fast. */
const CARD_GENERATIONS = [
  ['gtx-1050', 'gtx-1050-ti', 'gtx-1060', 'gtx-1070', 'gtx-1070-ti', 'gtx-1080', 'gtx-1080-ti'],
  ['gtx-1630', 'gtx-1650', 'gtx-1650-super', 'gtx-1660', 'gtx-1660-super', 'gtx-1660-ti'],
  ['rtx-2060', 'rtx-2060-super', 'rtx-2070', 'rtx-2070-super', 'rtx-2080', 'rtx-2080-super', 'rtx-2080-ti'],
  [
    'rtx-3050',
    'rtx-3060',
    'rtx-3060-ti',
    'rtx-3070',
    'rtx-3070-ti',
    'rtx-3080',
    'rtx-3080-12gb',
    'rtx-3080-ti',
    'rtx-3090',
    'rtx-3090-ti',
  ],
  ['rtx-4060', 'rtx-4060-ti', 'rtx-4070', 'rtx-4070-super', 'rtx-4070-ti', 'rtx-4070-ti-super'],
  ['rtx-4070-ti-super', 'rtx-4080', 'rtx-4080-super', 'rtx-4090'],
  ['rtx-5050', 'rtx-5060', 'rtx-5060-ti', 'rtx-5070', 'rtx-5070-ti', 'rtx-5080', 'rtx-5090'],
].map((tiers) => tiers.map((tier) => `nvidia-geforce-${tier}`))
const RADEON_GENERATIONS = [
  ['550', '560', '570', '580', '590', 'vega-56', 'vega-64'],
  ['5500-xt', '5600-xt', '5700', '5700-xt'],
  [
    '6400',
    '6500-xt',
    '6600',
    '6600-xt',
    '6650-xt',
    '6700',
    '6700-xt',
    '6750-xt',
    '6800',
    '6800-xt',
    '6900-xt',
    '6950-xt',
  ],
  ['7600', '7600-xt', '7700-xt', '7800-xt', '7900-gre', '7900-xt', '7900-xtx'],
  ['9060-xt', '9070', '9070-xt'],
].map((tiers) => tiers.map((tier) => `amd-radeon-rx-${tier}`))
/** One tier of several generations, the oldest first. */
const CARD_TIERS = [
  ...['50', '60', '60-ti', '70', '70-ti', '80', '80-ti', '90'].map((tier) =>
    ['gtx-10', 'rtx-20', 'rtx-30', 'rtx-40', 'rtx-50'].map((series) => `nvidia-geforce-${series}${tier}`),
  ),
  ...['600', '600-xt', '700-xt', '800-xt'].map((tier) =>
    ['5', '6', '7'].map((series) => `amd-radeon-rx-${series}${tier}`),
  ),
  ['amd-radeon-rx-6950-xt', 'amd-radeon-rx-7900-xt', 'amd-radeon-rx-7900-xtx'],
]

test('a faster graphics card of a generation, or the same tier of a newer one, never costs less', () => {
  const known = new Set(devices.map(({ id }) => id))
  const wrong = [...CARD_GENERATIONS, ...RADEON_GENERATIONS, ...CARD_TIERS].flatMap((row) => {
    const prices = row.filter((id) => known.has(id)).map((id) => ({ id, good: goodOf(id).resale.Good }))
    return prices.flatMap((one, at) =>
      at > 0 && one.good < (prices[at - 1]?.good ?? 0) ? [[prices[at - 1], one]] : [],
    )
  })
  expect(wrong).toEqual([])
})

test('the graphics chip decides the price of a gaming laptop', () => {
  const priceOf = (deviceId: string, graphics: string) =>
    board.find(({ device, variant }) => device.id === deviceId && variant.id.includes(`-${graphics}-16gb-512gb`))?.quote
      .resale.cents?.Good ?? 0
  const chips = ['gtx-1650', 'rtx-3050', 'rtx-3060', 'rtx-3070', 'rtx-4070', 'rtx-5070']
  const prices = chips.map((chip) => priceOf('lenovo-legion-5', chip))
  expect(prices).toEqual(prices.toSorted((a, b) => a - b))
  expect(priceOf('lenovo-legion-5', 'rtx-4060')).toBeGreaterThan(1.8 * priceOf('lenovo-legion-5', 'gtx-1650'))
})

test('a handheld computer with Windows loses value faster than a console, and costs about as much as one of its class', () => {
  const share = (id: string) =>
    goodOf(id).resale.Good / (board.find(({ device }) => device.id === id)?.variant.listCents ?? 0)
  expect(share('msi-claw-a1m')).toBeLessThan(0.75)
  expect(share('asus-rog-ally')).toBeLessThan(share('valve-steam-deck-oled'))
  const ratio = goodOf('msi-claw-7-ai-plus').resale.Good / goodOf('msi-claw-8-ai-plus').resale.Good
  expect(ratio).toBeWithin(0.7, 1)
})

test('cheap phones of five years ago cost less than flagships of that year, but keep more than a twentieth of their launch price', () => {
  const phones = board.filter(
    ({ facts }) => facts.releasedAt !== null && Math.abs(NOW - facts.releasedAt - 5 * YEAR_MS) < YEAR_MS / 2,
  )
  const goodCents = (launchCents: readonly [number, number]) =>
    phones.flatMap(({ device, variant, quote }) =>
      device.category === 'Smartphone' &&
      device.make !== 'Apple' &&
      variant.listCents >= launchCents[0] &&
      variant.listCents < launchCents[1]
        ? [{ cents: quote.resale.cents?.Good ?? 0, share: (quote.resale.cents?.Good ?? 0) / variant.listCents }]
        : [],
    )
  const cheap = goodCents([15_000, 45_000])
  const flagships = goodCents([70_000, 130_000])
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  expect(mean(cheap.map(({ share }) => share))).toBeGreaterThan(0.15)
  expect(mean(cheap.map(({ cents }) => cents))).toBeLessThan(mean(flagships.map(({ cents }) => cents)))
})
