import { CONDITIONS } from '../../contract/grades.ts'
import { type DeviceFit, fitDevice } from './device-fit.ts'
import {
  BUYBACK_SIDES,
  channelRegistry,
  type DeviceRows,
  deviceRows,
  driftTo,
  RESALE_SIDES,
  RUNG_COUNT,
  rungIndex,
  takeRows,
} from './device-rows.ts'
import { type Drift, driftPerMonth, ownDrift, priorDrift } from './drift.ts'
import { hiddenOutcome, PLAIN_OUTCOME } from './hidden-outcome.ts'
import { baseLevel, channelFacts, expectedCells, type Market, startLevel, type Trade, USUAL_MIX } from './market.ts'
import { type EffectTable, effectSolver, effectTable, PARTS } from './market-effects.ts'
import { EXPECTED_SPREADS, NORMAL_SHAPE, spreadLearner, usualPrice } from './market-spreads.ts'
import type { DeviceFacts, Observation } from './observation.ts'
import type { PriorCoefficients } from './prior-coefficients.ts'
import { HALF_LIFE_DAYS } from './recency.ts'
import { RUNGS } from './rung.ts'
import { channelMix, servedRungs } from './served.ts'

/** How far (ln) the level of a market lies from the prior's: countries differ in tax and wages, and years in what people pay. */
const UNSEEN_MARKET_SPREAD = 0.12
/** A market is learnt from about this many rows: more add time and no knowledge. */
const ROWS_TO_LEARN_FROM = 24_000
/** Nor are more devices needed than this: every make is among them. */
const DEVICES_TO_LEARN_FROM = 300
const LEAST_PER_MAKE = 6
const LEAST_PER_CELL = 4
/** Spreads and effects settle together; a large market, whose spreads are clear at once, needs fewer rounds. */
const ROUNDS = { small: 8, large: 5 } as const

export type MarketInput = {
  readonly devices: readonly DeviceFacts[]
  readonly observationsOf: (device: DeviceFacts) => readonly Observation[]
  readonly now: number
  readonly prior: PriorCoefficients
}

/**
 * Learns a market in small steps: the caller may do something else between two of them. By turns, every device is fitted
 * against what the market says so far, and the market is learnt anew from all devices.
 */
export function* fitMarketInSteps(input: MarketInput, trade: Trade, resale?: Market): Generator<void, Market> {
  const { now, prior } = input
  const sides = trade === 'resale' ? RESALE_SIDES : BUYBACK_SIDES
  const registry = channelRegistry()
  let devices: DeviceRows[] = []
  let cells = 0
  let rowCount = 0
  for (const device of chosen(input)) {
    const rows = input.observationsOf(device)
    if (rows.length) {
      const columns = deviceRows(device, rows, sides, registry, {
        now,
        drift: 0,
        halfLife: HALF_LIFE_DAYS,
        crowd: 'all',
      })
      if (columns.size) {
        devices.push(columns)
        rowCount += columns.size
        // Rows lie sorted by cell.
        for (let at = 0; at < columns.size; at += 1) if (columns.cell[at] !== columns.cell[at - 1]) cells += 1
      }
    }
    yield
  }
  const most = Math.max(LEAST_PER_CELL, Math.floor(ROWS_TO_LEARN_FROM / Math.max(1, cells)))
  if (rowCount > ROWS_TO_LEARN_FROM) {
    for (let at = 0; at < devices.length; at += 1) {
      devices[at] = thinned(devices[at] as DeviceRows, most)
      yield
    }
  }

  const drift = new Map<string, Drift>()
  for (const make of new Set(devices.map((rows) => rows.device.make))) {
    const own = ownDrift(devices.filter((rows) => rows.device.make === make))
    drift.set(make, driftPerMonth(own.slope, own.spanMonths, priorDrift(make, prior)))
    yield
  }
  devices = devices.map((rows) => driftTo(rows, (drift.get(rows.device.make) as Drift).perMonth))

  const gradeShare = gradeShares(devices)
  const table: EffectTable = effectTable(devices, registry.names, prior, trade)
  yield
  let market: Market = {
    trade,
    fittedAt: now,
    prior,
    effects: new Map(table.list.map((effect) => [effect.name, effect.expected])),
    spreads: EXPECTED_SPREADS[trade],
    drift,
    channelFactor: new Map(),
    usual: usualPrice(devices, trade),
    gradeShare,
    channelMix: channelMix(devices, registry.names),
    listings: NORMAL_SHAPE,
    served: RUNGS.map(() => NORMAL_SHAPE),
    levels: NORMAL_SHAPE,
    devices: NORMAL_SHAPE,
    outcome: { seen: PLAIN_OUTCOME, unseen: PLAIN_OUTCOME, unknown: PLAIN_OUTCOME },
    observed: new Map(),
    rowCount,
  }
  /** What the market would say, had it never seen the devices of a part. */
  let without: Market['effects'][] = []
  const starts = devices.map((rows) => startLevel(rows.device, now, prior, trade, resale))
  const rounds = rowCount > ROWS_TO_LEARN_FROM ? ROUNDS.large : ROUNDS.small
  for (let round = 0; round < rounds; round += 1) {
    const last = round === rounds - 1
    const channels = channelFacts(market, registry.names)
    const solver = effectSolver(table)
    const spreads = spreadLearner(market.spreads, market.usual, channels.factor, trade)
    const observed = new Map<string, { deviation: number; precision: number }>()
    for (let at = 0; at < devices.length; at += 1) {
      const rows = devices[at] as DeviceRows
      const base = baseLevel(market, rows.device, now, resale, rows.value)
      const expected = expectedCells(rows.storage, base.mean, rows.age, market)
      const fit: DeviceFit = fitDevice(rows, expected, channels, base.spreads, base.variance)
      const { deviceMean, devicePrecision } = fit.pooled
      observed.set(rows.device.deviceId, { deviation: deviceMean, precision: devicePrecision })
      if (!last) {
        const start = starts[at] as (typeof starts)[number]
        solver.add(at, rows, fit, start, base.spreads)
        const served = servedRungs(market, registry.names, rows, fit, base.spreads)
        spreads.add(rows, fit, base, { expected, rungs: served, offset: channels.offset })
      }
      yield
    }
    if (last) {
      market = { ...market, observed }
      market = { ...market, outcome: yield* hiddenOutcome(market, devices, registry.names, without, resale) }
    } else {
      const { factors, ...learnt } = spreads.learnt()
      const channelFactor = new Map(registry.names.map((name, at) => [name, factors[at] as number]))
      market = { ...market, effects: solver.solve(), channelFactor, ...learnt }
      if (round === rounds - 2) without = Array.from({ length: PARTS }, (_, part) => solver.solve(part))
    }
    yield
  }
  return market
}

