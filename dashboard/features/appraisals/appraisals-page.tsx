import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { AppraisalDecision, AppraisalWire } from '../../../src/contract/appraisal.ts'
import { codeTexts } from '../../codes.ts'
import { formatAmount, formatTime } from '../../format.ts'
import { currentLanguage } from '../../i18n.ts'
import { browserTimeZone } from '../../local-day.ts'
import { useApiQuery } from '../../queries.ts'
import { useFilters } from '../../search-params.ts'
import { useHasRole, useHasTier } from '../../session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Select } from '../../ui/select.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { DECISION_TONES } from '../counter/decision-tones.ts'
import { RiskBadge } from '../lookups/risk-badge.tsx'
import { OutcomeBadge, OutcomeButtons, OutcomeFilter } from '../outcomes/outcome.tsx'
import { OutcomesImport } from '../outcomes/outcomes-import.tsx'

const FILTERS = ['decision', 'outcome', 'device', 'reference', 'day'] as const
const TYPING_PAUSE_MS = 250

export function AppraisalsPage() {
  const { t } = useTranslation('appraisals')
  const [query, change] = useFilters()
  const mayAppraise = useHasTier('paid')
  const mayExport = useHasRole('manager')
  const filters = new URLSearchParams()
  for (const name of FILTERS) {
    const value = query.get(name)
    if (value) filters.set(name, value)
  }
  const isFiltered = filters.size > 0
  if (filters.has('day')) filters.set('time_zone', browserTimeZone())
  const parameters = new URLSearchParams(filters)
  for (const name of ['page', 'after']) {
    const value = query.get(name)
    if (value) parameters.set(name, value)
  }
  const result = useApiQuery(mayAppraise ? `/account/appraisals?${parameters}` : null)
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')}>
        <Link className="button button-primary" to="/dashboard/counter">
          {t('appraise')}
        </Link>
        {mayExport ? (
          <>
            <a
              className="button button-plain"
              href={`/account/appraisals.csv?${filters}&language=${currentLanguage()}`}
              download
            >
              {t('downloadCsv')}
            </a>
            <OutcomesImport />
          </>
        ) : null}
      </PageHeader>
      {mayAppraise ? (
        <>
          <Filters />
          <Card>
            <QueryView
              query={result}
              skeletonLines={6}
              empty={
                <EmptyState
                  title={t(isFiltered ? 'noMatch' : 'none')}
                  hint={<Link to="/dashboard/counter">{t('appraiseDevice')}</Link>}
                />
              }
            >
              {(appraisals, { meta }) => (
                <>
                  <AppraisalsTable appraisals={appraisals} hasActions />
                  {meta ? <Pagination meta={meta} onChange={change} /> : null}
                </>
              )}
            </QueryView>
          </Card>
        </>
      ) : (
        <EmptyState title={t('needsPaid')} />
      )}
    </>
  )
}

function Filters() {
  const { t } = useTranslation('appraisals')
  const [query, change] = useFilters()
  const devices = useApiQuery('/account/appraisals/devices')
  const choose = (name: string, value: string) => change({ [name]: value, page: '' }, { replace: true })
  return (
    <div className="filters">
      <Select
        aria-label={t('column.decision')}
        value={query.get('decision') ?? ''}
        options={[
          ['', t('filter.decisionAll')],
          ...(Object.keys(DECISION_TONES) as AppraisalDecision[]).map(
            (decision) => [decision, codeTexts().decision(decision)] as const,
          ),
        ]}
        onValueChange={(value) => choose('decision', value)}
      />
      <OutcomeFilter chosen={query.get('outcome') ?? ''} choose={(outcome) => choose('outcome', outcome)} />
      <Select
        aria-label={t('column.device')}
        value={query.get('device') ?? ''}
        options={[
          ['', t('filter.deviceAll')],
          ...(devices.data?.data ?? []).map(
            (device) =>
              [device.device_id, t('filter.deviceCount', { device: device.device_name, total: device.total })] as const,
          ),
        ]}
        onValueChange={(value) => choose('device', value)}
      />
      <ReferenceFilter chosen={query.get('reference') ?? ''} choose={(text) => choose('reference', text)} />
      <label>
        <span className="visually-hidden">{t('filter.day')}</span>
        <input type="date" value={query.get('day') ?? ''} onChange={(event) => choose('day', event.target.value)} />
      </label>
    </div>
  )
}

function ReferenceFilter({ chosen, choose }: { chosen: string; choose: (text: string) => void }) {
  const { t } = useTranslation('appraisals')
  const [text, setText] = useState(chosen)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the text changes
  useEffect(() => {
    if (text === chosen) return
    const timer = setTimeout(() => choose(text), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <label>
      <span className="visually-hidden">{t('column.reference')}</span>
      <input
        type="search"
        placeholder={t('filter.reference')}
        maxLength={100}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </label>
  )
}

export function AppraisalsTable({
  appraisals,
  hasActions = false,
}: {
  appraisals: readonly AppraisalWire[]
  /** With buttons to record outcomes. */
  hasActions?: boolean
}) {
  const { t } = useTranslation(['appraisals', 'outcomes'])
  const texts = codeTexts()
  return (
    <DataTable
      label={t('title')}
      head={[
        t('column.when'),
        t('column.device'),
        t('column.reference'),
        t('column.grade'),
        t('column.risk'),
        t('column.decision'),
        { number: t('column.offer') },
        t('outcomes:title'),
      ]}
    >
      {appraisals.map((appraisal) => (
        <tr key={appraisal.appraisal_id}>
          <td data-label={t('column.when')} className="nowrap">
            {formatTime(appraisal.timestamp)}
          </td>
          <td data-label={t('column.device')}>
            <Link to={`/dashboard/appraisals/${appraisal.appraisal_id}`}>{texts.deviceTitle(appraisal.identity)}</Link>
          </td>
          <td data-label={t('column.reference')} className="reference">
            {appraisal.reference ?? '–'}
          </td>
          <td data-label={t('column.grade')}>
            <span>
              {appraisal.offer.condition ? texts.gradeName(appraisal.offer.condition) : '–'}
              {appraisal.defects.length > 0 ? (
                <span className="muted block">{t('defects', { count: appraisal.defects.length })}</span>
              ) : null}
            </span>
          </td>
          <td data-label={t('column.risk')}>
            {appraisal.risk ? (
              <RiskBadge lookup={appraisal.risk} />
            ) : (
              <span className="muted nowrap">{t('notChecked')}</span>
            )}
          </td>
          <td data-label={t('column.decision')}>
            {appraisal.declined ? (
              <Badge tone="plain">{t('declined')}</Badge>
            ) : (
              <Badge tone={DECISION_TONES[appraisal.offer.decision]}>{texts.decision(appraisal.offer.decision)}</Badge>
            )}
          </td>
          <td data-label={t('column.offer')} className="number">
            {formatAmount(appraisal.agreed_offer ?? appraisal.offer.recommended_offer, appraisal.currency)}
            {appraisal.agreed_offer == null ? null : <div className="muted">{t('agreed')}</div>}
          </td>
          <td data-label={t('outcomes:title')}>
            <div className="outcome-cell">
              <OutcomeBadge appraisal={appraisal} />
              {hasActions ? <OutcomeButtons appraisal={appraisal} /> : null}
            </div>
          </td>
        </tr>
      ))}
    </DataTable>
  )
}
