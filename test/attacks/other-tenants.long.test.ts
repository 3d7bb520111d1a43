import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { treeMemoryMb } from '../support/process-memory.ts'
import { filledDataDir, type RunningProgram, startProgram } from '../support/program.ts'
import { type Attacker, attacker, attackUntil, tenantAttacks, twoTenants } from '../support/tenant-attacks.ts'

const AT_ONCE = 6
/** On a busy machine a connection without an answer would be closed before all of 50 are read. */
const TEXTS_IN_BATCH = 10
/** Of the process and its children. The answers of one request after the other are garbage until they are collected. */
const MAX_GROWTH_MB = 500

describe('requests of one organization, six at once, and identifier checks of another', () => {
  let program: RunningProgram
  let caller: Attacker
  let other: Attacker
  beforeAll(async () => {
    program = await startProgram({
      DATA_DIR: filledDataDir(),
      TRUST_PROXY: '1',
      LOG_LEVEL: 'error',
      RATE_LIMIT_ENTERPRISE: '10000000',
    })
    const keys = await twoTenants(program.environment)
    caller = attacker(program.url, keys.attacker)
    other = attacker(program.url, keys.other)
  })
  afterAll(() => program.stop())

  for (const attack of tenantAttacks({ textsInBatch: TEXTS_IN_BATCH })) {
    test(`${attack.name}: the other organization is served, and memory is bounded`, async () => {
      await attack.prepare?.(caller)
      const before = treeMemoryMb(program.pid)
      let highest = before
      let isOver = false
      const attacking = attackUntil(attack, caller, { atOnce: AT_ONCE, requests: AT_ONCE }).finally(() => {
        isOver = true
      })
      const statuses = new Set<number>()
      do {
        const response = await other.send('POST', '/api/imei', { identifier: '490154203237518' })
        await response.arrayBuffer()
        statuses.add(response.status)
        highest = Math.max(highest, treeMemoryMb(program.pid))
      } while (!isOver)
      const allowed = attack.isLimited ? [200, 429] : [200]
      expect([...(await attacking).keys()].filter((status) => !allowed.includes(status))).toEqual([])
      expect([...statuses]).toEqual([200])
      expect(highest - before).toBeLessThan(MAX_GROWTH_MB)
    })
  }
})
