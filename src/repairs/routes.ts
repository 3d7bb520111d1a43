import { getRepairs } from '../contract/endpoints.ts'
import { convertRepairs } from '../currency/convert-responses.ts'
import { US_DOLLARS } from '../currency/exchange.ts'
import type { ExchangeRateService } from '../currency/exchange-rate-service.ts'
import { type ApiRoute, type HandlerResult, route } from '../http/context.ts'
import type { PreparedResponse } from '../http/prepared-response.ts'
import { excerpt, invalid, notFound } from '../lib/errors.ts'
import type { OwnPartCosts } from './own-part-costs.ts'
import type { MaybePromise, RepairService } from './repair-service.ts'

/** Repair intelligence of a device or a variant, from cached responses; with the organization's own labour rate if it has one. */
export function repairRoutes(
  repairs: Pick<RepairService<PreparedResponse>, 'findByDevice' | 'findByVariant' | 'findWire' | 'labourCentsPerHour'>,
  rates: Pick<ExchangeRateService, 'exchangeFor'>,
  /** Labour rate of an organization, US cents. */
  labourOf: (organizationId: string) => number,
  /** What an organization paid for parts; null if it booked too few costs. */
  ownCostsOf: (organizationId: string) => MaybePromise<OwnPartCosts | null>,
): ApiRoute[] {
  return [
    route(getRepairs, (c) => {
      const { device_id: deviceId, variant_id: variantId, currency } = c.get('query')
      const exchange = rates.exchangeFor(currency)
      const response = findResponse(deviceId, variantId)
      const { organizationId } = c.get('principal')
      const labourCentsPerHour = labourOf(organizationId)
      return mapMaybePromise(ownCostsOf(organizationId), (ownCosts): MaybePromise<HandlerResult> => {
        const isUsual = ownCosts === null && labourCentsPerHour === repairs.labourCentsPerHour()
        if (isUsual && exchange === US_DOLLARS) return response
        return mapMaybePromise(response, async (dollarResponse): Promise<HandlerResult> => {
          const wire = await repairs.findWire({ deviceId, variantId, labourCentsPerHour, ownCosts })
          return wire ? { data: convertRepairs(wire, exchange) } : dollarResponse
        })
      })
    }),
  ]

  function findResponse(deviceId: string | undefined, variantId: string | undefined): MaybePromise<PreparedResponse> {
    if (variantId !== undefined)
      return mapMaybePromise(repairs.findByVariant(variantId), (found) => responseForPair(found, variantId, deviceId))
    return mapMaybePromise(repairs.findByDevice(deviceId ?? ''), (found) => {
      if (!found) throw notFound(`Device ${excerpt(deviceId)}`)
      return found.response
    })
  }

  type VariantMatch = Awaited<ReturnType<typeof repairs.findByVariant>>

  function responseForPair(
    found: VariantMatch,
    variantId: string,
    deviceId: string | undefined,
  ): MaybePromise<PreparedResponse> {
    if (!found) throw notFound(`Variant ${excerpt(variantId)}`)
    if (deviceId === undefined || deviceId === found.deviceId) return found.response
    return mapMaybePromise(repairs.findByDevice(deviceId), (device) => {
      if (!device) throw notFound(`Device ${excerpt(deviceId)}`)
      throw invalid('variant_id', variantId, `a variant of ${excerpt(deviceId)}`)
    })
  }
}

/** Most responses are cached, and a promise would cost more than the lookup. */
function mapMaybePromise<T, R>(found: MaybePromise<T>, next: (found: T) => MaybePromise<R>): MaybePromise<R> {
  return found instanceof Promise ? found.then(next) : next(found)
}
