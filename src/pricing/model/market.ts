import type { Spreads } from './device-fit.ts'
import { DEFAULT_DRIFT_ERROR, type Drift, priorDrift } from './drift.ts'
import type { ChannelMix } from './grade-mix.ts'
import type { Trade } from './observation.ts'
import type { PriorCoefficients } from './prior-coefficients.ts'
import type { RangeScales } from './range-depth.ts'
import type { SourceScales } from './source-ranges.ts'

/** Fitted model of one side of the trade in a market, as plain data. */
export type FittedMarket = {
  readonly trade: Trade
  /** Country of the market; for prices of several countries, the reference country. */
  readonly country: string
  readonly fittedAt: number
  readonly prior: PriorCoefficients
  /** Fitted effects by name: `level`, `age`, `grade:Fair`, `lock:sprint`, `make:Apple`, … */
  readonly effects: ReadonlyMap<string, number>
  readonly spreads: Spreads
  /** Drift of each make. */
  readonly drift: ReadonlyMap<string, Drift>
  /** Factor on the spread of listings by channel; 1 if unknown. */
  readonly channelSpreadFactor: ReadonlyMap<string, number>
  /** Prices of cheap devices vary more, by `slope` per unit of ln below the market's typical price. */
  readonly typicalPrice: { readonly ln: number; readonly slope: number }
  /** Share of deals by grade, for the four grades of the API. */
  readonly gradeShares: readonly number[]
  readonly channelMix: ChannelMix
  /** Factors on ranges from held-out prices. */
  readonly rangeScales: RangeScales
  readonly sourceScales: SourceScales
  /** Deviation of each observed device from its base level by its own rows, and the precision of that. */
  readonly observedDevices: ReadonlyMap<string, { readonly deviation: number; readonly precision: number }>
  readonly rowCount: number
  /** Variance of the country's level, which is large while few of its devices were observed. */
  readonly levelVariance: number
}

export function marketDrift(market: FittedMarket, make: string): number {
  return market.drift.get(make)?.perMonth ?? priorDrift(make, market.prior)
}

/** Variance over months without observations or ahead: volatility and uncertainty of the drift. */
export function timeVariance(market: FittedMarket, make: string, months: number): number {
  const driftError = market.drift.get(make)?.standardError ?? DEFAULT_DRIFT_ERROR
  return market.spreads.volatility ** 2 * months + (driftError * months) ** 2
}
