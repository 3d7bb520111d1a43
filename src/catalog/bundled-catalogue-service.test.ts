import { describe, expect, test } from 'bun:test'
import { bundledCatalogueVersion, bundledDevices, bundledTacs } from './bundled-catalogue-service.ts'
import { bundledFamilyTables } from './bundled-tables-service.ts'
import { deviceIdFor, variantIdFor } from './device.ts'
import { ATTRIBUTE_NAMES, expandFamily, type FamilyTable, familyDeviceSchema } from './family-table.ts'

const devices = bundledDevices()
const variants = devices.flatMap((device) => device.variants)

const families = bundledFamilyTables().map((text) => JSON.parse(text) as FamilyTable)

test('ids of devices and variants are unique and valid', () => {
  for (const ids of [devices.map((device) => device.id), variants.map((variant) => variant.id)]) {
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([])
  }
})

test('ids are those that device.ts generates', () => {
  for (const device of devices) {
    expect(device.id).toBe(deviceIdFor(device.make, device.name))
    for (const variant of device.variants) expect(variant.id).toBe(variantIdFor(device.id, variant.attributes))
  }
})

test('the name of a variant does not repeat the color in the name of the device', () => {
  const names = devices.find((device) => device.id === 'gopro-hero11-black')?.variants.map((variant) => variant.name)
  expect(names).toEqual(['HERO11 Black'])
})

test('a SKU names one variant', () => {
  expect(new Set(variants.map((variant) => variant.sku)).size).toBe(variants.length)
})

test('every device has a variant; a missing list price does not disable one', () => {
  expect(devices.filter((device) => device.variants.length === 0)).toEqual([])
  for (const { id, listCents, disabled } of variants) {
    expect(Number.isInteger(listCents) && listCents >= 0, id).toBe(true)
    expect(disabled, id).toBe(false)
  }
})

test('prices are plausible for a device', () => {
  const odd = variants.filter(({ listCents }) => listCents > 0 && (listCents < 1_900 || listCents > 800_000))
  expect(odd.map(({ id, listCents }) => [id, listCents])).toEqual([])
})

test('release dates are real days in the past', () => {
  for (const { id, releasedOn, releasePrecision } of devices) {
    expect(releasedOn === null, id).toBe(releasePrecision === null)
    if (releasedOn === null) continue
    expect(new Date(`${releasedOn}T00:00:00Z`).toISOString().slice(0, 10), id).toBe(releasedOn)
    expect(releasedOn >= '1977-01-01' && releasedOn <= '2026-11-15', id).toBe(true)
  }
})

test('attributes are known, unique and not empty', () => {
  for (const { id, attributes } of variants) {
    const names = attributes.map((attribute) => attribute.name)
    expect(
      names.every((name) => (ATTRIBUTE_NAMES as readonly string[]).includes(name)),
      id,
    ).toBe(true)
    expect(new Set(names).size, id).toBe(names.length)
    expect(
      attributes.every((attribute) => attribute.value.trim() !== ''),
      id,
    ).toBe(true)
  }
})

test('memory and storage sizes have one notation', () => {
  for (const { id, attributes } of variants) {
    for (const { name, value } of attributes) {
      if (name === 'storage' || name === 'ram')
        expect(/^\d+(\.\d+)?(MB|GB|TB)$/.test(value), `${id} ${value}`).toBe(true)
    }
  }
})

test("more storage never costs less, all else equal, within one of the maker's price lists", () => {
  const megabytes = (size: string) =>
    Number.parseFloat(size) * (size.endsWith('TB') ? 1024 * 1024 : size.endsWith('GB') ? 1024 : 1)
  // Storage sizes added later at a lower price than the launch price of a smaller one.
  const later = /^apple-iphone-(6s|8)|^apple-ipad-(mini-4|air-2)-/
  for (const device of devices) {
    const groups = new Map<string, { size: number; listCents: number; id: string }[]>()
    for (const { id, listCents, attributes } of device.variants) {
      const storage = attributes.find((attribute) => attribute.name === 'storage')?.value
      if (storage === undefined || listCents === 0 || later.test(id)) continue
      const rest = attributes.filter(({ name }) => name !== 'storage' && name !== 'ram' && name !== 'chip')
      const key = JSON.stringify(rest)
      groups.set(key, [...(groups.get(key) ?? []), { size: megabytes(storage), listCents, id }])
    }
    for (const group of groups.values()) {
      const sorted = group.sort((a, b) => a.size - b.size || a.listCents - b.listCents)
      for (const [at, one] of sorted.entries()) {
        const smaller = sorted.slice(0, at).filter((other) => other.size < one.size)
        const cheapest = Math.min(...smaller.map((other) => other.listCents), Number.POSITIVE_INFINITY)
        if (cheapest !== Number.POSITIVE_INFINITY) expect(one.listCents >= cheapest, one.id).toBe(true)
      }
    }
  }
})

