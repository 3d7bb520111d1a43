/** Batches keys: all keys requested during one turn of the event loop are loaded by one query. */
export function batchLoader<Key, Value>(
  load: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
  maxBatch: number,
): (key: Key) => Promise<Value | undefined> {
  let waiting = new Map<Key, { promise: Promise<Value | undefined>; settle: PromiseWithResolvers<Value | undefined> }>()
  let scheduled = false

  function flush(): void {
    scheduled = false
    const batch = waiting
    waiting = new Map()
    load([...batch.keys()]).then(
      (found) => {
        for (const [key, { settle }] of batch) settle.resolve(found.get(key))
      },
      (error) => {
        for (const { settle } of batch.values()) settle.reject(error)
      },
    )
  }

  return (key) => {
    const asked = waiting.get(key)
    if (asked) return asked.promise
    const settle = Promise.withResolvers<Value | undefined>()
    waiting.set(key, { promise: settle.promise, settle })
    if (waiting.size >= maxBatch) flush()
    else if (!scheduled) {
      scheduled = true
      setImmediate(() => {
        if (scheduled) flush()
      })
    }
    return settle.promise
  }
}
