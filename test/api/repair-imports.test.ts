import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Importer } from '../../src/import/importer.ts'
import { createTextSource } from '../../src/import/read/byte-source-service.ts'
import { openRepairImporter } from '../../src/import/repairs/open-repair-importer.ts'
import { repairsImporter } from '../../src/import/repairs/repairs-importer.ts'
import { createRowReport } from '../../src/import/row-report-service.ts'
import { repairStore } from '../../src/repairs/repair-store.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { OPERATOR, startService, type TestService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

/** Real records, if this machine has them; the file is not part of the project. */
const REAL = join(import.meta.dir, '../../../shared/data/openrepair/mobifix.csv')

onDatabaseOfSuite((store) => {
  let service: TestService
  let runs = 0
  beforeAll(async () => {
    service = await startService(await store.openFull())
  })
  afterAll(() => service.stop())

  async function bring(
    importer: Importer,
    text: string,
    more: { name?: string; dryRun?: boolean; options?: Record<string, string> } = {},
  ) {
    const report = createRowReport({ path: null, show: () => {} })
    const result = await importer.run(createTextSource(text, more.name ?? 'list.json'), {
      db: service.app.db,
      now: () => Date.parse('2026-11-12'),
      dryRun: more.dryRun ?? false,
      organizationId: '',
      defaultMarket: 'us',
      acceptShrink: false,
      options: more.options ?? {},
      report,
      progress: { at: () => {}, clear: () => {} },
      onPreview: () => {},
      notify: () => {},
      actor: OPERATOR,
      signal: new AbortController().signal,
      runId: `run-${runs++}`,
      open: () => Promise.reject(new Error('no second file')),
    })
    return { result, rejected: report.rejectedBy(), remarks: report.remarks() }
  }
  const repairs = async (device: string) =>
    (await service.ask(`/api/repairs?device_id=${device}`, { tier: 'paid' })).body.data
  const until = async (device: string, seen: (data: Awaited<ReturnType<typeof repairs>>) => boolean) => {
    const look = async () => {
      const data = await repairs(device)
      return seen(data) && data
    }
    return waitUntil(look, { describe: `the changed repairs of ${device}` })
  }
  const named = (data: Awaited<ReturnType<typeof repairs>>, name: string) =>
    data.common_repairs.find((repair: { name: string }) => repair.name === name)

  describe('facts in the format of the service', () => {
    const file = (records: unknown[]) =>
      JSON.stringify({ format: 'device-intelligence/repairs/1', source: 'shop', updated_on: '2026-11-11', records })

    test('are served, and rows that cannot be served are reported', async () => {
      const { result, rejected } = await bring(
        repairsImporter,
        file([
          {
            level: 'device',
            subject: 'apple-iphone-12',
            repairs: [{ kind: 'screen', parts: [{ kind: 'screen', cost_min: 8000, cost_max: 9900 }] }],
          },
          { level: 'device', subject: 'no-such-device', notes: ['x'] },
          { level: 'device', subject: 'apple-iphone-12', score: 11 },
          { level: 'line', subject: 'apple-iphone', notes: ['We do these on Mondays.'] },
          { level: 'variant', subject: 'no-such-variant', notes: ['x'] },
          { level: 'device', subject: 'apple-iphone-12', repairs: [{ kind: 'screen', parts: [{ cost_min: 2 }] }] },
        ]),
      )
      expect(result).toEqual({ rows: 6, subjects: 2 })
      expect(rejected).toEqual({ record_invalid: 2, repair_subject_unknown: 2 })
      const data = await until(
        'apple-iphone-12',
        (seen) => named(seen, 'Display replacement').parts[0].cost_min === 8000,
      )
      expect(named(data, 'Display replacement').parts[0]).toMatchObject({ cost_min: 8000, cost_max: 9900 })
      expect((await repairs('apple-iphone-16e')).technical_notes).toContain('We do these on Mondays.')
    })

    test('a dry run writes nothing', async () => {
      const before = await repairStore(service.app.db).readImported()
      await bring(repairsImporter, file([{ level: 'line', subject: 'apple-iphone', notes: ['Never.'] }]), {
        dryRun: true,
      })
      expect(await repairStore(service.app.db).readImported()).toEqual(before)
    })

    test('a file of another format is rejected with a message', async () => {
      expect(bring(repairsImporter, '{"format": "x"}')).rejects.toThrow('is no list of repair facts')
      expect(bring(repairsImporter, '{"hello": 1}')).rejects.toThrow('holds neither our own repair facts')
    })
  })

  test('guides of the wiki are matched by name and replace their own earlier version', async () => {
    const guide = (minutes: number) => ({
      guideid: 41,
      type: 'replacement',
      category: 'iPhone 15 Pro',
      subject: 'Battery',
      difficulty: 'Difficult',
      time_required: `${minutes} minutes`,
      url: 'https://repairsite.example/Guide/41',
      tools: [{ text: 'Halberd spudger' }],
      parts: [{ text: 'iPhone 15 Pro Battery' }],
    })
    const screen = { ...guide(30), guideid: 42, subject: 'Screen', tools: [{ text: 'Clamp' }], parts: [] }
    const wiki = (minutes: number) =>
      JSON.stringify([
        { wiki_title: 'Apple iPhone 15 Pro', repairability_score: 4, modified_date: 1_695_800_000, guides: [screen] },
        guide(minutes),
        { ...guide(5), guideid: 43, category: 'Toaster 2000' },
      ])
    const { result, rejected } = await bring(repairsImporter, wiki(40))
    expect(result).toEqual({ rows: 4, guides: 2, scores: 1, subjects: 1 })
    expect(rejected).toEqual({ repair_subject_unknown: 1 })
    await bring(repairsImporter, wiki(50))
    const data = await until(
      'apple-iphone-15-pro',
      (seen) => named(seen, 'Battery replacement').estimated_time_minutes === 50,
    )
    expect(named(data, 'Battery replacement')).toMatchObject({
      difficulty: 'difficult',
      repairsite_guide_url: 'https://repairsite.example/Guide/41',
      parts: [{ name: 'iPhone 15 Pro Battery' }],
    })
    expect(named(data, 'Battery replacement').parts[0].cost_min).toBeGreaterThan(0)
    expect(data.special_tools_required.toSorted()).toEqual(['Clamp', 'Halberd spudger'])
    expect(data.repairsite_score).toBe(4)
  })

  describe('Open Repair Data', () => {
    const HEAD = 'id,data_provider,country,fault_type,product_category,brand,model,repair_status,age,event_date,problem'
    const row = (id: number, fault: string, brand: string, model: string, category = 'Mobile') =>
      `r-${id},Club,GBR,${fault},${category},${brand},${model},Fixed,,2024-01-01,"It is my phone, says Ada"`

    test('is counted by category, make and device; its free text is not stored', async () => {
      const lines = [
        HEAD,
        ...Array.from({ length: 60 }, (_, at) => row(at, 'Speaker/amplifier', 'apple', 'iphone xs')),
        row(100, 'Software issue', 'Apple', 'iPhone XS'),
        row(101, 'Moon phase', 'Apple', 'iPhone XS'),
        row(101, 'Screen', 'Apple', 'iPhone XS'),
        row(102, 'Screen', '', ''),
        row(103, 'Screen', 'Apple', '', 'Toaster'),
      ]
      const { result, rejected, remarks } = await bring(openRepairImporter, lines.join('\r\n'), { name: 'club.csv' })
      expect(result).toEqual({ rows: 65, counted: 61, of_known_devices: 60, groups: 2 })
      expect(rejected).toEqual({ fault_unknown: 1, record_repeated: 1 })
      expect(remarks).toEqual({ no_part_fault: 1, category_not_counted: 1 })
      const data = await until('apple-iphone-xs', (seen) => seen.common_failure_points[0].startsWith('Speaker'))
      expect(data.common_failure_points[1]).toBe('Cracked OLED display')
      const stored = await service.app.db.query.selectFrom('fault_count').selectAll().execute()
      expect(JSON.stringify(stored)).not.toContain('Ada')
    })

    test('importing again under the same name counts nothing twice', async () => {
      const text = [HEAD, row(1, 'Camera', 'Samsung', 'Galaxy S9'), row(2, 'Camera', 'Samsung', 'S9')].join('\n')
      const seen = async () =>
        (await repairStore(service.app.db).readImported()).importedFaults
          .filter((tally) => tally.deviceId === 'samsung-galaxy-s9')
          .map((tally) => tally.count)
      await bring(openRepairImporter, text, { name: 'a.csv', options: { source: 'again' } })
      await bring(openRepairImporter, text, { name: 'b.csv', options: { source: 'again' } })
      expect(await seen()).toEqual([2])
    })

    test('a file without fault types is rejected with the missing column', () => {
      const run = bring(openRepairImporter, 'id,brand,product_category,problem\n1,Apple,Mobile,x', { name: 'x.csv' })
      expect(run).rejects.toThrow('x.csv lacks the column fault_type')
    })

    // Runs only if the records, which are not part of the project, are available.
    if (!existsSync(REAL)) return
    test('real records are counted, and many models are recognised', async () => {
      const { result } = await bring(openRepairImporter, readFileSync(REAL, 'utf8'), { name: 'mobifix.csv' })
      expect(result.rows).toBeGreaterThan(1_900)
      expect(result.counted).toBeGreaterThan(1_000)
      expect(result.of_known_devices).toBeGreaterThan(150)
    })
  })
})
