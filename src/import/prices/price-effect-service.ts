/** How a price list would change prices: prices with and without its rows, for the devices with most rows in it. */

import type { Device } from '../../catalog/device.ts'
import { isDefectGrade, type MarketGrade } from '../../catalog/grade.ts'
import { startOfDay } from '../../lib/time.ts'
import { toDeviceInput } from '../../pricing/configuration.ts'
import { isPriceOf } from '../../pricing/country-market.ts'
import { loadFittedMarkets, priorMarkets } from '../../pricing/markets/fitted-markets.ts'
import { OBSERVATION_WINDOW_MS } from '../../pricing/markets/market-fit-service.ts'
import { pricingStore } from '../../pricing/markets/pricing-store.ts'
import { marketsOf } from '../../pricing/model/country-markets.ts'
import type { DeviceInput, NewObservation, Observation, Trade } from '../../pricing/model/observation.ts'
import { GOOD } from '../../pricing/model/observation-columns.ts'
import { withoutQuarantined } from '../../pricing/model/source-quarantine.ts'
import type { StoredObservation } from '../../pricing/observations/observation-reader-store.ts'
import { splitHeldDeals } from '../../pricing/quotes/held-deals.ts'
import { ownDistances } from '../../pricing/quotes/own-distances.ts'
import {
  fitOwnLevels,
  OWN_LEVEL_DEVICES,
  OWN_LEVEL_ROWS,
  type OwnLevels,
  type OwnSideLevels,
} from '../../pricing/quotes/own-levels.ts'
import { withOwnPrices } from '../../pricing/quotes/own-prices.ts'
import { type Quote, quoteDevice } from '../../pricing/quotes/quote.ts'
import type { ImportContext } from '../importer.ts'
import { isDeparture, type PriceEffect } from './price-effect.ts'

/** A device takes a few milliseconds; the most frequent ones show what a list does. */
const MAX_DEVICES = 200
const MAX_ROWS_PER_DEVICE = 2_000
const MAX_LARGEST = 5
const MAX_LARGEST_OTHERS = 3
const MIN_MOVED_SHARE = 0.005

/** The flag of an import whose prices say nothing about other devices. */
export const THESE_DEVICES_ONLY = 'these-devices-only'

export type PriceEffectMeasure = ReturnType<typeof createPriceEffect>

