import { maskKey } from '../auth/api-key.ts'
import { type ApiKey, authStore, type CreatedKey, type KeyOptions } from '../auth/auth-store.ts'
import { parseAllowedNetworks } from '../auth/key-restriction.ts'
import { MAX_KEY_LIMIT, MAX_OVERLAP_DAYS } from '../contract/account-limits.ts'
import { KEY_RIGHTS, type KeyRight, TIERS, type Tier } from '../contract/tiers.ts'
import { formatTextTable } from '../lib/text-table.ts'
import { endOfDay, formatMinute, isDay } from '../lib/time.ts'
import { type Command, parseArguments, requireOption } from './command.ts'
import { CommandError } from './command-error.ts'
import { currentCommandLineActor } from './current-actor.ts'
import { presentKey } from './present.ts'

const KEY_OPTIONS = { limit: { type: 'string' }, allow: { type: 'string' } } as const
const KEY_OPTION_DETAILS = [
  '  --limit N          requests per minute of this key, where it should have fewer than its tier; "none" to undo',
  '  --allow NETWORKS   addresses and networks it may be used from, such as 203.0.113.7,10.0.0.0/8; "all" to undo',
]
const CREATE_OPTIONS = `--org ID --tier ${TIERS.join('|')} [--name N] [--expires DATE] [--may ${KEY_RIGHTS.join('|')}] [--limit N] [--allow NETWORKS] [--json]`
const CREATE_USAGE = `key create ${CREATE_OPTIONS}`

export const keyCreate: Command = {
  name: 'key create',
  usage: CREATE_OPTIONS,
  help: 'Make an API key and print it; it is shown this once.',
  details: [
    '  --expires DATE     a day (2027-01-31, until its end in UTC) or an instant (2027-01-31T12:00:00Z)',
    '  --may contribute   the key may send prices to POST /api/observations',
    ...KEY_OPTION_DETAILS,
  ].join('\n'),
  async run(args, context) {
    const { values } = parseArguments(
      args,
      {
        org: { type: 'string' },
        tier: { type: 'string' },
        name: { type: 'string' },
        expires: { type: 'string' },
        may: { type: 'string' },
        ...KEY_OPTIONS,
        json: { type: 'boolean' },
      },
      { least: 0, most: 0, usage: CREATE_USAGE },
    )
    const organizationId = requireOption(values.org, 'org', CREATE_USAGE)
    const tier = parseTierOption(requireOption(values.tier, 'tier', CREATE_USAGE))
    const now = context.now()
    const expiresAt = values.expires === undefined ? null : parseExpiryOption(values.expires, now)
    const rights = values.may === undefined ? [] : [parseRightOption(values.may)]
    const access = authStore(await context.openExistingDatabase(), context.config.maxKeysPerOrganization)
    const terms = parseKeyOptions(values, { limitPerMinute: null, allowedNetworks: null })
    const fresh = { tier, name: values.name ?? `${tier} key`, expiresAt, rights, ...terms }
    const made = await access.createKey(organizationId, fresh, currentCommandLineActor(), now)
    printCreatedKey(made, values.json ?? false, context.print)
    context.report(`Key ${made.key.id} is made. Keep it safe: it cannot be shown again.`)
    return 0
  },
}

export const keyList: Command = {
  name: 'key list',
  usage: '--org ID [--json]',
  help: "List an organization's keys.",
  async run(args, context) {
    const usage = 'key list --org ID [--json]'
    const { values } = parseArguments(
      args,
      { org: { type: 'string' }, json: { type: 'boolean' } },
      { least: 0, most: 0, usage },
    )
    const keys = await authStore(await context.openExistingDatabase(), context.config.maxKeysPerOrganization).keys(
      requireOption(values.org, 'org', usage),
    )
    if (values.json) context.print(JSON.stringify(keys.map(presentKey)))
    else {
      const rows = keys.map((key) => [
        key.id,
        maskKey(key.tier, key.lastFour),
        key.name,
        keyState(key, context.now()),
        formatTime(key.createdAt),
        formatTime(key.expiresAt),
        formatTime(key.lastUsedAt),
      ])
      context.print(formatTextTable(['ID', 'KEY', 'NAME', 'STATE', 'CREATED', 'EXPIRES', 'LAST USED'], rows))
    }
    return 0
  },
}

export const keyRevoke: Command = {
  name: 'key revoke',
  usage: 'KEY_ID',
  help: 'Revoke a key; every process refuses it within a second.',
  async run(args, context) {
    const { positionals } = parseArguments(args, {}, { least: 1, most: 1, usage: 'key revoke KEY_ID' })
    const [id = ''] = positionals
    const access = authStore(await context.openExistingDatabase(), context.config.maxKeysPerOrganization)
    await access.revokeKey(await access.organizationOfKey(id), id, currentCommandLineActor(), context.now())
    context.report(`Key ${id} is revoked.`)
    return 0
  },
}

const CHANGE_USAGE = 'key change KEY_ID [--name N] [--limit N|none] [--allow NETWORKS|all] [--json]'

