import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { ClearanceWire, LookupRecordWire } from '../../../src/contract/lookups.ts'
import { formatRelativeTime, formatTime, pluralize } from '../../format.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ApiCallPanel } from '../../ui/code-block.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { ScoreRing } from '../../ui/score-ring.tsx'
import { EmptyState, ErrorMessage, LoadingSkeleton } from '../../ui/states.tsx'
import { counterUrl } from '../counter/deal.ts'
import { lookupQuery, useIdentifierCheck } from './identifier-check.ts'
import { isProbableTypo, riskTone, statusText } from './risk-badge.tsx'

const ADVICE: Readonly<Record<LookupRecordWire['risk_level'], string>> = {
  low: 'No problems found.',
  medium: 'Some checks are open. Read the reasons before you buy.',
  high: 'Do not buy unless the reasons are resolved.',
  critical: 'Do not buy.',
}

/** Advice for a lookup; old records have no recommendation, only a level. */
function advice({ recommendation, risk_level: level }: LookupRecordWire): string {
  return recommendation === 'recheck_identifier'
    ? 'Check the identifier: it is probably mistyped, so the score does not apply to this device.'
    : ADVICE[level]
}

function clearanceText({ source, list, area, entries, updated_at: updatedAt }: ClearanceWire): string {
  return [
    list ?? source,
    area,
    entries === null ? null : pluralize(entries, 'entry', 'entries'),
    updatedAt === null ? null : `updated ${formatRelativeTime(updatedAt)}`,
  ]
    .filter((part) => part !== null)
    .join(', ')
}

function Suggestions({ lookup }: { lookup: LookupRecordWire }) {
  const { check, busy, error } = useIdentifierCheck()
  if (!lookup.suggested_identifiers?.length) return null
  return (
    <Card title="Suggested corrections" note="Compare with the device before you choose one.">
      <p className="suggestions">
        {lookup.suggested_identifiers.map((identifier) => (
          <Button key={identifier} isBusy={busy} onClick={() => check(identifier, '')}>
            Check {identifier}
          </Button>
        ))}
      </p>
      {error ? <ErrorMessage error={error} /> : null}
    </Card>
  )
}

export function LookupPage({ id }: { id: string }) {
  const result = useQuery(lookupQuery(id))
  if (result.error?.code === 'NOT_FOUND') {
    return (
      <>
        <PageHeader title="Lookup" />
        <EmptyState title="Lookup not found">
          <p>
            <Link to="/dashboard/lookups">Lookup history</Link>
          </p>
        </EmptyState>
      </>
    )
  }
  if (!result.data) {
    return (
      <>
        <PageHeader title="Lookup" />
        {result.error ? <ErrorMessage error={result.error} onRetry={result.refetch} /> : <LoadingSkeleton lines={8} />}
      </>
    )
  }
  return <LookupView lookup={result.data.data} answer={result.data.rawBody} />
}

function statusTone(status: string): Tone {
  if (status === 'clean' || status === 'unlocked') return 'good'
  if (status === 'unknown') return 'plain'
  return status === 'pending' || status === 'locked' ? 'warn' : 'bad'
}

/** False in a lookup means "no evidence": only a source that answered makes it a "no". */
function evidence(isReported: boolean, yes: string, no: string | null): readonly [string, Tone] {
  if (isReported) return [yes, 'bad']
  return no === null ? ['Not checked', 'plain'] : [no, 'plain']
}

/** Sources that know more than lists and the identifier itself. */
const hasOutsideSource = ({ source }: LookupRecordWire) =>
  source.split('+').some((name) => name !== 'none' && name !== 'registry')

