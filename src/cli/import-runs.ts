import { openCatalogue } from '../catalog/catalogue-service.ts'
import { catalogueStore } from '../catalog/catalogue-store.ts'
import { registryIndexFile } from '../catalog/index/index-file-store.ts'
import { baseUrlOf } from '../config.ts'
import type { Database } from '../db/database.ts'
import { neverReload } from '../db/reload-on-change.ts'
import { listNewestRuns } from '../import/import-run-store.ts'
import { presentImportRun } from '../import/present-import.ts'
import { forgetObservations } from '../import/prices/observation-removal-store.ts'
import { createProgress } from '../import/progress-service.ts'
import { pricingStore } from '../pricing/markets/pricing-store.ts'
import { reprice } from '../pricing/markets/repricing-service.ts'
import { type CommandContext, command, text } from './command.ts'
import { defaultMarketOf } from './stored-settings.ts'
import { importTable } from './tables.ts'

const MAX_RUNS = 50

export const importList = command({
  name: 'import list',
  help: 'List the newest imports with their ids and results.',
  json: true,
  async run(_, context) {
    const runs = await listNewestRuns(await context.openExistingDatabase(), MAX_RUNS)
    const presented = runs.map((run) => presentImportRun(run, true))
    return { json: presented, text: importTable(presented) }
  },
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
    const { observations, restored, devices } = removed
    const [deleted, returned] = [observations, restored].map((count) => count.toLocaleString('en'))
    return {
      json: { observations, restored, devices },
      text: `Deleted ${deleted} observations of ${devices} devices and restored ${returned} that they had replaced.`,
    }
  },
})

async function repriceAll(db: Database, context: CommandContext): Promise<void> {
  const { config, now } = context
  const catalogue = await openCatalogue({
    source: catalogueStore(db),
    file: registryIndexFile(config.dataDir, config.databaseUrl, baseUrlOf(config)),
    reloadOnChange: neverReload,
  })
  const progress = createProgress('devices', process.stderr)
  const store = pricingStore(db, await defaultMarketOf(db, context))
  await reprice(store, catalogue.registry(), now(), (done, total) => progress.at(done, done, total))
  progress.clear()
  catalogue.close()
}
