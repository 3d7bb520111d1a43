import type { Database } from '../db/database.ts'
import { readSetting } from '../db/setting-store.ts'
import type { RegistrySource, SourceDevice } from './catalogue-service.ts'
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
const IDS_PER_READ = 2_000
const ID_SETTING = 'database_id'

/** Called for each device that is skipped because its row or a variant's row is invalid. */
export type OnUnreadableDevice = (deviceId: string, error: unknown) => void

export function catalogueStore(db: Database, onUnreadable: OnUnreadableDevice = () => {}): RegistrySource {
  type RevisionRow = DeviceRow & { readonly revision: number }

  async function withVariants(rows: readonly RevisionRow[]): Promise<SourceDevice[]> {
    const ids = rows.map((row) => row.id)
    const variants = await db.query
      .selectFrom('variant')
      .select(VARIANT_COLUMNS)
      .where('device_id', 'in', ids)
      .execute()
    const byDevice: ReadonlyMap<string, readonly VariantRow[]> = groupVariantsByDevice(variants)
    return rows.map((row) => {
      const { id, revision } = row
      try {
        return { id, revision, device: fromDeviceRow(row, (byDevice.get(id) ?? []).map(fromVariantRow)) }
      } catch (error) {
        onUnreadable(id, error)
        return { id, revision, device: null }
      }
    })
  }

  return {
    async readId() {
      const stored = await readSetting(db.query, ID_SETTING)
      if (stored !== undefined) return stored
      return db.transaction(async (tx) => {
        await tx
          .insertInto('setting')
          .values({ name: ID_SETTING, value: crypto.randomUUID() })
          .onConflict((conflict) => conflict.column('name').doNothing())
          .execute()
        return (await readSetting(tx, ID_SETTING)) as string
      })
    },

    async readRevision() {
      const row = await db.query
        .selectFrom('change')
        .select('counter')
        .where('topic', '=', 'catalogue')
        .executeTakeFirst()
      return row?.counter ?? 0
    },

    async readSummary() {
      const { count, revisions } = await db.query
        .selectFrom('device')
        .select((select) => [
          select.fn.countAll<number>().as('count'),
          select.fn.sum<number | null>('revision').as('revisions'),
        ])
        .executeTakeFirstOrThrow()
      return { count: Number(count), revisions: Number(revisions ?? 0) }
    },

    async count() {
      const { total } = await db.query
        .selectFrom('device')
        .select((select) => select.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      return Number(total)
    },

    async *readVersions() {
      for (let after = ''; ; ) {
        const rows = await db.query
          .selectFrom('device')
          .select(['id', 'revision', 'released_on'])
          .where('id', '>', after)
          .orderBy('id')
          .limit(IDS_PER_READ)
          .execute()
        const last = rows.at(-1)
        if (!last) return
        yield rows.map(({ id, revision, released_on }) => ({ id, revision, releasedOn: released_on }))
        after = last.id
      }
    },

    async readDevices(ids) {
      if (ids.length === 0) return []
      const rows = await db.query
        .selectFrom('device')
        .select([...DEVICE_COLUMNS, 'revision'])
        .where('id', 'in', ids)
        .execute()
      return withVariants(rows)
    },

    async readChangedAfter(cursor) {
      const rows = await db.query
        .selectFrom('device')
        .select([...DEVICE_COLUMNS, 'revision'])
        .where((is) => is(is.refTuple('revision', 'id'), '>', is.tuple(cursor.revision, cursor.id)))
        .orderBy('revision')
        .orderBy('id')
        .limit(DEVICES_PER_READ)
        .execute()
      return rows.length ? withVariants(rows) : []
    },
  }
}

type Cursor = { readonly revision: number; readonly id: string }

const readBefore = new WeakMap<Database, { readonly cursor: Cursor; readonly devices: WeakRef<readonly Device[]> }>()

/**
 * For an import, which matches its rows against every device. As long as no device changes and memory allows, previews and
 * imports of the same list share one array, and with it what is computed from it.
 */
export async function readAllDevices(db: Database): Promise<readonly Device[]> {
  const source = catalogueStore(db)
  const before = readBefore.get(db)
  const shared = before?.devices.deref()
  if (before && shared && (await source.readChangedAfter(before.cursor)).length === 0) return shared
  const devices: Device[] = []
  for (let cursor: Cursor = { revision: -1, id: '' }; ; ) {
    const page = await source.readChangedAfter(cursor)
    const last = page.at(-1)
    if (!last) {
      readBefore.set(db, { cursor, devices: new WeakRef(devices) })
      return devices
    }
    for (const { device } of page) if (device) devices.push(device)
    cursor = last
  }
}
