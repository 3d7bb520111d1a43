/** Resolves the titles of a long list in worker threads while the main thread reads and writes rows. */
import { availableParallelism } from 'node:os'
import { LRUCache } from 'lru-cache'
import type { Device } from '../../catalog/device.ts'
import { isTitleOnly, type SubjectMatcher, type SubjectQuery } from '../../pricing/observations/subject-matcher.ts'
import type { ResolvedSubject, TitleWorkerRequest, TitleWorkerResponse } from './title-worker.ts'

/** More workers would wait for the threads that read and write. */
const MAX_WORKERS = 3
/** Far more than the titles in flight. */
const MAX_CACHED_TITLES = 60_000

export type TitleWorkers = {
  /** Resolves when `find` knows these titles without resolving them itself. Never rejects. */
  readonly prepare: (names: readonly SubjectQuery[]) => Promise<void>
  readonly find: SubjectMatcher
  readonly stop: () => void
}

/**
 * Workers only speed things up: `findOnMainThread` resolves what they did not, or everything if they fail. It is not used
 * otherwise, because learning all names on the main thread too costs more than it gains on two cores.
 */
export function startTitleWorkers(
  devices: readonly Device[],
  findOnMainThread: SubjectMatcher,
): TitleWorkers | undefined {
  const count = Math.min(MAX_WORKERS, availableParallelism() - 1)
  if (count < 1) return undefined
  const workers = Array.from({ length: count }, () => startWorker(devices))
  const cache = new LRUCache<string, ResolvedTitle>({ max: MAX_CACHED_TITLES })
  let turn = 0

  return {
    async prepare(names) {
      const newTitles: ResolvedTitle[] = []
      const pendingRequests = new Set<Promise<void>>()
      for (const query of names) {
        if (!isTitleOnly(query)) continue
        const key = titleKey(query)
        const cached = cache.get(key)
        if (cached?.pending) pendingRequests.add(cached.pending)
        if (cached) continue
        const title: ResolvedTitle = { query, subject: undefined, pending: undefined }
        cache.set(key, title)
        newTitles.push(title)
      }
      if (newTitles.length > 0) {
        const worker = workers[turn++ % workers.length] as TitleWorker
        const pending = worker.resolve(newTitles)
        for (const title of newTitles) title.pending = pending
        pendingRequests.add(pending)
      }
      await Promise.all(pendingRequests)
    },
    find: (query) => (isTitleOnly(query) ? cache.get(titleKey(query))?.subject : undefined) ?? findOnMainThread(query),
    stop() {
      for (const worker of workers) worker.stop()
    },
  }
}

type ResolvedTitle = {
  readonly query: SubjectQuery
  subject: ResolvedSubject | undefined
  pending: Promise<void> | undefined
}

const titleKey = ({ make, model, storage, ram, color }: SubjectQuery) =>
  make || storage || ram || color ? `${make}\t${model}\t${storage}\t${ram}\t${color}` : model

type TitleWorker = {
  readonly resolve: (titles: readonly ResolvedTitle[]) => Promise<void>
  readonly stop: () => void
}

function startWorker(devices: readonly Device[]): TitleWorker {
  const worker = new Worker(workerUrl())
  const requests = new Map<number, { readonly titles: readonly ResolvedTitle[]; readonly done: () => void }>()
  /** Titles of one configuration share one object, so that it is stored once. */
  const shared = new Map<string, ResolvedSubject>()
  let nextId = 0
  let hasFailed = false
  const send = (request: TitleWorkerRequest) => worker.postMessage(request)

  function share(subject: ResolvedSubject): ResolvedSubject {
    if ('problem' in subject) return subject
    const key = `${subject.deviceId}\t${subject.configuration}\t${subject.variantId ?? ''}\t${subject.lock}`
    return shared.getOrInsert(key, subject)
  }

  /** Ends a request; without subjects the main thread resolves its titles. */
  function completeRequest(id: number, subjects: TitleWorkerResponse['subjects'] = []): void {
    const request = requests.get(id)
    requests.delete(id)
    for (const [at, title] of (request?.titles ?? []).entries()) {
      title.subject = subjects[at] && share(subjects[at])
      title.pending = undefined
    }
    request?.done()
  }

  worker.onmessage = ({ data }: MessageEvent<TitleWorkerResponse>) => completeRequest(data.id, data.subjects)
  worker.onerror = () => {
    hasFailed = true
    for (const id of [...requests.keys()]) completeRequest(id)
  }
  send({ devices })
  return {
    resolve(titles) {
      if (hasFailed) return Promise.resolve()
      const { promise, resolve: done } = Promise.withResolvers<void>()
      const id = nextId++
      requests.set(id, { titles, done })
      send({ id, titles: titles.map(({ query }) => query) })
      return promise
    },
    stop: () => worker.terminate(),
  }
}

/** The one-file executable contains the worker under its path below the program's first file; see scripts/build.ts. */
function workerUrl(): string {
  const isExecutable = import.meta.url.includes('/$bunfs/')
  return isExecutable ? './import/prices/title-worker.ts' : new URL('./title-worker.ts', import.meta.url).href
}
