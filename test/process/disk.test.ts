import { afterAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../src/db/database.ts'
import { uploadStore } from '../../src/import/uploads/upload-store.ts'
import { newDataDir, type RunningProgram, runProgram, shownKeys, startProgram } from '../support/program.ts'
import { storeFeeds } from '../support/stored-entries.ts'
import { waitUntil } from '../support/wait.ts'

/** Disk faults: it fills up, and every acknowledged record needs a sync. */

const mayMount = process.getuid?.() === 0 && Bun.which('mount') !== null
const strace = Bun.which('strace')
if (process.env.CI === 'true' && !(mayMount && strace)) throw new Error('The disk tests need root, mount and strace.')

const run = (...command: string[]) => Bun.spawnSync(command, { stdout: 'pipe', stderr: 'pipe' })

function lookUp(program: RunningProgram, identifier: string): Promise<Response> {
  return fetch(`${program.url}/api/imei`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${shownKeys(program.stderr()).enterprise}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ identifier }),
  })
}

describe.skipIf(!mayMount)('a full disk', () => {
  const folder = mkdtempSync(join(tmpdir(), 'di-full-'))
  afterAll(() => {
    run('umount', '-l', folder)
    rmSync(folder, { recursive: true, force: true })
  })

  test('leaves reads at 200, makes lookups 503, loses nothing acknowledged, and the service recovers once there is space', async () => {
    expect(run('mount', '-t', 'tmpfs', '-o', 'size=128m', 'tmpfs', folder).exitCode).toBe(0)
    const program = await startProgram({ DATA_DIR: folder, RATE_LIMIT_ENTERPRISE: '1000000' })
    const keys = shownKeys(program.stderr())
    const read = async () =>
      (await fetch(`${program.url}/api/devices`, { headers: { Authorization: `Bearer ${keys.public}` } })).status
    const acknowledged: string[] = []
    const first = await lookUp(program, '490154203237518')
    expect(first.status).toBe(200)
    acknowledged.push(((await first.json()) as { data: { lookup_id: string } }).data.lookup_id)

    const ballast = join(folder, 'ballast')
    run(
      'sh',
      '-c',
      `dd if=/dev/zero of=${ballast} bs=64k 2>/dev/null; dd if=/dev/zero of=${ballast}.rest bs=512 2>/dev/null`,
    )
    const statuses = new Set<number>()
    // The WAL may have free space from before the disk was full; that is used up first.
    for (let rejectedCount = 0, sent = 0; rejectedCount < 20 && sent < 5_000; sent++) {
      const response = await lookUp(program, '490154203237518')
      statuses.add(response.status)
      const body = (await response.json()) as { success: boolean; data?: { lookup_id: string } }
      expect(body.success).toBe(response.status === 200)
      if (response.status !== 200) rejectedCount++
      if (body.data) acknowledged.push(body.data.lookup_id)
    }
    expect([...statuses].filter((status) => status !== 200)).toEqual([503])
    expect(await read()).toBe(200)
    const readiness = async () => (await fetch(`${program.url}/readyz`)).text()
    expect(await readiness()).toBe('{"status":"degraded"}')

    rmSync(ballast)
    rmSync(`${ballast}.rest`, { force: true })
    const later = await lookUp(program, '490154203237518')
    expect(later.status).toBe(200)
    await waitUntil(async () => (await readiness()) === '{"status":"ready"}', { describe: 'ready again' })
    acknowledged.push(((await later.json()) as { data: { lookup_id: string } }).data.lookup_id)
    const stored = new Set<string>()
    for (let page = 1, more = true; more; page++) {
      const history = await fetch(`${program.url}/api/imei?limit=100&page=${page}`, {
        headers: { Authorization: `Bearer ${keys.enterprise}` },
      })
      const { data, meta } = (await history.json()) as { data: { lookup_id: string }[]; meta: { has_next: boolean } }
      for (const { lookup_id } of data) stored.add(lookup_id)
      more = meta.has_next
    }
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([])
    expect(await program.stop()).toBe(0)
  })
})

