import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { CONDITIONS, type Condition } from '../../src/contract/grades.ts'
import type { VariantPricingWire } from '../../src/contract/pricing.ts'
import { useAnswer } from '../answers.ts'
import { PriceHistory } from '../charts/lazy.tsx'
import { Badge, Card, Empty, Shown } from '../parts/basics.tsx'
import { RangeBar } from '../parts/range-bar.tsx'
import { Segments } from '../parts/segments.tsx'
import { confidenceText, SOURCES } from '../price/block-words.ts'
import { historyLines, shownDays } from '../price/history-lines.ts'
import { roundMoney } from '../words.ts'
import type { Configuration } from './configurations.ts'

/** More than so many are a list to choose from, not buttons. */
const MOST_BUTTONS = 8
const SHOWN_GRADE: Condition = 'Good'

/** What a device is worth today in the configuration that somebody holds in hand. */
export function Worth({ deviceId, configurations }: { deviceId: string; configurations: readonly Configuration[] }) {
  const [name, setName] = useState(configurations[0]?.name ?? '')
  const chosen = configurations.find((one) => one.name === name) ?? configurations[0]
  const asked = useAnswer<VariantPricingWire>(
    chosen ? `/account/explore/pricing?variant_id=${encodeURIComponent(chosen.variant.id)}` : null,
  )
  if (!chosen) return null
  const history = `/dashboard/devices/${deviceId}/price/${chosen.variant.id}`
  return (
    <Card title="Worth today, used" action={<Link to={history}>Price history</Link>}>
      {configurations.length > 1 ? (
        <ConfigurationChoice configurations={configurations} chosen={chosen.name} choose={setName} />
      ) : null}
      {chosen.colours.length > 0 ? <p className="note">In any colour: {chosen.colours.join(', ')}.</p> : null}
      <Shown asked={asked} lines={6}>
        {(pricing) => <WorthOf pricing={pricing} listCents={chosen.variant.price || null} />}
      </Shown>
    </Card>
  )
}

function ConfigurationChoice({
  configurations,
  chosen,
  choose,
}: {
  configurations: readonly Configuration[]
  chosen: string
  choose: (name: string) => void
}) {
  const names = configurations.map(({ name }) => name)
  if (names.length <= MOST_BUTTONS) {
    return <Segments label="Configuration" options={names} chosen={chosen} choose={choose} />
  }
  return (
    <label className="block-choice">
      <span className="unseen">Configuration</span>
      <select value={chosen} onChange={(event) => choose(event.target.value)}>
        {names.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    </label>
  )
}

function WorthOf({ pricing, listCents }: { pricing: VariantPricingWire; listCents: number | null }) {
  const { resale, buyback } = pricing
  if (!resale || resale.current[SHOWN_GRADE] === null) {
    return (
      <Empty title="There is no basis for a price">
        <p>No deals, no siblings and no list price are known.</p>
      </Empty>
    )
  }
  const most = Math.max(1, ...CONDITIONS.map((grade) => resale.interval[grade]?.high ?? 0))
  const now = Date.now()
  const lines = historyLines(pricing, SHOWN_GRADE, now)
  const cell = (amount: number | null | undefined): ReactNode => (typeof amount === 'number' ? roundMoney(amount) : '–')
  return (
    <>
      <table className="worth">
        <thead>
          <tr>
            <th scope="col">Grade</th>
            <th scope="col">Sells for</th>
            <th scope="col" className="worth-range">
              8 of 10 deals
            </th>
            <th scope="col">Trade-in pays</th>
          </tr>
        </thead>
        <tbody>
          {CONDITIONS.map((grade, i) => {
            const value = resale.current[grade]
            const interval = resale.interval[grade]
            return (
              <tr key={grade}>
                <th scope="row">{grade}</th>
                <td className="worth-price">{cell(value)}</td>
                <td className="worth-range">
                  {value !== null && interval ? (
                    <>
                      <RangeBar value={value} low={interval.low} high={interval.high} most={most} tone={i} />
                      <span className="soft">
                        {roundMoney(interval.low)} – {roundMoney(interval.high)}
                      </span>
                    </>
                  ) : null}
                </td>
                <td>{cell(buyback?.current[grade])}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <p className="note">
        <Badge tone={SOURCES[resale.source].tone}>{resale.source}</Badge> {SOURCES[resale.source].text} ·{' '}
        {confidenceText(pricing.market_confidence)}
        {listCents ? ` · list price ${roundMoney(listCents)}` : ''}
      </p>
      {resale.historical.length > 0 ? (
        <PriceHistory
          isSmall
          label={`Half a year of prices, grade ${SHOWN_GRADE}`}
          lines={lines}
          days={shownDays('6M', lines, null, now)}
          today={resale.interval[SHOWN_GRADE]}
          listCents={null}
          launchedAt={null}
          isSimulated={resale.source === 'sample'}
        />
      ) : null}
    </>
  )
}
