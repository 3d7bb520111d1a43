import { type Device, deviceIdFor, variantIdFor } from '../../src/catalog/device.ts'

/** Repeatable random numbers in [0, 1). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const CATEGORIES = ['Smartphone', 'Tablet', 'Smartwatch', 'Laptop', 'TV', 'Headphones', 'Game Console', 'E-Reader']
const SYLLABLES =
  'ga la xy so ny no va pi xel re mi mo to ro ul tra ne xus ze no vi vo op po re al me hon or tec no ita'
const LINES = ['Note', 'Pro', 'Max', 'Plus', 'Ultra', 'Lite', 'Mini', 'Neo', 'Tab', 'Fold', 'Edge', 'Play', 'Power']
const STORAGES = ['64GB', '128GB', '256GB', '512GB']
const COLORS = ['Black', 'White', 'Blue', 'Midnight Green', 'Rosé', 'Space Gray']

/** Devices like those of a public list of Android devices: some 2,000 makes, model codes as names, few release dates. */
export function syntheticDevices(count: number, seed = 1): Device[] {
  const random = seededRandom(seed)
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T
  const syllables = SYLLABLES.split(' ')
  const word = (parts: number) => {
    const letters = Array.from({ length: parts }, () => pick(syllables)).join('')
    return letters.charAt(0).toUpperCase() + letters.slice(1)
  }
  const makes = Array.from({ length: 2_000 }, () => word(2 + Math.floor(random() * 2)))
  const devices = new Map<string, Device>()
  while (devices.size < count) {
    const make = makes[Math.floor(random() ** 3 * makes.length)] as string
    const code = `${pick(['SM', 'XT', 'RMX', 'CPH', 'M', 'TB'])}-${pick(['A', 'G', 'X', 'T'])}${Math.floor(random() * 9999)}`
    const name =
      random() < 0.4
        ? code
        : `${word(2)} ${pick(['A', 'S', 'X', 'Z', ''])}${Math.floor(random() * 90) + 1} ${pick(LINES)}`
    const id = deviceIdFor(make, name)
    if (devices.has(id)) continue
    const storages = random() < 0.1 ? STORAGES : [pick(STORAGES)]
    devices.set(id, {
      id,
      name,
      make,
      category: pick(CATEGORIES),
      modelNumbers: [code],
      modelIdentifiers: [`${word(2).toLowerCase()}_${Math.floor(random() * 1000)}`],
      specifications: { memory: `${2 + Math.floor(random() * 10)}GB`, chip: word(3), display: '6.5 inch' },
      releasedOn: random() < 0.3 ? `20${10 + Math.floor(random() * 15)}-0${1 + Math.floor(random() * 9)}-15` : null,
      releasePrecision: 'day',
      status: random() < 0.5 ? 'active' : 'discontinued',
      variants: storages.map((storage) => {
        const attributes = [
          { name: 'storage', value: storage },
          { name: 'color', value: pick(COLORS) },
        ]
        const ownId = variantIdFor(id, attributes)
        return {
          id: ownId,
          sku: ownId.toUpperCase(),
          name: attributes.map((attribute) => attribute.value).join(' '),
          listCents: 19_900 + Math.floor(random() * 1000) * 100,
          partNumbers: [],
          modelNumbers: [code],
          attributes,
          disabled: false,
        }
      }),
    })
  }
  return [...devices.values()]
}
