import type { TFunction } from 'i18next'
import { encode } from 'uqr'
import colours from '../../dashboard/colours.css' with { type: 'text' }
import type { Device } from '../catalog/device.ts'
import { CONDITIONS, type Condition } from '../contract/condition-grades.ts'
import type { DefectCode } from '../contract/defects.ts'
import { type DeviceKind, deviceKind } from '../contract/device-kinds.ts'
import { LANGUAGES, type Language } from '../contract/languages.ts'
import type { QuoteOfferWire } from '../contract/quotes.ts'
import { minorUnitDigits } from '../currency/minor-units.ts'
import { emptyMarkup, html, type Markup } from '../lib/html.ts'
import { translator } from '../lib/translations.ts'
import type { Question, QuestionTopic } from './questions.ts'
import type { Shop } from './quotes.ts'
import style from './sell-page.css' with { type: 'text' }
import { customerPath, shopPath } from './sell-paths.ts'
import { type Quote, stateAt } from './trade-in-quote.ts'

/** The public trade-in page: plain HTML that works without scripts, nothing from other hosts. */

type Texts = {
  readonly language: Language
  readonly t: TFunction<['sell', 'codes']>
}

export type PageContext = { readonly shop: Shop; readonly language: Language }

const textsOf = (language: Language): Texts => ({ language, t: translator(language, ['sell', 'codes']) })
const localeOf = (language: Language) => (language === 'en' ? 'en-GB' : language)

function money(minor: number, currency: string, language: Language): string {
  const digits = minorUnitDigits(currency)
  const isWhole = minor % 10 ** digits === 0
  const format = new Intl.NumberFormat(localeOf(language), {
    style: 'currency',
    currency,
    minimumFractionDigits: isWhole ? 0 : digits,
  })
  return format.format(minor / 10 ** digits)
}

const dayText = (at: number, language: Language) =>
  new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(at))

/** The style sheet with the colour of the shop; black or white on it, whichever is easier to read. */
export function sellStyle({ settings: { colour } }: Shop): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
  const linear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
  const luminance = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
  const ink = luminance > 0.179 ? '#000000' : '#ffffff'
  return `${colours}\n:root{--shop:${colour};--shop-ink:${ink}}\n${style}`
}

function pageDocument({ shop, language }: PageContext, title: string, body: Markup, step: string): string {
  const { t } = textsOf(language)
  const base = shopPath(shop.settings.slug)
  const logo = shop.receipt.logo && html`<img src="${base}/logo" alt="">`
  const links = LANGUAGES.map((code) =>
    code === language
      ? html`<span lang="${code}">${code}</span> `
      : html`<a href="${base}?lang=${code}" lang="${code}">${code}</a> `,
  )
  const contact = [shop.receipt.address.replaceAll('\n', ', '), shop.receipt.contact].filter(Boolean).join(' · ')
  return html`<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${title} · ${shop.name}</title><link rel="stylesheet" href="${base}/style.css"><script src="${base}/page.js" defer></script></head><body data-step="${step}"><header>${logo}<strong>${shop.name}</strong></header><main>${body}</main><header class="soft"><span>${contact}</span><nav aria-label="${t('languages')}">${links}</nav></header></body></html>`
    .html
}

type DeviceLink = { readonly id: string; readonly name: string; readonly detail: string }

export function deviceLinks({ shop, language }: PageContext, devices: readonly DeviceLink[]): Markup {
  const base = shopPath(shop.settings.slug)
  return html`${devices.map(({ id, name, detail }) => html`<li><a href="${base}?d=${id}&amp;lang=${language}">${name} <span class="soft">${detail}</span></a></li>`)}`
}

