import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type DealReportWire, MIN_SALES_TO_JUDGE } from '../../../src/contract/deal-report.ts'
import { formatAmount, formatCount, formatDay, formatPercent, formatShortAmount } from '../../format.ts'
import { useOperation } from '../../queries.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { ForecastPoints } from '../../ui/charts/lazy-charts.tsx'
import { Card } from '../../ui/page.tsx'

export function ForecastQuality({ report: { forecast, currency } }: { report: DealReportWire }) {
  const { t } = useTranslation('reports')
  const { offers, sales, range, losses, points, excluded } = forecast
  const money = (amount: number) => formatAmount(amount, currency)
  const short = (amount: number) => formatShortAmount(amount, currency)
  const devices = useOperation('GET /api/appraisals/devices', {}).data?.data ?? []
  const deviceNames = new Map(devices.map((device) => [device.device_id, device.device_name]))
  return (
    <Card title={t('forecast.title')} note={t('forecast.note')}>
      <div className="forecast-questions">
        <Verdict
          title={t('offers.title')}
          tone="plain"
          verdict={
            offers.deals === 0 ? t('offers.none') : differenceText(offers.median_difference_percent, 'offers', t)
          }
        >
          {offers.deals === 0
            ? null
            : t('offers.detail', {
                count: offers.deals,
                paid: money(offers.paid),
                recommended: money(offers.recommended),
                above: offers.above_offer,
              })}
        </Verdict>
        <Verdict
          title={t('price.title')}
          tone="plain"
          verdict={sales.sales === 0 ? t('price.none') : differenceText(sales.median_error_percent, 'price', t)}
        >
          {sales.sales === 0
            ? null
            : t('price.detail', {
                count: sales.sales,
                sold: money(sales.sold),
                forecast: money(sales.forecast),
                error: formatCount(sales.median_absolute_error_percent ?? 0),
              })}
        </Verdict>
        <Verdict
          title={t('range.title')}
          tone={range.verdict === 'as_forecast' ? 'good' : range.verdict === 'too_few' ? 'plain' : 'warn'}
          verdict={
            range.verdict === 'too_few'
              ? t('tooFew', { sales: t('sales', { count: range.sales }) })
              : t('range.verdict', { percent: formatPercent(range.share ?? 0) })
          }
          meter={range.sales > 0 ? { share: range.share ?? 0, mark: range.expected_share } : undefined}
        >
          {range.sales === 0
            ? null
            : [
                t('range.detail', {
                  inside: range.inside,
                  total: range.sales,
                  below: range.below,
                  above: range.above,
                }),
                ...(range.verdict === 'too_few'
                  ? [t('range.needs', { minimum: MIN_SALES_TO_JUDGE })]
                  : [
                      t('range.chance', {
                        low: formatCount(range.expected_low),
                        high: formatCount(range.expected_high),
                      }),
                      t(`rangeVerdict.${range.verdict}`),
                    ]),
              ].join(' ')}
        </Verdict>
        <Verdict
          title={t('losses.title')}
          tone={losses.verdict === 'more_losses' ? 'warn' : losses.verdict === 'too_few' ? 'plain' : 'good'}
          verdict={
            losses.verdict === 'too_few'
              ? t('tooFew', { sales: t('sales', { count: losses.sales }) })
              : t('losses.verdict', { lost: losses.lost, total: losses.sales, expected: formatCount(losses.expected) })
          }
          meter={
            losses.sales > 0 ? { share: losses.lost / losses.sales, mark: losses.expected / losses.sales } : undefined
          }
        >
          {losses.sales === 0
            ? null
            : t('losses.detail', {
                lost: losses.lost,
                belowCost: losses.below_cost,
                expected: formatCount(losses.expected),
                low: formatCount(losses.expected_low),
                high: formatCount(losses.expected_high),
              })}
        </Verdict>
      </div>
      {points.length > 0 ? (
        <ForecastPoints
          label={t('forecast.chart', { count: points.length })}
          format={money}
          formatShort={short}
          texts={{
            inside: t('chart.inside'),
            outside: t('chart.outside'),
            hint: t('chart.hint'),
            device: t('chart.device'),
            forecast: t('chart.forecast'),
            range: t('chart.range'),
            sold: t('chart.sold'),
          }}
          points={points.map((point) => ({
            key: point.appraisal_id,
            name: t('forecast.point', {
              device: deviceNames.get(point.device_id ?? '') ?? point.device_id ?? t('forecast.unknownDevice'),
              date: formatDay(point.date),
            }),
            forecast: point.forecast,
            low: point.low,
            high: point.high,
            sold: point.sold,
          }))}
        />
      ) : null}
      {excluded.sample + excluded.no_forecast > 0 ? (
        <p className="note">
          {t('forecast.leftOut', {
            deals: t('deals', { count: excluded.sample }),
            sales: t('sales', { count: excluded.no_forecast }),
          })}
        </p>
      ) : null}
    </Card>
  )
}

function differenceText(percent: number | null, subject: 'offers' | 'price', t: TFunction<'reports'>): string {
  if (percent === null) return '–'
  if (percent === 0) return t(`difference.${subject}.same`)
  return t(`difference.${subject}.${percent > 0 ? 'more' : 'less'}`, { percent: formatCount(Math.abs(percent)) })
}

function Verdict({
  title,
  verdict,
  tone,
  meter,
  children,
}: {
  title: string
  verdict: string
  tone: Tone
  /** Observed share, and the share that was forecast. */
  meter?: { readonly share: number; readonly mark: number } | undefined
  children: ReactNode
}) {
  const percent = (share: number) => `${Math.min(100, Math.max(0, 100 * share))}%`
  return (
    <section className="forecast-question">
      <h3>{title}</h3>
      <p>
        <Badge tone={tone}>{verdict}</Badge>
      </p>
      {meter ? (
        <div className="forecast-meter" aria-hidden="true">
          <span className={`forecast-bar forecast-${tone}`} style={{ inlineSize: percent(meter.share) }} />
          <span className="forecast-mark" style={{ insetInlineStart: percent(meter.mark) }} />
        </div>
      ) : null}
      {children ? <p className="muted">{children}</p> : null}
    </section>
  )
}
