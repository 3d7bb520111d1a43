import { lazy, Suspense } from 'react'
import type { DayBarsProps } from './day-bars.tsx'
import type { PriceHistoryProps } from './price-history.tsx'

/**
 * The drawings, loaded when one is first shown: the library that draws them is larger than all pages together. Their
 * place is kept meanwhile.
 */
const LazyDayBars = lazy(async () => ({ default: (await import('./day-bars.tsx')).DayBars }))
const LazyPriceHistory = lazy(async () => ({ default: (await import('./price-history.tsx')).PriceHistory }))

export type { Series } from './day-bars.tsx'

export function DayBars(props: DayBarsProps) {
  return (
    <Suspense fallback={<Place />}>
      <LazyDayBars {...props} />
    </Suspense>
  )
}

export function PriceHistory(props: PriceHistoryProps) {
  return (
    <Suspense fallback={<Place isSmall={props.isSmall ?? false} />}>
      <LazyPriceHistory {...props} />
    </Suspense>
  )
}

const Place = ({ isSmall = false }) => (
  <div
    className={isSmall ? 'chart-place chart-place-small loading' : 'chart-place loading'}
    role="status"
    aria-label="Loading"
  />
)
