import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AppraisalWire } from '../../../src/contract/appraisal.ts'
import type { PurchasedDeviceWire } from '../../../src/contract/outcome.ts'
import type { ApiResponse } from '../../api.ts'
import { type Confirmation, neededConfirmation } from '../../confirmations.ts'
import { useSession } from '../../session.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { type SellerEntries, SellerFields, toSeller } from './seller-fields.tsx'

type Confirmations = Pick<PurchasedDeviceWire, Confirmation>

/** Asks for the seller as the organization's setting says, and for a confirmation of what looks wrong. */
export function BuyDialog({
  amount,
  seller,
  changeSeller,
  question,
  send,
  bought,
  close,
}: {
  /** The price, formatted. */
  amount: string
  seller: SellerEntries
  changeSeller: (seller: SellerEntries) => void
  /** What must be confirmed when the dialog opens. */
  question: { readonly confirms: Confirmation; readonly text: string } | null
  /** Null if a manager must approve it first. */
  send: (purchase: Confirmations & Pick<PurchasedDeviceWire, 'seller'>) => Promise<ApiResponse<AppraisalWire> | null>
  bought: (appraisal: ApiResponse<AppraisalWire>) => void
  close: () => void
}) {
  const { t } = useTranslation('counter')
  const { organization } = useSession()
  const { seller_record: mode } = organization
  const [questions, setQuestions] = useState(question ? [question] : [])
  const confirmations = Object.fromEntries(questions.map(({ confirms }) => [confirms, true]))
  const submit = async () => {
    try {
      return await send({ ...confirmations, seller: toSeller(seller, mode) })
    } catch (error) {
      const confirms = neededConfirmation(error)
      if (!confirms || confirms in confirmations) throw error
      setQuestions([...questions, { confirms, text: t(`buy.${confirms}`) }])
      return null
    }
  }
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    document.querySelector<HTMLFormElement>('dialog[open] form')?.requestSubmit()
  })
  useEffect(() => {
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return (
    <FormDialog
      title={t('buy.title', { amount })}
      action={t(questions.length > 0 ? 'buy.anyway' : 'offer.buyAndPrint')}
      send={submit}
      onSent={(appraisal) => appraisal && bought(appraisal)}
      close={close}
    >
      {(errorAt) => (
        <>
          {questions.map(({ confirms, text }) => (
            <p key={confirms} className="doubt" role="alert">
              {text}
            </p>
          ))}
          {mode === 'off' ? null : (
            <SellerFields mode={mode} entries={seller} change={changeSeller} errorAt={errorAt} />
          )}
        </>
      )}
    </FormDialog>
  )
}
