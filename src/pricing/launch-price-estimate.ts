import { type Device, type DeviceRegistry, slug } from '../catalog/device.ts'
import { memoizeWeak } from '../lib/memoize.ts'
import { startOfDay, YEAR_MS } from '../lib/time.ts'
import { type BackgroundTask, backgroundTask, type TimeSliced } from '../lib/time-sliced.ts'
import { PRICING_METHOD } from './model/method.ts'
import { type LineMember, lineMember } from './successor-order.ts'

/** Estimate of an unknown launch price of the smallest variant, and its standard deviation (ln). */
export type EstimatedLaunchPrice = { readonly cents: number; readonly spread: number; readonly releasedAt: number }

/**
 * Estimates the launch price from specifications, make, product line and model class, and from the price of its predecessor. The
 * regression is fitted on all priced devices of the category. Null if there are too few, or if neither the make nor
 * specifications and release date are known.
 */
export function estimateLaunchPrice(device: Device, registry: DeviceRegistry): EstimatedLaunchPrice | null {
  const model = modelOf(device.category, registry).finishNow()
  if (!model) return null
  const terms = termsOf(device)
  // A model without a release date is most likely the newest of its make.
  const releasedAt = releaseInstant(device) ?? model.newestOfMake.get(device.make) ?? model.medianRelease
  const predecessor = predecessorOf(model.classes.get(classKey(terms)) ?? [], releasedAt)
  const known = new Set(terms.filter(({ key }) => model.effects.has(key)).map(({ kind }) => kind))
  const isDescribed =
    device.releasedOn !== null && MEASURES_NEEDED.every((name) => !terms.some(({ key }) => key === `no ${name}`))
  if (!known.has('make') && !isDescribed) return null
  const fitted = terms.reduce((sum, { key, value }) => sum + (model.effects.get(key) ?? 0) * value, model.mean)
  const isBare = model.isUsuallyMeasured && !terms.some(isMeasured)
  const ln = predecessor === undefined ? fitted : isBare ? predecessor.ln : (fitted + predecessor.ln) / 2
  const spread = known.has('class') ? 0.2 : known.has('line') ? 0.26 : known.has('make') ? 0.5 : 0.6
  return {
    cents: Math.round(Math.exp(ln)),
    spread: Math.max(
      isBare && !predecessor ? BARE_SPREAD : 0,
      spread * (model.rows < FEW_DEVICES ? FEW_DEVICES_FACTOR : 1),
    ),
    releasedAt,
  }
}

/** The devices of a line with a launch price; none of a line with one device. */
export function membersOfLine(category: string, line: string, registry: DeviceRegistry): readonly LineMember[] {
  return modelOf(category, registry).finishNow()?.lines.get(line) ?? []
}

/** The newest device of the class before this one; an old one says little. */
function predecessorOf(devicesOfClass: readonly ClassMember[], releasedAt: number): ClassMember | undefined {
  return devicesOfClass
    .filter(({ released }) => released < releasedAt && released >= releasedAt - PREDECESSOR_MS)
    .reduce<ClassMember | undefined>(
      (newest, one) => (newest && newest.released >= one.released ? newest : one),
      undefined,
    )
}

const classKey = (terms: readonly Term[]) => terms.find(({ kind }) => kind === 'class')?.key ?? ''
/** The release date and the kind of display are known of every device. */
const isMeasured = ({ kind, key }: Term) =>
  kind === 'measure' && key.startsWith('measure ') && key !== 'measure year' && key !== 'measure oled'

const PREDECESSOR_MS = 6 * YEAR_MS
/** Spread of an estimate without any specification, in a category whose devices usually have some. */
const BARE_SPREAD = 0.6