/** The first step: which device. */
export function searchPage(context: PageContext, query: string, devices: readonly DeviceLink[]): string {
  const { shop, language } = context
  const { t } = textsOf(language)
  const nothing = query !== '' && devices.length === 0 && html`<p role="status">${t('noDevice')}</p>`
  return pageDocument(
    context,
    t('title'),
    html`<h1>${t('title')}</h1><p>${t('lead')}</p>
<form method="get" action="${shopPath(shop.settings.slug)}" role="search"><input type="hidden" name="lang" value="${language}"><label for="q">${t('whichDevice')}</label><input id="q" name="q" type="search" value="${query}" maxlength="100" autocomplete="off" placeholder="iPhone 13"><button>${t('search')}</button></form>
${nothing}<ul class="devices" id="devices">${deviceLinks(context, devices)}</ul>
<details><summary>${t('whereModel')}</summary><p>${t('whereModelText')}</p></details>`,
    'search',
  )
}

/** What was entered in the form of a device. */
export type FormAnswers = {
  readonly storage: string | null
  readonly yes: ReadonlyMap<QuestionTopic, boolean>
  readonly ticked: ReadonlySet<string>
  readonly condition: Condition | null
}

export type DeviceForm = {
  readonly device: Device
  readonly storages: readonly string[]
  readonly questions: readonly Question[]
  readonly answers: FormAnswers
  /** What is missing; empty at first. */
  readonly open: readonly string[]
}

/** The questions about a device. */
export function devicePage(context: PageContext, { device, storages, questions, answers, open }: DeviceForm): string {
  const { shop, language } = context
  const { t } = textsOf(language)
  const kind = deviceKind(device)
  const problem = open.length > 0 && html`<p class="problem" role="alert">${t('answerAll')}</p>`
  const radio = (name: string, value: string, text: string, isChecked: boolean) =>
    html`<label class="choice"><input type="radio" name="${name}" value="${value}"${isChecked && html` checked`} required> ${text}</label>`
  const storage =
    storages.length > 0 &&
    html`<fieldset><legend>${t('codes:attribute.storage')}</legend>${storages.map((value) => radio('storage', value, value, value === answers.storage))}<details><summary>${t('whereStorage')}</summary><p>${t('whereStorageText')}</p></details></fieldset>`
  const fieldsets = questions.map((question) => {
    const answer = answers.yes.get(question.topic)
    const name = `q_${question.topic}`
    const faults =
      question.defects.length > 1 &&
      html`<fieldset class="faults"><legend class="soft">${t('whatFault')}</legend>${question.defects.map(
        (code) =>
          html`<label><input type="checkbox" name="fault" value="${code}"${answers.ticked.has(code) && html` checked`}><span>${faultName(code, kind, t)}<small>${faultHint(code, kind, t)}</small></span></label>`,
      )}</fieldset>`
    const hint = question.topic === 'account' && html`<p class="soft">${t('question.accountHow')}</p>`
    return html`<fieldset><legend>${questionText(question, t)}</legend>${radio(name, 'yes', t('yes'), answer === true)}${radio(name, 'no', t('no'), answer === false)}${hint}${faults}</fieldset>`
  })
  const grades = CONDITIONS.map(
    (condition) =>
      html`<label class="choice">${gradePicture(condition)}<input type="radio" name="condition" value="${condition}"${answers.condition === condition && html` checked`} required> <strong>${t(`codes:grade.${condition}`)}</strong><small class="soft">${t(`look.${condition}`)}</small></label>`,
  )
  return pageDocument(
    context,
    device.name,
    html`<h1>${device.name}</h1><p><a href="${shopPath(shop.settings.slug)}?lang=${language}">${t('otherDevice')}</a></p>${problem}
<form method="post" action="${shopPath(shop.settings.slug)}/price"><input type="hidden" name="lang" value="${language}"><input type="hidden" name="d" value="${device.id}">${storage}${fieldsets}<fieldset><legend>${t('howLook')}</legend><div class="grades">${grades}</div></fieldset><button>${t('showPrice')}</button></form>`,
    'device',
  )
}

const questionText = ({ topic, isBack }: Question, t: Texts['t']) =>
  topic === 'body' ? t(isBack ? 'question.back' : 'question.housing') : t(`question.${topic}`)

const isHousing = (code: DefectCode, kind: DeviceKind | null) =>
  code === 'cracked_back' && !['phone', 'foldable', 'tablet', 'media_player', 'e_reader', 'watch', null].includes(kind)

