import type { PricePreviewWire, UploadPageWire } from '../../../src/contract/uploads.ts'
import { formatCount, pluralize } from '../../format.ts'
import { Field } from '../../ui/field.tsx'
import { TableScroll } from '../../ui/table-scroll.tsx'
import { GRADE_LABELS, gradeLabel } from './upload-labels.ts'
import { type ColumnMapping, parsePairs, type UploadOptions, withOption, withPair } from './upload-options.ts'

type Props = {
  readonly prices: PricePreviewWire
  readonly uploads: UploadPageWire
  readonly mapping: ColumnMapping
  readonly options: UploadOptions
  readonly change: (options: UploadOptions) => void
  readonly isOpen: boolean
}

/** Defaults for values the file does not contain, and rules for reading it. */
export function PriceListOptions({ prices, uploads, mapping, options, change, isOpen }: Props) {
  const has = (field: string) => Object.values(mapping).includes(field)
  const set = (name: string) => (value: string) => change(withOption(options, name, value))
  const currencies = uploads.currencies.toSorted()
  const markets = uploads.markets.toSorted((left, right) => left.name.localeCompare(right.name))
  const marketName = (code: string) => markets.find((market) => market.code === code)?.name ?? code
  return (
    <section className="card">
      <details className="upload-more" open={isOpen}>
        <summary>
          <h2>Defaults</h2>
          <span className="muted">{summarizeOptions(options) || 'none set'}</span>
        </summary>
        <p className="note">Used where a column is missing or empty.</p>
        <div className="upload-options">
          <Choice label="Price type" value={options.side} change={set('side')} none="From the file">
            {[
              ['ask', 'Asking prices'],
              ['sold', 'Sold prices'],
              ['quote', 'Dealer offers'],
            ]}
          </Choice>
          <Choice label="Currency" value={options.currency} change={set('currency')} none="From the file">
            {currencies.map((code) => [code, code])}
          </Choice>
          <Choice
            label="Market"
            value={options.market}
            change={set('market')}
            none={`From the file, else ${marketName(uploads.default_market)}`}
          >
            {markets.map(({ code, name }) => [code, name])}
          </Choice>
          <Field label="Price date">
            {(props) => (
              <input
                {...props}
                type="date"
                value={options.date ?? ''}
                onChange={(event) => set('date')(event.target.value)}
              />
            )}
          </Field>
          <Choice
            label="Read 03/04/2026 as"
            value={options['date-order']}
            change={set('date-order')}
            none="Reject (ambiguous)"
          >
            {[
              ['dmy', '3 April (day first)'],
              ['mdy', '4 March (month first)'],
            ]}
          </Choice>
          <Choice
            label={has('condition') ? 'Condition if empty' : 'Condition of all rows'}
            value={parsePairs(options.condition)['']}
            change={(grade) => change(withPair(options, 'condition', '', grade))}
            none="Reject"
          >
            {GRADE_LABELS.map((grade) => [grade, gradeLabel(grade)])}
          </Choice>
          <Choice label="Price ranges" value={options.range} change={set('range')} none="Reject">
            {[['low', 'Use the low end']]}
          </Choice>
          <Choice label="Encoding" value={options.encoding} change={set('encoding')} none="Detect">
            {ENCODINGS.map((encoding) => [encoding, encoding])}
          </Choice>
          <Field label="Sheet" hint="Of a spreadsheet. Default: the first.">
            {(props) => (
              <input
                {...props}
                maxLength={60}
                value={options.sheet ?? ''}
                onChange={(event) => set('sheet')(event.target.value)}
              />
            )}
          </Field>
          <Field label="Shop or site" hint="Default: the file name.">
            {(props) => (
              <input
                {...props}
                maxLength={60}
                value={options.source ?? ''}
                onChange={(event) => set('source')(event.target.value)}
              />
            )}
          </Field>
          <Field
            label="Save options as"
            hint={profileHint(options.profile ?? '', uploads)}
            error={
              /^([a-z0-9][a-z0-9._-]*)?$/.test(options.profile ?? '')
                ? undefined
                : 'Use lower-case letters, digits, dots and dashes.'
            }
          >
            {(props) => (
              <input
                {...props}
                maxLength={60}
                spellCheck={false}
                value={options.profile ?? ''}
                onChange={(event) => set('profile')(event.target.value)}
              />
            )}
          </Field>
        </div>
        <label className="upload-check">
          <input
            type="checkbox"
            checked={options['add-variants'] !== undefined}
            onChange={(event) => set('add-variants')(event.target.checked ? 'yes' : '')}
          />
          <span>Add missing storage sizes to known devices. They are added disabled, without a list price.</span>
        </label>
        <Words words={prices.unknown_conditions} options={options} change={change} />
      </details>
    </section>
  )
}

const ENCODINGS = [
  ...['utf-8', 'windows-1250', 'windows-1251', 'windows-1252', 'windows-1257', 'shift_jis', 'euc-kr', 'gbk'],
]

/** Shown while the section is closed. */
function summarizeOptions({
  map: _,
  assign: _assigned,
  condition,
  'add-variants': adds,
  ...said
}: UploadOptions): string {
  const words = Object.keys(parsePairs(condition)).length
  return [
    ...Object.values(said),
    ...(words > 0 ? [pluralize(words, 'condition')] : []),
    ...(adds ? ['add sizes'] : []),
  ].join(' · ')
}

function profileHint(name: string, { profiles }: UploadPageWire): string {
  if (name === '') return 'Save these options to reuse for similar files.'
  return profiles.some((one) => one.name === name)
    ? 'Replaces the saved options with this name.'
    : 'Saved with the import.'
}

function Choice({
  label,
  value,
  none,
  change,
  children,
}: {
  label: string
  value: string | undefined
  none: string
  change: (value: string) => void
  children: readonly (readonly string[])[]
}) {
  return (
    <Field label={label}>
      {(props) => (
        <select {...props} value={value ?? ''} onChange={(event) => change(event.target.value)}>
          <option value="">{none}</option>
          {children.map(([option = '', words]) => (
            <option key={option} value={option}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

/** Unknown condition terms of the file, and those already mapped to a grade. */
function Words({
  words,
  options,
  change,
}: {
  words: PricePreviewWire['unknown_conditions']
  options: UploadOptions
  change: (options: UploadOptions) => void
}) {
  const given = parsePairs(options.condition)
  const before = Object.keys(given).filter((word) => word !== '' && !words.some((one) => one.word === word))
  const all = [...words, ...before.map((word) => ({ word, rows: 0 }))]
  if (all.length === 0) return null
  return (
    <>
      <h3 className="upload-words">Condition terms</h3>
      <TableScroll label="Condition terms" asCards>
        <table>
          <thead>
            <tr>
              <th scope="col">Term in file</th>
              <th scope="col" className="number">
                Rows
              </th>
              <th scope="col">Grade</th>
            </tr>
          </thead>
          <tbody>
            {all.map(({ word, rows }) => (
              <tr key={word}>
                <td data-label="Term in file">{word}</td>
                <td data-label="Rows" className="number">
                  {rows > 0 ? formatCount(rows) : 'mapped'}
                </td>
                <td data-label="Grade">
                  <select
                    aria-label={`Grade for ${word}`}
                    value={given[word] ?? ''}
                    onChange={(event) => change(withPair(options, 'condition', word, event.target.value))}
                  >
                    <option value="">Unknown (reject)</option>
                    {GRADE_LABELS.map((grade) => (
                      <option key={grade} value={grade}>
                        {gradeLabel(grade)}
                      </option>
                    ))}
                  </select>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </>
  )
}
