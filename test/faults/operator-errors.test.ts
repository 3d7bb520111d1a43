import { Database as Sqlite } from 'bun:sqlite'
import { afterAll, describe, expect, test } from 'bun:test'
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres } from '../support/postgres.ts'
import { filledDataDir, newDataDir, runProgram, startProgram } from '../support/program.ts'

/** Operator errors: one sentence with advice, exit code 1 and no stack trace. */

const mayMount = process.getuid?.() === 0 && Bun.which('mount') !== null
const postgres = process.env.NO_POSTGRES ? undefined : await startPostgres()
const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

async function refusal(settings: Record<string, string>, args = ['serve']): Promise<string> {
  const { code, stdout, stderr } = await runProgram(args, { SAMPLE_DATA: 'off', PORT: '0', ...settings })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr.trimEnd().split('\n')).toEqual([expect.any(String)])
  expect(stderr).not.toMatch(/^ +at |\.ts:\d|Unexpected error/m)
  return stderr
}

function folderWith(file: string, contents: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'di-operator-'))
  folders.push(folder)
  writeFileSync(join(folder, file), contents)
  return folder
}

const STORE = 'device-intelligence.sqlite'

describe('SQLite', () => {
  test('in a DATA_DIR that is a file', async () => {
    const file = join(folderWith('a-file', ''), 'a-file')
    expect(await refusal({ DATA_DIR: file })).toContain('DATA_DIR must be a folder')
    expect(await refusal({ DATA_DIR: join(file, 'below') })).toContain('DATA_DIR must be a folder')
  })

  test('restored from a folder', async () => {
    const folder = folderWith('copy', '')
    expect(await refusal({ DATA_DIR: join(folder, 'data') }, ['restore', folder])).toBe(
      `${folder} is a folder, not a file.\n`,
    )
  })

  test('restored from what is no backup of this version', async () => {
    const whole = newDataDir()
    folders.push(whole)
    expect((await runProgram(['org', 'create', 'Before'], { DATA_DIR: whole })).code).toBe(0)
    const newer = join(whole, 'newer.sqlite')
    expect((await runProgram(['backup', newer], { DATA_DIR: whole })).code).toBe(0)
    const change = (file: string, ...statements: string[]) => {
      const connection = new Sqlite(file)
      for (const statement of statements) connection.run(statement)
      connection.close()
    }
    change(newer, "insert into migration values ('999-future', 1)")
    const draft = join(whole, 'draft.sqlite')
    copyFileSync(newer, draft)
    change(draft, 'delete from migration', "insert into migration values ('001-draft', 1)", 'drop table lookup_total')
    const other = join(whole, 'other.sqlite')
    change(other, 'create table migration (name text, applied_at int)')
    const dump = join(whole, 'dump.sql')
    writeFileSync(dump, '--\n-- PostgreSQL database dump\n--\n')
    const DATA_DIR = join(whole, 'data')
    const restore = (file: string) => refusal({ DATA_DIR }, ['restore', file])
    expect(await restore(newer)).toBe(
      `${newer} is of a newer version of the program (999-future). Install that; nothing was restored.\n`,
    )
    expect(await restore(draft)).toBe(
      `${draft} is of a draft from before version 0.1.0, whose data cannot be read; nothing was restored.\n`,
    )
    expect(await restore(other)).toBe(`${other} is an SQLite file, but not a database of this program.\n`)
    expect(await restore(dump)).toBe(
      `${dump} is a dump of PostgreSQL, not a backup of this program. pg_restore or psql restores it.\n`,
    )
    expect(existsSync(DATA_DIR)).toBe(false)
  })

  test.skipIf(!mayMount)('restored on a disk that is full', async () => {
    const [whole, disk] = [newDataDir(), newDataDir()]
    folders.push(whole, disk)
    expect((await runProgram(['org', 'create', 'Before'], { DATA_DIR: whole })).code).toBe(0)
    const copy = join(whole, 'copy.sqlite')
    expect((await runProgram(['backup', copy], { DATA_DIR: whole })).code).toBe(0)
    const mount = (...command: string[]) => Bun.spawnSync(command).exitCode
    expect(mount('mount', '-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', disk)).toBe(0)
    try {
      const DATA_DIR = join(disk, 'data')
      expect(await refusal({ DATA_DIR }, ['restore', copy])).toBe(
        `The disk of ${DATA_DIR} is full. Nothing was restored.\n`,
      )
      expect(readdirSync(DATA_DIR)).toEqual([])
    } finally {
      mount('umount', disk)
    }
  })

  test('with a file that is not a database', async () => {
    const DATA_DIR = folderWith(STORE, 'this is no database '.repeat(500))
    expect(await refusal({ DATA_DIR })).toContain('is not a SQLite database')
    expect(await refusal({ DATA_DIR }, ['org', 'list'])).toContain('is not a SQLite database')
  })

  test('with a damaged file', async () => {
    const DATA_DIR = newDataDir()
    folders.push(DATA_DIR)
    expect((await runProgram(['org', 'create', 'Before'], { DATA_DIR })).code).toBe(0)
    const file = Bun.file(join(DATA_DIR, STORE))
    const bytes = new Uint8Array(await file.arrayBuffer())
    // All but the first page, which identifies the file.
    bytes.fill(0xa5, 4096)
    await Bun.write(file, bytes)
    expect(await refusal({ DATA_DIR })).toContain('is damaged')
  })

  test('with damaged pages: the service does not start or serves, and every command names the way to recover', async () => {
    const whole = filledDataDir('small')
    folders.push(whole)
    // Writes the check value and the organization of a first start.
    await (await startProgram({ DATA_DIR: whole })).stop()
    const file = Bun.file(join(whole, STORE))
    const bytes = new Uint8Array(await file.arrayBuffer())
    const pages = bytes.length / 4096
    const messages = new Set<string>()
    for (let at = 0; at < 6; at++) {
      const DATA_DIR = newDataDir()
      folders.push(DATA_DIR)
      for (const name of readdirSync(whole)) if (name.endsWith('.key')) cpSync(join(whole, name), join(DATA_DIR, name))
      const damaged = bytes.slice()
      // The last page of the schema up to the middle of the data; a range, because a single page may not be read at all.
      const from = 4096 * Math.max(1, Math.floor((pages * at) / 6))
      damaged.fill(0xa5, from, from + 4096 * Math.ceil(pages / 6))
      await Bun.write(join(DATA_DIR, STORE), damaged)
      for (const args of [['org', 'list'], ['export', 'catalogue'], ['status'], ['backup', join(DATA_DIR, 'copy')]]) {
        const { code, stderr } = await runProgram(args, { DATA_DIR, SAMPLE_DATA: 'off', PORT: '0' })
        if (code !== 0) messages.add(`${args[0]}: ${stderr}`)
      }
      const serving = await startProgram({ DATA_DIR, SAMPLE_DATA: 'off' }).catch((error: Error) => error)
      if (serving instanceof Error) messages.add(`serve: ${serving.message.split('\n').slice(1).join('\n')}`)
      else await serving.stop()
    }
    expect(messages.size).toBeGreaterThan(3)
    for (const message of messages) {
      expect(message).not.toMatch(/^ +at |\.ts:\d|Unexpected error/m)
      expect(message).toMatch(/damaged/)
      expect(message).toMatch(/restore|status --check/)
    }
  }, 240_000)

  test('migrated by a newer version', async () => {
    const DATA_DIR = newDataDir()
    folders.push(DATA_DIR)
    expect((await runProgram(['org', 'create', 'Before'], { DATA_DIR })).code).toBe(0)
    const store = new Sqlite(join(DATA_DIR, STORE))
    store.run(`insert into migration (name, applied_at) values ('999-from-the-future', 0)`)
    store.close()
    expect(await refusal({ DATA_DIR })).toContain('newer version of this program (it has 999-from-the-future)')
    expect(await refusal({ DATA_DIR }, ['org', 'list'])).toContain('newer version')
  })

  test.skipIf(!mayMount)('on a read-only disk', async () => {
    const DATA_DIR = newDataDir()
    folders.push(DATA_DIR)
    const on = (...command: string[]) => Bun.spawnSync(command).exitCode
    expect(on('mount', '-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', DATA_DIR)).toBe(0)
    try {
      expect((await runProgram(['org', 'create', 'Before'], { DATA_DIR })).code).toBe(0)
      expect(on('mount', '-o', 'remount,ro', DATA_DIR)).toBe(0)
      expect(await refusal({ DATA_DIR })).toContain('read-only')
      const below = join(DATA_DIR, 'below')
      expect(await refusal({ DATA_DIR: below })).toMatch(/read-only|may not write/)
    } finally {
      on('umount', '-l', DATA_DIR)
      mkdirSync(DATA_DIR, { recursive: true })
    }
  })
})

