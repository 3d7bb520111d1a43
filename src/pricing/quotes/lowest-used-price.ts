import type { DeviceRegistry } from '../../catalog/device.ts'
import type { QuoteService } from './quote-service.ts'

type LowestUsedPriceOptions = {
  readonly registry: () => DeviceRegistry
  readonly quotes: Pick<QuoteService<unknown>, 'prepare' | 'resaleIfLoaded'>
}

/** Resale price of the cheapest configuration of a device in Good; null without a device or a price. */
export function lowestUsedPrice({ registry, quotes }: LowestUsedPriceOptions) {
  return async (deviceId: string): Promise<number | null> => {
    await quotes.prepare(deviceId)
    const variants = registry().findDevice(deviceId)?.variants ?? []
    const amounts = variants.flatMap(({ id }) => quotes.resaleIfLoaded(id)?.goodCents ?? [])
    return amounts.length > 0 ? Math.min(...amounts) : null
  }
}
