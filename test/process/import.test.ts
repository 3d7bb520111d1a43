import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../src/db/database.ts'
import {
  filledDataDir,
  PROGRAM,
  type RunningProgram,
  runInProcess,
  runProgram,
  shownKeys,
  startProgram,
} from '../support/program.ts'
import { newFile as file, imported, MODELS, testRoundTrip } from '../support/registry-round-trip.ts'
import { waitUntil } from '../support/wait.ts'

/** A separate catalogue. A prepared one spares the import from creating it first. */
const newRegistry = () => ({ DATA_DIR: filledDataDir('small'), SAMPLE_DATA: 'off' })

async function errorOf(args: string[], environment: Record<string, string>): Promise<string> {
  const ran = await runInProcess(['import', ...args], environment)
  expect(ran.code).toBe(1)
  expect(ran.stdout).toBe('')
  return ran.stderr
}

describe('the running service', () => {
  let program: RunningProgram
  beforeAll(async () => {
    program = await startProgram()
  })
  afterAll(async () => {
    await program.stop()
  })

  test('serves an imported catalogue without a restart, from a file in UTF-16', async () => {
    const path = file('models.csv', Buffer.from(`\uFEFF${MODELS}\r\n`, 'utf16le'))
    const figures = await imported(['catalogue', path], program.environment, runProgram)
    expect(figures).toMatchObject({
      rows: 4,
      devices_new: 2,
      variants_new: 3,
      rejected: 1,
      rejected_by: { value_invalid: 1 },
    })
    expect(readFileSync(figures.report, 'utf8')).toBe('line,reason,detail\n5,a value cannot be used,make: is missing\n')

    const headers = { Authorization: `Bearer ${shownKeys(program.stderr()).public}` }
    type Found = { id: string; model_numbers: string[]; variants: object[] }
    const search = async () => {
      const response = await fetch(`${program.url}/api/devices?search=galaxy+test`, { headers })
      return ((await response.json()) as { data: Found[] }).data
    }
    const found = await waitUntil(async () => (await search())[0] && search(), { describe: 'the imported device' })
    expect(found).toMatchObject([{ id: 'samsung-galaxy-test-s', model_numbers: ['SM-T001B', 'SM-T001U'] }])
    expect(found[0]?.variants).toMatchObject([
      { id: 'samsung-galaxy-test-s-sm-t001b', price: 0, price_source: 'unknown', disabled: false },
      { id: 'samsung-galaxy-test-s-sm-t001u', price: 0, price_source: 'unknown', disabled: false },
    ])
  })
})

test('a dry run counts and writes nothing, a second import changes nothing', async () => {
  const environment = newRegistry()
  const path = file('models.csv', MODELS)
  expect(await imported(['catalogue', path, '--dry-run'], environment)).toMatchObject({ devices_new: 2 })
  expect(await imported(['catalogue', path], environment)).toMatchObject({ devices_new: 2, devices_changed: 0 })
  expect(await imported(['catalogue', path], environment)).toMatchObject({
    devices_new: 0,
    devices_changed: 0,
    variants_new: 0,
  })
})

for (const format of ['json', 'csv'] as const) testRoundTrip(format, newRegistry)

test('a list is replaced, changed incrementally and guarded, and cleared entries stay as history', async () => {
  const environment = newRegistry()
  const imeis = Array.from({ length: 8 }, (_, at) => `3569380356438${at}0`)
  const full = file(
    'stolen.csv',
    ['IMEI,reporting_date,status', ...imeis.map((imei) => `${imei},20240102,`)].join('\n'),
  )
  expect(await imported(['lists', full], environment)).toMatchObject({ rows: 8, entries: 8, cleared: 0 })

  const half = file(
    'half.csv',
    ['IMEI,reporting_date,status', ...imeis.slice(0, 4).map((imei) => `${imei},,`)].join('\n'),
  )
  expect(await errorOf(['lists', half], environment)).toContain('from 8 to 4 identifiers, by more than 25 %')
  expect(await imported(['lists', half, '--accept-shrink'], environment)).toMatchObject({ entries: 4, cleared: 4 })

  const delta = file(
    'delta.csv',
    `imei,reporting_date,status,change_type\n${imeis[0]},,,remove\n${imeis[7]},20240305,pending,add\n${imeis[6]},,,remove\n`,
  )
  expect(await imported(['lists', delta], environment)).toMatchObject({
    added: 1,
    removed: 1,
    entries: 4,
    remarks: { removed_not_listed: 1 },
  })
  const tac = file('barred.csv', 'TAC\n10000110\n1000011\n')
  const ran = await runInProcess(['import', 'lists', tac], environment)
  expect(ran.stderr).toContain('line 3: TAC is not 8 digits')
  expect(await errorOf(['lists', tac, '--list', 'stolen'], environment)).toContain('name another with --list')

  const db = await openDatabase({ url: '', dataDir: environment.DATA_DIR })
  const rows = await db.query.selectFrom('listed_identifier').selectAll().orderBy('key14').execute()
  const lists = await db.query.selectFrom('identifier_list').selectAll().orderBy('name').execute()
  await db.close()
  expect(lists.map(({ name, kind, entries }) => [name, kind, entries])).toEqual([
    ['barred-tac', 'barred_tac', 1],
    ['stolen', 'stolen', 4],
  ])
  expect(rows.filter((row) => row.kind === 'stolen').map((row) => [row.status, row.cleared_at !== null])).toEqual([
    ['blacklist', true],
    ['blacklist', false],
    ['blacklist', false],
    ['blacklist', false],
    ['blacklist', true],
    ['blacklist', true],
    ['blacklist', true],
    ['pending', false],
  ])
})

