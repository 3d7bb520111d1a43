import type { Database } from '../db/database.ts'
import type { RegistrySource } from './catalogue-service.ts'
import type { Device } from './device.ts'
import {
  DEVICE_COLUMNS,
  type DeviceRow,
  fromDeviceRow,
  fromVariantRow,
  groupVariantsByDevice,
  VARIANT_COLUMNS,
  type VariantRow,
} from './device-row.ts'

/** A running process reads changes in steps of a few milliseconds each. */
const DEVICES_PER_READ = 100

/** Called for each device that is skipped because its row or a variant's row is invalid. */
export type OnUnreadableDevice = (deviceId: string, error: unknown) => void

export function catalogueStore(db: Database, onUnreadable: OnUnreadableDevice = () => {}): RegistrySource {
  function readDevices(rows: readonly DeviceRow[], byDevice: ReadonlyMap<string, readonly VariantRow[]>): Device[] {
    return rows.flatMap((row) => {
      try {
        return [fromDeviceRow(row, (byDevice.get(row.id) ?? []).map(fromVariantRow))]
      } catch (error) {
        onUnreadable(row.id, error)
        return []
      }
    })
  }

  async function readRevision(): Promise<number> {
    const row = await db.query
      .selectFrom('change')
      .select('counter')
      .where('topic', '=', 'catalogue')
      .executeTakeFirst()
    return row?.counter ?? 0
  }

  async function readAll(): Promise<Device[]> {
    const variants: VariantRow[] = []
    for await (const rows of db.bulk.scanRows('variant', VARIANT_COLUMNS)) for (const row of rows) variants.push(row)
    const byDevice = groupVariantsByDevice(variants)
    const devices: Device[] = []
    for await (const rows of db.bulk.scanRows('device', DEVICE_COLUMNS)) {
      for (const device of readDevices(rows, byDevice)) devices.push(device)
    }
    return devices
  }

  async function* readChangedSince(revision: number): AsyncGenerator<readonly Device[]> {
    let cursor = { revision: revision + 1, id: '' }
    for (;;) {
      const { revision, id } = cursor
      const rows = await db.query
        .selectFrom('device')
        .select([...DEVICE_COLUMNS, 'revision'])
        .where((is) => is(is.refTuple('revision', 'id'), '>', is.tuple(revision, id)))
        .orderBy('revision')
        .orderBy('id')
        .limit(DEVICES_PER_READ)
        .execute()
      const last = rows.at(-1)
      if (!last) return
      const variants = await db.query
        .selectFrom('variant')
        .select(VARIANT_COLUMNS)
        .where(
          'device_id',
          'in',
          rows.map((row) => row.id),
        )
        .execute()
      yield readDevices(rows, groupVariantsByDevice(variants))
      cursor = last
    }
  }

  async function count(): Promise<number> {
    const { total } = await db.query
      .selectFrom('device')
      .select((select) => select.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    return Number(total)
  }

  async function* readIds(): AsyncGenerator<readonly string[]> {
    for (let after = ''; ; ) {
      const rows = await db.query
        .selectFrom('device')
        .select('id')
        .where('id', '>', after)
        .orderBy('id')
        .limit(2_000)
        .execute()
      if (!rows.length) return
      yield rows.map((row) => row.id)
      after = (rows.at(-1) as { id: string }).id
    }
  }

  return { readRevision, readAll, readChangedSince, count, readIds }
}
