import type { Identifier } from '../identifier/identifier.ts'
import { MINUTE_MS } from '../lib/time.ts'

/** Facts of a source about a device. `null` means "not stated", never "no". */

const BLACKLIST_FINDINGS = [
  'reported_lost_stolen',
  'fraud',
  'lost_mode',
  'duplicate',
  'blacklisted',
  'barred_tac',
  'non_payment',
] as const

/** Findings of a source; each has a line in the factor table. */
export const FINDING_CODES = [
  ...BLACKLIST_FINDINGS,
  'activation_lock',
  'report_pending',
  'model_mismatch',
  'mdm_lock',
  'carrier_locked',
  'registered',
] as const
export type FindingCode = (typeof FINDING_CODES)[number]

export type RiskFinding = { readonly code: FindingCode; readonly observedAt: number | null }

export type SourceFacts = {
  readonly blacklist: 'clean' | 'blacklisted' | 'pending' | null
  readonly gsma: 'clean' | 'blacklisted' | null
  readonly ctia: 'clean' | 'lost_stolen' | null
  readonly carrierLock: 'locked' | 'unlocked' | null
  readonly carrierName: string | null
  readonly findings: readonly RiskFinding[]
  /** Reference of the check at the source; absent if the source gives none. */
  readonly evidenceId?: string | null
}

export const NO_FACTS: SourceFacts = {
  blacklist: null,
  gsma: null,
  ctia: null,
  carrierLock: null,
  carrierName: null,
  findings: [],
}

/** Adverse statuses of a source in one line, the same for the same facts; null if there are none. */
export function sourceStatus({ blacklist, gsma, ctia, findings }: SourceFacts): string | null {
  const statuses = new Set<string>()
  if (blacklist === 'blacklisted' || gsma === 'blacklisted') statuses.add('blacklisted')
  if (blacklist === 'pending') statuses.add('pending')
  if (ctia === 'lost_stolen') statuses.add('lost_stolen')
  for (const { code } of findings) statuses.add(code)
  return statuses.size === 0 ? null : [...statuses].sort().join(', ')
}

/** Evidence for a `clean` status: the list that does not contain the identifier. */
export type Clearance = {
  readonly source: string
  readonly list: string | null
  /** Area covered by the list. */
  readonly area: string | null
  readonly entries: number | null
  /** When the list was imported, or when an outside source responded. */
  readonly updatedAt: number
}

/** By which a source finds its check again, for a dispute. */
export type Evidence = { readonly source: string; readonly evidenceId: string; readonly checkedAt: number }

export type SourceResponse = {
  readonly state: 'answered'
  readonly source: string
  readonly facts: SourceFacts
  /** The lists behind a `clean` status; if unknown, the source itself. */
  readonly clearances?: readonly Clearance[]
  /** Age of the facts; null if the source was queried now. */
  readonly ageMs: number | null
  /** Older than the source allows; used because the source is unavailable. */
  readonly isStale: boolean
}
export type SourceUnavailable = { readonly state: 'unavailable'; readonly source: string }
export type SourceResult = SourceResponse | SourceUnavailable

/** A source of facts about a device. */
export type RiskSource = {
  readonly name: string
  /** Never rejects: a failure is part of the result. `null` if it does not cover identifiers of this kind. */
  readonly lookUp: (identifier: Identifier, now: number) => Promise<SourceResult | null>
}

export type FactsFreshness = {
  readonly freshness: 'real-time' | 'cached' | 'stale'
  readonly ageMinutes: number | null
}

export type CombinedFacts = {
  readonly blacklist: 'clean' | 'blacklisted' | 'pending' | 'unknown'
  readonly gsma: 'clean' | 'blacklisted' | 'unknown'
  readonly ctia: 'clean' | 'lost_stolen' | 'unknown'
  readonly carrierLock: 'locked' | 'unlocked' | 'unknown'
  readonly carrierName: string | null
  /** Empty exactly if no status is clean. */
  readonly clearedBy: readonly Clearance[]
  /** References of the checks, of the sources that give one. */
  readonly evidence: readonly Evidence[]
  /** Each code once, with all its sources. */
  readonly findings: readonly (RiskFinding & { readonly source: string })[]
  readonly unavailableSources: readonly string[]
  /** Names of the sources that responded, joined by `+`; `none` if none did. */
  readonly source: string
} & FactsFreshness

