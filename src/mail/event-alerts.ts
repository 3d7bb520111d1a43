import type { MemberRole } from '../contract/account-limits.ts'
import type { EventData, EventType } from '../contract/events.ts'
import { formatAmount } from '../currency/format-amount.ts'

type Alert<Type extends EventType> = {
  /** The lowest role that gets it. */
  readonly role: MemberRole
  readonly text: (data: EventData[Type]) => string
}

const named = (name: string, reference: string | null) => (reference ? `${name} (${reference})` : name)

/** Events that people are told about by mail. The others are for programs. */
const ALERTS: { readonly [Type in EventType]?: Alert<Type> } = {
  'price.changed': {
    role: 'manager',
    text: ({ variant_id, reference, previous_price, current_price, change_percent, currency }) => {
      const money = (cents: number) => formatAmount(cents, currency)
      const change = `${change_percent > 0 ? '+' : ''}${change_percent} %`
      return `The price of ${named(variant_id, reference)} changed from ${money(previous_price)} to ${money(current_price)} (${change}).`
    },
  },
  'identifier.status_changed': {
    role: 'manager',
    text: ({ identifier, reference, message }) => `Identifier ${named(identifier, reference)}: ${message}`,
  },
  'key.expiring': {
    role: 'owner',
    text: ({ name, last_four, expires_at }) =>
      `The API key "${name}" (…${last_four}) expires on ${expires_at.slice(0, 10)}.`,
  },
  'webhook.disabled': {
    role: 'owner',
    text: ({ url, reason }) => `The webhook ${url} is disabled: ${reason}`,
  },
  'usage.threshold_reached': {
    role: 'owner',
    text: ({ month, threshold_percent, monthly_requests, used, is_hard }) =>
      `${used} of ${monthly_requests} requests of ${month} are used (${threshold_percent} %).${
        is_hard && threshold_percent >= 100 ? ' Further requests are rejected.' : ''
      }`,
  },
}

export const ALERT_TYPES = Object.keys(ALERTS) as EventType[]

/** The alert of an event; undefined for events that are for programs. */
export function describeAlert(
  type: string,
  dataJson: string,
): { readonly role: MemberRole; readonly text: string } | undefined {
  const alert = ALERTS[type as EventType] as Alert<EventType> | undefined
  return alert && { role: alert.role, text: alert.text(JSON.parse(dataJson)) }
}
