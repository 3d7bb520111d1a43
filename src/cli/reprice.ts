import { openCatalogue } from '../catalog/catalogue-service.ts'
import { catalogueStore } from '../catalog/catalogue-store.ts'
import { baseUrlOf } from '../config.ts'
import type { Database } from '../db/database.ts'
import { neverReload } from '../db/reload-on-change.ts'
import { createProgress } from '../import/progress-service.ts'
import { pricingStore } from '../pricing/markets/pricing-store.ts'
import { reprice as fullPass, type RepricingResult } from '../pricing/markets/repricing-service.ts'
import { type Command, type CommandContext, parseArguments } from './command.ts'

export const repriceCommand: Command = {
  name: 'reprice',
  usage: '[--json]',
  help: 'Learn the market anew from all observations; the service does so by itself every night.',
  async run(args, context) {
    const { values } = parseArguments(
      args,
      { json: { type: 'boolean' } },
      { least: 0, most: 0, usage: 'reprice [--json]' },
    )
    const pass = await repriceAll(await context.openExistingDatabase(), context)
    context.print(
      values.json
        ? JSON.stringify(pass)
        : `${pass.observations} observations of ${pass.devices} devices in ${pass.milliseconds} ms`,
    )
    return 0
  },
}

export async function repriceAll(db: Database, { config, now }: CommandContext): Promise<RepricingResult> {
  const catalogue = await openCatalogue({
    source: catalogueStore(db),
    baseUrl: baseUrlOf(config),
    reloadOnChange: neverReload,
  })
  const progress = createProgress('devices', process.stderr)
  const pass = await fullPass(pricingStore(db, config.market), catalogue.snapshot(), now(), (done, of) =>
    progress.at(done, done, of),
  )
  progress.clear()
  catalogue.close()
  return pass
}
