import type { LookupResultWire } from '../../src/contract/imei.ts'
import { Link } from '../address.tsx'
import { type Answered, useAsk } from '../ask.ts'
import { Badge, Card, Empty, Loading, PageHead, Problem, Scroll, type Tone } from '../parts/basics.tsx'
import { Ring } from '../parts/chart.tsx'
import { CallPanel } from '../parts/code.tsx'
import { plural, spoken, time } from '../words.ts'

/** Answers this page has just been given, so that a fresh check is shown at once. Gone with the page. */
const fresh = new Map<string, Answered<LookupResultWire>>()
export function remember(answer: Answered<LookupResultWire>): void {
  fresh.clear()
  fresh.set(answer.data.lookup_id, answer)
}

export const LEVEL_TONES: Readonly<Record<LookupResultWire['risk_level'], Tone>> = {
  low: 'good',
  medium: 'warn',
  high: 'bad',
  critical: 'bad',
}

const ADVICE: Readonly<Record<LookupResultWire['risk_level'], string>> = {
  low: 'Nothing speaks against it so far.',
  medium: 'Something is open. Read the reasons before you buy.',
  high: 'Better not, unless the reasons can be cleared up.',
  critical: 'Do not buy it.',
}

export function LookupPage({ id }: { id: string }) {
  const made = fresh.get(id)
  const asked = useAsk<LookupResultWire>(made ? null : `/account/lookup?id=${encodeURIComponent(id)}`)
  const lookup = made?.data ?? asked.answer?.data
  if (asked.error?.status === 404) {
    return (
      <>
        <PageHead title="Lookup" />
        <Empty title="There is no such lookup">
          <p>
            <Link to="/dashboard/lookups">Lookup history</Link>
          </p>
        </Empty>
      </>
    )
  }
  if (!lookup) {
    return (
      <>
        <PageHead title="Lookup" />
        {asked.error ? <Problem error={asked.error} again={asked.again} /> : <Loading lines={8} />}
      </>
    )
  }
  return <LookupView lookup={lookup} answer={made?.text} />
}

function statusTone(status: string): Tone {
  if (status === 'clean' || status === 'unlocked') return 'good'
  if (status === 'unknown') return 'plain'
  return status === 'pending' || status === 'locked' ? 'warn' : 'bad'
}

function LookupView({ lookup, answer }: { lookup: LookupResultWire; answer: string | undefined }) {
  const { device_match: match } = lookup
  const facts: readonly [string, string, Tone][] = [
    ['Blacklist', lookup.blacklist_status, statusTone(lookup.blacklist_status)],
    ['GSMA list', lookup.gsma_status, statusTone(lookup.gsma_status)],
    ['CTIA list', lookup.ctia_status, statusTone(lookup.ctia_status)],
    ['Carrier lock', lookup.carrier_lock, statusTone(lookup.carrier_lock)],
    [
      'Reported lost or stolen',
      lookup.reported_lost_stolen ? 'yes' : 'no evidence',
      lookup.reported_lost_stolen ? 'bad' : 'plain',
    ],
    ['Activation lock', lookup.activation_lock ? 'on' : 'no evidence', lookup.activation_lock ? 'bad' : 'plain'],
  ]
  return (
    <>
      <nav className="crumbs" aria-label="You are here">
        <Link to="/dashboard/lookups">Lookup history</Link>
        <span aria-current="page">{lookup.lookup_id}</span>
      </nav>
      <PageHead
        title={lookup.identifier}
        lead={
          <>
            {lookup.identifier_type.toUpperCase()} · checked {time(lookup.timestamp)}
          </>
        }
      >
        <Link className="button button-main" to="/dashboard/check">
          Check another
        </Link>
      </PageHead>
      <div className="verdict">
        <Ring value={lookup.risk_score} tone={LEVEL_TONES[lookup.risk_level]}>
          <strong>{lookup.risk_score}</strong>
          <span>of 100</span>
        </Ring>
        <div>
          <p className="verdict-level">
            <Badge tone={LEVEL_TONES[lookup.risk_level]}>{lookup.risk_level} risk</Badge>
          </p>
          <p>{ADVICE[lookup.risk_level]}</p>
          <p className="soft">
            {lookup.source === 'none' ? 'No source answered' : `Sources: ${lookup.source.replaceAll('+', ', ')}`} ·{' '}
            {lookup.freshness}
            {lookup.cache_age_minutes === null ? '' : `, ${plural(lookup.cache_age_minutes, 'minute')} old`}
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
            <p>{match.matched_device_name ?? 'not recognised'}</p>
          )}
          <p className="soft">match {match.confidence} % sure</p>
        </div>
      </div>
      <div className="columns">
        <Card title="What is known">
          <dl className="facts">
            {facts.map(([name, value, tone]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <Badge tone={tone}>{spoken(value)}</Badge>
                </dd>
              </div>
            ))}
            <div>
              <dt>Carrier</dt>
              <dd>{lookup.carrier_name ?? 'unknown'}</dd>
            </div>
          </dl>
        </Card>
        <Card title="Why this score" note="The score is the sum of the points, at most 100.">
          <Scroll label="Reasons" cards>
            <table>
              <thead>
                <tr>
                  <th scope="col">Points</th>
                  <th scope="col">Reason</th>
                  <th scope="col">Said by</th>
                </tr>
              </thead>
              <tbody>
                {lookup.risk_factors.map((factor) => (
                  <tr key={`${factor.code} ${factor.source}`}>
                    <td data-label="Points">{factor.points}</td>
                    <td data-label="Reason">
                      {factor.message}
                      <div className="soft">{factor.code}</div>
                    </td>
                    <td data-label="Said by">
                      {factor.source}
                      {factor.observed_at ? <div className="soft">{time(factor.observed_at)}</div> : null}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroll>
        </Card>
      </div>
      <CallPanel
        path="imei"
        body={{ identifier: lookup.identifier, identifier_type: lookup.identifier_type }}
        answer={answer ?? JSON.stringify({ success: true, data: lookup, timestamp: lookup.timestamp })}
      />
    </>
  )
}
