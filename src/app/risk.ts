import type { Database } from '../db/database.ts'
import { isDatabaseUnavailable } from '../db/database-errors.ts'
import type { ReloadOnTopic } from '../db/reload-on-change.ts'
import { groupCommit } from '../lib/group-commit.ts'
import type { Log } from '../lib/log.ts'
import type { DurableResponses } from '../records/durable-response-service.ts'
import { riskAssessor } from '../risk/assessment-service.ts'
import { lookupIdGenerator } from '../risk/lookup-id.ts'
import { type LookupServiceOptions, openLookupService } from '../risk/lookup-service.ts'
import { lookupStore } from '../risk/lookup-store.ts'
import { openReferenceData } from '../risk/reference-data-service.ts'
import { referenceDataStore, type SourceCacheEntry } from '../risk/reference-data-store.ts'
import type { RiskSource } from '../risk/source-facts.ts'
import { throttledFailureLog } from '../risk/sources/failure-log.ts'
import { memorySourceCache } from '../risk/sources/memory-source-cache.ts'
import { providerSource } from '../risk/sources/provider-service.ts'
import type { ProviderSettings } from '../risk/sources/provider-settings.ts'
import { sourceHealth } from '../risk/sources/source-health.ts'
import { tacConfirmationStore } from '../risk/tac-confirmation-store.ts'
import type { ServiceSettingsService } from './service-settings.ts'

type RiskDependencies = {
  readonly db: Database
  readonly responses: DurableResponses
  readonly reloadOn: ReloadOnTopic
  readonly log: Log
  readonly settings: Pick<ServiceSettingsService, 'current'>
  readonly onAssessed: NonNullable<LookupServiceOptions['onAssessed']>
  readonly onSourceFailure: (source: string) => void
  readonly findDeviceId: NonNullable<LookupServiceOptions['findDeviceId']>
}

/** Identifier lookups: imported lists, outside sources and durable records. */
export async function openRisk(dependencies: RiskDependencies) {
  const { db, responses, reloadOn, log, settings, onAssessed } = dependencies
  const referenceStore = referenceDataStore(db)
  const tacConfirmations = tacConfirmationStore(db)
  const reader = { ...referenceStore, confirmations: tacConfirmations.confirmations }
  const referenceData = await openReferenceData(reader, {
    reloadLists: reloadOn('lists', 'lists'),
    reloadTacs: reloadOn('TACs', 'catalogue'),
  })
  const cacheWrites = groupCommit(
    async (entries: readonly SourceCacheEntry[]) => {
      await referenceStore.writeFacts(entries)
      return entries
    },
    { countRows: () => 1, maxRows: 256, isDatabaseUnavailable },
  )
  const cache = memorySourceCache({
    read: referenceStore.cachedFacts,
    write: (source, key, cached) => {
      cacheWrites
        .write({ source, key, facts: cached })
        .catch(() => log.warn('a response could not be cached', { source }))
    },
  })
  const logFailure = throttledFailureLog((failure) => log.warn('a source failed', failure), Date.now)
  const health = sourceHealth(Date.now)
  const openProvider = (provider: ProviderSettings): RiskSource =>
    providerSource(provider, {
      cache,
      now: Date.now,
      onSuccess: health.recordSuccess,
      onFailure(failure) {
        logFailure(failure)
        health.recordFailure(failure.source, failure.reason)
        dependencies.onSourceFailure(failure.source)
      },
    })
  const listProviders = reuseSources(() => settings.current().sources, openProvider)
  const lookups = openLookupService({
    assess: riskAssessor(referenceData, listProviders),
    store: lookupStore(db),
    responses,
    nextId: lookupIdGenerator((limit) => Math.floor(Math.random() * limit)),
    onAssessed,
    tacConfirmations,
    onTacConfirmed: referenceData.onConfirmed,
    findDeviceId: dependencies.findDeviceId,
  })
  return {
    lookups,
    tacConfirmations: {
      list: tacConfirmations.list,
      listAgreements: tacConfirmations.listAgreements,
      async confirmForAll(...args: Parameters<typeof tacConfirmations.confirmForAll>) {
        await tacConfirmations.confirmForAll(...args)
        referenceData.onConfirmed(args[0])
      },
      async forget(...args: Parameters<typeof tacConfirmations.forget>) {
        await tacConfirmations.forget(...args)
        referenceData.onConfirmed(args[1])
      },
    },
    /** Outages of sources that are still configured. */
    sourcesDown: () => {
      const names = new Set(settings.current().sources.map((source) => source.name))
      return health.listOutages().filter(({ name }) => names.has(name))
    },
    async close() {
      referenceData.close()
      await cacheWrites.drain()
    },
  }
}

/** Opens each source once: its circuit breaker and its limits last until its settings change. */
function reuseSources(
  list: () => readonly ProviderSettings[],
  open: (settings: ProviderSettings) => RiskSource,
): () => readonly RiskSource[] {
  let lastConfigured: readonly ProviderSettings[] = []
  let openedBySettings = new Map<string, RiskSource>()
  let sources: readonly RiskSource[] = []
  return () => {
    const configured = list()
    if (configured !== lastConfigured) {
      lastConfigured = configured
      openedBySettings = new Map(
        configured.map((settings) => {
          const key = JSON.stringify(settings)
          return [key, openedBySettings.get(key) ?? open(settings)]
        }),
      )
      sources = [...openedBySettings.values()]
    }
    return sources
  }
}
