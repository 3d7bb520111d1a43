import type { LocalDatabase } from '../../db/sqlite/local-database.ts'
import { memoize } from '../../lib/memoize.ts'
import { type Device, nameWithoutMake } from '../device.ts'
import { attributeKey, foldAttributeName, foldName } from '../search/search-term.ts'
import { deviceCodes, naturalSortKey, type SearchText, searchTextOf, variantCodes, wordsOf } from './index-text.ts'

/**
 * The tables of the registry index. A device has a number, and the order of the numbers is the order of lists: newest
 * first, unknown release dates last, then by id. So every list and every search result is in list order without sorting.
 */
const TABLES = [
  'create table fact (name text primary key, value) without rowid',
  `create table device (
    number integer primary key, id text not null, revision integer not null, released_on text not null,
    make text not null, category text not null, make_key text not null, category_key text not null, status text not null,
    name_key text not null, price_low integer not null, price_high integer not null, variant_count integer not null
  )`,
  'create table document (number integer primary key, json text not null)',
  'create table variant (device integer, position integer, id text not null, disabled integer not null, primary key (device, position)) without rowid',
  'create table attribute (number integer primary key, name text not null, key text not null unique)',
  'create table variant_attribute (attribute integer, device integer, position integer, primary key (attribute, device, position)) without rowid',
  // Position -1: a code of the device itself.
  'create table code (code text not null, device integer not null, position integer not null)',
  'create table device_word (word text primary key) without rowid',
  'create table variant_word (word text primary key) without rowid',
  // Numbers of devices and variants per make and category.
  'create table label (kind text, key text, devices integer not null, variants integer not null, primary key (kind, key)) without rowid',
  // Devices that cannot be read: they are not served, but count when the index is compared with the database.
  'create table unreadable (id text primary key, revision integer not null) without rowid',
  // Values computed from all devices as of a number of changes.
  'create table derived (name text primary key, changes integer not null, json text not null) without rowid',
  // Words are folded already, so the tokenizer only has to split at blanks. `detail = column` stores no positions.
  `create virtual table device_text using fts5(
    device, variants, tokenize = 'ascii', detail = column, prefix = '1 2 3', columnsize = 0
  )`,
]

/** Created after the rows of a new index, which is several times as fast. Each ends with the number, so in list order. */
const INDEXES = [
  'create unique index device_by_id on device (id)',
  'create index device_in_order on device (released_on desc, id)',
  'create index device_by_make on device (make_key)',
  'create index device_by_category on device (category_key)',
  'create index device_by_status on device (status)',
  'create index device_by_name on device (name_key)',
  'create index device_by_price_low on device (price_low)',
  'create index device_by_price_high on device (price_high)',
  'create index variant_by_id on variant (id)',
  'create index variant_by_disabled on variant (disabled)',
  'create index code_by_code on code (code, device, position)',
]

/** Changes with the tables or with how their content is derived: an index of another version is built again. */
export const INDEX_VERSION = 3

/** Space between the numbers of two devices, for devices that come between them later. */
const NUMBER_GAP = 2 ** 20
/** Devices on either side that get new numbers when there is no space left between two. */
const RENUMBERED_NEIGHBOURS = 16
const NO_PRICE = Number.MAX_SAFE_INTEGER

export type StoredDevice = { readonly device: Device; readonly revision: number }

/** How far the index has read the changes of the database. */
export type IndexCursor = { readonly revision: number; readonly id: string }

export type IndexWriter = ReturnType<typeof indexWriter>

export function createIndexTables(db: LocalDatabase): void {
  for (const statement of TABLES) db.run(statement)
  db.run("insert into device_text (device_text, rank) values ('hashsize', 33554432)")
}

export function createIndexIndexes(db: LocalDatabase): void {
  for (const statement of INDEXES) db.run(statement)
}

