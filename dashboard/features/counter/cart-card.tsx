import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'wouter'
import { callApi } from '../../api.ts'
import { formatAmount } from '../../format.ts'
import { localDay } from '../../local-day.ts'
import { queryClient } from '../../queries.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/page.tsx'
import { ErrorMessage } from '../../ui/states.tsx'
import { sellerOnPaper } from '../appraisals/seller-on-paper.ts'
import { useBuying, useKeyOf } from './buying.tsx'
import { useCart } from './purchase-cart.ts'

/** The devices of the seller at the counter so far, which are bought together. */
export function CartCard({ mayBuy = false }: { mayBuy?: boolean }) {
  const { t } = useTranslation('counter')
  const { lines, total, remove, clear } = useCart()
  const [, navigate] = useLocation()
  const keyOf = useKeyOf()
  const [first] = lines
  const currency = first?.currency
  const amount = first ? formatAmount(total, first.currency) : ''
  const buying = useBuying({
    amount,
    send({ approval, ...terms }) {
      const items = lines.map((line) => ({ appraisal_id: line.appraisalId, price: line.price }))
      const body = { items, date: localDay(), currency, ...terms }
      return callApi(
        'POST /api/purchases',
        { body: { ...body, ...(approval && { approval }) } },
        undefined,
        keyOf(body),
      )
    },
    done({ data }, seller) {
      const { purchase_id: id } = data
      if (seller) queryClient.setQueryData(sellerOnPaper(id), seller)
      clear()
      navigate(`/dashboard/purchases/${id}?print`)
    },
  })
  if (lines.length === 0) return null
  return (
    <Card title={t('cart.title', { count: lines.length })} note={amount}>
      <ul className="plain-list cart">
        {lines.map((line) => (
          <li key={line.appraisalId}>
            <Link to={`/dashboard/appraisals/${line.appraisalId}`}>{line.title}</Link>
            <span className="number">{formatAmount(line.price, line.currency)}</span>
            <Button
              variant="link"
              aria-label={t('cart.removeNamed', { device: line.title })}
              onClick={() => remove(line.appraisalId)}
            >
              {t('cart.remove')}
            </Button>
          </li>
        ))}
      </ul>
      {mayBuy ? (
        <p className="actions">
          <Button variant="primary" isBusy={buying.isPending} onClick={() => buying.start(null)}>
            {t('cart.buy', { count: lines.length, amount })}
          </Button>
        </p>
      ) : null}
      <ErrorMessage error={buying.error} />
      {buying.dialogs}
    </Card>
  )
}
