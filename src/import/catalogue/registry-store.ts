/** Rows of the catalogue for import and export: read completely, written in short steps, only where they differ. */
import { sql } from 'kysely'
import {
  DEVICE_COLUMNS,
  type DeviceRow,
  fromDeviceRow,
  fromVariantRow,
  groupVariantsByDevice,
  toDeviceRow,
  toVariantRow,
  VARIANT_COLUMNS,
  type VariantRow,
} from '../../catalog/device-row.ts'
import type { Database, Topic, Tx } from '../../db/database.ts'
import { readSetting, writeSetting } from '../../db/setting-store.ts'
import { type Provenance, sortProvenance } from './device-draft.ts'
import type { SourcedDevice } from './merge-device.ts'
import type { SourcedVariant } from './merge-variants.ts'

const ORIGIN_COLUMNS = ['source', 'provenance'] as const
type OriginColumns = { readonly source: string; readonly provenance: string }

export type DeviceRowSet = {
  readonly device: DeviceRow & OriginColumns
  readonly variants: readonly (VariantRow & OriginColumns)[]
  /** Ids of variants that the device no longer has. */
  readonly removedVariantIds?: readonly string[]
}

/**
 * Every device with its variants, by id and position. Read in pages, so that neither database has to return tens of
 * thousands of rows at once.
 */
export async function* streamDevices(db: Database, pageDevices = 2000): AsyncGenerator<SourcedDevice> {
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
      .execute()
    const byDevice = groupVariantsByDevice(variants)
    for (const device of devices) yield toSourcedDevice(device, byDevice.get(device.id) ?? [])
    after = last.id
  }
}

/** Every device with its variants, in the order that is fastest to read. */
export async function readAllDevices(db: Database): Promise<SourcedDevice[]> {
  const variants: (VariantRow & OriginColumns)[] = []
  for await (const rows of db.bulk.scanRows('variant', [...VARIANT_COLUMNS, ...ORIGIN_COLUMNS]))
    for (const row of rows) variants.push(row)
  const byDevice = groupVariantsByDevice(variants)
  const devices: SourcedDevice[] = []
  for await (const rows of db.bulk.scanRows('device', [...DEVICE_COLUMNS, ...ORIGIN_COLUMNS])) {
    for (const row of rows) devices.push(toSourcedDevice(row, byDevice.get(row.id) ?? []))
  }
  return devices
}

/** These devices as the transaction sees them. */
export async function readDevicesById(tx: Tx, ids: readonly string[]): Promise<Map<string, SourcedDevice>> {
  const devices = await tx.selectFrom('device').selectAll().where('id', 'in', ids).execute()
  if (devices.length === 0) return new Map()
  const variants = await tx.selectFrom('variant').selectAll().where('device_id', 'in', ids).execute()
  const byDevice = groupVariantsByDevice(variants)
  return new Map(devices.map((row) => [row.id, toSourcedDevice(row, byDevice.get(row.id) ?? [])]))
}

function toSourcedDevice(
  row: DeviceRow & OriginColumns,
  variants: readonly (VariantRow & OriginColumns)[],
): SourcedDevice {
  const origins = { source: row.source, provenance: parseProvenance(row.provenance) }
  return { ...fromDeviceRow(row, variants.map(toSourcedVariant)), ...origins }
}

function toSourcedVariant(row: VariantRow & OriginColumns): SourcedVariant {
  return { ...fromVariantRow(row), source: row.source, provenance: parseProvenance(row.provenance) }
}

const EMPTY_PROVENANCE: Provenance = Object.freeze({})

/** Most records have a single source: they share one empty object. */
function parseProvenance(json: string): Provenance {
  return json === '{}' ? EMPTY_PROVENANCE : JSON.parse(json)
}

export function toRowSet(device: SourcedDevice): DeviceRowSet {
  return {
    device: {
      ...toDeviceRow(device),
      source: device.source,
      provenance: JSON.stringify(sortProvenance(device.provenance)),
    },
    variants: device.variants.map((variant, position) => ({
      ...toVariantRow(device.id, variant, position),
      source: variant.source,
      provenance: JSON.stringify(variant.provenance),
    })),
  }
}

/** The rows to write: the device row and the variants that differ; undefined if nothing changed. */
export function diffRows(before: SourcedDevice | undefined, after: SourcedDevice): DeviceRowSet | undefined {
  if (before === after || Bun.deepEquals(before, after)) return undefined
  const rows = toRowSet(after)
  if (!before) return rows
  const oldRows = toRowSet(before)
  const oldVariants = new Map(oldRows.variants.map((variant) => [variant.id, JSON.stringify(variant)]))
  const variants = rows.variants.filter((variant) => oldVariants.get(variant.id) !== JSON.stringify(variant))
  for (const variant of rows.variants) oldVariants.delete(variant.id)
  const removedIds = [...oldVariants.keys()]
  const isSame =
    variants.length + removedIds.length === 0 && JSON.stringify(oldRows.device) === JSON.stringify(rows.device)
  return isSame ? undefined : { device: rows.device, variants, removedVariantIds: removedIds }
}

/**
 * The revision for rows written in this transaction. It locks the topic's counter without raising it, so that on PostgreSQL
 * other writers of the topic wait until we commit and no process reads past this revision before our rows are there. The
 * announcement at the end raises the counter.
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

export async function writeDevices(db: Database, tx: Tx, changed: readonly DeviceRowSet[]): Promise<void> {
  const revision = await nextRevision(tx, 'catalogue')
  const removedIds = changed.flatMap((rows) => rows.removedVariantIds ?? [])
  if (removedIds.length) await tx.deleteFrom('variant').where('id', 'in', removedIds).execute()
  await db.insertMany(
    tx,
    'device',
    changed.map(({ device }) => ({ ...device, revision })),
    { conflictColumns: ['id'] },
  )
  await db.insertMany(
    tx,
    'variant',
    changed.flatMap(({ variants }) => variants),
    { conflictColumns: ['id'] },
  )
}

export async function isRegistryEmpty(tx: Tx): Promise<boolean> {
  return (await tx.selectFrom('device').select('id').limit(1).executeTakeFirst()) === undefined
}

/** Inserts distinct devices that are not in the catalogue yet. */
export async function insertDevices(
  db: Database,
  tx: Tx,
  rowSets: readonly DeviceRowSet[],
  revision: number,
): Promise<void> {
  const devices = rowSets.map(({ device }) => ({ ...device, revision }))
  await db.insertMany(tx, 'device', devices)
  const variants = rowSets.flatMap((rows) => rows.variants)
  await db.insertMany(tx, 'variant', variants)
}

/** Deletes devices of a source that have no facts of other sources and are not kept. */
export async function deleteDevicesOfSource(tx: Tx, source: string, isKept: (id: string) => boolean): Promise<void> {
  const rows = await tx
    .selectFrom('device')
    .select('id')
    .where('source', '=', source)
    .where('provenance', '=', '{}')
    .execute()
  const stale = rows.map((row) => row.id).filter((id) => !isKept(id))
  for (let at = 0; at < stale.length; at += 500) {
    const step = stale.slice(at, at + 500)
    await tx.deleteFrom('variant').where('device_id', 'in', step).execute()
    await tx.deleteFrom('device').where('id', 'in', step).execute()
  }
}

const BUNDLED_VERSION_SETTING = 'bundled_catalogue'

/** Version of the bundled catalogue that was seeded last. */
export const readSeededVersion = (db: Database) => readSetting(db.query, BUNDLED_VERSION_SETTING)
export const writeSeededVersion = (tx: Tx, version: string) => writeSetting(tx, BUNDLED_VERSION_SETTING, version)
