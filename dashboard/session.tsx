import { createContext, type ReactNode, useContext } from 'react'
import type { SessionWire } from '../src/contract/account.ts'
import { covers, type Tier } from '../src/contract/tiers.ts'

const Current = createContext<SessionWire | undefined>(undefined)

export function SessionScope({ session, children }: { session: SessionWire; children: ReactNode }) {
  return <Current.Provider value={session}>{children}</Current.Provider>
}

export function useSession(): SessionWire {
  const session = useContext(Current)
  if (!session) throw new Error('used outside of a session')
  return session
}

export function useMayUse(tier: Tier): boolean {
  const { organization } = useSession()
  return organization !== null && covers(organization.tier, tier)
}
