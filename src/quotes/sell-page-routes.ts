import { addressLimitKey } from '../auth/rate-limit/address-limiter.ts'
import type { LocalRateLimiter, RateLimiter } from '../auth/rate-limit/rate-limiter.ts'
import type { Device } from '../catalog/device.ts'
import { CONDITIONS } from '../contract/condition-grades.ts'
import { type Defect, deviceKind } from '../contract/device-kinds.ts'
import { acceptedLanguage, DEFAULT_LANGUAGE, findLanguage, type Language } from '../contract/languages.ts'
import { phoneValue, type QuoteContactInputWire } from '../contract/quotes.ts'
import { emailValue, nameValue } from '../contract/values.ts'
import type { HttpContext } from '../http/context.ts'
import { readFormBody } from '../http/json-body.ts'
import type { SiteRoute } from '../http/router.ts'
import { DomainError } from '../lib/errors.ts'
import { yieldToEventLoop } from '../lib/event-loop.ts'
import { type QuestionTopic, questionsFor, statedDefects } from './questions.ts'
import type { Quotes, Shop } from './quotes.ts'
import {
  contactProblem,
  customerPage,
  type DeviceForm,
  deviceLinks,
  devicePage,
  EMPTY_CONTACT,
  type FormAnswers,
  type MessageKind,
  messagePage,
  noShopPage,
  type PageContext,
  pricePage,
  searchPage,
  sellStyle,
} from './sell-page.ts'
import { customerPath, SELL_PREFIX } from './sell-paths.ts'
import { embedScript, pageScript } from './sell-scripts-routes.ts'
import type { Quote } from './trade-in-quote.ts'

const PRICES_PER_MINUTE = 10
const PAGES_PER_MINUTE = 120
/** Requests of all visitors of this process that are worked on at once; each is short. */
const MAX_IN_PROGRESS = 4
const MAX_FORM_BYTES = 8 * 1024
const MAX_DEVICES = 8
const MAX_QUERY_LENGTH = 100
const TOKEN = /^[A-Za-z0-9_-]{22}$/

export type SellPageDependencies = {
  readonly quotes: Pick<Quotes, 'shopBySlug' | 'priceOnPage' | 'priced' | 'keep' | 'ofCustomer' | 'endByCustomer'>
  readonly addressOf: (c: HttpContext) => string
  /** Shared by all processes. */
  readonly limiter: RateLimiter
  /** Of this process, for pages that cost little. */
  readonly pageLimiter: Pick<LocalRateLimiter, 'take'>
  readonly findDevice: (id: string) => Device | undefined
  readonly defectsOf: (device: Device) => readonly Pick<Defect, 'code'>[]
  /** Devices that the shop buys, best match first. */
  readonly searchDevices: (shop: Shop, text: string, limit: number) => Promise<readonly Device[]>
  readonly mailQuote: (shop: Shop, quote: Quote, url: string) => void
  /** A form that is sent sooner was filled in by a program. */
  readonly minFillMs: number
  readonly baseUrl: string
  readonly rethrowDatabaseError: (error: unknown) => never
}

/**
 * The public trade-in page. No request names an organization, a policy or a market but by the address of the shop; no
 * cookies; nothing from other hosts.
 */
