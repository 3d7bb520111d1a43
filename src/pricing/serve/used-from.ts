import type { Registry } from '../../catalog/device.ts'
import type { Quotes } from './quotes.ts'

type Parts = {
  readonly registry: () => Registry
  readonly quotes: Pick<Quotes<unknown>, 'prepare' | 'resaleOf'>
}

/** What the cheapest configuration of a device sells for in grade Good; null where there is no device or no basis. */
export function usedFrom({ registry, quotes }: Parts) {
  return async (deviceId: string): Promise<number | null> => {
    await quotes.prepare(deviceId)
    const variants = registry().findDevice(deviceId)?.variants ?? []
    const amounts = variants.flatMap(({ id }) => quotes.resaleOf(id)?.goodCents ?? [])
    return amounts.length > 0 ? Math.min(...amounts) : null
  }
}
