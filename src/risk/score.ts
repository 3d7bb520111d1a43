import { DAY_MS } from '../time.ts'
import { byWeight, type FactorCode, weigh } from './factors.ts'
import type { Combined } from './facts.ts'
import { isPseudoEsn } from './identifier/esn.ts'
import { checkDigitHolds, type Identifier } from './identifier/identifier.ts'
import { isImpossible } from './identifier/imei.ts'
import type { Suggestion } from './identifier/likely-meant.ts'
import { isMeidRegion } from './identifier/meid.ts'
import { allocationLagDays, isTestTac, reportingBody } from './identifier/reporting-body.ts'

export type Factor = {
  readonly code: FactorCode
  readonly points: number
  readonly message: string
  /** A source, or `identifier` for what the identifier itself shows. */
  readonly source: string
  readonly observedAt: number | null
}

/** What the data on type allocation codes says about this one. */
export type TacStanding = {
  readonly known: boolean
  /** Only a full allocation list makes a missing TAC suspicious; the data on board is not one. */
  readonly listIsComplete: boolean
  /** When a lookup first brought this TAC, null when this is the first time. */
  readonly firstSeenAt: number | null
}

export type Evidence = {
  readonly identifier: Identifier
  readonly combined: Combined
  readonly tac: TacStanding
  readonly suggestions: readonly Suggestion[]
  readonly serialIsRandom: boolean
  readonly now: number
}

const HIGHEST = 100

/** The same evidence always gives the same factors in the same order: that of the table. */
export function factorsOf(evidence: Evidence): readonly Factor[] {
  const factors: Factor[] = [...ofIdentifier(evidence), ...ofSources(evidence.combined)]
  if (needsVerifying(evidence)) factors.push(factor('blacklist_unverified'))
  factors.push(factor('baseline'))
  return factors.sort(byWeight)
}

export function scoreOf(factors: readonly Pick<Factor, 'points'>[]): number {
  return Math.min(
    HIGHEST,
    factors.reduce((sum, { points }) => sum + points, 0),
  )
}

/** What can never be called clean, whatever a source says about it: it may not be this device it speaks of. */
export function isDoubtful(identifier: Identifier): boolean {
  if (!checkDigitHolds(identifier)) return true
  if (identifier.type === 'imei') return isTestTac(identifier.key) || isImpossible(identifier.key)
  if (identifier.type === 'meid') return isImpossible(identifier.key)
  return identifier.type === 'esn' && isPseudoEsn(identifier.key)
}

/** The statuses as they may be told: a doubtful identifier is never clean. */
export function tellable(combined: Combined, identifier: Identifier): Combined {
  if (!isDoubtful(identifier)) return combined
  return {
    ...combined,
    blacklist: combined.blacklist === 'clean' ? 'unknown' : combined.blacklist,
    gsma: combined.gsma === 'clean' ? 'unknown' : combined.gsma,
    ctia: combined.ctia === 'clean' ? 'unknown' : combined.ctia,
    clearedBy: [],
  }
}

function factor(
  code: FactorCode,
  more: { message?: string; source?: string; observedAt?: number | null } = {},
): Factor {
  const { points, message } = weigh(code)
  const { source = 'identifier', observedAt = null } = more
  return { code, points, message: more.message ?? message, source, observedAt }
}

function needsVerifying({ combined, identifier }: Evidence): boolean {
  return tellable(combined, identifier).blacklist === 'unknown'
}

function ofSources(combined: Combined): Factor[] {
  return [
    ...combined.findings.map(({ code, source, observedAt }) => factor(code, { source, observedAt })),
    ...combined.unavailable.map((source) =>
      factor('source_unavailable', { source, message: `The source "${source}" could not be asked.` }),
    ),
  ]
}

function ofIdentifier(evidence: Evidence): Factor[] {
  const { identifier, suggestions } = evidence
  const { key, type } = identifier
  const factors: Factor[] = []
  if (!checkDigitHolds(identifier)) {
    factors.push(factor('check_digit_mismatch', { message: mismatchMessage(identifier, suggestions) }))
  }
  if (type === 'serial') return evidence.serialIsRandom ? [factor('randomised_serial')] : []
  if (type === 'esn') return isPseudoEsn(key) ? [factor('pseudo_esn')] : []
  if (isImpossible(key)) factors.push(factor('impossible_identifier'))
  if (type === 'meid') {
    return isMeidRegion(key) ? factors : [...factors, factor('unallocated_reporting_body')]
  }
  const { standing } = reportingBody(key)
  if (isTestTac(key)) factors.push(factor('test_identifier'))
  else if (standing === 'unallocated') factors.push(factor('unallocated_reporting_body'))
  else factors.push(...ofTac(evidence))
  return factors
}

/** A missing TAC means little from a body that allocates no more, or from data that is no full list. */
function ofTac({ identifier, tac, now }: Evidence): Factor[] {
  const lagDays = allocationLagDays(identifier.key)
  if (tac.known || lagDays === null) return []
  const seenForMs = tac.firstSeenAt === null ? 0 : now - tac.firstSeenAt
  const overdue = tac.listIsComplete && seenForMs > lagDays * DAY_MS
  return [factor(overdue ? 'tac_unknown' : 'tac_not_listed')]
}

function mismatchMessage({ checkDigit, expectedCheckDigit }: Identifier, suggestions: readonly Suggestion[]): string {
  const found = `The check digit is ${checkDigit} and should be ${expectedCheckDigit}.`
  if (suggestions.length === 0) return found
  const meant = suggestions.map(({ text, slip }) => `${text} (${SLIPS[slip]})`)
  return `${found} Probably meant: ${meant.join(', ')}.`
}

const SLIPS: Readonly<Record<Suggestion['slip'], string>> = {
  swap: 'two neighbours swapped',
  digit: 'one digit mistyped',
  check_digit: 'last digit mistyped',
}
