/**
 * Nested random effects: the level of an organization in a line of devices is its level in all, plus the deviation of a category,
 * of a make in it, and of the years of release. Each has a normal prior, so a level travels only as far as prices agree.
 */
import { median, NORMAL_MEDIAN } from '../model/quantile.ts'

/** What decides how much one device says about another. */
export type LevelSubject = {
  readonly category: string
  readonly make: string
  readonly releasedAt: number | null
}

/** The level of one device from its own prices, with its variance. */
export type DeviceLevel = { readonly subject: LevelSubject; readonly ln: number; readonly variance: number }

/** Variances (ln) of the deviation of each depth: of an organization, a category, a make in it, and its years of release. */
const LEVEL_VARIANCE = 0.0036
const VARIANCES = [0.1, 0.34, 0.34, 0.22].map((share) => share * LEVEL_VARIANCE)
const YEARS_PER_GROUP = 2
/** Fewer devices with prices do not make a group: the deviation of one device is its own. */
export const MIN_GROUP_DEVICES = 3
/** A device this many standard errors from its group does not count, a nearer one the less the farther it is (Tukey's biweight). */
const BIWEIGHT_LIMIT = 4
/** So many devices weigh as much as the expected spread in the spread of devices. */
const EXPECTED_DEVICES = 5
/** Beyond this (ln) from the median of its group a device does not count. */
const MAX_GROUP_DISTANCE = 0.5

/** Catalogues use singular and plural category names. */
export const categoryKey = (category: string) =>
  category
    .trim()
    .toLowerCase()
    .replace(/(?<=ch)es$|s$/, '')

/** From all devices to the finest group. */
function pathOf({ category, make, releasedAt }: LevelSubject): string[] {
  const years = releasedAt === null ? '' : `${Math.floor(new Date(releasedAt).getUTCFullYear() / YEARS_PER_GROUP)}`
  const parts = [categoryKey(category), make.trim().toLowerCase(), years]
  return ['', ...parts.map((_, depth) => parts.slice(0, depth + 1).join('\t'))]
}

type Group = {
  readonly key: string
  readonly children: Group[]
  readonly devices: Member[]
  /** Variance of its deviation from its parent. */
  readonly variance: number
  level: number
}

type Member = { readonly ln: number; readonly precision: number }

export type LevelTree = {
  readonly devices: number
  /** The level of the finest group of a device. */
  readonly levelOf: (subject: LevelSubject) => number
  /** The median of the devices of that group, before it is shrunk. */
  readonly centerOf: (subject: LevelSubject) => number
}

export function fitLevelTree(devices: readonly DeviceLevel[]): LevelTree {
  const paths = devices.map(({ subject }) => pathOf(subject))
  const members = Map.groupBy(
    paths.flatMap((path, at) => path.map((key) => ({ key, at }))),
    ({ key }) => key,
  )
  const isGroup = (key: string) => (members.get(key)?.length ?? 0) >= MIN_GROUP_DEVICES
  const centers = new Map(
    [...members].map(([key, ofGroup]) => [key, median(ofGroup.map(({ at }) => (devices[at] as DeviceLevel).ln))]),
  )
  const groupOf = (path: readonly string[]) => path.findLastIndex(isGroup)
  const errors = devices.map(({ ln, variance }, at) => {
    const path = paths[at] as string[]
    return Math.abs(ln - (centers.get(path[groupOf(path)] ?? '') ?? 0)) / Math.sqrt(variance)
  })
  const limit = BIWEIGHT_LIMIT * spreadOfErrors(errors)
  const groups = new Map<string, Group>()
  for (const [at, { ln, variance }] of devices.entries()) {
    const path = paths[at] as string[]
    const depth = groupOf(path)
    if (depth < 0) continue
    const group = groupAt(groups, path, depth)
    const ungrouped = VARIANCES.slice(depth + 1).reduce((sum, deviation) => sum + deviation, 0)
    const isNear = Math.abs(ln - (centers.get(group.key) ?? 0)) <= MAX_GROUP_DISTANCE
    const weight = isNear ? biweight((errors[at] as number) / limit) : 0
    group.devices.push({ ln, precision: weight / (variance + ungrouped) })
  }
  const root = groups.get('')
  if (root) solve(root)
  const finest = (subject: LevelSubject) => {
    const path = pathOf(subject)
    return path[path.findLastIndex((key) => groups.has(key))]
  }
  return {
    devices: devices.length,
    levelOf: (subject) => groups.get(finest(subject) ?? '')?.level ?? 0,
    centerOf: (subject) => centers.get(finest(subject) ?? '') ?? 0,
  }
}

function groupAt(groups: Map<string, Group>, path: readonly string[], depth: number): Group {
  const key = path[depth] as string
  const existing = groups.get(key)
  if (existing) return existing
  const group: Group = { key, children: [], devices: [], variance: VARIANCES[depth] as number, level: 0 }
  groups.set(key, group)
  if (depth > 0) groupAt(groups, path, depth - 1).children.push(group)
  return group
}

/** How much more devices vary than expected, from their distances from their group in standard errors; at least 1. */
function spreadOfErrors(errors: readonly number[]): number {
  if (errors.length === 0) return 1
  const measured = (median(errors) / NORMAL_MEDIAN) ** 2
  return Math.sqrt(Math.max(1, (measured * errors.length + EXPECTED_DEVICES) / (errors.length + EXPECTED_DEVICES)))
}

const biweight = (distance: number) => (distance < 1 ? (1 - distance ** 2) ** 2 : 0)

type Belief = { readonly precision: number; readonly sum: number }

const ZERO: Belief = { precision: 0, sum: 0 }
const plus = (a: Belief, b: Belief): Belief => ({ precision: a.precision + b.precision, sum: a.sum + b.sum })
const minus = (a: Belief, b: Belief): Belief => ({ precision: a.precision - b.precision, sum: a.sum - b.sum })

/** What a belief says about a neighbour that deviates by this variance. */
function across({ precision, sum }: Belief, variance: number): Belief {
  if (precision <= 0) return ZERO
  const share = 1 / (1 + precision * variance)
  return { precision: precision * share, sum: sum * share }
}

/** Exact posterior of all groups: messages from the leaves to the root and back (Gaussian belief propagation). */
function solve(root: Group): void {
  const messages = new Map<Group, Belief>()
  const beliefs = new Map<Group, Belief>()
  const collect = (group: Group): Belief => {
    const ofDevices = group.devices.reduce(
      (sum, { ln, precision }) => plus(sum, { precision, sum: precision * ln }),
      ZERO,
    )
    const own = group.children.reduce((sum, child) => plus(sum, collect(child)), ofDevices)
    const message = across(own, group.variance)
    messages.set(group, message)
    beliefs.set(group, own)
    return message
  }
  const distribute = (group: Group, fromParent: Belief) => {
    const posterior = plus(beliefs.get(group) ?? ZERO, fromParent)
    group.level = posterior.precision > 0 ? posterior.sum / posterior.precision : 0
    for (const child of group.children)
      distribute(child, across(minus(posterior, messages.get(child) ?? ZERO), child.variance))
  }
  collect(root)
  distribute(root, { precision: 1 / root.variance, sum: 0 })
}
