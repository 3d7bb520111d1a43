import { maskKey } from '../auth/api-key.ts'
import { authStore } from '../auth/auth-store.ts'
import { keyService } from '../auth/key-service.ts'
import { commandPrincipal } from '../auth/principals.ts'
import { MAX_KEY_LIMIT, MAX_OVERLAP_DAYS } from '../contract/account-limits.ts'
import { KEY_RIGHT_NAMES, KEY_RIGHTS, type KeyRight, TIERS } from '../contract/tiers.ts'
import { formatItemTable } from '../lib/text-table.ts'
import { formatMinute } from '../lib/time.ts'
import {
  type CommandContext,
  type CommandOption,
  choice,
  command,
  day,
  optional,
  text,
  wholeNumber,
  withDefault,
} from './command.ts'

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

const openStore = async ({ openExistingDatabase }: CommandContext) => authStore(await openExistingDatabase())

const keyCreate = command({
  name: 'key create',
  help: 'Create an API key and print it (shown once).',
  options: {
    org: text('ID'),
    tier: choice(TIERS),
    name: optional(text('N')),
    expires: optional(day('last day (UTC) on which it works')),
    may: withDefault(rightsOption, []),
    limit: optional(
      wholeNumber('N', {
        min: 1,
        max: MAX_KEY_LIMIT,
        unit: 'requests per minute',
        help: 'requests per minute, if fewer than its tier allows',
      }),
    ),
    allow: optional(
      text('NETWORKS', 'addresses and networks it may be used from, such as 203.0.113.7,10.0.0.0/8; default all'),
    ),
  },
  json: true,
  async run({ org, tier, name = `${tier} key`, expires, may, limit, allow }, context) {
    const keys = keyService(await openStore(context), context.now)
    const created = await keys.create(commandPrincipal(context.actor, org), {
      name,
      tier,
      rights: [...may],
      limit_per_minute: limit,
      allowed_addresses: allow?.split(','),
      expires_on: expires,
    })
    context.report(`Key ${created.key.id} created. Keep it safe: it cannot be shown again.`)
    return { text: created.secret, json: created }
  },
})

const keyList = command({
  name: 'key list',
  help: "List an organization's keys.",
  options: { org: text('ID') },
  json: true,
  async run({ org }, context) {
    const service = keyService(await openStore(context), context.now)
    // The service lists the newest first.
    const keys = (await service.list(commandPrincipal(context.actor, org))).reverse()
    const formatTime = (at: string | null) => (at === null ? '-' : formatMinute(Date.parse(at)))
    const table = formatItemTable(keys, {
      ID: ({ id }) => id,
      KEY: (key) => maskKey(key.tier, key.last_four),
      NAME: ({ name }) => name,
      STATE: ({ state }) => state,
      CREATED: (key) => formatTime(key.created_at),
      EXPIRES: (key) => formatTime(key.expires_at),
      'LAST USED': (key) => formatTime(key.last_used_at),
    })
    return { json: keys, text: table }
  },
})

const keyRevoke = command({
  name: 'key revoke',
  help: 'Revoke a key. Takes effect everywhere within a second.',
  arguments: { id: text('KEY_ID') },
  async run({ id }, context) {
    const store = await openStore(context)
    const principal = commandPrincipal(context.actor, await store.organizationOfKey(id))
    await keyService(store, context.now).revoke(principal, id)
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
    const principal = commandPrincipal(context.actor, await store.organizationOfKey(id))
    const created = await keyService(store, context.now).rotate(principal, id, overlap)
    context.report(`Key ${created.key.id} replaces ${id}, which works for ${overlap} more days.`)
    return { text: created.secret, json: created }
  },
})

export const keyCommands = [keyCreate, keyList, keyRevoke, keyRotate]
