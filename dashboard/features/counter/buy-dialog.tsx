import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { neededConfirmation } from '../../confirmations.ts'
import { useSession } from '../../session.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import type { PurchaseTerms, Question } from './purchase-terms.ts'
import { type SellerEntries, SellerFields, toSeller } from './seller-fields.tsx'

/** Asks for the seller as the organization's setting says, and for a confirmation of what looks wrong. */
export function BuyDialog<Result>({
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
  question: Question | null
  /** Null if a manager must approve it first. */
  send: (terms: PurchaseTerms) => Promise<Result | null>
  bought: (result: Result) => void
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
      onSent={(result) => result && bought(result)}
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
