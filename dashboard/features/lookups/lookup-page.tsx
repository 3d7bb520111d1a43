import { useQuery } from '@tanstack/react-query'
import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { ClearanceWire, LookupRecordWire } from '../../../src/contract/lookups.ts'
import { codeTexts } from '../../codes.ts'
import { formatPercent, formatRelativeTime, formatTime } from '../../format.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ApiCallPanel } from '../../ui/code-block.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { ScoreRing } from '../../ui/score-ring.tsx'
import { EmptyState, ErrorMessage, LoadingSkeleton } from '../../ui/states.tsx'
import { counterUrl } from '../counter/deal.ts'
import { WatchButton } from '../watches/watch-button.tsx'
import { lookupQuery, useIdentifierCheck } from './identifier-check.ts'
import { isProbableTypo, riskTone, statusText } from './risk-badge.tsx'

/** Advice for a lookup; old records have no recommendation, only a level. */
const adviceOf = ({ recommendation, risk_level: level }: LookupRecordWire) =>
  recommendation === 'recheck_identifier' ? 'recheck' : level

function clearanceText({ source, list, area, entries, updated_at: updatedAt }: ClearanceWire): string {
  return [
    list ?? source,
    area,
    entries === null ? null : i18next.t('lookups:lookup.entries', { count: entries }),
    updatedAt === null ? null : i18next.t('lookups:lookup.updated', { when: formatRelativeTime(updatedAt) }),
  ]
    .filter((part) => part !== null)
    .join(', ')
}

function Suggestions({ lookup }: { lookup: LookupRecordWire }) {
  const { t } = useTranslation('lookups')
  const { check, busy, error } = useIdentifierCheck()
  if (!lookup.suggested_identifiers?.length) return null
  return (
    <Card title={t('lookup.suggested')} note={t('lookup.suggestedNote')}>
      <p className="suggestions">
        {lookup.suggested_identifiers.map((identifier) => (
          <Button key={identifier} isBusy={busy} onClick={() => check(identifier, '')}>
            {t('lookup.checkThis', { identifier })}
          </Button>
        ))}
      </p>
      {error ? <ErrorMessage error={error} /> : null}
    </Card>
  )
}

export function LookupPage({ id }: { id: string }) {
  const { t } = useTranslation('lookups')
  const result = useQuery(lookupQuery(id))
  if (result.error?.code === 'NOT_FOUND') {
    return (
      <>
        <PageHeader title={t('lookup.title')} />
        <EmptyState title={t('lookup.notFound')} hint={<Link to="/dashboard/lookups">{t('history.title')}</Link>} />
      </>
    )
  }
  if (!result.data) {
    return (
      <>
        <PageHeader title={t('lookup.title')} />
        {result.error ? <ErrorMessage error={result.error} onRetry={result.refetch} /> : <LoadingSkeleton lines={8} />}
      </>
    )
  }
  return <LookupView lookup={result.data.data} response={result.data.rawBody} />
}

function statusTone(status: string): Tone {
  if (status === 'clean' || status === 'unlocked') return 'good'
  if (status === 'unknown') return 'plain'
  return status === 'pending' || status === 'locked' ? 'warn' : 'bad'
}

/** False in a lookup means "no evidence": only a source that answered makes it a "no". */
function evidence(isReported: boolean, yes: string, no: string | null): readonly [string, Tone] {
  if (isReported) return [yes, 'bad']
  return no === null ? [statusText('unknown'), 'plain'] : [no, 'plain']
}

/** Sources that know more than lists and the identifier itself. */
const hasOutsideSource = ({ source }: LookupRecordWire) =>
  source.split('+').some((name) => name !== 'none' && name !== 'registry')

