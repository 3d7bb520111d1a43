import { useMemo, useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { MAIN_REASONS, type MainReason } from '../../../src/appraisal/main-reason.ts'
import type { RowOutcome } from '../../../src/contract/device-lists.ts'
import { writeLineSelection } from '../../../src/contract/line-selection.ts'
import { formatAmount, formatCount } from '../../format.ts'
import { currentLanguage } from '../../i18n.ts'
import { useMoney } from '../../money.ts'
import { Chips } from '../../ui/chips.tsx'
import { DownloadButton } from '../../ui/download-button.tsx'
import { Select } from '../../ui/field.tsx'
import { Card, Fact } from '../../ui/page.tsx'
import { type AppraisedRow, sortByProfit, sumRows } from './appraised-row.ts'
import { BuyLot } from './buy-lot.tsx'
import type { RowCorrection } from './list-rows.ts'
import { LotCard } from './lot-card.tsx'
import { LotTable } from './lot-table.tsx'
import { OUTCOME_TONES, outcomeText } from './outcome-text.ts'

/** Appraised rows with totals, best profit first. */
export function ListResults({
  listId,
  rows,
  isDone,
  edit,
  correct,
}: {
  listId: string
  rows: readonly AppraisedRow[]
  isDone: boolean
  edit: (row: AppraisedRow) => void
  correct: (line: number, correction: RowCorrection) => Promise<void>
}) {
  const { t } = useTranslation('appraise-list')
  const [outcome, setOutcome] = useState<RowOutcome | null>(null)
  const [reason, setReason] = useState<MainReason | null>(null)
  /** Lines of the chosen lot. */
  const [lines, setLines] = useState<ReadonlySet<number> | null>(null)
  const repeated = useMemo(() => repeatedIdentifiers(rows), [rows])
  const sorted = useMemo(() => sortByProfit(rows), [rows])
  const shown = sorted.filter(
    (row) =>
      (lines === null || lines.has(row.line)) &&
      (outcome === null || row.outcome === outcome) &&
      (reason === null || row.reason?.code === reason),
  )
  const hasAsking = rows.some(({ asking }) => asking !== null)
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
      {hasAsking ? <LotCard rows={rows} currency={currency} show={setLines} /> : null}
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
        <LotTable
          key={`${outcome} ${reason} ${lines?.size}`}
          rows={shown}
          hasAsking={hasAsking}
          currency={currency}
          repeated={repeated}
          edit={edit}
          correct={correct}
        />
      </Card>
    </>
  )
}

/** Identifiers that several rows of the list have. */
function repeatedIdentifiers(rows: readonly AppraisedRow[]): ReadonlySet<string> {
  const groups = Map.groupBy(rows, ({ risk }) => risk?.identifier)
  return new Set([...groups].flatMap(([identifier, same]) => (identifier && same.length > 1 ? [identifier] : [])))
}
