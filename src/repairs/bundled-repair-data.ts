import actionCameras from '../../data/repairs/action-cameras.json'
import appleIphone from '../../data/repairs/apple-iphone.json'
import appleMore from '../../data/repairs/apple-tablets-laptops-watches.json'
import audioHeadsets from '../../data/repairs/audio-headsets.json'
import categories from '../../data/repairs/categories.json'
import consoles from '../../data/repairs/consoles.json'
import faultCounts from '../../data/repairs/fault-counts.json'
import googleOneplus from '../../data/repairs/google-oneplus.json'
import lineIndex from '../../data/repairs/line-index.json'
import lines from '../../data/repairs/lines.json'
import makerPrices from '../../data/repairs/maker-prices.json'
import microsoftSurface from '../../data/repairs/microsoft-surface.json'
import morePhonesLaptops from '../../data/repairs/more-phones-laptops.json'
import motorola from '../../data/repairs/motorola.json'
import partCosts from '../../data/repairs/part-costs.json'
import samsungGalaxy from '../../data/repairs/samsung-galaxy.json'
import samsungMore from '../../data/repairs/samsung-tablets-watches.json'
import { isFaultKind } from './fault-kinds.ts'
import type { CostModel } from './part-cost.ts'
import { BUNDLED_SOURCE } from './repair-fact.ts'
import { parseTrustedFactFile } from './repair-fact-file.ts'
import type { BundledRepairData, FaultCountRecord } from './repair-fact-index.ts'

/** Bundled repair facts. To cover more devices, add a file to `data/repairs` and a line here. */
export const BUNDLED_FACT_FILES: Readonly<Record<string, unknown>> = {
  'categories.json': categories,
  'lines.json': lines,
  'apple-iphone.json': appleIphone,
  'apple-tablets-laptops-watches.json': appleMore,
  'samsung-galaxy.json': samsungGalaxy,
  'samsung-tablets-watches.json': samsungMore,
  'google-oneplus.json': googleOneplus,
  'microsoft-surface.json': microsoftSurface,
  'motorola.json': motorola,
  'consoles.json': consoles,
  'audio-headsets.json': audioHeadsets,
  'action-cameras.json': actionCameras,
  'more-phones-laptops.json': morePhonesLaptops,
}

export function loadBundledRepairData(): BundledRepairData {
  return {
    lines: lineIndex.lines,
    costs: { ...(partCosts as unknown as CostModel), makerPrices },
    bundledFacts: Object.values(BUNDLED_FACT_FILES)
      .flatMap(parseTrustedFactFile)
      .map((record) => ({ ...record, source: `${BUNDLED_SOURCE}: ${record.source}` })),
    bundledFaults: bundledFaultCounts(),
  }
}

function bundledFaultCounts(): FaultCountRecord[] {
  return Object.entries(faultCounts.categories).flatMap(([category, counts]) =>
    Object.entries(counts).map(([fault, count]) => {
      if (!isFaultKind(fault)) throw new Error(`data/repairs/fault-counts.json: unknown fault ${fault}`)
      return { category, make: '', deviceId: '', fault, count }
    }),
  )
}
