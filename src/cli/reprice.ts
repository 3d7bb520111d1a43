import { openCatalogue } from '../catalog/catalogue.ts'
import { catalogueStore } from '../catalog/store.ts'
import { baseUrlOf } from '../config.ts'
import { followNothing } from '../follow.ts'
import { openProgress } from '../import/progress.ts'
import { reprice as fullPass } from '../pricing/market/repricing.ts'
import { pricingStore } from '../pricing/market/store.ts'
import { type Command, readArguments } from './command.ts'

export const reprice: Command = {
  name: 'reprice',
  usage: '[--json]',
  help: 'Learn the market anew from all observations; the service does so by itself every night.',
  async run(args, context) {
    const { values } = readArguments(
      args,
      { json: { type: 'boolean' } },
      { least: 0, most: 0, usage: 'reprice [--json]' },
    )
    const db = await context.openStore()
    const catalogue = await openCatalogue({
      source: catalogueStore(db),
      baseUrl: baseUrlOf(context.config),
      follow: followNothing,
    })
    const progress = openProgress('devices', process.stderr)
    const pass = await fullPass(pricingStore(db), catalogue.snapshot(), context.now(), (done, of) =>
      progress.at(done, done, of),
    )
    progress.clear()
    catalogue.close()
    context.print(
      values.json
        ? JSON.stringify(pass)
        : `${pass.observations} observations of ${pass.devices} devices in ${pass.milliseconds} ms`,
    )
    return 0
  },
}
