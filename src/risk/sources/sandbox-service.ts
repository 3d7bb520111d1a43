import type { SourceResult } from '../source-facts.ts'
import type { RiskSource } from './risk-source.ts'
import { findSandboxIdentifier, SANDBOX_SOURCE } from './sandbox-identifiers.ts'

/** Responds only to test identifiers, never to real devices. */
export const sandboxSource: RiskSource = {
  name: SANDBOX_SOURCE,
  async lookUp(identifier): Promise<SourceResult | null> {
    const known = findSandboxIdentifier(identifier)
    if (!known) return null
    if (known.delayMs > 0) await Bun.sleep(known.delayMs)
    if (known.unavailable) return { state: 'unavailable', source: SANDBOX_SOURCE }
    return { state: 'answered', source: SANDBOX_SOURCE, facts: known.facts, ageMs: null, isStale: false }
  },
}
