import { html, type Markup } from '../lib/html.ts'

/** A message to one person, as plain text and HTML. */
export type Mail = {
  /** What it is about, for the log and the metrics. */
  readonly kind: 'invitation' | 'password_reset' | 'new_sign_in' | 'account_changed' | 'alert' | 'test'
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

type Content = {
  readonly paragraphs: readonly string[]
  /** Shown as a button, and in full in the plain text. */
  readonly action?: { readonly label: string; readonly url: string }
  readonly footer: string
}

/** Header fields are one line: text from people must not start another. */
const singleLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()

function compose(kind: Mail['kind'], to: string, subject: string, { paragraphs, action, footer }: Content): Mail {
  const button: Markup | null = action
    ? html`<p><a href="${action.url}" style="display:inline-block;padding:10px 16px;border-radius:6px;background:#1f4fd8;color:#ffffff;text-decoration:none">${action.label}</a></p>`
    : null
  const page = html`<!doctype html><html lang="en"><body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#1b1f27;background:#ffffff"><div style="max-width:560px">${paragraphs.map((text) => html`<p>${text}</p>`)}${button}<p style="font-size:13px;color:#5c6370">${footer}</p></div></body></html>`
  const text = [...paragraphs, ...(action ? [`${action.label}: ${action.url}`] : []), '-- ', footer].join('\n\n')
  return { kind, to, subject: singleLine(subject), text, html: page.html }
}

const ONCE = 'The link works once, for three days.'

export function invitationMail(
  to: string,
  link: string,
  by: { readonly organization: string; readonly inviter: string; readonly role: string },
): Mail {
  return compose('invitation', to, `Invitation to ${by.organization}`, {
    paragraphs: [`${by.inviter} invites you to ${by.organization} on Device Intelligence as ${by.role}.`, ONCE],
    action: { label: 'Accept the invitation', url: link },
    footer: 'If you do not expect this invitation, ignore it.',
  })
}

export function passwordResetMail(to: string, link: string): Mail {
  return compose('password_reset', to, 'Choose a new password', {
    paragraphs: [
      'A new password was requested for your account on Device Intelligence.',
      `${ONCE} Your password does not change until you use it.`,
    ],
    action: { label: 'Choose a new password', url: link },
    footer: 'If you did not request this, ignore it. Nobody can change your password without the link.',
  })
}

export function newSignInMail(
  to: string,
  from: { readonly address: string; readonly agent: string; readonly time: string; readonly accountUrl: string },
): Mail {
  return compose('new_sign_in', to, 'New sign-in to your account', {
    paragraphs: [
      'Somebody signed in to your account on Device Intelligence with a browser that was not used before.',
      `Time: ${from.time}. Address: ${from.address || 'unknown'}. Browser: ${singleLine(from.agent) || 'unknown'}.`,
    ],
    action: { label: 'Review your sessions', url: from.accountUrl },
    footer: 'If this was not you, end the session and change your password.',
  })
}

export function accountChangedMail(to: string, change: string, accountUrl: string): Mail {
  return compose('account_changed', to, 'Your account was changed', {
    paragraphs: [change],
    action: { label: 'Open your account', url: accountUrl },
    footer: 'If this was not you, change your password and tell an owner of your organization.',
  })
}

export function alertMail(to: string, organization: string, alerts: readonly string[], url: string): Mail {
  const [first = ''] = alerts
  const subject = alerts.length === 1 ? first : `${alerts.length} alerts`
  return compose('alert', to, `${organization}: ${subject}`, {
    paragraphs: alerts,
    action: { label: 'Open the dashboard', url },
    footer: `You receive alerts because you are an owner or manager of ${organization}.`,
  })
}

export function testMail(to: string): Mail {
  return compose('test', to, 'Test message', {
    paragraphs: ['Mail from Device Intelligence works.'],
    footer: 'Sent on request of the operator.',
  })
}
