import type { PriceBlockWire } from '../../../src/contract/pricing.ts'
import type { Tone } from '../../ui/basics.tsx'

/** What the source of a price says to a person. */
export const PRICE_SOURCE_LABELS: Readonly<Record<PriceBlockWire['source'], { tone: Tone; text: string }>> = {
  market: { tone: 'good', text: 'from observed deals of this variant' },
  estimate: { tone: 'warn', text: 'estimated: no deals of this variant were observed' },
  sample: { tone: 'violet', text: 'estimated from launch price and age; the history is simulated' },
}

export function confidenceText(confidence: number): string {
  if (confidence === 0) return 'no basis for a price'
  return `about ${Math.round((100 - confidence) / 4)} % expected error`
}
