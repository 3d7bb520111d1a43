import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { streamDevices } from '../../src/import/catalogue/registry-store.ts'
import type { ImportContext } from '../../src/import/importer.ts'
import { onBothDatabases } from '../support/databases.ts'
import { runImporter } from '../support/run-importer.ts'

const NOW = Date.UTC(2026, 0, 15)

onBothDatabases((store) => {
  let db: Database
  let runs = 0
  beforeAll(async () => {
    db = await openDatabase(await store.openEmpty())
  })
  afterAll(() => db.close())

  const run = (format: string, text: string, more: Partial<ImportContext> = {}) =>
    runImporter(db, format, text, { now: () => NOW, runId: `run-${runs++}`, ...more })

  async function counter(topic: string): Promise<number> {
    const row = await db.query.selectFrom('change').selectAll().where('topic', '=', topic).executeTakeFirst()
    return row?.counter ?? 0
  }

  const rows = Array.from({ length: 5000 }, (_, at) => `Make ${at % 7},Name é${at % 2500} 名,code${at},M-${at},M-${at}`)
  const models = ['make,device,model_identifiers,device_model_numbers,model', ...rows].join('\n')

  test('thousands of devices are imported once; a second import writes and announces nothing', async () => {
    expect(await run('catalogue', models)).toMatchObject({ rows: 5000, devices_new: 5000, variants_new: 5000 })
    const announced = await counter('catalogue')
    expect(announced).toBeGreaterThan(0)
    const [newest] = await db.query
      .selectFrom('device')
      .select('revision')
      .orderBy('revision', 'desc')
      .limit(1)
      .execute()
    expect(newest?.revision).toBeLessThanOrEqual(announced)
    expect(await run('catalogue', models)).toMatchObject({ devices_new: 0, devices_changed: 0, variants_new: 0 })
    expect(await counter('catalogue')).toBe(announced)
    let devices = 0
    for await (const _ of streamDevices(db)) devices++
    expect(devices).toBe(5000)
  })

  test('a later file of your own completes and corrects the earlier one', async () => {
    const own =
      '[{"make":"Make 0","name":"Name é0 名","category":"Phone","variants":[{"attributes":[{"name":"storage","value":"64GB"}],"list_cents":9900}]}]'
    expect(await run('catalogue', own)).toMatchObject({ rows: 1, devices_new: 0, devices_changed: 1, variants_new: 1 })
    const device = await db.query
      .selectFrom('device')
      .selectAll()
      .where('category', '=', 'Phone')
      .executeTakeFirstOrThrow()
    expect(device.source).toBe('own')
    expect(JSON.parse(device.provenance)).toEqual({})
    expect(await run('catalogue', models)).toMatchObject({ devices_changed: 0 })
  })

  test('a table in the format of the bundled catalogue is read like any list', async () => {
    const sold = { prices: { '64GB': 49_900, '128GB': 0 }, color: ['Black', 'Red'], except: ['64GB/Red'] }
    const several = Array.from({ length: 100 }, (_, at) => `C${at}`)
    const table = JSON.stringify({
      make: 'Acme',
      category: 'Smartphone',
      devices: [
        { name: 'Table One', released: '2024-03', models: ['T1'], offers: [sold] },
        { name: 'Table Two', released: '2024-02-31', offers: [sold] },
        { name: 'Table Three', offers: [{ prices: { '1GB': 1 }, color: several, size: several }] },
        { name: 'Table Four', offer: [], offers: [] },
      ],
    })
    expect(await run('catalogue', table)).toMatchObject({
      rows: 4,
      devices_new: 1,
      variants_new: 3,
      variants_without_price: 2,
      rejectedBy: { table_contradicts: 2, value_invalid: 1 },
    })
    const stored = await db.query.selectFrom('device').selectAll().where('make', '=', 'Acme').executeTakeFirstOrThrow()
    expect(stored).toMatchObject({ id: 'acme-table-one', released_on: '2024-03-01', source: 'own' })
    expect(await run('catalogue', table)).toMatchObject({ devices_new: 0, devices_changed: 0 })
    const headless = JSON.stringify({ devices: [{ name: 'Table Five', offers: [sold] }] })
    expect(Object.keys((await run('catalogue', headless)).rejectedBy)).toEqual(['value_invalid'])
  })

  test('lists are replaced in steps and counted exactly, including duplicates', async () => {
    const imei = (at: number) => `35${String(at).padStart(12, '0')}`
    const listed = Array.from({ length: 6000 }, (_, at) => `${imei(at)},20250101,`)
    const header = 'IMEI,reporting_date,status'
    expect(await run('lists', [header, ...listed, listed[0]].join('\n'))).toMatchObject({
      rows: 6001,
      entries: 6000,
      remarks: { duplicate_identifier: 1 },
    })
    // As many rows as before, but mostly duplicates: still a list that shrank.
    const padded = [header, ...Array.from({ length: 6000 }, () => listed[0])].join('\n')
    await expect(run('lists', padded)).rejects.toThrow('would shrink from 6,000 to 1 identifiers, by more than 25 %')
    expect(await run('lists', [header, ...listed.slice(0, 5000)].join('\n'))).toMatchObject({
      entries: 5000,
      cleared: 1000,
    })
    expect(await counter('lists')).toBe(2)
    const cleared = await db.query.selectFrom('listed_identifier').selectAll().where('cleared_at', '=', NOW).execute()
    expect(cleared).toHaveLength(1000)
  })

  test('a dry run of every format leaves the database unchanged', async () => {
    const before = await Promise.all(['catalogue', 'lists'].map(counter))
    await run('catalogue', 'make,device\nNew,Thing\n', { dryRun: true })
    await run('tac', 'tac,make,model\n35000001,New,Thing\n', { dryRun: true })
    await run('lists', 'IMEI\n350000000000001\n', { dryRun: true })
    await run('lists', 'IMEI,change_type\n350000000000001,add\n350000000000000,remove\n', { dryRun: true })
    expect(await Promise.all(['catalogue', 'lists'].map(counter))).toEqual(before)
    expect(await db.query.selectFrom('tac').selectAll().execute()).toEqual([])
    expect(await db.query.selectFrom('identifier_list').select('name').execute()).toEqual([{ name: 'stolen' }])
  })

  test('an import that is stopped announces the rows it wrote', async () => {
    const stopping = new AbortController()
    const before = await counter('catalogue')
    const more = models.replaceAll('Make ', 'Other ')
    await expect(
      run('catalogue', more, {
        signal: stopping.signal,
        progress: { at: (_rows, _done, total) => void (total === 5000 && stopping.abort()), clear: () => {} },
      }),
    ).rejects.toThrow('import the same again to finish')
    expect(await counter('catalogue')).toBeGreaterThan(before)
    expect(await run('catalogue', more)).toMatchObject({ devices: 5000 })
  })
})
