import { useEffect, useState } from 'react'
import { Link } from 'wouter'
import { deviceTitle } from '../../../src/appraisal/device-title.ts'
import type { AppraisalDecision, AppraisalWire } from '../../../src/contract/appraisal.ts'
import type { AppraisedDeviceWire } from '../../../src/contract/dashboard.ts'
import { formatAmount, formatTime } from '../../format.ts'
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
import { DECISION_LABELS } from '../counter/decision-labels.ts'
import { RiskBadge } from '../lookups/risk-badge.tsx'

const FILTERS = ['decision', 'device', 'reference', 'day'] as const
const TYPING_PAUSE_MS = 250

export function AppraisalsPage() {
  const [query, change] = useFilters()
  const mayAppraise = useHasTier('paid')
  const mayExport = useHasRole('manager')
  const narrowed = new URLSearchParams()
  for (const name of FILTERS) {
    const value = query.get(name)
    if (value) narrowed.set(name, value)
  }
  const isNarrowed = narrowed.size > 0
  const position = new URLSearchParams({ page: query.get('page') ?? '', after: query.get('after') ?? '' })
  const result = useApiQuery<AppraisalWire[]>(mayAppraise ? `/account/appraisals?${position}&${narrowed}` : null)
  return (
    <>
      <PageHeader title="Appraisals" lead="All appraisals of your organization, newest first.">
        <Link className="button button-primary" to="/dashboard/counter">
          Appraise
        </Link>
        {mayExport ? (
          <a className="button button-plain" href={`/account/appraisals.csv?${narrowed}`} download>
            Download CSV
          </a>
        ) : null}
      </PageHeader>
      {mayAppraise ? (
        <>
          <Filters />
          <Card>
            <QueryView query={result} skeletonLines={6}>
              {(appraisals, { meta }) =>
                appraisals.length === 0 ? (
                  <EmptyState title={isNarrowed ? 'No appraisals match' : 'No appraisals yet'}>
                    <p>
                      <Link to="/dashboard/counter">Appraise a device</Link>
                    </p>
                  </EmptyState>
                ) : (
                  <>
                    <AppraisalsTable appraisals={appraisals} />
                    {meta ? <Pagination meta={meta} onChange={change} /> : null}
                  </>
                )
              }
            </QueryView>
          </Card>
        </>
      ) : (
        <EmptyState title="Appraisals need the Paid tier" />
      )}
    </>
  )
}

function Filters() {
  const [query, change] = useFilters()
  const devices = useApiQuery<AppraisedDeviceWire[]>('/account/appraisals/devices')
  const choose = (name: string, value: string) => change({ [name]: value, page: '' }, { replace: true })
  return (
    <div className="filters">
      <label>
        <span className="visually-hidden">Decision</span>
        <select value={query.get('decision') ?? ''} onChange={(event) => choose('decision', event.target.value)}>
          <option value="">Decision: all</option>
          {(Object.keys(DECISION_LABELS) as AppraisalDecision[]).map((decision) => (
            <option key={decision} value={decision}>
              {DECISION_LABELS[decision].word}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span className="visually-hidden">Device</span>
        <select value={query.get('device') ?? ''} onChange={(event) => choose('device', event.target.value)}>
          <option value="">Device: all</option>
          {(devices.data?.data ?? []).map((one) => (
            <option key={one.device_id} value={one.device_id}>
              {one.device_name} ({one.total})
            </option>
          ))}
        </select>
      </label>
      <ReferenceFilter chosen={query.get('reference') ?? ''} choose={(text) => choose('reference', text)} />
      <label>
        <span className="visually-hidden">Day</span>
        <input type="date" value={query.get('day') ?? ''} onChange={(event) => choose('day', event.target.value)} />
      </label>
    </div>
  )
}

function ReferenceFilter({ chosen, choose }: { chosen: string; choose: (text: string) => void }) {
  const [text, setText] = useState(chosen)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the text changes
  useEffect(() => {
    if (text === chosen) return
    const timer = setTimeout(() => choose(text), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <label>
      <span className="visually-hidden">Reference</span>
      <input
        type="search"
        placeholder="Reference (exact)"
        maxLength={100}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </label>
  )
}

export function AppraisalsTable({ appraisals }: { appraisals: readonly AppraisalWire[] }) {
  return (
    <TableScroll label="Appraisals" asCards>
      <table>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Device</th>
            <th scope="col">Reference</th>
            <th scope="col">Grade</th>
            <th scope="col">Risk</th>
            <th scope="col">Decision</th>
            <th scope="col" className="number">
              Offer
            </th>
          </tr>
        </thead>
        <tbody>
          {appraisals.map((one) => (
            <tr key={one.appraisal_id}>
              <td data-label="When" className="nowrap">
                {formatTime(one.timestamp)}
              </td>
              <td data-label="Device">
                <Link to={`/dashboard/appraisals/${one.appraisal_id}`}>{deviceTitle(one.identity)}</Link>
              </td>
              <td data-label="Reference">{one.reference ?? '–'}</td>
              <td data-label="Grade">
                {one.offer.condition ?? '–'}
                {one.defects.length > 0 ? <span className="muted"> {one.defects.length} defects</span> : null}
              </td>
              <td data-label="Risk">
                {one.risk ? <RiskBadge lookup={one.risk} /> : <span className="muted">Not checked</span>}
              </td>
              <td data-label="Decision">
                {one.declined ? (
                  <Badge tone="plain">Declined</Badge>
                ) : (
                  <Badge tone={DECISION_LABELS[one.offer.decision].tone}>
                    {DECISION_LABELS[one.offer.decision].word}
                  </Badge>
                )}
              </td>
              <td data-label="Offer" className="number">
                {formatAmount(one.agreed_offer ?? one.offer.recommended_offer, one.currency)}
                {one.agreed_offer == null ? null : <div className="muted">agreed</div>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  )
}
