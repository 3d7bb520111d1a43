import { type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SellerInputWire } from '../../../src/contract/sellers.ts'
import { RequestError } from '../../api.ts'
import { neededConfirmation } from '../../confirmations.ts'
import { useApiMutation } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { ApproveDialog } from './approve-dialog.tsx'
import { BuyDialog } from './buy-dialog.tsx'
import type { PurchaseTerms, Question } from './purchase-terms.ts'
import { EMPTY_SELLER } from './seller-fields.tsx'

const NEEDS_APPROVAL: readonly (string | undefined)[] = [
  'price_above_maximum',
  'price_above_limit',
  'offer_above_maximum',
  'offer_above_limit',
  'approval_for_duplicate',
]

/** Whether a manager at the screen can allow what was rejected. */
export const needsApproval = (error: unknown): error is RequestError =>
  error instanceof RequestError && error.code === 'FORBIDDEN' && NEEDS_APPROVAL.includes(error.reasonCode)

/** A random key; `crypto.randomUUID` needs HTTPS, which a tablet in the shop may not have. */
const randomKey = () => `counter-${[...crypto.getRandomValues(new Uint32Array(4))].join('-')}`

/** An idempotency key for a body: sent again after a lost connection, it is recorded once. */
export function useKeyOf() {
  const keys = useRef(new Map<string, string>())
  return (body: object) => {
    const json = JSON.stringify(body)
    const key = keys.current.get(json) ?? randomKey()
    keys.current.set(json, key)
    return key
  }
}

/**
 * Buys: asks for the seller as the organization's setting says, for a confirmation of what looks wrong, and for a manager where
 * the person may not do it alone.
 */
export function useBuying<Bought>({
  amount,
  send,
  done,
}: {
  /** The price, formatted. */
  amount: string
  send: (terms: PurchaseTerms) => Promise<Bought>
  done: (bought: Bought, seller: SellerInputWire | undefined) => void
}) {
  const { t } = useTranslation('counter')
  const { organization } = useSession()
  const sending = useApiMutation()
  const [purchase, setPurchase] = useState<{ readonly question: Question | null } | null>(null)
  const [approval, setApproval] = useState<{ readonly terms: PurchaseTerms; readonly why: string } | null>(null)
  const [seller, setSeller] = useState(EMPTY_SELLER)

  /** Null if a manager must approve it first. */
  async function attempt(terms: PurchaseTerms) {
    try {
      return { bought: await send(terms), seller: terms.seller }
    } catch (error) {
      if (!needsApproval(error)) throw error
      setPurchase(null)
      setApproval({ terms, why: error.message })
      return null
    }
  }

  /** Buys at once, unless the seller or a confirmation is asked for. */
  function start(question: Question | null) {
    if (question || organization.seller_record !== 'off') return setPurchase({ question })
    sending.mutate(async () => {
      try {
        const result = await attempt({})
        if (result) done(result.bought, undefined)
      } catch (error) {
        const confirms = neededConfirmation(error)
        if (!confirms) throw error
        setPurchase({ question: { confirms, text: t(`buy.${confirms}`) } })
      }
    })
  }

  const dialogs: ReactNode = approval ? (
    <ApproveDialog
      why={approval.why}
      send={async (credentials) => ({
        bought: await send({ ...approval.terms, approval: credentials }),
        seller: approval.terms.seller,
      })}
      approved={(result) => done(result.bought, result.seller)}
      close={() => setApproval(null)}
    />
  ) : purchase ? (
    <BuyDialog
      amount={amount}
      seller={seller}
      changeSeller={setSeller}
      question={purchase.question}
      send={attempt}
      bought={(result) => done(result.bought, result.seller)}
      close={() => setPurchase(null)}
    />
  ) : null
  return { start, dialogs, isPending: sending.isPending, error: sending.error, isOpen: dialogs !== null }
}
