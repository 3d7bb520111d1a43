/**
 * A process that sends a fixed number of requests per second over its own connections, whether or not earlier ones have a
 * response. `open-loop-load.ts` starts it with its task as the first argument; it prints its results as JSON.
 */
import { type LoadConnection, openConnections } from './connections.ts'
import { lookupRequest } from './lookup-request.ts'
import type { LoadOptions, LoadResult } from './open-loop-load.ts'

const TICK_MS = 5

const { url, key, connections, perSecond, seconds, first }: LoadOptions = JSON.parse(process.argv[2] ?? '{}')
const all = await openConnections(url, connections)
const free: LoadConnection[] = [...all]
const seen: LoadResult['latenciesByStatus'] = {}
let sent = 0
let unsent = 0
const from = performance.now()
for (let elapsedMs = 0; elapsedMs < seconds * 1000; elapsedMs = performance.now() - from) {
  for (const many = (elapsedMs / 1000) * perSecond; sent + unsent < many; ) {
    // In turn: an idle connection would be closed.
    const one = free.shift()
    if (!one) {
      unsent++
      continue
    }
    const due = from + ((sent + unsent) / perSecond) * 1000
    const at = performance.now()
    one.request(lookupRequest(key, first + sent++)).then((status) => {
      const waits = seen[status] ?? { sinceSent: [], sinceDue: [] }
      seen[status] = waits
      const answered = performance.now()
      waits.sinceSent.push(answered - at)
      waits.sinceDue.push(answered - due)
      free.push(one)
    })
  }
  await Bun.sleep(TICK_MS)
}
for (const patience = performance.now() + 15_000; free.length < all.length && performance.now() < patience; )
  await Bun.sleep(TICK_MS)
console.log(JSON.stringify({ latenciesByStatus: seen, unsent } satisfies LoadResult))
process.exit()
