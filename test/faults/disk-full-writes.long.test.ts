import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dayOf } from '../../src/lib/time.ts'
import { runProgram, shownKeys, startProgram } from '../support/program.ts'
import { waitUntil } from '../support/wait.ts'

/** Fills the disk under the running service and tries every kind of write, then frees it and tries them again. */
const mayMount = process.getuid?.() === 0 && Bun.which('mount') !== null
if (process.env.CI === 'true' && !mayMount) throw new Error('The disk tests need root and mount.')
const run = (...command: string[]) => Bun.spawnSync(command, { stdout: 'pipe', stderr: 'pipe' })
const VARIANT = 'apple-iphone-13-128gb-midnight'

describe.skipIf(!mayMount)('a disk that is full', () => {
  const folder = mkdtempSync(join(tmpdir(), 'di-full-writes-'))
  afterAll(() => {
    run('umount', '-l', folder)
    rmSync(folder, { recursive: true, force: true })
  })

  test('answers every kind of write with 503 and keeps no part of it; reads go on, and all writes work once there is space', async () => {
    expect(run('mount', '-t', 'tmpfs', '-o', 'size=96m', 'tmpfs', folder).exitCode).toBe(0)
    const program = await startProgram({
      DATA_DIR: folder,
      RATE_LIMIT_ENTERPRISE: '1000000',
      RATE_LIMIT_PAID: '1000000',
    })
    const { enterprise } = shownKeys(program.stderr())
    const organizations = JSON.parse((await runProgram(['org', 'list', '--json'], program.environment)).stdout)
    const organization = organizations[0].id as string
    const rights = ['--tier', 'enterprise', '--may', 'operate,manage,contribute']
    const created = await runProgram(['key', 'create', '--org', organization, ...rights], program.environment)
    const manage = /pk_ent_\w+/.exec(created.stdout)?.[0] ?? enterprise
    const call = async (method: string, path: string, body?: object, key = manage) => {
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
      const response = await fetch(program.url + path, {
        method,
        headers,
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      return { status: response.status, body: await response.json().catch(() => undefined) }
    }
    const appraisal = await call('POST', '/api/appraisals', { variant_id: VARIANT, condition: 'Good' })
    const appraisalId = appraisal.body.data.appraisal_id as string
    let count = 0
    const writes: Record<string, () => Promise<{ status: number; body: unknown }>> = {
      lookup: () => call('POST', '/api/imei', { identifier: '490154203237518' }),
      appraisal: () => call('POST', '/api/appraisals', { variant_id: VARIANT, condition: 'Good' }),
      outcome: () =>
        call('POST', `/api/appraisals/${appraisalId}/outcome`, {
          status: 'bought',
          price: 10_000 + ++count,
          confirm_amount: true,
        }),
      observations: () =>
        call('POST', '/api/observations', {
          observations: [
            {
              listing_id: `full-${++count}`,
              variant_id: VARIANT,
              condition: 'Good',
              observed_at: dayOf(Date.now()),
              amount: 30_000,
            },
          ],
        }),
      watch: () => call('POST', '/api/watches', { variant_id: VARIANT, condition: 'Good', below: 10_000 + ++count }),
      key: () => call('POST', '/api/manage/keys', { name: `full ${++count}`, tier: 'public' }),
      webhook: () => call('POST', '/api/manage/webhooks', { url: `https://receiver.example/${++count}` }),
      member: () => call('POST', '/api/manage/invitations', { email: `full-${++count}@shop.example`, role: 'clerk' }),
      upload: () => call('POST', '/api/manage/uploads', { format: 'rates', file: `full-${++count}.csv`, bytes: 10 }),
      setting: () => call('PATCH', `/api/manage/organizations/${organization}`, { name: `Shop ${++count}` }),
    }
    const usable: string[] = []
    for (const [name, write] of Object.entries(writes)) {
      const { status, body } = await write()
      if (status === 200) usable.push(name)
      else console.warn(`${name}: ${status} ${JSON.stringify(body).slice(0, 200)}`)
    }
    expect(usable.length).toBeGreaterThan(7)

    const fill = `dd if=/dev/zero of=${folder}/ballast bs=64k 2>/dev/null; dd if=/dev/zero of=${folder}/ballast.rest bs=512 2>/dev/null`
    run('sh', '-c', fill)
    // The WAL may have free space from before; it is used up first.
    for (let rejected = 0; rejected < 20; ) if ((await writes.lookup?.())?.status !== 200) rejected++
    const statuses: Record<string, number[]> = {}
    for (const name of usable) {
      statuses[name] = []
      for (let attempt = 0; attempt < 5; attempt++) statuses[name].push((await writes[name]?.())?.status ?? 0)
    }
    const { body: refused } = (await writes.lookup?.()) ?? {}
    expect(JSON.stringify(refused)).toContain('The disk of the database is full')
    const wrong = Object.entries(statuses).filter(([, all]) => all.some((status) => status !== 503))
    console.log(`disk full: ${JSON.stringify(statuses)}`)
    expect(wrong).toEqual([])
    expect((await call('GET', '/api/devices?limit=1')).status).toBe(200)
    const backup = await runProgram(['backup', join(folder, 'copy.sqlite')], program.environment)
    expect(backup).toMatchObject({ code: 1, stdout: '' })
    expect(backup.stderr).not.toMatch(/Unexpected error|^ +at /m)

    rmSync(join(folder, 'ballast'))
    rmSync(join(folder, 'ballast.rest'), { force: true })
    for (const name of usable)
      await waitUntil(async () => (await writes[name]?.())?.status === 200, {
        describe: `${name} after there is space`,
      })
    const check = await runProgram(['status', '--check', '--json'], program.environment)
    expect(JSON.parse(check.stdout)).toMatchObject({ sound: true })
    expect(await program.stop()).toBe(0)
  }, 240_000)
})
