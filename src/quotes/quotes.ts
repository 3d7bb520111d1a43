import type { Device, DeviceRegistry } from '../catalog/device.ts'
import type { AppraisalPreviewWire } from '../contract/appraisal.ts'
import type { AppraisalRequestWire } from '../contract/appraisal-request.ts'
import { deviceKind } from '../contract/device-kinds.ts'
import { DEFAULT_LANGUAGE, findLanguage, type Language } from '../contract/languages.ts'
import type { QuoteAnswersWire, QuoteContactInputWire, QuoteContactWire } from '../contract/quotes.ts'
import type { ReceiptDetailsWire } from '../contract/receipt-details.ts'
import type { TradeInWire } from '../contract/trade-in.ts'
import type { ExchangeRateService } from '../currency/exchange-rate-service.ts'
import { DomainError, excerpt, notFound } from '../lib/errors.ts'
import { reason } from '../lib/reasons.ts'
import { DAY_MS, MINUTE_MS } from '../lib/time.ts'
import { NOT_BOUGHT_HERE, quoteOffer } from './quote-price.ts'
import type { PriceLimits, QuoteStore, RejectedPrice } from './quote-store.ts'
import type { Quote, QuoteAnswers, QuotedDevice } from './trade-in-quote.ts'
import { buysDevice, type StoredTradeIn, type TradeInPage, tradeInSettings } from './trade-in-settings.ts'
import type { TradeInStore } from './trade-in-store.ts'

/** How long a price on the page waits for the customer to keep it. */
const KEEP_WITHIN_MS = 60 * MINUTE_MS
const PRICES_PER_ADDRESS_AND_DAY = 60

/** The page of an organization with everything that it shows of the shop. */
export type Shop = {
  readonly organizationId: string
  readonly name: string
  readonly settings: TradeInWire
  readonly receipt: ReceiptDetailsWire
  readonly language: Language
}

type QuotesDependencies = {
  readonly store: QuoteStore
  readonly tradeIn: TradeInStore
  readonly registry: () => Pick<DeviceRegistry, 'findDevice' | 'findVariant'>
  /** What the counter would offer, without a record. */
  readonly preview: (
    organizationId: string,
    request: AppraisalRequestWire,
    now: number,
  ) => Promise<AppraisalPreviewWire>
  /** Currency of the buying policy, from the database. */
  readonly currencyOf: (organizationId: string) => Promise<string>
  readonly rates: Pick<ExchangeRateService, 'exchangeFor'>
  readonly receiptOf: (organizationId: string) => Promise<ReceiptDetailsWire>
  /** Whether the organization may appraise devices. */
  readonly mayQuote: (organizationId: string) => Promise<boolean>
  /** A code of 128 random bits. */
  readonly newToken: () => string
}

export type Quotes = ReturnType<typeof createQuotes>

