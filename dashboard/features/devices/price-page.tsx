import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { CONDITION_GRADES, CONDITIONS, type Condition } from '../../../src/contract/condition-grades.ts'
import type { PriceBlockWire, VariantPricingWire } from '../../../src/contract/pricing.ts'
import type { VariantWire } from '../../../src/contract/variant.ts'
import { codeTexts } from '../../codes.ts'
import { formatDay } from '../../format.ts'
import { useMoney } from '../../money.ts'
import { useOperation } from '../../queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { PriceHistory } from '../../ui/charts/lazy-charts.tsx'
import { SegmentedControl, Select } from '../../ui/field.tsx'
import { Card, Fact, PageHeader } from '../../ui/page.tsx'
import { EmptyState, QueryView } from '../../ui/states.tsx'
import { WatchButton } from '../watches/watch-button.tsx'
import { DeviceBreadcrumbs } from './device-page.tsx'
import { GradePrices } from './grade-prices.tsx'
import { HeldDealsCard } from './held-deals-card.tsx'
import {
  CHART_PERIODS,
  type ChartPeriod,
  historyLines,
  lineTrend,
  periodDays,
  signedPercent,
  visibleDays,
} from './price-history-lines.ts'
import { PriceReasons } from './price-reasons.tsx'
import { deviationText, hasEstimate, marketText, PRICE_SOURCE_TONES } from './price-source-labels.ts'

export function PricePage({ deviceId, variantId }: { deviceId: string; variantId: string }) {
  const { t } = useTranslation('devices')
  const { gradeName, gradeText } = codeTexts()
  const [period, setPeriod] = useState<ChartPeriod>('6M')
  const money = useMoney()
  const request = { query: { variant_id: variantId, history_days: periodDays(period), currency: money.currency } }
  const query = useOperation('GET /api/pricing', request)
  const device = useOperation('GET /api/devices/{id}', { params: { id: deviceId } }).data?.data
  const listed = device?.variants.find(({ id }) => id === variantId)
  return (
    <QueryView query={query} skeletonLines={8} title={t('price.title')}>
      {(pricing) => (
        <>
          <DeviceBreadcrumbs device={{ id: deviceId, name: pricing.device_name }} here={pricing.variant_name} />
          <PageHeader
            title={pricing.variant_name}
            lead={pricing.market ? t('price.leadMarket', { market: marketText(pricing) }) : t('price.lead')}
          >
            <WatchButton subject={{ variant_id: variantId }} />
            <OtherVariants deviceId={deviceId} variantId={variantId} variants={device?.variants ?? []} />
          </PageHeader>
          {pricing.provisional ? <p className="note">{t('price.provisional')}</p> : null}
          <Figures pricing={pricing} />
          {pricing.held_deals ? <HeldDealsCard deals={pricing.held_deals} /> : null}
          <History
            pricing={pricing}
            period={period}
            choose={setPeriod}
            listPrice={listed?.price_source === 'list' ? money.listPrice(listed) : null}
            launchedAt={device?.release_date ? Date.parse(device.release_date) : null}
          />
          <PriceReasons pricing={pricing} />
          <div className="columns">
            {pricing.resale ? (
              <BlockCard side="resale" block={pricing.resale} isEstimated={hasEstimate(pricing)} />
            ) : null}
            {pricing.buyback ? (
              <BlockCard side="buyback" block={pricing.buyback} isEstimated={hasEstimate(pricing)} />
            ) : null}
          </div>
          <Card title={t('price.grades')}>
            <dl className="facts">
              {CONDITION_GRADES.map((grade) => (
                <Fact key={grade.name} name={gradeName(grade.name)}>
                  {gradeText(grade)}
                </Fact>
              ))}
            </dl>
          </Card>
        </>
      )}
    </QueryView>
  )
}

function OtherVariants({
  deviceId,
  variantId,
  variants,
}: {
  deviceId: string
  variantId: string
  variants: readonly VariantWire[]
}) {
  const { t } = useTranslation('devices')
  const [, navigate] = useLocation()
  if (variants.length < 2) return null
  return (
    <Select
      aria-label={t('variant.choose')}
      value={variantId}
      options={variants.map(
        (variant) => [variant.id, variant.attributes.map((attribute) => attribute.attribute_value).join(', ')] as const,
      )}
      onValueChange={(value) => navigate(`/dashboard/devices/${deviceId}/price/${value}`)}
    />
  )
}

