/** The registry's rows, for importing and exporting: read whole, written in short steps, only where they differ. */
import { sql } from 'kysely'
import {
  DEVICE_COLUMNS,
  type DeviceRow,
  deviceColumns,
  groupVariants,
  readDevice,
  readVariant,
  VARIANT_COLUMNS,
  type VariantRow,
  variantColumns,
} from '../../catalog/device-row.ts'
import type { Database, Topic, Tx } from '../../db/open.ts'
import { inOrder, type Provenance } from './draft.ts'
import type { KnownDevice } from './merge.ts'
import type { KnownVariant } from './merge-variants.ts'

const ORIGIN = ['source', 'provenance'] as const
type Origin = { readonly source: string; readonly provenance: string }

export type DeviceRows = {
  readonly device: DeviceRow & Origin
  readonly variants: readonly (VariantRow & Origin)[]
  /** Ids of variants that the device no longer has. */
  readonly dropped?: readonly string[]
}

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
      .execute()
    const byDevice = groupVariants(variants)
    for (const device of devices) yield knownDevice(device, byDevice.get(device.id) ?? [])
    after = last.id
  }
}

/** Every device with its variants in no order, the way the store hands them out fastest; all of them end in memory. */
export async function readRegistry(db: Database): Promise<KnownDevice[]> {
  const variants: (VariantRow & Origin)[] = []
  for await (const rows of db.scan('variant', [...VARIANT_COLUMNS, ...ORIGIN]))
    for (const row of rows) variants.push(row)
  const byDevice = groupVariants(variants)
  const devices: KnownDevice[] = []
  for await (const rows of db.scan('device', [...DEVICE_COLUMNS, ...ORIGIN])) {
    for (const row of rows) devices.push(knownDevice(row, byDevice.get(row.id) ?? []))
  }
  return devices
}

/** What the store holds of these devices, as this transaction sees it. */
export async function readKnown(tx: Tx, ids: readonly string[]): Promise<Map<string, KnownDevice>> {
  const devices = await tx.selectFrom('device').selectAll().where('id', 'in', ids).execute()
  if (devices.length === 0) return new Map()
  const variants = await tx.selectFrom('variant').selectAll().where('device_id', 'in', ids).execute()
  const byDevice = groupVariants(variants)
  return new Map(devices.map((row) => [row.id, knownDevice(row, byDevice.get(row.id) ?? [])]))
}

function knownDevice(row: DeviceRow & Origin, variants: readonly (VariantRow & Origin)[]): KnownDevice {
  const origins = { source: row.source, provenance: readProvenance(row.provenance) }
  return { ...readDevice(row, variants.map(knownVariant)), ...origins }
}

function knownVariant(row: VariantRow & Origin): KnownVariant {
  return { ...readVariant(row), source: row.source, provenance: readProvenance(row.provenance) }
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

/** The rows to write: the device row together with those of its variants that differ; nothing when all is as it was. */
export function changedRows(was: KnownDevice | undefined, is: KnownDevice): DeviceRows | undefined {
  if (was === is || Bun.deepEquals(was, is)) return undefined
  const rows = deviceRows(is)
  if (!was) return rows
  const old = deviceRows(was)
  const oldVariants = new Map(old.variants.map((variant) => [variant.id, JSON.stringify(variant)]))
  const variants = rows.variants.filter((variant) => oldVariants.get(variant.id) !== JSON.stringify(variant))
  for (const variant of rows.variants) oldVariants.delete(variant.id)
  const dropped = [...oldVariants.keys()]
  const isSame = variants.length + dropped.length === 0 && JSON.stringify(old.device) === JSON.stringify(rows.device)
  return isSame ? undefined : { device: rows.device, variants, dropped }
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
  const dropped = changed.flatMap((rows) => rows.dropped ?? [])
  if (dropped.length) await tx.deleteFrom('variant').where('id', 'in', dropped).execute()
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

export async function isEmpty(tx: Tx): Promise<boolean> {
  return (await tx.selectFrom('device').select('id').limit(1).executeTakeFirst()) === undefined
}

/** Devices that are all different and not there yet, at a revision of the caller's. */
export async function insertDevices(
  db: Database,
  tx: Tx,
  fresh: readonly DeviceRows[],
  revision: number,
): Promise<void> {
  const devices = fresh.map(({ device }) => ({ ...device, revision }))
  await db.insertMany(tx, 'device', devices)
  const variants = fresh.flatMap((rows) => rows.variants)
  await db.insertMany(tx, 'variant', variants)
}

/** Devices of a source, whole with their variants, that no other source has spoken of and that are not to be kept. */
export async function dropDevices(tx: Tx, source: string, isKept: (id: string) => boolean): Promise<void> {
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

const VERSION_SETTING = 'catalogue_on_board'

/** The version of the catalogue on board that was brought in last. */
export async function versionOnBoard(db: Database): Promise<string | undefined> {
  const row = await db.query
    .selectFrom('setting')
    .select('value')
    .where('name', '=', VERSION_SETTING)
    .executeTakeFirst()
  return row?.value
}

export async function rememberVersion(db: Database, tx: Tx, version: string): Promise<void> {
  await db.insertMany(tx, 'setting', [{ name: VERSION_SETTING, value: version }], { conflict: ['name'] })
}
