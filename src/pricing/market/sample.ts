import { DAY_MS, MONTH_MS } from '../../time.ts'
import { RUNG_COUNT, rungIndex } from '../engine/device-rows.ts'
import { estimateSide, type Markets } from '../engine/estimate.ts'
import type { DeviceFacts, Observation } from '../engine/observation.ts'
import type { Rung } from '../engine/rung.ts'

/** What every simulated observation names as its source, and every answer built on one. */
export const SAMPLE_SOURCE = 'sample'

const RUNGS_SOLD: readonly [Rung, string, number][] = [
  ['Excellent', 'excellent', 0.28],
  ['Good', 'good', 0.44],
  ['Fair', 'fair', 0.2],
  ['Poor', 'poor', 0.08],
]
const LISTINGS = 44
const QUOTES = 16
/** One in so many listings is junk: a box, a part, a typing error. */
const JUNK_ONE_IN = 40
const SPAN_DAYS = 182
const WEEKLY_HAZARD = 0.35

/**
 * A market that never was, so that a first start has a history to show: around the price that is served without it, with the
 * spread, the junk, the drift and the listing lives of real markets. The same device has the same sample all day.
 */
export function sampleObservations(markets: Markets, device: DeviceFacts, now: number): Observation[] {
  const today = Math.floor(now / DAY_MS) * DAY_MS
  const resale = estimateSide(markets.resale, device, [], today)
  if (!resale.known) return []
  const buyback = estimateSide(markets.buyback, device, [], today, markets.resale)
  const drift = resale.rows.drift + 0.008 * normal(randomFrom(device.deviceId))
  return device.variants.flatMap(({ variantId }, variant) => {
    const random = randomFrom(variantId)
    const released = device.releasedAt ?? 0
    const rows: Observation[] = []
    for (let at = 0; at < LISTINGS + QUOTES; at += 1) {
      const side = at < LISTINGS ? (random() < 0.6 ? 'sold' : 'ask') : 'quote'
      const [rung, label] = pick(random)
      const daysAgo = Math.floor(SPAN_DAYS * random())
      const observedAt = Math.min(now, today - daysAgo * DAY_MS + Math.floor(random() * DAY_MS))
      const noise = (side === 'quote' ? 0.05 : 0.09) * (rung === 'Poor' ? 1.6 : 1) * normal(random)
      const junk = side === 'quote' || random() > 1 / JUNK_ONE_IN ? 0 : -1.5 - random()
      const lifeDays = (-Math.log(1 - random()) / WEEKLY_HAZARD) * 7 * Math.exp(4 * noise)
      const level = (side === 'quote' ? buyback : resale).served[variant * RUNG_COUNT + rungIndex(rung)] as number
      const ln = level + noise + junk - drift * ((today - observedAt) / MONTH_MS)
      if (observedAt < released) continue
      rows.push({
        source: SAMPLE_SOURCE,
        side,
        variantId,
        rung,
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

function pick(random: () => number): readonly [Rung, string, number] {
  let left = random()
  for (const rung of RUNGS_SOLD) {
    left -= rung[2]
    if (left <= 0) return rung
  }
  return RUNGS_SOLD[1] as readonly [Rung, string, number]
}

/** Numbers in [0, 1) that depend on the text alone (mulberry32 over an FNV hash). */
function randomFrom(text: string): () => number {
  let state = 2166136261
  for (let at = 0; at < text.length; at += 1) state = Math.imul(state ^ text.charCodeAt(at), 16777619)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
