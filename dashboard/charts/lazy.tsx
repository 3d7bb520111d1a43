import { lazy, Suspense } from 'react'
import type { DayBarsProps } from './day-bars.tsx'
import type { PriceLinesProps } from './price-lines.tsx'

/**
 * The drawings, loaded when one is first shown: the library that draws them is larger than all pages together. Their
 * place is kept meanwhile.
 */
const LazyDayBars = lazy(async () => ({ default: (await import('./day-bars.tsx')).DayBars }))
const LazyPriceLines = lazy(async () => ({ default: (await import('./price-lines.tsx')).PriceLines }))

export type { Series } from './day-bars.tsx'

export function DayBars(props: DayBarsProps) {
  return (
    <Suspense fallback={<Place />}>
      <LazyDayBars {...props} />
    </Suspense>
  )
}

export function PriceLines(props: PriceLinesProps) {
  return (
    <Suspense fallback={<Place />}>
      <LazyPriceLines {...props} />
    </Suspense>
  )
}

const Place = () => <div className="chart-place loading" role="status" aria-label="Loading" />
