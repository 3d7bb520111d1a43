import { useMemo, useState } from 'react'
import { Link } from 'wouter'
import { formatAmount, formatCount } from '../../format.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { TableScroll } from '../../ui/table-scroll.tsx'
import { DECISION_LABELS, PLAN_LABELS } from '../counter/decision-labels.ts'
import { RISK_LEVEL_TONES } from '../lookups/lookup-page.tsx'
import { type AppraisedRow, sortByRisk, sumRows, toCsv } from './appraised-row.ts'

const ROWS_PER_PAGE = 100

const DECISION_BADGES: Readonly<Record<AppraisedRow['decision'], { word: string; tone: Tone }>> = {
  ...DECISION_LABELS,
  refused: { word: 'Invalid row', tone: 'plain' },
}

/** Appraised rows with totals, highest risk first. */
export function ListResults({ rows, isDone }: { rows: readonly AppraisedRow[]; isDone: boolean }) {
  const [only, setOnly] = useState<AppraisedRow['decision'] | null>(null)
  const [most, setMost] = useState(ROWS_PER_PAGE)
  const sorted = useMemo(() => sortByRisk(rows), [rows])
  const shown = only ? sorted.filter(({ decision }) => decision === only) : sorted
  const totals = sumRows(shown)
  const currency = rows.find(({ id }) => id !== null)?.currency ?? 'USD'
  const money = (amount: number) => formatAmount(amount, currency, true)
  const counts = Map.groupBy(rows, ({ decision }) => decision)
  return (
    <>
      <dl className="figures">
        <Figure name="Devices" value={formatCount(shown.length)} />
        <Figure name="Resale value" value={money(totals.worth)} />
        <Figure name="Total offers" value={money(totals.offers)} />
        <Figure name="Expected profit" value={money(totals.profit)} />
      </dl>
      <Card
        title="Highest risk first"
        action={
          <Button variant="primary" disabled={!isDone} onClick={() => download(shown)}>
            Download CSV
          </Button>
        }
      >
        <fieldset className="chips">
          <legend className="visually-hidden">Filter</legend>
          <button type="button" className="chip" aria-pressed={only === null} onClick={() => setOnly(null)}>
            All {formatCount(rows.length)}
          </button>
          {(Object.keys(DECISION_BADGES) as AppraisedRow['decision'][]).map((decision) => {
            const found = counts.get(decision)?.length ?? 0
            return found === 0 ? null : (
              <button
                key={decision}
                type="button"
                className="chip"
                aria-pressed={only === decision}
                onClick={() => setOnly(only === decision ? null : decision)}
              >
                {DECISION_BADGES[decision].word} {formatCount(found)}
              </button>
            )
          })}
        </fieldset>
        <TableScroll label="Appraised devices" asCards>
          <table>
            <thead>
              <tr>
                <th scope="col">Line</th>
                <th scope="col">Device</th>
                <th scope="col">Grade</th>
                <th scope="col">Risk</th>
                <th scope="col">Decision</th>
                <th scope="col" className="number">
                  Value
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
        </TableScroll>
        {shown.length > most ? (
          <p className="card-actions">
            <Button onClick={() => setMost(most + ROWS_PER_PAGE)}>
              Show more ({formatCount(shown.length - most)} left)
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
  const { word, tone } = DECISION_BADGES[row.decision]
  return (
    <tr>
      <td data-label="Line">{row.line}</td>
      <td data-label="Device">
        {row.id ? <Link to={`/dashboard/appraisals/${row.id}`}>{row.name || 'Unknown device'}</Link> : row.name}
        {row.reference ? <div className="muted">{row.reference}</div> : null}
        {row.error ? <div className="field-error">{row.error}</div> : null}
      </td>
      <td data-label="Grade">{row.grade || '–'}</td>
      <td data-label="Risk">
        {row.riskLevel ? (
          <Badge tone={RISK_LEVEL_TONES[row.riskLevel]}>
            {row.riskScore} {row.riskLevel}
          </Badge>
        ) : (
          <span className="muted">Not checked</span>
        )}
      </td>
      <td data-label="Decision">
        <Badge tone={tone}>{word}</Badge>
      </td>
      <td data-label="Value" className="number">
        {row.worth === null ? '–' : money(row.worth)}
      </td>
      <td data-label="Offer" className="number">
        {row.offer === null ? '–' : money(row.offer)}
      </td>
      <td data-label="Best plan">{row.plan && row.offer ? PLAN_LABELS[row.plan] : '–'}</td>
    </tr>
  )
}

function download(rows: readonly AppraisedRow[]): void {
  const address = URL.createObjectURL(new Blob([toCsv(rows)], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = address
  link.download = 'appraised.csv'
  link.click()
  URL.revokeObjectURL(address)
}
