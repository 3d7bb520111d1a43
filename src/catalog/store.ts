import type { Database, Tx } from '../db/open.ts'
import type { DeviceTable, VariantTable } from '../db/schema.ts'
import type { RegistrySource } from './catalogue.ts'
import type { Attribute, DatePrecision, Device, DeviceStatus, Variant } from './device.ts'
import { deviceColumns, variantColumns } from './device-row.ts'
import { adopt, type HeldDevice, type HeldVariant, ON_BOARD } from './on-board-adoption.ts'
import type { TacOnBoard } from './onboard.ts'

/** A running process reads changes in steps of a few milliseconds. */
const READ_DEVICES = 100
const WRITE_DEVICES = 60
const VERSION_SETTING = 'catalogue_on_board'

type DeviceRow = Pick<
  DeviceTable,
  'id' | 'make' | 'category' | 'name' | 'released_on' | 'release_precision' | 'status' | 'document'
>
type VariantRow = Pick<
  VariantTable,
  'id' | 'device_id' | 'position' | 'sku' | 'name' | 'list_cents' | 'disabled' | 'document'
>

const DEVICE_COLUMNS = [
  'id',
  'make',
  'category',
  'name',
  'released_on',
  'release_precision',
  'status',
  'document',
] as const
const VARIANT_COLUMNS = ['id', 'device_id', 'position', 'sku', 'name', 'list_cents', 'disabled', 'document'] as const

export type CatalogueStore = RegistrySource & {
  /**
   * Brings the devices on board into the store, in short transactions, unless this version of them is there already.
   * Interrupted at any point it starts over at the next call and ends the same. Returns how many devices it wrote.
   */
  loadOnBoard(onBoard: OnBoard): Promise<number>
}

/** The facts on board. They are spread out only when they are needed: most starts find them in the store already. */
export type OnBoard = {
  readonly version: string
  readonly devices: () => readonly Device[]
  readonly tacs?: () => readonly TacOnBoard[]
}

/** A row that cannot be read is left out and told of; it must not take the rest of the registry with it. */
export type Unreadable = (deviceId: string, error: unknown) => void