export function sellPageRoutes(dependencies: SellPageDependencies): SiteRoute[] {
  const { quotes, addressOf } = dependencies
  let inProgress = 0

  const addressKey = (c: HttpContext) => addressLimitKey(addressOf(c))

  /** A flood of the page waits for nobody: beyond its few slots it is rejected at once, in a few bytes. */
  async function inSlot(c: HttpContext, work: () => Promise<Response>): Promise<Response> {
    if (inProgress >= MAX_IN_PROGRESS) return busyResponse(c)
    inProgress++
    try {
      await yieldToEventLoop()
      return await work()
    } finally {
      inProgress--
    }
  }

  function languageOf(c: HttpContext, shop: Shop, form?: URLSearchParams): Language {
    const chosen = findLanguage(form?.get('lang') ?? c.req.query('lang') ?? '')
    return chosen ?? acceptedLanguage(c.req.header('Accept-Language')) ?? shop.language
  }

  /** The shop and what follows its address; null for an address that no shop has. */
  async function findShop(c: HttpContext): Promise<{ shop: Shop; rest: string } | null> {
    const [slug = '', ...rest] = c.req.path.slice(SELL_PREFIX.length).split('/')
    const shop = /^[a-z0-9-]{3,40}$/.test(slug) ? await quotes.shopBySlug(slug) : null
    return shop && { shop, rest: rest.join('/') }
  }

  const notFound = (c: HttpContext) => {
    const language = acceptedLanguage(c.req.header('Accept-Language')) ?? DEFAULT_LANGUAGE
    return page(c, null, noShopPage(language), 404)
  }

  async function show(c: HttpContext): Promise<Response> {
    const { now } = c.get('facts')
    if (!dependencies.pageLimiter.take(`sell page ${addressKey(c)}`, PAGES_PER_MINUTE, 1, now).allowed)
      return busyResponse(c)
    return inSlot(c, async () => {
      const found = await findShop(c)
      if (!found) return notFound(c)
      const { shop, rest } = found
      const context: PageContext = { shop, language: languageOf(c, shop) }
      switch (rest) {
        case '':
          return showStart(c, context)
        case 'devices':
          return page(c, shop, deviceLinks(context, await search(shop, c.req.query('q') ?? '')).html)
        case 'style.css':
          return asset(c, 'text/css; charset=utf-8', sellStyle(shop))
        case 'page.js':
          return asset(c, 'text/javascript; charset=utf-8', pageScript)
        case 'embed.js':
          return asset(c, 'text/javascript; charset=utf-8', embedScript)
        case 'logo':
          return logoResponse(c, shop)
      }
      const token = /^q\/(.+)$/.exec(rest)?.[1] ?? ''
      const quote = TOKEN.test(token) ? await quotes.ofCustomer(shop, token) : null
      if (!quote) return notFound(c)
      const language = findLanguage(c.req.query('lang') ?? '') ?? quote.language
      return page(c, shop, customerPage({ shop, language }, quote, token, now))
    })
  }

  async function search(shop: Shop, typed: string) {
    const text = typed.trim().slice(0, MAX_QUERY_LENGTH)
    const devices = text.length < 2 ? [] : await dependencies.searchDevices(shop, text, MAX_DEVICES)
    return devices.map(({ id, name, make }) => ({ id, name, detail: make }))
  }

  async function showStart(c: HttpContext, context: PageContext): Promise<Response> {
    const device = dependencies.findDevice(c.req.query('d') ?? '')
    if (device) return page(c, context.shop, devicePage(context, emptyForm(device)))
    const query = (c.req.query('q') ?? '').slice(0, MAX_QUERY_LENGTH)
    return page(c, context.shop, searchPage(context, query, await search(context.shop, query)))
  }

  const questionsOf = (device: Device) => questionsFor(deviceKind(device), dependencies.defectsOf(device))

  const emptyForm = (device: Device): DeviceForm => ({
    device,
    storages: storagesOf(device),
    questions: questionsOf(device),
    answers: { storage: null, yes: new Map(), ticked: new Set(), condition: null },
    open: [],
  })

  async function submit(c: HttpContext): Promise<Response> {
    const { now } = c.get('facts')
    if (!dependencies.pageLimiter.take(`sell page ${addressKey(c)}`, PAGES_PER_MINUTE, 1, now).allowed)
      return busyResponse(c)
    if (isCrossSite(c)) return busyResponse(c)
    const form = await readFormBody(c.req.raw, MAX_FORM_BYTES)
    return inSlot(c, async () => {
      const found = await findShop(c)
      if (!found) return notFound(c)
      const { shop, rest } = found
      const context: PageContext = { shop, language: languageOf(c, shop, form) }
      if (rest === 'price') return submitAnswers(c, context, form)
      if (rest === 'keep') return submitContact(c, context, form)
      const token = /^q\/(.+)$/.exec(rest)?.[1] ?? ''
      return TOKEN.test(token) ? endQuote(c, shop, token, form) : notFound(c)
    })
  }

  async function submitAnswers(c: HttpContext, context: PageContext, form: URLSearchParams): Promise<Response> {
    const { shop, language } = context
    const { now } = c.get('facts')
    const device = dependencies.findDevice(form.get('d') ?? '')
    if (!device) return page(c, shop, searchPage(context, '', []), 404)
    const answers = readAnswers(form)
    const questions = questionsOf(device)
    const storages = storagesOf(device)
    const stated = statedDefects(questions, {
      isYes: (topic) => answers.yes.get(topic) ?? null,
      ticked: answers.ticked,
    })
    const storage = storages.includes(answers.storage ?? '') ? answers.storage : null
    const open = [...stated.open, ...(storages.length > 0 && !storage ? ['storage'] : [])]
    if (open.length > 0 || !answers.condition)
      return page(c, shop, devicePage(context, { device, storages, questions, answers, open: [...open, 'form'] }), 400)
    const address = addressKey(c)
    const decision = await dependencies.limiter.take(`sell price ${address}`, PRICES_PER_MINUTE, 1, now)
    if (!decision.allowed) return message(c, context, 'busy', 429, decision.retryAfterSeconds)
    const priced = await quotes.priceOnPage(
      shop,
      {
        device_id: device.id,
        attributes: storage ? { storage } : {},
        condition: answers.condition,
        defects: [...stated.defects],
        variant_id: undefined,
      },
      { address, language, now },
    )
    if (typeof priced === 'string') return message(c, context, 'askUs', 429, 3_600)
    return page(c, shop, pricePage(context, priced.quote, priced.token, EMPTY_CONTACT))
  }

  async function submitContact(c: HttpContext, context: PageContext, form: URLSearchParams): Promise<Response> {
    const { shop, language } = context
    const { now } = c.get('facts')
    const token = form.get('token') ?? ''
    const priced = TOKEN.test(token) ? await quotes.priced(shop, token, now) : null
    if (!priced) return message(c, context, 'tooLate', 410)
    const entered = { name: form.get('name') ?? '', contact: form.get('contact') ?? '' }
    const again = (kind: 'invalid' | 'limit' | 'fast', status: number) =>
      page(c, shop, pricePage(context, priced, token, { ...entered, problem: contactProblem(language, kind) }), status)
    // Programs fill in every field, and at once.
    if (form.get('website') || now - priced.createdAt < dependencies.minFillMs) return again('fast', 400)
    const contact = readContact(entered, form.get('consent') === 'yes')
    if (!contact) return again('invalid', 400)
    let quote: Quote | null
    try {
      quote = await quotes.keep(shop, token, contact, now)
    } catch (error) {
      if (error instanceof DomainError && error.code === 'limit_reached') return again('limit', 409)
      throw error
    }
    if (!quote) return message(c, context, 'tooLate', 410)
    const path = customerPath(shop.settings.slug, token)
    if (!priced.isKept) dependencies.mailQuote(shop, quote, `${dependencies.baseUrl}${path}`)
    return redirect(c, shop, `${path}?lang=${language}`)
  }

  async function endQuote(c: HttpContext, shop: Shop, token: string, form: URLSearchParams): Promise<Response> {
    try {
      const quote = await quotes.endByCustomer(shop, token, form.get('action') === 'delete', c.get('facts').now)
      if (!quote) return notFound(c)
    } catch (error) {
      // Over already: the page says so.
      if (!(error instanceof DomainError) || error.code !== 'conflict') throw error
    }
    return redirect(c, shop, customerPath(shop.settings.slug, token))
  }

  return [
    {
      method: 'GET',
      path: `${SELL_PREFIX}*`,
      saysWhoFrames: true,
      handle: (c) => show(c).catch(dependencies.rethrowDatabaseError),
    },
    {
      method: 'POST',
      path: `${SELL_PREFIX}*`,
      saysWhoFrames: true,
      handle: (c) => submit(c).catch(dependencies.rethrowDatabaseError),
    },
  ]

  function message(c: HttpContext, context: PageContext, kind: MessageKind, status: number, retryAfter?: number) {
    const headers: Record<string, string> = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }
    return page(c, context.shop, messagePage(context, kind), status, headers)
  }

  /** Only the page itself sends its forms; in a frame it still is its own origin. */
  function isCrossSite(c: HttpContext): boolean {
    const site = c.req.header('Sec-Fetch-Site')
    return site !== undefined && site !== 'same-origin' && site !== 'none'
  }
}

