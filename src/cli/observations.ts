import { forgetObservations, listObservationOrigins } from '../import/prices/observation-removal-store.ts'
import { DomainError } from '../lib/errors.ts'
import { formatTextTable } from '../lib/text-table.ts'
import { dayOf } from '../lib/time.ts'
import { type Command, parseArguments } from './command.ts'
import { CommandError, toCommandError } from './command-error.ts'
import { currentCommandLineActor } from './current-actor.ts'
import { repriceAll } from './reprice.ts'

const LIST_USAGE = '[--json]'
const FORGET_USAGE = '--source NAME | --import ID [--json]'

export const observationsList: Command = {
  name: 'observations list',
  usage: LIST_USAGE,
  help: 'List stored price observations by source and import.',
  async run(args, context) {
    const { values } = parseArguments(
      args,
      { json: { type: 'boolean' } },
      { least: 0, most: 0, usage: `observations list ${LIST_USAGE}` },
    )
    const origins = await listObservationOrigins(await context.openExistingDatabase())
    if (values.json) {
      const rows = origins.map(({ source, importId, observations, newestAt }) => ({
        source,
        import: importId,
        observations,
        newest: dayOf(newestAt),
      }))
      context.print(JSON.stringify(rows))
    } else {
      const rows = origins.map(({ source, importId, observations, newestAt }) => [
        source,
        importId ?? '-',
        observations.toLocaleString('en'),
        dayOf(newestAt),
      ])
      context.print(formatTextTable(['SOURCE', 'IMPORT', 'OBSERVATIONS', 'NEWEST'], rows))
    }
    return 0
  },
}

export const observationsForget: Command = {
  name: 'observations forget',
  usage: FORGET_USAGE,
  help: 'Delete all price observations of a source, or undo an import, and recalculate prices.',
  async run(args, context) {
    const usage = `observations forget ${FORGET_USAGE}`
    const text = { type: 'string' as const }
    const { values } = parseArguments(
      args,
      { source: text, import: text, json: { type: 'boolean' } },
      { least: 0, most: 0, usage },
    )
    const { source, import: importId } = values
    if ((source === undefined) === (importId === undefined)) throw new CommandError(`Usage: ${usage}`, 2)
    const db = await context.openExistingDatabase()
    try {
      const target = source === undefined ? { importId: importId ?? '' } : { source }
      const removed = await forgetObservations(db, target, currentCommandLineActor(), context.now())
      if (removed.needsRefit) await repriceAll(db, context)
      const { observations, restored, devices } = removed
      context.print(
        values.json
          ? JSON.stringify(removed)
          : `Deleted ${observations.toLocaleString('en')} observations of ${devices} devices and restored ${restored.toLocaleString('en')} that they had replaced; prices are up to date.`,
      )
      return 0
    } catch (error) {
      throw error instanceof DomainError ? toCommandError(error) : error
    }
  },
}
