import type { TFunction } from 'i18next'
import { memo, type ReactNode, useCallback, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { CONDITIONS, type Condition } from '../../../src/contract/condition-grades.ts'
import type { DefectCode } from '../../../src/contract/defect-catalogue.ts'
import { defectsOfKind } from '../../../src/contract/device-kinds.ts'
import { AMOUNT_PATTERN, readAmountText, toAmountText } from '../../amount-text.ts'
import type { RequestError } from '../../api.ts'
import { codeTexts } from '../../codes.ts'
import { formatAmount, formatCount, minorUnitsPerUnit } from '../../format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Chips } from '../../ui/chips.tsx'
import { Select, toggle } from '../../ui/field.tsx'
import { ErrorMessage } from '../../ui/states.tsx'
import { DevicePicker } from '../device-picker/device-picker.tsx'
import { type AppraisedRow, isWorthAsking } from './appraised-row.ts'
import type { RowCorrection } from './list-rows.ts'
import { OUTCOME_TONES, outcomeText } from './outcome-text.ts'
import { Candidates } from './row-dialog.tsx'

/** Lines of a row: one at a desk, taller where fingers touch. The style sheet has the same heights. */
const ROW_HEIGHT = { desk: 36, touch: 52 } as const
const TOUCH = '(max-width: 60rem), (pointer: coarse)'
/** Rows kept above and below those that are seen, so that scrolling shows no gaps. */
const SPARE_ROWS = 12
/** Pixels between a cell and what corrects it, and to the edges of the window. */
const GAP = 8
/** Columns before and after those with amounts. */
const FIRST_AMOUNT = 2
const AFTER_AMOUNTS = 3

type Props = {
  rows: readonly AppraisedRow[]
  /** Whether the supplier names prices. */
  hasAsking: boolean
  currency: string
  /** Identifiers that several rows have. */
  repeated: ReadonlySet<string>
  /** Opens a row with everything that is known about it. */
  edit: (row: AppraisedRow) => void
  correct: (line: number, correction: RowCorrection) => Promise<void>
}

/** One line a row, of which only those in sight are on the page; the device stays in sight, and cells are corrected in place. */
export function LotTable({ rows, hasAsking, currency, repeated, edit, correct }: Props) {
  const { t } = useTranslation('appraise-list')
  const area = useRef<HTMLElement>(null)
  const isTouched = useMediaQuery(TOUCH)
  const rowHeight = isTouched ? ROW_HEIGHT.touch : ROW_HEIGHT.desk
  const { first, last } = useRowsInSight(area, rows.length, rowHeight)
  const [error, setError] = useState<RequestError | null>(null)
  const [saving, setSaving] = useState<ReadonlySet<number>>(new Set())
  /** Stable, so that rows that stay in sight are not drawn again while others scroll in. */
  const save = useCallback(
    async (line: number, correction: RowCorrection) => {
      setSaving((lines) => new Set(lines).add(line))
      setError(null)
      try {
        await correct(line, correction)
      } catch (failure) {
        setError(failure as RequestError)
      } finally {
        setSaving((lines) => new Set([...lines].filter((other) => other !== line)))
      }
    },
    [correct],
  )
  const columns: readonly string[] = [
    t('column.device'),
    t('column.decision'),
    t('column.asking'),
    ...(hasAsking ? [t('column.buyBelow'), t('column.profitAtAsking')] : []),
    t('column.offer'),
    t('column.value'),
    t('column.grade'),
    t('field.defects'),
    t('field.identifier'),
  ]
  return (
    <>
      <ErrorMessage error={error} />
      <section
        ref={area}
        className="lot-table"
        aria-label={t('results.label')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scroll areas must be reachable by keyboard
        tabIndex={0}
      >
        <table aria-rowcount={rows.length + 1}>
          <thead>
            <tr aria-rowindex={1}>
              {columns.map((title, at) => (
                <th
                  key={title}
                  scope="col"
                  className={at >= FIRST_AMOUNT && at < columns.length - AFTER_AMOUNTS ? 'number' : undefined}
                >
                  {title}
                </th>
              ))}
              <th scope="col">
                <span className="visually-hidden">{t('edit.button')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            <Spacer rows={first} rowHeight={rowHeight} columns={columns.length + 1} />
            {rows.slice(first, last).map((row, at) => (
              <LotRow
                key={row.line}
                row={row}
                rowIndex={first + at + 2}
                hasAsking={hasAsking}
                currency={currency}
                isRepeated={row.risk !== null && repeated.has(row.risk.identifier)}
                isSaving={saving.has(row.line)}
                save={save}
                edit={edit}
              />
            ))}
            <Spacer rows={rows.length - last} rowHeight={rowHeight} columns={columns.length + 1} />
          </tbody>
        </table>
      </section>
    </>
  )
}

type RowProps = Pick<Props, 'hasAsking' | 'currency' | 'edit'> & {
  row: AppraisedRow
  /** Place in the whole table, from 1 with the titles. */
  rowIndex: number
  isRepeated: boolean
  isSaving: boolean
  save: (line: number, correction: RowCorrection) => void
}

const LotRow = memo(function LotRow({
  row,
  rowIndex,
  hasAsking,
  currency,
  isRepeated,
  isSaving,
  save,
  edit,
}: RowProps) {
  const { t } = useTranslation('appraise-list')
  const { line } = row
  const money = (amount: number | null) => (amount === null ? '–' : formatAmount(amount, currency, true))
  const notes = notesOf(row, isRepeated, t)
  return (
    <tr aria-rowindex={rowIndex} aria-busy={isSaving} className={isSaving ? 'is-stale' : undefined}>
      <th scope="row" className="lot-device" title={[row.name, row.reference, ...notes].filter(Boolean).join('\n')}>
        <DeviceCell row={row} hasNotes={notes.length > 0} save={(correction) => save(line, correction)} />
      </th>
      <td>
        <DecisionCell row={row} edit={edit} />
      </td>
      <td className="number">
        <PriceCell
          key={row.askingPrice?.value}
          row={row}
          currency={currency}
          save={(asking_price) => save(line, { asking_price })}
        />
      </td>
      {hasAsking ? (
        <>
          <td className="number">
            {isWorthAsking(row) ? <strong className="gain">{money(row.maxOffer)}</strong> : money(row.maxOffer)}
          </td>
          <td className="number">
            <span className={(row.profitAtAsking ?? 0) < 0 ? 'loss' : undefined}>{money(row.profitAtAsking)}</span>
          </td>
        </>
      ) : null}
      <td className="number">{money(row.offer)}</td>
      <td className="number">{money(row.worth)}</td>
      <td>
        <GradeCell row={row} save={(condition) => save(line, { condition })} />
      </td>
      <td>
        <FaultsCell row={row} save={(defects) => save(line, { defects })} />
      </td>
      <td>
        <TextCell
          key={row.identifier}
          label={t('edit.identifier', { line })}
          value={row.identifier}
          save={(identifier) => save(line, { identifier })}
        />
      </td>
      <td>
        <button type="button" className="cell-button" aria-label={t('edit.label', { line })} onClick={() => edit(row)}>
          {t('edit.button')}
        </button>
      </td>
    </tr>
  )
})

/** Height of rows that are not on the page. */
function Spacer({ rows, rowHeight, columns }: { rows: number; rowHeight: number; columns: number }) {
  if (rows <= 0) return null
  return (
    <tr aria-hidden className="lot-spacer">
      <td colSpan={columns} style={{ height: rows * rowHeight }} />
    </tr>
  )
}

/** Indexes of the rows in sight and some around them; `last` is exclusive. */
function useRowsInSight(area: { readonly current: HTMLElement | null }, total: number, rowHeight: number) {
  const [sight, setSight] = useState({ top: 0, height: 800 })
  useLayoutEffect(() => {
    const element = area.current
    if (!element) return
    const look = () => setSight({ top: element.scrollTop, height: element.clientHeight })
    const resized = new ResizeObserver(look)
    resized.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      resized.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [area])
  const first = Math.max(0, Math.min(total, Math.floor(sight.top / rowHeight)) - SPARE_ROWS)
  const last = Math.min(total, Math.ceil((sight.top + sight.height) / rowHeight) + SPARE_ROWS)
  return { first, last }
}

function useMediaQuery(query: string): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = matchMedia(query)
      list.addEventListener('change', changed)
      return () => list.removeEventListener('change', changed)
    },
    () => matchMedia(query).matches,
  )
}

/** What else is known about the row. */
function notesOf(
  { questions, error, inLists }: AppraisedRow,
  isRepeated: boolean,
  t: TFunction<'appraise-list'>,
): string[] {
  return [
    ...(error ? [error] : []),
    ...questions,
    ...inLists.map(({ name }) => t('inList', { name })),
    ...(isRepeated ? [t('repeated')] : []),
  ]
}

/** The device, its number, and a button to choose another. */
function DeviceCell({
  row,
  hasNotes,
  save,
}: {
  row: AppraisedRow
  hasNotes: boolean
  save: (correction: RowCorrection) => void
}) {
  const { t } = useTranslation('appraise-list')
  const { id, line, name, quantity, storages } = row
  const text = name || t('results.unknownDevice')
  return (
    <>
      {hasNotes ? (
        <span className="lot-mark" aria-hidden>
          !
        </span>
      ) : null}
      {id ? (
        <Link to={`/dashboard/appraisals/${id}`} className="lot-name">
          {text}
        </Link>
      ) : (
        <span className="lot-name">{text}</span>
      )}
      {quantity > 1 ? <span className="lot-quantity">× {formatCount(quantity)}</span> : null}
      <CellEditor label={t('edit.deviceOf', { line })} text="">
        {(close) => (
          <>
            <DevicePicker
              label={t('edit.device')}
              autoFocus
              pick={({ id: device_id }) => {
                close()
                save({ device_id })
              }}
            />
            {row.deviceId ? null : (
              <Candidates
                row={row}
                pick={({ id: device_id }) => {
                  close()
                  save({ device_id })
                }}
              />
            )}
            {storages.length > 0 ? (
              <Chips
                legend={t('field.storage')}
                options={storages.map((size) => ({ value: size, text: size }))}
                isPressed={(size) => row.storage === size}
                press={(storage) => {
                  close()
                  save({ storage })
                }}
                isSmall
              />
            ) : null}
          </>
        )}
      </CellEditor>
    </>
  )
}

function GradeCell({ row, save }: { row: AppraisedRow; save: (condition: Condition) => void }) {
  const { t } = useTranslation('appraise-list')
  const { gradeName } = codeTexts()
  const { grade, isGradeAssumed, line } = row
  if (!row.deviceId) return '–'
  const value = isGradeAssumed || !grade ? '' : grade
  return (
    <Select
      aria-label={t('edit.grade', { line })}
      value={value}
      options={[
        ...(value === '' ? ([['', grade ? t('results.assumed', { grade: gradeName(grade) }) : '–']] as const) : []),
        ...CONDITIONS.map((each) => [each, gradeName(each)] as const),
      ]}
      onValueChange={(condition) => condition && save(condition as Condition)}
    />
  )
}

function FaultsCell({ row, save }: { row: AppraisedRow; save: (defects: DefectCode[]) => void }) {
  const { t } = useTranslation('appraise-list')
  const { deviceKind, defects, line } = row
  const names = defects.map((code) => codeTexts().defect(code, deviceKind).name).join(', ')
  return (
    <CellEditor label={t('edit.defectsOf', { line })} text={names || '–'}>
      {(close) => (
        <FaultsForm
          row={row}
          save={(chosen) => {
            close()
            save(chosen)
          }}
        />
      )}
    </CellEditor>
  )
}

function FaultsForm({ row, save }: { row: AppraisedRow; save: (defects: DefectCode[]) => void }) {
  const { t } = useTranslation(['appraise-list', 'common'])
  const { deviceKind } = row
  const [chosen, setChosen] = useState(row.defects)
  return (
    <>
      <Chips
        legend={t('field.defects')}
        options={defectsOfKind(deviceKind).map(({ code }) => ({
          value: code,
          text: codeTexts().defect(code, deviceKind).name,
        }))}
        isPressed={(code) => chosen.includes(code)}
        press={(code) => setChosen(toggle(chosen, code))}
        isSmall
      />
      <Button variant="primary" onClick={() => save([...chosen] as DefectCode[])}>
        {t('common:action.save')}
      </Button>
    </>
  )
}

/** The decision with its reason; a question, or an error, in the words of the page. */
function DecisionCell({ row, edit }: { row: AppraisedRow; edit: (row: AppraisedRow) => void }) {
  const { t } = useTranslation('appraise-list')
  const { outcome, reason, questions, error } = row
  const asked = questions[0] ?? error
  return (
    <>
      <Badge tone={OUTCOME_TONES[outcome]}>{outcomeText(outcome, t)}</Badge>
      {asked ? (
        <button
          type="button"
          className="cell-button"
          title={[...questions, error].join('\n')}
          onClick={() => edit(row)}
        >
          {asked}
        </button>
      ) : reason ? (
        <span className="muted" title={reason.detail}>
          {t(`reason.${reason.code}`)}
        </span>
      ) : null}
    </>
  )
}

/** A text that is saved when its field is left or Enter is pressed; Escape restores it. */
function TextCell({
  label,
  value,
  save,
  ...input
}: {
  label: string
  value: string
  save: (text: string) => void
  inputMode?: 'decimal'
  pattern?: string
}) {
  return (
    <input
      {...input}
      aria-label={label}
      defaultValue={value}
      maxLength={100}
      autoComplete="off"
      spellCheck={false}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Escape') currentTarget.value = value
        if (key === 'Enter' || key === 'Escape') currentTarget.blur()
      }}
      onBlur={({ currentTarget }) => {
        const text = currentTarget.value.trim()
        if (text !== value && currentTarget.checkValidity()) save(text)
        else currentTarget.value = value
      }}
    />
  )
}

