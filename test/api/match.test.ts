import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

onDatabaseOfSuite((store) => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(await store.openFull(), { SAMPLE_DATA: 'off' })
  })
  afterAll(() => service.stop())

  const match = async (text: string, more: Record<string, string> = {}) => {
    const query = new URLSearchParams({ text, ...more })
    const { status, body } = await service.ask(`/api/match?${query}`, { tier: 'public' })
    expect(status).toBe(200)
    return body.data
  }

  describe('a text', () => {
    test('that names a variant is matched to it, with all recognised attributes', async () => {
      expect(await match('Apple iPhone 13 128GB Midnight - Unlocked - like new!')).toMatchObject({
        decision: 'matched',
        reason: null,
        device_id: 'apple-iphone-13',
        device_name: 'iPhone 13',
        variant_id: 'apple-iphone-13-128gb-midnight',
        condition: 'Excellent',
        unmatched_words: [],
      })
    })

    test('that leaves attributes of the only variant open says which are assumed', async () => {
      const attribute = (attribute_name: string, attribute_value: string) => ({ attribute_name, attribute_value })
      const variant_id = 'sony-playstation-4-pro-1tb-jet-black'
      expect(await match('PS4 Pro')).toMatchObject({
        decision: 'matched',
        variant_id,
        attributes: [],
        assumed_attributes: [attribute('storage', '1TB'), attribute('color', 'Jet Black')],
      })
      expect(await match('PS4 Pro 1TB black')).toMatchObject({ variant_id, assumed_attributes: [] })
      expect(await match('PS4 Pro 1TB white')).toMatchObject({
        decision: 'matched',
        device_id: 'sony-playstation-4-pro',
        variant_id: null,
        assumed_attributes: [],
      })
    })

    test('that names a laptop by its model number leaves no word of the name unmatched', async () => {
      for (const text of ['XPS 13 9310', 'Dell XPS 13 9310 i7 16GB 512GB', 'Dell XPS 13" 9310', 'dell xps 9310']) {
        expect(await match(text)).toMatchObject({ device_id: 'dell-xps-13-9310', unmatched_words: [] })
      }
    })

    for (const [text, device] of [
      ['13 promax 256', 'apple-iphone-13-pro-max'],
      ['galaxy s 23', 'samsung-galaxy-s23'],
      ['ps5 digital', 'sony-playstation-5-digital-edition'],
      ['Nintendo Switch OLED white', 'nintendo-switch-oled-model'],
      ['Galaxy Z Flip 5 256GB', 'samsung-galaxy-z-flip5'],
      ['SM-G991B', 'samsung-galaxy-s21'],
    ] as const) {
      test(`"${text}" is ${device} or nothing, never a similar model`, async () => {
        const { decision, device_id } = await match(text)
        expect(decision === 'matched' ? device_id : device).toBe(device)
        expect(decision).not.toBe('unknown')
      })
    }

    for (const [text, reason] of [
      ['case for iphone 13', 'accessory'],
      ['iPhone 13 128GB for parts or not working', 'for_parts'],
      ['lot of 5 iphone 13', 'lot'],
    ] as const) {
      test(`"${text}" is rejected as ${reason}`, async () => {
        expect(await match(text)).toMatchObject({ decision: 'unknown', reason, device_id: null, confidence: 0 })
      })
    }

    test('is never matched to another make than the given one', async () => {
      expect((await match('iPhone 13', { make: 'Samsung' })).decision).toBe('unknown')
    })

    test('that fits several devices returns them as candidates, up to the requested number', async () => {
      const { decision, candidates } = await match('macbook air 13', { limit: '2' })
      expect(decision).toBe('ambiguous')
      expect(candidates).toHaveLength(2)
    })
  })

  test('a missing or overlong text is 400 with the parameter', async () => {
    for (const query of ['', '?text=', `?text=${'a'.repeat(301)}`]) {
      const { status, body } = await service.ask(`/api/match${query}`, { tier: 'public' })
      expect(status).toBe(400)
      expect(body.error.details[0].field).toBe('text')
    }
  })

  test('any text gets a valid response', async () => {
    for (const text of [
      '%00',
      '%F0%9F%93%B1',
      '((((',
      '.*'.repeat(100),
      '__proto__',
      '%zz',
      '9'.repeat(300),
      '+'.repeat(290),
    ]) {
      expect((await service.ask(`/api/match?text=${text}`, { tier: 'public' })).status).toBeLessThan(500)
    }
  })

  describe('a search that matches no name', () => {
    for (const [search, device] of [
      ['ps5', 'sony-playstation-5'],
      ['iphone 13 128 midnight', 'apple-iphone-13'],
      ['galaxy s 23', 'samsung-galaxy-s23'],
    ] as const) {
      test(`"${search}" finds ${device} like a listing title`, async () => {
        const { body } = await service.ask(`/api/devices?search=${encodeURIComponent(search)}`, { tier: 'public' })
        expect(body.data.map(({ id }: { id: string }) => id)).toContain(device)
      })
    }
    test('finds the exact variant among variants', async () => {
      const { body } = await service.ask('/api/variants?search=iphone+13+128+midnight', { tier: 'public' })
      expect(body.data[0].id).toBe('apple-iphone-13-128gb-midnight')
    })
  })
})
