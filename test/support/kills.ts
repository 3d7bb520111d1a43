import { expect } from 'bun:test'
import { type RunningProgram, runProgram, startProgram } from './program.ts'

const SENDERS = 12

/** A kind of answer that is given only after its record is durable. */
export type DurableKind = {
  /** Where it is asked for, one by one and under `/batch` several at a time, and where its history is. */
  readonly path: string
  /** The body of the n-th question. */
  readonly bodyOf: (n: number) => object
  readonly idOf: (record: object) => string
}

type Told = { readonly success?: boolean; readonly result?: object }

/** Kills the program again and again while it is asked, and then looks for every answer it had given. */
export async function loseNothing(kind: DurableKind, kills: number, store: Record<string, string>): Promise<void> {
  const settings = { ...store, RATE_LIMIT_ENTERPRISE: '10000000', LOG_LEVEL: 'error', SAMPLE_DATA: 'off' }
  const organization = (await runProgram(['org', 'create', 'Durable'], settings)).stdout.trim()
  const create = ['key', 'create', '--org', organization, '--tier', 'enterprise']
  const key = (await runProgram(create, settings)).stdout.trim()
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const acknowledged = new Map<string, string>()
  let sent = 0

  const keep = (record: object) => acknowledged.set(kind.idOf(record), JSON.stringify(record))

  /** Sends questions one after the other until the program is gone; a batch now and then. */
  async function sender(program: RunningProgram, isGone: () => boolean): Promise<void> {
    while (!isGone()) {
      const items = Array.from({ length: sent % 7 === 0 ? 20 : 1 }, () => kind.bodyOf(sent++))
      const one = items.length === 1
      try {
        const response = await fetch(`${program.url}${kind.path}${one ? '' : '/batch'}`, {
          method: 'POST',
          headers,
          body: JSON.stringify(one ? items[0] : { items }),
        })
        const { data } = (await response.json()) as { data: unknown }
        if (response.status !== 200) continue
        if (one) keep(data as object)
        else for (const { result } of data as Told[]) if (result) keep(result)
      } catch {
        // Cut off in the middle: nothing was acknowledged.
      }
    }
  }

  async function recorded(program: RunningProgram): Promise<Map<string, string>> {
    const records = new Map<string, string>()
    for (let page = 1; ; page++) {
      const response = await fetch(`${program.url}${kind.path}?limit=100&page=${page}`, { headers })
      const { data, meta } = (await response.json()) as { data: object[]; meta: { total: number; has_next: boolean } }
      for (const record of data) records.set(kind.idOf(record), JSON.stringify(record))
      if (!meta.has_next) {
        expect(records.size).toBe(meta.total)
        return records
      }
    }
  }

  const missing: string[] = []
  for (let kill = 0; kill < kills; kill++) {
    const program = await startProgram(settings)
    let gone = false
    const senders = Array.from({ length: SENDERS }, () => sender(program, () => gone))
    // A program that has just started has other things to do first; it is killed in the middle of answering.
    const before = acknowledged.size
    for (const deadline = Date.now() + 10_000; acknowledged.size === before && Date.now() < deadline; )
      await Bun.sleep(5)
    await Bun.sleep(40 + Math.random() * 160)
    program.kill('SIGKILL')
    await program.exited
    gone = true
    await Promise.all(senders)
  }
  const program = await startProgram(settings)
  const records = await recorded(program)
  for (const [id, answer] of acknowledged) if (records.get(id) !== answer) missing.push(id)
  expect(missing).toEqual([])
  expect(acknowledged.size).toBeGreaterThan(kills)
  expect(await program.stop()).toBe(0)
  console.log(`${acknowledged.size} acknowledged, ${records.size} recorded, 0 missing over ${kills} kills`)
}
