import { bundledDevices } from '../../src/catalog/bundled-catalogue-service.ts'
import type { Device } from '../../src/catalog/device.ts'
import { estimateLaunchPrice, lowestPriceCents } from '../../src/pricing/launch-price-estimate.ts'

export type LaunchPriceAccuracy = {
  readonly category: string
  readonly devices: number
  /** Quantiles of the absolute error of ln(launch price). */
  readonly median: number
  readonly percentile90: number
  readonly bias: number
  /** Share within the 80 % interval. */
  readonly cover: number
}

const FOLDS = 10
const MIN_DEVICES = 20
/** Half-width of an 80 % interval in standard deviations. */
const HALF_WIDTH = 1.2816

type PriceError = { readonly category: string; readonly error: number; readonly spread: number }

/** Ten-fold cross-validation on the bundled devices with a launch price. */
export function launchPriceAccuracy(): LaunchPriceAccuracy[] {
  const devices = [...bundledDevices()]
  const errors = Array.from({ length: FOLDS }, (_, fold) => errorsOf(devices, fold)).flat()
  const categories = ['all', ...new Set(errors.map(({ category }) => category))]
  return categories.flatMap((category) => {
    const categoryErrors = errors.filter((error) => category === 'all' || error.category === category)
    return categoryErrors.length < MIN_DEVICES ? [] : [summarize(category, categoryErrors)]
  })
}

function errorsOf(devices: readonly Device[], fold: number): PriceError[] {
  const isHidden = ({ id }: Device) => Number(Bun.hash(id) % BigInt(FOLDS)) === fold
  const trainingDevices = devices.map((device) => (isHidden(device) ? withoutPrice(device) : device))
  const registry = {
    findDevice: () => undefined,
    findVariant: () => undefined,
    listDevicesOfCategory: (category: string) => trainingDevices.filter((device) => device.category === category),
  }
  return devices.filter(isHidden).flatMap((device) => {
    const cents = lowestPriceCents(device)
    const estimate = cents === undefined ? null : estimateLaunchPrice(withoutPrice(device), registry)
    if (cents === undefined || !estimate) return []
    return [{ category: device.category, error: Math.log(estimate.cents / cents), spread: estimate.spread }]
  })
}

function summarize(category: string, errors: readonly PriceError[]): LaunchPriceAccuracy {
  const quantile = (values: number[], share: number) =>
    values.sort((a, b) => a - b)[Math.floor(share * values.length)] as number
  const absoluteErrors = () => errors.map(({ error }) => Math.abs(error))
  return {
    category,
    devices: errors.length,
    median: quantile(absoluteErrors(), 0.5),
    percentile90: quantile(absoluteErrors(), 0.9),
    bias: quantile(
      errors.map(({ error }) => error),
      0.5,
    ),
    cover: errors.filter(({ error, spread }) => Math.abs(error) <= HALF_WIDTH * spread).length / errors.length,
  }
}

const withoutPrice = (device: Device): Device => ({
  ...device,
  variants: device.variants.map((variant) => ({ ...variant, listCents: 0, announcedCents: undefined })),
})
