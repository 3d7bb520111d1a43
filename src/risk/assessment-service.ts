import type { Identifier } from '../identifier/identifier.ts'
import type { RiskAssessment } from './present.ts'
import type { ReferenceData, ReferenceFacts } from './reference-data-service.ts'
import { collectFactors, withoutUnreliableClean } from './risk-score.ts'
import { combineFacts, type RiskSource, type SourceResult } from './source-facts.ts'
import { isSandboxIdentifier } from './sources/sandbox-identifiers.ts'
import { sandboxSource } from './sources/sandbox-service.ts'

export type AssessRisk = (identifier: Identifier, now: number, organizationId: string) => Promise<RiskAssessment>

/** Queries all sources at once and scores their findings. */
export function riskAssessor(referenceData: ReferenceData, listProviders: () => readonly RiskSource[]): AssessRisk {
  async function gather(
    identifier: Identifier,
    referenceFacts: Promise<ReferenceFacts>,
    now: number,
  ): Promise<SourceResult[]> {
    if (isSandboxIdentifier(identifier)) return sandboxResults(identifier, (await referenceFacts).importedLists, now)
    const providerResults = await Promise.all(listProviders().map((provider) => provider.lookUp(identifier, now)))
    return [(await referenceFacts).importedLists, ...providerResults].filter((result) => result !== null)
  }

  return async (identifier, now, organizationId) => {
    const pendingFacts = referenceData.lookUp(identifier, now, organizationId)
    // Awaited together, so that a failing database leaves no unhandled rejection.
    const [sourceResults, referenceFacts] = await Promise.all([gather(identifier, pendingFacts, now), pendingFacts])
    const { match, suggestions, confirmations } = referenceFacts
    const combinedFacts = combineFacts(sourceResults, now)
    const factors = collectFactors({ ...referenceFacts, identifier, combinedFacts, now })
    const combined = withoutUnreliableClean(combinedFacts, identifier)
    return { identifier, suggestions, combined, factors, match, confirmations }
  }
}

/** A test identifier has a fixed result: no list clears it and no provider is queried; only a listing counts. */
async function sandboxResults(
  identifier: Identifier,
  importedLists: SourceResult | null,
  now: number,
): Promise<SourceResult[]> {
  const sandboxResult = await sandboxSource.lookUp(identifier, now)
  const isListed = importedLists?.state === 'answered' && importedLists.facts.findings.length > 0
  return [...(isListed && importedLists ? [importedLists] : []), ...(sandboxResult ? [sandboxResult] : [])]
}
