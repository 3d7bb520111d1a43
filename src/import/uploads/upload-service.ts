import { readFile } from 'node:fs/promises'
import type { Actor } from '../../auth/actor.ts'
import type { Config, Environment } from '../../config.ts'
import { PART_BYTES, UPLOAD_OPTIONS_BY_FORMAT, type UploadFormat } from '../../contract/uploads.ts'
import type { Database } from '../../db/database.ts'
import { readTail, selfCommand } from '../../lib/child-process.ts'
import { conflict, DomainError, invalid, unknownId } from '../../lib/errors.ts'
import type { Log } from '../../lib/log.ts'
import { DAY_MS } from '../../lib/time.ts'
import type { ImportHistory } from '../import-history-service.ts'
import { type ImportRun, maskFailureMessage } from '../import-run-store.ts'
import { profileStore } from '../prices/profile-store.ts'
import { openUploadFolder } from './upload-folder-service.ts'
import { type Upload, uploadStore } from './upload-store.ts'

const STOP_TIMEOUT_MS = 8_000
/** Older uploads are deleted, because they may contain personal data. */
const MAX_AGE_MS = DAY_MS

const MEGABYTE = 1024 * 1024

const REPLACED = 'Another file was chosen in its place.'
const FILE_LOST = 'The service was started anew and no longer has the file. Choose it again.'
const FILE_EXPIRED = 'The file was deleted, because it was not imported within a day. Choose it again.'

export type UploadService = ReturnType<typeof openUploadService>

/** Who uploads: one person or key at a time for one organization. */
export type UploadOwner = {
  readonly organizationId: string
  readonly ownerId: string
  readonly actor: Actor
}

type NewUpload = {
  readonly format: UploadFormat
  readonly file: string
  readonly bytes: number
}

type UploadServiceDependencies = {
  readonly db: Database
  readonly imports: Pick<ImportHistory, 'find' | 'findRejectedRows'>
  readonly config: Config
  readonly environment: Environment
  readonly log: Log
}

/**
 * Checks and imports uploaded lists in child processes, because parsing and matching block the event loop for seconds.
 */
export function openUploadService({ db, imports, config, environment, log }: UploadServiceDependencies) {
  const store = uploadStore(db)
  const maxBytes = config.uploadLimitBytes
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

  /** Starts the child process for an upload that was claimed at `claimedAt`. */
  function start(verb: 'check' | 'run', id: string, claimedAt: number): void {
    if (isStopping) return
    const done = runChild(verb, id, claimedAt)
      .catch((error) => log.error('an upload was left behind', { upload: id, cause: String(error) }))
      .finally(() => pendingWork.delete(done))
    pendingWork.add(done)
  }

  async function startCheck(upload: Upload, options: Upload['options'], now: number): Promise<Upload> {
    await store.settleAbandoned(now)
    start('check', upload.id, await store.beginCheck(upload, options, now))
    return store.read(upload.organizationId, upload.id)
  }

  return {
    store,
    folder,
    profiles: profileStore(db).list,
    /** Largest file; 0 if uploads are switched off. */
    maxBytes,

    findRun: async ({ runId }: Upload): Promise<ImportRun | undefined> =>
      runId === null ? undefined : imports.find(runId),

    receivedBytes: async ({ id, state, bytes }: Upload): Promise<number> =>
      state === 'ended' ? bytes : folder.sizeOf(id),

    /** Begins an upload in place of the unfinished one of the same owner. */
    async begin(owner: UploadOwner, { format, file, bytes }: NewUpload, now: number): Promise<Upload> {
      if (bytes > maxBytes) {
        throw new DomainError('too_large', `A list may have ${maxBytes / MEGABYTE} MB at most.`)
      }
      const previous = await store.newestOf(owner.organizationId, owner.ownerId)
      if (previous && (previous.state === 'receiving' || previous.state === 'checked')) {
        await store.end(previous.id, REPLACED)
        await folder.remove(previous.id)
      }
      return store.begin(owner, { format, file: sanitizeFileName(file), bytes }, now)
    },

    /** Appends a part at its offset and returns the number of bytes received so far. */
    async addPart(owner: UploadOwner, id: string, at: number, part: Uint8Array): Promise<number> {
      const upload = await store.read(owner.organizationId, id)
      if (upload.ownerId !== owner.ownerId) throw unknownId('upload', id)
      if (upload.state !== 'receiving') throw conflict('upload', 'This upload takes no more bytes.')
      const received = await folder.add(id, at, part, Math.min(upload.bytes, at + PART_BYTES))
      if (received === 'too large') {
        throw new DomainError('too_large', 'The part has more bytes than the upload declared.')
      }
      return received
    },

    /** Checks an upload with the options of an import; nothing is written. */
    async check(owner: UploadOwner, id: string, options: Upload['options'], now: number): Promise<Upload> {
      const upload = await store.read(owner.organizationId, id)
      const allowedOptions: readonly string[] = UPLOAD_OPTIONS_BY_FORMAT[upload.format as UploadFormat]
      const unknown = Object.keys(options).find((name) => !allowedOptions.includes(name))
      if (unknown !== undefined) throw invalid('options', unknown, `among ${allowedOptions.join(', ')}`)
      if ((await folder.sizeOf(id)) !== upload.bytes) {
        throw conflict('upload', 'The upload is incomplete. Choose the file again.')
      }
      return startCheck(upload, options, now)
    },

    /** Imports a checked upload. */
    async run(owner: UploadOwner, id: string, now: number): Promise<Upload> {
      const upload = await store.read(owner.organizationId, id)
      await store.settleAbandoned(now)
      start('run', id, await store.beginRun(upload, owner.actor, now))
      return store.read(owner.organizationId, id)
    },

    /** Makes an upload of the rejected rows of an import and checks it with the options of the import. */
    async retryImport(owner: UploadOwner, runId: string, now: number): Promise<Upload> {
      const { run, path } = await imports.findRejectedRows(runId)
      const report = await readFile(path)
      // The source of rows without one is the name of the file, so the rows keep that of the first import.
      const file = { format: run.format as UploadFormat, file: sanitizeFileName(run.file), bytes: report.byteLength }
      const upload = await store.begin(owner, file, now)
      await folder.add(upload.id, 0, report, report.byteLength)
      return startCheck(upload, await store.optionsOfRun(runId), now)
    },

    async stop(owner: UploadOwner, id: string): Promise<void> {
      const upload = await store.read(owner.organizationId, id)
      await store.requestStop(upload.id)
    },

    /** Deletes the file of an upload that no process reads. */
    async discard(owner: UploadOwner, id: string): Promise<void> {
      const upload = await store.read(owner.organizationId, id)
      if (upload.state === 'checking' || upload.state === 'running') {
        throw conflict('upload', 'This upload is being read. Stop it first.')
      }
      if (upload.state !== 'ended') await store.end(id, null)
      await folder.remove(id)
    },

    isBusy: () => pendingWork.size > 0,
    whenIdle: async () => void (await Promise.all(pendingWork)),

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

/** The file name without folders and invisible characters. */
function sanitizeFileName(file: string): string {
  const name = file.split(/[/\\]/).at(-1) ?? ''
  return (
    name
      .replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '')
      .trim()
      .slice(0, 120) || 'upload'
  )
}
