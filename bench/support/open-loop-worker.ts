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
const latenciesByStatus: LoadResult['latenciesByStatus'] = {}
let sent = 0
let unsent = 0
const startedAt = performance.now()
for (let elapsedMs = 0; elapsedMs < seconds * 1000; elapsedMs = performance.now() - startedAt) {
  for (const dueCount = (elapsedMs / 1000) * perSecond; sent + unsent < dueCount; ) {
    // Takes connections in turn, because the server closes idle ones.
    const connection = free.shift()
    if (!connection) {
      unsent++
      continue
    }
    const dueAt = startedAt + ((sent + unsent) / perSecond) * 1000
    const sentAt = performance.now()
    connection.request(lookupRequest(key, first + sent++)).then((status) => {
      const samples = latenciesByStatus[status] ?? { sinceSent: [], sinceDue: [] }
      latenciesByStatus[status] = samples
      const respondedAt = performance.now()
      samples.sinceSent.push(respondedAt - sentAt)
      samples.sinceDue.push(respondedAt - dueAt)
      free.push(connection)
    })
  }
  await Bun.sleep(TICK_MS)
}
for (const deadline = performance.now() + 15_000; free.length < all.length && performance.now() < deadline; )
  await Bun.sleep(TICK_MS)
console.log(JSON.stringify({ latenciesByStatus, unsent } satisfies LoadResult))
process.exit()
