import { DAY_MS } from '../time.ts'
import { byWeight, type FactorCode, weigh } from './factors.ts'
import type { Combined } from './facts.ts'
import { isPseudoEsn } from './identifier/esn.ts'
import { checkDigitHolds, type Identifier } from './identifier/identifier.ts'
import { isImpossible } from './identifier/imei.ts'
import { impossibleBecause } from './identifier/impossible-serial.ts'
import { findImsi, type Imsi } from './identifier/imsi.ts'
import type { Suggestion } from './identifier/likely-meant.ts'
import { isMeidRegion } from './identifier/meid.ts'
import { allocationLagDays, isTestTac, reportingBody } from './identifier/reporting-body.ts'
import { isSampleImei } from './identifier/sample-imei.ts'
import { type SerialReading, tellReading } from './identifier/serial-reading.ts'
import { isSandboxIdentifier } from './sources/sandbox.ts'

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
  /** What a serial number says in the forms that makers are known to use. */
  readonly readings?: readonly SerialReading[]
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
  const { type, form, key } = identifier
  if (!checkDigitHolds(identifier) || form === 'near-imei' || findImsi(identifier) !== null) return true
  switch (type) {
    case 'imei':
      return isTestTac(key) || isImpossible(key) || isSampleImei(identifier)
    case 'meid':
      return isImpossible(key)
    case 'esn':
      return isPseudoEsn(key) || isImpossible(key)
    case 'serial':
      return serialIsImpossible(identifier) !== null
  }
}

/** The sandbox's own identifiers are words on purpose. */
function serialIsImpossible(identifier: Identifier): string | null {
  return isSandboxIdentifier(identifier) ? null : impossibleBecause(identifier.key)
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
  if (type === 'serial') return ofSerial(evidence)
  const imsi = findImsi(identifier)
  if (imsi) return [factor('looks_like_imsi', { message: imsiMessage(imsi) })]
  const factors: Factor[] = []
  if (!checkDigitHolds(identifier)) {
    factors.push(factor('check_digit_mismatch', { message: mismatchMessage(identifier, suggestions) }))
  }
  if (isImpossible(key)) factors.push(factor('impossible_identifier'))
  if (type === 'esn') return isPseudoEsn(key) ? [...factors, factor('pseudo_esn')] : factors
  if (type === 'meid') {
    return isMeidRegion(key) ? factors : [...factors, factor('unallocated_reporting_body')]
  }
  if (isSampleImei(identifier)) factors.push(factor('sample_identifier'))
  const { standing } = reportingBody(key)
  if (isTestTac(key)) factors.push(factor('test_identifier'))
  else if (standing === 'unallocated') {
    const { message } = weigh('unallocated_reporting_body')
    // What a wrong check digit suggests is said there already.
    const meant = checkDigitHolds(identifier) ? probablyMeant(suggestions) : ''
    factors.push(factor('unallocated_reporting_body', { message: message + meant }))
  } else factors.push(...ofTac(evidence))
  return factors
}

function ofSerial({ identifier, suggestions, serialIsRandom, readings = [] }: Evidence): Factor[] {
  const because = serialIsImpossible(identifier)
  if (because !== null) return [factor('impossible_identifier', { message: because })]
  if (identifier.form === 'near-imei') return [factor('not_an_imei', { message: nearMessage(identifier, suggestions) })]
  const told = readings.map(tellReading).filter((sentence) => sentence !== null)
  if (told.length > 0) return [factor('serial_read', { message: told.join(' ') })]
  return serialIsRandom ? [factor('randomised_serial')] : []
}

/** A missing TAC means little from a body that allocates no more, or from data that is no full list. */
function ofTac({ identifier, tac, now }: Evidence): Factor[] {
  if (tac.known) return []
  const lagDays = allocationLagDays(identifier.key)
  const seenForMs = tac.firstSeenAt === null ? 0 : now - tac.firstSeenAt
  const overdue = tac.listIsComplete && lagDays !== null && seenForMs > lagDays * DAY_MS
  return [factor(overdue ? 'tac_unknown' : 'tac_not_listed')]
}

function mismatchMessage({ checkDigit, expectedCheckDigit }: Identifier, suggestions: readonly Suggestion[]): string {
  return `The check digit is ${checkDigit} and should be ${expectedCheckDigit}.${probablyMeant(suggestions)}`
}

function nearMessage({ text }: Identifier, suggestions: readonly Suggestion[]): string {
  const letters = text.replace(/\d/g, '')
  const found =
    letters === ''
      ? `It has ${text.length} digits, and an IMEI has 15.`
      : `It has ${text.length} characters with ${[...letters].join(', ')} among them, and an IMEI has 15 digits.`
  return `${found}${probablyMeant(suggestions)} If it is a serial number, send identifier_type "serial".`
}

function imsiMessage({ country, network }: Imsi): string {
  return `It begins like the SIM cards of ${country} (${network}) and is probably an IMSI, which names no device. On a phone, *#06# shows the IMEI.`
}

function probablyMeant(suggestions: readonly Suggestion[]): string {
  if (suggestions.length === 0) return ''
  return ` Probably meant: ${suggestions.map(({ text, slip }) => `${text} (${SLIPS[slip]})`).join(', ')}.`
}

const SLIPS: Readonly<Record<Suggestion['slip'], string>> = {
  swap: 'two neighbours swapped',
  digit: 'one digit mistyped',
  check_digit: 'last digit mistyped',
  misread: 'characters misread, lost or added',
  leading_zero: 'leading zero lost',
}