export function createPriceEffect({
  db,
  defaultMarket,
  organizationId,
  now: clock,
  options,
  dryRun,
}: Pick<ImportContext, 'db' | 'defaultMarket' | 'organizationId' | 'now' | 'options' | 'dryRun'>) {
  const now = clock()
  const rowsByDevice = new Map<string, (NewObservation & { readonly listingId: string })[]>()

  const store = pricingStore(db, defaultMarket)
  const since = now - OBSERVATION_WINDOW_MS
  const unobserved = { world: priorMarkets(now), byCountry: new Map() }

  /** Prices of a device without and with the new rows, in the market of the rows. */
  async function compareDevice(device: Device, rows: readonly NewObservation[], markets: Markets): Promise<Comparison> {
    const facts = toDeviceInput(device)
    const market = rows[0]?.terms.market ?? defaultMarket
    const pricingMarkets = marketsOf(markets, market)
    const quotesOf = (observations: readonly Observation[]) =>
      quoteDevice(pricingMarkets, facts, withoutQuarantined(pricingMarkets, facts, observations, now), now)
    const stored = await store.observationsOf(device.id, since)
    const ownBefore = organizationId === '' ? [] : await store.ownObservationsOf(organizationId, device.id, since)
    const replaced = new Set(rows.map(({ source, listingId }) => `${source}\t${listingId}`))
    const isNotReplaced = ({ source, listingId }: Observation) => !replaced.has(`${source}\t${listingId}`)
    const added = rows.flatMap((row) => toObservation(row, isForTheseDevicesOnly))
    const common = quotesOf(stored)
    return {
      first: quoteDevice(marketsOf(unobserved, market), facts, [], now),
      device,
      facts,
      common,
      commonAfter: organizationId === '' ? quotesOf(newestFirst([...stored.filter(isNotReplaced), ...added])) : common,
      // After an import its rows are stored already.
      ownBefore: ownBefore.filter((row) => isPriceOf(market, row.market) && (dryRun || isNotReplaced(row))),
      ownAfter: organizationId === '' ? [] : newestFirst([...ownBefore.filter(isNotReplaced), ...added]),
      side: rows.every(({ terms }) => terms.side === 'quote') ? 'buyback' : 'resale',
    }
  }

  const isForTheseDevicesOnly = options[THESE_DEVICES_ONLY] !== undefined

  function levelsOf(
    comparisons: readonly OwnComparison[],
    rowsOf: (comparison: OwnComparison) => readonly StoredObservation[],
  ): OwnLevels {
    const sideLevels = (side: Trade) =>
      fitOwnLevels(
        comparisons.map(({ facts, common, ...rows }) => {
          const newest = rowsOf({ facts, common, ...rows }).slice(0, OWN_LEVEL_ROWS)
          const { counted } = splitHeldDeals(common, newest, now)
          const reaching = counted.filter(({ isLocal }) => !isLocal)
          return { subject: facts, distances: ownDistances(common, reaching, side, now) }
        }),
      )
    return { resale: sideLevels('resale'), buyback: sideLevels('buyback') }
  }

  /** Devices with own prices that are not in the list: their prices are part of the level. */
  async function readOtherOwnDevices(
    inList: ReadonlySet<string>,
    byId: ReadonlyMap<string, Device>,
    market: string,
    markets: Markets,
  ): Promise<OwnComparison[]> {
    if (organizationId === '') return []
    const others: OwnComparison[] = []
    for (const id of await store.newestOwnDevices(organizationId, OWN_LEVEL_DEVICES)) {
      const device = byId.get(id)
      if (!device || inList.has(id)) continue
      const facts = toDeviceInput(device)
      const own = (await store.ownObservationsOf(organizationId, id, since)).filter((row) =>
        isPriceOf(market, row.market),
      )
      const pricingMarkets = marketsOf(markets, market)
      const stored = withoutQuarantined(pricingMarkets, facts, await store.observationsOf(id, since), now)
      others.push({ facts, common: quoteDevice(pricingMarkets, facts, stored, now), ownBefore: own, ownAfter: own })
    }
    return others
  }

  /** How much each configuration changes. An organization's own rows change its own prices only. */
  function measureChanges(
    comparisons: readonly Comparison[],
    levelsBefore: OwnLevels,
    levelsAfter: OwnLevels,
  ): { device: Device; moves: PriceMove[]; departures: Departure[] }[] {
    return comparisons.map(({ device, facts, first, common, commonAfter, ownBefore, ownAfter, side }) => {
      const quotesBefore =
        organizationId === '' ? common : withOwnPrices(facts, common, ownBefore, levelsBefore, now).quotes
      const quotesAfter =
        organizationId === '' ? commonAfter : withOwnPrices(facts, common, ownAfter, levelsAfter, now).quotes
      const goodBefore = new Map(quotesBefore.map((quote) => [quote.variantId, quote[side].cents?.Good]))
      const moves = quotesAfter.flatMap((quote) => {
        const before = goodBefore.get(quote.variantId)
        const after = quote[side].cents?.Good
        return before && after ? [{ before, after, share: after / before - 1 }] : []
      })
      const firstGood = new Map(first.map((quote) => [quote.variantId, quote[side].cents?.Good]))
      const departures = quotesAfter.flatMap((quote) => {
        const firstPrice = firstGood.get(quote.variantId)
        const after = quote[side].cents?.Good
        return firstPrice && after && isDeparture(firstPrice, after) ? [{ firstPrice, after }] : []
      })
      return { device, moves, departures }
    })
  }

  return {
    addRow(row: NewObservation, listingId: string): void {
      if (isDefectGrade(row.terms.grade) || row.observedAt < since) return
      const rows = rowsByDevice.get(row.subject.deviceId) ?? []
      rowsByDevice.set(row.subject.deviceId, rows)
      const source = organizationId || row.source
      if (rows.length < MAX_ROWS_PER_DEVICE) rows.push({ ...row, source, listingId })
    },
    async measure(devices: readonly Device[]): Promise<PriceEffect> {
      const { markets } = await loadFittedMarkets(store, now)
      const byId = new Map(devices.map((device) => [device.id, device]))
      const sampled = [...rowsByDevice].sort(([, a], [, b]) => b.length - a.length).slice(0, MAX_DEVICES)
      const comparisons: Comparison[] = []
      for (const [deviceId, rows] of sampled) {
        const device = byId.get(deviceId)
        if (device) comparisons.push(await compareDevice(device, rows, markets))
      }
      const [first] = sampled
      const market = first?.[1][0]?.terms.market ?? defaultMarket
      const inList = new Set(rowsByDevice.keys())
      const others = await readOtherOwnDevices(inList, byId, market, markets)
      const ofLevels = [...comparisons, ...others].slice(0, OWN_LEVEL_DEVICES)
      const levelsBefore = levelsOf(ofLevels, ({ ownBefore }) => ownBefore)
      const levelsAfter = levelsOf(ofLevels, ({ ownAfter }) => ownAfter)
      const side =
        comparisons.filter((one) => one.side === 'buyback').length * 2 > comparisons.length ? 'buyback' : 'resale'
      const changes = measureChanges(comparisons, levelsBefore, levelsAfter).map(({ device, moves, departures }) => ({
        deviceId: device.id,
        name: fullNameOf(device),
        moves,
        departures,
      }))
      const largest = changes
        .flatMap(({ deviceId, name, moves }) => {
          const [first = UNMOVED, ...others] = moves
          const extreme = others.reduce((far, move) => (Math.abs(move.share) > Math.abs(far.share) ? move : far), first)
          const { share, before, after } = extreme
          return share === 0 ? [] : [{ deviceId, name, percent: toPercent(share), before, after }]
        })
        .sort((a, b) => Math.abs(b.percent) - Math.abs(a.percent))
        .slice(0, MAX_LARGEST)
      const allShares = changes.flatMap(({ moves }) => moves.map(({ share }) => share))
      const mean = allShares.length === 0 ? 0 : allShares.reduce((sum, share) => sum + share, 0) / allShares.length
      const departing = changes
        .flatMap(({ deviceId, name, departures }) => {
          const [farthest] = departures.sort((a, b) => distanceOf(b) - distanceOf(a))
          return farthest ? [{ deviceId, name, ...farthest }] : []
        })
        .sort((a, b) => distanceOf(b) - distanceOf(a))
      return {
        devices: changes.length,
        averagePercent: toPercent(mean),
        largest,
        departures: departing.slice(0, MAX_LARGEST),
        others: alsoMoved(
          devices.filter(({ id }) => !inList.has(id)),
          levelsBefore[side],
          levelsAfter[side],
        ),
      }
    },
  }
}