/** A fact about the index as a whole, such as its cursor. */
export function readFact(db: LocalDatabase, name: string): string | number | null {
  const row = db.query('select value from fact where name = ?').get(name) as { value: string | number } | null
  return row?.value ?? null
}

export function writeFact(db: LocalDatabase, name: string, value: string | number): void {
  db.query('insert into fact (name, value) values (?, ?) on conflict (name) do update set value = excluded.value').run(
    name,
    value,
  )
}

export function readCursor(db: LocalDatabase): IndexCursor {
  return { revision: Number(readFact(db, 'revision') ?? 0), id: String(readFact(db, 'cursor_id') ?? '') }
}

type SqlRow = readonly (string | number)[]

/** Rows per statement; a call of its own for each would take twice as long. */
const ROWS_PER_INSERT = 32

function insertRows(db: LocalDatabase, insert: string, columns: number, conflict = '') {
  const placeholders = `(${Array(columns).fill('?').join(', ')})`
  const one = db.query(`${insert} values ${placeholders} ${conflict}`)
  const many = db.query(`${insert} values ${Array(ROWS_PER_INSERT).fill(placeholders).join(', ')} ${conflict}`)
  return (rows: readonly SqlRow[]) => {
    let at = 0
    for (; at + ROWS_PER_INSERT <= rows.length; at += ROWS_PER_INSERT) {
      many.run(...rows.slice(at, at + ROWS_PER_INSERT).flat())
    }
    for (; at < rows.length; at++) one.run(...(rows[at] as SqlRow))
  }
}

