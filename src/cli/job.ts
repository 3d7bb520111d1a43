import { join } from 'node:path'
import { effectiveFeeds } from '../app/feeds.ts'
import { feedActor } from '../auth/actor.ts'
import type { Database } from '../db/database.ts'
import { runFeed } from '../import/feeds/feed-run-service.ts'
import { rejectedRowsPath } from '../import/import-history-service.ts'
import { withImportLock } from '../import/import-lock.ts'
import { findRun, maskFailure } from '../import/import-run-store.ts'
import { findImporter } from '../import/importers.ts'
import { createProgressSaver } from '../import/job-progress-service.ts'
import { storeReport } from '../import/job-report-store.ts'
import { checkUpload, runUpload } from '../import/uploads/upload-run-service.ts'
import { laneLock } from '../jobs/job-runner-service.ts'
import { type Job, jobStore } from '../jobs/job-store.ts'
import { failureOf } from '../lib/failure.ts'
import { type CommandContext, command, text } from './command.ts'
import { CommandError } from './command-error.ts'
import { storedSettings } from './stored-settings.ts'

/** Entry point of the processes that the leader starts for queued jobs; no command. */
export const jobRun = command({
  name: '--run-job',
  help: 'Run a job that was queued.',
  arguments: { id: text('JOB_ID') },
  async run({ id }, context) {
    const db = await context.openExistingDatabase()
    const jobs = jobStore(db)
    const queued = await jobs.find(id)
    if (!queued) throw new CommandError(`There is no job ${id}.`)
    const abortController = new AbortController()
    let isShutdown = false
    const stop = () => {
      isShutdown = true
      abortController.abort()
    }
    process.on('SIGTERM', stop)
    process.on('SIGINT', stop)
    const { signal } = abortController
    try {
      await withImportLock({ db, name: laneLock(queued.kind), onWait: () => {}, signal }, async () => {
        const job = await jobs.begin(id, context.now())
        if (!job) return
        try {
          await runJob(job, context, abortController, () => isShutdown).finally(() => keepReport(db, id, context))
        } catch (error) {
          if (isShutdown) return jobs.requeue(id)
          const failed = maskFailure(failureOf(error))
          // Does nothing if the failure is recorded already.
          await db.transaction((tx) => jobs.fail(tx, id, failed, context.now()))
          throw error
        }
      })
    } catch (error) {
      if (!isShutdown) throw error
    } finally {
      process.off('SIGTERM', stop)
      process.off('SIGINT', stop)
    }
  },
})

/** So that every machine can serve it. */
async function keepReport(db: Database, id: string, { config }: CommandContext): Promise<void> {
  const run = await findRun(db, id)
  const path = run && rejectedRowsPath(join(config.dataDir, 'reports'), run)
  if (path) await storeReport(db, id, path)
}

async function runJob(
  job: Job,
  context: CommandContext,
  abortController: AbortController,
  willResume: () => boolean,
): Promise<void> {
  const db = await context.openExistingDatabase()
  const settings = await storedSettings(db, context)
  const { dataDir } = context.config
  const common = { db, dataDir, defaultMarket: settings.config.market, now: context.now, willResume }
  if (job.kind === 'upload-check') return checkUpload(job, { ...common, abortController })
  if (job.kind === 'upload') return runUpload(job, { ...common, abortController })
  const feed = effectiveFeeds(settings).find(({ name }) => name === job.subject)
  const importer = feed && findImporter(feed.format)
  if (!feed || !importer) throw new CommandError(`There is no feed "${job.subject}".`)
  const progress = createProgressSaver(jobStore(db), job.id, abortController)
  try {
    await runFeed({
      ...common,
      feed,
      importer,
      jobId: job.id,
      allowPrivateAddresses: context.config.webhookAllowPrivate,
      force: false,
      acceptShrink: false,
      actor: feedActor(feed.name),
      notify: context.report,
      signal: abortController.signal,
      progress,
    })
  } finally {
    await progress.settled()
  }
}