/** Offers to customers at home, for the API, the page and the counter. */
export function createQuotes(dependencies: QuotesDependencies) {
  const { store, tradeIn, registry, rates, currencyOf } = dependencies

  const settingsOf = async ({ organizationId, organizationName, stored }: TradeInPage): Promise<TradeInWire> =>
    tradeInSettings(stored, {
      name: organizationName,
      currency: await currencyOf(organizationId),
      exchangeFor: rates.exchangeFor,
    })

  async function shopOf(page: TradeInPage): Promise<Shop> {
    const receipt = await dependencies.receiptOf(page.organizationId)
    return {
      organizationId: page.organizationId,
      name: receipt.shop_name || page.organizationName,
      settings: await settingsOf(page),
      receipt,
      language: findLanguage(receipt.language) ?? DEFAULT_LANGUAGE,
    }
  }

  async function shop(organizationId: string): Promise<Shop> {
    const page = await tradeIn.of(organizationId)
    if (!page) throw notFound('The organization')
    return shopOf(page)
  }

  function findDevice({ variant_id: variantId, device_id: deviceId }: QuoteAnswersWire): Device {
    const device = variantId ? registry().findVariant(variantId)?.device : registry().findDevice(deviceId ?? '')
    if (!device) throw notFound(variantId ? `Variant ${excerpt(variantId)}` : `Device ${excerpt(deviceId ?? '')}`)
    return device
  }

  /** The price of a device as described. Throws for a device or a defect that does not exist. */
  async function priceOf(
    { organizationId, settings }: Pick<Shop, 'organizationId' | 'settings'>,
    sent: QuoteAnswersWire,
    now: number,
  ): Promise<QuotedDevice> {
    const device = findDevice(sent)
    const { variant_id: variantId, attributes = {}, condition, defects = [] } = sent
    const request: AppraisalRequestWire = {
      ...(variantId ? { variant_id: variantId } : { device_id: device.id }),
      attributes,
      condition,
      defects: [...defects],
      currency: settings.currency,
    }
    const preview = await dependencies.preview(organizationId, request, now)
    const answers: QuoteAnswers = {
      deviceId: device.id,
      variantId: variantId ?? null,
      attributes,
      condition,
      defects: [...defects],
    }
    return {
      answers,
      deviceName: quotedName(device, answers, variantId ? registry().findVariant(variantId)?.variant.name : undefined),
      deviceKind: deviceKind(device),
      offer: buysDevice(settings, device) ? quoteOffer(preview, settings) : NOT_BOUGHT_HERE,
      currency: preview.currency,
      sample: preview.sample,
      sharePercent: settings.share_percent,
    }
  }

  return {
    shop,
    priceOf,
    settingsOf: async (organizationId: string) => (await shop(organizationId)).settings,

    /** The shop whose page is served at this address; null while it is off. */
    async shopBySlug(slug: string): Promise<Shop | null> {
      const page = await tradeIn.bySlug(slug)
      if (!page?.stored.enabled || !(await dependencies.mayQuote(page.organizationId))) return null
      return shopOf(page)
    },

    /** A quote by the API. The code of the customer's page is returned once. */
    async create(
      organizationId: string,
      sent: QuoteAnswersWire & {
        readonly contact?: QuoteContactInputWire | undefined
        readonly language?: Language | undefined
      },
      now: number,
    ): Promise<{ readonly quote: Quote; readonly token: string; readonly shop: Shop }> {
      const ownShop = await shop(organizationId)
      const device = await priceOf(ownShop, sent, now)
      const token = dependencies.newToken()
      const quote = await store.add(
        {
          ...device,
          organizationId,
          channel: 'api',
          language: sent.language ?? ownShop.language,
          validUntil: now + ownShop.settings.valid_days * DAY_MS,
          token,
          contact: sent.contact ? contactOf(sent.contact) : null,
          isKept: true,
          now,
        },
        null,
      )
      if (typeof quote === 'string') throw new Error(`a quote of the API was limited by ${quote}`)
      return { quote, token, shop: ownShop }
    },

    /** A price on the page, which waits for the customer to keep it, or the limit that was reached. */
    async priceOnPage(
      { organizationId, settings }: Shop,
      sent: QuoteAnswersWire,
      { address, language, now }: { readonly address: string; readonly language: Language; readonly now: number },
    ): Promise<{ readonly quote: Quote; readonly token: string } | RejectedPrice> {
      const device = await priceOf({ organizationId, settings }, sent, now)
      const token = dependencies.newToken()
      const limits: PriceLimits = {
        address,
        perAddressAndDay: PRICES_PER_ADDRESS_AND_DAY,
        perDay: settings.daily_prices,
      }
      const quote = await store.add(
        {
          ...device,
          organizationId,
          channel: 'page',
          language,
          validUntil: now + settings.valid_days * DAY_MS,
          token,
          contact: null,
          isKept: false,
          now,
        },
        limits,
      )
      return typeof quote === 'string' ? quote : { quote, token }
    },

    /** A price that may still be kept, or was; null otherwise. */
    async priced({ organizationId }: Shop, token: string, now: number): Promise<Quote | null> {
      const quote = await store.findByToken(organizationId, token)
      return quote && (quote.isKept || now - quote.createdAt <= KEEP_WITHIN_MS) ? quote : null
    },

    /** The customer keeps a price of the page; null if it is unknown or too old. A form sent twice keeps it once. */
    async keep(
      { organizationId }: Shop,
      token: string,
      contact: QuoteContactInputWire,
      now: number,
    ): Promise<Quote | null> {
      const quote = await store.findByToken(organizationId, token)
      if (!quote) return null
      if (!quote.isKept && (now - quote.createdAt > KEEP_WITHIN_MS || quote.offer.kind === 'not_bought')) return null
      return store.changeByToken(organizationId, token, { keeps: true, contact: contactOf(contact) }, now)
    },

    /** The quote behind the address of a customer's page; null if there is none or it was never kept. */
    async ofCustomer({ organizationId }: Shop, token: string): Promise<Quote | null> {
      const quote = await store.findByToken(organizationId, token)
      return quote?.isKept ? quote : null
    },

    /** Null if there is no such quote; throws if it is over. */
    async endByCustomer(
      { organizationId }: Shop,
      token: string,
      isDeleted: boolean,
      now: number,
    ): Promise<Quote | null> {
      const quote = await store.findByToken(organizationId, token)
      if (!quote?.isKept) return null
      if (!isDeleted) return store.changeByToken(organizationId, token, { state: 'cancelled' }, now)
      const ends = quote.state === 'open' && quote.validUntil >= now ? ({ state: 'cancelled' } as const) : {}
      return store.changeByToken(organizationId, token, { ...ends, contact: null }, now)
    },

    find: store.find,
    list: store.list,
    keptBetween: store.keptBetween,
    change: store.change,
  }
}

export const contactOf = ({ name, email, phone }: QuoteContactInputWire): QuoteContactWire => ({
  name,
  email: email ?? null,
  phone: phone ?? null,
})

/** `iPhone 13 128GB`: the variant, or the device with the attributes that were stated. */
function quotedName(device: Device, { attributes }: QuoteAnswers, variantName: string | undefined): string {
  return variantName ?? [device.name, ...Object.values(attributes)].join(' ')
}

/** The settings that result from a change; throws if the page cannot be served with them. */
export function requireServable(stored: StoredTradeIn, mayQuote: boolean): void {
  if (!stored.enabled || mayQuote) return
  const message = 'The trade-in page needs an organization of the Paid tier.'
  throw new DomainError('forbidden', message, reason('tier_needed', { tier: 'Paid' }), [
    { field: 'trade_in.enabled', message },
  ])
}
