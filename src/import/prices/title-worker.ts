/** What runs beside an import: titles come in, and what each of them is about goes back. Started by title-threads.ts. */
import type { Device } from '../../catalog/device.ts'
import {
  createSubjectMatcher,
  type SubjectMatch,
  type SubjectMatcher,
  type SubjectMismatch,
} from '../../pricing/observations/subject-matcher.ts'

/** The five texts of each title, one after the other: `make`, `model`, `storage`, `ram`, `color`. */
export const TEXTS_PER_TITLE = 5

export type TitleWorkerRequest =
  | { readonly devices: readonly Device[] }
  | { readonly id: number; readonly titles: readonly string[] }

/** An answer that several titles may share; where `detail` is null it is the title itself. */
export type TitleResult = SubjectMatch | { readonly problem: string; readonly detail: string | null }

export type TitleWorkerResponse = {
  readonly id: number
  /** Per title the number of its answer. */
  readonly resultNumbers: Int32Array<ArrayBuffer>
  /** Those that were not sent before; their numbers go on where the last ones ended. */
  readonly newResults: readonly TitleResult[]
}

type WorkerPort = {
  onmessage: ((event: { data: TitleWorkerRequest }) => void) | null
  postMessage(answer: TitleWorkerResponse): void
}

export function runTitleWorker(port: WorkerPort): void {
  let find: SubjectMatcher | undefined
  const numbers = new Map<string, number>()

  port.onmessage = ({ data }) => {
    if ('devices' in data) {
      find = createSubjectMatcher(data.devices)
      return
    }
    if (!find) throw new Error('Titles came before the devices.')
    const { titles } = data
    const found = new Int32Array(titles.length / TEXTS_PER_TITLE)
    const added: TitleResult[] = []
    for (let at = 0; at < found.length; at++) {
      const [make = '', model = '', storage = '', ram = '', color = ''] = titles.slice(
        at * TEXTS_PER_TITLE,
        (at + 1) * TEXTS_PER_TITLE,
      )
      const subject = find({ variantId: '', sku: '', partNumber: '', make, model, storage, ram, color })
      const shared = toTitleResult(subject, formatTitle(make, model))
      const key = titleResultKey(shared)
      let number = numbers.get(key)
      if (number === undefined) {
        number = numbers.size
        numbers.set(key, number)
        added.push(shared)
      }
      found[at] = number
    }
    port.postMessage({ id: data.id, resultNumbers: found, newResults: added })
  }
}

/** How a title is told in a report. */
export const formatTitle = (make: string, model: string) => `${make} ${model}`.trim()

function toTitleResult(subject: SubjectMatch | SubjectMismatch, text: string): TitleResult {
  if (!('problem' in subject)) return subject
  return { problem: subject.problem, detail: subject.detail === text ? null : subject.detail }
}

function titleResultKey(shared: TitleResult): string {
  if ('problem' in shared) return `${shared.problem}\t${shared.detail ?? ''}`
  return `${shared.deviceId}\t${shared.configuration}\t${shared.variantId ?? ''}\t${shared.lock}`
}

// Only as a thread: whoever imports this file for its types starts nothing.
if (!Bun.isMainThread) runTitleWorker(globalThis as unknown as WorkerPort)