function Figures({ pricing }: { pricing: VariantPricingWire }) {
  const { t } = useTranslation('devices')
  const { resale, buyback, fit } = pricing
  const grade = codeTexts().gradeName('Good')
  const isEstimated = hasEstimate(pricing)
  const line = lineTrend(pricing, 'Good', Date.now())
  return (
    <dl className="figures">
      <PriceFigure name={t('price.resaleOf', { grade })} block={resale} isEstimated={isEstimated} />
      <PriceFigure name={t('price.tradeInOf', { grade })} block={buyback} isEstimated={isEstimated} />
      <Fact name={t('price.confidence')} note={deviationText(pricing)}>
        {pricing.market_confidence}
      </Fact>
      <Fact
        name={t('price.observations')}
        note={
          fit.as_of === null
            ? undefined
            : t('price.fitted', { day: formatDay(fit.as_of), since: fit.observations_since })
        }
      >
        {pricing.data_points}
      </Fact>
      {resale ? (
        <>
          <Fact name={t('price.trend')}>
            {t(`trend.${line?.direction ?? resale.trend}`)}{' '}
            {line ? (
              <span className="muted">
                {t('price.since', { percent: signedPercent(line.share), day: formatDay(line.since) })}
              </span>
            ) : null}
          </Fact>
          <Fact name={t('price.liquidity')}>
            {resale.liquidity_score} <span className="muted">{t('price.chanceToSell')}</span>
          </Fact>
        </>
      ) : null}
    </dl>
  )
}

/** Without prices and with little confidence only the range is shown: a single number would look like knowledge. */
function PriceFigure({
  name,
  block,
  isEstimated,
}: {
  name: string
  block: PriceBlockWire | undefined
  isEstimated: boolean
}) {
  const { t } = useTranslation('devices')
  const money = useMoney()
  const amount = block?.current.Good ?? null
  const range = block?.interval.Good
  if (amount === null) return null
  return (
    <Fact name={name} {...(range ? { note: money.formatRange(range) } : {})}>
      {isEstimated ? money.formatWhole(amount) : t('price.noEstimate')}
    </Fact>
  )
}

function History({
  pricing,
  period,
  choose,
  listPrice,
  launchedAt,
}: {
  pricing: VariantPricingWire
  period: ChartPeriod
  choose: (period: ChartPeriod) => void
  listPrice: number | null
  launchedAt: number | null
}) {
  const { t } = useTranslation('devices')
  const { gradeName } = codeTexts()
  const [grade, setGrade] = useState<Condition>('Good')
  const { resale } = pricing
  // A point would look like an estimate.
  if (!resale || resale.current[grade] === null || !hasEstimate(pricing)) return null
  const now = Date.now()
  const lines = historyLines(pricing, grade, now)
  const observed = lines.reduce((sum, { points }) => sum + points.length, 0) - lines.length
  return (
    <Card
      title={t('price.overTime')}
      action={
        <SegmentedControl
          label={t('price.period')}
          options={CHART_PERIODS.map((value) => ({ value, text: t(`period.${value}`) }))}
          chosen={period}
          choose={choose}
        />
      }
      note={
        resale.source === 'sample'
          ? t('price.simulated')
          : observed === 0
            ? t('price.noObservations')
            : t('price.weekly', { count: observed })
      }
    >
      <SegmentedControl
        label={t('price.grade')}
        options={CONDITIONS.map((value) => ({ value, text: gradeName(value) }))}
        chosen={grade}
        choose={setGrade}
      />
      <PriceHistory
        label={t('price.chart', { grade: gradeName(grade) })}
        lines={lines}
        days={visibleDays(period, lines, launchedAt, now)}
        today={resale.interval[grade]}
        listPrice={listPrice}
        launchedAt={launchedAt}
        isSimulated={resale.source === 'sample'}
      />
    </Card>
  )
}

function BlockCard({
  side,
  block,
  isEstimated,
}: {
  side: 'resale' | 'buyback'
  block: PriceBlockWire
  isEstimated: boolean
}) {
  const { t } = useTranslation(['devices', 'codes'])
  const money = useMoney()
  return (
    <Card
      title={t(`block.${side}`)}
      action={<Badge tone={PRICE_SOURCE_TONES[block.source]}>{t(`codes:priceSource.${block.source}`)}</Badge>}
      note={[t(`about.${side}`), t(`basis.${block.source}`)].join(' ')}
    >
      {block.current.Excellent === null ? (
        <EmptyState title={t('price.none')} hint={t('price.noneHint')} />
      ) : (
        <GradePrices
          format={isEstimated ? money.formatWhole : () => t('price.noEstimate')}
          rows={CONDITIONS.map((grade) => {
            const range = block.interval[grade]
            const text = range
              ? t('price.likely', { low: money.formatWhole(range.low), high: money.formatWhole(range.high) })
              : '–'
            return { grade, amount: isEstimated ? block.current[grade] : null, range, text }
          })}
        />
      )}
      <p className="muted">
        {t(block.source === 'market' ? 'price.newestObservation' : 'price.newestInput', {
          time: formatDay(block.last_updated),
        })}
      </p>
    </Card>
  )
}
