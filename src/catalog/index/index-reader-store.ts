import { LRUCache } from 'lru-cache'
import type { LocalDatabase } from '../../db/sqlite/local-database.ts'
import { type Device, slug } from '../device.ts'
import { type BaseUrl, presentDevice, presentVariantInContext } from '../present.ts'
import {
  type DeviceFilters,
  type DeviceNumber,
  LARGE_REGISTRY_DEVICES,
  type LabelCount,
  type LabelKind,
  type PageRange,
  type Registry,
  type Selection,
  type StaticSort,
  type VariantFilters,
  type VariantKey,
} from '../registry.ts'
import { search } from '../search/search.ts'
import { foldCode, foldName } from '../search/search-term.ts'
import { deviceConditions, indexSearch } from './index-search-store.ts'
import { readFact } from './index-store.ts'

/** Of parsed devices, by the length of their JSON; an object takes a few times as much. */
const DEVICE_CACHE_BYTES = 4_000_000
/** Of devices and variants in their wire form. */
const JSON_CACHE_BYTES = 8_000_000
/** Counting more rows takes too long for one request. */
const MAX_COUNTED_ROWS = { oneFilter: 100_000, severalFilters: 10_000 } as const

const SORT_COLUMNS: Readonly<Record<StaticSort, string>> = {
  name: 'name_key',
  price_low: 'price_low',
  price_high: 'price_high',
}

const encoder = new TextEncoder()

export type RegistryReader = {
  /** A view of the index. Call it again after a change, for an object of another identity. */
  createRegistry(): Registry
  /** Drops what is cached, after a change. */
  forget(): void
  /** Ends reads that are in progress in the background. */
  close(): void
}

