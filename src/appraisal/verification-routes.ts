import { createHash } from 'node:crypto'
import type { AppraisalWire } from '../contract/appraisal.ts'
import { acceptedLanguage, DEFAULT_LANGUAGE } from '../contract/languages.ts'
import type { HttpContext } from '../http/context.ts'
import type { SiteRoute } from '../http/router.ts'
import { staticRoute } from '../http/static-file.ts'
import type { DashboardDependencies } from '../people/dashboard-dependencies.ts'
import type { ShareStore } from './share-store.ts'
import { isShareToken } from './share-token.ts'
import { receiptNotFoundPage, receiptPage, tooManyRequestsPage, VERIFICATION_CSS } from './verification-page.ts'

const PREFIX = '/verify/'
/** Of one address. Guessing 128 bits at this pace takes longer than there has been time. */
const REQUESTS_PER_MINUTE = 30

type VerificationDependencies = Pick<
  DashboardDependencies,
  'addressOf' | 'takeFromAddressLimit' | 'rethrowDatabaseError'
> & {
  readonly shares: Pick<ShareStore, 'open'>
}

/** The page behind the code on a printed sheet. It needs no account, and tells an unknown code from a withdrawn one to nobody. */
export function verificationRoutes(parts: VerificationDependencies): SiteRoute[] {
  const stylePath = `${PREFIX}style-${createHash('sha256').update(VERIFICATION_CSS).digest('hex').slice(0, 12)}.css`

  async function show(c: HttpContext): Promise<Response> {
    const { id, now } = c.get('facts')
    const accepted = acceptedLanguage(c.req.header('Accept-Language'))
    const language = accepted ?? DEFAULT_LANGUAGE
    const decision = parts.takeFromAddressLimit(`verify ${parts.addressOf(c)}`, REQUESTS_PER_MINUTE, now)
    if (!decision.allowed) {
      return htmlResponse(tooManyRequestsPage(stylePath, language), 429, id, {
        'Retry-After': String(decision.retryAfterSeconds),
      })
    }
    const token = c.req.path.slice(PREFIX.length)
    const shared = isShareToken(token) ? await parts.shares.open(token) : null
    if (!shared) return htmlResponse(receiptNotFoundPage(stylePath, language), 404, id)
    const { organization, sharedFacts: shown, responseJson } = shared
    const appraisal = JSON.parse(responseJson) as AppraisalWire
    const page = receiptPage(stylePath, accepted ?? shared.paperLanguage, organization, appraisal, shown)
    return htmlResponse(page, 200, id)
  }

  return [
    staticRoute(stylePath, 'text/css; charset=utf-8', () => VERIFICATION_CSS),
    { method: 'GET', path: `${PREFIX}*`, handle: (c) => show(c).catch(parts.rethrowDatabaseError) },
  ]
}

function htmlResponse(html: string, status: number, requestId: string, more: Record<string, string> = {}): Response {
  return new Response(html, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      Vary: 'Accept-Language',
      'X-Robots-Tag': 'noindex',
      'X-Request-Id': requestId,
      ...more,
    },
  })
}
