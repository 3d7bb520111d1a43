/** `import observations FILE`: prices that were asked, paid or offered, as CSV, XLSX, JSON or one JSON object per line. */
import { pricingStore } from '../../pricing/markets/pricing-store.ts'
import { repriceAfterImport } from '../../pricing/markets/repricing-service.ts'
import { type Importer, type ImportResult, importStopped } from '../importer.ts'
import { pruneReplaced } from './observation-removal-store.ts'
import { formatAlsoMoved } from './price-effect.ts'
import { THESE_DEVICES_ONLY } from './price-effect-service.ts'
import { openPriceImport, type PriceImport, registryOf } from './price-import-service.ts'
import { PRICE_OPTIONS } from './price-options.ts'
import { ask } from './price-questions-service.ts'
import { readRows } from './price-rows-service.ts'
import { readTables } from './price-tables-service.ts'
import { saveTitleAliases } from './title-alias-store.ts'

export const observationsImporter: Importer = {
  format: 'observations',
  help: 'market prices (CSV, XLSX, JSON or NDJSON): a title or make + model + storage, a variant id, SKU or part number; condition, price, currency, date',
  options: {
    ...PRICE_OPTIONS,
    'max-change': 'PERCENT such as 10%; a file that moves prices by more on average is not imported at all',
    profile: 'NAME under which these options are saved, or were saved before',
  },
  flags: {
    'add-variants': 'add a storage or memory size that a known device is not listed with; computers always get it',
    [THESE_DEVICES_ONLY]:
      'use the prices for the devices of the list only; without it own prices also move devices like them',
    'confirm-amounts': 'import prices that move your own by more than a third; without it they are rejected',
  },
  takesSeveralFiles: true,
  async run(source, context) {
    const run = await openPriceImport(source, context)
    const lists = await ask(run, await readTables(run))
    for (const list of lists) if (!context.signal.aborted) await readRows(run, list)
    return write(run)
  },
}

/** Writes the last batch and everything that follows from the prices of all lists. */
async function write(run: PriceImport): Promise<ImportResult> {
  const { context, options, preview, effect, batches, learner, devices } = run
  const { db, signal } = context
  let tacsLearned = 0
  await batches.finish()
  if (!context.dryRun) {
    await saveTitleAliases(db, context.organizationId, options.assigned, context.now())
    await pruneReplaced(db, context.now())
    const origin = { organizationId: context.organizationId, importId: context.runId, now: context.now() }
    tacsLearned = (await learner?.finish(origin)) ?? 0
    if (batches.isCommon && !signal.aborted)
      await repriceAfterImport(
        pricingStore(db, context.defaultMarket),
        registryOf(devices),
        batches.written(),
        context.now(),
      )
  }
  if (preview && effect) context.onPreview(preview.build(await effect.measure(devices)))
  const others = !preview && effect && !signal.aborted ? (await effect.measure(devices)).others : undefined
  const alsoMoved = others ? formatAlsoMoved(others) : ''
  if (alsoMoved !== '') context.notify(alsoMoved)
  if (signal.aborted && !context.dryRun) throw importStopped(batches.written(), null, 'observations')
  return {
    ...{ rows: run.rowsRead, ...batches.counts() },
    ...((context.options['add-variants'] || run.variantsAdded > 0) && { variants_added: run.variantsAdded }),
    ...(tacsLearned > 0 && { tacs_learned: tacsLearned }),
    ...(others &&
      others.devices > 0 && { also_moved_devices: others.devices, also_moved_percent: others.averagePercent }),
  }
}
