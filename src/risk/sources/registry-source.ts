import { startOfDay } from '../../time.ts'
import { type Answered, type Finding, NO_FACTS } from '../facts.ts'
import type { Identifier } from '../identifier/identifier.ts'

/** One line of an imported list that is in force. */
export type Listing = {
  readonly list: string
  readonly kind: string
  readonly status: string
  /** `YYYY-MM-DD`, where the list says it. */
  readonly reportedOn: string | null
  readonly listedAt: number
}

export type ImportedList = { readonly name: string; readonly kind: string; readonly entries: number }

export const REGISTRY = 'registry'

/**
 * What the imported lists say. A listing always speaks. That an identifier is missing speaks only where a stolen list
 * was imported, and only for what such lists hold: IMEIs and MEIDs, not serial numbers. Sample lists never clear
 * anything, and none of ours speaks for the lists of the GSMA or the CTIA.
 */
export function registryAnswer(
  identifier: Identifier,
  listings: readonly Listing[],
  lists: readonly ImportedList[],
): Answered | null {
  if (lists.length === 0) return null
  const findings: Finding[] = []
  let blacklist: 'blacklisted' | 'pending' | 'clean' | null = null
  for (const listing of listings) {
    const observedAt = listing.reportedOn === null ? listing.listedAt : startOfDay(listing.reportedOn)
    const found = readListing(listing)
    findings.push({ code: found.code, observedAt: Number.isFinite(observedAt) ? observedAt : null })
    if (found.status === 'blacklisted' || (found.status === 'pending' && blacklist === null)) blacklist = found.status
  }
  if (blacklist === null && coversBlacklist(identifier, lists)) blacklist = 'clean'
  return {
    state: 'answered',
    source: REGISTRY,
    facts: { ...NO_FACTS, blacklist, findings },
    ageMs: null,
    stale: false,
  }
}

function readListing({ kind, status }: Listing): {
  code: Finding['code']
  status: 'blacklisted' | 'pending' | null
} {
  if (kind === 'registration') return { code: 'registered', status: null }
  if (kind === 'barred_tac') return { code: 'barred_tac', status: 'blacklisted' }
  if (kind === 'barred') return { code: 'blacklisted', status: 'blacklisted' }
  if (status === 'pending') return { code: 'report_pending', status: 'pending' }
  return { code: 'reported_lost_stolen', status: 'blacklisted' }
}

function coversBlacklist({ type }: Identifier, lists: readonly ImportedList[]): boolean {
  if (type !== 'imei' && type !== 'meid') return false
  return lists.some(({ kind, entries, name }) => kind === 'stolen' && entries > 0 && !/^sample/i.test(name))
}
