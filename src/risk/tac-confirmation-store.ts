import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Actor } from '../auth/actor.ts'
import { writeAuditEntry } from '../auth/audit-store.ts'
import { operatorStore } from '../auth/operator-store.ts'
import type { Database, TableRows } from '../db/database.ts'
import { excerpt, invalid, notFound } from '../lib/errors.ts'
import { reason } from '../lib/reasons.ts'
import { MINUTE_MS } from '../lib/time.ts'
import { MAX_CONFIRMATIONS, OPERATOR, type TacConfirmation } from './tac-confirmation.ts'

export type ConfirmedTac = {
  readonly organizationId: string
  readonly tac: string
  readonly deviceId: string
  readonly deviceName: string | null
  readonly units: number
  readonly confirmedAt: number
}

/** A model of a TAC over all organizations. */
export type TacAgreement = {
  readonly tac: string
  readonly deviceId: string
  readonly deviceName: string | null
  readonly organizations: number
  readonly units: number
  readonly isConfirmedForAll: boolean
  readonly confirmedAt: number
}

/** An identifier and its model. */
export type TacUnit = { readonly tac: string; readonly deviceId: string; readonly identifierKey: string }

const UNIT_COLUMNS = ['tac', 'organization_id', 'device_id', 'unit'] as const

export type TacConfirmationStore = ReturnType<typeof tacConfirmationStore>

const MAX_LISTED = 1_000

export function tacConfirmationStore(db: Database) {
  const remainingUnits = new LRUCache<string, number>({ max: 10_000, ttl: MINUTE_MS })
  const countUnits = () =>
    db.query
      .selectFrom('tac_confirmation as c')
      .leftJoin('device', 'device.id', 'c.device_id')
      .select(({ fn }) => [
        'c.tac',
        'c.organization_id',
        'c.device_id',
        'device.name',
        'device.make',
        fn.countAll<number>().as('units'),
        fn.max('c.confirmed_at').as('confirmed_at'),
      ])
      .groupBy(['c.tac', 'c.organization_id', 'c.device_id', 'device.name', 'device.make'])

  return {
    /** Confirmations by TAC; devices that have left the registry are skipped. */
    async confirmations(tacs: readonly string[]): Promise<Map<string, TacConfirmation[]>> {
      const rows = await countUnits()
        .where('c.tac', 'in', [...tacs])
        .execute()
      const groupOf = await findIndependentGroups(db, new Set(rows.map((row) => row.organization_id)))
      const toConfirmation = ({ organization_id, device_id, make, name, units }: (typeof rows)[number]) =>
        name === null || make === null
          ? []
          : {
              organizationId: organization_id,
              independentGroup: groupOf(organization_id),
              deviceId: device_id,
              make,
              name,
              units: Number(units),
            }
      return new Map(
        [...Map.groupBy(rows, ({ tac }) => tac)].map(([tac, group]) => [tac, group.flatMap(toConfirmation)]),
      )
    },

    /** The row of one unit, written together with the record it comes from; a second time changes nothing. */
    rows(unit: TacUnit, organizationId: string, now: number): TableRows {
      const remaining = remainingUnits.get(organizationId)
      if (remaining !== undefined) remainingUnits.set(organizationId, remaining - 1, { noUpdateTTL: true })
      return {
        table: 'tac_confirmation',
        rows: [{ ...unitRow(organizationId, unit, now), import_id: null }],
        // A device in hand outlives the import that named it first.
        options: { conflictColumns: UNIT_COLUMNS, updateColumns: ['import_id'] },
      }
    },

    /** Writes the units of an import; those that are already stored stay as they are. */
    async addImported(
      units: readonly TacUnit[],
      { organizationId, importId, now }: { organizationId: string; importId: string; now: number },
    ): Promise<void> {
      const rows = units.map((unit) => ({ ...unitRow(organizationId, unit, now), import_id: importId }))
      await db.transaction((tx) =>
        db.insertMany(tx, 'tac_confirmation', rows, { conflictColumns: UNIT_COLUMNS, updateColumns: [] }),
      )
    },

    /**
     * Number of units that the organization may still confirm. Counting 20,000 rows costs more than an appraisal, so the count of
     * the last minute serves, less what was written since.
     */
    async remaining(organizationId: string): Promise<number> {
      const recent = remainingUnits.get(organizationId)
      if (recent !== undefined && recent > 0) return recent
      const row = await db.query
        .selectFrom('tac_confirmation')
        .select(({ fn }) => fn.countAll<number>().as('units'))
        .where('organization_id', '=', organizationId)
        .executeTakeFirst()
      const remaining = Math.max(0, MAX_CONFIRMATIONS - Number(row?.units ?? 0))
      remainingUnits.set(organizationId, remaining)
      return remaining
    },

    /** Newest first; of one organization, or of all including the operator's. */
    async list(organizationId?: string): Promise<readonly ConfirmedTac[]> {
      const query =
        organizationId === undefined ? countUnits() : countUnits().where('c.organization_id', '=', organizationId)
      const rows = await query.orderBy('confirmed_at', 'desc').orderBy('c.tac').limit(MAX_LISTED).execute()
      return rows.map((row) => ({
        organizationId: row.organization_id,
        tac: row.tac,
        deviceId: row.device_id,
        deviceName: row.name,
        units: Number(row.units),
        confirmedAt: Number(row.confirmed_at),
      }))
    },

    /** Newest first, over all organizations. */
    async listAgreements(): Promise<readonly TacAgreement[]> {
      const rows = await db.query
        .selectFrom('tac_confirmation as c')
        .leftJoin('device', 'device.id', 'c.device_id')
        .select(({ fn, ref }) => [
          'c.tac',
          'c.device_id',
          'device.name',
          sql<number>`count(distinct nullif(${ref('c.organization_id')}, ${OPERATOR}))`.as('organizations'),
          sql<number>`count(nullif(${ref('c.organization_id')}, ${OPERATOR}))`.as('units'),
          fn.countAll<number>().as('confirmations'),
          fn.max('c.confirmed_at').as('confirmed_at'),
        ])
        .groupBy(['c.tac', 'c.device_id', 'device.name'])
        .orderBy('confirmed_at', 'desc')
        .orderBy('c.tac')
        .limit(MAX_LISTED)
        .execute()
      return rows.map((row) => ({
        tac: row.tac,
        deviceId: row.device_id,
        deviceName: row.name,
        organizations: Number(row.organizations),
        units: Number(row.units),
        isConfirmedForAll: Number(row.confirmations) > Number(row.units),
        confirmedAt: Number(row.confirmed_at),
      }))
    },

    /** Makes the model count for all organizations. */
    async confirmForAll(tac: string, deviceId: string, actor: Actor, now: number): Promise<void> {
      if (!/^\d{8}$/.test(tac)) throw invalid('tac', tac, 'the first 8 digits of an IMEI', reason('not_a_tac'))
      const device = await db.query.selectFrom('device').select('id').where('id', '=', deviceId).executeTakeFirst()
      if (!device) throw notFound(`Device ${excerpt(deviceId)}`)
      const key = { tac, organization_id: OPERATOR, device_id: deviceId, unit: 'operator' }
      await db.transaction(async (tx) => {
        await db.insertMany(tx, 'tac_confirmation', [{ ...key, confirmed_at: now, import_id: null }], {
          conflictColumns: UNIT_COLUMNS,
          updateColumns: [],
        })
        const entry = { action: 'tac.confirmed', subject: tac, detail: { device_id: deviceId } } as const
        await writeAuditEntry(tx, OPERATOR, actor, entry, now)
      })
    },

    /** Deletes all confirmations of a model by one organization, or the operator's own; throws if there are none. */
    async forget(organizationId: string, tac: string, deviceId: string, actor: Actor, now: number): Promise<void> {
      await db.transaction(async (tx) => {
        const deleted = await tx
          .deleteFrom('tac_confirmation')
          .where('organization_id', '=', organizationId)
          .where('tac', '=', tac)
          .where('device_id', '=', deviceId)
          .executeTakeFirst()
        if (Number(deleted.numDeletedRows) === 0)
          throw notFound(`A confirmation of TAC ${excerpt(tac)} as ${excerpt(deviceId)}`)
        const entry = { action: 'tac.forgotten', subject: tac, detail: { device_id: deviceId } } as const
        await writeAuditEntry(tx, organizationId, actor, entry, now)
      })
    },
  }
}

