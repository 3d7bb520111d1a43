/** The registry's rows, for importing and exporting: read whole, written in short steps, only where they differ. */
import { sql } from 'kysely'
import type { DatePrecision, DeviceStatus } from '../../catalog/device.ts'
import { deviceColumns, variantColumns } from '../../catalog/device-row.ts'
import type { Database, Topic, Tx } from '../../db/open.ts'
import type {
  DeviceTable,
  IdentifierListTable,
  ListedIdentifierTable,
  TacTable,
  VariantTable,
} from '../../db/schema.ts'
import { inOrder, type Provenance } from './draft.ts'
import type { KnownDevice, KnownVariant } from './merge.ts'

type DeviceRow = Omit<DeviceTable, 'revision'>
export type DeviceRows = { readonly device: DeviceRow; readonly variants: readonly VariantTable[] }

/**
 * Every device with its variants, by id and by position. Read in pages, so that neither store has to hand over tens of
 * thousands of rows at once.
 */
export async function* readDevices(db: Database, pageDevices = 2000): AsyncGenerator<KnownDevice> {
  for (let after = ''; ; ) {
    const devices = await db.query
      .selectFrom('device')
      .selectAll()
      .where('id', '>', after)
      .orderBy('id')
      .limit(pageDevices)
      .execute()
    const first = devices[0]
    const last = devices.at(-1)
    if (!first || !last) return
    const variants = await db.query
      .selectFrom('variant')
      .selectAll()
      .where('device_id', '>=', first.id)
      .where('device_id', '<=', last.id)
      .orderBy('device_id')
      .orderBy('position')
      .orderBy('id')
      .execute()
    const byDevice = Map.groupBy(variants, (variant) => variant.device_id)
    for (const device of devices) yield knownDevice(device, byDevice.get(device.id) ?? [])
    after = last.id
  }
}

/** Every device with its variants in no order, the way the store hands them out fastest; all of them end in memory. */
export async function readRegistry(db: Database): Promise<KnownDevice[]> {
  const variants = new Map<string, VariantTable[]>()
  for await (const rows of db.scan('variant', VARIANT_COLUMNS)) {
    for (const row of rows) {
      const siblings = variants.get(row.device_id)
      if (siblings) siblings.push(row)
      else variants.set(row.device_id, [row])
    }
  }
  const devices: KnownDevice[] = []
  for await (const rows of db.scan('device', DEVICE_COLUMNS)) {
    for (const row of rows) {
      const own = variants.get(row.id) ?? []
      if (own.length > 1) own.sort((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1))
      devices.push(knownDevice(row, own))
      variants.delete(row.id)
    }
  }
  return devices
}

const DEVICE_COLUMNS = [
  'id',
  'make',
  'category',
  'name',
  'released_on',
  'release_precision',
  'status',
  'document',
  'source',
  'provenance',
] as const
const VARIANT_COLUMNS = [
  'id',
  'device_id',
  'position',
  'sku',
  'name',
  'list_cents',
  'disabled',
  'document',
  'source',
  'provenance',
] as const

export function knownDevice(row: DeviceRow, variants: readonly VariantTable[]): KnownDevice {
  const document = JSON.parse(row.document) as Pick<KnownDevice, 'modelNumbers' | 'modelIdentifiers' | 'specifications'>
  return {
    id: row.id,
    name: row.name,
    make: row.make,
    category: row.category,
    modelNumbers: document.modelNumbers ?? [],
    modelIdentifiers: document.modelIdentifiers ?? [],
    specifications: document.specifications ?? {},
    releasedOn: row.released_on,
    releasePrecision: row.release_precision as DatePrecision | null,
    status: row.status as DeviceStatus,
    source: row.source,
    provenance: readProvenance(row.provenance),
    variants: variants.map(knownVariant),
  }
}

function knownVariant(row: VariantTable): KnownVariant {
  const document = JSON.parse(row.document) as Pick<KnownVariant, 'partNumbers' | 'modelNumbers' | 'attributes'>
  return {
    id: row.id,
    sku: row.sku,
    name: row.name,
    listCents: row.list_cents,
    disabled: row.disabled === 1,
    partNumbers: document.partNumbers ?? [],
    modelNumbers: document.modelNumbers ?? [],
    attributes: document.attributes ?? [],
    source: row.source,
    provenance: readProvenance(row.provenance),
  }
}

const NOTHING_ELSE: Provenance = Object.freeze({})

/** Most records are of one source throughout: those share one empty object. */
function readProvenance(json: string): Provenance {
  return json === '{}' ? NOTHING_ELSE : JSON.parse(json)
}

