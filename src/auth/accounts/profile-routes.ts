import { ApiError } from '../../http/api-error.ts'
import type { HttpContext } from '../../http/context.ts'
import { invalid } from '../../lib/errors.ts'
import { reason } from '../../lib/reasons.ts'
import { emailChangeMail } from '../../mail/mail.ts'
import type { AccountDependencies } from '../sign-in/account-dependencies.ts'
import { type AccountRoute, accountRoute, DONE } from '../sign-in/account-route.ts'
import { confirmPassword } from '../sign-in/authentication-service.ts'
import { hashPassword } from '../sign-in/password-service.ts'
import { requireStrongPassword } from '../sign-in/password-strength.ts'
import type { Session } from '../sign-in/session-store.ts'
import { reportAccountChange } from './account-changes.ts'
import type { Account } from './account-store.ts'
import { mailLanguage } from './mail-language.ts'
import { oneTimeLinkUrl } from './one-time-link.ts'

/** A person's own name, language, password and address. */
export function profileRoutes(parts: AccountDependencies): AccountRoute[] {
  const { accounts } = parts

  async function changePassword(
    c: HttpContext,
    account: Account,
    session: Session,
    newPassword: string,
    now: number,
  ): Promise<void> {
    const { email, name } = account
    const { name: organization } = session.organization
    await requireStrongPassword(newPassword, { email, name, organization, now, field: 'new_password' })
    await accounts.changePassword(account, await hashPassword(newPassword), session.id, now)
    reportAccountChange(parts, c, account, { kind: 'password' })
  }

  async function mailEmailLink(c: HttpContext, account: Account, email: string, now: number): Promise<void> {
    if (!parts.mail.isConfigured) {
      throw new ApiError(
        'FORBIDDEN',
        'This service sends no mail, so a new address cannot be proven. Another owner of your organization or the operator can change it.',
        reason('no_mail_for_new_address'),
      )
    }
    const { token } = await accounts.createEmailLink(account, email, now)
    const to = { email, language: mailLanguage(c, account.language) }
    parts.mail.send(emailChangeMail(to, oneTimeLinkUrl(parts.baseUrl(), token)))
  }

  return [
    accountRoute('PATCH /account/profile', async ({ c, session, now, body }) => {
      const { name, language, password, new_password: newPassword, email } = body
      if (newPassword !== undefined || email !== undefined) {
        if (password === undefined)
          throw invalid('password', undefined, 'the current password', reason('password_wrong'))
        const account = await confirmPassword(parts, c, session.account, password)
        if (newPassword !== undefined) await changePassword(c, account, session, newPassword, now)
        if (email !== undefined) await mailEmailLink(c, account, email, now)
      }
      if (name !== undefined) await accounts.rename(session.account, name, now)
      if (language !== undefined) await accounts.changeLanguage(session.account.id, language)
      return { data: DONE }
    }),
  ]
}
