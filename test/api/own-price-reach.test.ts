import { afterAll, beforeAll, expect, test } from 'bun:test'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { importText } from '../support/import.ts'
import { startService, type TestService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

const PHONES = [11, 12, 13, 14, 15].flatMap((number) => [`iphone-${number}`, `iphone-${number}-pro`])
const LAPTOP = 'apple-macbook-air-13-inch-m4-2025'
const DAY = new Date().toISOString().slice(0, 10)

onDatabaseOfSuite((store) => {
  let service: TestService
  let options: Parameters<typeof importText>[0]
  beforeAll(async () => {
    options = await store.openFull()
    service = await startService(options, { SAMPLE_DATA: 'off' })
  })
  afterAll(() => service?.stop())

  type Shop = Awaited<ReturnType<TestService['newOrganization']>>
  const goodOf = async ({ keys }: Shop, variantId: string): Promise<number> =>
    (await service.ask(`/api/pricing?variant_id=${variantId}&pricing_type=resale`, { key: keys.paid })).body.data.resale
      .current.Good

  async function firstVariants(): Promise<string[]> {
    const variants: string[] = []
    for (const phone of PHONES) {
      const { body } = await service.ask(`/api/devices/apple-${phone}`, { key: service.keys.paid })
      if (body.data) variants.push(body.data.variants[0].id)
    }
    return variants
  }
  const listOf = async (shop: Shop, variants: readonly string[]) => {
    const rows = ['listing_id,variant_id,condition,price,currency,date,side']
    for (const variant of variants) {
      const price = ((await goodOf(shop, variant)) * 1.33) / 100
      rows.push(`${variant},${variant},Good,${price.toFixed(2)},USD,${DAY},sold`)
    }
    return rows.join('\n')
  }
  const other = async (deviceId: string) =>
    (await service.ask(`/api/devices/${deviceId}`, { key: service.keys.paid })).body.data.variants[0].id as string

  test('a list of one make says which other devices it moves, and moves other categories by at most 3 %', async () => {
    const shop = await service.newOrganization('Dear')
    const variants = await firstVariants()
    const text = await listOf(shop, variants)
    const [listed = ''] = variants
    const before = await goodOf(shop, listed)
    const xiaomi = await other('xiaomi-12')
    const [xiaomiBefore, laptopBefore] = [await goodOf(shop, xiaomi), await goodOf(shop, await other(LAPTOP))]
    const run = await importText(options, 'observations', 'own.csv', text, ['--organization', shop.organizationId])
    expect(JSON.stringify(run)).toMatch(/Also moves [\d,]+ other devices by \+/)
    await waitUntil(async () => (await goodOf(shop, listed)) > before * 1.15, { describe: 'the own price' })
    expect((await goodOf(shop, xiaomi)) / xiaomiBefore).toBeWithin(1, 1.12)
    expect((await goodOf(shop, await other(LAPTOP))) / laptopBefore).toBeWithin(1, 1.03)
  })

  test('with the option the prices count for the devices of the list only', async () => {
    const shop = await service.newOrganization('Careful')
    const variants = await firstVariants()
    const text = await listOf(shop, variants)
    const [listed = ''] = variants
    const xiaomi = await other('xiaomi-12')
    const [before, xiaomiBefore] = [await goodOf(shop, listed), await goodOf(shop, xiaomi)]
    const flags = ['--organization', shop.organizationId, '--these-devices-only']
    const run = await importText(options, 'observations', 'own.csv', text, flags)
    expect(JSON.stringify(run)).not.toContain('Also moves')
    await waitUntil(async () => (await goodOf(shop, listed)) > before * 1.05, { describe: 'the own price' })
    expect(await goodOf(shop, xiaomi)).toBe(xiaomiBefore)
  })
})
