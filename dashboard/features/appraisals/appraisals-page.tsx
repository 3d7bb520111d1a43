import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { AppraisalDecision, AppraisalWire } from '../../../src/contract/appraisal.ts'
import { OUTCOME_STATUSES } from '../../../src/contract/outcome.ts'
import { codeTexts } from '../../codes.ts'
import { formatAmount, formatShortTime, formatTime } from '../../format.ts'
import { currentLanguage } from '../../i18n.ts'
import { browserTimeZone } from '../../local-day.ts'
import { useOperation } from '../../queries.ts'
import { pickParams, useFilters } from '../../search-params.ts'
import { useHasRole, useHasTier } from '../../session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Blank, DataTable } from '../../ui/data-table.tsx'
import { DownloadButton } from '../../ui/download-button.tsx'
import { EmailText } from '../../ui/email-text.tsx'
import { FilterSelect, SearchField } from '../../ui/field.tsx'
import { Card, PageHeader } from '../../ui/page.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { EmptyState, QueryView } from '../../ui/states.tsx'
import { DECISION_TONES } from '../counter/decision-tones.ts'
import { RiskBadge } from '../lookups/risk-badge.tsx'
import { OutcomeBadge, OutcomeButtons } from '../outcomes/outcome.tsx'
import { OutcomesImport } from '../outcomes/outcomes-import.tsx'

const FILTERS = ['decision', 'outcome', 'device', 'reference', 'q', 'day'] as const
const PAGE_SIZE = 25
const TYPING_PAUSE_MS = 250

