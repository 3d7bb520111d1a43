import { useState } from 'react'
import { useLocation } from 'wouter'
import { CONDITION_GRADES, CONDITIONS, type Condition } from '../../../src/contract/condition-grades.ts'
import type { DeviceWire } from '../../../src/contract/device.ts'
import type { PriceBlockWire, VariantPricingWire } from '../../../src/contract/pricing.ts'
import type { VariantWire } from '../../../src/contract/variant.ts'
import { formatTime, formatWholeDollars, pluralize } from '../../format.ts'
import { useApiQuery } from '../../queries.ts'
import { Badge, Card, EmptyState, PageHeader, QueryView } from '../../ui/basics.tsx'
import { PriceHistory } from '../../ui/charts/lazy-charts.tsx'
import { ApiCallPanel } from '../../ui/code-block.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { DeviceBreadcrumbs } from './device-page.tsx'
import { GradePrices } from './grade-prices.tsx'
import { CHART_PERIODS, type ChartPeriod, historyLines, periodDays, visibleDays } from './price-history-lines.ts'
import { confidenceText, PRICE_SOURCE_LABELS } from './price-source-labels.ts'

const TRENDS: Readonly<Record<string, string>> = {
  rising: '↗ rising',
  stable: '→ stable',
  falling: '↘ falling',
  unknown: 'unknown',
}

export function PricePage({ deviceId, variantId }: { deviceId: string; variantId: string }) {
  const [period, setPeriod] = useState<ChartPeriod>('6M')
  const path = `pricing?variant_id=${encodeURIComponent(variantId)}&history_days=${periodDays(period)}`
  const asked = useApiQuery<VariantPricingWire>(`/account/explore/${path}`)
  const device = useApiQuery<DeviceWire>(`/account/explore/devices/${encodeURIComponent(deviceId)}`).data?.data
  const listed = device?.variants.find(({ id }) => id === variantId)
  return (
    <QueryView asked={asked} lines={8} title="Price">
      {(pricing, { rawBody: text }) => (
        <>
          <DeviceBreadcrumbs device={{ id: deviceId, name: pricing.device_name }} here={pricing.variant_name} />
          <PageHeader title={pricing.variant_name} lead="What it is worth today, used, by grade of condition.">
            <OtherVariants deviceId={deviceId} variantId={variantId} variants={device?.variants ?? []} />
          </PageHeader>
          <Figures pricing={pricing} />
          <History
            pricing={pricing}
            period={period}
            choose={setPeriod}
            listCents={listed?.price || null}
            launchedAt={device?.release_date ? Date.parse(device.release_date) : null}
          />
          <div className="columns">
            {pricing.resale ? <BlockCard title="Resale" about="What it sells for." block={pricing.resale} /> : null}
            {pricing.buyback ? (
              <BlockCard title="Buyback" about="What a trade-in pays." block={pricing.buyback} />
            ) : null}
          </div>
          <Card title="What the grades mean">
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
      <span className="unseen">Variant</span>
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
      <PriceFigure name="Good sells for" block={resale} />
      <PriceFigure name="Trade-in of Good" block={buyback} />
      <div>
        <dt>Confidence</dt>
        <dd>
          {pricing.market_confidence} <span className="soft">{confidenceText(pricing.market_confidence)}</span>
        </dd>
      </div>
      <div>
        <dt>Observations</dt>
        <dd>{pricing.data_points}</dd>
      </div>
      {resale ? (
        <>
          <div>
            <dt>Trend so far</dt>
            <dd>{TRENDS[resale.trend]}</dd>
          </div>
          <div>
            <dt>Liquidity</dt>
            <dd>
              {resale.liquidity_score} <span className="soft">% chance to sell in 28 days</span>
            </dd>
          </div>
        </>
      ) : null}
    </dl>
  )
}

/** The number people come for, before anything that is said about it. */
function PriceFigure({ name, block }: { name: string; block: PriceBlockWire | undefined }) {
  const amount = block?.current.Good ?? null
  const range = block?.interval.Good
  if (amount === null) return null
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {formatWholeDollars(amount)}{' '}
        {range ? (
          <span className="soft nowrap">
            {formatWholeDollars(range.low)} – {formatWholeDollars(range.high)}
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
  listCents,
  launchedAt,
}: {
  pricing: VariantPricingWire
  period: ChartPeriod
  choose: (period: ChartPeriod) => void
  listCents: number | null
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
          ? 'The history is simulated, not real: nobody has observed this device yet. Today’s price does not rest on it.'
          : observed === 0
            ? 'Nothing was observed in this period: the dots are today’s prices.'
            : `Weekly medians of what was observed, then today’s price. ${pluralize(observed, 'week')} with observations.`
      }
    >
      <SegmentedControl label="Grade" options={CONDITIONS} chosen={grade} choose={setGrade} />
      <PriceHistory
        label={`Prices of grade ${grade} over time`}
        lines={lines}
        days={visibleDays(period, lines, launchedAt, now)}
        today={resale.interval[grade]}
        listCents={listCents}
        launchedAt={launchedAt}
        isSimulated={resale.source === 'sample'}
      />
    </Card>
  )
}

/** What is sold for or paid, by grade, and where the numbers come from. */
function BlockCard({ title, about, block }: { title: string; about: string; block: PriceBlockWire }) {
  const source = PRICE_SOURCE_LABELS[block.source]
  return (
    <Card
      title={title}
      action={<Badge tone={source.tone}>{block.source}</Badge>}
      note={`${about} The numbers are ${source.text}.`}
    >
      {block.current.Excellent === null ? (
        <EmptyState title="There is no basis for a price">
          <p>No deals, no siblings and no list price are known.</p>
        </EmptyState>
      ) : (
        <GradePrices
          said={(amount) => (amount === null ? '–' : formatWholeDollars(amount))}
          rungs={CONDITIONS.map((grade) => {
            const range = block.interval[grade]
            const text = range
              ? `8 of 10 deals between ${formatWholeDollars(range.low)} and ${formatWholeDollars(range.high)}`
              : '–'
            return { grade, amount: block.current[grade], range, text }
          })}
        />
      )}
      <p className="soft">Newest observation: {formatTime(block.last_updated)}</p>
    </Card>
  )
}
