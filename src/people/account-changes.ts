import { type AccountChange, accountChangedMail } from '../mail/mail.ts'
import type { Account } from './account-store.ts'
import type { DashboardDependencies } from './dashboard-dependencies.ts'
import { mailLanguage } from './mail-language.ts'
import type { SessionContext } from './session-route.ts'

/** Mails the account about a change of its credentials; after a change of the address, `account` has the old one. */
export function reportAccountChange(
  parts: Pick<DashboardDependencies, 'mail' | 'baseUrl'>,
  c: SessionContext<'anyone'>,
  account: Pick<Account, 'email' | 'language'>,
  change: AccountChange,
): void {
  const to = { email: account.email, language: mailLanguage(c, account.language) }
  parts.mail.send(accountChangedMail(to, `${parts.baseUrl()}/dashboard/account`, change))
}