/**
 * Puts organizations with an address in common into one group, named after one of them. Addresses of the operator's organization
 * do not connect others, because they may support many of them.
 */
async function findIndependentGroups(
  db: Database,
  organizationIds: ReadonlySet<string>,
): Promise<(organizationId: string) => string> {
  const ids = [...organizationIds].filter((id) => id !== OPERATOR)
  if (ids.length < 2) return (id) => id
  const operator = await operatorStore(db).operatorOrganization()
  const accounts = await db.query
    .selectFrom('account')
    .select(['organization_id', 'email'])
    .where('organization_id', 'in', ids)
    .where('email', 'not in', (eb) =>
      eb
        .selectFrom('account as staff')
        .select('staff.email')
        .where('staff.organization_id', '=', operator ?? ''),
    )
    .execute()
  const parentOf = new Map<string, string>()
  const groupOf = (id: string): string => {
    const parent = parentOf.get(id)
    return parent === undefined ? id : groupOf(parent)
  }
  const organizationOf = new Map<string, string>()
  for (const { organization_id: id, email } of accounts) {
    const other = organizationOf.get(email)
    if (other === undefined) organizationOf.set(email, id)
    else if (groupOf(id) !== groupOf(other)) parentOf.set(groupOf(id), groupOf(other))
  }
  return groupOf
}

function unitRow(organizationId: string, { tac, deviceId, identifierKey }: TacUnit, now: number) {
  const unit = createHash('sha256').update(identifierKey).digest('hex').slice(0, 12)
  return { tac, organization_id: organizationId, device_id: deviceId, unit, confirmed_at: now }
}
