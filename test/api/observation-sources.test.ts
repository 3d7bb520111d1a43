import { afterAll, beforeAll, expect, test } from 'bun:test'
import { apiCommand } from '../../src/cli/api.ts'
import { exportCommand } from '../../src/cli/export.ts'
import { importUndo } from '../../src/cli/import-runs.ts'
import type { DatabaseOptions } from '../../src/db/database.ts'
import { DAY_MS, dayOf } from '../../src/lib/time.ts'
import { runCommandOn } from '../support/command.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { importText } from '../support/import.ts'
import { startService, type TestService } from '../support/service.ts'

type Origin = { source: string; import: string; observations: number; newest: string }

const YESTERDAY = dayOf(Date.now() - DAY_MS)
const VARIANT = 'apple-iphone-13-128gb-midnight'

/** Prices of one source as a list. */
function prices(source: string, count: number, amount: number): string {
  const rows = Array.from(
    { length: count },
    (_, at) =>
      `${source},sold,Apple,iPhone 13,128GB,Good,${amount + (at % 9)},USD,${YESTERDAY},${source}-${amount}-${at}`,
  )
  return `source,side,make,model,storage,condition,amount,currency,date,listing_id\n${rows.join('\n')}\n`
}

onDatabaseOfSuite((store) => {
  let service: TestService
  let opening: DatabaseOptions
  beforeAll(async () => {
    opening = await store.open()
    service = await startService(opening, { SAMPLE_DATA: 'off' })
    for (const [source, count, amount] of [
      ['alpha', 40, 380],
      ['beta', 30, 390],
      ['beta', 20, 900],
    ] as const) {
      const imported = await importText(opening, 'observations', `${source}.csv`, prices(source, count, amount))
      expect(imported.code).toBe(0)
    }
  })
  afterAll(() => service.stop())

  const list = async (): Promise<Origin[]> => {
    const { code, stdout } = await runCommandOn(opening, exportCommand, ['observations'])
    const [header, ...lines] = stdout.trimEnd().split(/\r?\n/)
    expect([code, header]).toEqual([0, 'source,organization_id,import,observations,newest'])
    const origins = lines.map((line) => {
      const [source = '', , run = '', observations, newest = ''] = line.split(',')
      return { source, import: run, observations: Number(observations), newest }
    })
    return origins.filter(({ source }) => source === 'alpha' || source === 'beta')
  }
  const removeSource = (source: string) =>
    runCommandOn(opening, apiCommand, ['DELETE', '/api/observations', `source=${source}`], {
      SAMPLE_DATA: 'off',
    })

  test('"export observations" shows sources and imports with their counts', async () => {
    const origins = await list()
    expect(origins.map(({ source, observations }) => [source, observations])).toEqual([
      ['alpha', 40],
      ['beta', 30],
      ['beta', 20],
    ])
    for (const origin of origins) {
      expect(origin.import).toStartWith('imp_')
      expect(origin.newest).toBe(YESTERDAY)
    }
  })

  test('an import or a source is removed, nothing else, and prices are recalculated', async () => {
    const wrong = (await list()).find(({ observations }) => observations === 20)
    const undone = await runCommandOn(opening, importUndo, [wrong?.import ?? '', '--json'])
    expect(undone.code).toBe(0)
    expect(JSON.parse(undone.stdout)).toMatchObject({ observations: 20, devices: 1 })
    expect((await list()).map(({ source, observations }) => [source, observations])).toEqual([
      ['alpha', 40],
      ['beta', 30],
    ])
    const priced = await service.ask(`/api/pricing?variant_id=${VARIANT}`, { tier: 'paid' })
    expect(priced.body.data.resale.current.Good).toBeLessThan(50_000)
    const bySource = await removeSource('beta')
    expect(bySource.code).toBe(0)
    expect(JSON.parse(bySource.stdout)).toEqual({ observations: 30, restored: 0, devices: 1 })
    expect((await list()).map(({ source }) => source)).toEqual(['alpha'])
    const trail = await service.app.auth.auditTrail(service.organizationId, { limit: 20 })
    const entries = trail.rows.filter(({ action }) => action === 'observations.forgotten')
    expect(entries.map(({ subject }) => subject)).toEqual(['beta', wrong?.import ?? ''])
  })

  test('an unknown source and an unknown import change nothing', async () => {
    const before = await list()
    const unknown = await removeSource('gamma')
    expect([unknown.code, unknown.stderr]).toEqual([1, 'There are no observations of the source "gamma".'])
    expect((await runCommandOn(opening, importUndo, ['imp_1'])).code).toBe(1)
    expect(await list()).toEqual(before)
  })
})
