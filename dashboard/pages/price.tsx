import { useLocation } from 'wouter'
import { CONDITION_GRADES, CONDITIONS } from '../../src/contract/grades.ts'
import type { PriceBlockWire, VariantPricingWire } from '../../src/contract/pricing.ts'
import type { VariantInContextWire } from '../../src/contract/variant.ts'
import { useAnswer } from '../answers.ts'
import { PriceLines } from '../charts/lazy.tsx'
import { Badge, Card, Empty, PageHead, Shown, type Tone } from '../parts/basics.tsx'
import { CallPanel } from '../parts/code.tsx'
import { RangeBar } from '../parts/range-bar.tsx'
import { money, plural, roundMoney, time } from '../words.ts'
import { Crumbs } from './device.tsx'

const SOURCES: Readonly<Record<PriceBlockWire['source'], { tone: Tone; text: string }>> = {
  market: { tone: 'good', text: 'from observed deals of this variant' },
  estimate: { tone: 'warn', text: 'estimated: no deals of this variant were observed' },
  sample: { tone: 'violet', text: 'estimated from launch price and age; the history is simulated' },
}

const TRENDS: Readonly<Record<string, string>> = {
  rising: '↗ rising',
  stable: '→ stable',
  falling: '↘ falling',
  unknown: 'unknown',
}

export function PricePage({ deviceId, variantId }: { deviceId: string; variantId: string }) {
  const path = `pricing?variant_id=${encodeURIComponent(variantId)}`
  const asked = useAnswer<VariantPricingWire>(`/account/explore/${path}`)
  return (
    <Shown asked={asked} lines={8} title="Price">
      {(pricing, { text }) => (
        <>
          <Crumbs device={{ id: deviceId, name: pricing.device_name }} here={pricing.variant_name} />
          <PageHead title={pricing.variant_name} lead="What it is worth today, used, by grade of condition.">
            <OtherVariants deviceId={deviceId} variantId={variantId} />
          </PageHead>
          <Figures pricing={pricing} />
          <div className="columns">
            {pricing.resale ? <Ladder title="Resale" about="What it sells for." block={pricing.resale} /> : null}
            {pricing.buyback ? <Ladder title="Buyback" about="What a trade-in pays." block={pricing.buyback} /> : null}
          </div>
          {pricing.resale ? <History block={pricing.resale} /> : null}
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
          <CallPanel path={path} answer={text} />
        </>
      )}
    </Shown>
  )
}

function OtherVariants({ deviceId, variantId }: { deviceId: string; variantId: string }) {
  const asked = useAnswer<VariantInContextWire[]>(
    `/account/explore/variants?device_id=${encodeURIComponent(deviceId)}&disabled=false&limit=100`,
  )
  const [, navigate] = useLocation()
  const variants = asked.data?.data ?? []
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

function confidenceText(confidence: number): string {
  if (confidence === 0) return 'no basis for a price'
  return `about ${Math.round((100 - confidence) / 4)} % expected error`
}

function Figures({ pricing }: { pricing: VariantPricingWire }) {
  const { resale } = pricing
  return (
    <dl className="figures">
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

function Ladder({ title, about, block }: { title: string; about: string; block: PriceBlockWire }) {
  const most = Math.max(1, ...CONDITIONS.map((condition) => block.interval[condition]?.high ?? 0))
  const source = SOURCES[block.source]
  return (
    <Card
      title={title}
      action={<Badge tone={source.tone}>{block.source}</Badge>}
      note={`${about} The numbers are ${source.text}.`}
    >
      {block.current.Excellent === null ? (
        <Empty title="There is no basis for a price">
          <p>No deals, no siblings and no list price are known.</p>
        </Empty>
      ) : (
        <div className="ladder">
          {CONDITIONS.map((condition, i) => {
            const value = block.current[condition]
            const interval = block.interval[condition]
            return (
              <div
                key={condition}
                className="rung"
                title={interval ? `${money(interval.low)} – ${money(interval.high)}` : ''}
              >
                <span className="rung-name">{condition}</span>
                <span className="rung-price">{money(value)}</span>
                <span className="rung-range">
                  {value !== null && interval ? (
                    <RangeBar value={value} low={interval.low} high={interval.high} most={most} tone={i} />
                  ) : null}
                </span>
                <span className="rung-text soft">
                  {interval
                    ? `8 of 10 deals between ${roundMoney(interval.low)} and ${roundMoney(interval.high)}`
                    : '–'}
                </span>
              </div>
            )
          })}
        </div>
      )}
      <p className="soft">Newest observation: {time(block.last_updated)}</p>
    </Card>
  )
}

function History({ block }: { block: PriceBlockWire }) {
  const points = block.historical.map((point) => ({
    date: point.date,
    value: point.value,
    series: CONDITIONS.indexOf(point.condition),
  }))
  return (
    <Card
      title="Resale history"
      note={
        block.source === 'sample'
          ? 'Simulated, not real: nobody has observed this device yet. Today’s price does not rest on it.'
          : `Weekly medians of what was observed; weeks without observations have no point. ${plural(points.length, 'point')}.`
      }
    >
      {points.length === 0 ? (
        <Empty title="No history">
          <p>No observations of this variant in the last 26 weeks.</p>
        </Empty>
      ) : (
        <PriceLines label="Resale price by week and grade" names={CONDITIONS} points={points} />
      )}
    </Card>
  )
}