/** The supplier's price in the currency of the row; what is no amount is not saved. */
function PriceCell({ row, currency, save }: { row: AppraisedRow; currency: string; save: (price: number) => void }) {
  const { t } = useTranslation('appraise-list')
  const { line, askingPrice } = row
  const own = askingPrice?.currency ?? currency
  return (
    <>
      <TextCell
        label={t('edit.price', { line })}
        value={askingPrice ? toAmountText(Math.round(askingPrice.value * minorUnitsPerUnit(own)), own) : ''}
        inputMode="decimal"
        pattern={AMOUNT_PATTERN}
        save={(text) => {
          const price = readAmountText(text, own)
          if (price !== null) save(price / minorUnitsPerUnit(own))
        }}
      />
      {own === currency ? null : <span className="muted">{own}</span>}
    </>
  )
}

/** A cell that opens what corrects it, right below. */
function CellEditor({
  label,
  text,
  children,
}: {
  label: string
  /** What the cell says; empty for a pencil. */
  text: string
  children: (close: () => void) => ReactNode
}) {
  const [anchor, setAnchor] = useState<DOMRect | null>(null)
  const editor = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = editor.current
    if (!element || !anchor) return
    element.showPopover()
    const { width, height } = element.getBoundingClientRect()
    const below = anchor.bottom + GAP
    const top = below + height <= innerHeight ? below : Math.max(GAP, anchor.top - height - GAP)
    element.style.left = `${Math.max(GAP, Math.min(anchor.left, innerWidth - width - GAP))}px`
    element.style.top = `${top}px`
    element.querySelector<HTMLElement>('input, button')?.focus()
  }, [anchor])
  const close = () => setAnchor(null)
  return (
    <>
      <button
        type="button"
        className="cell-button"
        aria-label={text ? `${label}: ${text}` : label}
        aria-haspopup="dialog"
        title={text || label}
        onClick={({ currentTarget }) => setAnchor(currentTarget.getBoundingClientRect())}
      >
        {text || <span aria-hidden>✎</span>}
      </button>
      {anchor ? (
        <div
          ref={editor}
          popover="auto"
          role="dialog"
          aria-label={label}
          className="cell-editor"
          onToggle={({ newState }) => newState === 'closed' && close()}
        >
          {children(close)}
        </div>
      ) : null}
    </>
  )
}