test('a list that clears may lose one percent; more needs a confirmation', async () => {
  const environment = newRegistry()
  const list = (count: number) =>
    file(
      `clearing-${count}.csv`,
      ['IMEI,reporting_date,status', ...Array.from({ length: count }, (_, at) => `${35693803560000 + at},,`)].join(
        '\n',
      ),
    )
  const clearing = ['--clears', '--area', 'DE', '--max-age-days', '30']
  expect(await imported(['lists', list(1000), ...clearing], environment)).toMatchObject({ entries: 1000 })
  expect(await imported(['lists', list(990), ...clearing], environment)).toMatchObject({ entries: 990, cleared: 10 })
  const message = await errorOf(['lists', list(970), ...clearing], environment)
  expect(message).toContain('would shrink from 990 to 970 identifiers, by more than 1 %. It clears devices')
  expect(message).toContain('run it again with --accept-shrink')
  expect(await errorOf(['lists', list(970), ...clearing, '--dry-run'], environment)).toContain('would shrink')
  const higher = [...clearing, '--max-shrink-percent', '5']
  expect(await imported(['lists', list(970), ...higher], environment)).toMatchObject({ entries: 970, cleared: 20 })
  expect(await imported(['lists', list(300), ...clearing, '--accept-shrink'], environment)).toMatchObject({
    entries: 300,
    cleared: 670,
  })
  const wrong = await runInProcess(['import', 'lists', list(299), ...clearing, '--max-shrink-percent=all'], environment)
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('max-shrink-percent') })
})

test('TAC facts match their devices in either import order, and no contributor is stored', async () => {
  const environment = newRegistry()
  const early = file('early.csv', 'tac,make,model\n35000009,samsung,SM-T001B\n')
  expect(await imported(['tac', early], environment)).toMatchObject({ tacs: 1, tacs_with_device: 0 })
  expect(await imported(['catalogue', file('models.csv', MODELS)], environment)).toMatchObject({ tacs_linked: 1 })
  const banner =
    'Osmocom TAC database under CC-BY-SA v3.0 (c) Harald Welte 2016\ntac,name,name,contributor,comment,gsmarena,gsmarena,aka\n'
  const osmocom = file(
    'tacdb.csv',
    `${banner}35000001,Samsung,Galaxy Test S,Some Person,,,,\n35000002,Nokia,1610,Some Person,,,,NHE-5\n`,
  )
  expect(await imported(['tac', osmocom], environment)).toMatchObject({ tacs: 2, tacs_with_device: 1 })
  const samsung = file('tacs.csv', '\uFEFFtac,model,model2\n35000003,SM-T001U\n35000003,SM-T001B,SM-X9,SM-X10\n')
  expect(await imported(['tac', samsung], environment)).toMatchObject({ tacs: 1, facts: 4, tacs_with_device: 1 })
  expect(await imported(['tac', samsung], environment)).toMatchObject({ facts_changed: 0 })
  const store = readFileSync(join(environment.DATA_DIR, 'device-intelligence.sqlite'), 'latin1')
  expect(store).not.toContain('Some Person')
})

