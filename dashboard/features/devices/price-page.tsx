import { useState } from 'react'
import { useLocation } from 'wouter'
import { CONDITION_GRADES, CONDITIONS, type Condition } from '../../../src/contract/condition-grades.ts'
import type { DeviceWire } from '../../../src/contract/device.ts'
import type { PriceBlockWire, VariantPricingWire } from '../../../src/contract/pricing.ts'
import type { VariantWire } from '../../../src/contract/variant.ts'
import { formatTime, pluralize } from '../../format.ts'
import { useMoney } from '../../money.ts'
import { useApiQuery } from '../../queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { PriceHistory } from '../../ui/charts/lazy-charts.tsx'
import { ApiCallPanel } from '../../ui/code-block.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { WatchButton } from '../watches/watch-button.tsx'
import { DeviceBreadcrumbs } from './device-page.tsx'
import { GradePrices } from './grade-prices.tsx'
import { CHART_PERIODS, type ChartPeriod, historyLines, periodDays, visibleDays } from './price-history-lines.ts'
import { confidenceText, marketText, PRICE_SOURCE_LABELS } from './price-source-labels.ts'

const TRENDS: Readonly<Record<string, string>> = {
  rising: '↗ rising',
  stable: '→ stable',
  falling: '↘ falling',
  unknown: 'unknown',
}

export function PricePage({ deviceId, variantId }: { deviceId: string; variantId: string }) {
  const [period, setPeriod] = useState<ChartPeriod>('6M')
  const money = useMoney()
  const path = `pricing?variant_id=${encodeURIComponent(variantId)}&history_days=${periodDays(period)}&currency=${money.currency}`
  const query = useApiQuery<VariantPricingWire>(`/account/explore/${path}`)
  const device = useApiQuery<DeviceWire>(`/account/explore/devices/${encodeURIComponent(deviceId)}`).data?.data
  const listed = device?.variants.find(({ id }) => id === variantId)
  return (
    <QueryView query={query} skeletonLines={8} title="Price">
      {(pricing, { rawBody: text }) => (
        <>
          <DeviceBreadcrumbs device={{ id: deviceId, name: pricing.device_name }} here={pricing.variant_name} />
          <PageHeader
            title={pricing.variant_name}
            lead={['Used prices by condition grade', marketText(pricing)].filter(Boolean).join(': ')}
          >
            <WatchButton subject={{ variant_id: variantId }} />
            <OtherVariants deviceId={deviceId} variantId={variantId} variants={device?.variants ?? []} />
          </PageHeader>
          <Figures pricing={pricing} />
          <History
            pricing={pricing}
            period={period}
            choose={setPeriod}
            listPrice={listed?.price_source === 'list' ? money.fromUsCents(listed.price) : null}
            launchedAt={device?.release_date ? Date.parse(device.release_date) : null}
          />
          <div className="columns">
            {pricing.resale ? <BlockCard title="Resale" about="Expected sale price." block={pricing.resale} /> : null}
            {pricing.buyback ? (
              <BlockCard title="Buyback" about="Expected trade-in price." block={pricing.buyback} />
            ) : null}
          </div>
          <Card title="Grade definitions">
            <dl className="facts">
              {CONDITION_GRADES.map((grade) => (
                <div key={grade.name}>
                  <dt>{grade.name}</dt>
                  <dd>{grade.definition}</dd>
                </div>
              ))}
            </dl>
          </Card>
          <ApiCallPanel path={path} answer={text} />
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
  const [, navigate] = useLocation()
  if (variants.length < 2) return null
  return (
    <label>
      <span className="visually-hidden">Variant</span>
      <select
        value={variantId}
        onChange={(event) => navigate(`/dashboard/devices/${deviceId}/price/${event.target.value}`)}
      >
        {variants.map((variant) => (
          <option key={variant.id} value={variant.id}>
            {variant.attributes.map((attribute) => attribute.attribute_value).join(', ')}
          </option>
        ))}
      </select>
    </label>
  )
}

function Figures({ pricing }: { pricing: VariantPricingWire }) {
  const { resale, buyback } = pricing
  return (
    <dl className="figures">
      <PriceFigure name="Resale price (Good)" block={resale} />
      <PriceFigure name="Trade-in price (Good)" block={buyback} />
      <div>
        <dt>Confidence</dt>
        <dd>
          {pricing.market_confidence} <span className="muted">{confidenceText(pricing.market_confidence)}</span>
        </dd>
      </div>
      <div>
        <dt>Observations</dt>
        <dd>{pricing.data_points}</dd>
      </div>
      {resale ? (
        <>
          <div>
            <dt>Trend</dt>
            <dd>{TRENDS[resale.trend]}</dd>
          </div>
          <div>
            <dt>Liquidity</dt>
            <dd>
              {resale.liquidity_score} <span className="muted">% chance to sell in 28 days</span>
            </dd>
          </div>
        </>
      ) : null}
    </dl>
  )
}

function PriceFigure({ name, block }: { name: string; block: PriceBlockWire | undefined }) {
  const money = useMoney()
  const amount = block?.current.Good ?? null
  const range = block?.interval.Good
  if (amount === null) return null
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {money.formatWhole(amount)}{' '}
        {range ? (
          <span className="muted nowrap">
            {money.formatWhole(range.low)} – {money.formatWhole(range.high)}
          </span>
        ) : null}
      </dd>
    </div>
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
  const [grade, setGrade] = useState<Condition>('Good')
  const { resale } = pricing
  if (!resale || resale.current[grade] === null) return null
  const now = Date.now()
  const lines = historyLines(pricing, grade, now)
  const observed = lines.reduce((sum, { points }) => sum + points.length, 0) - lines.length
  return (
    <Card
      title="Price over time"
      action={<SegmentedControl label="Period" options={CHART_PERIODS} chosen={period} choose={choose} />}
      note={
        resale.source === 'sample'
          ? 'The history is simulated: there are no observations for this device yet. Today’s price does not use it.'
          : observed === 0
            ? 'No observations in this period. The dots are today’s prices.'
            : `Weekly medians, then today’s price. ${pluralize(observed, 'week')} with observations.`
      }
    >
      <SegmentedControl label="Grade" options={CONDITIONS} chosen={grade} choose={setGrade} />
      <PriceHistory
        label={`Prices of grade ${grade} over time`}
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

function BlockCard({ title, about, block }: { title: string; about: string; block: PriceBlockWire }) {
  const money = useMoney()
  const source = PRICE_SOURCE_LABELS[block.source]
  return (
    <Card
      title={title}
      action={<Badge tone={source.tone}>{block.source}</Badge>}
      note={`${about} Prices are ${source.text}.`}
    >
      {block.current.Excellent === null ? (
        <EmptyState title="No price available">
          <p>There are no observed prices, similar variants or list prices.</p>
        </EmptyState>
      ) : (
        <GradePrices
          format={money.formatWhole}
          rows={CONDITIONS.map((grade) => {
            const range = block.interval[grade]
            const text = range ? `Likely ${money.formatWhole(range.low)}–${money.formatWhole(range.high)}` : '–'
            return { grade, amount: block.current[grade], range, text }
          })}
        />
      )}
      <p className="muted">
        Newest {block.source === 'market' ? 'observation' : 'input'}: {formatTime(block.last_updated)}
      </p>
    </Card>
  )
}
