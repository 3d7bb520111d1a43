import { commandLineActor } from '../auth/actor.ts'
import type { Database } from '../db/database.ts'
import { INTERRUPTED, type Job, jobStore } from '../jobs/job-store.ts'
import { failure } from '../lib/failure.ts'
import { reason } from '../lib/reasons.ts'
import { MINUTE_MS } from '../lib/time.ts'
import { isCommandLane, tryLane } from './command-lane-service.ts'
import { failRun, findRun } from './import-run-store.ts'
import { forgetObservations } from './prices/observation-removal-store.ts'

/** Longer than the deadline of a request: the process of such a contribution is gone. */
const MAX_CONTRIBUTION_MS = 10 * MINUTE_MS
const PRICES_REMOVED = failure(
  'Interrupted: the process ended during the import. Its prices were removed; import the file again.',
  reason('import_interrupted_prices'),
)

/**
 * Ends imports whose process was killed: of a command, whose lane is free then, or of a contribution. A part of a price list
 * is removed again; other lists can be imported again over what was written. Returns the number of imports.
 */
export async function endInterruptedImports(db: Database, now: () => number): Promise<number> {
  const jobs = jobStore(db)
  let ended = 0
  const end = async ({ id }: Pick<Job, 'id'>) => {
    const run = await findRun(db, id)
    if (!run) return endBeforeImport(id)
    if (run.state !== 'unfinished') return
    const hasPrices = run.format === 'observations'
    await failRun(db, id, now(), hasPrices ? PRICES_REMOVED : INTERRUPTED)
    if (hasPrices) await forgetObservations(db, { importId: id }, commandLineActor(null), now())
    ended++
  }
  /** Killed while a feed was fetched. */
  const endBeforeImport = async (id: string) => {
    if ((await jobs.find(id))?.state !== 'running') return
    await db.transaction((tx) => jobs.fail(tx, id, INTERRUPTED, now()))
    ended++
  }
  const running = await jobs.running(['command', 'contribution'])
  for (const job of running) {
    if (job.kind === 'contribution') {
      if (now() - (job.startedAt ?? now()) > MAX_CONTRIBUTION_MS) await end(job)
    } else if (isCommandLane(job.subject)) await tryLane(db, job.subject, () => end(job))
  }
  return ended
}
