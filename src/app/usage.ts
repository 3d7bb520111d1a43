import type { Database } from '../db/database.ts'
import type { RequestFacts } from '../http/context.ts'
import type { RejectedRequest } from '../http/load-shedding/early-rejection.ts'
import { usageKeyId } from '../http/principal.ts'
import type { ClockCheck } from '../jobs/clock-check-service.ts'
import type { Scheduler } from '../jobs/scheduler-service.ts'
import type { Log } from '../lib/log.ts'
import { HOUR_MS, MINUTE_MS } from '../lib/time.ts'
import { openQuotaService } from '../usage/quota-service.ts'
import { quotaStore } from '../usage/quota-store.ts'
import { openUsageRecorder } from '../usage/usage-recorder-service.ts'
import { usageStore } from '../usage/usage-store.ts'

/** A kill loses the usage since the last write. */
const FLUSH_MS = MINUTE_MS / 2

type UsageDependencies = {
  readonly db: Database
  readonly clock: Pick<ClockCheck, 'isTrusted'>
  readonly jobs: Scheduler
  readonly log: Log
}

/** Usage counts, the request log and monthly quotas. */
export function openUsage({ db, clock, jobs, log }: UsageDependencies) {
  const recorder = openUsageRecorder(usageStore(db), {
    onWarning: (message, error) => log.warn(message, { cause: String(error) }),
    writerId: crypto.randomUUID(),
    mayDelete: clock.isTrusted,
  })
  const quotas = openQuotaService({ store: quotaStore(db) })
  jobs.add({ name: 'usage', everyMs: FLUSH_MS, run: recorder.flush })
  jobs.add({ name: 'quotas', everyMs: FLUSH_MS, firstAfterMs: 0, run: quotas.refresh })
  return {
    /** The job of the leader that deletes old counts; returns a function that stops it. */
    lead: () => jobs.add({ name: 'usage_retention', everyMs: HOUR_MS, run: recorder.deleteOld }),
    recorder,
    quotas,
    recordRequest({ principal, route, status, now, durationMs, method, loggedId: requestId }: RequestFacts): void {
      if (principal === null) return
      const { organizationId } = principal
      const keyId = usageKeyId(principal)
      recorder.add({ organizationId, keyId, route, status, durationMs }, now)
      recorder.log({ organizationId, keyId, at: now, method, route, status, durationMs, requestId })
    },
    /** Counts a request that load shedding rejected; the request log does not contain it. */
    recordRejection({ route, key, now }: RejectedRequest): void {
      if (key === null) return
      recorder.add({ organizationId: key.organizationId, keyId: key.id, route, status: 503, durationMs: 0 }, now)
    },
  }
}
