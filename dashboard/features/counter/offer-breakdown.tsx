import { useTranslation } from 'react-i18next'
import type { AppraisalWire } from '../../../src/contract/appraisal.ts'
import { codeTexts } from '../../codes.ts'
import { formatExactAmount } from '../../format.ts'

/** The calculation of the offer, line by line. */
export function OfferBreakdown({
  appraisal,
}: {
  appraisal: Pick<AppraisalWire, 'offer' | 'plans' | 'policy' | 'identity' | 'risk' | 'currency'>
}) {
  const { t } = useTranslation('counter')
  const texts = codeTexts()
  const { offer, currency } = appraisal
  return (
    <table className="reasons">
      <thead>
        <tr>
          <th scope="col">{t('breakdown.step')}</th>
          <th scope="col" className="number">
            {t('breakdown.change')}
          </th>
          <th scope="col" className="number">
            {t('breakdown.total')}
          </th>
        </tr>
      </thead>
      <tbody>
        {offer.reasons.map((reason) => (
          <tr key={`${reason.code} ${reason.running_total}`}>
            <td>{texts.reason(reason, appraisal)}</td>
            <td className="number">{reason.amount ? formatExactAmount(reason.amount, currency) : ''}</td>
            <td className="number">
              {reason.running_total === undefined ? '' : formatExactAmount(reason.running_total, currency)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