/** Errors of categories with fewer devices are larger by this factor; like the spreads above from cross-validation. */
const FEW_DEVICES = 100
const FEW_DEVICES_FACTOR = 1.6
const MIN_DEVICES = 5
/** Without them a make that has no known price would get the average of its category. */
const MEASURES_NEEDED = ['memory', 'storage']
/** The first ones are used: a registry lists the newest first. */
const MAX_DEVICES = 3000
const DEVICES_PER_STEP = 50
/** Prior weight of zero for every effect, in devices. */
const PENALTY = 1
const MAX_ROUNDS = 40
const CONVERGED = 0.01

/** A device with a price, by its model class. */
type ClassMember = { readonly released: number; readonly ln: number }

type LaunchPriceModel = {
  readonly rows: number
  readonly mean: number
  readonly effects: ReadonlyMap<string, number>
  readonly classes: ReadonlyMap<string, readonly ClassMember[]>
  /** Devices with a price by product line. */
  readonly lines: ReadonlyMap<string, readonly LineMember[]>
  readonly isUsuallyMeasured: boolean
  readonly newestOfMake: ReadonlyMap<string, number>
  readonly medianRelease: number
}

/** The maps of a model, as they are stored. */
type StoredMaps = {
  readonly [Name in 'effects' | 'classes' | 'lines' | 'newestOfMake']: LaunchPriceModel[Name] extends ReadonlyMap<
    string,
    infer Value
  >
    ? readonly (readonly [string, Value])[]
    : never
}

/** After a change of the registry the models of its predecessor serve until `fitLaunchPrices` has fitted others. */
const modelCache = memoizeWeak((_: object) => new Map<string, BackgroundTask<LaunchPriceModel | null>>())

const fitOf = (category: string, registry: DeviceRegistry) => backgroundTask(readOrFitModel(category, registry))

/** Reading all devices takes longer than the start of a service, so that the fit is stored with them. */
function* readOrFitModel(category: string, registry: DeviceRegistry): TimeSliced<LaunchPriceModel | null> {
  const name = `launch prices ${PRICING_METHOD} ${category}`
  const stored = registry.readDerived?.(name)
  if (stored !== undefined) return fromJson(stored)
  const model = yield* fitModel(registry.listDevicesOfCategory?.(category) ?? [])
  registry.storeDerived?.(name, toJson(model))
  return model
}

const toJson = (model: LaunchPriceModel | null) => JSON.stringify(model && { ...model, ...entriesOf(model) })

const entriesOf = ({ effects, classes, lines, newestOfMake }: LaunchPriceModel): StoredMaps => ({
  effects: [...effects],
  classes: [...classes],
  lines: [...lines],
  newestOfMake: [...newestOfMake],
})

function fromJson(json: string): LaunchPriceModel | null {
  const stored = JSON.parse(json) as (Omit<LaunchPriceModel, keyof StoredMaps> & StoredMaps) | null
  return (
    stored && {
      ...stored,
      effects: new Map(stored.effects),
      classes: new Map(stored.classes),
      lines: new Map(stored.lines),
      newestOfMake: new Map(stored.newestOfMake),
    }
  )
}

/** The fit of a category, which may still be running. */
function modelOf(category: string, registry: DeviceRegistry): BackgroundTask<LaunchPriceModel | null> {
  return modelCache(registry.source ?? registry).getOrInsertComputed(category, () => fitOf(category, registry))
}

/** Fits the models of these categories between requests, so that no request has to wait for it. */
export function* fitLaunchPrices(registry: DeviceRegistry, categories: Iterable<string>): TimeSliced<void> {
  const byCategory = modelCache(registry.source ?? registry)
  for (const category of categories) {
    const fit = fitOf(category, registry)
    if (!byCategory.has(category)) byCategory.set(category, fit)
    yield* fit.remainingWork()
    byCategory.set(category, fit)
  }
}

