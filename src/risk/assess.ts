import { combine, type SourceAnswer } from './facts.ts'
import type { Identifier } from './identifier/identifier.ts'
import type { Knowledge, Known } from './knowledge.ts'
import type { Assessment } from './present.ts'
import { factorsOf, tellable } from './score.ts'
import type { Source } from './sources/risk-source.ts'
import { isSandboxIdentifier } from './sources/sandbox.ts'
import { sandboxSource } from './sources/sandbox-source.ts'

export type Assess = (identifier: Identifier, now: number) => Promise<Assessment>

/** Everybody who may know something is asked side by side; then it is weighed. */
export function assessor(knowledge: Knowledge, providers: readonly Source[]): Assess {
  async function gather(identifier: Identifier, known: Promise<Known>, now: number): Promise<SourceAnswer[]> {
    if (isSandboxIdentifier(identifier)) return sandboxAnswers(identifier, (await known).registry, now)
    if (providers.length === 0) {
      const { registry } = await known
      return registry ? [registry] : []
    }
    const asked = await Promise.all(providers.map((provider) => provider.ask(identifier, now)))
    return [(await known).registry, ...asked].filter((answer) => answer !== null)
  }

  return async (identifier, now) => {
    const known = knowledge.about(identifier, now)
    // Both are under way at once; a store that fails must not leave a rejection nobody waits for.
    const [answers, { match, tac, suggestions, serialIsRandom, readings }] = await Promise.all([
      gather(identifier, known, now),
      known,
    ])
    const combined = combine(answers, now)
    const factors = factorsOf({ identifier, combined, tac, suggestions, serialIsRandom, readings, now })
    return { identifier, suggestions, combined: tellable(combined, identifier), factors, match }
  }
}

/** A test identifier has its fixed answer. No list clears it and no provider is asked; only a listing still counts. */
async function sandboxAnswers(
  identifier: Identifier,
  registry: SourceAnswer | null,
  now: number,
): Promise<SourceAnswer[]> {
  const fixed = await sandboxSource.ask(identifier, now)
  const listed = registry?.state === 'answered' && registry.facts.findings.length > 0
  return [...(listed && registry ? [registry] : []), ...(fixed ? [fixed] : [])]
}
