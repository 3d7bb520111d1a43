import type { PriceBlockWire } from '../../../src/contract/pricing.ts'
import type { Tone } from '../../ui/badge.tsx'

export const PRICE_SOURCE_LABELS: Readonly<Record<PriceBlockWire['source'], { tone: Tone; text: string }>> = {
  market: { tone: 'good', text: 'based on observed prices of this variant' },
  estimate: { tone: 'warn', text: 'estimated: no observed prices of this variant' },
  sample: { tone: 'violet', text: 'estimated from launch price and age; the history is simulated' },
}

export function confidenceText(confidence: number): string {
  if (confidence === 0) return 'no price available'
  return `about ${Math.round((100 - confidence) / 4)} % expected error`
}
