import type { ReactNode, Ref } from 'react'
import { deviceTitle } from '../../../src/appraisal/device-title.ts'
import type { AppraisalWire } from '../../../src/contract/appraisal.ts'
import { defectsOfKind, gradesOfKind } from '../../../src/contract/device-kinds.ts'
import type { LookupResultWire } from '../../../src/contract/lookups.ts'
import type { ReceiptDetailsWire } from '../../../src/contract/receipt-details.ts'
import { DAY_MS } from '../../../src/lib/time.ts'
import { maskIdentifier } from '../../../src/risk/identifier/identifier-mask.ts'
import { formatAmount, formatDay, formatTime } from '../../format.ts'
import { QrCode } from '../../ui/qr-code.tsx'

export type Paper = 'a4' | 'roll'
/** The shop keeps the full identifier; the customer's copy may be seen by others. */
export type Copy = 'shop' | 'customer'

const BLACKLIST_LABELS: Readonly<Record<LookupResultWire['blacklist_status'], string>> = {
  clean: 'Not listed as lost, stolen or barred',
  blacklisted: 'Listed as lost, stolen or barred',
  pending: 'Under investigation',
  unknown: 'Not checked',
}

/** Printed receipt, on A4 or a receipt roll. It does not show how the offer is calculated. */
export function Receipt({
  appraisal,
  organization,
  details,
  address,
  paper,
  copy,
  ref,
}: {
  appraisal: AppraisalWire
  organization: string
  details: ReceiptDetailsWire
  /** Verification URL for the QR code; null without one. */
  address: string | null
  paper: Paper
  copy: Copy
  ref?: Ref<HTMLElement>
}) {
  const { identity, risk, defects } = appraisal
  const kind = identity.device_kind ?? null
  return (
    <article ref={ref} className={`sheet sheet-${paper}`} aria-label="Receipt">
      <header>
        {details.logo ? <img className="sheet-logo" src={details.logo} alt="" /> : null}
        <div className="sheet-shop">
          <p>
            <strong>{details.shop_name || organization}</strong>
          </p>
          {[...details.address.split('\n'), details.contact, details.vat_id && `VAT ${details.vat_id}`]
            .filter(Boolean)
            .map((text) => (
              <p key={text}>{text}</p>
            ))}
        </div>
        <div className="sheet-about">
          <p>{copy === 'shop' ? 'Shop copy' : 'Customer copy'}</p>
          <p>{formatTime(appraisal.timestamp)}</p>
        </div>
      </header>
      <h2>{deviceTitle(identity)}</h2>
      <dl>
        {appraisal.reference ? <ReceiptLine name="Reference">{appraisal.reference}</ReceiptLine> : null}
        {risk ? (
          <ReceiptLine name={risk.identifier_type === 'serial' ? 'Serial number' : risk.identifier_type.toUpperCase()}>
            <span className="masked">{copy === 'shop' ? risk.identifier : maskIdentifier(risk.identifier)}</span>
          </ReceiptLine>
        ) : null}
        <ReceiptGrade appraisal={appraisal} />
        <ReceiptLine name="Faults">
          {defects.length === 0
            ? 'None found'
            : defects.map((code) => defectsOfKind(kind).find((one) => one.code === code)?.name ?? code).join(', ')}
        </ReceiptLine>
        {risk ? <ReceiptCheck risk={risk} /> : <ReceiptLine name="Identifier">Not checked</ReceiptLine>}
      </dl>
      <div className="sheet-foot">
        <div>
          <OfferLines appraisal={appraisal} validDays={details.valid_days} />
          {appraisal.sample ? <p className="sheet-small">Sample data. Not a real offer.</p> : null}
        </div>
        {address ? (
          <div className="sheet-code">
            <QrCode address={address} label="QR code of the verification page" />
            <p className="sheet-small">Verify this receipt</p>
          </div>
        ) : null}
      </div>
      <Signatures appraisal={appraisal} terms={details.terms} />
      <p className="sheet-small">{appraisal.appraisal_id}</p>
    </article>
  )
}

/** The cosmetic grade. Its definition promises a working device, so beside faults only the cosmetic part is printed. */
function ReceiptGrade({ appraisal: { identity, offer, defects } }: { appraisal: AppraisalWire }) {
  const isAssumed = offer.reasons.some(({ code }) => code === 'condition_missing')
  const grade = isAssumed
    ? undefined
    : gradesOfKind(identity.device_kind ?? null).find(({ name }) => name === offer.condition)
  if (!grade) return <ReceiptLine name="Grade">Not graded</ReceiptLine>
  const screen = grade.screen && !defects.includes('cracked_screen') ? `Screen: ${grade.screen} ` : ''
  return (
    <ReceiptLine name={defects.length === 0 ? 'Grade' : 'Cosmetic grade'}>
      <strong>{grade.name}</strong>{' '}
      <span className="sheet-small">
        {defects.length === 0 ? grade.definition : `${screen}Body: ${grade.body} Apart from the faults below.`}
      </span>
    </ReceiptLine>
  )
}

const isBought = ({ offer, agreed_offer: agreed, declined }: AppraisalWire) =>
  !declined && offer.decision !== 'reject' && (agreed ?? offer.recommended_offer) !== null

/** The agreed amount, or the offer and its validity. */
function OfferLines({ appraisal, validDays }: { appraisal: AppraisalWire; validDays: number }) {
  const { offer, agreed_offer: agreed, currency, timestamp } = appraisal
  if (!isBought(appraisal)) {
    return (
      <>
        <p className="sheet-offer">Not bought</p>
        <p className="sheet-small">{offer.reasons.findLast(({ message }) => message)?.message}</p>
      </>
    )
  }
  const isAgreed = agreed !== null && agreed !== undefined
  const validUntil = new Date(Date.parse(timestamp) + validDays * DAY_MS).toISOString().slice(0, 10)
  return (
    <>
      <p className="sheet-decision">
        {isAgreed ? 'Agreed price' : offer.decision === 'inspect' ? 'Offer, subject to inspection' : 'Offer'}
      </p>
      <p className="sheet-offer">{formatAmount(isAgreed ? agreed : offer.recommended_offer, currency)}</p>
      {isAgreed || validDays === 0 ? null : <p className="sheet-small">Offer valid until {formatDay(validUntil)}</p>}
    </>
  )
}

function Signatures({ appraisal, terms }: { appraisal: AppraisalWire; terms: string }) {
  if (!isBought(appraisal)) return null
  return (
    <section className="sheet-signatures" aria-label="Signatures">
      {terms ? <p className="sheet-small">{terms}</p> : null}
      <p>
        <span>Date, signature of the seller</span>
      </p>
      <p>
        <span>Date, signature for the shop</span>
      </p>
    </section>
  )
}

function ReceiptLine({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function ReceiptCheck({ risk }: { risk: LookupResultWire }) {
  const cleared = risk.cleared_by.map(({ list, source, area }) => [list ?? source, area].filter(Boolean).join(', '))
  const findings = risk.risk_factors.filter(({ code, points }) => code !== 'baseline' && points > 0)
  return (
    <>
      <ReceiptLine name="Blacklist">
        <strong>{BLACKLIST_LABELS[risk.blacklist_status]}</strong>
      </ReceiptLine>
      <ReceiptLine name="Findings">
        {findings.length === 0 ? 'None' : findings.map((factor) => factor.message).join(' ')}
      </ReceiptLine>
      {cleared.length > 0 ? (
        <ReceiptLine name="Checked">
          Against {cleared.join('; ')}, {formatTime(risk.timestamp)}
        </ReceiptLine>
      ) : null}
    </>
  )
}
