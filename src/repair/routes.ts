import { getRepairs } from '../contract/endpoints.ts'
import { DOLLARS } from '../currency/exchange.ts'
import { repairsIn } from '../currency/in-currency.ts'
import type { Rates } from '../currency/rates.ts'
import { excerpt, invalid, notFound } from '../errors.ts'
import { type Answer, type ApiRoute, route } from '../http/context.ts'
import type { ReadyAnswer } from '../http/ready.ts'
import type { MaybeSoon, RepairAnswers } from './answers.ts'

/** Repair intelligence of a device or a variant, from answers made beforehand. */
export function repairRoutes(
  answers: Pick<RepairAnswers<ReadyAnswer>, 'ofDevice' | 'ofVariant' | 'presented'>,
  rates: Pick<Rates, 'exchange'>,
): ApiRoute[] {
  return [
    route(getRepairs, (c) => {
      const { device_id: deviceId, variant_id: variantId, currency } = c.get('query')
      const exchange = rates.exchange(currency)
      const ready = answerOf(deviceId, variantId)
      if (exchange === DOLLARS) return ready
      return whenThere(ready, async (inDollars): Promise<Answer> => {
        const repairs = await answers.presented({ deviceId, variantId })
        return repairs ? { data: repairsIn(repairs, exchange) } : inDollars
      })
    }),
  ]

  function answerOf(deviceId: string | undefined, variantId: string | undefined): MaybeSoon<ReadyAnswer> {
    if (variantId !== undefined)
      return whenThere(answers.ofVariant(variantId), (found) => ofPair(found, variantId, deviceId))
    return whenThere(answers.ofDevice(deviceId ?? ''), (found) => {
      if (!found) throw notFound(`Device ${excerpt(deviceId)}`)
      return found.answer
    })
  }

  type Found = Awaited<ReturnType<typeof answers.ofVariant>>

  function ofPair(found: Found, variantId: string, deviceId: string | undefined): MaybeSoon<ReadyAnswer> {
    if (!found) throw notFound(`Variant ${excerpt(variantId)}`)
    if (deviceId === undefined || deviceId === found.deviceId) return found.answer
    return whenThere(answers.ofDevice(deviceId), (device) => {
      if (!device) throw notFound(`Device ${excerpt(deviceId)}`)
      throw invalid('variant_id', variantId, `a variant of ${excerpt(deviceId)}`)
    })
  }
}

/** Most answers are there at once, and a promise would cost more than finding them. */
function whenThere<T, R>(found: MaybeSoon<T>, next: (found: T) => MaybeSoon<R>): MaybeSoon<R> {
  return found instanceof Promise ? found.then(next) : next(found)
}
