import { maskedKey } from '../access/key.ts'
import { readNetworks } from '../access/restriction.ts'
import { accessStore, type Key, type KeyTerms, type MadeKey } from '../access/store.ts'
import { MOST_KEY_LIMIT, MOST_OVERLAP_DAYS } from '../contract/people.ts'
import { RIGHTS, type Right, TIERS, type Tier } from '../contract/tiers.ts'
import { textTable } from '../text/text-table.ts'
import { endOfDay, isDay, minuteOf } from '../time.ts'
import { commandLineActor } from './actor.ts'
import { type Command, readArguments, required } from './command.ts'
import { CommandError } from './command-error.ts'
import { presentKey } from './present.ts'

const TERM_OPTIONS = { limit: { type: 'string' }, allow: { type: 'string' } } as const
const TERM_DETAILS = [
  '  --limit N          requests per minute of this key, where it should have fewer than its tier; "none" to undo',
  '  --allow NETWORKS   addresses and networks it may be used from, such as 203.0.113.7,10.0.0.0/8; "all" to undo',
]
const CREATE_OPTIONS = `--org ID --tier ${TIERS.join('|')} [--name N] [--expires DATE] [--may ${RIGHTS.join('|')}] [--limit N] [--allow NETWORKS] [--json]`
const CREATE_USAGE = `key create ${CREATE_OPTIONS}`

export const keyCreate: Command = {
  name: 'key create',
  usage: CREATE_OPTIONS,
  help: 'Make an API key and print it; it is shown this once.',
  details: [
    '  --expires DATE     a day (2027-01-31, until its end in UTC) or an instant (2027-01-31T12:00:00Z)',
    '  --may contribute   the key may send prices to POST /api/observations',
    ...TERM_DETAILS,
  ].join('\n'),
  async run(args, context) {
    const { values } = readArguments(
      args,
      {
        org: { type: 'string' },
        tier: { type: 'string' },
        name: { type: 'string' },
        expires: { type: 'string' },
        may: { type: 'string' },
        ...TERM_OPTIONS,
        json: { type: 'boolean' },
      },
      { least: 0, most: 0, usage: CREATE_USAGE },
    )
    const organizationId = required(values.org, 'org', CREATE_USAGE)
    const tier = readTier(required(values.tier, 'tier', CREATE_USAGE))
    const now = context.now()
    const expiresAt = values.expires === undefined ? null : readExpiry(values.expires, now)
    const rights = values.may === undefined ? [] : [readRight(values.may)]
    const access = accessStore(await context.openStore())
    const terms = readTerms(values, { limitPerMinute: null, allowedNetworks: null })
    const fresh = { tier, name: values.name ?? `${tier} key`, expiresAt, rights, ...terms }
    const made = await access.createKey(organizationId, fresh, commandLineActor(), now)
    printMade(made, values.json ?? false, context.print)
    context.tell(`Key ${made.key.id} is made. Keep it safe: it cannot be shown again.`)
    return 0
  },
}

export const keyList: Command = {
  name: 'key list',
  usage: '--org ID [--json]',
  help: "List an organization's keys.",
  async run(args, context) {
    const usage = 'key list --org ID [--json]'
    const { values } = readArguments(
      args,
      { org: { type: 'string' }, json: { type: 'boolean' } },
      { least: 0, most: 0, usage },
    )
    const keys = await accessStore(await context.openStore()).keys(required(values.org, 'org', usage))
    if (values.json) context.print(JSON.stringify(keys.map(presentKey)))
    else {
      const rows = keys.map((key) => [
        key.id,
        maskedKey(key.tier, key.lastFour),
        key.name,
        stateOf(key, context.now()),
        minute(key.createdAt),
        minute(key.expiresAt),
        minute(key.lastUsedAt),
      ])
      context.print(textTable(['ID', 'KEY', 'NAME', 'STATE', 'CREATED', 'EXPIRES', 'LAST USED'], rows))
    }
    return 0
  },
}

export const keyRevoke: Command = {
  name: 'key revoke',
  usage: 'KEY_ID',
  help: 'Revoke a key; every process refuses it within a second.',
  async run(args, context) {
    const { positionals } = readArguments(args, {}, { least: 1, most: 1, usage: 'key revoke KEY_ID' })
    const [id = ''] = positionals
    const access = accessStore(await context.openStore())
    await access.revokeKey(await access.organizationOfKey(id), id, commandLineActor(), context.now())
    context.tell(`Key ${id} is revoked.`)
    return 0
  },
}

const CHANGE_USAGE = 'key change KEY_ID [--name N] [--limit N|none] [--allow NETWORKS|all] [--json]'

