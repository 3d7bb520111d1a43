/** Titles generated from the catalogue. */
import type { Device } from '../../src/catalog/device.ts'
import { createResolver } from '../../src/catalog/matching/resolver.ts'
import { type LabelledTitle, type MatchScore, scoreMatching } from './match-score.ts'

/** Typical shop titles of a device, for one of its variants. */
function syntheticTitles(device: Device): string[] {
  const variant = device.variants[device.variants.length >> 1]
  const attribute = (name: string) => variant?.attributes.find((one) => one.name === name)?.value ?? ''
  const { make, name } = device
  const full = name.toLowerCase().startsWith(make.toLowerCase()) ? name : `${make} ${name}`
  const storage = attribute('storage')
  const color = attribute('color')
  const joined = name.replaceAll(' ', '')
  const titles = [
    full,
    `${full} ${storage} ${color}`,
    `${name} ${storage}`,
    full.toLowerCase(),
    `${full} ${storage}`.toLowerCase(),
    `${name} ${color}`,
    `${full} - ${storage} - ${color} (Unlocked)`,
    joined,
    `${make} ${joined} ${storage}`,
    `${storage} ${full}`,
    `used ${full} ${color} good condition`,
  ]
  return [...new Set(titles.map((title) => title.trim()))]
}

const rowsOf = (device: Device, expected: string): LabelledTitle[] =>
  syntheticTitles(device).flatMap((text) => [
    { listing: { text }, expected },
    { listing: { text, make: device.make }, expected },
  ])

/** Every device must be found by its own titles, or not at all: never another. */
export function evaluateOwnTitles(devices: readonly Device[]): MatchScore {
  const rows = devices.flatMap((device) => rowsOf(device, device.id))
  return scoreMatching(rows, createResolver(devices), () => true)
}

/** Each of the chosen devices is taken out of the catalogue in turn: whatever its titles match then is wrong. */
export function evaluateRemovedDevices(devices: readonly Device[], chosen: readonly Device[]): MatchScore {
  const scores = chosen.map((device) => {
    const others = devices.filter((other) => other !== device)
    return scoreMatching(rowsOf(device, '-'), createResolver(others), () => true)
  })
  return {
    correct: scores.reduce((sum, score) => sum + score.correct, 0),
    wrong: scores.flatMap((score) => score.wrong),
    missed: [],
    rows: scores.reduce((sum, score) => sum + score.rows, 0),
    toMatch: 0,
  }
}
