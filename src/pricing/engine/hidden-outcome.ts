import { type DeviceRows, RUNG_COUNT, takeRows } from './device-rows.ts'
import { estimateRows } from './estimate.ts'
import type { Market } from './market.ts'
import { quantile } from './median.ts'
import { answeringCell, boundedScale, isAnswered, RECENT, shareOfReach } from './reach-share.ts'

/** What the foretold spread and range had to be multiplied by to hold half and 80 % of what was hidden. */
export type Outcome = { readonly middle: number; readonly below: number; readonly above: number }

export const PLAIN_OUTCOME: Outcome = { middle: 1, below: 1, above: 1 }

/** Ranges as foretold stand for this many hidden rows. */
const FIRMNESS = 60
/** Rows of one hidden device lie off together: what hidden variants taught stands for this many devices. */
const FIRMNESS_IN_DEVICES = 40
const FEWEST_ROWS = 2
/** A device has at most this many of them: one that everybody sells is not the market. In a market of few devices it may have more. */
const MOST_ROWS = 60
const ENOUGH_ROWS = 2_000
/** A market has at most about this many, from devices that are evenly picked: a quantile of some thousand rows is sure enough. */
const MOST_OF_MARKET = 6_000
/** Half of all normal values lie within this many standard deviations. */
const NORMAL_MEDIAN = 0.6745

/**
 * The proof of a range is what it holds. Half of the rows of each device are hidden and foretold from the other half, half of its
 * variants from the others, and the whole device from what the market would say without it, by the very estimate that answers are made of.
 * `without`: the market's effects without each part of the devices.
 */
export function* hiddenOutcome(
  market: Market,
  devices: readonly DeviceRows[],
  channels: readonly string[],
  without: readonly Market['effects'][],
  resale?: Market,
): Generator<void, Market['outcome']> {
  const seen = collector()
  const unseen = collector()
  const unknown = collector()
  const unaware = without.map((effects): Market => ({ ...market, effects }))
  const most = Math.max(MOST_ROWS, Math.ceil(ENOUGH_ROWS / Math.max(1, devices.length)))
  const hidden = devices.reduce((sum, { size }) => sum + Math.min(size, 2 * MOST_ROWS), 0)
  const apart = Math.max(1, Math.ceil(hidden / MOST_OF_MARKET))
  for (let at = 0; at < devices.length; at += apart) {
    const rows = devices[at] as DeviceRows
    if (rows.size >= FEWEST_ROWS) {
      for (const [collect, group] of [
        [seen, (at: number) => at],
        [unseen, variantNumbers(rows)],
      ] as const) {
        for (const half of [0, 1]) {
          const known: number[] = []
          const foretold: number[] = []
          for (let at = 0; at < rows.size; at += 1) (group(at) % 2 === half ? foretold : known).push(at)
          if (known.length && foretold.length) look(collect, market, rows, known, foretold)
        }
        yield
      }
    }
    if (devices.length > 1 && unaware.length) {
      const everything = Array.from({ length: rows.size }, (_, row) => row)
      look(unknown, unaware[at % unaware.length] as Market, rows, [], everything)
      yield
    }
  }
  const ofVariants = unseen.outcome(PLAIN_OUTCOME, FIRMNESS)
  return {
    seen: seen.outcome(PLAIN_OUTCOME, FIRMNESS),
    unseen: ofVariants,
    unknown: unknown.outcome(ofVariants, (FIRMNESS_IN_DEVICES * unknown.size()) / Math.max(1, unknown.looks())),
  }

  function look(
    collect: ReturnType<typeof collector>,
    by: Market,
    rows: DeviceRows,
    known: number[],
    foretold: number[],
  ): void {
    const recent = RECENT * rows.recency.reduce((most, one) => Math.max(most, one), 0)
    const answered = foretold.filter(
      (row) => isAnswered(rows.cell[row] as number) && (rows.recency[row] as number) >= recent,
    )
    if (!answered.length) return
    const answer = estimateRows(by, takeRows(rows, known), channels, 0, resale)
    if (!answer.known) return
    collect.begin()
    const step = Math.max(1, Math.ceil(answered.length / most))
    for (let at = 0; at < answered.length; at += step) {
      const row = answered[at] as number
      const as = answeringCell(rows.cell[row] as number)
      const distance = (rows.value[row] as number) - (answer.served[as] as number)
      collect.add(
        Math.abs(distance) / (NORMAL_MEDIAN * (answer.spread[as] as number)),
        shareOfReach(answer, as, distance),
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
  let looks = 0
  return {
    begin(): void {
      looks += 1
    },
    looks: () => looks,
    size: () => middles.length,
    add(middle: number, share: number): void {
      middles.push(middle)
      reached.push(share)
    },
    /** Held to what is expected by `firmness` rows. */
    outcome(expected: Outcome, firmness: number): Outcome {
      const count = middles.length
      if (!count) return expected
      const held = (found: number, value: number) =>
        boundedScale((found * count + value * firmness) / (count + firmness))
      return {
        middle: held(quantile(middles, 0.5), expected.middle),
        below: held(-quantile(reached, 0.1), expected.below),
        above: held(quantile(reached, 0.9), expected.above),
      }
    },
  }
}
