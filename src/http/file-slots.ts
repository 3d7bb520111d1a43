/** Files of one organization that are made at the same time. */
const FILES_AT_ONCE = 2
/** A file whose receiver takes nothing for this long no longer keeps others waiting. */
const STALLED_MS = 30_000

export type FileSlots = {
  /** Waits for a slot, which is free again when the file is sent, cancelled, or stalls. */
  make(organizationId: string, make: () => Promise<Response>): Promise<Response>
}

/** Bounds the memory of streamed files, of which each reads ahead: more of them wait. */
export function fileSlots({ atOnce = FILES_AT_ONCE, stalledMs = STALLED_MS } = {}): FileSlots {
  /** By organization: slots in use, and who waits for one. */
  const organizations = new Map<string, { taken: number; readonly waiting: (() => void)[] }>()

  function take(organizationId: string): Promise<void> {
    const slots = organizations.get(organizationId) ?? { taken: 0, waiting: [] }
    organizations.set(organizationId, slots)
    if (slots.taken >= atOnce) return new Promise((resolve) => slots.waiting.push(resolve))
    slots.taken++
    return Promise.resolve()
  }

  function giveBack(organizationId: string): void {
    const slots = organizations.get(organizationId)
    if (!slots) return
    const next = slots.waiting.shift()
    if (next) next()
    else if (--slots.taken === 0) organizations.delete(organizationId)
  }

  return {
    async make(organizationId, make) {
      await take(organizationId)
      let isFree = false
      const free = () => {
        if (isFree) return
        isFree = true
        giveBack(organizationId)
      }
      try {
        const file = await make()
        if (!file.body) {
          free()
          return file
        }
        return new Response(watchStream(file.body, free, stalledMs), file)
      } catch (error) {
        free()
        throw error
      }
    },
  }
}

/** The same stream; calls `onEnd` when it ends, is cancelled, or nobody reads from it for a while. */
function watchStream(
  source: ReadableStream<Uint8Array>,
  onEnd: () => void,
  stalledMs: number,
): ReadableStream<Uint8Array> {
  const reader = source.getReader()
  let stalled: ReturnType<typeof setTimeout> | undefined
  const waitForReader = () => {
    stalled = setTimeout(onEnd, stalledMs)
    stalled.unref?.()
  }
  waitForReader()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        clearTimeout(stalled)
        try {
          const { done, value } = await reader.read()
          if (done) {
            onEnd()
            return controller.close()
          }
          controller.enqueue(value)
          waitForReader()
        } catch (error) {
          onEnd()
          throw error
        }
      },
      async cancel(reason) {
        clearTimeout(stalled)
        onEnd()
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}
