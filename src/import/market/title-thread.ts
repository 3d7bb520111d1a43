/** What runs beside an import: titles come in, and what each of them is about goes back. Started by title-threads.ts. */
import type { Device } from '../../catalog/device.ts'
import { type FoundSubject, type NoSubject, openSubjects, type SubjectFinder } from '../../pricing/market/subject.ts'

/** The five texts of each title, one after the other: `make`, `model`, `storage`, `ram`, `color`. */
export const TEXTS_A_TITLE = 5

export type Order =
  | { readonly devices: readonly Device[] }
  | { readonly id: number; readonly titles: readonly string[] }

/** An answer that several titles may share; where `detail` is null it is the title itself. */
export type Shared = FoundSubject | { readonly problem: string; readonly detail: string | null }

export type Answer = {
  readonly id: number
  /** Per title the number of its answer. */
  readonly found: Int32Array<ArrayBuffer>
  /** Those that were not sent before; their numbers go on where the last ones ended. */
  readonly added: readonly Shared[]
}

type Port = { onmessage: ((event: { data: Order }) => void) | null; postMessage(answer: Answer): void }

export function answerTitles(port: Port): void {
  let find: SubjectFinder | undefined
  const numbers = new Map<string, number>()

  port.onmessage = ({ data }) => {
    if ('devices' in data) {
      find = openSubjects(data.devices)
      return
    }
    if (!find) throw new Error('Titles came before the devices.')
    const { titles } = data
    const found = new Int32Array(titles.length / TEXTS_A_TITLE)
    const added: Shared[] = []
    for (let at = 0; at < found.length; at++) {
      const [make = '', model = '', storage = '', ram = '', color = ''] = titles.slice(
        at * TEXTS_A_TITLE,
        (at + 1) * TEXTS_A_TITLE,
      )
      const subject = find({ variantId: '', sku: '', partNumber: '', make, model, storage, ram, color })
      const shared = sharedOf(subject, titleText(make, model))
      const key = keyOf(shared)
      let number = numbers.get(key)
      if (number === undefined) {
        number = numbers.size
        numbers.set(key, number)
        added.push(shared)
      }
      found[at] = number
    }
    port.postMessage({ id: data.id, found, added })
  }
}

/** How a title is told in a report. */
export const titleText = (make: string, model: string) => `${make} ${model}`.trim()

function sharedOf(subject: FoundSubject | NoSubject, text: string): Shared {
  if (!('problem' in subject)) return subject
  return { problem: subject.problem, detail: subject.detail === text ? null : subject.detail }
}

function keyOf(shared: Shared): string {
  if ('problem' in shared) return `${shared.problem}\t${shared.detail ?? ''}`
  return `${shared.deviceId}\t${shared.configuration}\t${shared.variantId ?? ''}\t${shared.lock}`
}

// Only as a thread: whoever imports this file for its types starts nothing.
if (!Bun.isMainThread) answerTitles(globalThis as unknown as Port)
