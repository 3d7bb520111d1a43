import type { TFunction } from 'i18next'
import { useMemo, useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { MAIN_REASONS, type MainReason } from '../../../src/appraisal/main-reason.ts'
import { CONDITIONS, type Condition } from '../../../src/contract/condition-grades.ts'
import type { RowOutcome } from '../../../src/contract/device-lists.ts'
import { writeLineSelection } from '../../../src/contract/line-selection.ts'
import { codeTexts } from '../../codes.ts'
import { formatAmount, formatCount } from '../../format.ts'
import { currentLanguage } from '../../i18n.ts'
import { useMoney } from '../../money.ts'
import { useApiMutation } from '../../queries.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Chips } from '../../ui/chips.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { DownloadButton } from '../../ui/download-button.tsx'
import { Select } from '../../ui/field.tsx'
import { Card, Fact } from '../../ui/page.tsx'
import { ErrorMessage } from '../../ui/states.tsx'
import { DECISION_TONES } from '../counter/decision-tones.ts'
import { RiskBadge } from '../lookups/risk-badge.tsx'
import { type AppraisedRow, isWorthAsking, sortByRisk, sumRows } from './appraised-row.ts'
import { BuyLot } from './buy-lot.tsx'
import { LotCard } from './lot-card.tsx'
import { MoreRows } from './more-rows.tsx'
import { Candidates, type SentRow } from './row-dialog.tsx'

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
  listId,
  rows,
  isDone,
  edit,
  changeRow,
}: {
  listId: string
  rows: readonly AppraisedRow[]
  isDone: boolean
  edit: (row: AppraisedRow) => void
  changeRow: (row: SentRow) => Promise<void>
}) {
  const { t } = useTranslation('appraise-list')
  const [outcome, setOutcome] = useState<RowOutcome | null>(null)
  const [reason, setReason] = useState<MainReason | null>(null)
  const [most, setMost] = useState(ROWS_PER_PAGE)
  /** Lines of the chosen lot. */
  const [lines, setLines] = useState<ReadonlySet<number> | null>(null)
  const repeated = useMemo(() => repeatedIdentifiers(rows), [rows])
  const sorted = useMemo(() => sortByRisk(rows), [rows])
  const shown = sorted.filter(
    (row) =>
      (lines === null || lines.has(row.line)) &&
      (outcome === null || row.outcome === outcome) &&
      (reason === null || row.reason?.code === reason),
  )
  const totals = sumRows(shown)
  const organization = useMoney()
  const currency = rows.find(({ id }) => id !== null)?.currency ?? organization.currency
  const money = (amount: number) => formatAmount(amount, currency, true)
  const outcomes = Map.groupBy(rows, (row) => row.outcome)
  const reasons = Map.groupBy(rows, (row) => row.reason?.code)
  const unchecked = outcomes.get('unchecked')?.length ?? 0
  const download = (format: 'csv' | 'xlsx') => ({
    params: { id: listId },
    query: {
      format,
      language: currentLanguage(),
      lines: shown.length < rows.length ? writeLineSelection(shown.map(({ line }) => line)) : undefined,
    },
  })
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
        <Fact name={t('figure.devices')}>{formatCount(totals.devices)}</Fact>
        <Fact name={t('figure.worth')}>{money(totals.worth)}</Fact>
        <Fact name={t('figure.offers')}>{money(totals.offers)}</Fact>
        <Fact name={t('figure.profit')}>{money(totals.profit)}</Fact>
      </dl>
      {rows.some(({ asking }) => asking !== null) ? <LotCard rows={rows} currency={currency} show={setLines} /> : null}
      <Card
        title={t('results.title')}
        action={
          <span className="actions">
            {isDone ? <BuyLot listId={listId} rows={shown} currency={currency} /> : null}
            <DownloadButton
              route="GET /api/lists/{id}"
              request={download('csv')}
              isDisabled={!isDone || shown.length === 0}
            >
              {t('results.csv')}
            </DownloadButton>
            <DownloadButton
              route="GET /api/lists/{id}"
              request={download('xlsx')}
              variant="primary"
              isDisabled={!isDone || shown.length === 0}
            >
              {t('results.excel')}
            </DownloadButton>
          </span>
        }
      >
        <div className="list-filters">
          <Chips
            legend={t('results.filter')}
            isLegendHidden
            options={[
              { value: 'all' as const, text: t('results.all', { total: rows.length }) },
              ...(Object.keys(OUTCOME_TONES) as RowOutcome[])
                .filter((each) => outcomes.has(each))
                .map((each) => ({
                  value: each,
                  text: t('results.outcome', {
                    outcome: outcomeText(each, t),
                    total: outcomes.get(each)?.length ?? 0,
                  }),
                })),
            ]}
            isPressed={(each) => (outcome ?? 'all') === each}
            press={(each) => setOutcome(each === 'all' || each === outcome ? null : each)}
          />
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
        <ResultsTable
          rows={shown.slice(0, most)}
          currency={currency}
          repeated={repeated}
          edit={edit}
          changeRow={changeRow}
        />
        <MoreRows left={shown.length - most} show={() => setMost(most + ROWS_PER_PAGE)} />
      </Card>
    </>
  )
}

/** Identifiers that several rows of the list have. */
function repeatedIdentifiers(rows: readonly AppraisedRow[]): ReadonlySet<string> {
  const groups = Map.groupBy(rows, ({ risk }) => risk?.identifier)
  return new Set([...groups].flatMap(([identifier, same]) => (identifier && same.length > 1 ? [identifier] : [])))
}

