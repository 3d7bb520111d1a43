import type { Import } from '../../client/src/index.ts'
import { listNewestRuns } from '../import/import-run-store.ts'
import { presentImportRun } from '../import/present-import.ts'
import { forgetObservations } from '../import/prices/observation-removal-store.ts'
import { type CommandOutput, command, text } from './command.ts'
import { repriceAll } from './reprice.ts'
import { importTable } from './tables.ts'

const MAX_RUNS = 50

export const importList = command({
  name: 'import list',
  help: 'List the newest imports with their ids and results.',
  json: true,
  async run(_, context) {
    const runs = await listNewestRuns(await context.openExistingDatabase(), MAX_RUNS)
    return runsOutput(runs.map((run) => presentImportRun(run, true)))
  },
  remote: async (_, { client, of }) => runsOutput(await client.listImports(of)),
})

export const importUndo = command({
  name: 'import undo',
  help: 'Remove the prices of an import, restore those it replaced and recalculate prices.',
  arguments: { id: text('IMPORT_ID') },
  json: true,
  async run({ id }, context) {
    const db = await context.openExistingDatabase()
    const removed = await forgetObservations(db, { importId: id }, context.actor, context.now())
    if (removed.needsRefit) await repriceAll(db, context)
    return undoneOutput(removed)
  },
  remote: async ({ id }, { client, of }) => undoneOutput(await client.undoImport(id, of)),
})

const runsOutput = (runs: readonly Import[]): CommandOutput => ({ json: runs, text: importTable(runs) })

type UndoneImport = { readonly observations: number; readonly restored: number; readonly devices: number }

function undoneOutput({ observations, restored, devices }: UndoneImport): CommandOutput {
  const [deleted, returned] = [observations, restored].map((count) => count.toLocaleString('en'))
  return {
    json: { observations, restored, devices },
    text: `Deleted ${deleted} observations of ${devices} devices and restored ${returned} that they had replaced.`,
  }
}
