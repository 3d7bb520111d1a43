/** Recalculates all prices of the database in DATA_DIR at once; the service does so every night. */
import { openCatalogue } from '../../src/catalog/catalogue-service.ts'
import { catalogueStore } from '../../src/catalog/catalogue-store.ts'
import { registryIndexFile } from '../../src/catalog/index/index-file-store.ts'
import { openDatabase } from '../../src/db/database.ts'
import { neverReload } from '../../src/db/reload-on-change.ts'
import { pricingStore } from '../../src/pricing/markets/pricing-store.ts'
import { reprice } from '../../src/pricing/markets/repricing-service.ts'

const dataDir = process.env.DATA_DIR ?? ''
const db = await openDatabase({ url: '', dataDir })
const catalogue = await openCatalogue({
  source: catalogueStore(db),
  file: registryIndexFile(dataDir, '', ''),
  reloadOnChange: neverReload,
})
await reprice(pricingStore(db), catalogue.registry(), Date.now())
catalogue.close()
await db.close()
