import { formatItemTable } from '../lib/text-table.ts'
import { isDay } from '../lib/time.ts'
import { type CommandOption, choice, managementCommand, optional, text, withDefault } from './command.ts'

export const day = (help: string): CommandOption<string> => ({
  ...text('DATE', help),
  accepts: 'a date such as 2026-01-31',
  parse: (value) => (isDay(value) ? value : undefined),
})

export const usageCommand = managementCommand({
  name: 'usage',
  help: "Show the requests of an organization's keys by day, endpoint and status, and its monthly quota.",
  options: {
    org: text('ID'),
    from: optional(day('first day (UTC); the first of this month without it')),
    to: optional(day('last day; today without it')),
    format: withDefault(choice(['table', 'csv'] as const), 'table'),
  },
  json: true,
  async call({ from, to, format }, { client, of }) {
    const usage = await client.getOrganizationUsage({ ...of, ...(from && { from }), ...(to && { to }) })
    if (format === 'csv') {
      const csv = await client.exportUsage({ ...of, from: usage.from, to: usage.to })
      return { json: usage, text: csv.trimEnd() }
    }
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
  },
})
