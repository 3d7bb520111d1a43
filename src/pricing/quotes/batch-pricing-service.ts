import type { PricingBatchItemWire } from '../../contract/pricing-batch.ts'
import { DomainError, invalid } from '../../lib/errors.ts'
import { SLICE_MS, yieldToEventLoop } from '../../lib/event-loop.ts'

/** Prices variants one by one: an uncached device takes milliseconds, and other requests are served in between. */
export async function priceBatch(
  variantIds: readonly unknown[],
  priceOf: (variantId: string) => Promise<Extract<PricingBatchItemWire, { success: true }>['result']>,
): Promise<PricingBatchItemWire[]> {
  const items: PricingBatchItemWire[] = []
  let until = performance.now() + SLICE_MS
  for (const [index, variantId] of variantIds.entries()) {
    items.push(await priceItem(index, variantId))
    if (performance.now() < until) continue
    await yieldToEventLoop()
    until = performance.now() + SLICE_MS
  }
  return items

  async function priceItem(index: number, variantId: unknown): Promise<PricingBatchItemWire> {
    try {
      if (typeof variantId !== 'string') throw invalid(`variant_ids[${index}]`, variantId, 'the id of a variant')
      return { index, success: true, result: await priceOf(variantId) }
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      const { code, message, details, nearestIds } = error
      if (code === 'not_found') {
        const nearest = nearestIds.length > 0 ? { nearest_ids: [...nearestIds] } : {}
        return { index, success: false, error: { code: 'NOT_FOUND', message, ...nearest } }
      }
      if (code !== 'invalid') throw error
      return { index, success: false, error: { code: 'VALIDATION_ERROR', message, details: [...details] } }
    }
  }
}
