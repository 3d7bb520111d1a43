import { formatCsvLine } from '../lib/csv-writer.ts'
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
    const period = { ...(from && { from }), ...(to && { to }) }
    const usage = await client.getUsage({ ...of, ...period, ...(format === 'csv' && { include: 'keys' as const }) })
    if (format === 'csv') {
      const lines = (usage.by_key?.rows ?? []).map(({ day, key_id, route, status, count }) =>
        formatCsvLine([day, key_id, route, status, count]),
      )
      return { json: usage, text: `day,key_id,endpoint,status,requests\n${lines.join('')}`.trimEnd() }
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
