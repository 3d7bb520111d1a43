import type { PreviewRowWire, UploadPreviewWire } from '../../../src/contract/uploads.ts'
import { formatCount, formatDay, humanize, pluralize } from '../../format.ts'
import { type Money, useMoney } from '../../money.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { TableScroll } from '../../ui/table-scroll.tsx'
import { gradeLabel, REASON_HINTS } from './upload-labels.ts'

const SIDES: Readonly<Record<string, string>> = { ask: 'asking price', sold: 'sold for', quote: 'dealer offer' }
const SHOWN_NAMES = 8
const SHOWN_ROWS = 5
const SHOWN_REASONS = 6

export function ImportSummary({
  preview,
  done = false,
}: {
  preview: Pick<UploadPreviewWire, 'figures'>
  done?: boolean
}) {
  const { rows = 0, rejected = 0, ...others } = preview.figures
  const taken = rows - rejected
  const shown = Object.entries(others).filter(
    ([name, value]) => value !== 0 && value !== taken && name !== 'observations',
  )
  return (
    <div className="upload-shares">
      <dl className="figures">
        <Figure name="Rows read" value={formatCount(rows)} />
        <Figure name={done ? 'Imported' : 'To import'} value={formatCount(taken)} />
        <Figure name="Rejected" value={formatCount(rejected)} />
        {shown.map(([name, value]) => (
          <Figure key={name} name={humanize(name)} value={formatCount(value)} />
        ))}
      </dl>
      {rows > 0 ? (
        <div
          className="upload-share"
          role="img"
          aria-label={`${formatCount(taken)} of ${formatCount(rows)} rows ${done ? 'imported' : 'can be imported'}`}
        >
          <span style={{ width: `${(taken / rows) * 100}%` }} />
        </div>
      ) : null}
    </div>
  )
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

export function SampleRows({ rows }: { rows: readonly PreviewRowWire[] }) {
  const money = useMoney()
  if (rows.length === 0) return null
  return (
    <Card title="Sample rows" note={`Source rows and how they were read. Amounts in ${money.currency}.`}>
      <ShowMore items={rows} limit={SHOWN_ROWS} label={`Show all ${rows.length} rows`}>
        {(shown) => (
          <TableScroll label="Sample rows" asCards>
            <table>
              <thead>
                <tr>
                  <th scope="col" className="number">
                    Line
                  </th>
                  <th scope="col">Source</th>
                  <th scope="col">Read as</th>
                </tr>
              </thead>
              <tbody>
                {shown.map((row) => (
                  <SampleRow key={row.line} row={row} money={money} />
                ))}
              </tbody>
            </table>
          </TableScroll>
        )}
      </ShowMore>
    </Card>
  )
}

function SampleRow({ row: { line, came, read, problem }, money }: { row: PreviewRowWire; money: Money }) {
  return (
    <tr>
      <td data-label="Line" className="number">
        {line}
      </td>
      <td data-label="Source" className="muted upload-came">
        {came || '–'}
      </td>
      <td data-label="Read as">
        {read ? (
          <div>
            <code>{read.variant_id ?? `${read.device_id} ${read.configuration}`}</code>
            <div>
              {gradeLabel(read.grade)}, {SIDES[read.side] ?? read.side} {money.format(money.fromUsCents(read.cents))},{' '}
              <span className="nowrap">{formatDay(read.day)}</span>
            </div>
          </div>
        ) : (
          <span>
            <Badge tone="warn">Rejected</Badge> {problem}
          </span>
        )}
      </td>
    </tr>
  )
}

/** Reasons for rejected rows with examples, most frequent first. */
export function RejectionReasons({
  rejectedBy,
  refused = [],
}: {
  rejectedBy: Readonly<Record<string, number>>
  refused?: readonly { reason: string; rows: readonly PreviewRowWire[] }[]
}) {
  const reasons = Object.entries(rejectedBy).sort(([, left], [, right]) => right - left)
  if (reasons.length === 0) return null
  const examples = new Map(refused.map(({ reason, rows }) => [reason, rows]))
  return (
    <Card title="Rejected rows by reason">
      <ShowMore items={reasons} limit={SHOWN_REASONS} label={`Show all ${reasons.length} reasons`}>
        {(shown) => (
          <ul className="upload-reasons">
            {shown.map(([reason, rows]) => (
              <li key={reason}>
                <p>
                  <strong>{formatCount(rows)}</strong> {reason}
                  {REASON_HINTS[reason] && refused.length > 0 ? (
                    <span className="muted"> {REASON_HINTS[reason]}</span>
                  ) : null}
                </p>
                {(examples.get(reason) ?? []).map(({ line, came }) => (
                  <p key={line} className="muted upload-example">
                    line {formatCount(line)}: {came || '(empty)'}
                  </p>
                ))}
              </li>
            ))}
          </ul>
        )}
      </ShowMore>
    </Card>
  )
}

/** Models and sizes missing from the catalogue. */
export function UnknownNames({
  preview: { unknown, added },
  assigned,
  assign,
}: {
  preview: Pick<UploadPreviewWire, 'unknown' | 'added'>
  /** The model that the user gave to each title. */
  assigned: Readonly<Record<string, string>>
  assign: (title: string, model: string) => void
}) {
  return (
    <>
      {unknown.length > 0 ? (
        <Card
          title="Titles that are not recognised"
          note="Most frequent first. Type the model and storage, such as Apple iPhone 13 128GB; later imports remember it."
        >
          <ShowMore items={unknown} limit={SHOWN_NAMES} label={`Show all ${unknown.length} titles`}>
            {(shown) => (
              <ul className="plain-list">
                {shown.map(({ name, count }) => (
                  <li key={name}>
                    <span className="upload-name">{name}</span>
                    <span className="muted">{pluralize(count, 'row')}</span>
                    <input
                      aria-label={`Model of ${name}`}
                      placeholder="Model and storage"
                      value={assigned[name] ?? ''}
                      onChange={(event) => assign(name, event.target.value)}
                    />
                  </li>
                ))}
              </ul>
            )}
          </ShowMore>
        </Card>
      ) : null}
      {added.length > 0 ? (
        <Card title="New sizes" note="Will be added to devices in the catalogue.">
          <Names named={added.map(({ variant_id, rows }) => [variant_id, rows])} what="sizes" />
        </Card>
      ) : null}
    </>
  )
}

function Names({ named, what }: { named: readonly (readonly [string, number])[]; what: string }) {
  return (
    <ShowMore items={named} limit={SHOWN_NAMES} label={`Show all ${named.length} ${what}`}>
      {(shown) => (
        <ul className="plain-list">
          {shown.map(([name, rows]) => (
            <li key={name}>
              <span className="upload-name">{name}</span>
              <span className="muted">{pluralize(rows, 'row')}</span>
            </li>
          ))}
        </ul>
      )}
    </ShowMore>
  )
}
