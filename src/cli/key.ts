import { maskKey } from '../auth/api-key.ts'
import { MAX_KEY_LIMIT, MAX_OVERLAP_DAYS } from '../contract/account-limits.ts'
import { KEY_RIGHT_NAMES, KEY_RIGHTS, type KeyRight, TIERS } from '../contract/tiers.ts'
import { formatItemTable } from '../lib/text-table.ts'
import { endOfDay } from '../lib/time.ts'
import {
  type CommandOption,
  choice,
  managementCommand,
  optional,
  orNull,
  text,
  wholeNumber,
  withDefault,
} from './command.ts'
import { CommandError } from './command-error.ts'
import { minuteOf } from './tables.ts'
import { day } from './usage.ts'

const rightsOption: CommandOption<readonly KeyRight[]> = {
  placeholder: 'RIGHTS',
  help: `with commas: ${KEY_RIGHTS.map((right) => `${right} (may ${KEY_RIGHT_NAMES[right]})`).join(', ')}`,
  accepts: KEY_RIGHTS.join(', '),
  parse(value) {
    const words = value.toLowerCase().split(',')
    const rights = KEY_RIGHTS.filter((right) => words.includes(right))
    return rights.length === words.length ? rights : undefined
  },
}

const RESTRICTIONS = {
  limit: optional(
    orNull(
      'none',
      wholeNumber('N', {
        min: 1,
        max: MAX_KEY_LIMIT,
        unit: 'requests per minute',
        help: 'requests per minute, if fewer than its tier allows; "none" removes the limit',
      }),
    ),
  ),
  allow: optional(
    text('NETWORKS', 'addresses and networks it may be used from, such as 203.0.113.7,10.0.0.0/8; "all" removes them'),
  ),
}

const keyCreate = managementCommand({
  name: 'key create',
  help: 'Create an API key and print it (shown once).',
  options: {
    org: text('ID'),
    tier: choice(TIERS),
    name: optional(text('N')),
    expires: optional(day('last day (UTC) on which it works')),
    may: withDefault(rightsOption, []),
    ...RESTRICTIONS,
  },
  json: true,
  async call({ tier, name = `${tier} key`, expires, may, ...restrictions }, { client, of }, { now, report }) {
    if (expires !== undefined && endOfDay(expires) <= now()) throw new CommandError('The expiry date is in the past.')
    const created = await client.createKey(of, {
      name,
      tier,
      rights: [...may],
      ...toRestrictions(restrictions),
      ...(expires === undefined ? {} : { expires_on: expires }),
    })
    report(`Key ${created.key.id} created. Keep it safe: it cannot be shown again.`)
    return { text: created.secret, json: created }
  },
})

const keyList = managementCommand({
  name: 'key list',
  help: "List an organization's keys.",
  options: { org: text('ID') },
  json: true,
  async call(_, { client, of }) {
    // The API lists the newest first.
    const keys = (await client.listKeys(of)).reverse()
    const formatTime = (at: string | null) => (at === null ? '-' : minuteOf(at))
    const table = formatItemTable(keys, {
      ID: ({ id }) => id,
      KEY: (key) => maskKey(key.tier, key.last_four),
      NAME: ({ name }) => name,
      STATE: ({ state }) => state,
      CREATED: (key) => minuteOf(key.created_at),
      EXPIRES: (key) => formatTime(key.expires_at),
      'LAST USED': (key) => formatTime(key.last_used_at),
    })
    return { json: keys, text: table }
  },
})

const keyChange = managementCommand({
  name: 'key change',
  help: 'Change the name of a key, its rate limit or the networks it may be used from.',
  arguments: { id: text('KEY_ID') },
  options: { name: optional(text('N')), ...RESTRICTIONS },
  json: true,
  async call({ id, name, ...restrictions }, { client, of }, { report }) {
    const change = { ...(name === undefined ? {} : { name }), ...toRestrictions(restrictions) }
    const key = await client.changeKey(id, of, change)
    report(`Key ${key.id} changed. Takes effect everywhere within a second.`)
    return { json: key }
  },
})

const keyRevoke = managementCommand({
  name: 'key revoke',
  help: 'Revoke a key. Takes effect everywhere within a second.',
  arguments: { id: text('KEY_ID') },
  async call({ id }, { client, of }, { report }) {
    await client.revokeKey(id, of)
    report(`Key ${id} is revoked.`)
  },
})

const keyRotate = managementCommand({
  name: 'key rotate',
  help: 'Create a successor of a key and print it. The old key keeps working for the overlap.',
  arguments: { id: text('KEY_ID') },
  options: {
    overlap: withDefault(
      wholeNumber('DAYS', { min: 0, max: MAX_OVERLAP_DAYS, unit: 'days', help: `0 to ${MAX_OVERLAP_DAYS}; default 7` }),
      7,
    ),
  },
  json: true,
  async call({ id, overlap }, { client, of }, { report }) {
    const created = await client.rotateKey(id, of, { overlap_days: overlap })
    report(`Key ${created.key.id} replaces ${id}, which works for ${overlap} more days.`)
    return { text: created.secret, json: created }
  },
})

export const keyCommands = [keyCreate, keyList, keyChange, keyRevoke, keyRotate]

function toRestrictions({ limit, allow }: { limit: number | null | undefined; allow: string | undefined }) {
  return {
    ...(limit === undefined ? {} : { limit_per_minute: limit }),
    ...(allow === undefined ? {} : { allowed_addresses: allow === 'all' ? [] : allow.split(',') }),
  }
}
