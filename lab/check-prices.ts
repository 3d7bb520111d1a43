/**
 * Lists first prices of the bundled catalogue that contradict their neighbours: a newer and at least as large configuration of a line
 * that costs less than an older one, a used price near or above list, and one below what its parts are worth.
 */
import { bundledDevices } from '../src/catalog/bundled-catalogue-service.ts'
import type { Device } from '../src/catalog/device.ts'
import { YEAR_MS } from '../src/lib/time.ts'
import { configurationOf, toDeviceInput } from '../src/pricing/configuration.ts'
import { priorMarkets } from '../src/pricing/markets/fitted-markets.ts'
import { PRICING_METHOD } from '../src/pricing/model/method.ts'
import { quoteDevice } from '../src/pricing/quotes/quote.ts'
import { lineOf } from '../src/pricing/successor-order.ts'

type Priced = {
  readonly device: Device
  readonly configuration: string
  readonly storageGb: number
  readonly ramGb: number
  /** Chips, connections: what size does not say. */
  readonly others: string
  readonly generation: number
  readonly goodCents: number
  readonly newCents: number
  readonly years: number
}

/** Cheaper by less than this is within what two estimates may differ. */
const TOLERANCE = 0.97
/** A used device at this share of its list price and more, unless it is nearly new. */
const NEAR_NEW = 0.85
const NEARLY_NEW_YEARS = 1
/** What a shop gets for a device as parts: less than $12 is not worth its handling. */
const SCRAP_CENTS = 1_200
const MAX_SHOWN = 60

const now = Date.now()
const devices = [...bundledDevices()]
const registry = {
  findDevice: () => undefined,
  findVariant: () => undefined,
  listDevicesOfCategory: (category: string) => devices.filter((device) => device.category === category),
}
const markets = priorMarkets(now)

function pricesOf(device: Device): Priced[] {
  const facts = toDeviceInput(device, registry)
  const line = lineOf(device)
  return quoteDevice(markets, facts, [], now).flatMap((quote, at): Priced[] => {
    const goodCents = quote.resale.cents?.Good
    if (!goodCents) return []
    const { storageGb, ramGb, otherAttributes } = facts.variants[at] ?? { storageGb: null }
    const listed = device.variants.filter((variant) => configurationOf(variant) === quote.variantId)
    return [
      {
        device,
        configuration: quote.variantId,
        storageGb: storageGb ?? 0,
        ramGb: ramGb ?? 0,
        others: otherAttributes ?? '',
        generation: line?.generation ?? 0,
        goodCents,
        newCents: Math.max(0, ...listed.map(({ listCents, announcedCents }) => listCents || (announcedCents ?? 0))),
        years: facts.releasedAt === null ? Number.POSITIVE_INFINITY : (now - facts.releasedAt) / YEAR_MS,
      },
    ]
  })
}

const priced = devices.flatMap(pricesOf)
const dollars = (cents: number) => `$${Math.round(cents / 100)}`
const nameOf = ({ device, configuration, goodCents }: Priced) => `${device.id} ${configuration} ${dollars(goodCents)}`

const lines = Map.groupBy(
  priced.filter(({ device }) => lineOf(device) !== null),
  ({ device }) => lineOf(device)?.key ?? '',
)
const inverted = [...lines.values()].flatMap((members) =>
  members.flatMap((newer) => {
    const above = members.filter(
      (older) =>
        older.generation < newer.generation &&
        older.years > newer.years &&
        older.storageGb <= newer.storageGb &&
        older.ramGb <= newer.ramGb &&
        older.others === newer.others &&
        newer.goodCents < TOLERANCE * older.goodCents,
    )
    const [worst] = above.sort((a, b) => b.goodCents - a.goodCents)
    return worst ? [`${nameOf(newer)} below the older ${nameOf(worst)}`] : []
  }),
)
const nearNew = priced
  .filter(
    ({ goodCents, newCents, years }) => newCents > 0 && years > NEARLY_NEW_YEARS && goodCents > NEAR_NEW * newCents,
  )
  .map((one) => `${nameOf(one)}, ${Math.round((100 * one.goodCents) / one.newCents)} % of ${dollars(one.newCents)} new`)
const scrap = priced
  .filter(({ goodCents, newCents }) => goodCents < SCRAP_CENTS && newCents > 5 * SCRAP_CENTS)
  .map((one) => `${nameOf(one)}, new ${dollars(one.newCents)}`)

console.log(
  `engine ${PRICING_METHOD}; ${priced.length} configurations of ${devices.length} devices, first prices in Good`,
)
for (const [title, findings] of Object.entries({
  'newer, at least as large, but cheaper': inverted,
  'used near or above new': nearNew,
  'below what its parts are worth': scrap,
})) {
  console.log(`\n${title}: ${findings.length}`)
  for (const finding of findings.slice(0, MAX_SHOWN)) console.log(`  ${finding}`)
}