const fullNameOf = ({ make, name }: Device) => (name.startsWith(make) ? name : `${make} ${name}`)

/** Devices without own prices whose prices follow the level of the organization by half a percent or more. */
function alsoMoved(devices: readonly Device[], before: OwnSideLevels, after: OwnSideLevels): PriceEffect['others'] {
  const moved = devices.flatMap((device) => {
    const subject = {
      category: device.category,
      make: device.make,
      releasedAt: device.releasedOn === null ? null : startOfDay(device.releasedOn),
    }
    const goodOf = (levels: OwnSideLevels) => {
      const { level, grades } = levels.levelOf(subject)
      return level + (grades[GOOD] ?? 0)
    }
    const share = Math.exp(goodOf(after) - goodOf(before)) - 1
    return Math.abs(share) < MIN_MOVED_SHARE ? [] : [{ deviceId: device.id, name: fullNameOf(device), share }]
  })
  const largest = moved.toSorted((a, b) => Math.abs(b.share) - Math.abs(a.share)).slice(0, MAX_LARGEST_OTHERS)
  return {
    devices: moved.length,
    averagePercent: toPercent(moved.reduce((sum, { share }) => sum + share, 0) / Math.max(1, moved.length)),
    largest: largest.map(({ deviceId, name, share }) => ({ deviceId, name, percent: toPercent(share) })),
  }
}

/** The price of a configuration without and with the list, in US cents. */
type PriceMove = { readonly before: number; readonly after: number; readonly share: number }
type Departure = { readonly firstPrice: number; readonly after: number }
const distanceOf = ({ firstPrice, after }: Departure) => Math.abs(Math.log(after / firstPrice))
const UNMOVED: PriceMove = { before: 0, after: 0, share: 0 }

/** Own prices of a device without and with the list. */
type OwnComparison = {
  readonly facts: DeviceInput
  readonly common: readonly Quote[]
  readonly ownBefore: readonly StoredObservation[]
  readonly ownAfter: readonly StoredObservation[]
}

type Comparison = OwnComparison & {
  readonly device: Device
  /** What launch price and age alone say. */
  readonly first: readonly Quote[]
  readonly commonAfter: readonly Quote[]
  readonly side: Trade
}

const newestFirst = <Row extends Observation>(rows: Row[]) => rows.sort((a, b) => b.observedAt - a.observedAt)

type Markets = Awaited<ReturnType<typeof loadFittedMarkets>>['markets']

const toPercent = (share: number) => Math.round(share * 1000) / 10

const toObservation = ({ subject, terms, ...row }: NewObservation, isLocal: boolean): StoredObservation[] =>
  isDefectGrade(terms.grade)
    ? []
    : [
        {
          ...row,
          ...terms,
          grade: terms.grade as MarketGrade,
          variantId: subject.configuration,
          exactVariantId: subject.variantId,
          deviceId: subject.deviceId,
          ...(isLocal && { isLocal }),
        },
      ]
