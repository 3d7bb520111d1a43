/** Resolves the titles of a long list in worker threads while the main thread reads and writes rows. */
import { availableParallelism } from 'node:os'
import type { Device } from '../../catalog/device.ts'
import {
  isTitleOnly,
  type SubjectMatch,
  type SubjectMismatch,
  type SubjectQuery,
} from '../../pricing/observations/subject-matcher.ts'
import type { ResolvedSubject, TitleWorkerRequest, TitleWorkerResponse } from './title-worker.ts'

/** More workers would wait for the threads that read and write. */
const MAX_WORKERS = 3

/** What each row names, in order; undefined for rows that the main thread has to resolve. */
export type ResolvedRows = readonly (ResolvedSubject | undefined)[]

export type TitleWorkers = {
  /** Never rejects: without an answer of the worker all rows are undefined. Rows with an id or a code always are. */
  readonly resolve: (rows: readonly SubjectQuery[]) => Promise<ResolvedRows>
  readonly stop: () => void
}

/** Workers only speed things up: the main thread resolves what they did not, or everything if they fail. */
export function startTitleWorkers(devices: readonly Device[]): TitleWorkers | undefined {
  const count = Math.min(MAX_WORKERS, availableParallelism() - 1)
  if (count < 1) return undefined
  const workers = Array.from({ length: count }, () => startWorker(devices))
  let turn = 0
  return {
    async resolve(rows) {
      const titles = rows.filter(isTitleOnly)
      if (titles.length === 0) return rows.map(() => undefined)
      const worker = workers[turn++ % workers.length] as TitleWorker
      const subjects = await worker.resolve(titles)
      if (titles.length === rows.length) return subjects
      let next = 0
      return rows.map((row) => (isTitleOnly(row) ? subjects[next++] : undefined))
    },
    stop() {
      for (const worker of workers) worker.stop()
    },
  }
}

type TitleWorker = {
  readonly resolve: (titles: readonly SubjectQuery[]) => Promise<ResolvedRows>
  readonly stop: () => void
}

/** Most lists only have titles, which are much cheaper to send than objects. */
const toMessage = (query: SubjectQuery) =>
  query.make || query.storage || query.ram || query.color ? query : query.model

function startWorker(devices: readonly Device[]): TitleWorker {
  const worker = new Worker(workerUrl())
  const requests = new Map<number, (subjects: ResolvedRows) => void>()
  /** Subjects by the number that the worker gave them: rows of the same subject share one object, so that it is stored once. */
  const known: SubjectMatch[] = []
  const bases = new Map<string, SubjectMatch>()
  let nextId = 0
  let hasFailed = false
  const send = (request: TitleWorkerRequest) => worker.postMessage(request)

  /** Base models are copied with every problem. */
  function shareBase(problem: SubjectMismatch): SubjectMismatch {
    if (!problem.base) return problem
    const { deviceId, configuration, lock } = problem.base
    return { ...problem, base: bases.getOrInsert(`${deviceId}\n${configuration}\n${lock}`, problem.base) }
  }

  function completeRequest(id: number, subjects: ResolvedRows): void {
    requests.get(id)?.(subjects)
    requests.delete(id)
  }

  worker.onmessage = ({ data }: MessageEvent<TitleWorkerResponse>) => {
    for (const subject of data.newSubjects) known.push(subject)
    let nextProblem = 0
    completeRequest(
      data.id,
      Array.from(data.subjects, (number) =>
        number < 0 ? shareBase(data.problems[nextProblem++] as SubjectMismatch) : known[number],
      ),
    )
  }
  worker.onerror = () => {
    hasFailed = true
    for (const id of [...requests.keys()]) completeRequest(id, [])
  }
  send({ devices })
  return {
    resolve(titles) {
      if (hasFailed) return Promise.resolve([])
      const { promise, resolve } = Promise.withResolvers<ResolvedRows>()
      const id = nextId++
      requests.set(id, resolve)
      send({ id, titles: titles.map(toMessage) })
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
