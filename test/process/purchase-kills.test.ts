import { afterAll, expect, test } from 'bun:test'
import type { PurchaseWire } from '../../src/contract/purchases.ts'
import type { StockItemWire } from '../../src/contract/stock.ts'
import { filledDataDir, type RunningProgram, shownKeys, startProgram } from '../support/program.ts'

const DEVICES = 12
const LIMIT_MS = 240_000

let running: RunningProgram | undefined
afterAll(async () => void (await running?.stop()), LIMIT_MS)

test(
  'a lot whose purchase was interrupted by kill -9 is bought whole or not at all, and the same request completes it once',
  async () => {
    const dataDir = filledDataDir('small')
    const start = async () => {
      running = await startProgram({ DATA_DIR: dataDir, LOG_LEVEL: 'error' })
      return running
    }
    let program = await start()
    const headers = {
      Authorization: `Bearer ${shownKeys(program.stderr()).enterprise}`,
      'Content-Type': 'application/json',
    }
    const send = async (path: string, body?: object, more: Record<string, string> = {}) => {
      const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
      const response = await fetch(program.url + path, { ...init, headers: { ...headers, ...more } })
      return { status: response.status, data: (await response.json()).data }
    }
    const stock = async (purchase?: string): Promise<StockItemWire[]> =>
      (await send(`/api/stock?limit=100${purchase ? `&purchase_id=${purchase}` : ''}`)).data
    for (let round = 0; round < 3; round++) {
      const items: { appraisal_id: string; price: number; quantity: number }[] = []
      for (let at = 0; at < DEVICES; at++) {
        const request = { variant_id: 'apple-iphone-13-128gb-midnight', condition: 'Good' }
        const { data } = await send('/api/appraisals', request)
        items.push({ appraisal_id: data.appraisal_id, price: 5_000, quantity: at === 0 ? 3 : 1 })
      }
      const before = (await stock()).length
      const body = { items, confirm_amount: true, seller: { kind: 'company', name: 'Wholesale Ltd' } }
      const key = { 'Idempotency-Key': `lot-${round}` }
      // Killed while the request is on its way: before, during or after its commit.
      const interrupted = send('/api/purchases', body, key).catch(() => null)
      if (round > 0) await send('/api/health').catch(() => null)
      program.kill('SIGKILL')
      await program.exited
      await interrupted
      program = await start()
      expect([0, DEVICES + 2]).toContain((await stock()).length - before)
      const { status, data } = await send('/api/purchases', body, key)
      expect(status).toBe(200)
      const { lines, purchase_id: id, total }: PurchaseWire = data
      expect([lines.length, total]).toEqual([DEVICES + 2, 5_000 * (DEVICES + 2)])
      expect((await stock()).length - before).toBe(DEVICES + 2)
      expect(await stock(id)).toHaveLength(DEVICES + 2)
    }
  },
  LIMIT_MS,
)
