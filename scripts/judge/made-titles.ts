/** Titles made of the catalogue itself. */
import type { Device } from '../../src/catalog/device.ts'
import { openResolver } from '../../src/resolver/resolver.ts'
import { type Judged, judgeMatching, type Labelled } from './matching.ts'

/** The ways a shop writes a device of which it knows everything; one variant stands for all. */
function madeTitles(device: Device): string[] {
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

const rowsOf = (device: Device, expected: string): Labelled[] =>
  madeTitles(device).flatMap((text) => [
    { listing: { text }, expected },
    { listing: { text, make: device.make }, expected },
  ])

/** Every device must be found by its own titles, or not at all: never another. */
export function judgeSelf(devices: readonly Device[]): Judged {
  const rows = devices.flatMap((device) => rowsOf(device, device.id))
  return judgeMatching(rows, openResolver(devices), () => true)
}

/** Each of the chosen devices is taken out of the catalogue in turn: whatever its titles match then is wrong. */
export function judgeLeftOut(devices: readonly Device[], chosen: readonly Device[]): Judged {
  const judged = chosen.map((device) => {
    const others = devices.filter((other) => other !== device)
    return judgeMatching(rowsOf(device, '-'), openResolver(others), () => true)
  })
  return {
    right: judged.reduce((sum, one) => sum + one.right, 0),
    wrong: judged.flatMap((one) => one.wrong),
    missed: [],
    rows: judged.reduce((sum, one) => sum + one.rows, 0),
    toMatch: 0,
  }
}
