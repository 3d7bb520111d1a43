import { maskKey } from '../auth/api-key.ts'
import { type ApiKey, authStore, type CreatedKey } from '../auth/auth-store.ts'
import { parseAllowedNetworks } from '../auth/key-restriction.ts'
import { MAX_KEY_LIMIT, MAX_OVERLAP_DAYS } from '../contract/account-limits.ts'
import { KEY_RIGHT_NAMES, KEY_RIGHTS, type KeyRight, TIERS } from '../contract/tiers.ts'
import { formatItemTable } from '../lib/text-table.ts'
import { endOfDay, formatMinute, isDay } from '../lib/time.ts'
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
import { presentKey } from './present.ts'

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
    const created = await store.createKey(org, options, context.actor, now)
    context.report(`Key ${created.key.id} created. Keep it safe: it cannot be shown again.`)
    return createdKeyOutput(created)
  },
})

const keyList = command({
  name: 'key list',
  help: "List an organization's keys.",
  options: { org: text('ID') },
  json: true,
  async run({ org }, context) {
    const keys = await (await openStore(context)).keys(org)
    const table = formatItemTable(keys, {
      ID: ({ id }) => id,
      KEY: ({ tier, lastFour }) => maskKey(tier, lastFour),
      NAME: ({ name }) => name,
      STATE: (key) => keyState(key, context.now()),
      CREATED: ({ createdAt }) => formatMinute(createdAt),
      EXPIRES: ({ expiresAt }) => formatTime(expiresAt),
      'LAST USED': ({ lastUsedAt }) => formatTime(lastUsedAt),
    })
    return { json: keys.map(presentKey), text: table }
  },
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
    context.report(`Key ${id} changed. Takes effect everywhere within a second.`)
    return { json: presentKey(key) }
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
    const created = await store.rotateKey(organizationId, id, overlap, context.actor, context.now())
    context.report(`Key ${created.key.id} replaces ${id}, which works for ${overlap} more days.`)
    return createdKeyOutput(created)
  },
})

export const keyCommands = [keyCreate, keyList, keyChange, keyRevoke, keyRotate]

function createdKeyOutput({ key, secret }: CreatedKey): CommandOutput {
  return { text: secret, json: { key: secret, ...presentKey(key) } }
}

function keyState(key: ApiKey, now: number): string {
  if (key.revokedAt !== null && key.revokedAt <= now) return 'revoked'
  return key.expiresAt !== null && key.expiresAt <= now ? 'expired' : 'active'
}

const formatTime = (at: number | null) => (at === null ? '-' : formatMinute(at))
