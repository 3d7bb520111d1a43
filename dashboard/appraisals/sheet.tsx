import type { ReactNode } from 'react'
import type { AppraisalWire } from '../../src/contract/appraisal.ts'
import { DEFECTS } from '../../src/contract/defect-list.ts'
import { CONDITION_GRADES } from '../../src/contract/grades.ts'
import type { LookupResultWire } from '../../src/contract/imei.ts'
import { maskIdentifier } from '../../src/risk/identifier/mask.ts'
import { amountIn, time } from '../words.ts'
import { QrCode } from './qr-code.tsx'

const LISTED: Readonly<Record<LookupResultWire['blacklist_status'], string>> = {
  clean: 'Not listed as lost, stolen or barred',
  blacklisted: 'Listed as lost, stolen or barred',
  pending: 'A report is being looked into',
  unknown: 'No list that covers it could be asked',
}

/** What is handed over: on A4, or on the roll of a receipt printer. How the offer came about is not on it. */
export function Sheet({
  appraisal,
  organization,
  address,
}: {
  appraisal: AppraisalWire
  organization: string
  /** Where the code leads; null while there is none. */
  address: string | null
}) {
  const { identity, offer, risk, defects, currency } = appraisal
  const grade = CONDITION_GRADES.find(({ name }) => name === offer.condition)
  return (
    <article className="sheet" aria-label="Sheet">
      <header>
        <p className="sheet-shop">{organization}</p>
        <p>Appraisal of {time(appraisal.timestamp)}</p>
      </header>
      <h2>{identity.variant_name ?? identity.device_name ?? 'Device not known'}</h2>
      <dl>
        {appraisal.reference ? <Line name="Reference">{appraisal.reference}</Line> : null}
        {risk ? (
          <Line name={risk.identifier_type === 'serial' ? 'Serial number' : risk.identifier_type.toUpperCase()}>
            <span className="masked">{maskIdentifier(risk.identifier)}</span>
          </Line>
        ) : null}
        <Line name="Grade">
          {grade ? (
            <>
              <strong>{grade.name}</strong> <span className="sheet-small">{grade.definition}</span>
            </>
          ) : (
            'not graded'
          )}
        </Line>
        <Line name="Defects">
          {defects.length === 0
            ? 'none found'
            : defects.map((code) => DEFECTS.find((one) => one.code === code)?.name ?? code).join(', ')}
        </Line>
        {risk ? <Check risk={risk} /> : <Line name="Identifier">was not checked</Line>}
      </dl>
      <div className="sheet-foot">
        <div>
          <p className="sheet-decision">{offer.decision === 'inspect' ? 'Offer, if nothing is found' : 'Offer'}</p>
          <p className="sheet-offer">
            {offer.decision === 'reject' || offer.recommended_offer === null
              ? 'none'
              : amountIn(offer.recommended_offer, currency)}
          </p>
          {appraisal.sample ? <p className="sheet-small">Sample data: not a real offer.</p> : null}
        </div>
        {address ? (
          <div className="sheet-code">
            <QrCode address={address} />
            <p className="sheet-small">Verify this sheet</p>
          </div>
        ) : null}
      </div>
      <p className="sheet-small">{appraisal.appraisal_id}</p>
    </article>
  )
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Check({ risk }: { risk: LookupResultWire }) {
  const cleared = risk.cleared_by.map(({ list, source, area }) => [list ?? source, area].filter(Boolean).join(', '))
  return (
    <>
      <Line name="Lists">
        <strong>{LISTED[risk.blacklist_status]}</strong>
      </Line>
      <Line name="Findings">
        {risk.risk_factors.length === 0 ? 'none' : risk.risk_factors.map((factor) => factor.message).join(' ')}
      </Line>
      <Line name="Checked">
        against {cleared.length > 0 ? cleared.join('; ') : risk.source.replaceAll('+', ', ')}, {time(risk.timestamp)}
      </Line>
    </>
  )
}
