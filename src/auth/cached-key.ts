import type { KeyRight, Tier } from '../contract/tiers.ts'
import type { KeyRestriction } from './key-restriction.ts'

/** A key as every process holds it in memory. */
export type CachedKey = {
  readonly id: string
  readonly hash: string
  readonly name: string
  readonly organizationId: string
  readonly tier: Tier
  readonly rights: readonly KeyRight[]
  /** Requests per minute that all keys of the organization share; null: each key has the limit of its tier. */
  readonly limitPerMinute: number | null
  /** Requests per minute of this key alone, if its owner set a limit. */
  readonly ownLimitPerMinute: number | null
  /** Null for a key that may be used from anywhere. */
  readonly restriction: KeyRestriction | null
  readonly expiresAt: number | null
  readonly revokedAt: number | null
  readonly revision: number
}

/** A key that is not stored: it stands for a session or for the command line, without rights or limits of its own. */
export const standInKey = (fields: Pick<CachedKey, 'id' | 'name' | 'organizationId' | 'tier'>): CachedKey => ({
  hash: '',
  rights: [],
  limitPerMinute: null,
  ownLimitPerMinute: null,
  restriction: null,
  expiresAt: null,
  revokedAt: null,
  revision: 0,
  ...fields,
})
