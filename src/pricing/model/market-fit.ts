import { CONDITIONS } from '../../contract/condition-grades.ts'
import { runToEnd } from '../../lib/time-sliced.ts'
import { DEFAULT_MARKET } from '../country-market.ts'
import { baseLevel, expectedCells, type StartBasis, startLevel } from './base-level.ts'
import { cellRanges } from './cell-ranges.ts'
import { channelEffects } from './channel-offsets.ts'
import { BORROWED_LEVEL_SPREAD, COUNTRY_LEVEL_SPREAD } from './country-levels.ts'
import { familyOf } from './device-family.ts'
import { type DeviceFit, fitDevice } from './device-fit.ts'
import { type Drift, measureDrift, priorDrift, shrinkDrift } from './drift.ts'
import { familyEffect, TYPICAL_GRADE_MIX } from './effect-terms.ts'
import { channelMix } from './grade-mix.ts'
import type { FittedMarket } from './market.ts'
import { compileEffects, type EffectTable, effectSolver, HOLDOUT_PARTS } from './market-effects.ts'
import { EXPECTED_SPREADS, PRIOR_DEVICE_SPREAD, spreadLearner, typicalPrice } from './market-spreads.ts'
import { uses } from './model-parts.ts'
import type { DeviceInput, Observation, Trade } from './observation.ts'
import {
  createChannelIndex,
  GRADE_COUNT,
  gradeIndex,
  type ObservationColumns,
  observationColumns,
  selectRows,
  UNGRADED,
  withDrift,
} from './observation-columns.ts'
import type { PriorCoefficients } from './prior-coefficients.ts'
import { calibrateRanges } from './range-calibration.ts'
import { UNCALIBRATED } from './range-depth.ts'
import { MAX_HALF_LIFE_DAYS } from './recency.ts'

/** Approximate number of rows a market is fitted on: more cost time without improving the fit. */
const ROWS_TO_LEARN_FROM = 24_000
/** Maximum number of devices a market is fitted on; every make is represented. */
const DEVICES_TO_LEARN_FROM = 300
const MIN_DEVICES_PER_MAKE = 6
const MIN_ROWS_PER_CELL = 4
/** Iterations until spreads and effects converge; a large market needs fewer. */
const ROUNDS = { small: 8, large: 5 } as const

export type MarketFitInput = {
  readonly devices: readonly DeviceInput[]
  readonly observationsOf: (device: DeviceInput) => readonly Observation[]
  readonly now: number
  readonly prior: PriorCoefficients
  /** The country to fit; for prices of several countries, the reference country. */
  readonly country?: string
}

/**
 * Fits a market in small steps, so that the caller can yield to the event loop between them. Alternates between fitting every
 * device given the current market and refitting the market from all devices.
 */
