import { useEffect, useState } from 'react'
import { useSearch } from 'wouter'
import type { SessionWire } from '../../../src/contract/account.ts'
import { useSession } from '../../session.tsx'
import { type Deal, parseDeal, subjectOf } from './deal.ts'

/**
 * The unfinished appraisal of this browser. It survives a lost connection, a reload and an app that the phone closed; saving
 * or signing out deletes it.
 */
type Draft = {
  /** Person and organization it belongs to. */
  readonly owner: string
  /** Query string of the counter page. */
  readonly search: string
  readonly title: string
  readonly reference: string
  /** Price that was chosen, and the maximum or the recommended offer that it was chosen for. */
  readonly chosen: { readonly price: number; readonly basis: number } | null
  readonly savedAt: number
}

const KEY = 'counter-draft'
const MAX_AGE_MS = 24 * 60 * 60 * 1000

/** The draft of this owner; null if there is none or it is a day old. */
function readDraft(owner: string, now: number): Draft | null {
  try {
    const draft: Draft | null = JSON.parse(localStorage.getItem(KEY) ?? 'null')
    return draft?.owner === owner && now - draft.savedAt < MAX_AGE_MS ? draft : null
  } catch {
    return null
  }
}

/** Browsers refuse to store anything when their storage is full or turned off. */
function saveDraft(draft: Draft): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(draft))
  } catch {}
}

const ownerOf = ({ person, organization }: Pick<SessionWire, 'person' | 'organization'>) =>
  `${person.email} ${organization?.id ?? ''}`

/** Another person continues at the same till, in the same organization. */
export function moveDraft(from: SessionWire, to: SessionWire): void {
  const draft = readDraft(ownerOf(from), Date.now())
  if (draft && from.organization.id === to.organization.id) saveDraft({ ...draft, owner: ownerOf(to) })
}

export function clearDraft(): void {
  try {
    localStorage.removeItem(KEY)
  } catch {}
}

const emptyEntries = { reference: '', chosen: null }

/** The draft of the signed-in person in the current organization. */
export function useStoredDraft(): Draft | null {
  return readDraft(useDraftOwner(), Date.now())
}

function useDraftOwner(): string {
  return ownerOf(useSession())
}

/** What is entered beside the deal in the URL: kept with it as a draft, and restored for the same device. */
export function useDraftEntries(deal: Deal, title: string) {
  const owner = useDraftOwner()
  const search = useSearch()
  const [entries, setEntries] = useState<Pick<Draft, 'reference' | 'chosen'>>(() => {
    const draft = readDraft(owner, Date.now())
    const isSame = draft !== null && subjectOf(parseDeal(new URLSearchParams(draft.search))) === subjectOf(deal)
    return isSame ? draft : emptyEntries
  })
  const { reference, chosen } = entries
  useEffect(
    () => saveDraft({ owner, search, title, reference, chosen, savedAt: Date.now() }),
    [owner, search, title, reference, chosen],
  )
  return { reference, chosen, change: (changed: Partial<typeof entries>) => setEntries({ ...entries, ...changed }) }
}
