import { useQuery } from '@tanstack/react-query'
import i18next from 'i18next'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { ClearanceWire, LookupResultWire } from '../../../src/contract/lookups.ts'
import { codeTexts } from '../../codes.ts'
import { formatPercent, formatRelativeTime, formatTime } from '../../format.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Breadcrumbs, Card, Fact, PageHeader } from '../../ui/page.tsx'
import { ScoreRing } from '../../ui/score-ring.tsx'
import { EmptyState, ErrorMessage, QueryView } from '../../ui/states.tsx'
import { counterUrl } from '../counter/deal.ts'
import { WatchButton } from '../watches/watch-button.tsx'
import { lookupQuery, useIdentifierCheck } from './identifier-check.ts'
import { identifiersOf, isProbableTypo, isUnchecked, riskTone, statusText } from './risk-badge.tsx'

/** Advice for a lookup; old records have no recommendation, only a level. */
const adviceOf = ({ recommendation, risk_level: level }: LookupResultWire) =>
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

function Suggestions({ lookup }: { lookup: LookupResultWire }) {
  const { t } = useTranslation('lookups')
  const { check, busy, error } = useIdentifierCheck()
  if (!lookup.suggested_identifiers?.length) return null
  return (
    <Card title={t('lookup.suggested')} note={t('lookup.suggestedNote')}>
      <div className="actions">
        {lookup.suggested_identifiers.map((identifier) => (
          <Button key={identifier} isBusy={busy} onClick={() => check(identifier, '')}>
            {t('lookup.checkThis', { identifier })}
          </Button>
        ))}
      </div>
      <ErrorMessage error={error} />
    </Card>
  )
}

export function LookupPage({ id }: { id: string }) {
  const { t } = useTranslation('lookups')
  const query = useQuery(lookupQuery(id))
  return (
    <QueryView
      query={query}
      skeletonLines={8}
      title={t('lookup.title')}
      notFound={
        <EmptyState title={t('lookup.notFound')} hint={<Link to="/dashboard/lookups">{t('history.title')}</Link>} />
      }
    >
      {(lookup) => <LookupView lookup={lookup} />}
    </QueryView>
  )
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
const hasOutsideSource = ({ source }: LookupResultWire) =>
  source.split('+').some((name) => name !== 'none' && name !== 'registry')

function LookupView({ lookup }: { lookup: LookupResultWire }) {
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
  // Without a check there is no score: it would be the risk of not knowing.
  const isOpen = isUnchecked(lookup)
  const ring = isTypo ? (
    <ScoreRing value={100} tone="warn">
      <strong>?</strong>
    </ScoreRing>
  ) : (
    <ScoreRing value={lookup.risk_score} tone={riskTone(lookup)}>
      <strong>{lookup.risk_score}</strong>
      <span>{t('lookup.of100')}</span>
    </ScoreRing>
  )
  return (
    <>
      <Breadcrumbs
        label={t('lookup.breadcrumb')}
        links={[['/dashboard/lookups', t('history.title')]]}
        here={lookup.lookup_id}
      />
      <PageHeader
        title={identifiersOf(lookup)}
        lead={t('lookup.lead', {
          type: codeTexts().identifierType(lookup.identifier_type),
          time: formatTime(lookup.timestamp),
          name: lookup.created_by.name,
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
        {isOpen ? null : ring}
        <div className="verdict-text">
          <p className="verdict-level">
            {isOpen ? <Badge tone="plain">{statusText('unknown')}</Badge> : null}{' '}
            {isOpen ? null : (
              <Badge tone={riskTone(lookup)}>
                {isTypo ? t('badge.checkNumber') : codeTexts().riskLevel(lookup.risk_level)}
              </Badge>
            )}
          </p>
          <p>{t(`lookup.advice.${adviceOf(lookup)}`)}</p>
          {lookup.cleared_by.map((clearance) => (
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
              <Fact key={name} name={name}>
                <Badge tone={tone}>{value}</Badge>
              </Fact>
            ))}
            <Fact name={t('lookup.fact.carrier')}>{lookup.carrier_name ?? t('common:time.unknown')}</Fact>
          </dl>
        </Card>
        <Card title={t('lookup.factors')} note={t(isTypo ? 'lookup.factorsTypo' : 'lookup.factorsNote')}>
          <DataTable
            label={t('lookup.reasons')}
            rows={lookup.risk_factors}
            rowKey={({ code, source }) => `${code} ${source}`}
            columns={[
              { title: t('column.points'), cell: ({ points }) => points },
              {
                title: t('column.reason'),
                cell: (factor) => (
                  <>
                    {codeTexts().riskFactor(factor)}
                    <div className="muted">{factor.code}</div>
                  </>
                ),
              },
              {
                title: t('column.source'),
                cell: ({ source, observed_at: at }) => (
                  <>
                    {source === 'identifier' ? t('lookup.ownNumber') : source}
                    {at ? <div className="muted">{formatTime(at)}</div> : null}
                  </>
                ),
              },
            ]}
          />
        </Card>
      </div>
    </>
  )
}
