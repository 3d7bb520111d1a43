/** Titles generated from the catalogue. */
import type { Device } from '../../src/catalog/device.ts'
import { createResolver } from '../../src/catalog/matching/resolver.ts'
import { type LabelledTitle, type MatchScore, scoreMatching } from './match-score.ts'

/** Typical shop titles of a device, for one of its variants. */
function syntheticTitles(device: Device): string[] {
  const variant = device.variants[device.variants.length >> 1]
  const attribute = (name: string) => variant?.attributes.find((candidate) => candidate.name === name)?.value ?? ''
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

/** Titles of a device must match it or nothing. */
export function evaluateOwnTitles(devices: readonly Device[]): MatchScore {
  const rows = devices.flatMap((device) => rowsOf(device, device.id))
  return scoreMatching(rows, createResolver(devices), () => true)
}

/** Removes each device from the catalogue in turn; any match of its titles is then wrong. */
export function evaluateRemovedDevices(devices: readonly Device[], removed: readonly Device[]): MatchScore {
  const scores = removed.map((device) => {
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
