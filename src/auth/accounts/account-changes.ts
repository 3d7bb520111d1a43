import { type AccountChange, accountChangedMail } from '../../mail/mail.ts'
import type { MailService } from '../../mail/mail-service.ts'
import type { Account } from './account-store.ts'
import { mailLanguage, type RequestHeaders } from './mail-language.ts'

/** Mails the account about a change of its credentials; after a change of the address, `account` has the old one. */
export function reportAccountChange(
  parts: { readonly mail: Pick<MailService, 'send'>; readonly baseUrl: () => string },
  c: RequestHeaders,
  account: Pick<Account, 'email' | 'language'>,
  change: AccountChange,
): void {
  const to = { email: account.email, language: mailLanguage(c, account.language) }
  parts.mail.send(accountChangedMail(to, `${parts.baseUrl()}/dashboard/account`, change))
}
