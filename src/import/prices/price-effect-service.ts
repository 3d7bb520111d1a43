/** What a price list would do to prices: prices with and without its rows, for the devices it has most rows of. */
import type { Device } from '../../catalog/device.ts'
import { toDeviceInput } from '../../pricing/configuration.ts'
import { loadFittedMarkets } from '../../pricing/markets/fitted-markets.ts'
import { OBSERVATION_WINDOW_MS } from '../../pricing/markets/market-fit-service.ts'
import { pricingStore } from '../../pricing/markets/pricing-store.ts'
import { isDefectGrade, type MarketGrade } from '../../pricing/model/grade.ts'
import { marketsOf } from '../../pricing/model/market-fit.ts'
import type { NewObservation, Observation } from '../../pricing/model/observation.ts'
import { withoutQuarantined } from '../../pricing/model/source-quarantine.ts'
import { quoteDevice } from '../../pricing/quotes/quote.ts'
import type { ImportContext } from '../importer.ts'
import type { PriceEffect } from './price-effect.ts'

/** A device takes a few milliseconds; the most frequent ones show what a list does. */
const MAX_DEVICES = 200
const MAX_ROWS_PER_DEVICE = 2_000
const MAX_LARGEST = 5

export function createPriceEffect({
  db,
  defaultMarket,
  organizationId,
  now: clock,
}: Pick<ImportContext, 'db' | 'defaultMarket' | 'organizationId' | 'now'>) {
  const now = clock()
  const rowsByDevice = new Map<string, (NewObservation & { readonly listingId: string })[]>()

  async function changeOf(device: Device, rows: readonly NewObservation[], markets: Markets): Promise<number[]> {
    const facts = toDeviceInput(device)
    const before = await pricingStore(db, defaultMarket).observationsOf(device.id, now - OBSERVATION_WINDOW_MS)
    const replaced = new Set(rows.map(({ source, listingId }) => `${source}\t${listingId}`))
    const after = [
      ...before.filter(({ source, listingId }) => !replaced.has(`${source}\t${listingId}`)),
      ...rows.flatMap(toObservation),
    ].sort((a, b) => b.observedAt - a.observedAt)
    const of = marketsOf(markets, rows[0]?.terms.market ?? defaultMarket)
    const quotesOf = (observations: readonly Observation[]) =>
      quoteDevice(of, facts, withoutQuarantined(of, facts, observations, now), now)
    const quotesBefore = new Map(quotesOf(before).map((quote) => [quote.variantId, quote]))
    const isQuote = rows.every(({ terms }) => terms.side === 'quote')
    return quotesOf(after).flatMap((quote) => {
      const side = isQuote ? 'buyback' : 'resale'
      const from = quotesBefore.get(quote.variantId)?.[side].cents?.Good
      const to = quote[side].cents?.Good
      return from && to ? [to / from - 1] : []
    })
  }

  return {
    addRow(row: NewObservation, listingId: string): void {
      if (isDefectGrade(row.terms.grade) || row.observedAt < now - OBSERVATION_WINDOW_MS) return
      const rows = rowsByDevice.get(row.subject.deviceId) ?? []
      rowsByDevice.set(row.subject.deviceId, rows)
      const source = organizationId || row.source
      if (rows.length < MAX_ROWS_PER_DEVICE) rows.push({ ...row, source, listingId })
    },
    async measure(devices: readonly Device[]): Promise<PriceEffect> {
      const { markets } = await loadFittedMarkets(pricingStore(db, defaultMarket), now)
      const byId = new Map(devices.map((device) => [device.id, device]))
      const chosen = [...rowsByDevice].sort(([, a], [, b]) => b.length - a.length).slice(0, MAX_DEVICES)
      const changes: { deviceId: string; name: string; shares: number[] }[] = []
      for (const [deviceId, rows] of chosen) {
        const device = byId.get(deviceId)
        if (!device) continue
        const name = device.name.startsWith(device.make) ? device.name : `${device.make} ${device.name}`
        changes.push({ deviceId, name, shares: await changeOf(device, rows, markets) })
      }
      const largest = changes
        .flatMap(({ deviceId, name, shares }) => {
          const share = shares.reduce((most, each) => (Math.abs(each) > Math.abs(most) ? each : most), 0)
          return share === 0 ? [] : [{ deviceId, name, percent: toPercent(share) }]
        })
        .sort((a, b) => Math.abs(b.percent) - Math.abs(a.percent))
        .slice(0, MAX_LARGEST)
      const all = changes.flatMap(({ shares }) => shares)
      const mean = all.length === 0 ? 0 : all.reduce((sum, share) => sum + share, 0) / all.length
      return { devices: changes.length, averagePercent: toPercent(mean), largest }
    },
  }
}

type Markets = Awaited<ReturnType<typeof loadFittedMarkets>>['markets']

const toPercent = (share: number) => Math.round(share * 1000) / 10

const toObservation = ({ subject, terms, ...row }: NewObservation): Observation[] =>
  isDefectGrade(terms.grade)
    ? []
    : [{ ...row, ...terms, grade: terms.grade as MarketGrade, variantId: subject.configuration }]
