/** Lists and removes stored prices by source or import. */
import type { Actor } from '../../auth/actor.ts'
import { WHOLE_SERVICE, writeAuditEntry } from '../../auth/audit-store.ts'
import { operatorStore } from '../../auth/operator-store.ts'
import type { Database, Tx } from '../../db/database.ts'
import { DomainError } from '../../lib/errors.ts'
import { reason } from '../../lib/reasons.ts'
import { DAY_MS, isoInstant } from '../../lib/time.ts'
import { COMMON_SCOPE, observationScope } from '../../pricing/observations/observation-store.ts'
import { markUndone } from '../import-run-store.ts'
import { writeInSteps } from '../step-writer-service.ts'

type ObservationOrigin = {
  readonly source: string
  /** The organization whose own prices these are; null for the common market. */
  readonly organizationId: string | null
  /** Null for observations stored before the schema recorded the import. */
  readonly importId: string | null
  readonly observations: number
  readonly newestAt: number
}

/** One row per source and import, largest first. */
export async function listObservationOrigins(db: Database): Promise<ObservationOrigin[]> {
  const rows = await db.query
    .selectFrom('observation')
    .innerJoin('observation_source', 'observation_source.id', 'source_id')
    .leftJoin('observation_import', 'observation_import.id', 'import_id')
    .select(['name', 'organization_id', 'run_id'])
    .select(({ fn }) => [fn.countAll<number>().as('observations'), fn.max('observed_at').as('newest_at')])
    .groupBy(['name', 'organization_id', 'run_id'])
    .execute()
  return rows
    .map((row) => ({
      source: row.name,
      organizationId: row.organization_id || null,
      importId: row.run_id,
      observations: Number(row.observations),
      newestAt: Number(row.newest_at),
    }))
    .sort((a, b) => b.observations - a.observations)
}

type RemovalTarget = { readonly source: string } | { readonly importId: string }

const PAGE_ROWS = 5_000

/**
 * Deletes all observations of a source or of an import, in short transactions that each announce the devices they changed.
 * Prices that the import had replaced come back, so that undoing the newest import restores the prices from before it.
 */
export async function forgetObservations(
  db: Database,
  target: RemovalTarget,
  actor: Actor,
  now: number,
): Promise<{ observations: number; restored: number; devices: number; needsRefit: boolean }> {
  const { sources, importId, organizationId } = await findOrigin(db, target)
  const removed = await deleteObservations(db, sources, importId)
  if (importId !== null) await relinkReplaced(db, importId)
  const needsRefit = await forgetNewerFits(db, target)
  const [kind, subject] = 'source' in target ? ['source', target.source] : ['import', target.importId]
  const { observations, restored, devices } = removed
  const detail = { kind, observations: String(observations), restored: String(restored), devices: String(devices) }
  const entry = { action: 'observations.forgotten', subject, detail } as const
  const operator = await operatorStore(db).operatorOrganization()
  // Prices of one organization are no concern of the others.
  const auditedIn = organizationId === null ? [WHOLE_SERVICE] : new Set([organizationId, operator ?? organizationId])
  await db.transaction(async (tx) => {
    if ('importId' in target) {
      await tx.deleteFrom('tac_confirmation').where('import_id', '=', target.importId).execute()
      await markUndone(tx, target.importId, isoInstant(now))
    }
    for (const id of auditedIn) await writeAuditEntry(tx, id, actor, entry, now)
  })
  return { ...removed, needsRefit }
}

/** Marks markets that were fitted after the import started as due for a refit, because they learned from its rows. */
async function forgetNewerFits(db: Database, target: RemovalTarget): Promise<boolean> {
  const run =
    'source' in target
      ? undefined
      : await db.query.selectFrom('job').select('started_at').where('id', '=', target.importId).executeTakeFirst()
  return db.transaction(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('market_fit')
      .set({ fitted_at: 0 })
      .where('fitted_at', '>=', run?.started_at ?? 0)
      .executeTakeFirst()
    return Number(numUpdatedRows) > 0
  })
}

type ReplacedKey = { readonly source_id: number; readonly listing_id: string; readonly replaced_by: number }

/** Calls `remove` for the replaced prices of a query, in short transactions, until none is left. */
async function removeReplaced(
  db: Database,
  readPage: () => Promise<readonly ReplacedKey[]>,
  remove: (tx: Tx, key: ReplacedKey) => Promise<unknown>,
): Promise<void> {
  for (let rows = await readPage(); rows.length > 0; rows = await readPage()) {
    await writeInSteps(db, rows, async (tx, step) => {
      for (const key of step) await remove(tx, key)
    })
  }
}

const replacedKeys = ({ query }: Database) =>
  query
    .selectFrom('replaced_observation')
    .select(['replaced_observation.source_id', 'replaced_observation.listing_id', 'replaced_by'])
    .limit(PAGE_ROWS)

/** Links prices that replaced those of the removed import to the prices before it. */
const relinkReplaced = (db: Database, importId: number) =>
  removeReplaced(
    db,
    () => replacedKeys(db).where('import_id', '=', importId).execute(),
    async (tx, key) => {
      await deleteReplaced(tx, key)
      await tx
        .updateTable('replaced_observation')
        .set({ replaced_by: key.replaced_by })
        .where('replaced_by', '=', importId)
        .where('source_id', '=', key.source_id)
        .where('listing_id', '=', key.listing_id)
        .execute()
    },
  )

const forgetReplaced = (db: Database, sourceId: number) =>
  removeReplaced(db, () => replacedKeys(db).where('source_id', '=', sourceId).execute(), deleteReplaced)

/** How long an import can be undone exactly. */
const UNDO_DAYS = 30