/** Reads the registry from the index file. */
export function registryReader(db: LocalDatabase, baseUrl: BaseUrl): RegistryReader {
  const devices = new LRUCache<DeviceNumber, { readonly device: Device; readonly bytes: number }>({
    maxSize: DEVICE_CACHE_BYTES,
    sizeCalculation: ({ bytes }) => bytes + 100,
  })
  const jsons = new LRUCache<string, Uint8Array>({
    maxSize: JSON_CACHE_BYTES,
    sizeCalculation: (json, key) => json.length + key.length * 2 + 100,
  })
  const dataVersion = db.query('pragma data_version')
  let seenVersion = readDataVersion()
  let isClosed = false
  const documentByNumber = db.query('select json from document where number = ?')
  const numberById = db.query('select number from device where id = ?')
  const variantById = db.query('select device, position from variant where id = ? limit 1')
  const codesOf = db.query('select device, position from code where code = ? order by device, position')

  function readDataVersion(): number {
    return (dataVersion.values() as [[number]])[0][0]
  }

  function forget(): void {
    jsons.clear()
    devices.clear()
  }

  /** Another process may have changed the shared file. */
  function forgetIfChanged(): void {
    const version = readDataVersion()
    if (version === seenVersion) return
    seenVersion = version
    forget()
  }

  function deviceAt(number: DeviceNumber): Device {
    const cached = devices.get(number)
    if (cached) return cached.device
    const row = documentByNumber.get(number) as { json: string } | null
    if (!row) throw new Error(`the registry index has no device ${number}`)
    const device = JSON.parse(row.json) as Device
    devices.set(number, { device, bytes: row.json.length })
    return device
  }

  function variantAt({ device: number, position }: VariantKey) {
    const device = deviceAt(number)
    const variant = device.variants[position]
    if (!variant) throw new Error(`the registry index has no variant ${position} of ${device.id}`)
    return { device, variant }
  }

  function cachedJson(key: string, present: () => object): Uint8Array {
    const cached = jsons.get(key)
    if (cached) return cached
    const json = encoder.encode(JSON.stringify(present()))
    jsons.set(key, json)
    return json
  }

  function findDeviceNumber(id: string): DeviceNumber | undefined {
    return (numberById.get(id) as { number: number } | null)?.number
  }

  function findVariantKey(id: string): VariantKey | undefined {
    return (variantById.get(id) as VariantKey | null) ?? undefined
  }

  const keysByCode = (code: string) => codesOf.all(code) as VariantKey[]

  /** Variants with this code. A variant's id counts as a code, because many SKUs repeat it. */
  function variantsByCode(code: string): VariantKey[] {
    const keys = keysByCode(code).filter(({ position }) => position >= 0)
    const byId = findVariantKey(code.toLowerCase())
    if (byId && !keys.some((key) => key.device === byId.device && key.position === byId.position)) keys.push(byId)
    return keys.sort((a, b) => a.device - b.device || a.position - b.position)
  }

  /** Devices that have the code or a variant with it. */
  function devicesByCode(code: string): DeviceNumber[] {
    const numbers = new Set(keysByCode(code).map(({ device }) => device))
    const byId = findVariantKey(code.toLowerCase())
    if (byId) numbers.add(byId.device)
    return [...numbers].sort((a, b) => a - b)
  }

  /** A variant's code finds it alone, a device's code all its variants. */
  function variantsMeantByCode(code: string): VariantKey[] {
    const own = variantsByCode(code)
    if (own.length) return own
    return keysByCode(code).flatMap(({ device }) =>
      deviceAt(device).variants.map((_, position) => ({ device, position })),
    )
  }

  const { findDevicesByWords, findVariantsByWords, deviceVocabulary, variantVocabulary } = indexSearch(db)

  function filterDevices(numbers: readonly DeviceNumber[], filters: DeviceFilters): DeviceNumber[] {
    const { conditions, values } = deviceConditions(filters)
    if (!conditions.length) return [...numbers]
    const passes = db.query(`select 1 from device where number = ? and ${conditions.join(' and ')}`)
    return numbers.filter((number) => passes.get(number, ...values) !== null)
  }

  function filterVariants(keys: readonly VariantKey[], filters: VariantFilters): VariantKey[] {
    const { sku, ...others } = filters
    const { from, conditions, values, isEmpty } = variantQuery(others)
    if (isEmpty) return []
    const hasSku = (key: VariantKey) => sku === undefined || foldCode(variantAt(key).variant.sku) === sku
    if (!conditions.length) return keys.filter(hasSku)
    const passes = db.query(
      `select 1 from ${from} where ${conditions.join(' and ')} and v.device = ? and v.position = ?`,
    )
    return keys.filter((key) => passes.get(...values, key.device, key.position) !== null && hasSku(key))
  }

  /** The attribute that fewest variants have is the first: the others are checked for each of its variants. */
  function attributeNumbers(keys: readonly string[]): number[] | null {
    const find = db.query('select number from attribute where key = ?')
    const numbers: number[] = []
    for (const key of keys) {
      const row = find.get(key) as { number: number } | null
      if (!row) return null
      numbers.push(row.number)
    }
    if (numbers.length < 2) return numbers
    const count = db.query(
      'select count(*) as count from (select 1 from variant_attribute where attribute = ? limit 10000)',
    )
    const counts = new Map(numbers.map((number) => [number, (count.get(number) as { count: number }).count]))
    return numbers.sort((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0))
  }

  type VariantQuery = {
    readonly from: string
    readonly conditions: readonly string[]
    readonly values: readonly (string | number)[]
    /** Whether the filters contradict what the registry contains. */
    readonly isEmpty: boolean
  }

  function variantQuery({ make, category, deviceId, disabled, attributes }: Omit<VariantFilters, 'sku'>): VariantQuery {
    const device = deviceId === undefined ? undefined : findDeviceNumber(deviceId)
    const numbers = attributeNumbers(attributes)
    const isUnknownDevice = deviceId !== undefined && device === undefined
    const isNoBoolean = disabled !== undefined && disabled !== 'true' && disabled !== 'false'
    if (isUnknownDevice || isNoBoolean || numbers === null)
      return { from: '', conditions: [], values: [], isEmpty: true }
    const ofDevice = deviceConditions({ make, category }, 'd.')
    const conditions: string[] = []
    const values: (string | number)[] = []
    const add = (condition: string, ...more: (string | number)[]) => {
      conditions.push(condition)
      values.push(...more)
    }
    const [first, ...others] = numbers
    const table = first === undefined ? 'variant v' : 'variant_attribute v'
    if (first !== undefined) add('v.attribute = ?', first)
    if (device !== undefined) add('v.device = ?', device)
    for (const condition of ofDevice.conditions) conditions.push(condition)
    values.push(...ofDevice.values)
    for (const other of others) {
      add(
        'exists (select 1 from variant_attribute o where o.attribute = ? and o.device = v.device and o.position = v.position)',
        other,
      )
    }
    if (disabled !== undefined) {
      const value = disabled === 'true' ? 1 : 0
      if (first === undefined) add('v.disabled = ?', value)
      else {
        add(
          'exists (select 1 from variant o where o.device = v.device and o.position = v.position and o.disabled = ?)',
          value,
        )
      }
    }
    // A cross join keeps its order: the filter with the index comes first.
    const joinsDevice = ofDevice.conditions.length > 0
    const from = !joinsDevice
      ? table
      : first === undefined
        ? `device d cross join ${table} on v.device = d.number`
        : `${table} cross join device d on d.number = v.device`
    return { from, conditions, values, isEmpty: false }
  }

  function selectVariants(filters: VariantFilters, { offset, limit }: PageRange): Selection<VariantKey> {
    if (filters.sku !== undefined) {
      const keys = filterVariants(variantsByCode(filters.sku), filters)
      return { keys: keys.slice(offset, offset + limit), total: keys.length, isTotalCapped: false }
    }
    const { from, conditions, values, isEmpty } = variantQuery(filters)
    if (isEmpty) return { keys: [], total: 0, isTotalCapped: false }
    const where = conditions.length ? `where ${conditions.join(' and ')}` : ''
    const order = from.startsWith('device d') ? 'd.number, v.position' : 'v.device, v.position'
    const keys = db
      .query(
        `select v.device as device, v.position as position from ${from} ${where} order by ${order} limit ? offset ?`,
      )
      .all(...values, limit, safeOffset(offset)) as VariantKey[]
    const { make, category, deviceId, disabled, attributes } = filters
    if (deviceId === undefined && disabled === undefined && attributes.length === 0) {
      return { keys, ...countDevices({ make, category }, 'variants') }
    }
    const maxCounted = MAX_COUNTED_ROWS[conditions.length > 1 ? 'severalFilters' : 'oneFilter']
    return { keys, ...countRows(`select 1 from ${from} ${where}`, values, maxCounted) }
  }

  function countRows(sql: string, values: readonly (string | number)[], limit: number) {
    const { count } = db.query(`select count(*) as count from (${sql} limit ${limit + 1})`).get(...values) as {
      count: number
    }
    return { total: Math.min(count, limit), isTotalCapped: count > limit }
  }

  /** Exact where the index has the answer, which is the case for at most one filter. */
  function countDevices(filters: DeviceFilters, counted: 'devices' | 'variants') {
    const { conditions, values } = deviceConditions(filters)
    if (conditions.length === 0) return { total: Number(readFact(db, counted) ?? 0), isTotalCapped: false }
    if (conditions.length === 1 && filters.status === undefined) {
      const kind = filters.make === undefined ? 'category' : 'make'
      const row = db.query(`select ${counted} as total from label where kind = ? and key = ?`).get(kind, ...values)
      return { total: (row as { total: number } | null)?.total ?? 0, isTotalCapped: false }
    }
    const where = `where ${conditions.join(' and ')}`
    if (counted === 'devices') {
      const maxCounted = MAX_COUNTED_ROWS[conditions.length > 1 ? 'severalFilters' : 'oneFilter']
      return countRows(`select 1 from device ${where}`, values, maxCounted)
    }
    const row = db.query(`select coalesce(sum(variant_count), 0) as total from device ${where}`).get(...values)
    return { total: (row as { total: number }).total, isTotalCapped: false }
  }

  function selectDevices(
    filters: DeviceFilters,
    { offset, limit }: PageRange,
    sort?: StaticSort,
    except: readonly DeviceNumber[] = [],
  ): Selection<DeviceNumber> {
    const { conditions, values } = deviceConditions(filters)
    const left = except.length ? ['number not in (select value from json_each(?))'] : []
    const all = [...conditions, ...left]
    const where = all.length ? `where ${all.join(' and ')}` : ''
    const order = sort ? `${SORT_COLUMNS[sort]}, number` : 'number'
    const rows = db
      .query(`select number from device ${where} order by ${order} limit ? offset ?`)
      .values(...values, ...(except.length ? [JSON.stringify(except)] : []), limit, safeOffset(offset)) as [number][]
    const { total, isTotalCapped } = countDevices(filters, 'devices')
    return { keys: rows.map(([number]) => number), total: Math.max(0, total - except.length), isTotalCapped }
  }

  function* readDevices(from: string, ...values: string[]): Generator<Device> {
    if (isClosed) return
    // In short reads: a statement that stays open would keep the WAL from shrinking.
    const statement = db.query(`select number, json from ${from} and number > ? order by number limit 50`)
    for (let after = Number.MIN_SAFE_INTEGER; !isClosed; ) {
      const rows = statement.all(...values, after) as { number: number; json: string }[]
      for (const { json } of rows) yield JSON.parse(json) as Device
      const last = rows.at(-1)
      if (!last) return
      after = last.number
    }
  }

  function countLabels(kind: LabelKind): LabelCount[] {
    const column = kind === 'makes' ? 'make' : 'category'
    const rows = db
      .query('select key, devices, variants from label where kind = ? and devices > 0 order by key')
      .all(column) as { key: string; devices: number; variants: number }[]
    // The spelling of the first device in list order.
    const spelling = db.query(`select ${column} as name from device where ${column}_key = ? order by number limit 1`)
    return rows.map(({ key, ...counts }) => ({ name: (spelling.get(key) as { name: string }).name, ...counts }))
  }

  function createRegistry(): Registry {
    const labels = new Map<LabelKind, readonly LabelCount[]>()
    const labelsOf = (kind: LabelKind) => labels.getOrInsertComputed(kind, countLabels)
    let attributeNames: ReadonlySet<string> | undefined
    return {
      ...(Number(readFact(db, 'devices') ?? 0) > LARGE_REGISTRY_DEVICES ? { source: db } : {}),
      deviceCount: () => Number(readFact(db, 'devices') ?? 0),
      variantCount: () => Number(readFact(db, 'variants') ?? 0),
      listDevices: () => readDevices('document where true'),
      listDevicesOfCategory: (category) =>
        readDevices(
          'device join document using (number) where category_key = ? and category = ?',
          foldName(category),
          category,
        ),
      findDevice(id) {
        forgetIfChanged()
        const number = findDeviceNumber(id)
        return number === undefined ? undefined : deviceAt(number)
      },
      findVariant(id) {
        forgetIfChanged()
        const key = findVariantKey(id)
        return key && variantAt(key)
      },
      findDevicesByCode: (code) => devicesByCode(foldCode(code)).map(deviceAt),
      attributeNames() {
        attributeNames ??= new Set(
          (
            db
              .query(
                'select distinct name from attribute where exists (select 1 from variant_attribute where attribute = number)',
              )
              .values() as [string][]
          ).map(([name]) => name),
        )
        return attributeNames
      },
      countLabels: labelsOf,
      findLabel: (kind, labelSlug) => labelsOf(kind).find(({ name }) => (slug(name) || 'unnamed') === labelSlug)?.name,
      findDeviceNumber,
      findVariantKey,
      deviceAt,
      variantAt,
      deviceJson: (number) => cachedJson(`${number}`, () => presentDevice(deviceAt(number), baseUrl)),
      variantJson: (key) =>
        cachedJson(`${key.device} ${key.position}`, () => {
          const { device, variant } = variantAt(key)
          return presentVariantInContext(variant, device, baseUrl)
        }),
      searchDevices(term, filters = {}) {
        forgetIfChanged()
        return search(
          {
            vocabularies: [deviceVocabulary],
            keyOf: (number: DeviceNumber) => number,
            findByCode: (code) => filterDevices(devicesByCode(code), filters),
            findByWords: (words, codeMatches) => findDevicesByWords(words, codeMatches, filters),
          },
          term,
        )
      },
      searchVariants(term, filters = { attributes: [] }) {
        forgetIfChanged()
        return search(
          {
            vocabularies: [variantVocabulary, deviceVocabulary],
            keyOf: ({ device, position }: VariantKey) => `${device} ${position}`,
            findByCode: (code) => filterVariants(variantsMeantByCode(code), filters),
            findByWords: (words, codeMatches) =>
              findVariantsByWords(words, codeMatches, filters, (keys) => filterVariants(keys, filters)),
          },
          term,
        )
      },
      filterDevices,
      filterVariants,
      sortDevices(numbers, sort) {
        const rows = db
          .query(
            `select number from device where number in (select value from json_each(?)) order by ${SORT_COLUMNS[sort]}, number`,
          )
          .values(JSON.stringify(numbers)) as [number][]
        return rows.map(([number]) => number)
      },
      selectDevices(...request) {
        forgetIfChanged()
        return selectDevices(...request)
      },
      selectVariants(...request) {
        forgetIfChanged()
        return selectVariants(...request)
      },
    }
  }

  return {
    createRegistry,
    forget,
    close() {
      isClosed = true
    },
  }
}

/** SQLite rejects larger numbers; no registry has as many rows. */
const safeOffset = (offset: number) => Math.min(offset, 2 ** 40)
