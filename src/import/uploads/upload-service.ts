import type { Config, Environment } from '../../config.ts'
import type { Database } from '../../db/database.ts'
import { readTail, selfCommand } from '../../lib/child-process.ts'
import type { Log } from '../../lib/log.ts'
import { DAY_MS } from '../../lib/time.ts'
import { maskFailureMessage } from '../import-run-store.ts'
import { profileStore } from '../prices/profile-store.ts'
import { openUploadFolder } from './upload-folder-service.ts'
import { uploadStore } from './upload-store.ts'

const STOP_TIMEOUT_MS = 8_000
/** Older uploads are deleted, because they may contain personal data. */
const MAX_AGE_MS = DAY_MS

const FILE_LOST = 'The service was started anew and no longer has the file. Choose it again.'
const FILE_EXPIRED = 'The file was deleted, because it was not imported within a day. Choose it again.'

export type UploadService = ReturnType<typeof openUploadService>

type UploadServiceDependencies = {
  readonly db: Database
  readonly config: Config
  readonly environment: Environment
  readonly log: Log
}

/**
 * Checks and imports uploaded lists in child processes, because parsing and matching block the event loop for seconds.
 */
export function openUploadService({ db, config, environment, log }: UploadServiceDependencies) {
  const store = uploadStore(db)
  const folder = openUploadFolder(config.dataDir)
  const children = new Set<Bun.Subprocess>()
  const pendingWork = new Set<Promise<void>>()
  let isStopping = false

  async function runChild(verb: 'check' | 'run', id: string, claimedAt: number): Promise<void> {
    const child = Bun.spawn(selfCommand('upload', verb, id), {
      env: { ...environment, DATA_DIR: config.dataDir, DATABASE_URL: config.databaseUrl },
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'pipe',
    })
    children.add(child)
    const [errorOutput, code] = await Promise.all([readTail(child.stderr), child.exited])
    children.delete(child)
    const cause = maskFailureMessage(errorOutput.trim().split('\n').at(-1) ?? '')
    if (code === 0) log.info('an upload was read', { upload: id, to: verb })
    else log.warn('an upload could not be read', { upload: id, to: verb, exit: code, cause })
    await store.settle(id, claimedAt, Date.now())
    if (verb === 'run') await folder.remove(id)
  }

  async function removeAbandoned(isAbandoned: (changedAt: number) => boolean, reason: string): Promise<void> {
    for (const { id, changedAt } of await folder.listFiles()) {
      const upload = await store.find(id)
      const hasEnded = !upload || upload.state === 'ended'
      if (upload?.state === 'checking' || upload?.state === 'running' || !(hasEnded || isAbandoned(changedAt))) continue
      await folder.remove(id)
      if (!hasEnded) await store.end(id, reason)
    }
  }

  async function cleanUp(isAbandoned: (changedAt: number) => boolean, reason: string): Promise<void> {
    await store.settleAbandoned(Date.now())
    await removeAbandoned(isAbandoned, reason)
  }

  return {
    store,
    folder,
    profiles: profileStore(db).list,

    /** Starts the child process for an upload that was claimed at `claimedAt`. */
    start(verb: 'check' | 'run', id: string, claimedAt: number): void {
      if (isStopping) return
      const done = runChild(verb, id, claimedAt)
        .catch((error) => log.error('an upload was left behind', { upload: id, cause: String(error) }))
        .finally(() => pendingWork.delete(done))
      pendingWork.add(done)
    },

    /** Call it at startup: removes the files of earlier processes. */
    removeLeftovers: () => cleanUp(() => true, FILE_LOST),

    /** Settles uploads of killed processes and deletes expired ones. */
    removeExpired: () => cleanUp((changedAt) => Date.now() - changedAt > MAX_AGE_MS, FILE_EXPIRED),

    /** Lets the current steps finish within a time limit, then kills the child processes. */
    async close(): Promise<void> {
      isStopping = true
      for (const child of children) child.kill('SIGTERM')
      await Promise.race([Promise.all(pendingWork), Bun.sleep(STOP_TIMEOUT_MS)])
      for (const child of children) child.kill('SIGKILL')
      await Promise.all(pendingWork)
    },
  }
}