/** Ridge regression of ln(launch price) by coordinate descent. */
function* fitModel(devices: Iterable<Device>): TimeSliced<LaunchPriceModel | null> {
  const rows: { device: Device; ln: number; released: number | undefined }[] = []
  let read = 0
  for (const device of devices) {
    if (read++ % DEVICES_PER_STEP === 0) yield
    const cents = lowestPriceCents(device)
    if (cents !== undefined) rows.push({ device, ln: Math.log(cents), released: releaseInstant(device) })
    if (rows.length === MAX_DEVICES) break
  }
  rows.sort((a, b) => (b.released ?? 0) - (a.released ?? 0))
  if (rows.length < MIN_DEVICES) return null
  const columns = new Map<string, { readonly rows: number[]; readonly values: number[] }>()
  const classes = new Map<string, ClassMember[]>()
  const lines = new Map<string, LineMember[]>()
  let measured = 0
  for (const [row, { device, ln, released }] of rows.entries()) {
    if (row % DEVICES_PER_STEP === 0) yield
    const terms = termsOf(device)
    if (terms.some(isMeasured)) measured += 1
    if (released !== undefined) classes.getOrInsertComputed(classKey(terms), () => []).push({ released, ln })
    const inLine = lineMember(device)
    if (inLine) lines.getOrInsertComputed(inLine.key, () => []).push(inLine.member)
    for (const { key, value } of terms) {
      const column = columns.get(key) ?? { rows: [], values: [] }
      if (column.rows.length === 0) columns.set(key, column)
      column.rows.push(row)
      column.values.push(value)
    }
  }
  const mean = rows.reduce((sum, { ln }) => sum + ln, 0) / rows.length
  const residuals = Float64Array.from(rows, ({ ln }) => ln - mean)
  const effects = [...columns.values()].map((column) => createEffect(column, residuals))
  for (let round = 0, change = 1; round < MAX_ROUNDS && change > CONVERGED; round++) {
    yield
    change = 0
    for (const effect of effects) change = Math.max(change, Math.abs(effect.improve()))
  }
  const newestOfMake = new Map<string, number>()
  for (const { device, released = 0 } of rows) {
    newestOfMake.set(device.make, Math.max(released, newestOfMake.get(device.make) ?? 0))
  }
  const releases = rows.flatMap(({ released }) => released ?? []).sort((a, b) => a - b)
  return {
    rows: rows.length,
    mean,
    classes,
    lines: new Map([...lines].filter(([, members]) => members.length > 1)),
    isUsuallyMeasured: measured > rows.length / 2,
    effects: new Map([...columns.keys()].map((key, at) => [key, effects[at]?.value() ?? 0])),
    newestOfMake,
    medianRelease: releases[releases.length >> 1] ?? 0,
  }
}

/** One effect of the regression: `improve` moves it to its best value and takes its share out of the residuals. */
function createEffect(
  column: { readonly rows: readonly number[]; readonly values: readonly number[] },
  residuals: Float64Array,
) {
  const rows = Int32Array.from(column.rows)
  const values = Float64Array.from(column.values)
  let squares = PENALTY
  for (let at = 0; at < values.length; at++) squares += values[at]! ** 2
  let effect = 0
  return {
    value: () => effect,
    improve(): number {
      let weighted = -PENALTY * effect
      for (let at = 0; at < rows.length; at++) {
        weighted += values[at]! * residuals[rows[at]!]!
      }
      const step = weighted / squares
      effect += step
      for (let at = 0; at < rows.length; at++) {
        residuals[rows[at]!] = residuals[rows[at]!]! - step * values[at]!
      }
      return step
    },
  }
}

const releaseInstant = ({ releasedOn }: Device) => (releasedOn === null ? undefined : startOfDay(releasedOn))

/** List price of the cheapest variant, or else its price announced elsewhere. */
export function lowestPriceCents({ variants }: Device): number | undefined {
  const listed = variants.flatMap(({ listCents }) => (listCents > 0 ? [listCents] : []))
  const prices = listed.length ? listed : variants.flatMap(({ announcedCents }) => announcedCents ?? [])
  return prices.length ? Math.min(...prices) : undefined
}

