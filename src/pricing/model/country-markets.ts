import { memoizeWeak } from '../../lib/memoize.ts'
import { runToEnd } from '../../lib/time-sliced.ts'
import { DEFAULT_MARKET, isPriceOf } from '../country-market.ts'
import type { BorrowedLevel } from './base-level.ts'
import { BORROWED_LEVEL_SPREAD } from './country-levels.ts'
import { borrowedLevel, type FittedMarkets } from './estimate.ts'
import type { FittedMarket } from './market.ts'
import { fitMarketSteps, inheritedEffects, type MarketFitInput, priorMarket } from './market-fit.ts'
import { uses } from './model-parts.ts'
import { type DeviceInput, type Observation, type Trade, tradeOf } from './observation.ts'

/** A country without observations: the effects of other countries at its expected level. */
function borrowedMarket(world: FittedMarket, country: string): FittedMarket {
  return {
    ...world,
    country,
    effects: inheritedEffects(world),
    channelMix: world.channelMix.map((rows) => withoutSources(rows, country)),
    channelSpreadFactor: new Map(),
    observedDevices: new Map(),
    rowCount: 0,
    levelVariance: uses('variance of a country level') ? BORROWED_LEVEL_SPREAD ** 2 : 0,
  }
}

/** The mix of sides and locks of other countries, without sources and labels, which are unknown here. */
function withoutSources(rows: ReadonlyMap<string, number>, country: string): ReadonlyMap<string, number> {
  const mix = new Map<string, number>()
  for (const [channel, count] of rows) {
    const [, side = '', , lock = ''] = channel.split('\t')
    const name = `\t${side}\t\t${lock}\t${country}`
    mix.set(name, (mix.get(name) ?? 0) + count)
  }
  return mix
}

/** The markets of all countries together, and of each country if there are several. */
export type CountryMarkets = {
  readonly world: FittedMarkets
  readonly byCountry: ReadonlyMap<string, FittedMarkets>
}

export function* fitCountriesSteps(input: Omit<MarketFitInput, 'country'>): Generator<void, CountryMarkets> {
  const countries = new Set<string>()
  for (const device of input.devices) for (const row of input.observationsOf(device)) countries.add(row.market)
  const [only = DEFAULT_MARKET] = countries
  const country = countries.size > 1 ? DEFAULT_MARKET : only
  const resale = yield* fitMarketSteps({ ...input, country }, 'resale')
  const buyback = yield* fitMarketSteps({ ...input, country }, 'buyback', { resale })
  const world = { resale, buyback }
  const byCountry = new Map<string, FittedMarkets>()
  if (countries.size > 1) {
    const members = [...countries].filter((code) => isPriceOf('eu', code))
    const codes = new Set(members.length > 0 ? [...countries, 'eu'] : countries)
    for (const code of [...codes].sort()) byCountry.set(code, yield* fitCountrySteps(input, world, code))
  }
  return { world, byCountry }
}

export function fitCountries(input: Omit<MarketFitInput, 'country'>): CountryMarkets {
  return runToEnd(fitCountriesSteps(input))
}

/** Fits one country's markets from its own prices; each device starts from its level in other countries. */
function* fitCountrySteps(
  input: Omit<MarketFitInput, 'country'>,
  world: FittedMarkets,
  country: string,
): Generator<void, FittedMarkets> {
  const borrowed = new Map<DeviceInput, BorrowedLevel>()
  const borrowedFor = (device: DeviceInput) => {
    const cached = borrowed.get(device)
    if (cached) return cached
    const level = borrowedLevel(world.resale, country, device, input.observationsOf(device), input.now)
    borrowed.set(device, level)
    return level
  }
  const countryRows = new Map<DeviceInput, readonly Observation[]>()
  for (const device of input.devices) {
    const rows = input.observationsOf(device).filter(({ market }) => isPriceOf(country, market))
    if (rows.length) countryRows.set(device, rows)
  }
  const countryInput = {
    ...input,
    devices: [...countryRows.keys()],
    observationsOf: (device: DeviceInput) => countryRows.get(device) ?? [],
    country,
  }
  const resale = hasTrade(countryRows, 'resale')
    ? yield* fitMarketSteps(countryInput, 'resale', { borrowedFor }, world.resale)
    : borrowedMarket(world.resale, country)
  const buyback = hasTrade(countryRows, 'buyback')
    ? yield* fitMarketSteps(countryInput, 'buyback', { resale, borrowedFor }, world.buyback)
    : borrowedMarket(world.buyback, country)
  return { resale, buyback, world }
}

function hasTrade(rows: ReadonlyMap<DeviceInput, readonly Observation[]>, trade: Trade): boolean {
  return rows.values().some((deviceRows) => deviceRows.some((row) => tradeOf(row) === trade))
}

const borrowedMarkets = memoizeWeak((_: CountryMarkets) => new Map<string, FittedMarkets>())

/** The markets that prices of a country are estimated with. */
export function marketsOf(all: CountryMarkets, country: string): FittedMarkets {
  const { world, byCountry } = all
  const fitted = byCountry.get(country)
  if (fitted) return fitted
  const isEmpty = world.resale.rowCount + world.buyback.rowCount === 0
  const isOnlyCountry = byCountry.size === 0 && !isEmpty
  if (isOnlyCountry && world.resale.country === country) return world
  const cache = borrowedMarkets(all)
  const cached = cache.get(country)
  if (cached) return cached
  const { prior, fittedAt } = world.resale
  if (isOnlyCountry && isPriceOf(country, world.resale.country)) {
    const own = { resale: { ...world.resale, country }, buyback: { ...world.buyback, country } }
    cache.set(country, own)
    return own
  }
  const markets = isEmpty
    ? {
        resale: priorMarket('resale', prior, fittedAt, country),
        buyback: priorMarket('buyback', prior, fittedAt, country),
        world,
      }
    : { resale: borrowedMarket(world.resale, country), buyback: borrowedMarket(world.buyback, country), world }
  cache.set(country, markets)
  return markets
}