export function AppraisalsPage() {
  const { t } = useTranslation('appraisals')
  const [query, change] = useFilters()
  const mayAppraise = useHasTier('paid')
  const mayExport = useHasRole('manager')
  const filters = pickParams(query, FILTERS)
  const isFiltered = filters.size > 0
  const { device, ...others } = Object.fromEntries(filters)
  const filter = {
    ...others,
    device_id: device,
    time_zone: filters.has('day') ? browserTimeZone() : undefined,
  }
  const position = Object.fromEntries(pickParams(query, ['page', 'after']))
  const result = useOperation(
    'GET /api/appraisals',
    mayAppraise ? { query: { ...filter, ...position, limit: PAGE_SIZE } } : null,
  )
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')}>
        <Link className="button button-primary" to="/dashboard/counter">
          {t('appraise')}
        </Link>
        {mayExport ? (
          <>
            <DownloadButton
              route="GET /api/appraisals"
              request={{ query: { ...filter, format: 'csv', language: currentLanguage() } }}
            >
              {t('downloadCsv')}
            </DownloadButton>
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
                  <AppraisalsTable appraisals={appraisals} />
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
  const { t } = useTranslation(['appraisals', 'outcomes'])
  const [query, change] = useFilters()
  const devices = useOperation('GET /api/appraisals/devices', {}).data?.data ?? []
  const choose = (name: string, value: string) => change({ [name]: value, page: '', after: '' }, { replace: true })
  return (
    <div className="filters">
      <FilterSelect
        param="decision"
        label={t('column.decision')}
        all={t('filter.decisionAll')}
        options={(Object.keys(DECISION_TONES) as AppraisalDecision[]).map(
          (decision) => [decision, codeTexts().decision(decision)] as const,
        )}
      />
      <FilterSelect
        param="outcome"
        label={t('outcomes:title')}
        all={t('outcomes:all')}
        options={[
          ['open', t('outcomes:open')],
          ...OUTCOME_STATUSES.map((status) => [status, t(`outcomes:status.${status}`)] as const),
        ]}
      />
      <FilterSelect
        param="device"
        label={t('column.device')}
        all={t('filter.deviceAll')}
        options={devices.map(
          ({ device_id: id, device_name: device, total }) => [id, t('filter.deviceCount', { device, total })] as const,
        )}
      />
      <TextFilter chosen={query.get('q') ?? ''} choose={(text) => choose('q', text)} />
      <label>
        <span className="visually-hidden">{t('filter.day')}</span>
        <input type="date" value={query.get('day') ?? ''} onChange={(event) => choose('day', event.target.value)} />
      </label>
    </div>
  )
}

function TextFilter({ chosen, choose }: { chosen: string; choose: (text: string) => void }) {
  const { t } = useTranslation('stock')
  const [text, setText] = useState(chosen)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the text changes
  useEffect(() => {
    if (text === chosen) return
    const timer = setTimeout(() => choose(text), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <SearchField
      className="stock-search"
      label={t('search')}
      placeholder={t('search')}
      maxLength={100}
      value={text}
      onValueChange={setText}
    />
  )
}

function AppraisalsTable({ appraisals }: { appraisals: readonly AppraisalWire[] }) {
  const { t } = useTranslation(['appraisals', 'outcomes'])
  const texts = codeTexts()
  return (
    <DataTable
      label={t('title')}
      className="one-line two-lines"
      rows={appraisals}
      rowKey={(appraisal) => appraisal.appraisal_id}
      columns={[
        {
          title: t('column.when'),
          className: 'nowrap roomy-only',
          cell: ({ timestamp }) => <span title={formatTime(timestamp)}>{formatShortTime(timestamp)}</span>,
        },
        {
          title: t('column.device'),
          className: 'cut phone-name',
          cell: ({ appraisal_id: id, identity }) => (
            <Link to={`/dashboard/appraisals/${id}`}>{texts.deviceTitle(identity)}</Link>
          ),
        },
        {
          title: t('column.about'),
          className: 'phone-about phone-only',
          cell: (appraisal) => {
            const { timestamp, offer, defects, declined, outcome } = appraisal
            return (
              <>
                {outcome || declined ? (
                  <OutcomeBadge appraisal={appraisal} />
                ) : (
                  <Badge tone={DECISION_TONES[offer.decision]}>{texts.decision(offer.decision)}</Badge>
                )}{' '}
                {[
                  formatShortTime(timestamp),
                  offer.condition ? texts.gradeName(offer.condition) : '',
                  defects.length > 0 ? t('defects', { count: defects.length }) : '',
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </>
            )
          },
        },
        {
          title: t('column.reference'),
          className: 'cut short wide-only',
          cell: ({ reference }) => reference ?? <Blank />,
        },
        {
          title: t('column.by'),
          className: 'cut short desk-only',
          cell: ({ created_by: author }) => <EmailText>{author.name}</EmailText>,
        },
        {
          title: t('column.grade'),
          className: 'desk-only',
          cell: ({ offer, defects }) => (
            <span>
              {offer.condition ? texts.gradeName(offer.condition) : '–'}
              {defects.length > 0 ? <span className="muted"> · {t('defects', { count: defects.length })}</span> : null}
            </span>
          ),
        },
        {
          title: t('column.risk'),
          className: 'wide-only',
          cell: ({ risk }) =>
            risk ? <RiskBadge lookup={risk} /> : <span className="muted nowrap">{t('notChecked')}</span>,
        },
        {
          title: t('column.decision'),
          cell: ({ declined, offer: { decision } }) =>
            declined ? (
              <Badge tone="plain">{t('declined')}</Badge>
            ) : (
              <Badge tone={DECISION_TONES[decision]}>{texts.decision(decision)}</Badge>
            ),
        },
        {
          title: t('column.offer'),
          className: 'number phone-amount',
          cell: ({ agreed_offer: agreed, offer, currency }) => (
            <span title={agreed == null ? undefined : t('agreed')}>
              {formatAmount(agreed ?? offer.recommended_offer, currency)}
            </span>
          ),
        },
        {
          title: t('outcomes:title'),
          cell: (appraisal) => (
            <div className="outcome-cell">
              {appraisal.outcome || appraisal.declined ? <OutcomeBadge appraisal={appraisal} /> : null}
              <OutcomeButtons appraisal={appraisal} />
            </div>
          ),
        },
      ]}
    />
  )
}
