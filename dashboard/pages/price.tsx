import { useState } from 'react'
import { useLocation } from 'wouter'
import type { DeviceWire } from '../../src/contract/device.ts'
import { CONDITION_GRADES, CONDITIONS, type Condition } from '../../src/contract/grades.ts'
import type { PriceBlockWire, VariantPricingWire } from '../../src/contract/pricing.ts'
import type { VariantWire } from '../../src/contract/variant.ts'
import { useAnswer } from '../answers.ts'
import { PriceHistory } from '../charts/lazy.tsx'
import { Badge, Card, Empty, PageHead, Shown } from '../parts/basics.tsx'
import { CallPanel } from '../parts/code.tsx'
import { Segments } from '../parts/segments.tsx'
import { confidenceText, SOURCES } from '../price/block-words.ts'
import { daysOf, historyLines, PERIODS, type Period, shownDays } from '../price/history-lines.ts'
import { GradeLadder } from '../price/ladder.tsx'
import { plural, roundMoney, time } from '../words.ts'
import { Crumbs } from './device.tsx'

const TRENDS: Readonly<Record<string, string>> = {
  rising: '↗ rising',
  stable: '→ stable',
  falling: '↘ falling',
  unknown: 'unknown',
}

export function PricePage({ deviceId, variantId }: { deviceId: string; variantId: string }) {
  const [period, setPeriod] = useState<Period>('6M')
  const path = `pricing?variant_id=${encodeURIComponent(variantId)}&history_days=${daysOf(period)}`
  const asked = useAnswer<VariantPricingWire>(`/account/explore/${path}`)
  const device = useAnswer<DeviceWire>(`/account/explore/devices/${encodeURIComponent(deviceId)}`).data?.data
  const listed = device?.variants.find(({ id }) => id === variantId)
  return (
    <Shown asked={asked} lines={8} title="Price">
      {(pricing, { text }) => (
        <>
          <Crumbs device={{ id: deviceId, name: pricing.device_name }} here={pricing.variant_name} />
          <PageHead title={pricing.variant_name} lead="What it is worth today, used, by grade of condition.">
            <OtherVariants deviceId={deviceId} variantId={variantId} variants={device?.variants ?? []} />
          </PageHead>
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
          <CallPanel path={path} answer={text} />
        </>
      )}
    </Shown>
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
      <Worth name="Good sells for" block={resale} />
      <Worth name="Trade-in of Good" block={buyback} />
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
function Worth({ name, block }: { name: string; block: PriceBlockWire | undefined }) {
  const amount = block?.current.Good ?? null
  const range = block?.interval.Good
  if (amount === null) return null
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {roundMoney(amount)}{' '}
        {range ? (
          <span className="soft nowrap">
            {roundMoney(range.low)} – {roundMoney(range.high)}
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
  period: Period
  choose: (period: Period) => void
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
      action={<Segments label="Period" options={PERIODS} chosen={period} choose={choose} />}
      note={
        resale.source === 'sample'
          ? 'The history is simulated, not real: nobody has observed this device yet. Today’s price does not rest on it.'
          : observed === 0
            ? 'Nothing was observed in this period: the dots are today’s prices.'
            : `Weekly medians of what was observed, then today’s price. ${plural(observed, 'week')} with observations.`
      }
    >
      <Segments label="Grade" options={CONDITIONS} chosen={grade} choose={setGrade} />
      <PriceHistory
        label={`Prices of grade ${grade} over time`}
        lines={lines}
        days={shownDays(period, lines, launchedAt, now)}
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
        <GradeLadder
          said={(amount) => (amount === null ? '–' : roundMoney(amount))}
          rungs={CONDITIONS.map((grade) => {
            const range = block.interval[grade]
            const text = range ? `8 of 10 deals between ${roundMoney(range.low)} and ${roundMoney(range.high)}` : '–'
            return { grade, amount: block.current[grade], range, text }
          })}
        />
      )}
      <p className="soft">Newest observation: {time(block.last_updated)}</p>
    </Card>
  )
}
