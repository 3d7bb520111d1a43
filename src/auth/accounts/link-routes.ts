import type { LinkWire } from '../../contract/account.ts'
import type { HttpContext } from '../../http/context.ts'
import { DomainError, invalid } from '../../lib/errors.ts'
import { reason } from '../../lib/reasons.ts'
import type { AccountDependencies } from '../sign-in/account-dependencies.ts'
import { type AccountRoute, accountRoute, DONE } from '../sign-in/account-route.ts'
import { hashPassword } from '../sign-in/password-service.ts'
import { requireStrongPassword } from '../sign-in/password-strength.ts'
import { continueSignIn } from '../sign-in/sign-in-steps.ts'
import { reportAccountChange } from './account-changes.ts'
import type { OneTimeLink } from './one-time-link-store.ts'

/** One-time links: what they are for, and their use. */
export function linkRoutes(parts: AccountDependencies): AccountRoute[] {
  const { accounts } = parts

  async function requireLink(token: string, now: number): Promise<OneTimeLink> {
    const link = await accounts.findLink(token, now)
    if (!link) throw linkUsedError()
    return link
  }

  const organizationName = async (id: string) => (await parts.organizationName(id)) ?? ''

  /** `sessionId` is that of this browser; it goes on if it belongs to the account. */
  async function confirmEmail(c: HttpContext, link: OneTimeLink, sessionId: string, now: number): Promise<void> {
    const before = await accounts.confirmEmail(link, sessionId, now)
    if (!before) throw linkUsedError()
    reportAccountChange(parts, c, before, { kind: 'email', email: link.email })
  }

  /** Creates the account of an invitation, or sets a new password. */
  async function choosePassword(
    link: OneTimeLink,
    { name = '', password }: { readonly name?: string | undefined; readonly password?: string | undefined },
    now: number,
  ) {
    if (!password)
      throw invalid(
        'password',
        undefined,
        'a password of at least 10 characters',
        reason('password_too_short', { minimum: 10 }),
      )
    const organization = await organizationName(link.organizationId)
    await requireStrongPassword(password, { email: link.email, name, organization, now })
    const passwordHash = await hashPassword(password)
    const account =
      link.purpose === 'invitation'
        ? await accounts.acceptInvitation(link, { name, passwordHash }, now)
        : await accounts.resetPassword(link, passwordHash, now)
    if (!account) throw linkUsedError()
    await accounts.clearAttempts(link.email)
    return account
  }

  return [
    accountRoute('POST /account/link', async ({ now, body: { token } }) => {
      const link = await requireLink(token, now)
      const data: LinkWire = {
        purpose: link.purpose,
        email: link.email,
        organization: await organizationName(link.organizationId),
        role: link.role,
      }
      return { data }
    }),

    accountRoute('POST /account/link/use', async ({ c, now, session, body: { token, ...chosen } }) => {
      const link = await requireLink(token, now)
      if (link.purpose === 'email_change') {
        // A password means that the sender takes the link for another kind.
        if (chosen.password !== undefined) throw linkUsedError()
        await confirmEmail(c, link, session?.account.id === link.accountId ? session.id : '', now)
        return { data: DONE }
      }
      const account = await choosePassword(link, chosen, now)
      if (link.purpose === 'password_reset') reportAccountChange(parts, c, account, { kind: 'password' })
      // A link replaces the password, not the second factor.
      return continueSignIn(parts, c, account)
    }),
  ]
}

const linkUsedError = () =>
  new DomainError('not_found', 'This link was already used or has expired.', reason('link_used'))