export function deviceRows(device: KnownDevice): DeviceRows {
  return {
    device: {
      ...deviceColumns(device),
      source: device.source,
      provenance: JSON.stringify(inOrder(device.provenance)),
    },
    variants: device.variants.map((variant, position) => ({
      ...variantColumns(device.id, variant, position),
      source: variant.source,
      provenance: JSON.stringify(variant.provenance),
    })),
  }
}

/**
 * The revision for rows written in this transaction. It touches the topic's counter without raising it, which on
 * PostgreSQL holds other writers of the topic back until we commit: no process can have read past this revision before
 * our rows are there. The announcement at the end raises the counter to it.
 */
async function nextRevision(tx: Tx, topic: Topic): Promise<number> {
  const { counter } = await tx
    .insertInto('change')
    .values({ topic, counter: 0 })
    .onConflict((conflict) => conflict.column('topic').doUpdateSet({ counter: sql<number>`change.counter` }))
    .returning('counter')
    .executeTakeFirstOrThrow()
  return Number(counter) + 1
}

export async function writeDevices(db: Database, tx: Tx, changed: readonly DeviceRows[]): Promise<void> {
  const revision = await nextRevision(tx, 'catalogue')
  await db.insertMany(
    tx,
    'device',
    changed.map(({ device }) => ({ ...device, revision })),
    { conflict: ['id'] },
  )
  await db.insertMany(
    tx,
    'variant',
    changed.flatMap(({ variants }) => variants),
    { conflict: ['id'] },
  )
}

export async function readTacs(db: Database, source: string): Promise<TacTable[]> {
  return db.query.selectFrom('tac').selectAll().where('source', '=', source).execute()
}

/** TAC facts whose device was not in the registry when they were imported. */
export async function readLooseTacs(db: Database): Promise<TacTable[]> {
  return db.query.selectFrom('tac').selectAll().where('device_id', 'is', null).execute()
}

export async function writeTacs(db: Database, tx: Tx, rows: readonly TacTable[]): Promise<void> {
  await db.insertMany(tx, 'tac', rows, { conflict: ['tac', 'source', 'make', 'model'] })
}

export async function findList(db: Database, name: string): Promise<IdentifierListTable | undefined> {
  return db.query.selectFrom('identifier_list').selectAll().where('name', '=', name).executeTakeFirst()
}

/** When it was listed first is kept; being listed again ends an earlier clearing. */
export async function writeListings(db: Database, tx: Tx, rows: readonly ListedIdentifierTable[]): Promise<void> {
  await db.insertMany(tx, 'listed_identifier', rows, {
    conflict: ['list', 'key14'],
    update: ['kind', 'status', 'reported_on', 'cleared_at', 'run_id'],
  })
}

export async function clearListings(
  db: Database,
  tx: Tx,
  rows: readonly ListedIdentifierTable[],
  clearedAt: number,
  runId: string,
): Promise<void> {
  const cleared = rows.map((row) => ({ ...row, cleared_at: clearedAt, run_id: runId }))
  await db.insertMany(tx, 'listed_identifier', cleared, {
    conflict: ['list', 'key14'],
    update: ['cleared_at', 'run_id'],
  })
}

/** Entries that stand on the list now; with a run, those it has seen. */
export async function countListed(db: Database, list: string, runId?: string): Promise<number> {
  const listed = db.query
    .selectFrom('listed_identifier')
    .select((count) => count.fn.countAll<number>().as('entries'))
    .where('list', '=', list)
    .where('cleared_at', 'is', null)
  const { entries } = await (runId ? listed.where('run_id', '=', runId) : listed).executeTakeFirstOrThrow()
  return Number(entries)
}

/** Entries that the run did not meet, a page at a time; clearing them takes them out of the next page. */
export async function readUnseen(
  db: Database,
  list: string,
  runId: string,
  limit: number,
): Promise<ListedIdentifierTable[]> {
  return db.query
    .selectFrom('listed_identifier')
    .selectAll()
    .where('list', '=', list)
    .where('cleared_at', 'is', null)
    .where('run_id', '<>', runId)
    .limit(limit)
    .execute()
}

export async function readListedKeys(
  db: Database,
  list: string,
  keys: readonly string[],
): Promise<ListedIdentifierTable[]> {
  return db.query
    .selectFrom('listed_identifier')
    .selectAll()
    .where('list', '=', list)
    .where('cleared_at', 'is', null)
    .where('key14', 'in', keys)
    .execute()
}

export async function finishList(db: Database, tx: Tx, row: IdentifierListTable): Promise<void> {
  await db.insertMany(tx, 'identifier_list', [row], { conflict: ['name'] })
}
