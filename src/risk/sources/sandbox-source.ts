import type { SourceAnswer } from '../facts.ts'
import type { Source } from './risk-source.ts'
import { findSandboxIdentifier, SANDBOX } from './sandbox.ts'

/** Speaks about the identifiers of its table and no others: a real device never gets a word from here. */
export const sandboxSource: Source = {
  name: SANDBOX,
  async ask(identifier): Promise<SourceAnswer | null> {
    const known = findSandboxIdentifier(identifier)
    if (!known) return null
    if (known.delayMs > 0) await Bun.sleep(known.delayMs)
    if (known.unavailable) return { state: 'unavailable', source: SANDBOX }
    return { state: 'answered', source: SANDBOX, facts: known.facts, ageMs: null, stale: false }
  },
}
