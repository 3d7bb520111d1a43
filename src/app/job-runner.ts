import type { Config, Environment } from '../config.ts'
import type { Database } from '../db/database.ts'
import { feedStore } from '../import/feeds/feed-store.ts'
import { failRun, maskFailureMessage } from '../import/import-run-store.ts'
import { endInterruptedImports } from '../import/interrupted-import-service.ts'
import { startJobRunner } from '../jobs/job-runner-service.ts'
import { interruptionOf, type Job, jobStore } from '../jobs/job-store.ts'
import type { Scheduler } from '../jobs/scheduler-service.ts'
import { selfCommand } from '../lib/child-process.ts'
import type { Log } from '../lib/log.ts'
import { MINUTE_MS } from '../lib/time.ts'

type JobRunnerDependencies = {
  readonly db: Database
  readonly config: Pick<Config, 'dataDir' | 'databaseUrl'>
  readonly environment: Environment
  readonly log: Log
}

/** Runs the queued jobs of the service; returns a function that stops it. */
export function runQueuedJobs({ db, config, environment, log }: JobRunnerDependencies): () => Promise<void> {
  const store = jobStore(db)
  const env = { ...environment, DATA_DIR: config.dataDir, DATABASE_URL: config.databaseUrl }
  const failInterrupted = async (job: Job) => {
    const failed = interruptionOf(job)
    if (job.kind === 'feed') await feedStore(db).fail(job.subject, failed, Date.now())
    if (job.startedAt !== null) return failRun(db, job.id, Date.now(), failed)
    await db.transaction((tx) => store.fail(tx, job.id, failed, Date.now()))
  }
  const { stop } = startJobRunner({
    store,
    spawn: (id) => Bun.spawn(selfCommand('--run-job', id), { env, stdin: 'ignore', stdout: 'ignore', stderr: 'pipe' }),
    failInterrupted,
    onChange: (react) => db.onChange('jobs', react),
    maskMessage: maskFailureMessage,
    log,
  })
  return stop
}

/** Ends imports whose process is gone, at the start of the leader and once a minute; returns a function that stops it. */
export const endInterruptedJobs = ({
  db,
  jobs,
  log,
}: Pick<JobRunnerDependencies, 'db' | 'log'> & { readonly jobs: Pick<Scheduler, 'add'> }) =>
  jobs.add({
    name: 'interrupted imports',
    everyMs: MINUTE_MS,
    firstAfterMs: 0,
    async run() {
      const imports = await endInterruptedImports(db, Date.now)
      if (imports > 0) log.warn('ended interrupted imports', { imports })
    },
  })
