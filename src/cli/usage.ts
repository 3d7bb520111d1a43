import type { Usage } from '../../client/src/index.ts'
import { authStore } from '../auth/auth-store.ts'
import { unknownId } from '../lib/errors.ts'
import { formatItemTable } from '../lib/text-table.ts'
import { dayOf, isDay, startOfMonth } from '../lib/time.ts'
import { presentUsage } from '../usage/quota.ts'
import { quotaStore } from '../usage/quota-store.ts'
import { usageCsv } from '../usage/usage-csv.ts'
import { usageStore } from '../usage/usage-store.ts'
import { type CommandOption, type CommandOutput, choice, command, optional, text, withDefault } from './command.ts'

export const day = (help: string): CommandOption<string> => ({
  ...text('DATE', help),
  accepts: 'a date such as 2026-01-31',
  parse: (value) => (isDay(value) ? value : undefined),
})

export const usageCommand = command({
  name: 'usage',
  help: "Show the requests of an organization's keys by day, endpoint and status, and its monthly quota.",
  options: {
    org: text('ID'),
    from: optional(day('first day (UTC); the first of this month without it')),
    to: optional(day('last day; today without it')),
    format: withDefault(choice(['table', 'csv'] as const), 'table'),
  },
  json: true,
  async run({ org, format, ...range }, context) {
    const db = await context.openExistingDatabase()
    if ((await authStore(db).organizationName(org)) === null) throw unknownId('organization', org)
    const now = context.now()
    const { from = startOfMonth(now), to = dayOf(now) } = range
    const rows = await usageStore(db).byEndpoint(org, from, to, now)
    const [quota] = await quotaStore(db).quotas(now, org)
    const usage = presentUsage({ from, to, rows, quota }, now)
    if (format === 'table') return usageTable(usage)
    return csvOutput(usage, (await Array.fromAsync(usageCsv(usageStore(db), org, { from, to }, now))).join(''))
  },
  async remote({ from, to, format }, { client, of }) {
    const usage = await client.getOrganizationUsage({ ...of, ...(from && { from }), ...(to && { to }) })
    if (format === 'table') return usageTable(usage)
    return csvOutput(usage, await client.exportUsage({ ...of, from: usage.from, to: usage.to }))
  },
})

const csvOutput = (usage: Usage, csv: string): CommandOutput => ({ json: usage, text: csv.trimEnd() })

function usageTable(usage: Usage): CommandOutput {
  const { rows, total_requests: total, quota } = usage
  const table = formatItemTable(rows, {
    DAY: (row) => row.day,
    ENDPOINT: ({ endpoint }) => endpoint,
    STATUS: ({ status }) => String(status),
    REQUESTS: ({ requests }) => requests.toLocaleString('en'),
  })
  const limit = quota
    ? `${quota.used.toLocaleString('en')} of ${quota.monthly_requests.toLocaleString('en')} used this month (${quota.is_hard ? 'hard' : 'soft'})`
    : 'none'
  const summary = `${total.toLocaleString('en')} requests from ${usage.from} to ${usage.to}. Quota: ${limit}.`
  return { json: usage, text: `${table}\n\n${summary}` }
}