const faultName = (code: DefectCode, kind: DeviceKind | null, t: Texts['t']) =>
  isHousing(code, kind) ? t('codes:housing') : t(`codes:defect.${code}` as 'codes:defect.camera')
const faultHint = (code: DefectCode, kind: DeviceKind | null, t: Texts['t']) =>
  isHousing(code, kind) ? t('codes:housingHint') : t(`codes:defectHint.${code}` as 'codes:defectHint.camera')

/** A drawing of the wear of each grade. */
function gradePicture(condition: Condition): Markup {
  const hairline = html`<path d="M46 30l6 9M66 62l5 4" stroke="#8a97a3" stroke-width="1" fill="none"/>`
  const scratches = html`<path d="M44 26l14 20M70 36l-9 15M48 70l18 8M73 76l-6 10" stroke="#8a97a3" stroke-width="1.6" fill="none"/><path d="M38 84q4-3 6 2" stroke="#5b6975" stroke-width="2.5" fill="none"/>`
  const cracks = html`<path d="M38 20l16 22-5 14 12 12-4 24M54 42l26-8M49 56l-13 6M61 68l21 9" stroke="#dfe7ee" stroke-width="1.8" fill="none"/><path d="M37 90q6-5 9 2M81 18q-5 3-3 8" stroke="#5b6975" stroke-width="3" fill="none"/>`
  const wear = { Excellent: emptyMarkup, Good: hairline, Fair: scratches, Poor: cracks }[condition]
  return html`<svg viewBox="0 0 120 110" aria-hidden="true"><rect x="36" y="6" width="48" height="98" rx="8" fill="#27333d"/><rect x="39.500" y="12" width="41" height="86" rx="4" fill="#4a6274"/><circle cx="60" cy="9" r="1.200" fill="#8a97a3"/>${wear}</svg>`
}

/** What a customer entered to keep a price. */
type ContactForm = { readonly name: string; readonly contact: string; readonly problem: string | null }

export const EMPTY_CONTACT: ContactForm = { name: '', contact: '', problem: null }

export function pricePage(context: PageContext, quote: Quote, token: string, form: ContactForm): string {
  const { shop, language } = context
  const { t } = textsOf(language)
  const isBought = quote.offer.kind !== 'not_bought'
  const problem = form.problem && html`<p class="problem" role="alert">${form.problem}</p>`
  const terms = shop.settings.terms && html`<p class="soft">${shop.settings.terms}</p>`
  const keep =
    isBought &&
    html`<h2>${t('keep.title')}</h2>${problem}<form method="post" action="${shopPath(shop.settings.slug)}/keep"><input type="hidden" name="lang" value="${language}"><input type="hidden" name="token" value="${token}"><p class="trap" aria-hidden="true"><label>Website <input name="website" tabindex="-1" autocomplete="off"></label></p><label for="name">${t('keep.name')}</label><input type="text" id="name" name="name" value="${form.name}" maxlength="100" autocomplete="name" required><label for="contact">${t('keep.contact')}</label><input type="text" id="contact" name="contact" value="${form.contact}" maxlength="254" autocomplete="email" required><label class="consent"><input type="checkbox" name="consent" value="yes" required><span>${t('keep.consent', { shop: shop.name, days: shop.settings.retention_days })}</span></label><button>${t('keep.submit')}</button></form>`
  return pageDocument(
    context,
    quote.deviceName,
    html`<h1>${quote.deviceName}</h1>${offerMarkup(quote, quote.offer, context)}${assumptions(quote, context)}${terms}${keep}<p><a href="${shopPath(shop.settings.slug)}?d=${quote.answers.deviceId}&amp;lang=${language}">${t('changeAnswers')}</a></p>`,
    'price',
  )
}