describe.skipIf(!postgres)('PostgreSQL', () => {
  const address = (change: (url: URL) => void) => {
    const url = new URL(postgres?.url ?? 'postgres://none')
    change(url)
    return { DATABASE_URL: url.href }
  }

  test('without the database', async () => {
    const settings = address((url) => {
      url.pathname = '/no_such_database'
    })
    expect(await refusal(settings)).toContain('has no database "no_such_database"')
    expect(await refusal(settings, ['org', 'list'])).toContain('has no database')
  })

  test('without the role', async () => {
    const settings = address((url) => {
      url.username = 'no_such_role'
    })
    expect(await refusal(settings)).toContain('denies "no_such_role" access to')
  })

  test('without TLS although it is required', async () => {
    const settings = address((url) => {
      url.searchParams.set('sslmode', 'verify-full')
    })
    expect(await refusal(settings)).toContain('does not support TLS')
  })

  test('migrated by a newer version', async () => {
    const DATABASE_URL = (await postgres?.createDatabase()) ?? ''
    expect((await runProgram(['org', 'create', 'Before'], { DATABASE_URL })).code).toBe(0)
    const client = new pg.Client({ connectionString: DATABASE_URL })
    await client.connect()
    await client.query(`insert into migration (name, applied_at) values ('999-from-the-future', 0)`)
    await client.end()
    expect(await refusal({ DATABASE_URL })).toContain('newer version of this program')
  })
})