export function catalogueStore(db: Database, unreadable: Unreadable = () => {}): CatalogueStore {
  function readDevices(rows: readonly DeviceRow[], byDevice: ReadonlyMap<string, readonly VariantRow[]>): Device[] {
    return rows.flatMap((row) => {
      try {
        return [readDevice(row, byDevice.get(row.id) ?? [])]
      } catch (error) {
        unreadable(row.id, error)
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

  async function* readAll(): AsyncGenerator<readonly Device[]> {
    const variants: VariantRow[] = []
    for await (const rows of db.scan('variant', VARIANT_COLUMNS)) for (const row of rows) variants.push(row)
    const byDevice = groupVariants(variants)
    for await (const rows of db.scan('device', DEVICE_COLUMNS)) {
      yield readDevices(rows, byDevice)
    }
  }

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
        .limit(READ_DEVICES)
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
      yield readDevices(rows, groupVariants(variants))
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

  /** What the store holds of these devices, with the origin of each. */
  async function readHeld(tx: Tx, deviceIds: readonly string[]): Promise<Map<string, HeldDevice>> {
    const rows = await tx.selectFrom('device').selectAll().where('id', 'in', deviceIds).execute()
    const variants = await tx.selectFrom('variant').selectAll().where('device_id', 'in', deviceIds).execute()
    const byDevice = groupVariants(variants)
    return new Map(
      rows.map((row) => {
        const own = byDevice.get(row.id) ?? []
        const device = readDevice(row, own)
        const held = own.map((variant, place): HeldVariant => {
          return { ...(device.variants[place] as Variant), source: variant.source, provenance: variant.provenance }
        })
        return [row.id, { ...device, source: row.source, provenance: JSON.parse(row.provenance), variants: held }]
      }),
    )
  }

  async function write(tx: Tx, changed: readonly HeldDevice[], removedVariants: readonly string[]): Promise<void> {
    // The counter is raised first: its row lock keeps the revisions of concurrent writers in the order of their commits.
    const revision = await db.announce(tx, 'catalogue')
    if (removedVariants.length) await tx.deleteFrom('variant').where('id', 'in', removedVariants).execute()
    await db.insertMany(
      tx,
      'device',
      changed.map((device) => deviceRow(device, revision)),
      { conflict: ['id'] },
    )
    await db.insertMany(tx, 'variant', changed.flatMap(variantRows), { conflict: ['id'] })
  }

  async function loadStep(devices: readonly Device[]): Promise<number> {
    return db.transaction(async (tx) => {
      const held = await readHeld(
        tx,
        devices.map((device) => device.id),
      )
      const adopted = devices.map((device) => adopt(device, held.get(device.id)))
      const changed = adopted.filter((device) => !Bun.deepEquals(device, held.get(device.id)))
      const kept = new Set(changed.flatMap((device) => device.variants.map((variant) => variant.id)))
      const dropped = changed.flatMap((device) => held.get(device.id)?.variants ?? [])
      if (changed.length) {
        await write(
          tx,
          changed,
          dropped.map((variant) => variant.id).filter((id) => !kept.has(id)),
        )
      }
      return changed.length
    })
  }

  /** Devices that came on board with an earlier version, are not in this one, and that no other source has spoken of. */
  async function dropStale(tx: Tx, devices: readonly Device[]): Promise<void> {
    const known = new Set(devices.map((device) => device.id))
    const rows = await tx
      .selectFrom('device')
      .select('id')
      .where('source', '=', ON_BOARD)
      .where('provenance', '=', '{}')
      .execute()
    const stale = rows.map((row) => row.id).filter((id) => !known.has(id))
    for (let at = 0; at < stale.length; at += 500) {
      const step = stale.slice(at, at + 500)
      await tx.deleteFrom('variant').where('device_id', 'in', step).execute()
      await tx.deleteFrom('device').where('id', 'in', step).execute()
    }
  }

  /** The TACs on board are few enough to be written anew as a whole; those of other sources stand beside them. */
  async function replaceTacs(tx: Tx, tacs: readonly TacOnBoard[]): Promise<void> {
    await tx.deleteFrom('tac').where('source', '=', ON_BOARD).execute()
    await db.insertMany(
      tx,
      'tac',
      tacs.map(({ tac, deviceId, make, model, confidence }) => ({
        tac,
        device_id: deviceId,
        make,
        model,
        source: ON_BOARD,
        confidence,
      })),
    )
  }

  async function versionInStore(): Promise<string | undefined> {
    const row = await db.query
      .selectFrom('setting')
      .select('value')
      .where('name', '=', VERSION_SETTING)
      .executeTakeFirst()
    return row?.value
  }

  return {
    counter,
    readAll,
    readSince,
    count,
    ids,
    async loadOnBoard(onBoard) {
      if ((await versionInStore()) === onBoard.version) return 0
      const devices = onBoard.devices()
      let written = 0
      for (let at = 0; at < devices.length; at += WRITE_DEVICES) {
        written += await loadStep(devices.slice(at, at + WRITE_DEVICES))
      }
      await db.transaction(async (tx) => {
        // Two servers may start on one empty store: the counter's lock lets one finish before the other looks.
        await db.announce(tx, 'catalogue')
        await dropStale(tx, devices)
        if (onBoard.tacs) await replaceTacs(tx, onBoard.tacs())
        await db.insertMany(tx, 'setting', [{ name: VERSION_SETTING, value: onBoard.version }], { conflict: ['name'] })
      })
      return written
    },
  }
}

function groupVariants<Row extends VariantRow>(rows: readonly Row[]): Map<string, Row[]> {
  const byDevice = new Map<string, Row[]>()
  for (const row of rows) {
    const list = byDevice.get(row.device_id)
    if (list) list.push(row)
    else byDevice.set(row.device_id, [row])
  }
  // Sorted here, not by the database: how it orders text depends on its locale.
  for (const list of byDevice.values()) {
    if (list.length > 1) list.sort((a, b) => a.position - b.position || (a.id < b.id ? -1 : 1))
  }
  return byDevice
}

const NONE: readonly never[] = []

/** Tens of thousands of devices have no such list; they can all have the same none. */
function shared<Item>(list: readonly Item[] | undefined): readonly Item[] {
  if (list !== undefined && !Array.isArray(list)) throw new Error('a list was expected')
  return list?.length ? list : NONE
}

/** Registries have few different attributes and many variants: each attribute is kept once. */
const ATTRIBUTES_KEPT = 20_000
const attributesKept = new Map<string, Attribute>()

function sharedAttribute({ name, value }: Attribute): Attribute {
  const key = `${name}\n${value}`
  const known = attributesKept.get(key)
  if (known) return known
  const attribute = { name, value }
  if (attributesKept.size < ATTRIBUTES_KEPT) attributesKept.set(key, attribute)
  return attribute
}

function readDevice(row: DeviceRow, variants: readonly VariantRow[]): Device {
  const document = JSON.parse(row.document) as Pick<Device, 'modelNumbers' | 'modelIdentifiers' | 'specifications'>
  return {
    id: row.id,
    name: row.name,
    make: row.make,
    category: row.category,
    modelNumbers: shared(document.modelNumbers),
    modelIdentifiers: shared(document.modelIdentifiers),
    specifications: document.specifications ?? {},
    releasedOn: row.released_on,
    releasePrecision: row.release_precision as DatePrecision | null,
    status: row.status as DeviceStatus,
    variants: variants.map(readVariant),
  }
}

function readVariant(row: VariantRow): Variant {
  const document = JSON.parse(row.document) as Pick<Variant, 'partNumbers' | 'modelNumbers' | 'attributes'>
  return {
    id: row.id,
    sku: row.sku,
    name: row.name,
    listCents: row.list_cents,
    partNumbers: shared(document.partNumbers),
    modelNumbers: shared(document.modelNumbers),
    attributes: shared(document.attributes).map(sharedAttribute),
    disabled: row.disabled === 1,
  }
}

function deviceRow(device: HeldDevice, revision: number): DeviceTable {
  return {
    ...deviceColumns(device),
    source: device.source,
    provenance: JSON.stringify(device.provenance),
    revision,
  }
}

function variantRows(device: HeldDevice): VariantTable[] {
  return device.variants.map((variant, position) => ({
    ...variantColumns(device.id, variant, position),
    source: variant.source,
    provenance: variant.provenance,
  }))
}
