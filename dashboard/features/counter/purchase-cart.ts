import { useCallback, useSyncExternalStore } from 'react'
import { useSession } from '../../session.tsx'

/** A device of the seller at the counter, appraised and agreed, that is bought together with the next ones. */
export type CartLine = {
  readonly appraisalId: string
  readonly title: string
  readonly price: number
  readonly currency: string
}

/** It survives a lost connection, a reload and an app that the phone closed; buying it deletes it. */
type Cart = { readonly owner: string; readonly lines: readonly CartLine[]; readonly savedAt: number }

const KEY = 'counter-purchase'
/** A seller does not come back tomorrow for the rest. */
const MAX_AGE_MS = 12 * 60 * 60 * 1000

const listeners = new Set<() => void>()

function subscribe(notify: () => void) {
  listeners.add(notify)
  // Another window of the same till.
  window.addEventListener('storage', notify)
  return () => {
    listeners.delete(notify)
    window.removeEventListener('storage', notify)
  }
}

/** Text, because it is compared by identity. */
function readText(): string {
  try {
    return localStorage.getItem(KEY) ?? ''
  } catch {
    return ''
  }
}

function linesOf(text: string, owner: string): readonly CartLine[] {
  try {
    const cart: Cart | null = JSON.parse(text || 'null')
    return cart?.owner === owner && Date.now() - cart.savedAt < MAX_AGE_MS ? cart.lines : []
  } catch {
    return []
  }
}

/** The devices of the seller at the counter so far. */
export function useCart() {
  const { person, organization } = useSession()
  const owner = `${person.email} ${organization.id}`
  const lines = linesOf(useSyncExternalStore(subscribe, readText), owner)
  const save = useCallback(
    (next: readonly CartLine[]) => {
      try {
        if (next.length === 0) localStorage.removeItem(KEY)
        else localStorage.setItem(KEY, JSON.stringify({ owner, lines: next, savedAt: Date.now() } satisfies Cart))
      } catch {}
      for (const notify of listeners) notify()
    },
    [owner],
  )
  return {
    lines,
    total: lines.reduce((sum, { price }) => sum + price, 0),
    add: (line: CartLine) => save([...lines.filter(({ appraisalId }) => appraisalId !== line.appraisalId), line]),
    remove: (appraisalId: string) => save(lines.filter((line) => line.appraisalId !== appraisalId)),
    clear: () => save([]),
  }
}