test('a part number belongs to one variant of a device', () => {
  for (const device of devices) {
    const seen = new Map<string, string>()
    for (const variant of device.variants) {
      for (const part of variant.partNumbers) {
        expect(seen.get(part) ?? variant.id, part).toBe(variant.id)
        seen.set(part, variant.id)
      }
    }
  }
})

describe('a model number', () => {
  const categories = ['Smartphone', 'Tablet', 'Smartwatch', 'Streaming Player']
  const numbered = devices.filter((device) => categories.includes(device.category))

  test('belongs to one device', () => {
    // Only Apple prints one number on Macs of several years, and people use it.
    const own = devices.filter(({ make, category }) => make !== 'Apple' || category !== 'Laptop')
    const owners = Map.groupBy(
      own.flatMap(({ id, modelNumbers }) => modelNumbers.map((number) => ({ id, number: number.toUpperCase() }))),
      ({ number }) => number,
    )
    expect([...owners.values()].filter((rows) => rows.length > 1)).toEqual([])
  })

  test('is not a year', () => {
    const numbers = devices.flatMap(({ modelNumbers }) => modelNumbers)
    expect(numbers.filter((number) => /^20([01]\d|2[0-7])$/.test(number))).toEqual([])
  })

  test('contains no words, in any category', () => {
    const wordy = devices.flatMap(({ id, make, modelNumbers }) =>
      modelNumbers.filter((number) => /[a-z]{3}/.test(number.replace(`${make} `, ''))).map((number) => [id, number]),
    )
    expect(wordy).toEqual([])
  })

  test('is a code, not a marketing name', () => {
    const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9+]/g, '')
    const names = new Set(
      numbered.flatMap(({ make, name }) => [name, `${make} ${name}`, name.replace(make, '')].map(plain)),
    )
    const isWords = (number: string) => /[a-z]{3}/.test(number) || names.has(plain(number))
    const wrong = numbered.map(({ id, make, modelNumbers }) => {
      // Some makers write their name before the code: "Infinix X650B".
      return [id, modelNumbers.filter((number) => isWords(number.replace(`${make} `, '')))] as const
    })
    expect(wrong.filter(([, numbers]) => numbers.length > 0)).toEqual([])
  })

  test('is on the device if it is on a variant', () => {
    for (const { modelNumbers, variants: own } of numbered) {
      for (const { id, modelNumbers: numbers } of own) {
        expect(
          numbers.filter((number) => !modelNumbers.includes(number)),
          id,
        ).toEqual([])
      }
    }
  })
})

test('an announced price has a country, a currency and an amount for a configuration on offer', () => {
  for (const { name, offers } of families.flatMap((family) => family.devices)) {
    for (const { prices, announced = [] } of offers) {
      for (const one of announced) {
        expect(one.country, name).toMatch(/^[A-Z]{2}$/)
        expect(one.currency, name).toMatch(/^[A-Z]{3}$/)
        expect(
          Object.keys(one.prices).filter((key) => prices[key] === undefined),
          name,
        ).toEqual([])
        expect(
          Object.values(one.prices).every((amount) => amount > 0),
          name,
        ).toBe(true)
      }
    }
  }
})

test('a phone sold in several countries has the list price of each', () => {
  const variant = devices.find(({ id }) => id === 'apple-iphone-15')?.variants.find(({ id }) => id.includes('128gb'))
  expect(variant?.listCents).toBe(79_900)
  expect(variant?.listPrices).toEqual([
    { market: 'gb', currency: 'GBP', amount: 799 },
    { market: 'de', currency: 'EUR', amount: 949 },
  ])
})

test('most devices have two specifications, most phones and tablets three and a number or identifier', () => {
  const share = (of: typeof devices, has: (device: (typeof devices)[number]) => boolean) =>
    of.filter(has).length / of.length
  const specificationsOf = (device: (typeof devices)[number]) => Object.keys(device.specifications).length
  const handhelds = devices.filter(({ category }) => category === 'Smartphone' || category === 'Tablet')
  expect(share(devices, (device) => specificationsOf(device) >= 2)).toBeGreaterThanOrEqual(0.9)
  expect(share(handhelds, (device) => specificationsOf(device) >= 3)).toBeGreaterThanOrEqual(0.85)
  const isNumbered = share(handhelds, (device) => device.modelNumbers.length + device.modelIdentifiers.length > 0)
  expect(isNumbered).toBeGreaterThanOrEqual(0.65)
})

