import type { AppraisalWire } from '../../../src/contract/appraisal.ts'
import { formatAmount } from '../../format.ts'

/** The calculation of the offer, line by line. */
export function OfferBreakdown({
  reasons,
  currency,
}: {
  reasons: AppraisalWire['offer']['reasons']
  currency: string
}) {
  return (
    <table className="reasons">
      <thead>
        <tr>
          <th scope="col">Step</th>
          <th scope="col" className="number">
            Change
          </th>
          <th scope="col" className="number">
            Running total
          </th>
        </tr>
      </thead>
      <tbody>
        {reasons.map((reason) => (
          <tr key={reason.code}>
            <td>{reason.message}</td>
            <td className="number">{reason.amount === 0 ? '' : formatAmount(reason.amount, currency)}</td>
            <td className="number">{formatAmount(reason.running_total, currency)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