export const keyChange: Command = {
  name: 'key change',
  usage: CHANGE_USAGE.slice('key change '.length),
  help: 'Give a key another name, a limit of its own, or the networks it may be used from.',
  details: TERM_DETAILS.join('\n'),
  async run(args, context) {
    const { values, positionals } = readArguments(
      args,
      { name: { type: 'string' }, ...TERM_OPTIONS, json: { type: 'boolean' } },
      { least: 1, most: 1, usage: CHANGE_USAGE },
    )
    const access = accessStore(await context.openStore())
    const [id = ''] = positionals
    const organizationId = await access.organizationOfKey(id)
    const old = (await access.keys(organizationId)).find((key) => key.id === id)
    if (!old) throw new CommandError(`There is no key ${id}.`)
    const change = { name: values.name ?? old.name, ...readTerms(values, old) }
    const key = await access.changeKey(organizationId, id, change, commandLineActor(), context.now())
    if (values.json) context.print(JSON.stringify(presentKey(key)))
    context.tell(`Key ${id} is changed; every process follows within a second.`)
    return 0
  },
}

const ROTATE_USAGE = 'key rotate KEY_ID [--overlap DAYS] [--json]'

export const keyRotate: Command = {
  name: 'key rotate',
  usage: 'KEY_ID [--overlap DAYS] [--json]',
  help: 'Make a successor and print it; the old key lives on for the overlap.',
  details: `  --overlap DAYS   0 to ${MOST_OVERLAP_DAYS}, 7 when not given`,
  async run(args, context) {
    const { values, positionals } = readArguments(
      args,
      { overlap: { type: 'string' }, json: { type: 'boolean' } },
      { least: 1, most: 1, usage: ROTATE_USAGE },
    )
    const overlap = values.overlap ?? '7'
    if (!/^\d{1,2}$/.test(overlap) || Number(overlap) > MOST_OVERLAP_DAYS) {
      throw new CommandError(`--overlap takes 0 to ${MOST_OVERLAP_DAYS} days. Usage: ${ROTATE_USAGE}`, 2)
    }
    const access = accessStore(await context.openStore())
    const [id = ''] = positionals
    const organizationId = await access.organizationOfKey(id)
    const made = await access.rotateKey(organizationId, id, Number(overlap), commandLineActor(), context.now())
    printMade(made, values.json ?? false, context.print)
    context.tell(`Key ${made.key.id} succeeds ${id}, which works for ${overlap} more days.`)
    return 0
  },
}

type TermWords = { readonly limit?: string | undefined; readonly allow?: string | undefined }

/** What was said, and what there was before where nothing was. */
function readTerms({ limit, allow }: TermWords, before: KeyTerms): KeyTerms {
  if (limit !== undefined && limit !== 'none' && !/^[1-9]\d{0,6}$/.test(limit)) {
    throw new CommandError(`--limit takes 1 to ${MOST_KEY_LIMIT} requests per minute or "none", not "${limit}".`, 2)
  }
  return {
    limitPerMinute: limit === undefined ? before.limitPerMinute : limit === 'none' ? null : Number(limit),
    allowedNetworks:
      allow === undefined ? before.allowedNetworks : readNetworks(allow === 'all' ? [] : allow.split(',')),
  }
}

function printMade(made: MadeKey, json: boolean, print: (line: string) => void): void {
  print(json ? JSON.stringify({ key: made.secret, ...presentKey(made.key) }) : made.secret)
}

function readTier(text: string): Tier {
  const tier = TIERS.find((known) => known === text.toLowerCase())
  if (!tier) throw new CommandError(`--tier takes ${TIERS.join(', ')}, not "${text}".`, 2)
  return tier
}

function readRight(text: string): Right {
  const right = RIGHTS.find((known) => known === text.toLowerCase())
  if (!right) throw new CommandError(`--may takes ${RIGHTS.join(', ')}, not "${text}".`, 2)
  return right
}

/** A day counts to its end. */
function readExpiry(text: string, now: number): number {
  const at = isDay(text) ? endOfDay(text) : text.length === 10 ? Number.NaN : Date.parse(text)
  if (Number.isNaN(at)) {
    throw new CommandError(`--expires takes a date such as 2027-01-31, not "${text}".`, 2)
  }
  if (at <= now) throw new CommandError(`--expires ${text} is in the past.`)
  return at
}

function stateOf(key: Key, now: number): string {
  if (key.revokedAt !== null && key.revokedAt <= now) return 'revoked'
  return key.expiresAt !== null && key.expiresAt <= now ? 'expired' : 'active'
}

const minute = (at: number | null) => (at === null ? '-' : minuteOf(at))
