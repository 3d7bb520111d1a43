import type { RiskSource } from '../source-facts.ts'
import { findSandboxIdentifier, SANDBOX_SOURCE } from './sandbox-identifiers.ts'

/** Responds only to test identifiers, never to real devices. */
export const sandboxSource: RiskSource = {
  name: SANDBOX_SOURCE,
  async lookUp(identifier) {
    const sandbox = findSandboxIdentifier(identifier)
    if (!sandbox) return null
    if (sandbox.delayMs > 0) await Bun.sleep(sandbox.delayMs)
    if (sandbox.unavailable) return { state: 'unavailable', source: SANDBOX_SOURCE }
    return { state: 'answered', source: SANDBOX_SOURCE, facts: sandbox.facts, ageMs: null, isStale: false }
  },
}