/** The worse status wins; without a statement it is unknown. */
export function combineFacts(results: readonly SourceResult[], now: number): CombinedFacts {
  const responses = results.filter((result) => result.state === 'answered')
  const statuses = <Key extends keyof SourceFacts>(key: Key) =>
    new Set(responses.map((response) => response.facts[key]))
  const gsma = worstStatus(statuses('gsma'), ['blacklisted', 'clean'] as const)
  const ctia = worstStatus(statuses('ctia'), ['lost_stolen', 'clean'] as const)
  const isListed = gsma === 'blacklisted' || ctia === 'lost_stolen'
  const blacklist = isListed
    ? 'blacklisted'
    : worstStatus(statuses('blacklist'), ['blacklisted', 'pending', 'clean'] as const)
  return {
    blacklist,
    gsma,
    ctia,
    clearedBy: validClearances(responses, { blacklist, gsma, ctia }, now),
    carrierLock: worstStatus(statuses('carrierLock'), ['locked', 'unlocked'] as const),
    carrierName: responses.find((response) => response.facts.carrierName !== null)?.facts.carrierName ?? null,
    evidence: responses.flatMap(({ source, facts: { evidenceId }, ageMs }) =>
      evidenceId ? [{ source, evidenceId, checkedAt: now - (ageMs ?? 0) }] : [],
    ),
    findings: mergeFindings(responses),
    unavailableSources: results.filter((result) => result.state === 'unavailable').map((result) => result.source),
    source: responses.length === 0 ? 'none' : responses.map((response) => response.source).join('+'),
    ...oldestFreshness(responses),
  }
}

function worstStatus<Status extends string>(statuses: ReadonlySet<string | null>, worstFirst: readonly Status[]) {
  return worstFirst.find((status) => statuses.has(status)) ?? ('unknown' as const)
}

/** Evidence of the sources that said `clean`, unless another source reported a worse status. */
function validClearances(
  responses: readonly SourceResponse[],
  statuses: Pick<CombinedFacts, 'blacklist' | 'gsma' | 'ctia'>,
  now: number,
): readonly Clearance[] {
  const cleanLists = (['blacklist', 'gsma', 'ctia'] as const).filter((status) => statuses[status] === 'clean')
  return responses
    .filter(({ facts }) => cleanLists.some((status) => facts[status] === 'clean'))
    .flatMap(({ source, clearances, ageMs }) => {
      const sourceClearance = { source, list: null, area: null, entries: null, updatedAt: now - (ageMs ?? 0) }
      return clearances ?? [sourceClearance]
    })
}

/** The same finding from two sources counts once and lists both; the latest date is kept. */
function mergeFindings(responses: readonly SourceResponse[]): CombinedFacts['findings'] {
  const merged = new Map<FindingCode, RiskFinding & { source: string }>()
  for (const { source, facts } of responses) {
    for (const { code, observedAt } of withImpliedFindings(facts)) {
      const previous = merged.get(code)
      const sources = previous && previous.source !== source ? `${previous.source}+${source}` : source
      merged.set(code, { code, source: sources, observedAt: latestInstant(previous?.observedAt ?? null, observedAt) })
    }
  }
  return [...merged.values()]
}

function latestInstant(left: number | null, right: number | null): number | null {
  return left === null ? right : right === null ? left : Math.max(left, right)
}

const BLACKLIST_REASONS: ReadonlySet<FindingCode> = new Set(BLACKLIST_FINDINGS)

/** A bad status always has a finding, so that its score is never too low. */
function withImpliedFindings(facts: SourceFacts): readonly RiskFinding[] {
  const findings = [...facts.findings]
  const has = (code: FindingCode) => findings.some((finding) => finding.code === code)
  const add = (code: FindingCode) => findings.push({ code, observedAt: null })
  if (facts.ctia === 'lost_stolen' && !has('reported_lost_stolen')) add('reported_lost_stolen')
  const isListed = facts.blacklist === 'blacklisted' || facts.gsma === 'blacklisted'
  if (isListed && !findings.some((finding) => BLACKLIST_REASONS.has(finding.code))) add('blacklisted')
  if (facts.blacklist === 'pending' && !has('report_pending')) add('report_pending')
  if (facts.carrierLock === 'locked' && !has('carrier_locked')) add('carrier_locked')
  return findings
}

/** As old as the oldest fact. */
function oldestFreshness(responses: readonly SourceResponse[]): FactsFreshness {
  const aged = responses.filter((response) => response.ageMs !== null)
  if (aged.length === 0) return { freshness: 'real-time', ageMinutes: null }
  const oldestMs = Math.max(...aged.map((response) => response.ageMs ?? 0))
  return {
    freshness: aged.some((response) => response.isStale) ? 'stale' : 'cached',
    ageMinutes: Math.max(0, Math.floor(oldestMs / MINUTE_MS)),
  }
}
