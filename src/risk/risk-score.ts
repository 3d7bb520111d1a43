import { isPseudoEsn } from '../identifier/esn.ts'
import { type Identifier, isCheckDigitValid } from '../identifier/identifier.ts'
import type { IdentifierSuggestion } from '../identifier/identifier-suggestions.ts'
import { isNeverAllocated, isSampleImei } from '../identifier/imei.ts'
import { impossibleSerialReason } from '../identifier/impossible-serial.ts'
import { findImsiNetwork, type ImsiNetwork } from '../identifier/imsi.ts'
import { isMeidRegion } from '../identifier/meid.ts'
import { describeOtherNumber } from '../identifier/other-numbers.ts'
import { allocationLagDays, isTestTac, reportingBodyStatus } from '../identifier/reporting-body.ts'
import { type DecodedSerial, describeDecodedSerial } from '../identifier/serial-number.ts'
import { DAY_MS } from '../lib/time.ts'
import { compareFactors, type FactorCode, findFactor } from './risk-factors.ts'
import type { CombinedFacts } from './source-facts.ts'
import { isSandboxIdentifier } from './sources/sandbox-identifiers.ts'

export type RiskFactor = {
  readonly code: FactorCode
  readonly points: number
  readonly message: string
  /** Name of a source, or `identifier` for findings from the identifier itself. */
  readonly source: string
  readonly observedAt: number | null
}

/** Facts about the type allocation code. */
export type TacStatus = {
  readonly isListed: boolean
  /** Only with a complete allocation list a missing TAC is suspicious; the bundled data is not complete. */
  readonly isListComplete: boolean
  /** When this TAC was first looked up; null if this is the first time. */
  readonly firstSeenAt: number | null
  /** Who confirmed its model, a sentence for each model. */
  readonly confirmations?: readonly string[]
}

export type RiskEvidence = {
  readonly identifier: Identifier
  readonly combinedFacts: CombinedFacts
  readonly tac: TacStatus
  readonly suggestions: readonly IdentifierSuggestion[]
  readonly isSerialRandomised: boolean
  /** Decoded serial number, in the known formats of manufacturers. */
  readonly decodedSerials?: readonly DecodedSerial[]
  readonly now: number
}

const MAX_SCORE = 100

/** Deterministic: the same evidence gives the same factors in the order of the table. */
export function collectFactors(evidence: RiskEvidence): readonly RiskFactor[] {
  const factors: RiskFactor[] = [...identifierFactors(evidence), ...sourceFactors(evidence.combinedFacts)]
  if (isBlacklistUnverified(evidence)) factors.push(makeFactor('blacklist_unverified'))
  factors.push(makeFactor('baseline'))
  return factors.sort(compareFactors)
}

export function totalScore(factors: readonly Pick<RiskFactor, 'points'>[]): number {
  return Math.min(
    MAX_SCORE,
    factors.reduce((sum, { points }) => sum + points, 0),
  )
}

/** Identifiers that are never called clean: a source may be speaking of another device. */
export function isUnreliableIdentifier(identifier: Identifier): boolean {
  const { type, form, key } = identifier
  if (
    !isCheckDigitValid(identifier) ||
    form === 'near-imei' ||
    form === 'other-number' ||
    findImsiNetwork(identifier) !== null
  )
    return true
  switch (type) {
    case 'imei':
      return isTestTac(key) || isNeverAllocated(key) || isSampleImei(identifier)
    case 'meid':
      return isNeverAllocated(key)
    case 'esn':
      return isPseudoEsn(key) || isNeverAllocated(key)
    case 'serial':
      return impossibleReason(identifier) !== null
  }
}

/** Test identifiers are words on purpose. */
function impossibleReason(identifier: Identifier): string | null {
  return isSandboxIdentifier(identifier) ? null : impossibleSerialReason(identifier.key)
}

/** The statuses without `clean` where the identifier is unreliable. */
export function withoutUnreliableClean(combined: CombinedFacts, identifier: Identifier): CombinedFacts {
  if (!isUnreliableIdentifier(identifier)) return combined
  return {
    ...combined,
    blacklist: combined.blacklist === 'clean' ? 'unknown' : combined.blacklist,
    gsma: combined.gsma === 'clean' ? 'unknown' : combined.gsma,
    ctia: combined.ctia === 'clean' ? 'unknown' : combined.ctia,
    clearedBy: [],
  }
}

export function makeFactor(
  code: FactorCode,
  overrides: { message?: string; source?: string; observedAt?: number | null } = {},
): RiskFactor {
  const { points, message } = findFactor(code)
  const { source = 'identifier', observedAt = null } = overrides
  return { code, points, message: overrides.message ?? message, source, observedAt }
}

function isBlacklistUnverified({ combinedFacts: combined, identifier }: RiskEvidence): boolean {
  return withoutUnreliableClean(combined, identifier).blacklist === 'unknown'
}

function sourceFactors(combined: CombinedFacts): RiskFactor[] {
  return [
    ...combined.findings.map(({ code, source, observedAt }) => makeFactor(code, { source, observedAt })),
    ...combined.unavailableSources.map((source) =>
      makeFactor('source_unavailable', { source, message: `The source "${source}" was unavailable.` }),
    ),
  ]
}