function ResultsTable({
  rows,
  currency,
  repeated,
  edit,
  changeRow,
}: {
  rows: readonly AppraisedRow[]
  currency: string
  repeated: ReadonlySet<string>
  edit: (row: AppraisedRow) => void
  changeRow: (row: SentRow) => Promise<void>
}) {
  const money = (amount: number) => formatAmount(amount, currency, true)
  const { t } = useTranslation('appraise-list')
  const { plan: planName } = codeTexts()
  const hasAsking = rows.some(({ asking }) => asking !== null)
  const askingColumns: Column<AppraisedRow>[] = [
    {
      title: t('column.asking'),
      className: 'number',
      cell: ({ asking }) => (asking === null ? '–' : money(asking)),
    },
    {
      title: t('column.buyBelow'),
      className: 'number',
      cell: (row) => {
        const { maxOffer } = row
        if (maxOffer === null) return '–'
        return isWorthAsking(row) ? <strong className="gain">{money(maxOffer)}</strong> : money(maxOffer)
      },
    },
    {
      title: t('column.profitAtAsking'),
      className: 'number',
      cell: ({ profitAtAsking: profit }) =>
        profit === null ? '–' : profit < 0 ? <span className="loss">{money(profit)}</span> : money(profit),
    },
  ]
  return (
    <DataTable
      label={t('results.label')}
      rows={rows}
      rowKey={(row) => row.line}
      actions={(row) => (
        <Button onClick={() => edit(row)} aria-label={t('edit.label', { line: row.line })}>
          {t('edit.button')}
        </Button>
      )}
      columns={[
        { title: t('column.line'), cell: (row) => row.line },
        {
          title: t('column.device'),
          cell: (row) => <DeviceCell row={row} repeated={repeated} changeRow={changeRow} />,
        },
        { title: t('column.grade'), cell: (row) => <GradeCell row={row} changeRow={changeRow} /> },
        {
          title: t('column.decision'),
          cell: ({ outcome, reason, risk }) => (
            <>
              <Badge tone={OUTCOME_TONES[outcome]}>{outcomeText(outcome, t)}</Badge>
              {reason ? (
                <span className="muted block" title={reason.detail}>
                  {t(`reason.${reason.code}`)}
                </span>
              ) : null}
              {risk && outcome !== 'unchecked' ? <RiskBadge lookup={risk} /> : null}
            </>
          ),
        },
        { title: t('column.value'), className: 'number', cell: ({ worth }) => (worth === null ? '–' : money(worth)) },
        ...(hasAsking ? askingColumns : []),
        {
          title: t('column.offer'),
          className: 'number',
          cell: ({ offer, plan }) => (
            <>
              {offer === null ? '–' : money(offer)}
              {offer && plan && plan !== 'sell_as_is' ? <span className="muted block">{planName(plan)}</span> : null}
            </>
          ),
        },
      ]}
    />
  )
}

function DeviceCell({
  row,
  repeated,
  changeRow,
}: {
  row: AppraisedRow
  repeated: ReadonlySet<string>
  changeRow: (row: SentRow) => Promise<void>
}) {
  const { t } = useTranslation('appraise-list')
  const { id, line, name, reference, error, questions, quantity, inLists, risk } = row
  const saving = useApiMutation()
  const pick = ({ id: deviceId }: { id: string }) =>
    saving.mutate(() => changeRow({ line, change: { ...changeOf(row), device_id: deviceId } }))
  return (
    <>
      {id ? <Link to={`/dashboard/appraisals/${id}`}>{name || t('results.unknownDevice')}</Link> : name}
      {quantity > 1 ? ` × ${formatCount(quantity)}` : null}
      {reference ? <div className="muted">{reference}</div> : null}
      {row.deviceId ? null : (
        <div>
          <Candidates row={row} pick={pick} />
        </div>
      )}
      {inLists.map((list) => (
        <div key={list.id} className="doubt">
          <Link to={`/dashboard/list/${list.id}`}>{t('inList', { name: list.name })}</Link>
        </div>
      ))}
      {risk && repeated.has(risk.identifier) ? <div className="doubt">{t('repeated')}</div> : null}
      {questions.map((question) => (
        <div key={question} className="doubt">
          {question}
        </div>
      ))}
      {error ? <div className="field-error">{error}</div> : null}
      <ErrorMessage error={saving.error} />
    </>
  )
}

function GradeCell({ row, changeRow }: { row: AppraisedRow; changeRow: (row: SentRow) => Promise<void> }) {
  const { t } = useTranslation('appraise-list')
  const { gradeName } = codeTexts()
  const saving = useApiMutation()
  const { grade, isGradeAssumed, line } = row
  if (!row.deviceId) return '–'
  const value = isGradeAssumed || !grade ? '' : grade
  return (
    <>
      <Select
        aria-label={t('edit.grade', { line })}
        value={value}
        disabled={saving.isPending}
        options={[
          ...(value === '' ? ([['', grade ? t('results.assumed', { grade: gradeName(grade) }) : '–']] as const) : []),
          ...CONDITIONS.map((each) => [each, gradeName(each)] as const),
        ]}
        onValueChange={(condition) =>
          condition &&
          saving.mutate(() => changeRow({ line, change: { ...changeOf(row), condition: condition as Condition } }))
        }
      />
      <ErrorMessage error={saving.error} />
    </>
  )
}

/** Earlier corrections of the row, which a further one keeps. */
const changeOf = ({ change }: AppraisedRow): NonNullable<SentRow['change']> => ({
  device_id: change?.device_id ?? undefined,
  storage: change?.storage ?? undefined,
  condition: change?.condition ?? undefined,
  defects: change?.defects ?? undefined,
})
