import { Database } from 'bun:sqlite'
import { afterAll, describe, expect, test } from 'bun:test'
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sampleDevice } from '../../test/support/device.ts'
import { neverReload } from '../db/reload-on-change.ts'
import { type Catalogue, openCatalogue, type RegistrySource, type SourceDevice } from './catalogue-service.ts'
import type { Device } from './device.ts'
import { registryIndexFile } from './index/index-file-store.ts'

const folders: string[] = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'di-index-'))
  folders.push(folder)
  return folder
}

/** A database with these devices; `write` raises the revision like an import. */
function memorySource(devices: readonly Device[], id = 'first') {
  const rows = new Map<string, SourceDevice>()
  let revision = 0
  const reads = { devices: 0 }
  function write(changed: readonly (Device | { id: string; device: null })[], removed: readonly string[] = []): void {
    revision++
    for (const each of changed) {
      rows.set(each.id, { id: each.id, revision, device: 'device' in each ? null : each })
    }
    for (const each of removed) rows.delete(each)
  }
  write(devices)
  const source: RegistrySource = {
    readId: async () => id,
    readRevision: async () => revision,
    readSummary: async () => ({
      count: rows.size,
      revisions: [...rows.values()].reduce((sum, row) => sum + row.revision, 0),
    }),
    count: async () => rows.size,
    async *readVersions() {
      yield [...rows.values()].map(({ id, revision, device }) => ({
        id,
        revision,
        releasedOn: device?.releasedOn ?? null,
      }))
    },
    async readDevices(ids) {
      reads.devices += ids.length
      return ids.flatMap((each) => rows.get(each) ?? [])
    },
    readChangedAfter: async (cursor) =>
      [...rows.values()]
        .filter((row) => row.revision > cursor.revision || (row.revision === cursor.revision && row.id > cursor.id))
        .sort((a, b) => a.revision - b.revision || (a.id < b.id ? -1 : 1))
        .slice(0, 3),
  }
  return { source, write, reads, rows, setRevision: (value: number) => (revision = value) }
}

const open = (source: RegistrySource, folder: string, url = '') =>
  openCatalogue({ source, file: registryIndexFile(folder, url, 'http://service'), reloadOnChange: neverReload })
const names = (catalogue: Catalogue) => Array.from(catalogue.registry().listDevices(), ({ name }) => name)
const indexFile = (folder: string) => join(folder, readdirSync(folder).find((name) => name.endsWith('.sqlite')) ?? '')

const one = sampleDevice('Acme', 'One', { releasedOn: '2020-01-01' })
const two = sampleDevice('Acme', 'Two', { releasedOn: '2021-01-01' })
const three = sampleDevice('Acme', 'Three', { releasedOn: '2022-01-01' })

test('an index is built in a data folder that does not exist yet', async () => {
  const catalogue = await open(memorySource([one, two]).source, join(newFolder(), 'data'))
  expect(names(catalogue)).toEqual(['Two', 'One'])
  catalogue.close()
})

