import { type Facts, FINDINGS, type Finding, NO_FACTS } from '../facts.ts'
import { type Identifier, isUnreadable } from '../identifier/identifier.ts'
import { readIdentifier } from '../identifier/read.ts'
import type { ProviderSettings } from './provider-settings.ts'

/** Why an answer is not believed. The text goes to the log; it never holds anything of the answer itself. */
export class NotBelieved extends Error {}

const LONGEST_NAME = 100

/** Turns a provider's own words into our facts, or throws: half an answer is none. */
export function readProviderAnswer(settings: ProviderSettings['answer'], identifier: Identifier, body: unknown): Facts {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new NotBelieved('the answer is no object')
  if (settings.identifier) checkEcho(at(body, settings.identifier), identifier)
  const { facts } = settings
  return {
    ...NO_FACTS,
    blacklist: status(body, facts.blacklist),
    gsma: status(body, facts.gsma),
    ctia: status(body, facts.ctia),
    carrierLock: status(body, facts.carrier_lock),
    carrierName: carrierNameOf(body, facts.carrier_name),
    findings: findingsIn(settings, body),
  }
}

/** Own properties only: an answer cannot reach into what every object has. */
function at(body: unknown, path: string): unknown {
  let value = body
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}

function checkEcho(echoed: unknown, identifier: Identifier): void {
  const read = typeof echoed === 'string' ? readIdentifier(echoed, identifier.type) : null
  if (read === null || isUnreadable(read) || read.key !== identifier.key) {
    throw new NotBelieved('the answer is about another identifier')
  }
}

function wordOf(value: unknown): string | null {
  if (typeof value === 'string') return value.trim().toLowerCase()
  return typeof value === 'boolean' || typeof value === 'number' ? String(value) : null
}

type Worded<Status extends string> =
  | { readonly path: string; readonly words: Readonly<Record<string, Status | 'unknown'>>; readonly required: boolean }
  | undefined

function status<Status extends string>(body: unknown, worded: Worded<Status>): Status | null {
  if (!worded) return null
  const value = at(body, worded.path)
  if (value === undefined || value === null) {
    if (worded.required) throw new NotBelieved(`the answer has no ${worded.path}`)
    return null
  }
  const word = wordOf(value)
  const known = Object.entries(worded.words).find(([each]) => each.toLowerCase() === word)
  // A word nobody mapped may mean anything; reading it as "nothing known" would hide a listing.
  if (!known) throw new NotBelieved(`the answer's ${worded.path} is a word the mapping does not know`)
  return known[1] === 'unknown' ? null : (known[1] as Status)
}

/** A name is nothing that could clear or accuse: where it is missing the answer is believed, unless it is required. */
function carrierNameOf(body: unknown, mapped: ProviderSettings['answer']['facts']['carrier_name']): string | null {
  if (!mapped) return null
  const value = at(body, mapped.path)
  if (mapped.required && typeof value !== 'string') throw new NotBelieved(`the answer has no ${mapped.path}`)
  if (typeof value !== 'string') return null
  const name = value
    .toWellFormed()
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, LONGEST_NAME)
    .toWellFormed()
  return name === '' ? null : name
}

function findingsIn(settings: ProviderSettings['answer'], body: unknown): readonly Finding[] {
  const observedAt = settings.observed_at ? instantOf(at(body, settings.observed_at)) : null
  return FINDINGS.filter((code) => {
    const mapped = settings.findings[code]
    if (!mapped) return false
    const value = at(body, mapped.path)
    const words = (Array.isArray(value) ? value : [value]).map(wordOf)
    return mapped.words.some((word) => words.includes(String(word).toLowerCase()))
  }).map((code) => ({ code, observedAt }))
}

function instantOf(value: unknown): number | null {
  const epochMs = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isFinite(epochMs) && Math.abs(epochMs) < 8.64e15 ? epochMs : null
}
