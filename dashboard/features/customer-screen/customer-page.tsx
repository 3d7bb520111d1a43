import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { DevicePicture } from '../../ui/device-picture.tsx'
import { QrCode } from '../../ui/qr-code.tsx'
import { type CustomerState, followCounter } from './customer-channel.ts'

/** The screen that faces the customer: the shop, the device with its condition, the offer, and thanks after the purchase. */
export function CustomerPage() {
  const { t } = useTranslation('customer-screen')
  const [state, setState] = useState<CustomerState>({ kind: 'idle' })
  useEffect(() => followCounter(setState), [])
  useEffect(() => {
    document.title = t('title')
  }, [t])
  return (
    <main className="customer-screen" aria-live="polite">
      <Shop isHeading={state.kind === 'idle'} />
      {state.kind === 'offer' ? <Offer offer={state} /> : null}
      {state.kind === 'thanks' ? (
        <>
          <h1>{t('thanks')}</h1>
          {state.receiptUrl ? (
            <>
              <QrCode address={state.receiptUrl} label={t('receipt')} />
              <p>{t('receipt')}</p>
            </>
          ) : null}
        </>
      ) : null}
    </main>
  )
}

function Shop({ isHeading }: { isHeading: boolean }) {
  const { organization } = useSession()
  const shop = useOperation('GET /api/manage/settings', {}).data?.data.receipt
  const Tag = isHeading ? 'h1' : 'p'
  return (
    <Tag className="customer-shop">
      {shop?.logo ? <img src={shop.logo} alt="" /> : null} {shop?.shop_name || organization.name}
    </Tag>
  )
}

/** What is offered for a device, also in the dialog of the counter. */
export function Offer({
  offer,
  isTitled = true,
}: {
  offer: Extract<CustomerState, { kind: 'offer' }>
  isTitled?: boolean
}) {
  const { t } = useTranslation('counter')
  const { deviceId: id } = offer
  const device = useOperation('GET /api/devices/{id}', id ? { params: { id } } : null).data?.data
  const validDays = useOperation('GET /api/manage/settings', {}).data?.data.receipt.valid_days
  return (
    <div className="customer-view">
      {device ? <DevicePicture of={device.thumbnail} /> : null}
      {isTitled ? <h1>{offer.device}</h1> : null}
      <p>{offer.condition.join(' · ')}</p>
      <p className="muted">{t('customer.offer')}</p>
      <p className="customer-amount">{offer.amount}</p>
      {validDays ? <p className="muted">{t('customer.valid', { count: validDays })}</p> : null}
      {offer.differences.length > 0 ? (
        <ul className="plain-list">
          {offer.differences.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}
