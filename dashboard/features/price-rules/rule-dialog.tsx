import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CONDITIONS } from '../../../src/contract/condition-grades.ts'
import type { PriceRulesChangeWire, PriceRulesWire, PriceRuleWire } from '../../../src/contract/price-rules.ts'
import { addDays } from '../../../src/lib/time.ts'
import { AMOUNT_PATTERN, readAmountText, toAmountText } from '../../amount-text.ts'
import { codeTexts } from '../../codes.ts'
import { useConfirmedAmount } from '../../confirmations.ts'
import { localDay } from '../../local-day.ts'
import { Button } from '../../ui/button.tsx'
import { Chips } from '../../ui/chips.tsx'
import { FormDialog } from '../../ui/dialog.tsx'
import { SegmentedControl, TextField, toggle } from '../../ui/field.tsx'
import { DeviceName, DevicePicker } from '../device-picker/device-picker.tsx'

export type NewRule = PriceRulesChangeWire['rules'][number]

/** The rule without the fields that the API does not take. */
export function toNewRule({
  id,
  device_ids,
  conditions,
  from,
  until,
  percent,
  max_offer,
  note,
}: PriceRuleWire): NewRule {
  return {
    id,
    device_ids,
    conditions,
    from: from ?? undefined,
    until: until ?? undefined,
    percent: percent ?? undefined,
    max_offer: max_offer ?? undefined,
    note,
  }
}

const KINDS = ['limit', 'raise', 'lower', 'never'] as const
type Kind = (typeof KINDS)[number]

function kindOf(rule: PriceRuleWire | null): Kind {
  if (!rule) return 'limit'
  if (rule.percent !== null) return rule.percent > 0 ? 'raise' : 'lower'
  return rule.max_offer === 0 ? 'never' : 'limit'
}

const toNumber = (text: string) => Number(text.replace(',', '.'))

/** Adds a rule, or changes the given one. */
export function RuleDialog({
  rule,
  currency,
  save,
  close,
}: {
  rule: PriceRuleWire | null
  currency: PriceRulesWire['currency']
  save: (rule: NewRule) => Promise<unknown>
  close: () => void
}) {
  const { t } = useTranslation('price-rules')
  const { gradeName } = codeTexts()
  const [kind, setKind] = useState<Kind>(kindOf(rule))
  const [amount, setAmount] = useState(rule?.max_offer ? toAmountText(rule.max_offer, currency) : '')
  const [percent, setPercent] = useState(rule?.percent ? String(Math.abs(rule.percent)) : '')
  const [devices, setDevices] = useState<readonly string[]>(rule?.device_ids ?? [])
  const [conditions, setConditions] = useState(rule?.conditions ?? [])
  const [from, setFrom] = useState(rule?.from ?? '')
  const [until, setUntil] = useState(rule?.until ?? '')
  const [note, setNote] = useState(rule?.note ?? '')
  const today = localDay()
  const isPercent = kind === 'raise' || kind === 'lower'
  const confirmed = useConfirmedAmount()
  const send = () => {
    const entries: NewRule = {
      ...(rule ? { id: rule.id } : {}),
      device_ids: [...devices],
      conditions: [...conditions],
      from: from || undefined,
      until: until || undefined,
      note: note.trim(),
      ...(isPercent
        ? { percent: toNumber(percent) * (kind === 'raise' ? 1 : -1) }
        : { max_offer: kind === 'never' ? 0 : (readAmountText(amount, currency) ?? 0) }),
    }
    return confirmed(entries, (confirmation) => save({ ...entries, ...confirmation }))
  }
  return (
    <FormDialog title={t(rule ? 'dialog.change' : 'dialog.add')} action={t('dialog.save')} send={send} close={close}>
      {(errorAt) => (
        <>
          <SegmentedControl
            label={t('dialog.kind')}
            options={KINDS.map((value) => ({ value, text: t(`kind.${value}`) }))}
            chosen={kind}
            choose={setKind}
          />
          {kind === 'limit' ? (
            <TextField
              label={t('dialog.amount', { currency })}
              inputMode="decimal"
              pattern={AMOUNT_PATTERN}
              required
              error={errorAt('rules')}
              value={amount}
              onValueChange={setAmount}
            />
          ) : null}
          {isPercent ? (
            <TextField
              label={t('dialog.percent')}
              inputMode="decimal"
              pattern="\d+([.,]\d+)?"
              required
              error={errorAt('rules')}
              value={percent}
              onValueChange={setPercent}
            />
          ) : null}
          <div>
            <DevicePicker
              label={t('dialog.devices')}
              pick={({ id }) => setDevices(devices.includes(id) ? devices : [...devices, id])}
            />
            {devices.length > 0 ? (
              <p className="picked">
                {devices.map((id) => (
                  <button
                    key={id}
                    type="button"
                    className="chip"
                    aria-pressed="true"
                    onClick={() => setDevices(toggle(devices, id))}
                  >
                    <DeviceName id={id} /> <span aria-hidden="true">×</span>
                    <span className="visually-hidden">{t('dialog.remove')}</span>
                  </button>
                ))}
              </p>
            ) : (
              <p className="hint">{t('dialog.allDevices')}</p>
            )}
          </div>
          <Chips
            legend={t('dialog.grades')}
            options={CONDITIONS.map((grade) => ({ value: grade, text: gradeName(grade) }))}
            isPressed={(grade) => conditions.includes(grade)}
            press={(grade) => setConditions(toggle(conditions, grade))}
          >
            {conditions.length === 0 ? <p className="hint">{t('dialog.allGrades')}</p> : null}
          </Chips>
          <fieldset className="chips">
            <legend className="visually-hidden">{t('dialog.period')}</legend>
            <div className="field-pair">
              <TextField label={t('dialog.from')} type="date" value={from} onValueChange={setFrom} />
              <TextField label={t('dialog.until')} type="date" min={from} value={until} onValueChange={setUntil} />
            </div>
            <p className="actions">
              <Button
                variant="link"
                onClick={() => {
                  setFrom(today)
                  setUntil(addDays(today, 6))
                }}
              >
                {t('dialog.oneWeek')}
              </Button>
              {from || until ? (
                <Button
                  variant="link"
                  onClick={() => {
                    setFrom('')
                    setUntil('')
                  }}
                >
                  {t('dialog.always')}
                </Button>
              ) : null}
            </p>
          </fieldset>
          <TextField
            label={t('dialog.note')}
            hint={t('dialog.noteHint')}
            maxLength={100}
            value={note}
            onValueChange={setNote}
          />
        </>
      )}
    </FormDialog>
  )
}
