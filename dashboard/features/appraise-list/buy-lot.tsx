import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { splitAmount } from '../../../src/appraisal/split-amount.ts'
import { PURCHASE_MAX_ITEMS } from '../../../src/contract/purchases.ts'
import { MAY_BE_BOUGHT } from '../../../src/lists/row-outcome.ts'
import { AMOUNT_PATTERN, readAmountText, toAmountText } from '../../amount-text.ts'
import { callApi } from '../../api.ts'
import { useConfirmedAmount } from '../../confirmations.ts'
import { formatAmount } from '../../format.ts'
import { localDay } from '../../local-day.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import type { AppraisedRow } from './appraised-row.ts'

type LotLine = AppraisedRow & { readonly id: string; readonly offer: number }

/** Rows that can be bought as they are, with an offer that needs no answer first; an identifier is that of one device. */
const isLotLine = (row: AppraisedRow): row is LotLine =>
  row.id !== null &&
  (row.quantity === 1 || row.risk === null) &&
  (row.offer ?? 0) > 0 &&
  MAY_BE_BOUGHT.includes(row.outcome)

const countDevices = (lines: readonly AppraisedRow[]) => lines.reduce((sum, { quantity }) => sum + quantity, 0)

/** Buys the rows that are shown as one purchase of the supplier. */
export function BuyLot({
  listId,
  rows,
  currency,
}: {
  listId: string
  rows: readonly AppraisedRow[]
  currency: string
}) {
  const { t } = useTranslation('appraise-list')
  const [isOpen, setOpen] = useState(false)
  const lines = rows.filter(isLotLine)
  const count = countDevices(lines)
  if (count === 0 || count > PURCHASE_MAX_ITEMS) return null
  return (
    <>
      <Button variant="primary" onClick={() => setOpen(true)}>
        {t('buyLot.open', { count })}
      </Button>
      {isOpen ? <BuyLotDialog listId={listId} lines={lines} currency={currency} close={() => setOpen(false)} /> : null}
    </>
  )
}

function BuyLotDialog({
  listId,
  lines,
  currency,
  close,
}: {
  listId: string
  lines: readonly LotLine[]
  currency: string
  close: () => void
}) {
  const { t } = useTranslation(['appraise-list', 'counter'])
  const [, navigate] = useLocation()
  const sendConfirmed = useConfirmedAmount()
  const [supplier, setSupplier] = useState('')
  const [vatNumber, setVatNumber] = useState('')
  const [total, setTotal] = useState(() =>
    toAmountText(
      lines.reduce((sum, row) => sum + row.quantity * (row.asking ?? row.offer), 0),
      currency,
    ),
  )
  /** Prices per device that were entered, by line; the others are shares of what is left. */
  const [entered, setEntered] = useState<ReadonlyMap<number, string>>(new Map())
  const toMinor = (text: string) => readAmountText(text, currency) ?? 0
  const priceOf = ({ line }: LotLine) => {
    const text = entered.get(line)?.trim()
    return text ? toMinor(text) : undefined
  }
  const open = lines.filter((row) => priceOf(row) === undefined)
  const left = toMinor(total) - lines.reduce((sum, row) => sum + row.quantity * (priceOf(row) ?? 0), 0)
  const openDevices = open.flatMap((row) => Array.from({ length: row.quantity }, () => row))
  const shares = new Map(
    splitAmount(
      Math.max(0, left),
      openDevices.map(({ offer }) => offer),
    ).map((share, at) => [openDevices[at]?.line, share]),
  )
  const send = () => {
    const body = {
      items: lines.map((row) => ({ appraisal_id: row.id, price: priceOf(row), quantity: row.quantity })),
      total: toMinor(total),
      currency,
      date: localDay(),
      list_id: listId,
      seller: {
        kind: 'company' as const,
        name: supplier,
        ...(vatNumber.trim() ? { vat_number: vatNumber.trim() } : {}),
      },
    }
    return sendConfirmed(body, (confirmation) =>
      callApi('POST /api/purchases', { body: { ...body, ...confirmation } }, undefined, `lot-${listId}-${hash(body)}`),
    )
  }
  return (
    <FormDialog
      title={t('buyLot.open', { count: countDevices(lines) })}
      action={t('buyLot.buy', { amount: formatAmount(toMinor(total), currency) })}
      send={send}
      onSent={({ data }) => navigate(`/dashboard/purchases/${data.purchase_id}`)}
      close={close}
    >
      {() => (
        <>
          <TextField
            label={t('buyLot.supplier')}
            required
            maxLength={200}
            value={supplier}
            onValueChange={setSupplier}
          />
          <TextField label={t('buyLot.vatNumber')} maxLength={40} value={vatNumber} onValueChange={setVatNumber} />
          <TextField
            label={t('buyLot.total', { currency })}
            hint={t('buyLot.spread')}
            required
            inputMode="decimal"
            pattern={AMOUNT_PATTERN}
            value={total}
            onValueChange={setTotal}
          />
          <ul className="plain-list">
            {lines.map((row) => (
              <li key={row.line}>
                <span>{row.quantity > 1 ? `${row.name} × ${row.quantity}` : row.name}</span>
                <input
                  className="number"
                  aria-label={t('buyLot.priceOf', { device: row.name, line: row.line })}
                  inputMode="decimal"
                  pattern={AMOUNT_PATTERN}
                  size={9}
                  placeholder={toAmountText(shares.get(row.line) ?? 0, currency)}
                  value={entered.get(row.line) ?? ''}
                  onChange={(event) => setEntered(new Map(entered).set(row.line, event.target.value))}
                />
              </li>
            ))}
          </ul>
        </>
      )}
    </FormDialog>
  )
}

/** Sent again after a lost connection, the same lot is bought once. */
const hash = (body: object) => {
  let sum = 5381
  for (const char of JSON.stringify(body)) sum = (sum * 33 + (char.codePointAt(0) ?? 0)) % 2 ** 31
  return sum.toString(36)
}
