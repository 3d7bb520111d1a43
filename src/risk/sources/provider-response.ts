import { type Identifier, isInvalidIdentifier } from '../../identifier/identifier.ts'
import { parseIdentifier } from '../../identifier/identifier-parser.ts'
import { valueAtPath } from '../../lib/value-path.ts'
import { FINDING_CODES, NO_FACTS, type RiskFinding, type SourceFacts } from '../source-facts.ts'
import type { ProviderSettings } from './provider-settings.ts'

/** Why a response is rejected. Logged, so it never contains parts of the response. */
export class InvalidProviderResponse extends Error {}

const MAX_CARRIER_NAME_LENGTH = 100
const MAX_EVIDENCE_ID_LENGTH = 200

/** Maps a provider's response to facts, or throws: an incomplete response is rejected. */
export function parseProviderResponse(
  settings: ProviderSettings['answer'],
  identifier: Identifier,
  body: unknown,
): SourceFacts {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new InvalidProviderResponse('the response is not a JSON object')
  if (settings.identifier) checkEchoedIdentifier(valueAtPath(body, settings.identifier), identifier)
  const { facts } = settings
  return {
    ...NO_FACTS,
    blacklist: parseStatus(body, facts.blacklist),
    gsma: parseStatus(body, facts.gsma),
    ctia: parseStatus(body, facts.ctia),
    carrierLock: parseStatus(body, facts.carrier_lock),
    carrierName: parseCarrierName(body, facts.carrier_name),
    findings: parseFindings(settings, body),
    evidenceId: parseEvidenceId(body, settings.evidence_id),
  }
}

function checkEchoedIdentifier(echoed: unknown, identifier: Identifier): void {
  const parsed = typeof echoed === 'string' ? parseIdentifier(echoed, identifier.type) : null
  if (parsed === null || isInvalidIdentifier(parsed) || parsed.key !== identifier.key) {
    throw new InvalidProviderResponse('the response is about another identifier')
  }
}

function toWord(value: unknown): string | null {
  if (typeof value === 'string') return value.trim().toLowerCase()
  return typeof value === 'boolean' || typeof value === 'number' ? String(value) : null
}

type StatusMapping<Status extends string> =
  | { readonly path: string; readonly words: Readonly<Record<string, Status | 'unknown'>>; readonly required: boolean }
  | undefined

function parseStatus<Status extends string>(body: unknown, mapping: StatusMapping<Status>): Status | null {
  if (!mapping) return null
  const value = valueAtPath(body, mapping.path)
  if (value === undefined || value === null) {
    if (mapping.required) throw new InvalidProviderResponse(`the response has no ${mapping.path}`)
    return null
  }
  const word = toWord(value)
  const mapped = Object.entries(mapping.words).find(([text]) => text.toLowerCase() === word)
  // An unmapped value could be a listing, so it is rejected instead of ignored.
  if (!mapped)
    throw new InvalidProviderResponse(`${mapping.path} of the response has a value that the mapping does not contain`)
  return mapped[1] === 'unknown' ? null : (mapped[1] as Status)
}

/** A missing name neither clears nor lists a device: the response is accepted, unless the name is required. */
function parseCarrierName(body: unknown, mapping: ProviderSettings['answer']['facts']['carrier_name']): string | null {
  if (!mapping) return null
  const value = valueAtPath(body, mapping.path)
  if (mapping.required && typeof value !== 'string')
    throw new InvalidProviderResponse(`the response has no ${mapping.path}`)
  return typeof value === 'string' ? cleanText(value, MAX_CARRIER_NAME_LENGTH) : null
}

/** A check without a reference is as good as one with it. A shortened reference would find nothing, so a long one is dropped. */
function parseEvidenceId(body: unknown, path: string | undefined): string | null {
  const value = path === undefined ? undefined : valueAtPath(body, path)
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text.length <= MAX_EVIDENCE_ID_LENGTH
    ? cleanText(text, MAX_EVIDENCE_ID_LENGTH)
    : null
}

function cleanText(text: string, maxLength: number): string | null {
  const cleaned = text
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, maxLength)
    .toWellFormed()
  return cleaned === '' ? null : cleaned
}

function parseFindings(settings: ProviderSettings['answer'], body: unknown): readonly RiskFinding[] {
  const observedAt = settings.observed_at ? parseInstant(valueAtPath(body, settings.observed_at)) : null
  return FINDING_CODES.filter((code) => {
    const mapping = settings.findings[code]
    if (!mapping) return false
    const value = valueAtPath(body, mapping.path)
    const words = (Array.isArray(value) ? value : [value]).map(toWord)
    return mapping.words.some((word) => words.includes(String(word).toLowerCase()))
  }).map((code) => ({ code, observedAt }))
}

function parseInstant(value: unknown): number | null {
  const epochMs = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isFinite(epochMs) && Math.abs(epochMs) < 8.64e15 ? epochMs : null
}
