import colours from '../../dashboard/colours.css' with { type: 'text' }
import type { AppraisalWire } from '../contract/appraisal.ts'
import { DEFECTS } from '../contract/device-kinds.ts'
import type { LookupResultWire } from '../contract/lookups.ts'
import type { SharedFact } from '../contract/shared-facts.ts'
import { html, type Markup } from '../lib/html.ts'
import { maskIdentifier } from '../risk/identifier/identifier-mask.ts'
import { deviceTitle } from './device-title.ts'
import style from './verification-page.css' with { type: 'text' }

/** Public page behind the QR code of a receipt: no scripts, no external content, only the facts the organization chose. */

export const VERIFICATION_CSS = `${colours}\n${style}`

const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
const formatInstant = (text: string) => `${dayFormat.format(new Date(text))} UTC`

function formatAmount(minor: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency })
  return format.format(minor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}

/** Without a grade the worst is assumed, which nobody gave. */
const isGradeGiven = ({ reasons }: AppraisalWire['offer']) => !reasons.some(({ code }) => code === 'condition_missing')

type FactLine = readonly [string, string | Markup]

const FACT_LINES: Readonly<Record<SharedFact, (appraisal: AppraisalWire) => readonly FactLine[]>> = {
  device: ({ identity }) => [['Device', deviceTitle(identity)]],
  identifier: ({ risk }) =>
    risk
      ? [
          [
            risk.identifier_type === 'serial' ? 'Serial number' : risk.identifier_type.toUpperCase(),
            maskIdentifier(risk.identifier),
          ],
        ]
      : [],
  grade: ({ offer, defects }) => [
    ['Grade', isGradeGiven(offer) ? (offer.condition ?? 'Not graded') : 'Not graded'],
    ['Defects', defects.length === 0 ? 'None found' : defects.map(defectName).join(', ')],
  ],
  check: ({ risk }) => (risk ? checkLines(risk) : [['Identifier', 'Not checked']]),
  offer: offerLines,
  reference: ({ reference }) => (reference === null ? [] : [['Reference', reference]]),
}

/** The same amount as on the receipt. */
function offerLines({ offer, agreed_offer: agreed, declined, currency }: AppraisalWire): readonly FactLine[] {
  if (declined || offer.decision === 'reject') return [['Offer', 'Not bought']]
  if (agreed !== null && agreed !== undefined) return [['Agreed price', formatAmount(agreed, currency)]]
  return offer.recommended_offer === null ? [] : [['Offer', formatAmount(offer.recommended_offer, currency)]]
}

const defectName = (code: string) => DEFECTS.find((defect) => defect.code === code)?.name ?? code

function checkLines(risk: LookupResultWire): readonly FactLine[] {
  const cleared = risk.cleared_by.map(({ list, source, area }) => [list ?? source, area].filter(Boolean).join(', '))
  return [
    ['Blacklist', BLACKLIST_LABELS[risk.blacklist_status]],
    ['Checked against', cleared.length > 0 ? cleared.join('; ') : risk.source.replaceAll('+', ', ')],
    ['Checked at', formatInstant(risk.timestamp)],
  ]
}

const BLACKLIST_LABELS: Readonly<Record<LookupResultWire['blacklist_status'], string>> = {
  clean: 'Not listed as lost, stolen or barred',
  blacklisted: 'LISTED as lost, stolen or barred',
  pending: 'Under investigation',
  unknown: 'Blacklist not checked',
}

export function receiptPage(
  stylePath: string,
  organization: string,
  appraisal: AppraisalWire,
  shown: readonly SharedFact[],
): string {
  const lines = shown.flatMap((fact) => FACT_LINES[fact](appraisal))
  return pageDocument(
    stylePath,
    'Genuine receipt',
    html`<p class="tick" aria-hidden="true">✓</p>
<h1>This receipt is genuine</h1>
<p><strong>${organization}</strong> appraised this device on ${formatInstant(appraisal.timestamp)}.</p>
<dl>${lines.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${appraisal.sample && html`<p class="sample">Created with sample data. It does not reflect real prices or lists.</p>`}
<p class="soft">Compare these details with the receipt and the device. They reflect the check at that time.</p>`,
  )
}

export const receiptNotFoundPage = (stylePath: string) =>
  pageDocument(
    stylePath,
    'Receipt not found',
    html`<h1>Receipt not found</h1>
<p>The link is mistyped or was revoked. Ask the shop that gave you the receipt.</p>`,
  )

export const tooManyRequestsPage = (stylePath: string) =>
  pageDocument(
    stylePath,
    'Too many requests',
    html`<h1>Too many requests</h1>
<p>Try again in a minute.</p>`,
  )

function pageDocument(stylePath: string, title: string, body: Markup): string {
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${title} · Device Intelligence</title><link rel="stylesheet" href="${stylePath}"></head><body><main>${body}</main></body></html>`
    .html
}