/** Deletes replaced prices of imports that are too old to be undone exactly. */
export const pruneReplaced = (db: Database, now: number) =>
  removeReplaced(
    db,
    () =>
      replacedKeys(db)
        .innerJoin('observation_import', 'observation_import.id', 'replaced_by')
        .innerJoin('job', 'job.id', 'run_id')
        .where('started_at', '<', now - UNDO_DAYS * DAY_MS)
        .execute(),
    deleteReplaced,
  )

const deleteReplaced = (tx: Tx, key: ReplacedKey) =>
  tx
    .deleteFrom('replaced_observation')
    .where('replaced_by', '=', key.replaced_by)
    .where('source_id', '=', key.source_id)
    .where('listing_id', '=', key.listing_id)
    .execute()

/** Restores the rows that an import replaced; returns their device ids. */
async function restoreReplaced(tx: Tx, importId: number, sourceId: number, listings: readonly string[]) {
  const rows = await tx
    .selectFrom('replaced_observation')
    .innerJoin('observation_subject', 'observation_subject.id', 'subject_id')
    .selectAll('replaced_observation')
    .select('device_id')
    .where('replaced_by', '=', importId)
    .where('source_id', '=', sourceId)
    .where('listing_id', 'in', listings)
    .execute()
  if (rows.length === 0) return []
  await tx
    .insertInto('observation')
    .values(rows.map(({ device_id: _device, replaced_by: _by, ...row }) => row))
    .execute()
  await tx
    .deleteFrom('replaced_observation')
    .where('replaced_by', '=', importId)
    .where('source_id', '=', sourceId)
    .where('listing_id', 'in', listings)
    .execute()
  return rows.map((row) => row.device_id)
}

/** Deletes all prices that an organization contributed; returns how many. */
export async function removeObservationsOfOrganization(db: Database, organizationId: string): Promise<number> {
  const sources = await db.query
    .selectFrom('observation_source')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .execute()
  return (await deleteObservations(db, sources, null)).observations
}

async function deleteObservations(
  db: Database,
  sources: readonly { readonly id: number; readonly organization_id: string }[],
  importId: number | null,
): Promise<{ observations: number; restored: number; devices: number }> {
  const devices = new Set<string>()
  let observations = 0
  let restored = 0
  for (const { id: sourceId, organization_id: organizationId } of sources) {
    const { isCommon } = await observationScope(db.query, organizationId)
    if (importId === null) await forgetReplaced(db, sourceId)
    for (let after = ''; ; ) {
      const page = db.query
        .selectFrom('observation')
        .innerJoin('observation_subject', 'observation_subject.id', 'subject_id')
        .select(['listing_id', 'device_id'])
        .where('source_id', '=', sourceId)
        .where('listing_id', '>', after)
        .orderBy('listing_id')
        .limit(PAGE_ROWS)
      const rows = await (importId === null ? page : page.where('import_id', '=', importId)).execute()
      if (rows.length === 0) break
      after = rows.at(-1)?.listing_id ?? ''
      await writeInSteps(db, rows, async (tx, step) => {
        const listings = step.map((row) => row.listing_id)
        await tx
          .deleteFrom('observation')
          .where('source_id', '=', sourceId)
          .where('listing_id', 'in', listings)
          .execute()
        const restoredDeviceIds = importId === null ? [] : await restoreReplaced(tx, importId, sourceId, listings)
        restored += restoredDeviceIds.length
        const deviceIds = [...new Set([...step.map((row) => row.device_id), ...restoredDeviceIds])]
        const revision = await db.announceChange(tx, 'market')
        const changedDevices = deviceIds.map((device_id) => ({ device_id, revision }))
        if (isCommon) await db.insertMany(tx, 'observed_device', changedDevices, { conflictColumns: ['device_id'] })
        if (organizationId !== COMMON_SCOPE) {
          const ownRows = changedDevices.map((row) => ({ ...row, organization_id: organizationId }))
          const conflictColumns = ['organization_id', 'device_id'] as const
          await db.insertMany(tx, 'organization_observed_device', ownRows, { conflictColumns })
        }
        for (const id of deviceIds) devices.add(id)
      })
      observations += rows.length
    }
  }
  return { observations, restored, devices: devices.size }
}

type Origin = {
  readonly sources: readonly { readonly id: number; readonly organization_id: string }[]
  readonly importId: number | null
  /** Null for prices of the service. */
  readonly organizationId: string | null
}

async function findOrigin(db: Database, target: RemovalTarget): Promise<Origin> {
  const sources = await db.query.selectFrom('observation_source').selectAll().execute()
  if ('source' in target) {
    // An organization's own source may have the same name; it is removed by import id instead.
    const commonSources = sources.filter(
      ({ name, organization_id }) => name === target.source && organization_id === COMMON_SCOPE,
    )
    const ownSources = sources.filter(({ organization_id }) => organization_id === target.source)
    const matches = commonSources.length > 0 ? commonSources : ownSources
    if (matches.length === 0) throw noObservations(`the source "${target.source}"`)
    return { sources: matches, importId: null, organizationId: matches[0]?.organization_id || null }
  }
  const importRow = await db.query
    .selectFrom('observation_import')
    .leftJoin('job', 'job.id', 'run_id')
    .select(['observation_import.id', 'organization_id'])
    .where('run_id', '=', target.importId)
    .executeTakeFirst()
  if (!importRow) throw noObservations(`the import ${target.importId}`)
  return { sources, importId: importRow.id, organizationId: importRow.organization_id }
}

const noObservations = (origin: string) =>
  new DomainError('not_found', `There are no observations of ${origin}.`, reason('not_found'), [
    { field: 'observations', message: 'unknown' },
  ])
