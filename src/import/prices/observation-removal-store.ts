/** Lists and removes stored prices by where they came from. */
import type { Actor } from '../../auth/actor.ts'
import { WHOLE_SERVICE, writeAuditEntry } from '../../auth/audit-store.ts'
import type { Database } from '../../db/database.ts'
import { DomainError } from '../../lib/errors.ts'
import { COMMON_SCOPE, observationScope } from '../../pricing/observations/observation-store.ts'
import { writeInSteps } from '../step-writer-service.ts'

type ObservationOrigin = {
  readonly source: string
  /** The organization whose own prices these are; null for the common market. */
  readonly organizationId: string | null
  /** Null for observations from before imports were recorded with them. */
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
 * An observation that a newer import replaced is not brought back.
 */
export async function forgetObservations(
  db: Database,
  target: RemovalTarget,
  actor: Actor,
  now: number,
): Promise<{ observations: number; devices: number }> {
  const { sources, importId } = await findOrigin(db, target)
  const { observations, devices } = await deleteObservations(db, sources, importId)
  const [kind, subject] = 'source' in target ? ['source', target.source] : ['import', target.importId]
  const detail = { kind, observations: String(observations), devices: String(devices) }
  const entry = { action: 'observations.forgotten', subject, detail } as const
  await db.transaction((tx) => writeAuditEntry(tx, WHOLE_SERVICE, actor, entry, now))
  return { observations, devices }
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
): Promise<{ observations: number; devices: number }> {
  const devices = new Set<string>()
  let observations = 0
  for (const { id: sourceId, organization_id: organizationId } of sources) {
    const { isCommon } = await observationScope(db.query, organizationId)
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
        const touched = [...new Set(step.map((row) => row.device_id))]
        const revision = await db.announceChange(tx, 'market')
        const changed = touched.map((device_id) => ({ device_id, revision }))
        if (isCommon) await db.insertMany(tx, 'observed_device', changed, { conflictColumns: ['device_id'] })
        if (organizationId !== COMMON_SCOPE) {
          const own = changed.map((row) => ({ ...row, organization_id: organizationId }))
          const conflictColumns = ['organization_id', 'device_id'] as const
          await db.insertMany(tx, 'organization_observed_device', own, { conflictColumns })
        }
        for (const id of touched) devices.add(id)
      })
      observations += rows.length
    }
  }
  return { observations, devices: devices.size }
}

async function findOrigin(
  db: Database,
  target: RemovalTarget,
): Promise<{ sources: readonly { id: number; organization_id: string }[]; importId: number | null }> {
  const sources = await db.query.selectFrom('observation_source').selectAll().execute()
  if ('source' in target) {
    // An organization's own lists may have the same name; they go by their import.
    const named = sources.filter(
      ({ name, organization_id }) => name === target.source && organization_id === COMMON_SCOPE,
    )
    const own = sources.filter(({ organization_id }) => organization_id === target.source)
    const found = named.length > 0 ? named : own
    if (found.length === 0) throw noObservations(`the source "${target.source}"`)
    return { sources: found, importId: null }
  }
  const found = await db.query
    .selectFrom('observation_import')
    .select('id')
    .where('run_id', '=', target.importId)
    .executeTakeFirst()
  if (!found) throw noObservations(`the import ${target.importId}`)
  return { sources, importId: found.id }
}

const noObservations = (origin: string) =>
  new DomainError(
    'not_found',
    `There are no observations of ${origin}. "observations list" shows all sources and imports.`,
  )
