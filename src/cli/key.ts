import { maskKey } from '../auth/api-key.ts'
import { authStore } from '../auth/auth-store.ts'
import { parseAllowedNetworks } from '../auth/key-restriction.ts'
import { MAX_KEY_LIMIT, MAX_OVERLAP_DAYS } from '../contract/account-limits.ts'
import { KEY_RIGHT_NAMES, KEY_RIGHTS, type KeyRight, TIERS } from '../contract/tiers.ts'
import { formatItemTable } from '../lib/text-table.ts'
import { dayOf, endOfDay, isDay } from '../lib/time.ts'
import {
  type CommandContext,
  type CommandOption,
  type CommandOutput,
  choice,
  command,
  optional,
  orNull,
  text,
  wholeNumber,
  withDefault,
} from './command.ts'
import { CommandError } from './command-error.ts'
import { type KeyJson, keyFromApi, minuteOf, presentKey } from './present.ts'

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

/** A day counts to its end. */
const EXPIRES: CommandOption<number> = {
  placeholder: 'DATE',
  help: 'a day (2027-01-31, until its end in UTC) or an instant (2027-01-31T12:00:00Z)',
  accepts: 'a date such as 2027-01-31',
  parse(value) {
    const time = isDay(value) ? endOfDay(value) : value.length === 10 ? Number.NaN : Date.parse(value)
    return Number.isNaN(time) ? undefined : time
  },
}

const openStore = async ({ openExistingDatabase, config }: CommandContext) =>
  authStore(await openExistingDatabase(), config.maxKeysPerOrganization)

const parseNetworks = (list: string) => parseAllowedNetworks(list === 'all' ? [] : list.split(','))

const keyCreate = command({
  name: 'key create',
  help: 'Create an API key and print it (shown once).',
  options: {
    org: text('ID'),
    tier: choice(TIERS),
    name: optional(text('N')),
    expires: optional(EXPIRES),
    may: withDefault(rightsOption, []),
    ...RESTRICTIONS,
  },
  json: true,
  async run({ org, tier, name = `${tier} key`, expires = null, may, limit = null, allow }, context) {
    const now = context.now()
    if (expires !== null && expires <= now) throw new CommandError('The expiry date is in the past.')
    const store = await openStore(context)
    const options = {
      ...{ tier, name, expiresAt: expires, rights: may, limitPerMinute: limit },
      allowedNetworks: allow === undefined ? null : parseNetworks(allow),
    }
    const { key, secret } = await store.createKey(org, options, context.actor, now)
    return createdOutput(secret, presentKey(key), context)
  },
  async remote({ tier, name = `${tier} key`, expires, may, limit, allow }, { client, of }, context) {
    const { key, secret } = await client.createKey(of, {
      ...{ name, tier, rights: [...may], ...restrictionsOf(limit, allow) },
      ...(expires === undefined ? {} : { expires_on: lastDayOf(expires) }),
    })
    return createdOutput(secret, keyFromApi(key), context)
  },
})

const keyList = command({
  name: 'key list',
  help: "List an organization's keys.",
  options: { org: text('ID') },
  json: true,
  async run({ org }, context) {
    return keysOutput((await (await openStore(context)).keys(org)).map(presentKey), context)
  },
  // The API lists the newest first.
  remote: async (_, { client, of }, context) =>
    keysOutput((await client.listKeys(of)).map(keyFromApi).reverse(), context),
})

const keyChange = command({
  name: 'key change',
  help: 'Change the name of a key, its rate limit or the networks it may be used from.',
  arguments: { id: text('KEY_ID') },
  options: { name: optional(text('N')), ...RESTRICTIONS },
  json: true,
  async run({ id, name, limit, allow }, context) {
    const store = await openStore(context)
    const organizationId = await store.organizationOfKey(id)
    const current = (await store.keys(organizationId)).find((key) => key.id === id)
    if (!current) throw new CommandError(`There is no key ${id}.`)
    const change = {
      name: name ?? current.name,
      limitPerMinute: limit === undefined ? current.limitPerMinute : limit,
      allowedNetworks: allow === undefined ? current.allowedNetworks : parseNetworks(allow),
    }
    const key = await store.changeKey(organizationId, id, change, context.actor, context.now())
    return changedOutput(presentKey(key), context)
  },
  async remote({ id, name, limit, allow }, { client, of }, context) {
    const change = { ...(name === undefined ? {} : { name }), ...restrictionsOf(limit, allow) }
    return changedOutput(keyFromApi(await client.changeKey(id, of, change)), context)
  },
})

