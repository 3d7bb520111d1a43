/** How a price list would change prices: prices with and without its rows, for the devices with most rows in it. */

import type { Device } from '../../catalog/device.ts'
import { isDefectGrade, type MarketGrade } from '../../catalog/grade.ts'
import { toDeviceInput } from '../../pricing/configuration.ts'
import { isPriceOf } from '../../pricing/country-market.ts'
import { loadFittedMarkets, priorMarkets } from '../../pricing/markets/fitted-markets.ts'
import { OBSERVATION_WINDOW_MS } from '../../pricing/markets/market-fit-service.ts'
import { pricingStore } from '../../pricing/markets/pricing-store.ts'
import { marketsOf } from '../../pricing/model/country-markets.ts'
import type { DeviceInput, NewObservation, Observation } from '../../pricing/model/observation.ts'
import { withoutQuarantined } from '../../pricing/model/source-quarantine.ts'
import { ownDistances } from '../../pricing/quotes/own-distances.ts'
import { fitOwnLevels, type OwnLevels } from '../../pricing/quotes/own-levels.ts'
import { withOwnPrices } from '../../pricing/quotes/own-prices.ts'
import { type Quote, quoteDevice } from '../../pricing/quotes/quote.ts'
import type { ImportContext } from '../importer.ts'
import { isDeparture, type PriceEffect } from './price-effect.ts'

/** A device takes a few milliseconds; the most frequent ones show what a list does. */
const MAX_DEVICES = 200
const MAX_ROWS_PER_DEVICE = 2_000
const MAX_LARGEST = 5

export type PriceEffectMeasure = ReturnType<typeof createPriceEffect>

export function createPriceEffect({
  db,
  defaultMarket,
  organizationId,
  now: clock,
}: Pick<ImportContext, 'db' | 'defaultMarket' | 'organizationId' | 'now'>) {
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
    const added = rows.flatMap(toObservation)
    const common = quotesOf(stored)
    return {
      first: quoteDevice(marketsOf(unobserved, market), facts, [], now),
      device,
      facts,
      common,
      commonAfter: organizationId === '' ? quotesOf(newestFirst([...stored.filter(isNotReplaced), ...added])) : common,
      ownBefore: ownBefore.filter((row) => isPriceOf(market, row.market)),
      ownAfter: organizationId === '' ? [] : newestFirst([...ownBefore.filter(isNotReplaced), ...added]),
      side: rows.every(({ terms }) => terms.side === 'quote') ? 'buyback' : 'resale',
    }
  }

  /** How much each configuration changes. An organization's own rows change its own prices only. */
  function measureChanges(
    comparisons: readonly Comparison[],
  ): { device: Device; moves: PriceMove[]; departures: Departure[] }[] {
    const levels = (rowsOf: (comparison: Comparison) => readonly Observation[]): OwnLevels => {
      const distances = (side: keyof OwnLevels) =>
        comparisons.map((comparison) => ({
          subject: comparison.facts,
          distances: ownDistances(comparison.common, rowsOf(comparison), side, now),
        }))
      return { resale: fitOwnLevels(distances('resale')), buyback: fitOwnLevels(distances('buyback')) }
    }
    const levelsBefore = levels(({ ownBefore }) => ownBefore)
    const levelsAfter = levels(({ ownAfter }) => ownAfter)
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
      const changes = measureChanges(comparisons).map(({ device, moves, departures }) => ({
        deviceId: device.id,
        name: device.name.startsWith(device.make) ? device.name : `${device.make} ${device.name}`,
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
      }
    },
  }
}

/** The price of a configuration without and with the list, in US cents. */
type PriceMove = { readonly before: number; readonly after: number; readonly share: number }
type Departure = { readonly firstPrice: number; readonly after: number }
const distanceOf = ({ firstPrice, after }: Departure) => Math.abs(Math.log(after / firstPrice))
const UNMOVED: PriceMove = { before: 0, after: 0, share: 0 }

type Comparison = {
  readonly device: Device
  readonly facts: DeviceInput
  /** What launch price and age alone say. */
  readonly first: readonly Quote[]
  readonly common: readonly Quote[]
  readonly commonAfter: readonly Quote[]
  readonly ownBefore: readonly Observation[]
  readonly ownAfter: readonly Observation[]
  readonly side: keyof OwnLevels
}

const newestFirst = <Row extends Observation>(rows: Row[]) => rows.sort((a, b) => b.observedAt - a.observedAt)

type Markets = Awaited<ReturnType<typeof loadFittedMarkets>>['markets']

const toPercent = (share: number) => Math.round(share * 1000) / 10

const toObservation = ({ subject, terms, ...row }: NewObservation): Observation[] =>
  isDefectGrade(terms.grade)
    ? []
    : [{ ...row, ...terms, grade: terms.grade as MarketGrade, variantId: subject.configuration }]
