import type { MarketGrade } from '../../catalog/grade.ts'
import { DAY_MS, MONTH_MS } from '../../lib/time.ts'
import { estimateDevice, type FittedMarkets } from '../model/estimate.ts'
import type { DeviceInput, Observation } from '../model/observation.ts'
import { GRADE_COUNT, gradeIndex } from '../model/observation-columns.ts'

/** Source of every simulated observation and of every response with a simulated history. */
export const SAMPLE_SOURCE = 'sample'

const SAMPLE_GRADES: readonly [MarketGrade, string, number][] = [
  ['Excellent', 'excellent', 0.28],
  ['Good', 'good', 0.44],
  ['Fair', 'fair', 0.2],
  ['Poor', 'poor', 0.08],
]
const LISTINGS_PER_VARIANT = 44
const QUOTES_PER_VARIANT = 16
/** One in this many listings is junk: a box, a part, a typing error. */
const JUNK_ONE_IN = 40
const SPAN_DAYS = 182
const WEEKLY_HAZARD = 0.35

/**
 * Simulates a market, so that a new installation has a history to show: around the price that is served without it, with the
 * spread, junk, drift and listing durations of real markets. Deterministic per device and day.
 */
export function sampleObservations(markets: FittedMarkets, device: DeviceInput, now: number): Observation[] {
  const today = Math.floor(now / DAY_MS) * DAY_MS
  const { resale, buyback } = estimateDevice(markets, device, [], today)
  if (!resale.hasBasis) return []
  const drift = resale.rows.driftPerMonth + 0.008 * randomNormal(seededRandom(device.deviceId))
  return device.variants.flatMap(({ variantId }, variant) => {
    const random = seededRandom(variantId)
    const released = device.releasedAt ?? 0
    const rows: Observation[] = []
    for (let at = 0; at < LISTINGS_PER_VARIANT + QUOTES_PER_VARIANT; at += 1) {
      const side = at < LISTINGS_PER_VARIANT ? (random() < 0.6 ? 'sold' : 'ask') : 'quote'
      const [grade, label] = pickGrade(random)
      const daysAgo = Math.floor(SPAN_DAYS * random())
      const observedAt = Math.min(now, today - daysAgo * DAY_MS + Math.floor(random() * DAY_MS))
      const noise = (side === 'quote' ? 0.05 : 0.09) * (grade === 'Poor' ? 1.6 : 1) * randomNormal(random)
      const junk = side === 'quote' || random() > 1 / JUNK_ONE_IN ? 0 : -1.5 - random()
      const lifeDays = (-Math.log(1 - random()) / WEEKLY_HAZARD) * 7 * Math.exp(4 * noise)
      const level = (side === 'quote' ? buyback : resale).quotedLevel[
        variant * GRADE_COUNT + gradeIndex(grade)
      ] as number
      const ln = level + noise + junk - drift * ((today - observedAt) / MONTH_MS)
      if (observedAt < released) continue
      rows.push({
        source: SAMPLE_SOURCE,
        side,
        market: markets.resale.country,
        variantId,
        grade,
        label,
        lock: '',
        cents: Math.max(100, Math.round(Math.exp(ln) / 100) * 100),
        observedAt,
        listingId: `${variantId}-${at}`,
        state: side === 'sold' ? 'sold' : 'active',
        listedAt: side === 'quote' ? null : Math.round(observedAt - Math.min(60, lifeDays) * DAY_MS),
      })
    }
    return rows
  })
}

function pickGrade(random: () => number): readonly [MarketGrade, string, number] {
  let remaining = random()
  for (const entry of SAMPLE_GRADES) {
    remaining -= entry[2]
    if (remaining <= 0) return entry
  }
  return SAMPLE_GRADES[1] as readonly [MarketGrade, string, number]
}

/** Numbers in [0, 1) that depend on the text alone (mulberry32 over an FNV hash). */
function seededRandom(text: string): () => number {
  let state = 2166136261
  for (let at = 0; at < text.length; at += 1) state = Math.imul(state ^ text.charCodeAt(at), 16777619)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

function randomNormal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
