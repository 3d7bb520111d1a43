/** Titles of a long list are resolved in threads of their own while this one reads rows and hands them to the store. */
import { availableParallelism } from 'node:os'
import type { Device } from '../../catalog/device.ts'
import {
  isTitleOnly,
  type SubjectMatch,
  type SubjectMatcher,
  type SubjectMismatch,
  type SubjectQuery,
} from '../../pricing/observations/subject-matcher.ts'
import { formatTitle, type TitleResult, type TitleWorkerRequest, type TitleWorkerResponse } from './title-worker.ts'

/** More of them would wait for the one that reads and the one that writes. */
const MAX_WORKERS = 3
/** What was resolved is kept for rows that say the same, twice so much at most. Far more than the titles that are under way. */
const CACHED_TITLES = 30_000

export type TitleWorkers = {
  /** Resolves when `find` knows what these are about without working it out itself. Never rejects. */
  readonly prepare: (names: readonly SubjectQuery[]) => Promise<void>
  readonly find: SubjectMatcher
  readonly stop: () => void
}

/**
 * Threads only speed things up: what they did not answer, and all of it where they fail, `findHere` finds. It is not asked
 * meanwhile: learning the names here too would cost more than it gives on two cores.
 */
export function startTitleWorkers(
  devices: readonly Device[],
  findOnMainThread: SubjectMatcher,
): TitleWorkers | undefined {
  const count = Math.min(MAX_WORKERS, availableParallelism() - 1)
  if (count < 1) return undefined
  const threads = Array.from({ length: count }, () => startWorker(devices))
  let turn = 0
  let recent = new Map<string, PendingTitle>()
  let older = new Map<string, PendingTitle>()

  const preparedOf = (key: string) => recent.get(key) ?? older.get(key)

  return {
    async prepare(names) {
      const asked: PendingTitle[] = []
      const waiting = new Set<Promise<void>>()
      if (recent.size >= CACHED_TITLES) {
        older = recent
        recent = new Map()
      }
      for (const named of names) {
        if (!isTitleOnly(named)) continue
        const key = titleKey(named)
        const before = preparedOf(key)
        if (before?.pending) waiting.add(before.pending)
        if (before) continue
        const prepared: PendingTitle = { named, subject: undefined, pending: undefined }
        recent.set(key, prepared)
        asked.push(prepared)
      }
      if (asked.length > 0) {
        const thread = threads[turn++ % threads.length] as TitleWorker
        const answering = thread.resolve(asked)
        for (const prepared of asked) prepared.pending = answering
        waiting.add(answering)
      }
      await Promise.all(waiting)
    },
    find: (named) => (isTitleOnly(named) ? preparedOf(titleKey(named))?.subject : undefined) ?? findOnMainThread(named),
    stop() {
      for (const thread of threads) thread.stop()
    },
  }
}

type PendingTitle = {
  readonly named: SubjectQuery
  subject: SubjectMatch | SubjectMismatch | undefined
  pending: Promise<void> | undefined
}

const titleKey = ({ make, model, storage, ram, color }: SubjectQuery) =>
  make || storage || ram || color ? `${make}\t${model}\t${storage}\t${ram}\t${color}` : model

type TitleWorker = {
  readonly resolve: (titles: readonly PendingTitle[]) => Promise<void>
  readonly stop: () => void
}

function startWorker(devices: readonly Device[]): TitleWorker {
  const worker = new Worker(workerUrl())
  const waiting = new Map<number, { readonly titles: readonly PendingTitle[]; readonly done: () => void }>()
  const shared: TitleResult[] = []
  let nextId = 0
  let hasFailed = false
  const send = (order: TitleWorkerRequest) => worker.postMessage(order)

  worker.onmessage = ({ data }: MessageEvent<TitleWorkerResponse>) => {
    shared.push(...data.newResults)
    const asked = waiting.get(data.id)
    waiting.delete(data.id)
    asked?.titles.forEach((prepared, at) => {
      prepared.subject = toSubject(shared[data.resultNumbers[at] as number] as TitleResult, prepared.named)
      prepared.pending = undefined
    })
    asked?.done()
  }
  worker.onerror = () => {
    hasFailed = true
    for (const { titles, done } of waiting.values()) {
      for (const prepared of titles) prepared.pending = undefined
      done()
    }
    waiting.clear()
  }
  send({ devices })
  return {
    resolve(titles) {
      if (hasFailed) return Promise.resolve()
      const { promise, resolve: done } = Promise.withResolvers<void>()
      const id = nextId++
      waiting.set(id, { titles, done })
      send({
        id,
        titles: titles.flatMap(({ named: { make, model, storage, ram, color } }) => [make, model, storage, ram, color]),
      })
      return promise
    },
    stop: () => worker.terminate(),
  }
}

function toSubject(shared: TitleResult, { make, model }: SubjectQuery): SubjectMatch | SubjectMismatch {
  if (!('problem' in shared)) return shared
  return { problem: shared.problem, detail: shared.detail ?? formatTitle(make, model) }
}

/** The one-file executable carries the thread by its place below the program's first file; see scripts/build.ts. */
function workerUrl(): string {
  const isExecutable = import.meta.url.includes('/$bunfs/')
  return isExecutable ? './import/prices/title-worker.ts' : new URL('./title-worker.ts', import.meta.url).href
}
