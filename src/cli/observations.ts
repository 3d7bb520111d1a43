import { forgetObservations, listObservationOrigins } from '../import/prices/observation-removal-store.ts'
import { formatItemTable } from '../lib/text-table.ts'
import { dayOf } from '../lib/time.ts'
import { command, optional, text } from './command.ts'
import { CommandError } from './command-error.ts'
import { repriceAll } from './reprice.ts'

export const observationsList = command({
  name: 'observations list',
  help: 'List stored price observations by source and import.',
  json: true,
  async run(_, context) {
    const origins = await listObservationOrigins(await context.openExistingDatabase())
    const table = formatItemTable(origins, {
      SOURCE: ({ source }) => source,
      IMPORT: ({ importId }) => importId ?? '-',
      OBSERVATIONS: ({ observations }) => observations.toLocaleString('en'),
      NEWEST: ({ newestAt }) => dayOf(newestAt),
    })
    const json = origins.map(({ source, importId, observations, newestAt }) => ({
      source,
      import: importId,
      observations,
      newest: dayOf(newestAt),
    }))
    return { json, text: table }
  },
})

export const observationsForget = command({
  name: 'observations forget',
  help: 'Delete all price observations of a source, or undo an import, and recalculate prices.',
  options: { source: optional(text('NAME')), import: optional(text('ID')) },
  json: true,
  async run({ source, import: importId }, context) {
    if ((source === undefined) === (importId === undefined)) throw new CommandError('Give --source or --import.', 2)
    const db = await context.openExistingDatabase()
    const target = source === undefined ? { importId: importId ?? '' } : { source }
    const removed = await forgetObservations(db, target, context.actor, context.now())
    if (removed.needsRefit) await repriceAll(db, context)
    const { observations, restored, devices } = removed
    return {
      json: removed,
      text: `Deleted ${observations.toLocaleString('en')} observations of ${devices} devices and restored ${restored.toLocaleString('en')} that they had replaced; prices are up to date.`,
    }
  },
})
