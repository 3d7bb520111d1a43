import type { MemberRole } from '../contract/account-limits.ts'
import type { EventData, EventType } from '../contract/events.ts'
import type { Language } from '../contract/languages.ts'
import { formatAmount } from '../currency/format-amount.ts'
import { mailTexts } from './mail.ts'

type Texts = ReturnType<typeof mailTexts>

type Alert<Type extends EventType> = {
  /** The lowest role that gets it. */
  readonly role: MemberRole
  readonly text: (data: EventData[Type], t: Texts, language: Language) => string
}

const withReference = (name: string, reference: string | null) => (reference ? `${name} (${reference})` : name)

/** Events that are mailed to people. The others are for programs. */
const ALERTS: { readonly [Type in EventType]?: Alert<Type> } = {
  'price.changed': {
    role: 'manager',
    text: ({ variant_id, reference, previous_price, current_price, change_percent, currency }, t, language) => {
      const money = (cents: number) => formatAmount(cents, currency, language)
      const change = `${change_percent > 0 ? '+' : ''}${change_percent} %`
      const prices = { previous: money(previous_price), current: money(current_price) }
      return t('mail:alert.price', { name: withReference(variant_id, reference), ...prices, change })
    },
  },
  'identifier.status_changed': {
    role: 'manager',
    text: ({ identifier, reference, message }, t) =>
      t('mail:alert.identifier', { name: withReference(identifier, reference), message }),
  },
  'key.expiring': {
    role: 'owner',
    text: ({ name, last_four, expires_at }, t) =>
      t('mail:alert.key', { name, lastFour: last_four, day: expires_at.slice(0, 10) }),
  },
  'webhook.disabled': {
    role: 'owner',
    text: ({ url, reason }, t) => t('mail:alert.webhook', { url, reason }),
  },
  'usage.threshold_reached': {
    role: 'owner',
    text: ({ month, threshold_percent, monthly_requests, used, is_hard }, t) =>
      t(is_hard && threshold_percent >= 100 ? 'mail:alert.usageEnded' : 'mail:alert.usage', {
        month,
        used,
        quota: monthly_requests,
        percent: threshold_percent,
      }),
  },
}

export const ALERT_TYPES = Object.keys(ALERTS) as EventType[]

/** The alert of an event; undefined for events that are for programs. */
export function describeAlert(
  type: string,
  dataJson: string,
): { readonly role: MemberRole; readonly text: (language: Language) => string } | undefined {
  const alert = ALERTS[type as EventType] as Alert<EventType> | undefined
  if (!alert) return undefined
  const data = JSON.parse(dataJson)
  return { role: alert.role, text: (language) => alert.text(data, mailTexts(language), language) }
}
