import type { Database } from '../db/database.ts'
import { type ClockCheck, clockCheck } from '../jobs/clock-check-service.ts'
import type { Log } from '../lib/log.ts'
import { isoInstant } from '../lib/time.ts'
import { readLastRun, writeLastRun } from '../records/retention-store.ts'

/** One check for all jobs that delete by age: lookups, appraisals, events, watches, usage and the request log. */
export function openClockCheck(db: Database, log: Log): ClockCheck {
  return clockCheck({
    readLastRun: () => readLastRun(db),
    writeLastRun: (at) => writeLastRun(db, at),
    now: Date.now,
    onSuspect: ({ clock, lastRun }) =>
      log.error('retention: the clock jumped; check the system time', {
        clock: isoInstant(clock),
        last_run: isoInstant(lastRun),
      }),
    onTrusted: () => log.info('retention: the clock is trusted again'),
  })
}
