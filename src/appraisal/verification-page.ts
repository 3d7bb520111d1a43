import colours from '../../dashboard/colours.css' with { type: 'text' }
import type { AppraisalWire } from '../contract/appraisal.ts'
import { DEFECTS } from '../contract/defect-catalogue.ts'
import type { LookupResultWire } from '../contract/lookups.ts'
import type { SharedFact } from '../contract/shared-facts.ts'
import { html, type Markup } from '../lib/html.ts'
import { maskIdentifier } from '../risk/identifier/identifier-mask.ts'
import style from './verification-page.css' with { type: 'text' }

/** The page behind the code on a sheet: no script, nothing from elsewhere, and only what the organization chose. */

export const VERIFICATION_CSS = `${colours}\n${style}`

const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })
const formatInstant = (text: string) => `${dayFormat.format(new Date(text))} UTC`

function formatAmount(minor: number, currency: string): string {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency })
  return format.format(minor / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}

type FactLine = readonly [string, string | Markup]

/** What each fact shows; nothing where the appraisal has nothing to say. */
const FACT_LINES: Readonly<Record<SharedFact, (appraisal: AppraisalWire) => readonly FactLine[]>> = {
  device: ({ identity }) => [['Device', identity.variant_name ?? identity.device_name ?? 'not known']],
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
    ['Grade', offer.condition ?? 'not graded'],
    ['Defects', defects.length === 0 ? 'none found' : defects.map(defectName).join(', ')],
  ],
  check: ({ risk }) => (risk ? checkLines(risk) : [['Identifier', 'was not checked']]),
  offer: ({ offer, currency }) =>
    offer.recommended_offer === null ? [] : [['Offer', formatAmount(offer.recommended_offer, currency)]],
  reference: ({ reference }) => (reference === null ? [] : [['Reference', reference]]),
}

const defectName = (code: string) => DEFECTS.find((defect) => defect.code === code)?.name ?? code

function checkLines(risk: LookupResultWire): readonly FactLine[] {
  const cleared = risk.cleared_by.map(({ list, source, area }) => [list ?? source, area].filter(Boolean).join(', '))
  return [
    ['Lists', BLACKLIST_LABELS[risk.blacklist_status]],
    ['Checked against', cleared.length > 0 ? cleared.join('; ') : risk.source.replaceAll('+', ', ')],
    ['Checked at', formatInstant(risk.timestamp)],
  ]
}

const BLACKLIST_LABELS: Readonly<Record<LookupResultWire['blacklist_status'], string>> = {
  clean: 'not listed as lost, stolen or barred',
  blacklisted: 'LISTED as lost, stolen or barred',
  pending: 'a report is being looked into',
  unknown: 'no list that covers it could be asked',
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
    'A genuine sheet',
    html`<p class="tick" aria-hidden="true">✓</p>
<h1>This sheet is genuine</h1>
<p><strong>${organization}</strong> appraised this device on ${formatInstant(appraisal.timestamp)}.</p>
<dl>${lines.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${appraisal.sample && html`<p class="sample">Made with sample data: nothing on it is about a real market or a real list.</p>`}
<p class="soft">Compare it with the sheet and with the device. It tells what was found on that day and no more.</p>`,
  )
}

export const receiptNotFoundPage = (stylePath: string) =>
  pageDocument(
    stylePath,
    'No such sheet',
    html`<h1>There is no such sheet</h1>
<p>The address was mistyped, or the receipt was revoked. Ask the shop that issued it.</p>`,
  )

export const tooManyRequestsPage = (stylePath: string) =>
  pageDocument(
    stylePath,
    'One moment',
    html`<h1>One moment</h1>
<p>Too many sheets were asked for from here. Try again in a minute.</p>`,
  )

function pageDocument(stylePath: string, title: string, body: Markup): string {
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${title} · Device Intelligence</title><link rel="stylesheet" href="${stylePath}"></head><body><main>${body}</main></body></html>`
    .html
}