function identifierFactors(evidence: RiskEvidence): RiskFactor[] {
  const { identifier, suggestions } = evidence
  const { key, type } = identifier
  if (type === 'serial') return serialFactors(evidence)
  const imsi = findImsiNetwork(identifier)
  if (imsi) return [makeFactor('looks_like_imsi', { message: imsiMessage(imsi) })]
  const factors: RiskFactor[] = []
  if (!isCheckDigitValid(identifier)) {
    const { checkDigit, expectedCheckDigit } = identifier
    const message = `Check the number: its check digit is ${checkDigit} and should be ${expectedCheckDigit}.${suggestionText(suggestions)}`
    factors.push(makeFactor('check_digit_mismatch', { message }))
  }
  if (isNeverAllocated(key)) factors.push(makeFactor('impossible_identifier'))
  if (type === 'esn') {
    if (isPseudoEsn(key)) factors.push(makeFactor('pseudo_esn'))
    return isNeverAllocated(key) ? factors : [...factors, makeFactor('tac_not_listed', { message: NO_MODEL_OF_ESN })]
  }
  if (type === 'meid') {
    return isMeidRegion(key) ? factors : [...factors, makeFactor('unallocated_reporting_body')]
  }
  if (isSampleImei(identifier)) factors.push(makeFactor('sample_identifier'))
  const status = reportingBodyStatus(key)
  if (isTestTac(key)) factors.push(makeFactor('test_identifier'))
  else if (status === 'unallocated') {
    const { message } = findFactor('unallocated_reporting_body')
    // Already covered by the check digit finding.
    const hint = isCheckDigitValid(identifier) ? suggestionText(suggestions) : ''
    factors.push(makeFactor('unallocated_reporting_body', { message: message + hint }))
    // The TAC of a mistyped number may be mistyped as well.
  } else if (isCheckDigitValid(identifier)) factors.push(...tacFactors(evidence))
  return factors
}

const NO_MODEL_OF_ESN = 'An ESN has no type allocation code, so no database tells its model.'

function serialFactors({
  identifier,
  suggestions,
  isSerialRandomised,
  decodedSerials = [],
}: RiskEvidence): RiskFactor[] {
  const otherNumber = describeOtherNumber(identifier.text)
  if (otherNumber !== null) return [makeFactor('not_an_identifier', { message: otherNumber })]
  const impossible = impossibleReason(identifier)
  if (impossible !== null) return [makeFactor('impossible_identifier', { message: impossible })]
  if (identifier.form === 'near-imei')
    return [makeFactor('not_an_imei', { message: nearImeiMessage(identifier, suggestions) })]
  const decodings = decodedSerials.map(describeDecodedSerial).filter((sentence) => sentence !== null)
  if (decodings.length > 0) return [makeFactor('serial_read', { message: decodings.join(' ') })]
  return isSerialRandomised ? [makeFactor('randomised_serial')] : []
}

/** A missing TAC means little for a retired reporting body or with an incomplete list. */
function tacFactors({ identifier, tac, now }: RiskEvidence): RiskFactor[] {
  if (tac.confirmations?.length) return tac.confirmations.map((message) => makeFactor('tac_confirmed', { message }))
  if (tac.isListed) return []
  const lagDays = allocationLagDays(identifier.key)
  const seenForMs = tac.firstSeenAt === null ? 0 : now - tac.firstSeenAt
  const isOverdue = tac.isListComplete && lagDays !== null && seenForMs > lagDays * DAY_MS
  return [makeFactor(isOverdue ? 'tac_unknown' : 'tac_not_listed')]
}

function nearImeiMessage({ text }: Identifier, suggestions: readonly IdentifierSuggestion[]): string {
  const letters = text.replace(/\d/g, '')
  const missing = 15 - text.length
  const problem =
    letters === ''
      ? `it has ${text.length} digits, and an IMEI has 15${missing > 0 ? `: ${missing} ${missing === 1 ? 'is' : 'are'} missing` : ''}.`
      : `it has ${text.length} characters with ${[...letters].join(', ')} among them, and an IMEI has 15 digits.`
  return `Check the number: ${problem}${suggestionText(suggestions)} On a phone, *#06# shows the IMEI. If it is a serial number, send identifier_type "serial".`
}

function imsiMessage({ country, network }: ImsiNetwork): string {
  return `It begins like the SIM cards of ${country} (${network}) and is probably an IMSI, which names no device. On a phone, *#06# shows the IMEI.`
}

function suggestionText(suggestions: readonly IdentifierSuggestion[]): string {
  if (suggestions.length === 0) return ''
  return ` Probably meant: ${suggestions.map(({ text, typo }) => `${text} (${TYPO_TEXTS[typo]})`).join(', ')}.`
}

const TYPO_TEXTS: Readonly<Record<IdentifierSuggestion['typo'], string>> = {
  swap: 'two neighbours swapped',
  digit: 'one digit mistyped',
  check_digit: 'last digit mistyped',
  misread: 'characters misread, lost or added',
  leading_zero: 'leading zero lost',
}
