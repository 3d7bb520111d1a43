import type { AppraisalWire } from '../../../src/contract/appraisal.ts'
import { formatAmount } from '../../format.ts'

/** The sum, line by line, so that anybody can do it again by hand. */
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
          <th scope="col">Why</th>
          <th scope="col" className="number">
            Moves it by
          </th>
          <th scope="col" className="number">
            Left
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
