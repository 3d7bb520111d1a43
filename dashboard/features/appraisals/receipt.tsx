import type { ReactNode } from 'react'
import { deviceTitle } from '../../../src/appraisal/device-title.ts'
import type { AppraisalWire } from '../../../src/contract/appraisal.ts'
import { defectsOfKind, gradesOfKind } from '../../../src/contract/device-kinds.ts'
import type { LookupResultWire } from '../../../src/contract/lookups.ts'
import { maskIdentifier } from '../../../src/risk/identifier/identifier-mask.ts'
import { formatAmount, formatTime } from '../../format.ts'
import { QrCode } from './qr-code.tsx'

const BLACKLIST_LABELS: Readonly<Record<LookupResultWire['blacklist_status'], string>> = {
  clean: 'Not listed as lost, stolen or barred',
  blacklisted: 'Listed as lost, stolen or barred',
  pending: 'Under investigation',
  unknown: 'Blacklist not checked',
}

/** Printed receipt, on A4 or a receipt roll. It does not show how the offer is calculated. */
export function Receipt({
  appraisal,
  organization,
  address,
}: {
  appraisal: AppraisalWire
  organization: string
  /** Verification URL for the QR code; null without one. */
  address: string | null
}) {
  const { identity, offer, risk, defects } = appraisal
  const kind = identity.device_kind ?? null
  const grade = gradesOfKind(kind).find(({ name }) => name === offer.condition)
  return (
    <article className="sheet" aria-label="Receipt">
      <header>
        <p className="sheet-shop">{organization}</p>
        <p>Appraisal of {formatTime(appraisal.timestamp)}</p>
      </header>
      <h2>{deviceTitle(identity)}</h2>
      <dl>
        {appraisal.reference ? <ReceiptLine name="Reference">{appraisal.reference}</ReceiptLine> : null}
        {risk ? (
          <ReceiptLine name={risk.identifier_type === 'serial' ? 'Serial number' : risk.identifier_type.toUpperCase()}>
            <span className="masked">{maskIdentifier(risk.identifier)}</span>
          </ReceiptLine>
        ) : null}
        <ReceiptLine name="Grade">
          {grade ? (
            <>
              <strong>{grade.name}</strong> <span className="sheet-small">{grade.definition}</span>
            </>
          ) : (
            'Not graded'
          )}
        </ReceiptLine>
        <ReceiptLine name="Defects">
          {defects.length === 0
            ? 'None found'
            : defects.map((code) => defectsOfKind(kind).find((one) => one.code === code)?.name ?? code).join(', ')}
        </ReceiptLine>
        {risk ? <ReceiptCheck risk={risk} /> : <ReceiptLine name="Identifier">Not checked</ReceiptLine>}
      </dl>
      <div className="sheet-foot">
        <div>
          <OfferLines appraisal={appraisal} />
          {appraisal.sample ? <p className="sheet-small">Sample data. Not a real offer.</p> : null}
        </div>
        {address ? (
          <div className="sheet-code">
            <QrCode address={address} />
            <p className="sheet-small">Verify this receipt</p>
          </div>
        ) : null}
      </div>
      <p className="sheet-small">{appraisal.appraisal_id}</p>
    </article>
  )
}

/** The amount the shop stands by: what was agreed, or what is offered. */
function OfferLines({ appraisal: { offer, agreed_offer: agreed, declined, currency } }: { appraisal: AppraisalWire }) {
  if (declined || offer.decision === 'reject' || (agreed ?? offer.recommended_offer) === null)
    return <p className="sheet-offer">Not bought</p>
  return (
    <>
      <p className="sheet-decision">
        {agreed != null ? 'Agreed price' : offer.decision === 'inspect' ? 'Offer, subject to inspection' : 'Offer'}
      </p>
      <p className="sheet-offer">{formatAmount(agreed ?? offer.recommended_offer, currency)}</p>
    </>
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
  return (
    <>
      <ReceiptLine name="Blacklist">
        <strong>{BLACKLIST_LABELS[risk.blacklist_status]}</strong>
      </ReceiptLine>
      <ReceiptLine name="Findings">
        {risk.risk_factors.length === 0 ? 'None' : risk.risk_factors.map((factor) => factor.message).join(' ')}
      </ReceiptLine>
      <ReceiptLine name="Checked">
        Against {cleared.length > 0 ? cleared.join('; ') : risk.source.replaceAll('+', ', ')},{' '}
        {formatTime(risk.timestamp)}
      </ReceiptLine>
    </>
  )
}
