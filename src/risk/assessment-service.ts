import type { Identifier } from './identifier/identifier.ts'
import type { RiskAssessment } from './present.ts'
import type { ReferenceData, ReferenceFacts } from './reference-data-service.ts'
import { collectFactors, withoutUnreliableClean } from './risk-score.ts'
import { combineFacts, type SourceResult } from './source-facts.ts'
import type { RiskSource } from './sources/risk-source.ts'
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
    const providers = listProviders()
    if (providers.length === 0) {
      const { importedLists } = await referenceFacts
      return importedLists ? [importedLists] : []
    }
    const providerResults = await Promise.all(providers.map((provider) => provider.lookUp(identifier, now)))
    return [(await referenceFacts).importedLists, ...providerResults].filter((result) => result !== null)
  }

  return async (identifier, now, organizationId) => {
    const pendingFacts = referenceData.lookUp(identifier, now, organizationId)
    // Awaited together, so that a failing database leaves no unhandled rejection.
    const [sourceResults, referenceFacts] = await Promise.all([gather(identifier, pendingFacts, now), pendingFacts])
    const { match, tac, suggestions, isSerialRandomised, decodedSerials, confirmations } = referenceFacts
    const combined = combineFacts(sourceResults, now)
    const factors = collectFactors({
      identifier,
      combinedFacts: combined,
      tac,
      suggestions,
      isSerialRandomised,
      decodedSerials,
      now,
    })
    return {
      identifier,
      suggestions,
      combined: withoutUnreliableClean(combined, identifier),
      factors,
      match,
      confirmations,
    }
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
