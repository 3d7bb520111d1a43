import i18next from 'i18next'
import type { ActivityWire } from '../../../src/contract/audit.ts'
import { formatAmount, formatCount, formatPercent, humanize } from '../../format.ts'
import { POLICY_FIELDS, type PolicyField } from '../policy/policy-fields.ts'

type Detail = ActivityWire['detail']

const byVariant = ({ variant }: Detail) => variant && 'price'
const byYes = (value: string | undefined) => (value === 'yes' ? 'yes' : undefined)

/** Actions with more than one text: which one, by the detail. */
const VARIANTS: Readonly<Record<string, (detail: Detail) => string | undefined>> = {
  'organization.runs_service': ({ runs }) => byYes(runs),
  'organization.deals_changed': ({ included }) => byYes(included),
  'organization.second_factor_changed': ({ required }) => byYes(required),
  'list.imported': ({ clears }) => clears && 'clears',
  'observations.contributed': ({ quarantined }) => (Number(quarantined) > 0 ? 'far' : undefined),
  'appraisal.outcome_recorded': ({ price, before }) =>
    price ? (before ? 'priceBefore' : 'price') : before && 'before',
  'import.finished': ({ rejected }) => (Number(rejected) > 0 ? 'rejected' : undefined),
  'webhook.replayed': ({ events }) => events && 'events',
  'setting.changed': ({ setting, value }) => (setting === 'network' ? (value === 'on' ? 'on' : 'off') : undefined),
  'watch.created': byVariant,
  'watch.ended': byVariant,
  'member.joined': ({ by }) => by && 'first',
}

/** Details that the text counts. */
const COUNTED: Readonly<Record<string, string>> = {
  'list.imported': 'entries',
  'list.import_stopped': 'added',
  'observations.forgotten': 'observations',
  'observations.contributed': 'rows',
  'webhook.replayed': 'events',
  'import.finished': 'rows',
}

/** Details in the language of the page. */
function valuesOf({ action, subject: id, subject_name, detail }: ActivityWire) {
  const subject = subject_name ?? id
  const { t } = i18next
  const word = (group: 'kind' | 'outcome', code: string) =>
    t(`activity:${group}.${code}` as 'activity:kind.stolen', { defaultValue: humanize(code).toLowerCase() })
  const counted = COUNTED[action]
  return {
    ...detail,
    ...(detail.rejected ? { rejected: formatCount(Number(detail.rejected)) } : {}),
    ...(action.startsWith('import.') && detail.format ? importNames(detail.format, detail.file) : {}),
    subject,
    name: detail.name ?? subject,
    ...(counted && detail[counted] ? { count: Number(detail[counted]) } : {}),
    ...(detail.facts ? { shown: sharedFacts(detail.facts) } : {}),
    ...(detail.kind ? { kind: word('kind', detail.kind) } : {}),
    ...(action.startsWith('member.') ? { role: roleName(detail.role) } : {}),
    ...(action === 'organization.policy_changed' ? { changes: policyChanges(detail) } : {}),
    ...(action === 'appraisal.outcome_recorded'
      ? {
          status: word('outcome', detail.status ?? ''),
          price: formatAmount(Number(detail.price ?? 0), detail.currency ?? 'USD'),
          before: word('outcome', detail.before?.split(' ')[0] ?? ''),
        }
      : {}),
    ...(action === 'key.changed'
      ? {
          limit: detail.limit_per_minute
            ? t('activity:perMinute', { count: Number(detail.limit_per_minute) })
            : t('activity:tierLimit'),
          addresses: detail.allowed_addresses ?? t('activity:anyAddress'),
        }
      : {}),
  }
}

const sharedFacts = (codes: string) =>
  codes
    .split(', ')
    .map((code) => i18next.t(`appraisals:code.fact.${code}` as 'appraisals:code.fact.device', { defaultValue: code }))
    .join(', ')

/** An import of the service has no file name for other organizations; the type of the list stands for it. */
function importNames(code: string, file?: string) {
  const format = i18next.t(`imports:kind.${code}` as 'imports:kind.tac', { defaultValue: code })
  return { format, file: file ?? format }
}

/** The changed terms with their values. A currency alone was changed; otherwise it is that of the amounts. */
function policyChanges({ currency = '', device: _device, ...detail }: Detail): string {
  const changes = Object.entries(detail).map(([name, value]) => {
    const field = name as PolicyField
    return POLICY_FIELDS[field] ? policyChange(field, value, currency) : `${name} ${value}`
  })
  return changes.join(', ') || currency
}

