import { createHash } from 'node:crypto'
import type { ShareStore } from '../appraisal/share-store.ts'
import { isShareToken } from '../appraisal/share-token.ts'
import type { AppraisalWire } from '../contract/appraisal.ts'
import type { HttpContext } from '../http/context.ts'
import type { SiteRoute } from '../http/router.ts'
import { staticRoute } from '../http/static.ts'
import type { AccountParts } from './parts.ts'
import { noSheetPage, sheetPage, tooManyPage, VERIFICATION_CSS } from './verification-page.ts'

const PREFIX = '/verify/'
/** Of one address. Guessing 128 bits at this pace takes longer than there has been time. */
const REQUESTS_PER_MINUTE = 30

type Parts = Pick<AccountParts, 'addressOf' | 'takeRequest' | 'storeTrouble'> & {
  readonly shares: Pick<ShareStore, 'open'>
}

/** The page behind the code on a printed sheet. It needs no account, and tells an unknown code from a withdrawn one to nobody. */
export function verificationRoutes(parts: Parts): SiteRoute[] {
  const stylePath = `${PREFIX}style-${createHash('sha256').update(VERIFICATION_CSS).digest('hex').slice(0, 12)}.css`

  async function show(c: HttpContext): Promise<Response> {
    const { id, now } = c.get('facts')
    const decision = parts.takeRequest(`verify ${parts.addressOf(c)}`, REQUESTS_PER_MINUTE, now)
    if (!decision.allowed) {
      return page(tooManyPage(stylePath), 429, id, { 'Retry-After': String(decision.retryAfterSeconds) })
    }
    const token = c.req.path.slice(PREFIX.length)
    const shared = isShareToken(token) ? await parts.shares.open(token) : null
    if (!shared) return page(noSheetPage(stylePath), 404, id)
    const { organization, shown, answer } = shared
    return page(sheetPage(stylePath, organization, JSON.parse(answer) as AppraisalWire, shown), 200, id)
  }

  return [
    staticRoute(stylePath, 'text/css; charset=utf-8', () => VERIFICATION_CSS),
    { method: 'GET', path: `${PREFIX}*`, handle: (c) => show(c).catch(parts.storeTrouble) },
  ]
}

function page(html: string, status: number, requestId: string, more: Record<string, string> = {}): Response {
  return new Response(html, {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Robots-Tag': 'noindex',
      'X-Request-Id': requestId,
      ...more,
    },
  })
}
