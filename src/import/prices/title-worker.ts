/** Worker thread of an import: resolves titles. Started by title-workers-service.ts. */
import type { Device } from '../../catalog/device.ts'
import {
  createSubjectMatcher,
  type SubjectMatcher,
  type SubjectQuery,
} from '../../pricing/observations/subject-matcher.ts'

export type ResolvedSubject = ReturnType<SubjectMatcher>

export type TitleWorkerRequest =
  | { readonly devices: readonly Device[] }
  | { readonly id: number; readonly titles: readonly SubjectQuery[] }

export type TitleWorkerResponse = {
  readonly id: number
  /** The result for each title, in order. */
  readonly subjects: readonly ResolvedSubject[]
}

type WorkerPort = {
  onmessage: ((event: { data: TitleWorkerRequest }) => void) | null
  postMessage(response: TitleWorkerResponse): void
}

function runTitleWorker(port: WorkerPort): void {
  let find: SubjectMatcher | undefined
  port.onmessage = ({ data }) => {
    if ('devices' in data) find = createSubjectMatcher(data.devices)
    else if (find) port.postMessage({ id: data.id, subjects: data.titles.map(find).map(withoutMissingVariant) })
    else throw new Error('Titles arrived before the devices.')
  }
}

/** A missing variant refers to a whole device, which is too much to copy. */
function withoutMissingVariant(subject: ResolvedSubject): ResolvedSubject {
  return 'problem' in subject ? { problem: subject.problem, detail: subject.detail } : subject
}

// Only in a worker: importing this file for its types starts nothing.
if (!Bun.isMainThread) runTitleWorker(globalThis as unknown as WorkerPort)