test('an interrupted import says so, and running it again gives the same result', async () => {
  const rows = Array.from({ length: 12_000 }, (_, at) => `Make ${at % 50},Model ${at},code${at},M-${at}`)
  const path = file('many.csv', ['make,device,model_identifiers,device_model_numbers', ...rows].join('\n'))
  const environment = newRegistry()
  const child = Bun.spawn([PROGRAM, 'import', 'catalogue', path], {
    env: { PATH: process.env.PATH ?? '', HOME: '/', ...environment },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const db = await openDatabase({ url: '', dataDir: environment.DATA_DIR })
  const newDevices = db.query.selectFrom('device').select('id').where('make', 'like', 'Make %')
  const written = async () => (await newDevices.limit(1).execute()).length
  while ((await written()) === 0 && child.exitCode === null) await Bun.sleep(5)
  child.kill('SIGINT')
  expect(await child.exited).toBe(1)
  expect(await new Response(child.stderr).text()).toMatch(
    /Stopped after [\d,]+ of 12,000 devices; import the same again/,
  )
  expect(await new Response(child.stdout).text()).toBe('')
  const again = await imported(['catalogue', path], environment)
  expect(again.devices).toBe(12_000)
  expect(again.devices_new).toBeLessThan(12_000)
  expect((await newDevices.execute()).length).toBe(12_000)
  await db.close()
})

describe('hostile files are rejected in bounded memory', () => {
  /** Peak memory of the processes of the pipe as reported by Linux; 0 without /proc. */
  function peakBytes(shell: number): number {
    try {
      const children = readFileSync(`/proc/${shell}/task/${shell}/children`, 'utf8').trim().split(' ')
      const peaks = children.map((pid) => /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
      return Math.max(...peaks.map(Number)) * 1024 || 0
    } catch {
      return 0
    }
  }

  async function fed(shell: string) {
    const child = Bun.spawn(['sh', '-c', `${shell} | exec "$0" import catalogue -`, PROGRAM], {
      env: { PATH: process.env.PATH ?? '', HOME: '/', ...newRegistry() },
      stdout: 'pipe',
      stderr: 'pipe',
      cwd: tmpdir(),
    })
    let peak = 0
    const watch = setInterval(() => {
      peak = Math.max(peak, peakBytes(child.pid))
    }, 5)
    const [stderr, code] = await Promise.all([new Response(child.stderr).text(), child.exited])
    clearInterval(watch)
    return { code, stderr, peak }
  }

  let smallest = 0
  beforeAll(async () => {
    smallest = (await fed(`printf 'make,device\\n'`)).peak
  })
  for (const [what, shell, sentence] of [
    ['a line of two gigabytes', `yes x | tr -d '\\n' | head -c 2147483648`, 'line 1 is longer than 1 MiB'],
    ['a header of a million columns', `yes column, | head -n 1000000 | tr -d '\\n'`, 'more than 2,000 columns'],
    ['random bytes', 'head -c 300000000 /dev/urandom', 'is not a text file'],
    ['endless zeros', 'head -c 1000000000 /dev/zero', 'is not a text file'],
    ['a gzip bomb', 'head -c 100000000 /dev/zero | gzip', 'unpacks to far more'],
    [
      'an unclosed quote',
      `(echo 'make,device'; echo '"a'; yes 'x,y' | head -c 100000000)`,
      'is not closed within 1 MiB',
    ],
    ['an endless JSON item', `(printf '[{"make":"'; yes | tr -d '\\n' | head -c 500000000)`, 'longer than 1 MiB'],
  ] as const) {
    test(what, async () => {
      const { code, stderr, peak } = await fed(shell)
      expect(stderr).toContain(sentence)
      expect(code).toBe(1)
      expect(peak).toBeLessThan(smallest + 48 * 1024 * 1024)
    })
  }

  test('a zip archive, with or without its extension', async () => {
    const zip = file('devices.csv', Buffer.from('PK\x03\x04rest'))
    for (const format of ['catalogue', 'tac', 'lists']) {
      expect(await errorOf([format, zip], newRegistry())).toContain('is a damaged zip archive')
    }
  })

  test('a missing file, a folder, an unknown list, an unknown format', async () => {
    expect(await errorOf(['catalogue', '/nowhere/x.csv'], newRegistry())).toBe('There is no file /nowhere/x.csv.\n')
    expect(await errorOf(['catalogue', tmpdir()], newRegistry())).toContain('is a folder')
    expect(await errorOf(['catalogue', file('x.csv', 'a,b\n1,2\n')], newRegistry())).toContain(
      'is not a known catalogue format',
    )
    expect(await errorOf(['catalogue', file('x.json', '{"format":"other/9","devices":[]}')], newRegistry())).toContain(
      'this program reads',
    )
    expect(await errorOf(['lists', file('x.csv', '642222222222222,,\n')], newRegistry())).toContain(
      'has no header line',
    )
    expect((await runInProcess(['import', 'music', 'x'], newRegistry())).code).toBe(2)
    expect((await runInProcess(['import', 'tac', 'x', '--list', 'y'], newRegistry())).stderr).toContain(
      'not an option of the format tac',
    )
  })
})