export function* fitMarketSteps(
  input: MarketFitInput,
  trade: Trade,
  basis: StartBasis = {},
  world?: FittedMarket,
): Generator<void, FittedMarket> {
  const { now, prior } = input
  const country = input.country ?? DEFAULT_MARKET
  const inherited = inheritedEffects(world)
  const registry = createChannelIndex()
  let devices: ObservationColumns[] = []
  let cells = 0
  let rowCount = 0
  for (const device of selectDevices(input)) {
    const rows = input.observationsOf(device)
    if (rows.length) {
      const columns = observationColumns(device, rows, trade, registry, {
        now,
        driftPerMonth: 0,
        halfLifeDays: MAX_HALF_LIFE_DAYS,
        keepWhenCrowded: 'all',
      })
      if (columns.size) {
        devices.push(columns)
        rowCount += columns.size
        cells += cellRanges(columns).length
      }
    }
    yield
  }
  const maxRowsPerCell = Math.max(MIN_ROWS_PER_CELL, Math.floor(ROWS_TO_LEARN_FROM / Math.max(1, cells)))
  if (rowCount > ROWS_TO_LEARN_FROM) {
    for (let at = 0; at < devices.length; at += 1) {
      devices[at] = thinRows(devices[at] as ObservationColumns, maxRowsPerCell)
      yield
    }
  }

  const drift = new Map<string, Drift>()
  for (const make of new Set(devices.map((rows) => rows.device.make))) {
    const measured = measureDrift(devices.filter((rows) => rows.device.make === make))
    drift.set(make, shrinkDrift(measured.slope, measured.spanMonths, priorDrift(make, prior)))
    yield
  }
  devices = devices.map((rows) => withDrift(rows, (drift.get(rows.device.make) as Drift).perMonth))

  // The level of the market contains the effect of its only family.
  const families = new Set(devices.map(({ device }) => familyOf(device)))
  const known = new Map([...inherited, ...[...families].map((family) => [familyEffect(family), 0] as const)])
  const gradeShare = gradeShares(devices)
  const table: EffectTable = compileEffects(devices, registry.names, { prior, trade, country }, inherited)
  yield
  let market: FittedMarket = {
    trade,
    country,
    fittedAt: now,
    prior,
    effects: new Map([...known, ...table.effects.map((effect): [string, number] => [effect.name, effect.expected])]),
    spreads: EXPECTED_SPREADS[trade],
    drift,
    channelSpreadFactor: new Map(),
    typicalPrice: typicalPrice(devices, trade),
    gradeShares: gradeShare,
    channelMix: channelMix(devices, registry.names),
    rangeScales: UNCALIBRATED,
    sourceScales: new Map(),
    observedDevices: new Map(),
    rowCount,
    levelVariance: 0,
  }
  /** The market's effects without the devices of each part. */
  let effectsWithoutPart: FittedMarket['effects'][] = []
  const starts = devices.map((rows) => startLevel(market, rows.device, now, basis))
  const rounds = rowCount > ROWS_TO_LEARN_FROM ? ROUNDS.large : ROUNDS.small
  for (let round = 0; round < rounds; round += 1) {
    const isLastRound = round === rounds - 1
    const { spreadFactor } = channelEffects(market, registry.names, 0)
    const solver = effectSolver(table)
    const spreads = spreadLearner(market.spreads, market.typicalPrice, spreadFactor, trade)
    const observed = new Map<string, { deviation: number; precision: number }>()
    for (let at = 0; at < devices.length; at += 1) {
      const rows = devices[at] as ObservationColumns
      const base = baseLevel(market, rows.device, now, basis, rows.lnCents)
      const expected = expectedCells(rows.storage, base, market)
      const offsets = channelEffects(market, registry.names, base.priceFactor)
      const fit: DeviceFit = fitDevice(rows, expected, offsets, base.spreads, base.variance)
      const { deviceMean, devicePrecision } = fit.pooled
      observed.set(rows.device.deviceId, { deviation: deviceMean, precision: devicePrecision })
      if (!isLastRound) {
        const start = starts[at] as (typeof starts)[number]
        solver.add(at, rows, fit, start, base)
        spreads.add(rows, fit, base)
      }
      yield
    }
    if (isLastRound) {
      market = { ...market, observedDevices: observed }
      const scales = yield* calibrateRanges(market, devices, registry.names, effectsWithoutPart, basis)
      if (uses('calibration of ranges')) market = { ...market, ...scales }
    } else {
      const { factors, ...fitted } = spreads.result()
      const channelFactor = new Map(registry.names.map((name, at) => [name, factors[at]!]))
      market = { ...market, effects: withKnown(solver.solve()), channelSpreadFactor: channelFactor, ...fitted }
      if (round === rounds - 2)
        effectsWithoutPart = Array.from({ length: HOLDOUT_PARTS }, (_, part) => withKnown(solver.solve(part)))
    }
    yield
  }
  return world && uses('variance of a country level') ? withLevelVariance(market) : market

  function withKnown(effects: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
    return new Map([...known, ...effects])
  }
}

