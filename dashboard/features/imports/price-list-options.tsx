import type { PricePreviewWire, UploadPageWire } from '../../../src/contract/uploads.ts'
import { formatCount, pluralize } from '../../format.ts'
import { Field, TableScroll } from '../../ui/basics.tsx'
import { GRADE_LABELS, gradeLabel } from './upload-labels.ts'
import { type ColumnMapping, parsePairs, type UploadOptions, withOption, withPair } from './upload-options.ts'

type Props = {
  readonly prices: PricePreviewWire
  readonly uploads: UploadPageWire
  readonly mapping: ColumnMapping
  readonly options: UploadOptions
  readonly change: (options: UploadOptions) => void
  /** Whether something has to be said. */
  readonly isOpen: boolean
}

/** What the file does not say in a column, and how it is to be read. */
export function PriceListOptions({ prices, uploads, mapping, options, change, isOpen }: Props) {
  const has = (field: string) => Object.values(mapping).includes(field)
  const set = (name: string) => (value: string) => change(withOption(options, name, value))
  const currencies = [...new Set(['USD', ...uploads.currencies])].sort()
  return (
    <section className="card">
      <details className="upload-more" open={isOpen}>
        <summary>
          <h2>What the file does not say</h2>
          <span className="soft">{summarizeOptions(options) || 'nothing said'}</span>
        </summary>
        <p className="note">For all rows whose column is missing or empty.</p>
        <div className="upload-options">
          <Choice label="Kind of prices" value={options.side} change={set('side')} none="as the file says">
            {[
              ['ask', 'asked for in listings'],
              ['sold', 'paid in sales'],
              ['quote', 'offered by a dealer'],
            ]}
          </Choice>
          <Choice label="Currency" value={options.currency} change={set('currency')} none="as the file says">
            {currencies.map((code) => [code, code])}
          </Choice>
          <Field label="Day of the prices">
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
            label="03/04/2026 is"
            value={options['date-order']}
            change={set('date-order')}
            none="refused, it could be two days"
          >
            {[
              ['dmy', '3 April, the day first'],
              ['mdy', '4 March, the month first'],
            ]}
          </Choice>
          <Choice
            label={has('condition') ? 'Condition where it is empty' : 'Condition of all'}
            value={parsePairs(options.condition)['']}
            change={(grade) => change(withPair(options, 'condition', '', grade))}
            none="refused"
          >
            {GRADE_LABELS.map((grade) => [grade, gradeLabel(grade)])}
          </Choice>
          <Choice label="A price from … to …" value={options.range} change={set('range')} none="is refused">
            {[['low', 'counts by its low end']]}
          </Choice>
          <Field label="Market or shop" hint="Without it the name of the file.">
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
            label="Keep these options as"
            hint={profileHint(options.profile ?? '', uploads)}
            error={
              /^([a-z0-9][a-z0-9._-]*)?$/.test(options.profile ?? '')
                ? undefined
                : 'Lower-case letters, digits, dots and dashes.'
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
          <span>Add sizes that a known device is not listed with. They are stored disabled, without a list price.</span>
        </label>
        <Words words={prices.unknown_conditions} options={options} change={change} />
      </details>
    </section>
  )
}

/** What was said, for when it is folded. */
function summarizeOptions({ map: _, condition, 'add-variants': adds, ...said }: UploadOptions): string {
  const words = Object.keys(parsePairs(condition)).length
  return [
    ...Object.values(said),
    ...(words > 0 ? [pluralize(words, 'word')] : []),
    ...(adds ? ['adds sizes'] : []),
  ].join(' · ')
}

function profileHint(name: string, { profiles }: UploadPageWire): string {
  if (name === '') return 'A name, to read the next file of this kind the same way.'
  return profiles.some((one) => one.name === name) ? 'Replaces what is kept under this name.' : 'Kept with the import.'
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

/** Words for a condition that nobody knows, and those that got a grade before. */
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
      <h3 className="upload-words">Words for a condition</h3>
      <TableScroll label="Words for a condition" cards>
        <table>
          <thead>
            <tr>
              <th scope="col">Word of the file</th>
              <th scope="col" className="number">
                Rows
              </th>
              <th scope="col">Means</th>
            </tr>
          </thead>
          <tbody>
            {all.map(({ word, rows }) => (
              <tr key={word}>
                <td data-label="Word of the file">{word}</td>
                <td data-label="Rows" className="number">
                  {rows > 0 ? formatCount(rows) : 'has a grade'}
                </td>
                <td data-label="Means">
                  <select
                    aria-label={`What ${word} means`}
                    value={given[word] ?? ''}
                    onChange={(event) => change(withPair(options, 'condition', word, event.target.value))}
                  >
                    <option value="">unknown, refuse it</option>
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