/** A folder on a disk of `bytes` bytes, a whole number of pages. */
function smallDisk(folder: string, bytes: number): void {
  mkdirSync(folder, { recursive: true })
  expect(run('mount', '-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder).exitCode).toBe(0)
}

const PAGE = 4096

describe.skipIf(!mayMount)('a disk that is nearly full', () => {
  const mounted: string[] = []
  afterAll(() => {
    for (const folder of mounted) run('umount', '-l', folder)
  })
  function mountIn(dataDir: string, name: string, bytes: number): string {
    const folder = join(dataDir, name)
    mounted.push(folder)
    smallDisk(folder, bytes)
    return folder
  }

  /** 40,000 rows that end a few bytes after the end of a page. */
  const rows = Array.from({ length: 40_000 }, (_, at) => `${35693803500000 + at},,`)
  const header = 'IMEI,reporting_date,status'
  const text = (() => {
    const list = [header, ...rows].join('\n')
    return list + '\n'.repeat((PAGE + 100 - (list.length % PAGE)) % PAGE)
  })()
  const pages = Math.floor(text.length / PAGE) * PAGE

  test('never imports part of a feed, so no stolen identifier is cleared', async () => {
    const server = Bun.serve({ port: 0, fetch: () => new Response(text, { headers: { 'Content-Type': 'text/csv' } }) })
    try {
      const dataDir = newDataDir()
      const options = { clears: true, area: 'DE', 'max-age-days': 30 }
      const feed = { name: 'stolen', format: 'lists', url: `http://127.0.0.1:${server.port}/`, options, retries: 0 }
      await storeFeeds({ url: '', dataDir }, [feed])
      const settings = { DATA_DIR: dataDir, SAMPLE_DATA: 'off' }
      const first = await runProgram(['import', 'feed', 'stolen', '--json'], settings)
      expect(JSON.parse(first.stdout)).toMatchObject({ entries: 40_000, cleared: 0 })

      // The last write fits only in part: no error, but the end of the list is missing.
      mountIn(dataDir, 'feeds', pages)
      const second = await runProgram(['import', 'feed', 'stolen', '--force'], settings)
      expect(second).toMatchObject({ code: 1, stdout: '' })
      expect(second.stderr).toContain('ENOSPC')
      const { stdout } = await runProgram(['status', '--json'], settings)
      expect(JSON.parse(stdout)).toMatchObject({ feeds: [{ outcome: 'failed' }] })
      const db = await openDatabase({ url: '', dataDir })
      const cleared = await db.query
        .selectFrom('listed_identifier')
        .select('key14')
        .where('cleared_at', 'is not', null)
        .execute()
      await db.close()
      expect(cleared).toEqual([])
    } finally {
      await server.stop(true)
    }
  })

  test('never reads part of an upload: the check fails as unavailable and can be repeated', async () => {
    const dataDir = newDataDir()
    const disk = mountIn(dataDir, 'uploads', pages)
    const db = await openDatabase({ url: '', dataDir })
    const store = uploadStore(db)
    const bytes = new TextEncoder().encode(text)
    const owner = { organizationId: 'org_1', ownerId: 'key_1', actor: { personId: null, who: 'test' } }
    const { id } = await store.begin(owner, { format: 'lists', file: 'list.csv', bytes: bytes.length }, Date.now())
    await store.addPart(id, 0, bytes)
    const check = async () => {
      await store.beginCheck(await store.read('org_1', id), { list: 'stolen' }, Date.now())
      const { jobId } = await store.read('org_1', id)
      const { code } = await runProgram(['--run-job', jobId ?? ''], { DATA_DIR: dataDir })
      return { code, upload: await store.read('org_1', id) }
    }
    expect(await check()).toMatchObject({ code: 1, upload: { state: 'checked', preview: null } })
    expect((await store.read('org_1', id)).failure?.message).toMatch(/no room left|completely/)
    expect(run('mount', '-o', `remount,size=${pages + PAGE}`, disk).exitCode).toBe(0)
    expect(await check()).toMatchObject({ code: 0, upload: { failure: null, preview: { counts: { rows: 40_000 } } } })
    await db.close()
  })
})

describe.skipIf(!strace)('an acknowledged lookup', () => {
  test('is synced to disk: in sequence, each costs at least one sync', async () => {
    const trace = join(newDataDir(), 'trace')
    writeFileSync(trace, '')
    const program = await startProgram()
    const tracer = Bun.spawn(
      [strace as string, '-f', '-e', 'trace=fsync,fdatasync', '-o', trace, '-p', String(program.pid)],
      { stderr: Bun.file(`${trace}.log`) },
    )
    await waitUntil(async () => (await Bun.file(`${trace}.log`).text()).includes('attached'), { describe: 'strace' })
    const syncs = async () =>
      (await Bun.file(trace).text()).split('\n').filter((line) => /f(data)?sync\(.*= 0$/.test(line)).length
    const before = await syncs()
    for (let i = 0; i < 20; i++) expect((await lookUp(program, '490154203237518')).status).toBe(200)
    // strace has written everything once it is detached.
    tracer.kill('SIGINT')
    await tracer.exited
    expect((await syncs()) - before).toBeGreaterThanOrEqual(20)
    await program.stop()
  })
})
