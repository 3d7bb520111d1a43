import type { Identifier } from '../../identifier/identifier.ts'
import { DAY_MS, startOfDay } from '../../lib/time.ts'
import { type Clearance, NO_FACTS, type RiskFinding, type SourceResponse } from '../source-facts.ts'

/** A current entry of an imported list. */
export type ListedIdentifier = {
  readonly list: string
  readonly kind: string
  readonly status: string
  /** `YYYY-MM-DD`, if the list has it. */
  readonly reportedOn: string | null
  readonly listedAt: number
}

export type ImportedList = {
  readonly name: string
  readonly kind: string
  readonly entries: number
  readonly importedAt: number
  /** Area and days for which an unlisted identifier counts as clean, as set at import; null if it never does. */
  readonly clearance: { readonly area: string; readonly maxAgeDays: number } | null
}

export const IMPORTED_LISTS_SOURCE = 'registry'

/**
 * Statements of the imported lists. A listing always counts. A missing entry counts as clean only for a stolen list whose
 * operator said so at import, only within the stated age, and only for IMEIs and MEIDs. Sample lists never clear, and no
 * imported list speaks for the lists of the GSMA or the CTIA.
 */
export function checkImportedLists(
  identifier: Identifier,
  listings: readonly ListedIdentifier[],
  lists: readonly ImportedList[],
  now: number,
): SourceResponse | null {
  if (lists.length === 0) return null
  const findings: RiskFinding[] = []
  let blacklist: 'blacklisted' | 'pending' | 'clean' | null = null
  for (const listing of listings) {
    const observedAt = listing.reportedOn === null ? listing.listedAt : startOfDay(listing.reportedOn)
    const outcome = listingOutcome(listing)
    findings.push({ code: outcome.code, observedAt: Number.isFinite(observedAt) ? observedAt : null })
    if (outcome.status === 'blacklisted' || (outcome.status === 'pending' && blacklist === null))
      blacklist = outcome.status
  }
  const clearances = blacklist === null ? listClearances(identifier, lists, now) : []
  if (clearances.length > 0) blacklist = 'clean'
  return {
    state: 'answered',
    source: IMPORTED_LISTS_SOURCE,
    facts: { ...NO_FACTS, blacklist, findings },
    clearances,
    ageMs: null,
    isStale: false,
  }
}

function listingOutcome({ kind, status }: ListedIdentifier): {
  code: RiskFinding['code']
  status: 'blacklisted' | 'pending' | null
} {
  if (kind === 'registration') return { code: 'registered', status: null }
  if (kind === 'barred_tac') return { code: 'barred_tac', status: 'blacklisted' }
  if (kind === 'barred') return { code: 'blacklisted', status: 'blacklisted' }
  if (status === 'pending') return { code: 'report_pending', status: 'pending' }
  return { code: 'reported_lost_stolen', status: 'blacklisted' }
}

function listClearances({ type }: Identifier, lists: readonly ImportedList[], now: number): readonly Clearance[] {
  if (type !== 'imei' && type !== 'meid') return []
  return lists.flatMap(({ name, kind, entries, importedAt, clearance }) => {
    if (clearance === null || kind !== 'stolen' || entries === 0 || isSampleList(name)) return []
    if (now - importedAt > clearance.maxAgeDays * DAY_MS) return []
    return [{ source: IMPORTED_LISTS_SOURCE, list: name, area: clearance.area, entries, updatedAt: importedAt }]
  })
}

export function isSampleList(name: string): boolean {
  return /^sample/i.test(name)
}