function readAnswers(form: URLSearchParams): FormAnswers {
  const yes = new Map<QuestionTopic, boolean>()
  for (const [name, value] of form)
    if (name.startsWith('q_') && (value === 'yes' || value === 'no'))
      yes.set(name.slice(2) as QuestionTopic, value === 'yes')
  return {
    storage: form.get('storage'),
    yes,
    ticked: new Set(form.getAll('fault')),
    condition: CONDITIONS.find((condition) => condition === form.get('condition')) ?? null,
  }
}

/** Null if name or contact cannot be used, or without consent. */
function readContact(
  entered: { readonly name: string; readonly contact: string },
  consents: boolean,
): QuoteContactInputWire | null {
  const name = nameValue.safeParse(entered.name)
  const email = emailValue.safeParse(entered.contact)
  const phone = phoneValue.safeParse(entered.contact)
  if (!consents || !name.success || (!email.success && !phone.success)) return null
  return {
    name: name.data,
    email: email.success ? email.data : undefined,
    phone: email.success ? undefined : phone.data,
    consent: true,
  }
}

/** Sizes to choose from; none if the device has only one. */
function storagesOf({ variants }: Device): readonly string[] {
  const values = variants.flatMap(({ attributes }) =>
    attributes.flatMap(({ name, value }) => (name.toLowerCase() === 'storage' ? [value] : [])),
  )
  const storages = [...new Set(values)]
  return storages.length > 1 ? storages : []
}

