import { join } from 'node:path'
import { pinToCore } from './load.ts'

/** Task of one load process. */
export type LoadOptions = {
  readonly url: string
  readonly key: string
  readonly connections: number
  readonly perSecond: number
  readonly seconds: number
  /** The number of its first lookup. */
  readonly first: number
}

/**
 * Latencies by status, from the moment a request was sent and from the moment it was due: a request that was sent late,
 * because the sender was busy, waited as well.
 */
export type LatencySamples = { readonly sinceSent: number[]; readonly sinceDue: number[] }

/** Latencies by status, and the number of requests that found no free connection on the sending side. */
export type LoadResult = { readonly latenciesByStatus: Record<number, LatencySamples>; unsent: number }

/** With more connections than this, the loop of a load process is late itself. */
const CONNECTIONS_PER_PROCESS = 750

/** Open-loop load: a fixed number of lookups per second, from as many processes as are needed to stay on time. */
export async function runOpenLoopLoad(total: Omit<LoadOptions, 'first'>): Promise<LoadResult> {
  const processes = Math.ceil(total.connections / CONNECTIONS_PER_PROCESS)
  const shares = Array.from({ length: processes }, (_, index) => ({
    ...total,
    connections: Math.round(total.connections / processes),
    perSecond: total.perSecond / processes,
    first: index * 10_000_000,
  }))
  const results = await Promise.all(shares.map(runWorker))
  const merged: LoadResult = { latenciesByStatus: {}, unsent: 0 }
  for (const { latenciesByStatus, unsent } of results) {
    merged.unsent += unsent
    for (const [status, samples] of Object.entries(latenciesByStatus)) {
      const earlier = merged.latenciesByStatus[Number(status)]
      merged.latenciesByStatus[Number(status)] = {
        sinceSent: [...(earlier?.sinceSent ?? []), ...samples.sinceSent],
        sinceDue: [...(earlier?.sinceDue ?? []), ...samples.sinceDue],
      }
    }
  }
  return merged
}

async function runWorker(options: LoadOptions): Promise<LoadResult> {
  const script = join(import.meta.dir, 'open-loop-worker.ts')
  const child = Bun.spawn([...pinToCore('load'), process.execPath, script, JSON.stringify(options)], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  return JSON.parse(await new Response(child.stdout).text())
}
