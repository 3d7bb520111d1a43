/** Titles of a long list are resolved in threads of their own while this one reads rows and hands them to the store. */
import { availableParallelism } from 'node:os'
import type { Device } from '../../catalog/device.ts'
import {
  type FoundSubject,
  isByTitle,
  type Named,
  type NoSubject,
  type SubjectFinder,
} from '../../pricing/market/subject.ts'
import { type Answer, type Order, type Shared, titleText } from './title-thread.ts'

/** More of them would wait for the one that reads and the one that writes. */
const MOST_THREADS = 3
/** What was resolved is kept for rows that say the same, twice so much at most. Far more than the titles that are under way. */
const KEPT_TITLES = 30_000

export type TitleThreads = {
  /** Resolves when `find` knows what these are about without working it out itself. Never rejects. */
  readonly prepare: (names: readonly Named[]) => Promise<void>
  readonly find: SubjectFinder
  readonly stop: () => void
}

/**
 * Threads only speed things up: what they did not answer, and all of it where they fail, `findHere` finds. It is not asked
 * meanwhile: learning the names here too would cost more than it gives on two cores.
 */
export function startTitleThreads(devices: readonly Device[], findHere: SubjectFinder): TitleThreads | undefined {
  const count = Math.min(MOST_THREADS, availableParallelism() - 1)
  if (count < 1) return undefined
  const threads = Array.from({ length: count }, () => startThread(devices))
  let turn = 0
  let recent = new Map<string, Prepared>()
  let older = new Map<string, Prepared>()

  const preparedOf = (key: string) => recent.get(key) ?? older.get(key)

  return {
    async prepare(names) {
      const asked: Prepared[] = []
      const waiting = new Set<Promise<void>>()
      if (recent.size >= KEPT_TITLES) {
        older = recent
        recent = new Map()
      }
      for (const named of names) {
        if (!isByTitle(named)) continue
        const key = titleKey(named)
        const before = preparedOf(key)
        if (before?.isUnderWay) waiting.add(before.isUnderWay)
        if (before) continue
        const prepared: Prepared = { named, subject: undefined, isUnderWay: undefined }
        recent.set(key, prepared)
        asked.push(prepared)
      }
      if (asked.length > 0) {
        const thread = threads[turn++ % threads.length] as Thread
        const answering = thread.ask(asked)
        for (const prepared of asked) prepared.isUnderWay = answering
        waiting.add(answering)
      }
      await Promise.all(waiting)
    },
    find: (named) => (isByTitle(named) ? preparedOf(titleKey(named))?.subject : undefined) ?? findHere(named),
    stop() {
      for (const thread of threads) thread.stop()
    },
  }
}

type Prepared = {
  readonly named: Named
  subject: FoundSubject | NoSubject | undefined
  isUnderWay: Promise<void> | undefined
}

const titleKey = ({ make, model, storage, ram, color }: Named) =>
  make || storage || ram || color ? `${make}\t${model}\t${storage}\t${ram}\t${color}` : model

type Thread = {
  readonly ask: (titles: readonly Prepared[]) => Promise<void>
  readonly stop: () => void
}

function startThread(devices: readonly Device[]): Thread {
  const worker = new Worker(threadAddress())
  const waiting = new Map<number, { readonly titles: readonly Prepared[]; readonly done: () => void }>()
  const shared: Shared[] = []
  let nextId = 0
  let hasFailed = false
  const send = (order: Order) => worker.postMessage(order)

  worker.onmessage = ({ data }: MessageEvent<Answer>) => {
    shared.push(...data.added)
    const asked = waiting.get(data.id)
    waiting.delete(data.id)
    asked?.titles.forEach((prepared, at) => {
      prepared.subject = subjectOf(shared[data.found[at] as number] as Shared, prepared.named)
      prepared.isUnderWay = undefined
    })
    asked?.done()
  }
  worker.onerror = () => {
    hasFailed = true
    for (const { titles, done } of waiting.values()) {
      for (const prepared of titles) prepared.isUnderWay = undefined
      done()
    }
    waiting.clear()
  }
  send({ devices })
  return {
    ask(titles) {
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

function subjectOf(shared: Shared, { make, model }: Named): FoundSubject | NoSubject {
  if (!('problem' in shared)) return shared
  return { problem: shared.problem, detail: shared.detail ?? titleText(make, model) }
}

/** The one-file executable carries the thread by its place below the program's first file; see scripts/build.ts. */
function threadAddress(): string {
  const isExecutable = import.meta.url.includes('/$bunfs/')
  return isExecutable ? './import/market/title-thread.ts' : new URL('./title-thread.ts', import.meta.url).href
}
