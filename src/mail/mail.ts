import type { MemberRole } from '../contract/account-limits.ts'
import type { Language } from '../contract/languages.ts'
import { html, type Markup } from '../lib/html.ts'
import { translator } from '../lib/translations.ts'

/** A message to one person, as plain text and HTML. */
export type Mail = {
  /** What it is about, for the log and the metrics. */
  readonly kind:
    | 'invitation'
    | 'password_reset'
    | 'email_change'
    | 'new_sign_in'
    | 'account_changed'
    | 'alert'
    | 'test'
    | 'quote'
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Address and language of the person who gets a message. */
export type Recipient = { readonly email: string; readonly language: Language }

type Content = {
  readonly paragraphs: readonly string[]
  /** Shown as buttons, and in full in the plain text. */
  readonly actions: readonly { readonly label: string; readonly url: string }[]
  readonly footer: string
}

export const mailTexts = (language: Language) => translator(language, ['mail', 'common'])

/** Prevents header injection: user input must not contain line breaks. */
const singleLine = (text: string) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim()

function compose(
  kind: Mail['kind'],
  { email, language }: Recipient,
  subject: string,
  { paragraphs, actions, footer }: Content,
): Mail {
  const buttons: Markup[] = actions.map(
    (action) =>
      html`<p><a href="${action.url}" style="display:inline-block;padding:10px 16px;border-radius:6px;background:#0a6b62;color:#ffffff;text-decoration:none">${action.label}</a></p>`,
  )
  const page = html`<!doctype html><html lang="${language}"><body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#1b1f27;background:#ffffff"><div style="max-width:560px">${paragraphs.map((text) => html`<p>${text}</p>`)}${buttons}<p style="font-size:13px;color:#5c6370">${footer}</p></div></body></html>`
  const text = [...paragraphs, ...actions.map(({ label, url }) => `${label}: ${url}`), '-- ', footer].join('\n\n')
  return { kind, to: email, subject: singleLine(subject), text, html: page.html }
}

export function invitationMail(
  to: Recipient,
  link: string,
  by: { readonly organization: string; readonly inviter: string; readonly role: MemberRole },
): Mail {
  const t = mailTexts(to.language)
  const { organization, inviter } = by
  return compose('invitation', to, t('mail:invitation.subject', { organization }), {
    paragraphs: [
      t('mail:invitation.text', { inviter, organization, role: t(`common:role.${by.role}`) }),
      t('mail:linkWorksOnce'),
    ],
    actions: [{ label: t('mail:invitation.action'), url: link }],
    footer: t('mail:invitation.footer'),
  })
}

/** One link per account of the address; with several, each names its organization. */
export function passwordResetMail(
  to: Recipient,
  links: readonly { readonly organization: string; readonly url: string }[],
): Mail {
  const t = mailTexts(to.language)
  const label = t('mail:reset.subject')
  return compose('password_reset', to, label, {
    paragraphs: [t('mail:reset.text'), t('mail:linkWorksOnce'), t('mail:reset.unchanged')],
    actions: links.map(({ organization, url }) => ({
      label: links.length === 1 ? label : `${label} (${singleLine(organization)})`,
      url,
    })),
    footer: t('mail:reset.footer'),
  })
}

/** Goes to the new address and proves it. */
export function emailChangeMail(to: Recipient, url: string): Mail {
  const t = mailTexts(to.language)
  return compose('email_change', to, t('mail:email.subject'), {
    paragraphs: [t('mail:email.text'), t('mail:linkWorksOnce')],
    actions: [{ label: t('mail:email.subject'), url }],
    footer: t('mail:email.footer'),
  })
}

export function newSignInMail(
  to: Recipient,
  from: { readonly address: string; readonly agent: string; readonly time: string; readonly accountUrl: string },
): Mail {
  const t = mailTexts(to.language)
  const unknown = t('common:time.unknown')
  const facts = { time: from.time, address: from.address || unknown, browser: singleLine(from.agent) || unknown }
  return compose('new_sign_in', to, t('mail:signIn.subject'), {
    paragraphs: [t('mail:signIn.text'), t('mail:signIn.facts', facts)],
    actions: [{ label: t('mail:signIn.action'), url: from.accountUrl }],
    footer: t('mail:signIn.footer'),
  })
}

/** A change of credentials that is mailed to the account. */
export type AccountChange =
  | { readonly kind: 'password' | 'factors' }
  | { readonly kind: 'email'; readonly email: string }
  | { readonly kind: 'identity'; readonly issuer: string }
  | { readonly kind: 'second_factor_reset'; readonly by: string }

export function accountChangedMail(to: Recipient, accountUrl: string, change: AccountChange): Mail {
  const t = mailTexts(to.language)
  function describeChange(): string {
    switch (change.kind) {
      case 'password':
        return t('mail:changed.password')
      case 'factors':
        return t('mail:changed.factors')
      case 'email':
        return t('mail:changed.email', { email: change.email })
      case 'identity':
        return t('mail:changed.identity', { issuer: change.issuer })
      case 'second_factor_reset':
        return t('mail:changed.secondFactor', { by: change.by })
    }
  }
  return compose('account_changed', to, t('mail:changed.subject'), {
    paragraphs: [describeChange()],
    actions: [{ label: t('mail:changed.action'), url: accountUrl }],
    footer: t('mail:changed.footer'),
  })
}

export function alertMail(to: Recipient, organization: string, alerts: readonly string[], url: string): Mail {
  const t = mailTexts(to.language)
  const [first = ''] = alerts
  const subject = alerts.length === 1 ? first : t('mail:alert.several', { count: alerts.length })
  return compose('alert', to, `${organization}: ${subject}`, {
    paragraphs: alerts,
    actions: [{ label: t('mail:alert.action'), url }],
    footer: t('mail:alert.footer', { organization }),
  })
}

/** To a customer who kept a quote; the page behind the link has the number and the price. */
export function quoteMail(
  to: Recipient,
  { shop, id, url }: { readonly shop: string; readonly id: string; readonly url: string },
): Mail {
  const t = mailTexts(to.language)
  return compose('quote', to, t('mail:quote.subject', { id, shop }), {
    paragraphs: [t('mail:quote.text', { id, shop })],
    actions: [{ label: t('mail:quote.action'), url }],
    footer: t('mail:quote.footer', { shop }),
  })
}

export function testMail(to: Recipient): Mail {
  const t = mailTexts(to.language)
  return compose('test', to, t('mail:test.subject'), {
    paragraphs: [t('mail:test.text')],
    actions: [],
    footer: t('mail:test.footer'),
  })
}
