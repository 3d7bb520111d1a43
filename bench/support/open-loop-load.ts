import { join } from 'node:path'
import { pinToCore } from './load.ts'

/** What one asking process does. */
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
 * How long the answers of a status took, each from the moment its request was sent and from the moment it was due to be:
 * a request that was sent late, because all of the sender's time was spent, waited as well.
 */
export type LatencySamples = { readonly sinceSent: number[]; readonly sinceDue: number[] }

/** Waits by status, and what found no free connection: it was held up on our side and is told apart. */
export type LoadResult = { readonly latenciesByStatus: Record<number, LatencySamples>; unsent: number }

/** A loop that reads from more connections than this at once is late itself. */
const CONNECTIONS_PER_PROCESS = 750

/** So many lookups a second, come what may, from as many processes as it takes to stay on time. */
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