/** A policy of its own: the websites that the owner lists may frame the page; nothing comes from other hosts. */
function pageHeaders(c: HttpContext, shop: Shop | null): Record<string, string> {
  const ancestors = shop && shop.settings.domains.length > 0 ? `'self' ${shop.settings.domains.join(' ')}` : "'none'"
  return {
    'Content-Security-Policy': `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors ${ancestors}`,
    'Referrer-Policy': 'no-referrer',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
    'X-Request-Id': c.get('facts').id,
  }
}

function page(
  c: HttpContext,
  shop: Shop | null,
  text: string,
  status = 200,
  extraHeaders: Readonly<Record<string, string>> = {},
): Response {
  const headers: Record<string, string> = {
    ...pageHeaders(c, shop),
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    Vary: 'Accept-Language',
    'X-Robots-Tag': 'noindex',
    ...extraHeaders,
  }
  return new Response(text, { status, headers })
}

const redirect = (c: HttpContext, shop: Shop, location: string) =>
  new Response(null, { status: 303, headers: { ...pageHeaders(c, shop), Location: location } })

/** Small and the same for everybody, whatever the language. */
const busyResponse = (c: HttpContext) =>
  new Response('Too many requests. Try again shortly.', {
    status: 429,
    headers: { 'Content-Type': 'text/plain', 'Retry-After': '5', 'X-Request-Id': c.get('facts').id },
  })

const asset = (c: HttpContext, type: string, text: string) =>
  new Response(text, {
    headers: {
      'Content-Type': type,
      'Cache-Control': 'public, max-age=300',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'X-Request-Id': c.get('facts').id,
    },
  })

function logoResponse(c: HttpContext, { receipt: { logo } }: Shop): Response {
  const match = /^data:(image\/(?:png|jpeg|webp));base64,(.+)$/.exec(logo)
  const headers = {
    'Content-Type': match?.[1] ?? 'image/png',
    'Cache-Control': 'public, max-age=300',
    'X-Request-Id': c.get('facts').id,
  }
  return match ? new Response(Buffer.from(match[2] ?? '', 'base64'), { headers }) : new Response(null, { status: 404 })
}
