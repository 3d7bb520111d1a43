import type { DeviceWire } from '../../../src/contract/device.ts'
import { looksLikeIdentifier } from '../lookups/identifier-check.ts'

export type PaletteEntry = {
  readonly to: string
  readonly text: string
  /** Shown beside the text. */
  readonly kind: string
  /** Passed in memory, never in the URL. */
  readonly identifier?: string
}

const LOOKUP_ID = /^lkp_\w{1,60}$/
const MAX_DEVICES = 7

/** Entries for a search text, most certain first. */
export function findPaletteEntries(
  text: string,
  pages: readonly { readonly to: string; readonly name: string }[],
  devices: readonly Pick<DeviceWire, 'id' | 'name' | 'make'>[],
): PaletteEntry[] {
  const wanted = text.trim()
  if (LOOKUP_ID.test(wanted)) return [{ to: `/dashboard/lookups/${wanted}`, text: wanted, kind: 'Lookup' }]
  if (looksLikeIdentifier(wanted)) {
    return [
      { to: '/dashboard/check', text: `Check ${wanted}`, kind: 'Identifier', identifier: wanted },
      {
        to: `/dashboard/lookups#${encodeURIComponent(wanted)}`,
        text: `Earlier checks of ${wanted}`,
        kind: 'Lookup history',
      },
    ]
  }
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = (name: string) => words.every((word) => name.toLowerCase().includes(word))
  return [
    ...pages.filter(({ name }) => fits(name)).map(({ to, name }) => ({ to, text: name, kind: 'Page' })),
    ...devices
      .slice(0, MAX_DEVICES)
      .map(({ id, name, make }) => ({ to: `/dashboard/devices/${id}`, text: name, kind: make.name })),
  ]
}