/** Writes devices. The caller begins and commits. */
export function indexWriter(db: LocalDatabase) {
  const insertDevice = db.query(
    `insert into device (number, id, revision, released_on, make, category, make_key, category_key, status, name_key,
      price_low, price_high, variant_count) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const insertDocument = db.query('insert into document (number, json) values (?, ?)')
  const insertText = db.query('insert into device_text (rowid, device, variants) values (?, ?, ?)')
  const insertVariants = insertRows(db, 'insert into variant (device, position, id, disabled)', 4)
  const insertCodes = insertRows(db, 'insert into code (code, device, position)', 3)
  const insertVariantAttributes = insertRows(
    db,
    'insert or ignore into variant_attribute (attribute, device, position)',
    3,
  )
  const insertWords = {
    device: insertRows(db, 'insert or ignore into device_word (word)', 1),
    variants: insertRows(db, 'insert or ignore into variant_word (word)', 1),
  }
  const countLabels = insertRows(
    db,
    'insert into label (kind, key, devices, variants)',
    4,
    'on conflict (kind, key) do update set devices = devices + excluded.devices, variants = variants + excluded.variants',
  )
  const insertAttribute = db.query('insert or ignore into attribute (name, key) values (?, ?)')
  const findAttribute = db.query('select number from attribute where key = ?')
  const knownWords = { device: new Set<string>(), variants: new Set<string>() }
  const attributeNumbers = new Map<string, number>()
  const changes = { devices: 0, variants: 0 }

  function addWords(kind: 'device' | 'variants', texts: readonly string[]): void {
    const words: SqlRow[] = []
    const known = knownWords[kind]
    for (const text of new Set(texts)) {
      for (const word of wordsOf(text)) {
        if (known.has(word)) continue
        // Words repeat from device to device; a full set starts over.
        if (known.size >= MAX_KNOWN_WORDS) known.clear()
        known.add(word)
        words.push([word])
      }
    }
    insertWords[kind](words)
  }

  function attributeNumber(name: string, value: string): number {
    // Attributes repeat from variant to variant, mostly in the same spelling.
    const spelling = `${name}\n${value}`
    const known = attributeNumbers.get(spelling)
    if (known !== undefined) return known
    const key = attributeKey(name, value)
    insertAttribute.run(foldAttributeName(name), key)
    const { number } = findAttribute.get(key) as { number: number }
    if (attributeNumbers.size >= MAX_KNOWN_WORDS) attributeNumbers.clear()
    attributeNumbers.set(spelling, number)
    return number
  }

  /** The devices must not be in the index; see `put`. */
  function add(stored: readonly (StoredDevice & { readonly number: number })[]): void {
    const variantRows: SqlRow[] = []
    const codeRows: SqlRow[] = []
    const attributeRows: SqlRow[] = []
    const texts: SearchText[] = []
    for (const { device, revision, number } of stored) {
      const { id, make, category, variants } = device
      const cents = lowestListCents(device)
      insertDevice.run(
        number,
        id,
        revision,
        device.releasedOn ?? '',
        make,
        category,
        foldLabel(make),
        foldLabel(category),
        device.status,
        naturalSortKey(foldName(`${make} ${nameWithoutMake(device)}`)),
        cents || NO_PRICE,
        cents ? -cents : NO_PRICE,
        variants.length,
      )
      insertDocument.run(number, JSON.stringify(device))
      const text = searchTextOf(device)
      texts.push(text)
      insertText.run(number, text.device, text.variants)
      for (const code of deviceCodes(device)) codeRows.push([code, number, -1])
      for (const [position, variant] of variants.entries()) {
        variantRows.push([number, position, variant.id, variant.disabled ? 1 : 0])
        for (const code of variantCodes(variant)) codeRows.push([code, number, position])
        for (const { name, value } of variant.attributes) {
          attributeRows.push([attributeNumber(name, value), number, position])
        }
      }
      changes.devices++
      changes.variants += variants.length
    }
    insertVariants(variantRows)
    insertCodes(codeRows)
    insertVariantAttributes(attributeRows)
    addWords(
      'device',
      texts.map((text) => text.device),
    )
    addWords(
      'variants',
      texts.map((text) => text.variants),
    )
    countLabels(labelRows(stored, 1))
  }

  function removeNumber(number: number): StoredDevice {
    const row = db
      .query('select json, revision from document join device using (number) where number = ?')
      .get(number) as { json: string; revision: number }
    const device = JSON.parse(row.json) as Device
    const deleteCode = db.query('delete from code where code = ? and device = ?')
    const codes = new Set([...deviceCodes(device), ...device.variants.flatMap((variant) => [...variantCodes(variant)])])
    for (const code of codes) deleteCode.run(code, number)
    const attributes = new Set(
      device.variants.flatMap((variant) => variant.attributes.map(({ name, value }) => attributeNumber(name, value))),
    )
    const deleteAttribute = db.query('delete from variant_attribute where attribute = ? and device = ?')
    for (const attribute of attributes) deleteAttribute.run(attribute, number)
    db.query('delete from variant where device = ?').run(number)
    db.query('delete from device_text where rowid = ?').run(number)
    db.query('delete from document where number = ?').run(number)
    db.query('delete from device where number = ?').run(number)
    countLabels(labelRows([{ device }], -1))
    changes.devices--
    changes.variants -= device.variants.length
    return { device, revision: row.revision }
  }

  function findNumber(id: string): number | undefined {
    return (db.query('select number from device where id = ?').get(id) as { number: number } | null)?.number
  }

  function remove(id: string): void {
    const number = findNumber(id)
    if (number !== undefined) removeNumber(number)
    db.query('delete from unreadable where id = ?').run(id)
  }

  /** A number between the neighbours in list order. */
  function numberFor(device: Pick<Device, 'id' | 'releasedOn'>): number {
    const { id, releasedOn } = device
    const day = releasedOn ?? ''
    const first = (sql: string, ...values: string[]) =>
      (db.query(sql).get(...values) as { number: number } | null)?.number
    const before =
      first('select number from device where released_on = ? and id < ? order by id desc limit 1', day, id) ??
      first('select number from device where released_on > ? order by released_on asc, id desc limit 1', day)
    const after =
      first('select number from device where released_on = ? and id > ? order by id limit 1', day, id) ??
      first('select number from device where released_on < ? order by released_on desc, id limit 1', day)
    if (before === undefined) return (after ?? 0) - NUMBER_GAP
    if (after === undefined) return before + NUMBER_GAP
    if (after - before > 1) {
      // Changes arrive in the order of their ids: more space is left for those that follow.
      return before + Math.max(1, Math.floor((after - before) / 4))
    }
    renumberAround(before)
    return numberFor(device)
  }

  /** Spreads the neighbours of a device over the space between the next ones. */
  function renumberAround(number: number): void {
    for (let count = RENUMBERED_NEIGHBOURS; ; count *= 2) {
      const numbers = (sql: string) => (db.query(sql).values(number, count + 1) as [number][]).map(([each]) => each)
      const below = numbers('select number from device where number <= ? order by number desc limit ?')
      const above = numbers('select number from device where number > ? order by number limit ?')
      const from = below.length > count ? (below.pop() as number) : (below.at(-1) as number) - count * NUMBER_GAP
      const to = above.length > count ? (above.pop() as number) : (above.at(-1) ?? number) + count * NUMBER_GAP
      const moved = [...below.reverse(), ...above]
      const step = Math.floor((to - from) / (moved.length + 1))
      if (step < MIN_RENUMBERED_GAP) continue
      const stored = moved.map(removeNumber)
      add(stored.map((each, place) => ({ ...each, number: from + step * (place + 1) })))
      return
    }
  }

  /** Adds a device or replaces its earlier form. */
  function put(stored: StoredDevice): void {
    remove(stored.device.id)
    add([{ ...stored, number: numberFor(stored.device) }])
  }

  function putUnreadable(id: string, revision: number): void {
    remove(id)
    db.query('insert into unreadable (id, revision) values (?, ?)').run(id, revision)
  }

  /** Writes the totals and the cursor with the rows of the same transaction. */
  function finish(cursor: IndexCursor): void {
    for (const [name, change] of Object.entries(changes)) writeFact(db, name, Number(readFact(db, name) ?? 0) + change)
    Object.assign(changes, { devices: 0, variants: 0 })
    writeFact(db, 'revision', cursor.revision)
    writeFact(db, 'cursor_id', cursor.id)
    writeFact(db, 'changes', Number(readFact(db, 'changes') ?? 0) + 1)
  }

  /** After a rollback: rows that the caches know may be gone. */
  function forget(): void {
    knownWords.device.clear()
    knownWords.variants.clear()
    attributeNumbers.clear()
    Object.assign(changes, { devices: 0, variants: 0 })
  }

  return { add, put, putUnreadable, remove, finish, forget, findNumber }
}

const MAX_KNOWN_WORDS = 100_000
const MIN_RENUMBERED_GAP = 2 ** 8

/** Thousands of devices share a make or category. */
const foldLabel = memoize(20_000, foldName)

/** One row per make and category, because a batch has few of them. */
function labelRows(stored: readonly { readonly device: Device }[], sign: 1 | -1): SqlRow[] {
  const counts = new Map<string, { kind: string; key: string; devices: number; variants: number }>()
  for (const { device } of stored) {
    for (const kind of ['make', 'category'] as const) {
      const key = foldLabel(device[kind])
      const count = counts.getOrInsertComputed(`${kind} ${key}`, () => ({ kind, key, devices: 0, variants: 0 }))
      count.devices += sign
      count.variants += sign * device.variants.length
    }
  }
  return Array.from(counts.values(), ({ kind, key, devices, variants }) => [kind, key, devices, variants])
}

export const numberAtPlace = (place: number): number => place * NUMBER_GAP

function lowestListCents({ variants }: Device): number {
  let lowest = 0
  for (const { listCents } of variants) if (listCents > 0 && (lowest === 0 || listCents < lowest)) lowest = listCents
  return lowest
}