type TermKind = 'make' | 'line' | 'class' | 'word' | 'chip' | 'measure'
type Term = { readonly kind: TermKind; readonly key: string; readonly value: number }

/** What the price of a device depends on: groups it belongs to, and measures of its specifications. */
function termsOf(device: Device): Term[] {
  const { make, name, specifications } = device
  const tokens = slug(name)
    .replace(`${slug(make)}-`, '')
    .split('-')
    .filter((token) => !/^(?:[45]?g|gen|(?:19|20)\d\d)$/.test(token))
  const words = tokens.flatMap((token) => token.match(/[a-z]+/g) ?? [])
  // "Galaxy A57" and "Galaxy A56" are one class: the last digit counts the generation.
  const modelClass = tokens
    .filter((token) => !/^\d$/.test(token))
    .map((token) => token.replace(/\d+/g, (digits) => `${digits.slice(0, -1)}_`))
    .join('-')
  const chip = slug(specifications.chip ?? specifications.graphics ?? '').split('-')
  const group = (kind: TermKind, text: string): Term => ({ kind, key: `${kind} ${text}`, value: 1 })
  return [
    group('make', make),
    group('line', `${make} ${words[0] ?? ''}`),
    group('class', `${make} ${modelClass}`),
    ...Array.from(new Set(words), (word) => group('word', word)),
    // "Snapdragon 888" and "Snapdragon 870" are one family.
    group('chip', `${chip[0]} ${chip[1]?.replace(/^(\d)\d+/, '$1') ?? ''}`),
    ...measuresOf(device),
  ]
}

/** Measures of the specifications as ln of their ratio to a usual value; a missing one has an effect of its own. */
function measuresOf(device: Device): Term[] {
  const { display = '', memory, storage, rear_camera: camera = '' } = device.specifications
  const [, width, height] = /(\d{3,5})\s*x\s*(\d{3,5})/i.exec(display) ?? []
  const released = releaseInstant(device)
  const measures: Record<string, number | undefined> = {
    memory: lnRatio(smallestGigabytes(memory), 8),
    storage: lnRatio(smallestGigabytes(storage), 128),
    inches: lnRatio(firstNumber(display, /(\d+(?:\.\d+)?)[ -]?inch/i), 6.5),
    pixels: lnRatio(width && height ? Number(width) * Number(height) : undefined, 2_500_000),
    refresh: lnRatio(firstNumber(display, /(\d+)\s*Hz/i), 60),
    camera: lnRatio(firstNumber(camera, /(\d+)\s*MP/i), 12),
    oled: /oled/i.test(display) ? 1 : 0,
    year: released === undefined ? undefined : (released - REFERENCE_RELEASE) / YEAR_MS,
  }
  return Object.entries(measures).map(([name, value]) =>
    value === undefined
      ? { kind: 'measure', key: `no ${name}`, value: 1 }
      : { kind: 'measure', key: `measure ${name}`, value },
  )
}

const REFERENCE_RELEASE = startOfDay('2021-01-01')
const lnRatio = (value: number | undefined, usual: number) => (value ? Math.log(value / usual) : undefined)

function firstNumber(text: string, pattern: RegExp): number | undefined {
  const match = pattern.exec(text)
  return match ? Number(match[1]) : undefined
}

/** Of "8GB, 12GB" or "512 GB, 1TB". */
function smallestGigabytes(text = ''): number | undefined {
  const sizes = Array.from(text.matchAll(/(\d+(?:\.\d+)?)\s*(mb|gb|tb)/gi), ([, amount, unit]) => {
    const factor = { mb: 1 / 1024, gb: 1, tb: 1024 }[unit?.toLowerCase() as 'mb' | 'gb' | 'tb']
    return Number(amount) * factor
  })
  return sizes.length ? Math.min(...sizes) : undefined
}
