/** Worker thread of an import: resolves titles. Started by title-workers-service.ts. */
import type { Device } from '../../catalog/device.ts'
import { memoize } from '../../lib/memoize.ts'
import {
  createSubjectMatcher,
  type SubjectMatch,
  type SubjectMatcher,
  type SubjectMismatch,
  type SubjectQuery,
} from '../../pricing/observations/subject-matcher.ts'

export type ResolvedSubject = ReturnType<SubjectMatcher>

export type TitleWorkerRequest =
  | { readonly devices: readonly Device[] }
  /** A title alone, or with other cells. */
  | { readonly id: number; readonly titles: readonly (string | SubjectQuery)[] }

export type TitleWorkerResponse = {
  readonly id: number
  /** The number of each title's subject, in order; -1 for the next problem. */
  readonly subjects: Int32Array
  /** Subjects that were not sent before; numbers follow the order of sending. */
  readonly newSubjects: readonly SubjectMatch[]
  readonly problems: readonly SubjectMismatch[]
}

type WorkerPort = {
  onmessage: ((event: { data: TitleWorkerRequest }) => void) | null
  postMessage(response: TitleWorkerResponse): void
}

/** Lists repeat titles, but rarely more than these between two occurrences. */
const MAX_CACHED_TITLES = 10_000
const TITLE_ONLY = { variantId: '', sku: '', partNumber: '', make: '', storage: '', ram: '', color: '' }

function runTitleWorker(port: WorkerPort): void {
  let resolve: ((titles: readonly (string | SubjectQuery)[]) => Omit<TitleWorkerResponse, 'id'>) | undefined
  port.onmessage = ({ data }) => {
    if ('devices' in data) resolve = createBlockResolver(createSubjectMatcher(data.devices))
    else if (resolve) port.postMessage({ id: data.id, ...resolve(data.titles) })
    else throw new Error('Titles arrived before the devices.')
  }
}

function createBlockResolver(find: SubjectMatcher) {
  const numbers = new Map<SubjectMatch, number>()
  const findTitle = memoize(MAX_CACHED_TITLES, (model: string) => find({ ...TITLE_ONLY, model }))
  return (titles: readonly (string | SubjectQuery)[]) => {
    const newSubjects: SubjectMatch[] = []
    const problems: SubjectMismatch[] = []
    const subjects = Int32Array.from(titles, (title) => {
      const subject = typeof title === 'string' ? findTitle(title) : find(title)
      if ('problem' in subject) {
        // A missing variant refers to a whole device, which is too much to copy.
        const { missingVariant: _, ...problem } = subject
        problems.push(problem)
        return -1
      }
      let number = numbers.get(subject)
      if (number === undefined) {
        number = numbers.size
        numbers.set(subject, number)
        newSubjects.push(subject)
      }
      return number
    })
    return { subjects, newSubjects, problems }
  }
}

// Only in a worker: importing this file for its types starts nothing.
if (!Bun.isMainThread) runTitleWorker(globalThis as unknown as WorkerPort)
