/** Batches keys: all keys requested during one turn of the event loop are loaded by one query. */
export function batchLoader<Key, Value>(
  load: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
  maxBatch: number,
): (key: Key) => Promise<Value | undefined> {
  let pending = new Map<Key, PromiseWithResolvers<Value | undefined>>()
  let scheduled = false

  function flush(): void {
    scheduled = false
    const batch = pending
    pending = new Map()
    load([...batch.keys()]).then(
      (values) => {
        for (const [key, { resolve }] of batch) resolve(values.get(key))
      },
      (error) => {
        for (const { reject } of batch.values()) reject(error)
      },
    )
  }

  return (key) => {
    const existing = pending.get(key)
    if (existing) return existing.promise
    const resolvers = Promise.withResolvers<Value | undefined>()
    pending.set(key, resolvers)
    if (pending.size >= maxBatch) flush()
    else if (!scheduled) {
      scheduled = true
      setImmediate(() => {
        if (scheduled) flush()
      })
    }
    return resolvers.promise
  }
}