test('the catalogue is as large as promised', () => {
  expect(devices.length).toBeGreaterThanOrEqual(8500)
  expect(variants.length).toBeGreaterThanOrEqual(34_000)
  expect(variants.filter((variant) => variant.listCents > 0).length).toBeGreaterThanOrEqual(5300)
  expect(new Set(devices.map((device) => device.category)).size).toBeGreaterThanOrEqual(19)
  expect(new Set(devices.map((device) => device.make)).size).toBeGreaterThanOrEqual(100)
})

test('every make and category has one spelling', () => {
  for (const names of [devices.map((device) => device.make), devices.map((device) => device.category)]) {
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(new Set(names).size)
  }
})

test('bundled TACs are eight digits of a real reporting body, each pair of TAC and device once', () => {
  const tacs = bundledTacs()
  expect(tacs.length).toBeGreaterThanOrEqual(500)
  expect(new Set(tacs.map(({ tac, deviceId: id }) => `${tac} ${id}`)).size).toBe(tacs.length)
  for (const { tac, confidence } of tacs) {
    expect(tac).toMatch(/^(01|35|86|99)[0-9]{6}$/)
    expect(confidence >= 20 && confidence <= 97, tac).toBe(true)
  }
})

test('a TAC of several devices is certain of none', () => {
  const byTac = Map.groupBy(bundledTacs(), ({ tac }) => tac)
  for (const [tac, rows] of byTac) {
    if (rows.length > 1)
      expect(
        rows.reduce((sum, row) => sum + row.confidence, 0),
        tac,
      ).toBeLessThanOrEqual(100)
  }
})

test('the confidence of a bundled TAC follows from the lists that contain it', () => {
  // Two lists that agree have more confidence than one; one alone never exceeds 80, the limit for trusting a device.
  for (const { tac, confidence, source } of bundledTacs()) {
    expect(source, tac).toMatch(/^bundled:[a-z-]+(?:\+[a-z-]+)*$/)
    if (!source.includes('+')) expect(confidence, tac).toBeLessThanOrEqual(80)
  }
})

test('every line of every table is valid for an import', () => {
  const odd = bundledFamilyTables().flatMap((text) =>
    (JSON.parse(text) as FamilyTable).devices.filter((row) => !familyDeviceSchema.safeParse(row).success),
  )
  expect(odd.map(({ name }) => name)).toEqual([])
})

test('the version is stable and short', () => {
  expect(bundledCatalogueVersion()).toMatch(/^[0-9a-f]{16}$/)
  expect(bundledCatalogueVersion()).toBe(bundledCatalogueVersion())
})

describe('a family table', () => {
  const offer = { prices: { '64GB': 49_900, '128GB': 0 }, color: ['Black', 'Red'], except: ['64GB/Red'] }
  const family = (row: object) =>
    expandFamily({ make: 'Acme', category: 'Smartphone', devices: [{ name: 'One', offers: [offer], ...row }] })[0]

  test('offers every price in every color but the excepted ones', () => {
    expect(family({})?.variants.map((variant) => variant.id)).toEqual([
      'acme-one-64gb-black',
      'acme-one-128gb-black',
      'acme-one-128gb-red',
    ])
  })

  test('a missing price does not disable a variant', () => {
    expect(family({})?.variants.map(({ listCents, disabled }) => [listCents, disabled])).toEqual([
      [49_900, false],
      [0, false],
      [0, false],
    ])
  })

  test('a month or a year keeps its precision', () => {
    expect(family({ released: '2020-03' })).toMatchObject({ releasedOn: '2020-03-01', releasePrecision: 'month' })
    expect(family({ released: '2020' })).toMatchObject({ releasedOn: '2020-01-01', releasePrecision: 'year' })
  })

  test('model numbers of a connectivity apply to its variants only', () => {
    const by = { by: ['connectivity'], prices: { 'Wi-Fi': 100, Cellular: 200 } }
    const device = family({ offers: [by], models: ['A1', 'A2'], modelsBy: { Cellular: ['A2'], 'Wi-Fi': ['A1'] } })
    expect(device?.variants.map((variant) => variant.modelNumbers)).toEqual([['A1'], ['A2']])
  })

  test('errors in a table are rejected with the name of the device', () => {
    expect(() => family({ released: '2020-02-31' })).toThrow('One has the release date "2020-02-31"')
    expect(() => family({ parts: { '32GB/Black': ['X'] } })).toThrow('One has part numbers of no variant: 32GB/Black')
    expect(() => family({ offers: [{ ...offer, except: ['1TB/Red'] }] })).toThrow('One excepts what it does not offer')
    expect(() => family({ offers: [{ prices: { '8GB/64GB': 1 } }] })).toThrow(
      'One has the price "8GB/64GB" for storage',
    )
  })
})
