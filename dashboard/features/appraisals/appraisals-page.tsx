import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { deviceTitle } from '../../../src/appraisal/device-title.ts'
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
import { PageHeader } from '../../ui/page-header.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { TableScroll } from '../../ui/table-scroll.tsx'
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
  const narrowed = new URLSearchParams()
  for (const name of FILTERS) {
    const value = query.get(name)
    if (value) narrowed.set(name, value)
  }
  const isNarrowed = narrowed.size > 0
  if (narrowed.has('day')) narrowed.set('time_zone', browserTimeZone())
  const asked = new URLSearchParams(narrowed)
  for (const name of ['page', 'after']) {
    const value = query.get(name)
    if (value) asked.set(name, value)
  }
  const result = useApiQuery(mayAppraise ? `/account/appraisals?${asked}` : null)
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
              href={`/account/appraisals.csv?${narrowed}&language=${currentLanguage()}`}
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
            <QueryView query={result} skeletonLines={6}>
              {(appraisals, { meta }) =>
                appraisals.length === 0 ? (
                  <EmptyState title={t(isNarrowed ? 'noMatch' : 'none')}>
                    <p>
                      <Link to="/dashboard/counter">{t('appraiseDevice')}</Link>
                    </p>
                  </EmptyState>
                ) : (
                  <>
                    <AppraisalsTable appraisals={appraisals} hasActions />
                    {meta ? <Pagination meta={meta} onChange={change} /> : null}
                  </>
                )
              }
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
      <label>
        <span className="visually-hidden">{t('column.decision')}</span>
        <select value={query.get('decision') ?? ''} onChange={(event) => choose('decision', event.target.value)}>
          <option value="">{t('filter.decisionAll')}</option>
          {(Object.keys(DECISION_TONES) as AppraisalDecision[]).map((decision) => (
            <option key={decision} value={decision}>
              {codeTexts().decision(decision)}
            </option>
          ))}
        </select>
      </label>
      <OutcomeFilter chosen={query.get('outcome') ?? ''} choose={(outcome) => choose('outcome', outcome)} />
      <label>
        <span className="visually-hidden">{t('column.device')}</span>
        <select value={query.get('device') ?? ''} onChange={(event) => choose('device', event.target.value)}>
          <option value="">{t('filter.deviceAll')}</option>
          {(devices.data?.data ?? []).map((one) => (
            <option key={one.device_id} value={one.device_id}>
              {t('filter.deviceCount', { device: one.device_name, total: one.total })}
            </option>
          ))}
        </select>
      </label>
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
    <TableScroll label={t('title')} asCards>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('column.when')}</th>
            <th scope="col">{t('column.device')}</th>
            <th scope="col">{t('column.reference')}</th>
            <th scope="col">{t('column.grade')}</th>
            <th scope="col">{t('column.risk')}</th>
            <th scope="col">{t('column.decision')}</th>
            <th scope="col" className="number">
              {t('column.offer')}
            </th>
            <th scope="col">{t('outcomes:title')}</th>
          </tr>
        </thead>
        <tbody>
          {appraisals.map((one) => (
            <tr key={one.appraisal_id}>
              <td data-label={t('column.when')} className="nowrap">
                {formatTime(one.timestamp)}
              </td>
              <td data-label={t('column.device')}>
                <Link to={`/dashboard/appraisals/${one.appraisal_id}`}>{deviceTitle(one.identity)}</Link>
              </td>
              <td data-label={t('column.reference')}>{one.reference ?? '–'}</td>
              <td data-label={t('column.grade')}>
                {one.offer.condition ? texts.gradeName(one.offer.condition) : '–'}
                {one.defects.length > 0 ? (
                  <span className="muted"> {t('defects', { count: one.defects.length })}</span>
                ) : null}
              </td>
              <td data-label={t('column.risk')}>
                {one.risk ? <RiskBadge lookup={one.risk} /> : <span className="muted">{t('notChecked')}</span>}
              </td>
              <td data-label={t('column.decision')}>
                {one.declined ? (
                  <Badge tone="plain">{t('declined')}</Badge>
                ) : (
                  <Badge tone={DECISION_TONES[one.offer.decision]}>{texts.decision(one.offer.decision)}</Badge>
                )}
              </td>
              <td data-label={t('column.offer')} className="number">
                {formatAmount(one.agreed_offer ?? one.offer.recommended_offer, one.currency)}
                {one.agreed_offer == null ? null : <div className="muted">{t('agreed')}</div>}
              </td>
              <td data-label={t('outcomes:title')}>
                <div className="outcome-cell">
                  <OutcomeBadge appraisal={one} />
                  {hasActions ? <OutcomeButtons appraisal={one} /> : null}
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  )
}
