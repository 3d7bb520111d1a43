import type { PreviewRowWire, UploadPreviewWire } from '../../../src/contract/uploads.ts'
import { formatCount, formatDay, formatDollars, humanize, pluralize } from '../../format.ts'
import { Badge, Card, TableScroll } from '../../ui/basics.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { gradeLabel, REASON_HINTS } from './upload-labels.ts'

const SIDES: Readonly<Record<string, string>> = { ask: 'asked', sold: 'sold', quote: 'offered' }
const SHOWN_NAMES = 8
const SHOWN_ROWS = 5
const SHOWN_REASONS = 6

/** How much of the list would go in. */
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
        <Figure name={done ? 'Imported' : 'Would be imported'} value={formatCount(taken)} />
        <Figure name="Refused" value={formatCount(rejected)} />
        {shown.map(([name, value]) => (
          <Figure key={name} name={humanize(name)} value={formatCount(value)} />
        ))}
      </dl>
      {rows > 0 ? (
        <div
          className="upload-share"
          role="img"
          aria-label={`${formatCount(taken)} of ${formatCount(rows)} rows ${done ? 'were' : 'would be'} imported`}
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

/** A few rows before and after. */
export function SampleRows({ rows }: { rows: readonly PreviewRowWire[] }) {
  if (rows.length === 0) return null
  return (
    <Card title="The first rows" note="As they came, and what was made of them. Amounts are in US dollars.">
      <ShowMore all={rows} first={SHOWN_ROWS} what="rows">
        {(shown) => (
          <TableScroll label="The first rows" cards>
            <table>
              <thead>
                <tr>
                  <th scope="col" className="number">
                    Line
                  </th>
                  <th scope="col">As it came</th>
                  <th scope="col">As it was read</th>
                </tr>
              </thead>
              <tbody>
                {shown.map((row) => (
                  <SampleRow key={row.line} row={row} />
                ))}
              </tbody>
            </table>
          </TableScroll>
        )}
      </ShowMore>
    </Card>
  )
}

function SampleRow({ row: { line, came, read, problem } }: { row: PreviewRowWire }) {
  return (
    <tr>
      <td data-label="Line" className="number">
        {line}
      </td>
      <td data-label="As it came" className="soft upload-came">
        {came || '–'}
      </td>
      <td data-label="As it was read">
        {read ? (
          <div>
            <code>{read.variant_id ?? `${read.device_id} ${read.configuration}`}</code>
            <div>
              {gradeLabel(read.grade)}, {SIDES[read.side] ?? read.side} {formatDollars(read.cents)},{' '}
              <span className="nowrap">{formatDay(read.day)}</span>
            </div>
          </div>
        ) : (
          <span>
            <Badge tone="warn">refused</Badge> {problem}
          </span>
        )}
      </td>
    </tr>
  )
}

/** Why rows are left out, most frequent first, with some of them. */
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
    <Card title="Refused rows, by reason">
      <ShowMore all={reasons} first={SHOWN_REASONS} what="reasons">
        {(shown) => (
          <ul className="upload-reasons">
            {shown.map(([reason, rows]) => (
              <li key={reason}>
                <p>
                  <strong>{formatCount(rows)}</strong> {reason}
                  {REASON_HINTS[reason] && refused.length > 0 ? (
                    <span className="soft"> {REASON_HINTS[reason]}</span>
                  ) : null}
                </p>
                {(examples.get(reason) ?? []).map(({ line, came }) => (
                  <p key={line} className="soft upload-example">
                    line {formatCount(line)}: {came || 'nothing'}
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

/** What the registry does not know by name, so that whoever runs it sees what to add. */
export function UnknownNames({
  preview: { unknown, added },
}: {
  preview: Pick<UploadPreviewWire, 'unknown' | 'added'>
}) {
  return (
    <>
      {unknown.length > 0 ? (
        <Card
          title="Not in the registry"
          note="Models that these rows name, most frequent first. A catalogue can bring them."
        >
          <Names named={unknown.map(({ name, count: rows }) => [name, rows])} what="models" />
        </Card>
      ) : null}
      {added.length > 0 ? (
        <Card title="Sizes that are added" note="To devices that the registry knows without them.">
          <Names named={added.map(({ variant_id, rows }) => [variant_id, rows])} what="sizes" />
        </Card>
      ) : null}
    </>
  )
}

function Names({ named, what }: { named: readonly (readonly [string, number])[]; what: string }) {
  return (
    <ShowMore all={named} first={SHOWN_NAMES} what={what}>
      {(shown) => (
        <ul className="plain-list">
          {shown.map(([name, rows]) => (
            <li key={name}>
              <span className="upload-name">{name}</span>
              <span className="soft">{pluralize(rows, 'row')}</span>
            </li>
          ))}
        </ul>
      )}
    </ShowMore>
  )
}
