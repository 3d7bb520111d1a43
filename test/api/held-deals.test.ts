import { afterAll, beforeAll, expect, test } from 'bun:test'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

const PHONES = ['iphone-12', 'iphone-13', 'iphone-14', 'iphone-13-mini', 'iphone-12-mini'].map((id) => `apple-${id}`)
const OTHER = 'apple-iphone-11'

onDatabaseOfSuite((store) => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(await store.open(), { SAMPLE_DATA: 'off' })
  })
  afterAll(() => service?.stop())

  type Shop = Awaited<ReturnType<TestService['newShop']>>

  async function variantOf(deviceId: string): Promise<string> {
    const { body } = await service.ask(`/api/devices/${deviceId}`, { key: service.keys.paid })
    return body.data.variants[0].id
  }
  const pricing = async ({ keys }: Pick<Shop, 'keys'>, variantId: string) =>
    (await service.ask(`/api/pricing?variant_id=${variantId}`, { key: keys.paid })).body.data
  const buyback = async (shop: Shop, variantId: string): Promise<number> =>
    (await pricing(shop, variantId)).buyback.current.Good

  async function buy({ buyer }: Shop, variantId: string, price: number): Promise<string> {
    const json = { variant_id: variantId, condition: 'Good' }
    const id = (await service.ask('/api/appraisals', { key: buyer, json })).body.data.appraisal_id
    const outcome = { status: 'bought', price: Math.round(price), confirm_amount: true }
    const recorded = await service.ask(`/api/appraisals/${id}/outcome`, { key: buyer, json: outcome })
    expect(recorded.status).toBe(200)
    return id
  }

  test('five deals at twice the price are held, are shown with what was expected, and count once they are released', async () => {
    const shop = await service.newShop('Mistyping')
    const variants = await Promise.all([...PHONES, OTHER].map(variantOf))
    const before = new Map<string, number>()
    for (const variant of variants) before.set(variant, await buyback(shop, variant))
    const deals: { id: string; variant: string; price: number }[] = []
    for (const variant of variants.slice(0, PHONES.length)) {
      const price = 2 * (before.get(variant) ?? 0)
      deals.push({ id: await buy(shop, variant, price), variant, price })
    }
    for (const { id, variant, price } of deals) {
      const served = await waitUntil(
        async () => {
          const data = await pricing(shop, variant)
          return data.held_deals ? data : undefined
        },
        { describe: 'the held deal' },
      )
      expect(served.held_deals).toMatchObject([{ appraisal_id: id, side: 'buyback', price }])
      const [{ expected }] = served.held_deals
      expect(Math.abs(expected / (before.get(variant) ?? 1) - 1)).toBeLessThan(0.02)
    }
    for (const variant of variants) {
      const moved = (await buyback(shop, variant)) / (before.get(variant) ?? 1) - 1
      expect({ variant, isSmall: Math.abs(moved) <= 0.05 }).toEqual({ variant, isSmall: true })
    }
    // Other organizations do not see them.
    expect(await pricing(await service.newOrganization('Neighbour'), variants[0] ?? '')).not.toHaveProperty(
      'held_deals',
    )

    const [first] = deals
    if (!first) throw new Error('no deal')
    const released = { status: 'bought', price: first.price, release_price: true }
    const path = `/api/appraisals/${first.id}/outcome`
    const answer = await service.ask(path, { key: shop.buyer, json: { ...released, confirm_amount: true } })
    expect(answer.body.data.outcome).toMatchObject({ price_released: true })
    await waitUntil(async () => (await pricing(shop, first.variant)).held_deals === undefined, {
      describe: 'the released deal',
    })
    // Another price of the same deal is in doubt again.
    const again = { status: 'bought', price: first.price + 100, confirm_amount: true }
    const changed = await service.ask(path, { key: shop.buyer, json: again })
    expect(changed.body.data.outcome).not.toHaveProperty('price_released')
  })
})
