import { openCatalogue } from '../catalog/catalogue-service.ts'
import { catalogueStore } from '../catalog/catalogue-store.ts'
import { baseUrlOf } from '../config.ts'
import type { Database } from '../db/database.ts'
import { neverReload } from '../db/reload-on-change.ts'
import { createProgress } from '../import/progress-service.ts'
import { pricingStore } from '../pricing/markets/pricing-store.ts'
import { type RepricingResult, reprice } from '../pricing/markets/repricing-service.ts'
import { type CommandContext, command } from './command.ts'
import { defaultMarketOf } from './stored-settings.ts'

export const repriceCommand = command({
  name: 'reprice',
  help: 'Recalculate all prices from all observations. The service does so every night.',
  json: true,
  async run(_, context) {
    const result = await repriceAll(await context.openExistingDatabase(), context)
    const { observations, devices, milliseconds } = result
    return { json: result, text: `${observations} observations of ${devices} devices in ${milliseconds} ms` }
  },
})

export async function repriceAll(db: Database, context: CommandContext): Promise<RepricingResult> {
  const { config, now } = context
  const catalogue = await openCatalogue({
    source: catalogueStore(db),
    baseUrl: baseUrlOf(config),
    reloadOnChange: neverReload,
  })
  const progress = createProgress('devices', process.stderr)
  const result = await reprice(
    pricingStore(db, await defaultMarketOf(db, context)),
    catalogue.snapshot(),
    now(),
    (done, total) => progress.at(done, done, total),
  )
  progress.clear()
  catalogue.close()
  return result
}
