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
import { BETWEEN, PACKED_DEVICE_COLUMNS, PACKED_VARIANT_COLUMNS } from './packed-device.ts'
import type { RowTexts } from './rows-load.ts'

/** A running process reads changes in steps of a few milliseconds. */
const DEVICES_PER_READ = 100

/** A row that cannot be read is left out and told of; it must not take the rest of the registry with it. */
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

  async function counter(): Promise<number> {
    const row = await db.query
      .selectFrom('change')
      .select('counter')
      .where('topic', '=', 'catalogue')
      .executeTakeFirst()
    return row?.counter ?? 0
  }

  const readAll = (): RowTexts => ({
    devices: db.scanJoined('device', PACKED_DEVICE_COLUMNS, BETWEEN),
    variants: db.scanJoined('variant', PACKED_VARIANT_COLUMNS, BETWEEN),
    count,
  })

  async function* readSince(revision: number): AsyncGenerator<readonly Device[]> {
    let reached = { revision: revision + 1, id: '' }
    for (;;) {
      const { revision, id } = reached
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
      reached = last
    }
  }

  async function count(): Promise<number> {
    const { total } = await db.query
      .selectFrom('device')
      .select((select) => select.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    return Number(total)
  }

  async function* ids(): AsyncGenerator<readonly string[]> {
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

  return { readRevision: counter, readAll, readChangedSince: readSince, count, readIds: ids, onUnreadable }
}
