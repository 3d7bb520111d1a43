import { expect } from 'bun:test'
import { type RunningProgram, runProgram, startProgram } from './program.ts'
import { spreadOf } from './spread.ts'
import { waitUntil } from './wait.ts'

const SENDERS = 12
const MAX_RESPONSES_BEFORE_KILL = 200

/** A kind of response that is sent only after its record is durable. */
export type DurableKind = {
  /** Path of the endpoint: single requests, batches under `/batch`, and the history. */
  readonly path: string
  /** The body of the n-th request. */
  readonly bodyOf: (n: number) => object
  readonly idOf: (record: object) => string
  /** A change of a record, sent later or with the record itself, which must not be lost either. */
  readonly change?: {
    readonly path: (id: string) => string
    readonly bodyOf: (n: number) => object
    /** The changed part of the record, and the record as it was before any change. */
    readonly partOf: (changed: object) => object | null
    readonly original: (record: object) => object
  }
  /** Before the first request. */
  readonly prepare?: (request: SendRequest) => Promise<void>
  /** After the last start: what belongs to the changed records. */
  readonly verify?: (request: SendRequest, changedIds: ReadonlySet<string>) => Promise<void>
}

type SendRequest = (
  method: string,
  path: string,
  body?: object,
) => Promise<{
  readonly status: number
  readonly data: unknown
  readonly meta: { readonly next_after?: string | null }
}>

type BatchItem = { readonly success?: boolean; readonly result?: object }

/** Ends the program under load and prepares its database for the next start. */
export type Fault = { readonly name: string; strike(program: RunningProgram): Promise<void> }

const KILL: Fault = {
  name: 'kill -9',
  async strike(program) {
    program.kill('SIGKILL')
    await program.exited
  },
}

/** Kills the program repeatedly under load, and then checks that every acknowledged response was stored. */
export async function loseNothing(
  kind: DurableKind,
  times: number,
  store: Record<string, string>,
  fault = KILL,
): Promise<void> {
  const settings = { ...store, RATE_LIMIT_ENTERPRISE: '10000000', LOG_LEVEL: 'error', SAMPLE_DATA: 'off' }
  const organization = (await runProgram(['org', 'create', 'Durable'], settings)).stdout.trim()
  const create = ['key', 'create', '--org', organization, '--tier', 'enterprise', '--may', 'manage']
  const key = (await runProgram(create, settings)).stdout.trim()
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  // Hashes, because over a thousand kills the responses themselves would be half a gigabyte.
  const acknowledged = new Map<string, number | bigint>()
  const hashOf = (record: object) => Bun.hash(JSON.stringify(record))
  let sent = 0
  const missing: string[] = []

  const originalOf = (record: object) => (kind.change ? kind.change.original(record) : record)
  const acknowledge = (record: object) => acknowledged.set(kind.idOf(record), hashOf(originalOf(record)))
  /** The acknowledged change of each record. */
  const changed = new Map<string, number | bigint>()

  async function changeRecord(program: RunningProgram, id: string): Promise<void> {
    if (!kind.change) return
    const response = await fetch(`${program.url}${kind.change.path(id)}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(kind.change.bodyOf(sent)),
    })
    const { data } = (await response.json()) as { data: object }
    if (response.status === 200) changed.set(id, hashOf(kind.change.partOf(data) ?? {}))
  }

  /** Whether the record was sent with its change. */
  function hasChange(record: object): boolean {
    const part = kind.change?.partOf(record)
    if (part) changed.set(kind.idOf(record), hashOf(part))
    return Boolean(part)
  }

  /** Sends requests one after the other until the program is killed; every seventh is a batch. */
  async function sender(program: RunningProgram, isGone: () => boolean): Promise<void> {
    while (!isGone()) {
      const items = Array.from({ length: sent % 7 === 0 ? 20 : 1 }, () => kind.bodyOf(sent++))
      const isSingle = items.length === 1
      try {
        const response = await fetch(`${program.url}${kind.path}${isSingle ? '' : '/batch'}`, {
          method: 'POST',
          headers,
          body: JSON.stringify(isSingle ? items[0] : { items }),
        })
        const { data } = (await response.json()) as { data: unknown }
        if (response.status !== 200) continue
        if (isSingle) {
          acknowledge(data as object)
          if (!hasChange(data as object)) await changeRecord(program, kind.idOf(data as object))
        } else for (const { result } of data as BatchItem[]) if (result) acknowledge(result)
      } catch {
        // Cut off in the middle: nothing was acknowledged.
      }
    }
  }

  async function recorded(program: RunningProgram): Promise<Map<string, number | bigint>> {
    const records = new Map<string, number | bigint>()
    for (let after = ''; ; ) {
      const response = await fetch(`${program.url}${kind.path}?limit=100&after=${after}`, { headers })
      const { data, meta } = (await response.json()) as {
        data: object[]
        meta: { total: number; next_after: string | null }
      }
      for (const record of data) {
        const id = kind.idOf(record)
        records.set(id, hashOf(originalOf(record)))
        const change = changed.get(id)
        if (kind.change && change !== undefined && hashOf(kind.change.partOf(record) ?? {}) !== change) missing.push(id)
      }
      if (meta.next_after === null) {
        expect(records.size).toBe(meta.total)
        return records
      }
      after = meta.next_after
    }
  }

  /** Time from the start of the process until it reports that it is ready. */
  const readyAfter: number[] = []
  async function startAgain(): Promise<RunningProgram> {
    const from = performance.now()
    const program = await startProgram(settings)
    await waitUntil(async () => (await fetch(`${program.url}/readyz`)).status === 200, {
      describe: 'ready',
      everyMs: 5,
    })
    readyAfter.push(performance.now() - from)
    return program
  }

  const requestTo =
    (program: RunningProgram): SendRequest =>
    async (method, path, body) => {
      const sentBody = body ? { body: JSON.stringify(body) } : {}
      const response = await fetch(`${program.url}${path}`, { method, headers, ...sentBody })
      const { data, meta } = (await response.json()) as { data: unknown; meta?: { next_after?: string | null } }
      return { status: response.status, data, meta: meta ?? {} }
    }

  for (let kills = 0; kills < times; kills++) {
    const program = await (kills === 0 ? startProgram(settings) : startAgain())
    if (kills === 0) await kind.prepare?.(requestTo(program))
    let isGone = false
    const senders = Array.from({ length: SENDERS }, () => sender(program, () => isGone))
    // Killed while it responds: after a random number of responses, however long they take.
    const changedBefore = changed.size
    const enough = acknowledged.size + 1 + Math.floor(Math.random() * MAX_RESPONSES_BEFORE_KILL)
    try {
      const isChanged = () => !kind.change || changed.size > changedBefore
      await waitUntil(() => acknowledged.size >= enough && isChanged(), {
        describe: 'responses before the kill',
        everyMs: 1,
      })
      await fault.strike(program)
    } finally {
      isGone = true
      program.kill('SIGKILL')
      await Promise.all(senders)
    }
  }
  const program = await startAgain()
  const records = await recorded(program)
  for (const [id, answer] of acknowledged) if (records.get(id) !== answer) missing.push(id)
  expect(missing).toEqual([])
  expect(acknowledged.size).toBeGreaterThan(times)
  if (kind.change) expect(changed.size).toBeGreaterThan(0)
  await kind.verify?.(requestTo(program), new Set(changed.keys()))
  expect(await program.stop()).toBe(0)
  console.log(`${acknowledged.size} acknowledged, ${records.size} recorded, 0 missing; ${fault.name}, ${times} times`)
  console.log(`ready again after ${fault.name}: ${spreadOf(readyAfter)}`)
}