function policyChange(field: PolicyField, value: string, currency: string): string {
  const { t } = i18next
  const shown = (): string => {
    const { kind } = POLICY_FIELDS[field]
    if (value === 'default') return t('activity:defaultValue')
    if (kind === 'action') return t(`policy:action.${value as 'offer'}`)
    if (kind === 'boolean') return t(value === 'true' ? 'policy:yes' : 'policy:no')
    if (kind === 'percent') return formatPercent(Number(value) / 100)
    if (kind === 'probability') return formatPercent(Number(value))
    return kind === 'points' || !currency ? formatCount(Number(value)) : formatAmount(Number(value), currency)
  }
  return `${t(`policy:field.${field}`)} ${shown()}`
}

const roleName = (role: string | undefined) =>
  role ? i18next.t(`role.${role}` as 'role.owner', { defaultValue: role }) : i18next.t('activity:member')

export function describeActivity(entry: ActivityWire): string {
  const { device } = entry.detail
  const what = describeChange(entry)
  return device ? i18next.t('activity:onDevice', { what, device }) : what
}

function describeChange(entry: ActivityWire): string {
  const { action, subject, detail } = entry
  const [area, what] = action.split('.')
  const key = `activity:did.${area}.${what}`
  const options = { ...valuesOf(entry), context: VARIANTS[action]?.({ ...detail, setting: subject }) }
  return i18next.exists(key, options)
    ? (i18next.t(key as never, options as never) as unknown as string)
    : `${action} ${subject}`
}

/** Actors whose name says everything. */
const PROGRAMS = /^(?:the operator|first start|feed .+)$/

/** Who made the change: the name of a person, or the program. */
export function actorName({ who, who_name }: Pick<ActivityWire, 'who' | 'who_name'>): string {
  if (who_name) return who_name
  if (who === 'the operator') return i18next.t('activity:who.operator')
  if (who === 'first start') return i18next.t('activity:who.firstStart')
  if (who.startsWith('command line')) return i18next.t('activity:who.commandLine')
  const [, key] = /^API key (.+?)(?: \(key_\w+\))?$/.exec(who) ?? []
  if (key) return i18next.t('activity:who.key', { name: key })
  const [, feed] = /^feed (.+)$/.exec(who) ?? []
  return feed ? i18next.t('activity:who.feed', { name: feed }) : who
}

/** What identifies the actor besides the name; empty if there is nothing more to say. */
export function actorDetail(entry: Pick<ActivityWire, 'who' | 'who_name'>): string {
  const { who } = entry
  if (who.startsWith('command line')) return /^command line \((?!unknown\))(.+)\)$/.exec(who)?.[1] ?? ''
  if (who.startsWith('API key ')) return /\((key_\w+)\)$/.exec(who)?.[1] ?? ''
  return PROGRAMS.test(who) || who === actorName(entry) ? '' : who
}

/** Without the beginning of imports whose end is in the list as well; the end gets the name of the file. Newest first. */
export function withoutBeginnings(entries: readonly ActivityWire[]): ActivityWire[] {
  const shown: ActivityWire[] = []
  const endOf = new Map<string, number>()
  for (const entry of entries) {
    const key = `${entry.who} ${entry.detail.format}`
    const end = entry.action === 'import.started' ? endOf.get(key) : undefined
    const ended = end === undefined ? undefined : shown[end]
    if (end !== undefined && ended) {
      shown[end] = { ...ended, detail: { ...entry.detail, ...ended.detail } }
      endOf.delete(key)
      continue
    }
    if (entry.action === 'import.finished' || entry.action === 'import.failed') endOf.set(key, shown.length)
    shown.push(entry)
  }
  return shown
}

/** Entries of one day in the same order; what a program did many times in a row by an API key is one group. */
export function foldRepeats(entries: readonly ActivityWire[]): ActivityWire[][] {
  const groups: ActivityWire[][] = []
  for (const entry of entries) {
    const group = groups.at(-1)
    const previous = group?.[0]
    const isRepeat = previous?.who === entry.who && previous.action === entry.action && entry.who.startsWith('API key ')
    if (group && isRepeat) group.push(entry)
    else groups.push([entry])
  }
  return groups
}