function LookupView({ lookup, answer }: { lookup: LookupRecordWire; answer: string | undefined }) {
  const { device_match: match } = lookup
  const status = (name: string, value: string) => [name, statusText(value), statusTone(value)] as const
  const reported = lookup.blacklist_status === 'clean' ? 'Not reported' : null
  const locked = hasOutsideSource(lookup) ? 'No evidence' : null
  const facts: readonly (readonly [string, string, Tone])[] = [
    status('Blacklist', lookup.blacklist_status),
    status('GSMA list', lookup.gsma_status),
    status('CTIA list', lookup.ctia_status),
    status('Carrier lock', lookup.carrier_lock),
    ['Reported lost or stolen', ...evidence(lookup.reported_lost_stolen, 'Yes', reported)],
    ['Activation lock', ...evidence(lookup.activation_lock, 'On', locked)],
  ]
  const isTypo = isProbableTypo(lookup)
  return (
    <>
      <nav className="crumbs" aria-label="Breadcrumb">
        <Link to="/dashboard/lookups">Lookup history</Link>
        <span aria-current="page">{lookup.lookup_id}</span>
      </nav>
      <PageHeader
        title={lookup.identifier}
        lead={
          <>
            {lookup.identifier_type.toUpperCase()} · checked {formatTime(lookup.timestamp)}
          </>
        }
      >
        <Link className="button button-primary" to={counterUrl({ lookup: lookup.lookup_id })}>
          Appraise
        </Link>
        <Link className="button button-plain" to="/dashboard/check">
          Check another
        </Link>
      </PageHeader>
      <div className="verdict">
        {isTypo ? (
          <ScoreRing value={100} tone="warn">
            <strong>?</strong>
          </ScoreRing>
        ) : (
          <ScoreRing value={lookup.risk_score} tone={riskTone(lookup)}>
            <strong>{lookup.risk_score}</strong>
            <span>of 100</span>
          </ScoreRing>
        )}
        <div>
          <p className="verdict-level">
            <Badge tone={riskTone(lookup)}>{isTypo ? 'Check the number' : `${lookup.risk_level} risk`}</Badge>
          </p>
          <p>{advice(lookup)}</p>
          {lookup.cleared_by?.map((clearance) => (
            <p key={`${clearance.source} ${clearance.list}`}>Cleared by {clearanceText(clearance)}</p>
          ))}
          <p className="muted">
            {lookup.source === 'none' ? 'No source responded' : `Sources: ${lookup.source.replaceAll('+', ', ')}`} ·{' '}
            {lookup.freshness}
            {lookup.cache_age_minutes === null ? '' : `, ${pluralize(lookup.cache_age_minutes, 'minute')} old`}
          </p>
        </div>
        <div className="match">
          <h2>Device</h2>
          {match.matched_device_id ? (
            <p>
              <Link to={`/dashboard/devices/${match.matched_device_id}`}>{match.matched_device_name}</Link>
              {match.matched_variant_name ? ` (${match.matched_variant_name})` : ''}
            </p>
          ) : (
            <p>{match.matched_device_name ?? 'Unknown device'}</p>
          )}
          <p className="muted">{match.confidence} % confidence</p>
        </div>
      </div>
      <Suggestions lookup={lookup} />
      <div className="columns">
        <Card title="Status">
          <dl className="facts">
            {facts.map(([name, value, tone]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <Badge tone={tone}>{value}</Badge>
                </dd>
              </div>
            ))}
            <div>
              <dt>Carrier</dt>
              <dd>{lookup.carrier_name ?? 'unknown'}</dd>
            </div>
          </dl>
        </Card>
        <Card
          title="Risk factors"
          note={
            isTypo
              ? 'They are about the number as entered, which is probably not that of the device.'
              : 'The score is the sum of the points, up to 100.'
          }
        >
          <DataTable label="Reasons" head={['Points', 'Reason', 'Source']}>
            {lookup.risk_factors.map((factor) => (
              <tr key={`${factor.code} ${factor.source}`}>
                <td data-label="Points">{factor.points}</td>
                <td data-label="Reason">
                  {factor.message}
                  <div className="muted">{factor.code}</div>
                </td>
                <td data-label="Source">
                  {factor.source}
                  {factor.observed_at ? <div className="muted">{formatTime(factor.observed_at)}</div> : null}
                </td>
              </tr>
            ))}
          </DataTable>
        </Card>
      </div>
      <ApiCallPanel
        path="imei"
        body={{ identifier: lookup.identifier, identifier_type: lookup.identifier_type }}
        answer={answer ?? JSON.stringify({ success: true, data: lookup, timestamp: lookup.timestamp })}
      />
    </>
  )
}
