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
export async function runOpenLoopLoad(whole: Omit<LoadOptions, 'first'>): Promise<LoadResult> {
  const many = Math.ceil(whole.connections / CONNECTIONS_PER_PROCESS)
  const shares = Array.from({ length: many }, (_, at) => ({
    ...whole,
    connections: Math.round(whole.connections / many),
    perSecond: whole.perSecond / many,
    first: at * 10_000_000,
  }))
  const offered = await Promise.all(shares.map(runWorker))
  const all: LoadResult = { latenciesByStatus: {}, unsent: 0 }
  for (const { latenciesByStatus: seen, unsent } of offered) {
    all.unsent += unsent
    for (const [status, waits] of Object.entries(seen)) {
      const known = all.latenciesByStatus[Number(status)]
      all.latenciesByStatus[Number(status)] = {
        sinceSent: [...(known?.sinceSent ?? []), ...waits.sinceSent],
        sinceDue: [...(known?.sinceDue ?? []), ...waits.sinceDue],
      }
    }
  }
  return all
}

async function runWorker(offering: LoadOptions): Promise<LoadResult> {
  const script = join(import.meta.dir, 'open-loop-worker.ts')
  const child = Bun.spawn([...pinToCore('load'), process.execPath, script, JSON.stringify(offering)], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  return JSON.parse(await new Response(child.stdout).text())
}
