import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { appraisalStore } from '../appraisal/appraisal-store.ts'
import type { Database } from '../db/database.ts'
import { reclaimDisk } from '../db/reclaim-disk.ts'
import { rejectedRowsPath } from '../import/import-history-service.ts'
import { deleteRunsBefore } from '../import/import-run-store.ts'
import type { ClockCheck } from '../jobs/clock-check-service.ts'
import { enforceRetention } from '../jobs/retention.ts'
import type { Scheduler } from '../jobs/scheduler-service.ts'
import type { Log } from '../lib/log.ts'
import { HOUR_MS } from '../lib/time.ts'
import { deviceListStore } from '../lists/device-list-store.ts'
import { recordStore } from '../records/record-store.ts'
import { lookupStore } from '../risk/lookup-store.ts'
import { referenceDataStore } from '../risk/reference-data-store.ts'
import { maxCacheAgeMs } from '../risk/sources/provider-settings.ts'
import { deleteExpiredSellers } from '../stock/seller-store.ts'
import type { ServiceSettingsService } from './service-settings.ts'

type RetentionDependencies = {
  readonly db: Database
  readonly settings: Pick<ServiceSettingsService, 'current'>
  readonly clock: ClockCheck
  readonly jobs: Scheduler
  readonly log: Log
}

/** Deletion does not slow down the start. */
const DELAY_MS = 30_000

/** The job of the leader that deletes records by age; returns a function that stops it. */
export function startRetention({ db, settings, clock, jobs, log }: RetentionDependencies): () => Promise<void> {
  const reportsFolder = join(settings.current().config.dataDir, 'reports')
  async function deleteImportRunsBefore(before: number): Promise<void> {
    for await (const run of deleteRunsBefore(db, before)) {
      const report = rejectedRowsPath(reportsFolder, run)
      if (report !== null) await rm(report, { force: true })
    }
  }
  return jobs.add({
    name: 'retention',
    everyMs: HOUR_MS,
    firstAfterMs: DELAY_MS,
    async run() {
      const { config, sources } = settings.current()
      await enforceRetention({
        clock,
        lookups: lookupStore(db),
        async deleteAppraisalsBefore(before) {
          await deviceListStore(db).deleteBefore(before)
          return appraisalStore(db).deleteAppraisalsBefore(before)
        },
        idempotency: recordStore(db),
        referenceData: referenceDataStore(db),
        deleteImportRunsBefore,
        deleteExpiredSellers: (now) => deleteExpiredSellers(db, now),
        importRetentionDays: config.importRetentionDays,
        retentionDays: config.lookupRetentionDays,
        maxCacheMs: maxCacheAgeMs(sources),
        now: Date.now,
        onDeleted: (count) => log.info('old lookups deleted', { count }),
      })
      await reclaimDisk(db)
    },
  })
}
