import type { Actor } from '../auth/actor.ts'
import type { DomainError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import type { OrganizationRemovalStore } from './organization-removal-store.ts'

/** Longer than a running process takes to write its last usage counts. */
const REMOVAL_WAIT_S = 35
/** How often to look whether a running import has ended. */
const JOB_POLL_MS = 500

type RemovalDependencies = {
  readonly store: OrganizationRemovalStore
  readonly removeObservations: (organizationId: string) => Promise<number>
  /** Removes the files of its imports from this machine. */
  readonly removeFiles: (organizationId: string) => Promise<void>
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly now: () => number
  readonly waitMs?: number
}

/**
 * Removes organizations in the background. A removal that a restart interrupted continues with the next start, and one that
 * failed is tried again.
 */
export function openOrganizationRemoval({
  store,
  removeObservations,
  removeFiles,
  log,
  now,
  waitMs = REMOVAL_WAIT_S * 1_000,
}: RemovalDependencies) {
  const timers = new Set<ReturnType<typeof setTimeout>>()
  /** Removals that were requested here; those of an earlier process are not waited for. */
  const requested = new Set<Promise<void>>()
  let running: Promise<void> = Promise.resolve()
  let isClosed = false

  async function remove(id: string, actor: Actor): Promise<void> {
    try {
      // It was told to stop; until it has, it may write.
      while (await store.hasUnfinishedJobs(id)) {
        if (isClosed) return
        await Bun.sleep(JOB_POLL_MS)
      }
      await removeFiles(id)
      await removeObservations(id)
      await store.deleteData(id)
      await store.finish(id, actor, now())
      log.info('organization removed', { organization_id: id })
    } catch (error) {
      // Another process finished it.
      if ((error as DomainError).code === 'not_found') return
      log.warn('organization could not be removed; trying again', { organization_id: id, cause: String(error) })
      if (!isClosed) void schedule(id, actor)
    }
  }

  /** Resolves when the organization is removed, if nothing stops it before. */
  function schedule(id: string, actor: Actor): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(() => {
      timers.delete(timer)
      running = running.then(() => remove(id, actor)).finally(resolve)
    }, waitMs)
    timer.unref()
    timers.add(timer)
    return promise
  }

  return {
    async remove(id: string, confirmedName: string, actor: Actor, at: number): Promise<void> {
      await store.endAccess(id, confirmedName, actor, at)
      const done = schedule(id, actor).finally(() => requested.delete(done))
      requested.add(done)
    },
    isBusy: () => requested.size > 0,
    async whenIdle(): Promise<void> {
      // Otherwise the process may end before.
      for (const timer of timers) timer.ref()
      await Promise.all(requested)
    },
    async resume(): Promise<void> {
      for (const { id, actor } of await store.pending()) void schedule(id, actor)
    },
    async close(): Promise<void> {
      isClosed = true
      for (const timer of timers) clearTimeout(timer)
      await running
    },
  }
}