describe('an existing index', () => {
  test('is opened without reading the devices again, and changes made meanwhile are read', async () => {
    const folder = newFolder()
    const database = memorySource([one, two])
    ;(await open(database.source, folder)).close()
    expect(database.reads.devices).toBe(2)
    database.write([three, { ...one, name: 'Renamed' }])
    const catalogue = await open(database.source, folder)
    expect(names(catalogue)).toEqual(['Three', 'Two', 'Renamed'])
    expect(database.reads.devices).toBe(2)
    catalogue.close()
  })

  for (const [what, spoil] of [
    ['of another database', () => {}],
    ['with other bytes', (file: string) => writeFileSync(file, 'x'.repeat(8192))],
    ['that was cut off', (file: string) => truncateSync(file, Math.floor(statSync(file).size / 2))],
    ['that is empty', (file: string) => truncateSync(file, 0)],
    ['with a torn page', (file: string) => tearPage(file, 3)],
    [
      'of another version',
      (file: string) => {
        const db = new Database(file)
        db.run("update fact set value = -1 where name = 'version'")
        db.close()
      },
    ],
  ] as const) {
    test(`${what} is built again`, async () => {
      const folder = newFolder()
      ;(await open(memorySource([one], 'another').source, folder)).close()
      spoil(indexFile(folder))
      const database = memorySource([two], what === 'of another database' ? 'first' : 'another')
      const catalogue = await open(database.source, folder)
      expect(names(catalogue)).toEqual(['Two'])
      expect(database.reads.devices).toBe(1)
      catalogue.close()
    })
  }

  test('follows a restored backup, whose revisions count from an earlier value', async () => {
    const folder = newFolder()
    const database = memorySource([one, two])
    const backup = [...database.rows.values()]
    database.write([{ ...one, name: 'Lost' }])
    database.write([three])
    ;(await open(database.source, folder)).close()
    database.rows.clear()
    for (const row of backup) database.rows.set(row.id, row)
    database.setRevision(1)
    database.write([{ ...two, name: 'Two after' }])
    const catalogue = await open(database.source, folder)
    expect(names(catalogue)).toEqual(['Two after', 'One'])
    database.write([{ ...one, name: 'One after' }])
    await catalogue.refresh()
    expect(names(catalogue)).toEqual(['Two after', 'One after'])
    catalogue.close()
  })
})

test('a build reports how many devices are done, and a start with an index reports nothing', async () => {
  const { source } = memorySource(Array.from({ length: 1_000 }, (_, at) => sampleDevice('Acme', `Phone ${at}`)))
  const file = registryIndexFile(newFolder(), '', 'http://service')
  const progressOfStart = async () => {
    const progress: unknown[] = []
    const options = { source, file, reloadOnChange: neverReload, onBuild: (step: unknown) => progress.push(step) }
    ;(await openCatalogue(options)).close()
    return progress
  }
  const progress = await progressOfStart()
  expect(progress.length).toBeGreaterThan(1)
  expect(progress.at(-1)).toEqual({ devices: 1_000, of: 1_000 })
  expect(await progressOfStart()).toEqual([])
})

test('a process that is killed while it builds leaves nothing that the next one takes for an index', async () => {
  const folder = newFolder()
  const database = memorySource([one, two])
  const failing: RegistrySource = {
    ...database.source,
    readDevices: async () => {
      throw new Error('killed')
    },
  }
  expect(open(failing, folder)).rejects.toThrow('killed')
  const catalogue = await open(database.source, folder)
  expect(names(catalogue)).toEqual(['Two', 'One'])
  catalogue.close()
})

