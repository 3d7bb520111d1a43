import { createHash } from 'node:crypto'
import type { AccountDependencies } from '../auth/sign-in/account-dependencies.ts'
import { acceptedLanguage, DEFAULT_LANGUAGE } from '../contract/languages.ts'
import type { HttpContext } from '../http/context.ts'
import type { SiteRoute } from '../http/router.ts'
import { staticRoute } from '../http/static-file.ts'
import type { ShareStore } from './share-store.ts'
import { isShareToken } from './share-token.ts'
import { receiptNotFoundPage, receiptPage, tooManyRequestsPage, VERIFICATION_CSS } from './verification-page.ts'

const PREFIX = '/verify/'
/** Per address; too few to guess 128 random bits. */
const REQUESTS_PER_MINUTE = 30

type VerificationDependencies = Pick<
  AccountDependencies,
  'addressOf' | 'takeFromAddressLimit' | 'rethrowDatabaseError'
> & {
  readonly shares: Pick<ShareStore, 'open'>
}

/** The page behind the code on a receipt. It needs no account; unknown and withdrawn codes get the same response. */
export function verificationRoutes(dependencies: VerificationDependencies): SiteRoute[] {
  const stylePath = `${PREFIX}style-${createHash('sha256').update(VERIFICATION_CSS).digest('hex').slice(0, 12)}.css`

  async function show(c: HttpContext): Promise<Response> {
    const { id, now } = c.get('facts')
    const accepted = acceptedLanguage(c.req.header('Accept-Language'))
    const language = accepted ?? DEFAULT_LANGUAGE
    const decision = dependencies.takeFromAddressLimit(dependencies.addressOf(c), 'verify', REQUESTS_PER_MINUTE, now)
    if (!decision.allowed) {
      return htmlResponse(tooManyRequestsPage(stylePath, language), 429, id, {
        'Retry-After': String(decision.retryAfterSeconds),
      })
    }
    const token = c.req.path.slice(PREFIX.length)
    const shared = isShareToken(token) ? await dependencies.shares.open(token) : null
    if (!shared) return htmlResponse(receiptNotFoundPage(stylePath, language), 404, id)
    const page = receiptPage(stylePath, accepted ?? shared.paperLanguage, shared, shared.appraisal)
    return htmlResponse(page, 200, id)
  }

  return [
    staticRoute(stylePath, 'text/css; charset=utf-8', () => VERIFICATION_CSS),
    { method: 'GET', path: `${PREFIX}*`, handle: (c) => show(c).catch(dependencies.rethrowDatabaseError) },
  ]
}

function htmlResponse(
  html: string,
  status: number,
  requestId: string,
  extraHeaders: Record<string, string> = {},
): Response {
  return new Response(html, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      Vary: 'Accept-Language',
      'X-Robots-Tag': 'noindex',
      'X-Request-Id': requestId,
      ...extraHeaders,
    },
  })
}
