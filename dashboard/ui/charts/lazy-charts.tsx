import { type ComponentType, lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'

export type { ChartSeries } from './day-bars-chart.tsx'

/**
 * Charts load on first use, because the chart library is larger than all pages together. A placeholder keeps their
 * space.
 */
function lazyChart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Chart = lazy(async () => ({ default: (await load()) as ComponentType<object> }))
  return (props: Props) => (
    <Suspense fallback={<ChartPlaceholder isSmall={'isSmall' in props && props.isSmall === true} />}>
      <Chart {...props} />
    </Suspense>
  )
}

export const DayBars = lazyChart(async () => (await import('./day-bars-chart.tsx')).DayBarsChart)
export const MonthBars = lazyChart(async () => (await import('./month-bars-chart.tsx')).MonthBarsChart)
export const PriceHistory = lazyChart(async () => (await import('./price-history-chart.tsx')).PriceHistoryChart)
export const ForecastPoints = lazyChart(async () => (await import('./forecast-chart.tsx')).ForecastChart)

function ChartPlaceholder({ isSmall }: { isSmall: boolean }) {
  const { t } = useTranslation()
  return (
    <div
      className={isSmall ? 'chart-place chart-place-small loading' : 'chart-place loading'}
      role="status"
      aria-label={t('loading')}
    />
  )
}