export const keyChange: Command = {
  name: 'key change',
  usage: CHANGE_USAGE.slice('key change '.length),
  help: 'Give a key another name, a limit of its own, or the networks it may be used from.',
  details: KEY_OPTION_DETAILS.join('\n'),
  async run(args, context) {
    const { values, positionals } = parseArguments(
      args,
      { name: { type: 'string' }, ...KEY_OPTIONS, json: { type: 'boolean' } },
      { least: 1, most: 1, usage: CHANGE_USAGE },
    )
    const access = authStore(await context.openExistingDatabase(), context.config.maxKeysPerOrganization)
    const [id = ''] = positionals
    const organizationId = await access.organizationOfKey(id)
    const old = (await access.keys(organizationId)).find((key) => key.id === id)
    if (!old) throw new CommandError(`There is no key ${id}.`)
    const change = { name: values.name ?? old.name, ...parseKeyOptions(values, old) }
    const key = await access.changeKey(organizationId, id, change, currentCommandLineActor(), context.now())
    if (values.json) context.print(JSON.stringify(presentKey(key)))
    context.report(`Key ${id} is changed; every process follows within a second.`)
    return 0
  },
}

const ROTATE_USAGE = 'key rotate KEY_ID [--overlap DAYS] [--json]'

export const keyRotate: Command = {
  name: 'key rotate',
  usage: 'KEY_ID [--overlap DAYS] [--json]',
  help: 'Make a successor and print it; the old key lives on for the overlap.',
  details: `  --overlap DAYS   0 to ${MAX_OVERLAP_DAYS}, 7 when not given`,
  async run(args, context) {
    const { values, positionals } = parseArguments(
      args,
      { overlap: { type: 'string' }, json: { type: 'boolean' } },
      { least: 1, most: 1, usage: ROTATE_USAGE },
    )
    const overlap = values.overlap ?? '7'
    if (!/^\d{1,2}$/.test(overlap) || Number(overlap) > MAX_OVERLAP_DAYS) {
      throw new CommandError(`--overlap takes 0 to ${MAX_OVERLAP_DAYS} days. Usage: ${ROTATE_USAGE}`, 2)
    }
    const access = authStore(await context.openExistingDatabase(), context.config.maxKeysPerOrganization)
    const [id = ''] = positionals
    const organizationId = await access.organizationOfKey(id)
    const made = await access.rotateKey(organizationId, id, Number(overlap), currentCommandLineActor(), context.now())
    printCreatedKey(made, values.json ?? false, context.print)
    context.report(`Key ${made.key.id} succeeds ${id}, which works for ${overlap} more days.`)
    return 0
  },
}

type KeyOptionWords = { readonly limit?: string | undefined; readonly allow?: string | undefined }

/** What was said, and what there was before where nothing was. */
function parseKeyOptions({ limit, allow }: KeyOptionWords, before: KeyOptions): KeyOptions {
  if (limit !== undefined && limit !== 'none' && !/^[1-9]\d{0,6}$/.test(limit)) {
    throw new CommandError(`--limit takes 1 to ${MAX_KEY_LIMIT} requests per minute or "none", not "${limit}".`, 2)
  }
  return {
    limitPerMinute: limit === undefined ? before.limitPerMinute : limit === 'none' ? null : Number(limit),
    allowedNetworks:
      allow === undefined ? before.allowedNetworks : parseAllowedNetworks(allow === 'all' ? [] : allow.split(',')),
  }
}

function printCreatedKey(created: CreatedKey, json: boolean, print: (line: string) => void): void {
  print(json ? JSON.stringify({ key: created.secret, ...presentKey(created.key) }) : created.secret)
}

function parseTierOption(text: string): Tier {
  const tier = TIERS.find((known) => known === text.toLowerCase())
  if (!tier) throw new CommandError(`--tier takes ${TIERS.join(', ')}, not "${text}".`, 2)
  return tier
}

function parseRightOption(text: string): KeyRight {
  const right = KEY_RIGHTS.find((known) => known === text.toLowerCase())
  if (!right) throw new CommandError(`--may takes ${KEY_RIGHTS.join(', ')}, not "${text}".`, 2)
  return right
}

/** A day counts to its end. */
function parseExpiryOption(text: string, now: number): number {
  const at = isDay(text) ? endOfDay(text) : text.length === 10 ? Number.NaN : Date.parse(text)
  if (Number.isNaN(at)) {
    throw new CommandError(`--expires takes a date such as 2027-01-31, not "${text}".`, 2)
  }
  if (at <= now) throw new CommandError(`--expires ${text} is in the past.`)
  return at
}

function keyState(key: ApiKey, now: number): string {
  if (key.revokedAt !== null && key.revokedAt <= now) return 'revoked'
  return key.expiresAt !== null && key.expiresAt <= now ? 'expired' : 'active'
}

const formatTime = (at: number | null) => (at === null ? '-' : formatMinute(at))
