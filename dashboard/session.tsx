import { createContext, type ReactNode, useContext } from 'react'
import type { SessionWire } from '../src/contract/account.ts'
import { covers, type Tier } from '../src/contract/tiers.ts'

const Current = createContext<{ session: SessionWire; reload: () => void } | undefined>(undefined)

export function SessionScope({
  session,
  reload,
  children,
}: {
  session: SessionWire
  reload: () => void
  children: ReactNode
}) {
  return <Current.Provider value={{ session, reload }}>{children}</Current.Provider>
}

export function useSession() {
  const current = useContext(Current)
  if (!current) throw new Error('used outside of a session')
  return current
}

export function useMayUse(tier: Tier): boolean {
  const { session } = useSession()
  return session.organization !== null && covers(session.organization.tier, tier)
}