const keyRevoke = command({
  name: 'key revoke',
  help: 'Revoke a key. Takes effect everywhere within a second.',
  arguments: { id: text('KEY_ID') },
  async run({ id }, context) {
    const store = await openStore(context)
    await store.revokeKey(await store.organizationOfKey(id), id, context.actor, context.now())
    context.report(`Key ${id} is revoked.`)
  },
  async remote({ id }, { client, of }, context) {
    await client.revokeKey(id, of)
    context.report(`Key ${id} is revoked.`)
  },
})

const keyRotate = command({
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
  async run({ id, overlap }, context) {
    const store = await openStore(context)
    const organizationId = await store.organizationOfKey(id)
    const { key, secret } = await store.rotateKey(organizationId, id, overlap, context.actor, context.now())
    return rotatedOutput(secret, presentKey(key), overlap, context)
  },
  async remote({ id, overlap }, { client, of }, context) {
    const { key, secret } = await client.rotateKey(id, of, { overlap_days: overlap })
    return rotatedOutput(secret, keyFromApi(key), overlap, context)
  },
})

export const keyCommands = [keyCreate, keyList, keyChange, keyRevoke, keyRotate]

function restrictionsOf(limit: number | null | undefined, allow: string | undefined) {
  return {
    ...(limit === undefined ? {} : { limit_per_minute: limit }),
    ...(allow === undefined ? {} : { allowed_addresses: allow === 'all' ? [] : allow.split(',') }),
  }
}

/** The API takes the last day only. */
function lastDayOf(expiresAt: number): string {
  const day = dayOf(expiresAt - 1)
  if (endOfDay(day) === expiresAt) return day
  throw new CommandError('On a running service, --expires takes a day such as 2027-01-31.', 2)
}

function createdOutput(secret: string, key: KeyJson, { report }: CommandContext): CommandOutput {
  report(`Key ${key.id} created. Keep it safe: it cannot be shown again.`)
  return { text: secret, json: { key: secret, ...key } }
}

function changedOutput(key: KeyJson, { report }: CommandContext): CommandOutput {
  report(`Key ${key.id} changed. Takes effect everywhere within a second.`)
  return { json: key }
}

function rotatedOutput(secret: string, key: KeyJson, overlapDays: number, { report }: CommandContext): CommandOutput {
  report(`Key ${key.id} replaces ${key.rotated_from}, which works for ${overlapDays} more days.`)
  return { text: secret, json: { key: secret, ...key } }
}

function keysOutput(keys: readonly KeyJson[], { now }: CommandContext): CommandOutput {
  const formatTime = (at: string | null) => (at === null ? '-' : minuteOf(at))
  const table = formatItemTable(keys, {
    ID: ({ id }) => id,
    KEY: (key) => maskKey(key.tier, key.last_four),
    NAME: ({ name }) => name,
    STATE: (key) => keyState(key, now()),
    CREATED: (key) => minuteOf(key.created_at),
    EXPIRES: (key) => formatTime(key.expires_at),
    'LAST USED': (key) => formatTime(key.last_used_at),
  })
  return { json: keys, text: table }
}

function keyState({ revoked_at: revokedAt, expires_at: expiresAt }: KeyJson, now: number): string {
  const isPast = (at: string | null) => at !== null && Date.parse(at) <= now
  if (isPast(revokedAt)) return 'revoked'
  return isPast(expiresAt) ? 'expired' : 'active'
}