/** The usual mix of grades counts as this many rows. */
const GRADE_ROWS = 40

function gradeShares(devices: readonly DeviceRows[]): number[] {
  const counts = CONDITIONS.map((condition) => GRADE_ROWS * USUAL_MIX[condition])
  const place = new Map(CONDITIONS.map((condition, at) => [rungIndex(condition), at]))
  // What nobody graded is mostly Good.
  place.set(rungIndex('Ungraded'), CONDITIONS.indexOf('Good'))
  for (const { cell } of devices) {
    for (const one of cell) {
      const at = place.get(one % RUNG_COUNT)
      if (at !== undefined) counts[at] = (counts[at] as number) + 1
    }
  }
  const total = counts.reduce((sum, count) => sum + count, 0)
  return counts.map((count) => count / total)
}

/** All observed devices, or, of very many, those with the most observations of each make by its share. */
function chosen(input: MarketInput): readonly DeviceFacts[] {
  const observed = input.devices.filter((device) => input.observationsOf(device).length > 0)
  if (observed.length <= DEVICES_TO_LEARN_FROM) return observed
  return [...Map.groupBy(observed, (device) => device.make).values()].flatMap((group) => {
    const share = Math.round((DEVICES_TO_LEARN_FROM * group.length) / observed.length)
    return group
      .map((device) => ({ device, count: input.observationsOf(device).length }))
      .sort((a, b) => b.count - a.count || (a.device.deviceId < b.device.deviceId ? -1 : 1))
      .slice(0, Math.max(LEAST_PER_MAKE, share))
      .map(({ device }) => device)
  })
}

export function fitMarket(input: MarketInput, trade: Trade, resale?: Market): Market {
  const steps = fitMarketInSteps(input, trade, resale)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Evenly picked rows of each cell, old and new alike, so that drift can still be seen. */
function thinned(rows: DeviceRows, most: number): DeviceRows {
  const picked: number[] = []
  for (let from = 0; from < rows.size; ) {
    const cell = rows.cell[from] as number
    let to = from
    while (to < rows.size && rows.cell[to] === cell) to += 1
    const order = Array.from({ length: to - from }, (_, at) => from + at)
    if (order.length > most) {
      order.sort(
        (a, b) =>
          (rows.monthsAgo[a] as number) - (rows.monthsAgo[b] as number) ||
          (rows.cents[a] as number) - (rows.cents[b] as number),
      )
      for (let at = 0; at < most; at += 1) picked.push(order[Math.floor((at * order.length) / most)] as number)
    } else picked.push(...order)
    from = to
  }
  return takeRows(rows, picked)
}

/** A market nobody has observed yet: what is expected of it, and nothing more. */
export function unobservedMarket(trade: Trade, prior: PriorCoefficients, now: number): Market {
  const market = fitMarket({ devices: [], observationsOf: () => [], now, prior }, trade)
  const device = Math.hypot(market.spreads.device, UNSEEN_MARKET_SPREAD)
  return { ...market, spreads: { ...market.spreads, device } }
}