function LookupView({ lookup, response }: { lookup: LookupRecordWire; response: string | undefined }) {
  const { t } = useTranslation(['lookups', 'common'])
  const { device_match: match } = lookup
  const status = (name: string, value: string) => [name, statusText(value), statusTone(value)] as const
  const reported = lookup.blacklist_status === 'clean' ? t('lookup.notReported') : null
  const locked = hasOutsideSource(lookup) ? t('lookup.noEvidence') : null
  const facts: readonly (readonly [string, string, Tone])[] = [
    status(t('column.blacklist'), lookup.blacklist_status),
    status(t('lookup.fact.gsma'), lookup.gsma_status),
    status(t('lookup.fact.ctia'), lookup.ctia_status),
    status(t('lookup.fact.carrierLock'), lookup.carrier_lock),
    [t('lookup.fact.lostStolen'), ...evidence(lookup.reported_lost_stolen, t('lookup.yes'), reported)],
    [t('lookup.fact.activationLock'), ...evidence(lookup.activation_lock, t('lookup.on'), locked)],
  ]
  const isTypo = isProbableTypo(lookup)
  return (
    <>
      <nav className="crumbs" aria-label={t('lookup.breadcrumb')}>
        <Link to="/dashboard/lookups">{t('history.title')}</Link>
        <span aria-current="page">{lookup.lookup_id}</span>
      </nav>
      <PageHeader
        title={lookup.identifier}
        lead={t('lookup.lead', {
          type: lookup.identifier_type.toUpperCase(),
          time: formatTime(lookup.timestamp),
        })}
      >
        <Link className="button button-primary" to={counterUrl({ lookup: lookup.lookup_id })}>
          {t('lookup.appraise')}
        </Link>
        {isTypo ? null : (
          <WatchButton subject={{ identifier: lookup.identifier, identifier_type: lookup.identifier_type }} />
        )}
        <Link className="button button-plain" to="/dashboard/check">
          {t('lookup.another')}
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
            <span>{t('lookup.of100')}</span>
          </ScoreRing>
        )}
        <div>
          <p className="verdict-level">
            <Badge tone={riskTone(lookup)}>
              {isTypo ? t('badge.checkNumber') : codeTexts().riskLevel(lookup.risk_level)}
            </Badge>
          </p>
          <p>{t(`lookup.advice.${adviceOf(lookup)}`)}</p>
          {lookup.cleared_by?.map((clearance) => (
            <p key={`${clearance.source} ${clearance.list}`}>
              {t('lookup.cleared', { list: clearanceText(clearance) })}
            </p>
          ))}
          {lookup.evidence?.map(({ source, evidence_id: id, checked_at: at }) => (
            <p key={source}>{t('lookup.evidence', { source, id, time: formatTime(at) })}</p>
          ))}
          <p className="muted">
            {[
              lookup.source === 'none'
                ? t('lookup.noSource')
                : t('lookup.sources', { names: lookup.source.replaceAll('+', ', ') }),
              t(`lookup.freshness.${lookup.freshness}`),
              lookup.cache_age_minutes === null ? '' : t('lookup.age', { count: lookup.cache_age_minutes }),
            ]
              .filter(Boolean)
              .join(' · ')}
          </p>
        </div>
        <div className="match">
          <h2>{t('column.device')}</h2>
          {match.matched_device_id ? (
            <p>
              <Link to={`/dashboard/devices/${match.matched_device_id}`}>{match.matched_device_name}</Link>
              {match.matched_variant_name ? ` (${match.matched_variant_name})` : ''}
            </p>
          ) : (
            <p>{match.matched_device_name ?? t('unknownDevice')}</p>
          )}
          <p className="muted">{t('lookup.confidence', { percent: formatPercent(match.confidence / 100) })}</p>
        </div>
      </div>
      <Suggestions lookup={lookup} />
      <div className="columns">
        <Card title={t('lookup.status')}>
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
              <dt>{t('lookup.fact.carrier')}</dt>
              <dd>{lookup.carrier_name ?? t('common:time.unknown')}</dd>
            </div>
          </dl>
        </Card>
        <Card title={t('lookup.factors')} note={t(isTypo ? 'lookup.factorsTypo' : 'lookup.factorsNote')}>
          <DataTable label={t('lookup.reasons')} head={[t('column.points'), t('column.reason'), t('column.source')]}>
            {lookup.risk_factors.map((factor) => (
              <tr key={`${factor.code} ${factor.source}`}>
                <td data-label={t('column.points')}>{factor.points}</td>
                <td data-label={t('column.reason')}>
                  {codeTexts().riskFactor(factor)}
                  <div className="muted">{factor.code}</div>
                </td>
                <td data-label={t('column.source')}>
                  {factor.source === 'identifier' ? t('lookup.ownNumber') : factor.source}
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
        response={response ?? JSON.stringify({ success: true, data: lookup, timestamp: lookup.timestamp })}
      />
    </>
  )
}
