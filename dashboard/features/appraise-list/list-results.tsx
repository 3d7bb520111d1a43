import type { TFunction } from 'i18next'
import { useMemo, useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { SheetCell } from '../../../src/appraisal/appraisal-sheet.ts'
import { MAIN_REASONS, type MainReason } from '../../../src/appraisal/main-reason.ts'
import { saveFile } from '../../api.ts'
import { codeTexts } from '../../codes.ts'
import { formatAmount, formatCount, minorUnitsPerUnit } from '../../format.ts'
import { useMoney } from '../../money.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Select } from '../../ui/field.tsx'
import { Card, Fact } from '../../ui/page.tsx'
import { DECISION_TONES } from '../counter/decision-tones.ts'
import { RiskBadge } from '../lookups/risk-badge.tsx'
import { type AppraisedRow, type RowOutcome, sortByRisk, sumRows, toCsv, toSheet, toXlsx } from './appraised-row.ts'

const ROWS_PER_PAGE = 100

const OUTCOME_TONES: Readonly<Record<RowOutcome, Tone>> = {
  ...DECISION_TONES,
  unchecked: 'plain',
  question: 'warn',
  invalid: 'plain',
}

const outcomeText = (outcome: RowOutcome, t: TFunction<'appraise-list'>) =>
  outcome === 'unchecked' || outcome === 'question' || outcome === 'invalid'
    ? t(`outcome.${outcome}`)
    : codeTexts().decision(outcome)

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
  const { t } = useTranslation('appraise-list')
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
            <Trans
              t={t}
              i18nKey="banner"
              count={unchecked}
              components={{ strong: <strong />, to: <Link to="/dashboard/imports" /> }}
            />
          </span>
        </p>
      ) : null}
      <dl className="figures">
        <Fact name={t('figure.devices')}>{formatCount(shown.length)}</Fact>
        <Fact name={t('figure.worth')}>{money(totals.worth)}</Fact>
        <Fact name={t('figure.offers')}>{money(totals.offers)}</Fact>
        <Fact name={t('figure.profit')}>{money(totals.profit)}</Fact>
      </dl>
      <Card
        title={t('results.title')}
        action={
          <span className="actions">
            <Button disabled={!isDone} onClick={() => downloadCsv(toSheet(header, shown))}>
              {t('results.csv')}
            </Button>
            <Button variant="primary" disabled={!isDone} onClick={() => downloadXlsx(toSheet(header, shown))}>
              {t('results.excel')}
            </Button>
          </span>
        }
      >
        <div className="list-filters">
          <fieldset className="chips">
            <legend className="visually-hidden">{t('results.filter')}</legend>
            <button type="button" className="chip" aria-pressed={outcome === null} onClick={() => setOutcome(null)}>
              {t('results.all', { total: rows.length })}
            </button>
            {(Object.keys(OUTCOME_TONES) as RowOutcome[]).map((each) => {
              const found = outcomes.get(each)?.length ?? 0
              return found === 0 ? null : (
                <button
                  key={each}
                  type="button"
                  className="chip"
                  aria-pressed={outcome === each}
                  onClick={() => setOutcome(outcome === each ? null : each)}
                >
                  {t('results.outcome', { outcome: outcomeText(each, t), total: found })}
                </button>
              )
            })}
          </fieldset>
          <Select
            aria-label={t('column.reason')}
            value={reason ?? ''}
            options={[
              ['', t('results.reasonAll')],
              ...(Object.keys(MAIN_REASONS) as MainReason[])
                .filter((code) => reasons.has(code))
                .map((code) => {
                  const total = reasons.get(code)?.length ?? 0
                  return [code, t('results.reasonCount', { reason: t(`reason.${code}`), total })] as const
                }),
            ]}
            onValueChange={(code) => setReason(code === '' ? null : code)}
          />
        </div>
        <ResultsTable rows={shown.slice(0, most)} currency={currency} />
        {shown.length > most ? (
          <p className="card-actions">
            <Button onClick={() => setMost(most + ROWS_PER_PAGE)}>
              {t('results.more', { left: shown.length - most })}
            </Button>
          </p>
        ) : null}
      </Card>
    </>
  )
}

function ResultsTable({ rows, currency }: { rows: readonly AppraisedRow[]; currency: string }) {
  const money = (amount: number) => formatAmount(amount, currency, true)
  const { t } = useTranslation('appraise-list')
  const { gradeName, plan } = codeTexts()
  return (
    <DataTable
      label={t('results.label')}
      rows={rows}
      rowKey={(row) => row.line}
      columns={[
        { title: t('column.line'), cell: (row) => row.line },
        {
          title: t('column.device'),
          cell: ({ id, name, reference, error, questions, quantity }) => (
            <>
              {id ? <Link to={`/dashboard/appraisals/${id}`}>{name || t('results.unknownDevice')}</Link> : name}
              {quantity > 1 ? ` × ${formatCount(quantity)}` : null}
              {reference ? <div className="muted">{reference}</div> : null}
              {questions.map((question) => (
                <div key={question} className="doubt">
                  {question}
                </div>
              ))}
              {error ? <div className="field-error">{error}</div> : null}
            </>
          ),
        },
        {
          title: t('column.grade'),
          cell: ({ grade, isGradeAssumed }) => {
            if (!grade) return '–'
            return isGradeAssumed ? t('results.assumed', { grade: gradeName(grade) }) : gradeName(grade)
          },
        },
        {
          title: t('column.risk'),
          cell: ({ risk, outcome }) =>
            risk && outcome !== 'unchecked' ? (
              <RiskBadge lookup={risk} />
            ) : (
              <span className="muted">{t('results.notChecked')}</span>
            ),
        },
        {
          title: t('column.decision'),
          cell: ({ outcome }) => <Badge tone={OUTCOME_TONES[outcome]}>{outcomeText(outcome, t)}</Badge>,
        },
        {
          title: t('column.reason'),
          cell: ({ reason, outcome }) =>
            reason ? (
              <span title={reason.detail}>
                {t(`reason.${reason.code}`)}
                {outcome === 'unchecked' ? null : <span className="muted block">{reason.detail}</span>}
              </span>
            ) : (
              '–'
            ),
        },
        { title: t('column.value'), className: 'number', cell: ({ worth }) => (worth === null ? '–' : money(worth)) },
        {
          title: t('column.asking'),
          className: 'number',
          cell: ({ askingPrice }) => {
            if (!askingPrice) return '–'
            const asked = askingPrice.currency ?? currency
            return formatAmount(Math.round(askingPrice.value * minorUnitsPerUnit(asked)), asked, true)
          },
        },
        { title: t('column.offer'), className: 'number', cell: ({ offer }) => (offer === null ? '–' : money(offer)) },
        { title: t('column.plan'), cell: (row) => (row.plan && row.offer ? plan(row.plan) : '–') },
      ]}
    />
  )
}

const downloadCsv = (sheet: SheetCell[][]) =>
  saveFile('appraised.csv', new Blob([toCsv(sheet)], { type: 'text/csv;charset=utf-8' }))

const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

export const downloadXlsx = async (sheet: SheetCell[][], name = 'appraised.xlsx') =>
  saveFile(name, new Blob([await toXlsx(sheet)], { type: XLSX_TYPE }))
