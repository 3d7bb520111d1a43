import { useMemo, useState } from 'react'
import { Link } from 'wouter'
import { PLAN_WORDS, type SheetCell } from '../../../src/appraisal/appraisal-sheet.ts'
import { MAIN_REASONS, type MainReason } from '../../../src/appraisal/main-reason.ts'
import { formatAmount, formatCount, pluralize } from '../../format.ts'
import { useMoney } from '../../money.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { TableScroll } from '../../ui/table-scroll.tsx'
import { RiskBadge } from '../lookups/risk-badge.tsx'
import { type AppraisedRow, type RowOutcome, sortByRisk, sumRows, toCsv, toSheet, toXlsx } from './appraised-row.ts'

const ROWS_PER_PAGE = 100

const OUTCOME_BADGES: Readonly<Record<RowOutcome, { word: string; tone: Tone }>> = {
  buy: { word: 'Buy', tone: 'good' },
  buy_and_repair: { word: 'Buy and repair', tone: 'good' },
  inspect: { word: 'Inspect first', tone: 'warn' },
  reject: { word: 'Do not buy', tone: 'bad' },
  identify: { word: 'Identify first', tone: 'blue' },
  unchecked: { word: 'Buy if clean', tone: 'plain' },
  invalid: { word: 'Invalid row', tone: 'plain' },
}

/** Appraised rows with totals, highest risk first. */
export function ListResults({
  header,
  rows,
  isDone,
}: {
  /** Column names of the list. */
  header: readonly string[]
  rows: readonly AppraisedRow[]
  isDone: boolean
}) {
  const [outcome, setOutcome] = useState<RowOutcome | null>(null)
  const [reason, setReason] = useState<MainReason | null>(null)
  const [most, setMost] = useState(ROWS_PER_PAGE)
  const sorted = useMemo(() => sortByRisk(rows), [rows])
  const shown = sorted.filter(
    (row) => (outcome === null || row.outcome === outcome) && (reason === null || row.reason?.code === reason),
  )
  const totals = sumRows(shown)
  const organization = useMoney()
  const currency = rows.find(({ id }) => id !== null)?.currency ?? organization.currency
  const money = (amount: number) => formatAmount(amount, currency, true)
  const outcomes = Map.groupBy(rows, (row) => row.outcome)
  const reasons = Map.groupBy(rows, (row) => row.reason?.code)
  const unchecked = outcomes.get('unchecked')?.length ?? 0
  return (
    <>
      {unchecked > 0 ? (
        <p className="banner" role="status">
          <span>
            <strong>No blacklist source is connected.</strong> {pluralize(unchecked, 'identifier')} could not be
            checked; these offers hold if the devices are clean. <Link to="/dashboard/imports">Import a list</Link> or
            connect a source.
          </span>
        </p>
      ) : null}
      <dl className="figures">
        <Figure name="Devices" value={formatCount(shown.length)} />
        <Figure name="Resale value" value={money(totals.worth)} />
        <Figure name="Total offers" value={money(totals.offers)} />
        <Figure name="Expected profit" value={money(totals.profit)} />
      </dl>
      <Card
        title="Highest risk first"
        action={
          <span className="page-actions">
            <Button disabled={!isDone} onClick={() => downloadCsv(toSheet(header, shown))}>
              Download CSV
            </Button>
            <Button variant="primary" disabled={!isDone} onClick={() => downloadXlsx(toSheet(header, shown))}>
              Download Excel
            </Button>
          </span>
        }
      >
        <div className="list-filters">
          <fieldset className="chips">
            <legend className="visually-hidden">Filter</legend>
            <button type="button" className="chip" aria-pressed={outcome === null} onClick={() => setOutcome(null)}>
              All {formatCount(rows.length)}
            </button>
            {(Object.keys(OUTCOME_BADGES) as RowOutcome[]).map((each) => {
              const found = outcomes.get(each)?.length ?? 0
              return found === 0 ? null : (
                <button
                  key={each}
                  type="button"
                  className="chip"
                  aria-pressed={outcome === each}
                  onClick={() => setOutcome(outcome === each ? null : each)}
                >
                  {OUTCOME_BADGES[each].word} {formatCount(found)}
                </button>
              )
            })}
          </fieldset>
          <label>
            <span className="visually-hidden">Reason</span>
            <select
              value={reason ?? ''}
              onChange={(event) => setReason(event.target.value === '' ? null : (event.target.value as MainReason))}
            >
              <option value="">Reason: all</option>
              {(Object.keys(MAIN_REASONS) as MainReason[]).map((code) =>
                reasons.has(code) ? (
                  <option key={code} value={code}>
                    {MAIN_REASONS[code]} ({formatCount(reasons.get(code)?.length ?? 0)})
                  </option>
                ) : null,
              )}
            </select>
          </label>
        </div>
        <TableScroll label="Appraised devices" asCards>
          <table>
            <thead>
              <tr>
                <th scope="col">Line</th>
                <th scope="col">Device</th>
                <th scope="col">Grade</th>
                <th scope="col">Risk</th>
                <th scope="col">Decision</th>
                <th scope="col">Reason</th>
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
  const { word, tone } = OUTCOME_BADGES[row.outcome]
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
        {row.risk && row.outcome !== 'unchecked' ? (
          <RiskBadge lookup={row.risk} />
        ) : (
          <span className="muted">Not checked</span>
        )}
      </td>
      <td data-label="Decision">
        <Badge tone={tone}>{word}</Badge>
      </td>
      <td data-label="Reason" title={row.reason?.detail}>
        {row.reason ? MAIN_REASONS[row.reason.code] : '–'}
        {row.reason && row.outcome !== 'unchecked' ? <div className="muted">{row.reason.detail}</div> : null}
      </td>
      <td data-label="Value" className="number">
        {row.worth === null ? '–' : money(row.worth)}
      </td>
      <td data-label="Offer" className="number">
        {row.offer === null ? '–' : money(row.offer)}
      </td>
      <td data-label="Best plan">{row.plan && row.offer ? PLAN_WORDS[row.plan] : '–'}</td>
    </tr>
  )
}

function download(name: string, type: string, content: string | Uint8Array<ArrayBuffer>): void {
  const address = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}

const downloadCsv = (sheet: SheetCell[][]) => download('appraised.csv', 'text/csv;charset=utf-8', toCsv(sheet))

export const downloadXlsx = async (sheet: SheetCell[][], name = 'appraised.xlsx') =>
  download(name, 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', await toXlsx(sheet))