describe('several processes', () => {
  test('share one file: what one has read the other serves', async () => {
    const folder = newFolder()
    const database = memorySource([one])
    const [first, second] = await Promise.all([open(database.source, folder), open(database.source, folder)])
    expect(database.reads.devices).toBe(1)
    database.write([two])
    const registry = second.registry()
    await first.refresh()
    await second.refresh()
    for (const catalogue of [first, second]) expect(names(catalogue)).toEqual(['Two', 'One'])
    expect(second.registry()).not.toBe(registry)
    first.close()
    second.close()
  })

  test('change it at once without losing or repeating a device', async () => {
    const folder = newFolder()
    const database = memorySource([one])
    const catalogues = await Promise.all([open(database.source, folder), open(database.source, folder)])
    const added = Array.from({ length: 40 }, (_, at) => sampleDevice('Acme', `Phone ${at}`, { releasedOn: null }))
    for (const device of added) database.write([device])
    database.write([], [one.id])
    await Promise.all(catalogues.map((catalogue) => catalogue.refresh()))
    const expected = added.map(({ id }) => id).sort()
    for (const catalogue of catalogues) {
      expect(Array.from(catalogue.registry().listDevices(), ({ id }) => id)).toEqual(expected)
      expect(catalogue.registry().deviceCount()).toBe(40)
      catalogue.close()
    }
  })

  test('serve changes after one of them has built the file again', async () => {
    const folder = newFolder()
    const database = memorySource([one])
    const [first, second] = await Promise.all([open(database.source, folder), open(database.source, folder)])
    // Enough that the row of a device is on pages of its own, which no cache holds.
    database.write([{ ...two, specifications: { notes: 'x'.repeat(12_000_000) } }])
    await first.refresh()
    const file = indexFile(folder)
    checkpoint(file)
    tearPage(file, Math.floor(statSync(file).size / 4096 / 2))
    expect(() => first.registry().findDevice(two.id)).toThrow()
    await first.refresh()
    expect(first.registry().findDevice(two.id)?.name).toBe('Two')
    database.write([three])
    for (const catalogue of [second, first]) {
      await catalogue.refresh()
      expect(names(catalogue)).toEqual(['Three', 'Two', 'One'])
      catalogue.close()
    }
  })

  test('with different databases have different files', async () => {
    const folder = newFolder()
    const catalogues = await Promise.all([
      open(memorySource([one]).source, folder, 'postgres://a/one'),
      open(memorySource([two]).source, folder, 'postgres://a/two'),
    ])
    expect(catalogues.map(names)).toEqual([['One'], ['Two']])
    for (const catalogue of catalogues) catalogue.close()
  })
})

test('a device that becomes unreadable is not served until it is readable again', async () => {
  const database = memorySource([one, two])
  const catalogue = await open(database.source, newFolder())
  database.write([{ id: one.id, device: null }])
  await catalogue.refresh()
  expect(names(catalogue)).toEqual(['Two'])
  database.write([], [two.id])
  await catalogue.refresh()
  expect(names(catalogue)).toEqual([])
  database.write([one])
  await catalogue.refresh()
  expect(names(catalogue)).toEqual(['One'])
  catalogue.close()
})

test('an index that is damaged while it is served is built again', async () => {
  const folder = newFolder()
  // More than the page cache holds.
  const specifications = { notes: 'x'.repeat(40_000) }
  const devices = Array.from({ length: 300 }, (_, at) => sampleDevice('Acme', `Phone ${at}`, { specifications }))
  const database = memorySource(devices)
  const catalogue = await open(database.source, folder)
  const file = indexFile(folder)
  const pages = statSync(file).size / 4096
  for (let page = 2; page < pages; page++) tearPage(file, page)
  expect(() => {
    for (const { id } of devices) catalogue.registry().findVariant(`${id}-64gb`)
  }).toThrow()
  await catalogue.refresh()
  expect(names(catalogue)).toHaveLength(300)
  catalogue.close()
})

test('a start on an index that is too large to be checked builds it again, whichever page is torn', async () => {
  const folder = newFolder()
  const database = memorySource([one, two])
  ;(await open(database.source, folder)).close()
  const file = indexFile(folder)
  const whole = readFileSync(file)
  database.write([three])
  for (let page = 1; page < whole.length / 4096; page++) {
    writeFileSync(file, whole)
    tearPage(file, page)
    // Zeros behind the last page, which SQLite ignores.
    truncateSync(file, 70_000_000)
    const catalogue = await open(database.source, folder)
    try {
      names(catalogue)
    } catch {
      // A request that reads a page that the start did not need.
      await catalogue.refresh()
    }
    expect(names(catalogue)).toEqual(['Three', 'Two', 'One'])
    catalogue.close()
  }
})

function checkpoint(file: string): void {
  const db = new Database(file)
  db.run('pragma wal_checkpoint(truncate)')
  db.close()
}

function tearPage(file: string, page: number): void {
  const bytes = new Uint8Array(4096).fill(170)
  const handle = openSync(file, 'r+')
  writeSync(handle, bytes, 0, bytes.length, page * 4096)
  closeSync(handle)
}
