import type { ServiceSettingsWire } from '../../../src/contract/service-settings.ts'

type Feed = ServiceSettingsWire['feeds'][number]

/** The settings of a feed as they are sent again; its secrets stay as they are stored. */
export function feedBody({ format, address, template, api, schedule, time_zone: timeZone, options }: Feed) {
  const common = { schedule, options, ...(timeZone === null ? {} : { time_zone: timeZone }) }
  if (template) return { ...common, template }
  return { ...common, format, url: address, ...(api ? { api } : {}) }
}
