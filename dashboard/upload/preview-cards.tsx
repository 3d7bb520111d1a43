import type { SampleRowWire, UploadPreviewWire } from '../../src/contract/uploads.ts'
import { Badge, Card, Scroll } from '../parts/basics.tsx'
import { Folded } from '../parts/folded.tsx'
import { count, day, money, plural, spoken } from '../words.ts'
import { gradeWord, REMEDIES } from './words.ts'

const SIDES: Readonly<Record<string, string>> = { ask: 'asked', sold: 'sold', quote: 'offered' }
const SHOWN_NAMES = 8
const SHOWN_ROWS = 5
const SHOWN_REASONS = 6

/** How much of the list would go in. */
export function Shares({ preview, done = false }: { preview: Pick<UploadPreviewWire, 'figures'>; done?: boolean }) {
  const { rows = 0, rejected = 0, ...others } = preview.figures
  const taken = rows - rejected
  const shown = Object.entries(others).filter(
    ([name, value]) => value !== 0 && value !== taken && name !== 'observations',
  )
  return (
    <div className="upload-shares">
      <dl className="figures">
        <Figure name="Rows read" value={count(rows)} />
        <Figure name={done ? 'Imported' : 'Would be imported'} value={count(taken)} />
        <Figure name="Refused" value={count(rejected)} />
        {shown.map(([name, value]) => (
          <Figure key={name} name={spoken(name)} value={count(value)} />
        ))}
      </dl>
      {rows > 0 ? (
        <div
          className="upload-share"
          role="img"
          aria-label={`${count(taken)} of ${count(rows)} rows ${done ? 'were' : 'would be'} imported`}
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
export function Samples({ rows }: { rows: readonly SampleRowWire[] }) {
  if (rows.length === 0) return null
  return (
    <Card title="The first rows" note="As they came, and what was made of them. Amounts are in US dollars.">
      <Folded all={rows} first={SHOWN_ROWS} what="rows">
        {(shown) => (
          <Scroll label="The first rows" cards>
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
          </Scroll>
        )}
      </Folded>
    </Card>
  )
}

function SampleRow({ row: { line, came, read, problem } }: { row: SampleRowWire }) {
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
              {gradeWord(read.grade)}, {SIDES[read.side] ?? read.side} {money(read.cents)},{' '}
              <span className="nowrap">{day(read.day)}</span>
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
export function Reasons({
  rejectedBy,
  refused = [],
}: {
  rejectedBy: Readonly<Record<string, number>>
  refused?: readonly { reason: string; rows: readonly SampleRowWire[] }[]
}) {
  const reasons = Object.entries(rejectedBy).sort(([, left], [, right]) => right - left)
  if (reasons.length === 0) return null
  const examples = new Map(refused.map(({ reason, rows }) => [reason, rows]))
  return (
    <Card title="Refused rows, by reason">
      <Folded all={reasons} first={SHOWN_REASONS} what="reasons">
        {(shown) => (
          <ul className="upload-reasons">
            {shown.map(([reason, rows]) => (
              <li key={reason}>
                <p>
                  <strong>{count(rows)}</strong> {reason}
                  {REMEDIES[reason] && refused.length > 0 ? <span className="soft"> {REMEDIES[reason]}</span> : null}
                </p>
                {(examples.get(reason) ?? []).map(({ line, came }) => (
                  <p key={line} className="soft upload-example">
                    line {count(line)}: {came || 'nothing'}
                  </p>
                ))}
              </li>
            ))}
          </ul>
        )}
      </Folded>
    </Card>
  )
}

/** What the registry does not know by name, so that whoever runs it sees what to add. */
export function Unknown({ preview: { unknown, added } }: { preview: Pick<UploadPreviewWire, 'unknown' | 'added'> }) {
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
    <Folded all={named} first={SHOWN_NAMES} what={what}>
      {(shown) => (
        <ul className="plain-list">
          {shown.map(([name, rows]) => (
            <li key={name}>
              <span className="upload-name">{name}</span>
              <span className="soft">{plural(rows, 'row')}</span>
            </li>
          ))}
        </ul>
      )}
    </Folded>
  )
}