function offerMarkup(quote: Quote, offer: QuoteOfferWire, { language }: PageContext): Markup {
  const { t } = textsOf(language)
  const sample = quote.sample && html`<p class="soft">${t('sample')}</p>`
  const amount = (minor: number | null) => money(minor ?? 0, quote.currency, language)
  if (offer.kind === 'price')
    return html`<p class="price">${amount(offer.price)}</p><p>${t('validUntil', { day: dayText(quote.validUntil, language) })}</p>${sample}`
  if (offer.kind === 'range')
    return html`<p class="price">${amount(offer.low)} – ${amount(offer.high)}</p><p>${t('rangeText')}</p>${sample}`
  if (offer.kind === 'in_person') return html`<p class="price">${t('inPerson')}</p><p>${t('inPersonText')}</p>`
  return html`<p class="price">${t('notBought')}</p><p>${t(offer.reason === 'account_locked' ? 'notBoughtLocked' : 'notBoughtText')}</p>`
}

function assumptions({ answers, deviceKind: kind, offer }: Quote, { language }: PageContext): Markup | false {
  if (offer.kind === 'not_bought') return false
  const { t } = textsOf(language)
  const faults = answers.defects.map((code) => faultName(code, kind, t)).join(', ')
  return html`<h2>${t('assumes.title')}</h2><ul><li>${t('assumes.look')}: ${t(`codes:grade.${answers.condition}`)}</li><li>${faults ? html`${t('assumes.faults')}: ${faults}` : t('assumes.noFaults')}</li><li>${t('assumes.account')}</li><li>${t('assumes.check')}</li></ul>`
}

export function customerPage(context: PageContext, quote: Quote, token: string, now: number): string {
  const { shop, language } = context
  const { t } = textsOf(language)
  const state = stateAt(quote, now)
  const path = customerPath(shop.settings.slug, token)
  const action = (name: 'cancel' | 'delete') =>
    html`<form method="post" action="${path}"><input type="hidden" name="action" value="${name}"><button class="plain">${t(`mine.${name}`)}</button></form>`
  const body =
    state === 'open' || state === 'arrived'
      ? html`<p class="number">${quote.id}</p>${qrCode(quote.id, t('mine.qr'))}${offerMarkup(quote, quote.offer, context)}<h2>${t('mine.bring')}</h2><ul><li>${t('mine.bringDevice')}</li><li>${t('mine.bringId')}</li><li>${t('mine.bringNumber')}</li></ul><h2>${t('mine.erase')}</h2><ol><li>${t('mine.eraseBackup')}</li><li>${t('mine.eraseAccount')}</li><li>${t('mine.eraseReset')}</li></ol>${assumptions(quote, context)}${state === 'open' && action('cancel')}`
      : html`<p class="number">${quote.id}</p><p role="status">${t(`mine.state.${state}`)}</p><p><a class="button" href="${shopPath(shop.settings.slug)}?lang=${language}">${t('otherDevice')}</a></p>`
  const erase = quote.contact ? action('delete') : html`<p class="soft">${t('mine.deleted')}</p>`
  return pageDocument(context, quote.id, html`<h1>${quote.deviceName}</h1>${body}${erase}`, 'quote')
}

function qrCode(text: string, label: string): Markup {
  const { data, size } = encode(text, { ecc: 'M', border: 2 })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}"><path d="${path}" fill="#000" shape-rendering="crispEdges"/></svg>`
}

export type MessageKind = 'busy' | 'askUs' | 'tooLate'

export function messagePage(context: PageContext, kind: MessageKind): string {
  const { t } = textsOf(context.language)
  return pageDocument(
    context,
    t(`message.${kind}.title`),
    html`<h1>${t(`message.${kind}.title`)}</h1><p>${t(`message.${kind}.text`)}</p><p><a href="${shopPath(context.shop.settings.slug)}?lang=${context.language}">${t('startAgain')}</a></p>`,
    'message',
  )
}

/** For an address that no shop has. */
export function noShopPage(language: Language): string {
  const { t } = textsOf(language)
  return html`<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${t('message.noShop.title')}</title></head><body><main><h1>${t('message.noShop.title')}</h1><p>${t('message.noShop.text')}</p></main></body></html>`
    .html
}

export const contactProblem = (language: Language, kind: 'invalid' | 'limit' | 'fast'): string =>
  textsOf(language).t(`keep.problem.${kind}`)
