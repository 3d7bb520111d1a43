import { appraisalStore } from '../appraisal/appraisal-store.ts'
import type { Config } from '../config.ts'
import { isStoreAway } from '../db/failures.ts'
import type { Database } from '../db/open.ts'
import type { DurableAnswers } from '../durable/durable-answers.ts'
import { groupCommit } from '../durable/group-commit.ts'
import { recordStore } from '../durable/record-store.ts'
import type { StoreFollower } from '../follow.ts'
import type { Log } from '../log.ts'
import { assessor } from '../risk/assess.ts'
import { factsCache } from '../risk/facts-cache.ts'
import { openKnowledge } from '../risk/knowledge.ts'
import { type FactsEntry, knowledgeStore } from '../risk/knowledge-store.ts'
import { lookupIds } from '../risk/lookup-id.ts'
import { lookupStore } from '../risk/lookup-store.ts'
import { type LookupParts, openLookups } from '../risk/lookups.ts'
import { keepRetention } from '../risk/retention.ts'
import { failureNotes } from '../risk/sources/failure-notes.ts'
import { providerSource } from '../risk/sources/provider.ts'
import { longestServedMs, type ProviderSettings } from '../risk/sources/provider-settings.ts'
import { sourceHealth } from '../risk/sources/source-health.ts'

type Opening = {
  readonly db: Database
  readonly answers: DurableAnswers
  readonly follow: StoreFollower
  readonly config: Config
  readonly log: Log
  readonly settings: readonly ProviderSettings[]
  readonly onAssessed: NonNullable<LookupParts['onAssessed']>
  readonly onSourceFailure: (source: string) => void
}

/** Identifier lookups: what the store and the outside sources know, and the records that are written of every answer. */
export async function openRisk(opening: Opening) {
  const { db, answers, follow, config, log, settings, onAssessed } = opening
  const knows = knowledgeStore(db)
  const records = lookupStore(db)
  const knowledge = await openKnowledge(knows, {
    followLists: follow('lists', 'lists'),
    followTacs: follow('TACs', 'catalogue'),
  })
  const kept = groupCommit(
    async (entries: readonly FactsEntry[]) => {
      await knows.keepFacts(entries)
      return entries
    },
    { rowsOf: () => 1, mostRows: 256, isStoreAway },
  )
  const cache = factsCache({
    read: knows.cachedFacts,
    write: (source, key, cached) => {
      kept.write({ source, key, cached }).catch(() => log.warn('an answer could not be cached', { source }))
    },
  })
  const noteFailure = failureNotes((failure) => log.warn('a source failed', failure), Date.now)
  const health = sourceHealth(Date.now)
  const providers = settings.map((provider) =>
    providerSource(provider, {
      cache,
      now: Date.now,
      onAnswer: health.answered,
      onFailure(failure) {
        noteFailure(failure)
        health.failed(failure.source, failure.reason)
        opening.onSourceFailure(failure.source)
      },
    }),
  )
  const lookups = openLookups({
    assess: assessor(knowledge, providers),
    store: records,
    answers,
    nextId: lookupIds((limit) => Math.floor(Math.random() * limit)),
    onAssessed,
  })
  const stopRetention = keepRetention({
    lookups: records,
    deleteOthersBefore: appraisalStore(db).deleteAppraisalsBefore,
    claims: recordStore(db),
    knowledge: knows,
    prepareMonths: () =>
      db
        .prepareMonths(Date.now())
        .catch((error) => log.warn('the coming months could not be prepared; trying again', { cause: String(error) })),
    retentionDays: config.lookupRetentionDays,
    cacheMs: longestServedMs(settings),
    now: Date.now,
    failed: (error) => log.warn('old lookups could not be deleted', { cause: String(error) }),
    deleted: (count) => log.info('old lookups deleted', { count }),
  })
  return {
    lookups,
    sourcesDown: health.down,
    async close() {
      stopRetention()
      knowledge.close()
      await kept.drained()
    },
  }
}
