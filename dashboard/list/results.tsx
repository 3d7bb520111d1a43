import { useMemo, useState } from 'react'
import { Link } from 'wouter'
import { DECISION_WORDS, PLAN_WORDS } from '../counter/decisions.ts'
import { LEVEL_TONES } from '../pages/lookup.tsx'
import { Badge, Button, Card, Scroll, type Tone } from '../parts/basics.tsx'
import { amountIn, count } from '../words.ts'
import { type AppraisedRow, csvOf, riskyFirst, totalsOf } from './appraised.ts'

const SHOWN_AT_ONCE = 100

const WORDS: Readonly<Record<AppraisedRow['decision'], { word: string; tone: Tone }>> = {
  ...DECISION_WORDS,
  refused: { word: 'Could not be read', tone: 'plain' },
}

/** The whole list with its totals, risky ones first. */
export function Results({ rows, isDone }: { rows: readonly AppraisedRow[]; isDone: boolean }) {
  const [only, setOnly] = useState<AppraisedRow['decision'] | null>(null)
  const [most, setMost] = useState(SHOWN_AT_ONCE)
  const sorted = useMemo(() => riskyFirst(rows), [rows])
  const shown = only ? sorted.filter(({ decision }) => decision === only) : sorted
  const totals = totalsOf(shown)
  const currency = rows.find(({ id }) => id !== null)?.currency ?? 'USD'
  const money = (amount: number) => amountIn(amount, currency, true)
  const counts = Map.groupBy(rows, ({ decision }) => decision)
  return (
    <>
      <dl className="figures">
        <Figure name="Devices" value={count(shown.length)} />
        <Figure name="Worth today, sold one by one" value={money(totals.worth)} />
        <Figure name="All offers together" value={money(totals.offers)} />
        <Figure name="Left by the best plans" value={money(totals.profit)} />
      </dl>
      <Card
        title="Risky ones first"
        action={
          <Button look="main" disabled={!isDone} onClick={() => download(shown)}>
            Download CSV
          </Button>
        }
      >
        <fieldset className="chips">
          <legend className="unseen">Show only</legend>
          <button type="button" className="chip" aria-pressed={only === null} onClick={() => setOnly(null)}>
            All {count(rows.length)}
          </button>
          {(Object.keys(WORDS) as AppraisedRow['decision'][]).map((decision) => {
            const found = counts.get(decision)?.length ?? 0
            return found === 0 ? null : (
              <button
                key={decision}
                type="button"
                className="chip"
                aria-pressed={only === decision}
                onClick={() => setOnly(only === decision ? null : decision)}
              >
                {WORDS[decision].word} {count(found)}
              </button>
            )
          })}
        </fieldset>
        <Scroll label="Appraised devices" cards>
          <table>
            <thead>
              <tr>
                <th scope="col">Line</th>
                <th scope="col">Device</th>
                <th scope="col">Grade</th>
                <th scope="col">Risk</th>
                <th scope="col">Decision</th>
                <th scope="col" className="number">
                  Worth
                </th>
                <th scope="col" className="number">
                  Offer
                </th>
                <th scope="col">Best plan</th>
              </tr>
            </thead>
            <tbody>
              {shown.slice(0, most).map((row) => (
                <ResultRow key={row.line} row={row} money={money} />
              ))}
            </tbody>
          </table>
        </Scroll>
        {shown.length > most ? (
          <p className="card-actions">
            <Button onClick={() => setMost(most + SHOWN_AT_ONCE)}>
              Show more ({count(shown.length - most)} are not shown)
            </Button>
          </p>
        ) : null}
      </Card>
    </>
  )
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

function ResultRow({ row, money }: { row: AppraisedRow; money: (amount: number) => string }) {
  const { word, tone } = WORDS[row.decision]
  return (
    <tr>
      <td data-label="Line">{row.line}</td>
      <td data-label="Device">
        {row.id ? <Link to={`/dashboard/appraisals/${row.id}`}>{row.name || 'not known'}</Link> : row.name}
        {row.reference ? <div className="soft">{row.reference}</div> : null}
        {row.error ? <div className="field-error">{row.error}</div> : null}
      </td>
      <td data-label="Grade">{row.grade || '–'}</td>
      <td data-label="Risk">
        {row.riskLevel ? (
          <Badge tone={LEVEL_TONES[row.riskLevel]}>
            {row.riskScore} {row.riskLevel}
          </Badge>
        ) : (
          <span className="soft">not checked</span>
        )}
      </td>
      <td data-label="Decision">
        <Badge tone={tone}>{word}</Badge>
      </td>
      <td data-label="Worth" className="number">
        {row.worth === null ? '–' : money(row.worth)}
      </td>
      <td data-label="Offer" className="number">
        {row.offer === null ? '–' : money(row.offer)}
      </td>
      <td data-label="Best plan">{row.plan && row.offer ? PLAN_WORDS[row.plan] : '–'}</td>
    </tr>
  )
}

function download(rows: readonly AppraisedRow[]): void {
  const address = URL.createObjectURL(new Blob([csvOf(rows)], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = 'appraised.csv'
  link.click()
  URL.revokeObjectURL(address)
}
