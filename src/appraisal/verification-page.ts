import type { TFunction } from 'i18next'
import colours from '../../dashboard/colours.css' with { type: 'text' }
import type { StoredAppraisalWire } from '../contract/appraisal.ts'
import type { Language } from '../contract/languages.ts'
import type { EvidenceWire, LookupResultWire } from '../contract/lookups.ts'
import type { SharedFact } from '../contract/shared-facts.ts'
import { maskIdentifier } from '../identifier/identifier-mask.ts'
import { html, type Markup } from '../lib/html.ts'
import { translator } from '../lib/translations.ts'
import { deviceTitle } from './device-title.ts'
import type { SharedAppraisal } from './share-store.ts'
import style from './verification-page.css' with { type: 'text' }

/** Public page behind the QR code of a receipt: no scripts, no external content, only the facts the organization chose. */

export const VERIFICATION_CSS = `${colours}\n${style}`

type VerificationTexts = {
  readonly language: Language
  readonly timeZone: string
  readonly t: TFunction<['verification', 'codes']>
}

const verificationTexts = (language: Language, timeZone = 'UTC'): VerificationTexts => ({
  language,
  timeZone,
  t: translator(language, ['verification', 'codes']),
})

/** In the time zone of the shop, which is named. */
function formatInstant(text: string, { language, timeZone }: Pick<VerificationTexts, 'language' | 'timeZone'>): string {
  const format = new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : language, {
    ...({ day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const),
    timeZoneName: 'short',
    timeZone,
  })
  return format.format(new Date(text))
}

function formatAmount(minor: number, currency: string, language: Language): string {
  const format = new Intl.NumberFormat(language === 'en' ? 'en-US' : language, { style: 'currency', currency })
  return format.format(minor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}

/** Without a stated grade the offer assumes the worst one. */
const isGradeGiven = ({ reasons }: StoredAppraisalWire['offer']) =>
  !reasons.some(({ code }) => code === 'condition_missing')

type FactLine = readonly [string, string | Markup]

type FactPrinter = (appraisal: StoredAppraisalWire, texts: VerificationTexts) => readonly FactLine[]

const FACT_LINES: Readonly<Record<SharedFact, FactPrinter>> = {
  device: ({ identity }, { t }) => [[t('fact.device'), deviceTitle(identity)]],
  identifier: ({ risk }, { t }) =>
    risk
      ? [
          [
            risk.identifier_type === 'serial' ? t('codes:identifier.serial') : risk.identifier_type.toUpperCase(),
            maskIdentifier(risk.identifier),
          ],
        ]
      : [],
  grade: ({ offer, defects }, { t }) => [
    [
      t('fact.grade'),
      isGradeGiven(offer) && offer.condition ? t(`codes:grade.${offer.condition}`) : t('fact.notGraded'),
    ],
    [
      t('fact.defects'),
      defects.length === 0 ? t('fact.noDefects') : defects.map((code) => t(`codes:defect.${code}` as never)).join(', '),
    ],
  ],
  check: ({ risk }, texts) =>
    risk ? checkLines(risk, texts) : [[texts.t('fact.identifier'), texts.t('fact.notChecked')]],
  offer: offerLines,
  reference: ({ reference }, { t }) => (reference === null ? [] : [[t('fact.reference'), reference]]),
}

/** The same amount as on the receipt. */
function offerLines(
  { offer, agreed_offer: agreedOffer, declined, currency }: StoredAppraisalWire,
  { t, language }: VerificationTexts,
): readonly FactLine[] {
  if (declined || offer.decision === 'reject') return [[t('fact.offer'), t('fact.notBought')]]
  if (agreedOffer !== null && agreedOffer !== undefined)
    return [[t('fact.agreed'), formatAmount(agreedOffer, currency, language)]]
  const { recommended_offer: recommendedOffer } = offer
  return recommendedOffer === null ? [] : [[t('fact.offer'), formatAmount(recommendedOffer, currency, language)]]
}

function checkLines(risk: LookupResultWire, texts: VerificationTexts): readonly FactLine[] {
  const { t } = texts
  const clearingLists = risk.cleared_by.map(({ list, source, area }) =>
    [list ?? source, area].filter(Boolean).join(', '),
  )
  const checkedAgainst = clearingLists.length > 0 ? clearingLists : risk.source.split('+')
  return [
    [t('fact.blacklist'), blacklistText(risk.blacklist_status, t)],
    ...(risk.source === 'none' ? [] : [[t('fact.checkedAgainst'), checkedAgainst.join('; ')] as const]),
    [t('fact.checkedAt'), formatInstant(risk.timestamp, texts)],
    ...(risk.evidence ? [[t('fact.evidence'), evidenceText(risk.evidence)] as const] : []),
  ]
}

/** The references by which the sources find their checks again. */
const evidenceText = (evidence: readonly EvidenceWire[]) =>
  evidence.map(({ source, evidence_id: id }) => `${source} ${id}`).join('; ')

function blacklistText(status: LookupResultWire['blacklist_status'], t: VerificationTexts['t']): string {
  if (status === 'blacklisted') return t('fact.listed')
  return status === 'unknown' ? t('fact.blacklistNotChecked') : t(`codes:blacklist.${status}`)
}

export function receiptPage(
  stylePath: string,
  language: Language,
  { organization, sharedFacts, timeZone }: Pick<SharedAppraisal, 'organization' | 'sharedFacts' | 'timeZone'>,
  appraisal: StoredAppraisalWire,
): string {
  const texts = verificationTexts(language, timeZone)
  const { t } = texts
  const heading = t('genuine.heading')
  const sample = t('genuine.sample')
  const compare = t('genuine.compare')
  const lines = sharedFacts.flatMap((fact) => FACT_LINES[fact](appraisal, texts))
  // The text has the name of the shop in <strong>, which may be anywhere in the sentence.
  const [before = '', after = ''] = t('genuine.appraised', {
    organization: '',
    time: formatInstant(appraisal.timestamp, texts),
  }).split('<strong></strong>')
  return pageDocument(
    stylePath,
    language,
    t('genuine.title'),
    html`<p class="tick" aria-hidden="true">✓</p>
<h1>${heading}</h1>
<p>${before}<strong>${organization}</strong>${after}</p>
<dl>${lines.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${appraisal.sample && html`<p class="sample">${sample}</p>`}
<p class="soft">${compare}</p>`,
  )
}

export function receiptNotFoundPage(stylePath: string, language: Language): string {
  const { t } = verificationTexts(language)
  return messagePage(stylePath, language, t('notFound.heading'), t('notFound.hint'))
}

export function tooManyRequestsPage(stylePath: string, language: Language): string {
  const { t } = verificationTexts(language)
  return messagePage(stylePath, language, t('busy.heading'), t('busy.hint'))
}

const messagePage = (stylePath: string, language: Language, heading: string, hint: string) =>
  pageDocument(stylePath, language, heading, html`<h1>${heading}</h1>\n<p>${hint}</p>`)

function pageDocument(stylePath: string, language: Language, title: string, body: Markup): string {
  return html`<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${title} · Device Intelligence</title><link rel="stylesheet" href="${stylePath}"></head><body><main>${body}</main></body></html>`
    .html
}
