import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { DayBarsProps } from './day-bars-chart.tsx'
import type { ForecastChartProps } from './forecast-chart.tsx'
import type { MonthBarsProps } from './month-bars-chart.tsx'
import type { PriceHistoryProps } from './price-history-chart.tsx'

/**
 * Charts load on first use, because the chart library is larger than all pages together. A placeholder keeps their
 * space.
 */
const LazyDayBars = lazy(async () => ({ default: (await import('./day-bars-chart.tsx')).DayBarsChart }))
const LazyPriceHistory = lazy(async () => ({ default: (await import('./price-history-chart.tsx')).PriceHistoryChart }))

const LazyMonthBars = lazy(async () => ({ default: (await import('./month-bars-chart.tsx')).MonthBarsChart }))
const LazyForecast = lazy(async () => ({ default: (await import('./forecast-chart.tsx')).ForecastChart }))

export type { ChartSeries } from './day-bars-chart.tsx'

export function DayBars(props: DayBarsProps) {
  return (
    <Suspense fallback={<ChartPlaceholder />}>
      <LazyDayBars {...props} />
    </Suspense>
  )
}

export function PriceHistory(props: PriceHistoryProps) {
  return (
    <Suspense fallback={<ChartPlaceholder isSmall={props.isSmall ?? false} />}>
      <LazyPriceHistory {...props} />
    </Suspense>
  )
}

export function MonthBars(props: MonthBarsProps) {
  return (
    <Suspense fallback={<ChartPlaceholder />}>
      <LazyMonthBars {...props} />
    </Suspense>
  )
}

export function ForecastPoints(props: ForecastChartProps) {
  return (
    <Suspense fallback={<ChartPlaceholder />}>
      <LazyForecast {...props} />
    </Suspense>
  )
}

function ChartPlaceholder({ isSmall = false }) {
  const { t } = useTranslation()
  return (
    <div
      className={isSmall ? 'chart-place chart-place-small loading' : 'chart-place loading'}
      role="status"
      aria-label={t('loading')}
    />
  )
}
