import type { FittedMarket, Trade } from '../model/market.ts'
import type { PriorCoefficients } from '../model/prior-coefficients.ts'

/** A fitted market as text, so that one process learns it and all of them price by it. */
export function serializeMarket(market: FittedMarket): string {
  const { prior: _, ...learnt } = market
  return JSON.stringify(learnt, (_key, value) => {
    if (value instanceof Map) return { map: [...value] }
    if (ArrayBuffer.isView(value)) return { numbers: Array.from(value as Float64Array) }
    return value
  })
}

/** The prior belongs to the program, not to the record. Undefined when the record is of another shape. */
export function parseMarket(text: string, trade: Trade, prior: PriorCoefficients): FittedMarket | undefined {
  try {
    const read = JSON.parse(text, (_key, value) => {
      if (value && Array.isArray(value.map)) return new Map(value.map)
      if (value && Array.isArray(value.numbers)) return Float64Array.from(value.numbers)
      return value
    })
    return read.trade === trade && read.effects instanceof Map ? { ...read, prior } : undefined
  } catch {
    return undefined
  }
}
