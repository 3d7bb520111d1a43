import { createContext, type ReactNode, useContext } from 'react'
import type { SessionWire } from '../src/contract/account.ts'
import { type MemberRole, roleIncludes } from '../src/contract/account-limits.ts'
import { type Tier, tierIncludes } from '../src/contract/tiers.ts'

const SessionContext = createContext<SessionWire | undefined>(undefined)

export function SessionProvider({ session, children }: { session: SessionWire; children: ReactNode }) {
  return <SessionContext.Provider value={session}>{children}</SessionContext.Provider>
}

export function useSession(): SessionWire {
  const session = useContext(SessionContext)
  if (!session) throw new Error('used outside of a session')
  return session
}

export function useHasTier(tier: Tier): boolean {
  const { organization } = useSession()
  return organization !== null && tierIncludes(organization.tier, tier)
}

export function useHasRole(needed: MemberRole): boolean {
  const { role } = useSession()
  return role !== null && roleIncludes(role, needed)
}
