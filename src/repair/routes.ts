import { excerpt, invalid, notFound } from '../errors.ts'
import type { ReadyAnswer } from '../http/ready.ts'
import type { ApiRoute } from '../http/route.ts'
import type { RepairBook } from './book.ts'

/** Repair intelligence of a device or a variant, from answers made beforehand. */
export function repairRoutes(book: Pick<RepairBook<ReadyAnswer>, 'ofDevice' | 'ofVariant'>): ApiRoute[] {
  return [
    {
      method: 'GET',
      path: '/api/repairs',
      tier: 'paid',
      handle({ query }) {
        const deviceId = query('device_id')
        const variantId = query('variant_id')
        if (variantId === undefined) {
          if (deviceId === undefined) throw invalid('device_id', undefined, 'device_id or variant_id')
          const found = book.ofDevice(deviceId)
          if (!found) throw notFound(`Device ${excerpt(deviceId)}`)
          return found.answer
        }
        const found = book.ofVariant(variantId)
        if (!found) throw notFound(`Variant ${excerpt(variantId)}`)
        if (deviceId !== undefined && deviceId !== found.deviceId) {
          if (!book.ofDevice(deviceId)) throw notFound(`Device ${excerpt(deviceId)}`)
          throw invalid('variant_id', variantId, `a variant of ${excerpt(deviceId)}`)
        }
        return found.answer
      },
    },
  ]
}
