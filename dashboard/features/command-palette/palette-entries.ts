import i18next from 'i18next'
import type { DeviceWire } from '../../../src/contract/device.ts'
import { deviceName } from '../../format.ts'
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
  const t = i18next.getFixedT(null, 'command-palette')
  if (LOOKUP_ID.test(wanted)) return [{ to: `/dashboard/lookups/${wanted}`, text: wanted, kind: t('lookup') }]
  if (looksLikeIdentifier(wanted)) {
    return [
      { to: '/dashboard/check', text: t('check', { identifier: wanted }), kind: t('identifier'), identifier: wanted },
      {
        to: `/dashboard/lookups#${encodeURIComponent(wanted)}`,
        text: t('earlier', { identifier: wanted }),
        kind: t('history'),
      },
    ]
  }
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = (name: string) => words.every((word) => name.toLowerCase().includes(word))
  return [
    ...pages.filter(({ name }) => fits(name)).map(({ to, name }) => ({ to, text: name, kind: t('page') })),
    ...devices
      .slice(0, MAX_DEVICES)
      .map((device) => ({ to: `/dashboard/devices/${device.id}`, text: deviceName(device), kind: device.make.name })),
  ]
}
