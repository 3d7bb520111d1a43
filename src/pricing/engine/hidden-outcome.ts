import { type DeviceRows, RUNG_COUNT, rungIndex, takeRows } from './device-rows.ts'
import { estimateRows } from './estimate.ts'
import type { Market } from './market.ts'
import { quantile } from './median.ts'

/** What the foretold spread and range had to be multiplied by to hold half and 80 % of what was hidden. */
export type Outcome = { readonly middle: number; readonly below: number; readonly above: number }

export const PLAIN_OUTCOME: Outcome = { middle: 1, below: 1, above: 1 }

/** Ranges as foretold stand for this many hidden rows. */
const FIRMNESS = 60
const FEWEST_ROWS = 2
/** A device has at most this many of them: one that everybody sells is not the market. */
const MOST_ROWS = 60
/** A market has at most about this many, from devices that are evenly picked: a quantile of some thousand rows is sure enough. */
const MOST_OF_MARKET = 6_000
/** As in learning how listings differ: what lies far back lies off because prices went on. */
const RECENT = 0.25
/** No range is narrower (ln). */
const LEAST_REACH = 0.005
const LEAST = 0.7
const MOST = 1.6

const GOOD = rungIndex('Good')
const UNGRADED = rungIndex('Ungraded')
const NEW = rungIndex('New')
/** Half of all normal values lie within this many standard deviations. */
const NORMAL_MEDIAN = 0.6745

/**
 * The proof of a range is what it holds. Half of the rows of each device are hidden and foretold from the other half, and half of its
 * variants from the others, by the very estimate that answers are made of.
 */
export function* hiddenOutcome(
  market: Market,
  devices: readonly DeviceRows[],
  channels: readonly string[],
  resale?: Market,
): Generator<void, Market['outcome']> {
  const seen = collector()
  const unseen = collector()
  const hidden = devices.reduce((sum, { size }) => sum + Math.min(size, 2 * MOST_ROWS), 0)
  const apart = Math.max(1, Math.ceil(hidden / MOST_OF_MARKET))
  for (let at = 0; at < devices.length; at += apart) {
    const rows = devices[at] as DeviceRows
    if (rows.size < FEWEST_ROWS) continue
    for (const [collect, group] of [
      [seen, (at: number) => at],
      [unseen, variantNumbers(rows)],
    ] as const) {
      for (const half of [0, 1]) {
        const known: number[] = []
        const foretold: number[] = []
        for (let at = 0; at < rows.size; at += 1) (group(at) % 2 === half ? foretold : known).push(at)
        if (known.length && foretold.length) look(collect, rows, known, foretold)
      }
      yield
    }
  }
  return { seen: seen.outcome(), unseen: unseen.outcome() }

  function look(collect: ReturnType<typeof collector>, rows: DeviceRows, known: number[], foretold: number[]): void {
    const { served, spread, below, above } = estimateRows(market, takeRows(rows, known), channels, 0, resale)
    const recent = RECENT * rows.recency.reduce((most, one) => Math.max(most, one), 0)
    const step = Math.max(1, Math.ceil(foretold.length / MOST_ROWS))
    for (let at = 0; at < foretold.length; at += step) {
      const row = foretold[at] as number
      const cell = rows.cell[row] as number
      const rung = cell % RUNG_COUNT
      if (rung === NEW || (rows.recency[row] as number) < recent) continue
      const answer = rung === UNGRADED ? cell + GOOD - UNGRADED : cell
      const distance = (rows.value[row] as number) - (served[answer] as number)
      const reach = (distance < 0 ? below[answer] : above[answer]) as number
      collect.add(
        Math.abs(distance) / (NORMAL_MEDIAN * (spread[answer] as number)),
        distance / Math.max(reach, LEAST_REACH),
      )
    }
  }
}

/** The observed variants of a device, numbered. */
function variantNumbers(rows: DeviceRows): (at: number) => number {
  const numbers = new Map<number, number>()
  const variantOf = (at: number) => Math.floor((rows.cell[at] as number) / RUNG_COUNT)
  for (let at = 0; at < rows.size; at += 1) {
    if (!numbers.has(variantOf(at))) numbers.set(variantOf(at), numbers.size)
  }
  return (at) => numbers.get(variantOf(at)) as number
}

function collector() {
  const middles: number[] = []
  /** Below zero: as a share of the reach below; above zero: of the reach above. */
  const reached: number[] = []
  const held = (value: number) => {
    const mixed = (value * middles.length + FIRMNESS) / (middles.length + FIRMNESS)
    return Math.max(LEAST, Math.min(MOST, mixed))
  }
  return {
    add(middle: number, share: number): void {
      middles.push(middle)
      reached.push(share)
    },
    outcome(): Outcome {
      if (!middles.length) return PLAIN_OUTCOME
      return {
        middle: held(quantile(middles, 0.5)),
        below: held(-quantile(reached, 0.1)),
        above: held(quantile(reached, 0.9)),
      }
    },
  }
}