/** Effects shared by all countries; a country starts from them and replaces them by its own estimates. */
export function inheritedEffects(world: FittedMarket | undefined): ReadonlyMap<string, number> {
  if (!world || !uses('effects inherited from other countries')) return new Map()
  // Resale starts from each device's level in other countries; buyback starts from resale and inherits the margins of all.
  const shared = world.trade === 'resale' ? /^(grade:|storage:|ask$|lock:)/ : /^(?!market:|label:|country:)/
  return new Map([...world.effects].filter(([name]) => shared.test(name)))
}

/** Variance of a country's level, which falls with the number of its observed devices. */
function withLevelVariance(market: FittedMarket): FittedMarket {
  const devices = market.observedDevices.size / market.spreads.device ** 2
  return { ...market, levelVariance: 1 / (1 / BORROWED_LEVEL_SPREAD ** 2 + devices) }
}

/** Prior weight of the typical grade mix, in rows. */
const GRADE_PRIOR_ROWS = 40

function gradeShares(devices: readonly ObservationColumns[]): number[] {
  const counts = CONDITIONS.map((condition) => GRADE_PRIOR_ROWS * TYPICAL_GRADE_MIX[condition])
  const shareIndex = new Map(CONDITIONS.map((condition, at) => [gradeIndex(condition), at]))
  // Ungraded devices are mostly Good.
  shareIndex.set(UNGRADED, CONDITIONS.indexOf('Good'))
  for (const { cell } of devices) {
    for (const cellIndex of cell) {
      const at = shareIndex.get(cellIndex % GRADE_COUNT)
      if (at !== undefined) counts[at] = counts[at]! + 1
    }
  }
  const total = counts.reduce((sum, count) => sum + count, 0)
  return counts.map((count) => count / total)
}

/** All observed devices; if there are too many, those with the most observations, proportionally by make. */
function selectDevices(input: MarketFitInput): readonly DeviceInput[] {
  const observed = input.devices.filter((device) => input.observationsOf(device).length > 0)
  if (observed.length <= DEVICES_TO_LEARN_FROM) return observed
  return [...Map.groupBy(observed, (device) => device.make).values()].flatMap((group) => {
    const share = Math.round((DEVICES_TO_LEARN_FROM * group.length) / observed.length)
    return group
      .map((device) => ({ device, count: input.observationsOf(device).length }))
      .sort((a, b) => b.count - a.count || (a.device.deviceId < b.device.deviceId ? -1 : 1))
      .slice(0, Math.max(MIN_DEVICES_PER_MAKE, share))
      .map(({ device }) => device)
  })
}

export function fitMarket(input: MarketFitInput, trade: Trade, basis: StartBasis = {}): FittedMarket {
  return runToEnd(fitMarketSteps(input, trade, basis))
}

/** Samples the rows of each cell evenly over time, so that drift can still be measured. */
function thinRows(rows: ObservationColumns, maxPerCell: number): ObservationColumns {
  const picked: number[] = []
  for (const { from, to } of cellRanges(rows)) {
    const order = Array.from({ length: to - from }, (_, at) => from + at)
    if (order.length > maxPerCell) {
      order.sort((a, b) => rows.monthsAgo[a]! - rows.monthsAgo[b]! || rows.cents[a]! - rows.cents[b]!)
      for (let at = 0; at < maxPerCell; at += 1) picked.push(order[Math.floor((at * order.length) / maxPerCell)]!)
    } else picked.push(...order)
  }
  return selectRows(rows, picked)
}

/** A market without observations: the prior alone. */
export function priorMarket(
  trade: Trade,
  prior: PriorCoefficients,
  now: number,
  country = DEFAULT_MARKET,
): FittedMarket {
  const market = fitMarket({ devices: [], observationsOf: () => [], now, prior, country }, trade)
  // The curve was fitted on prices of the United States: elsewhere the level of the country is uncertain, too.
  const levelVariance = country === DEFAULT_MARKET ? 0 : COUNTRY_LEVEL_SPREAD ** 2
  return { ...market, spreads: { ...market.spreads, device: PRIOR_DEVICE_SPREAD }, levelVariance }
}
