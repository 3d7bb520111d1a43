import { Trans, useTranslation } from 'react-i18next'
import type { PreviewRowWire, UploadPreviewWire } from '../../../src/contract/uploads.ts'
import { formatCount, formatDay } from '../../format.ts'
import { type Money, useMoney } from '../../money.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Figure } from '../../ui/figure.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { figureName, fixHint, gradeLabel, isFixable } from './upload-labels.ts'

const SHOWN_NAMES = 8
const SHOWN_ROWS = 5
const SHOWN_REASONS = 6

export function ImportSummary({
  preview,
  done = false,
}: {
  preview: Pick<UploadPreviewWire, 'counts'>
  done?: boolean
}) {
  const { t } = useTranslation('imports')
  const { rows = 0, rejected = 0, ...others } = preview.counts
  const taken = rows - rejected
  const shown = Object.entries(others).filter(
    ([name, value]) => value !== 0 && value !== taken && name !== 'observations',
  )
  return (
    <div className="upload-shares">
      <dl className="figures">
        <Figure name={t('summary.read')} value={formatCount(rows)} />
        <Figure name={t(done ? 'state.imported' : 'summary.toImport')} value={formatCount(taken)} />
        <Figure name={t('column.rejected')} value={formatCount(rejected)} />
        {shown.map(([name, value]) => (
          <Figure key={name} name={figureName(name)} value={formatCount(value)} />
        ))}
      </dl>
      {rows > 0 ? (
        <div
          className="upload-share"
          role="img"
          aria-label={t(done ? 'summary.shareDone' : 'summary.share', {
            taken: formatCount(taken),
            total: formatCount(rows),
          })}
        >
          <span style={{ width: `${(taken / rows) * 100}%` }} />
        </div>
      ) : null}
    </div>
  )
}

export function SampleRows({ rows }: { rows: readonly PreviewRowWire[] }) {
  const { t } = useTranslation('imports')
  const money = useMoney()
  if (rows.length === 0) return null
  return (
    <Card title={t('sample.title')} note={t('sample.note', { currency: money.currency })}>
      <ShowMore items={rows} limit={SHOWN_ROWS} label={t('sample.showAll', { count: rows.length })}>
        {(shown) => (
          <DataTable
            label={t('sample.title')}
            head={[{ number: t('column.line') }, t('column.source'), t('column.readAs')]}
          >
            {shown.map((row) => (
              <SampleRow key={row.line} row={row} money={money} />
            ))}
          </DataTable>
        )}
      </ShowMore>
    </Card>
  )
}

function SampleRow({ row: { line, raw, parsed, problem }, money }: { row: PreviewRowWire; money: Money }) {
  const { t } = useTranslation('imports')
  return (
    <tr>
      <td data-label={t('column.line')} className="number">
        {line}
      </td>
      <td data-label={t('column.source')} className="muted upload-raw">
        {raw || '–'}
      </td>
      <td data-label={t('column.readAs')}>
        {parsed ? (
          <div>
            <code>{parsed.variant_id ?? `${parsed.device_id} ${parsed.configuration}`}</code>
            <div>
              <Trans
                t={t}
                i18nKey={`side.${parsed.side as 'ask' | 'sold' | 'quote'}`}
                values={{
                  grade: gradeLabel(parsed.grade),
                  price: money.format(money.fromUsCents(parsed.cents)),
                  date: formatDay(parsed.day),
                }}
                components={{ day: <span className="nowrap" /> }}
              />
            </div>
          </div>
        ) : (
          <span>
            <Badge tone="warn">{t('column.rejected')}</Badge> {problem}
          </span>
        )}
      </td>
    </tr>
  )
}

/** Reasons for rejected rows with examples, most frequent first. */
export function RejectionReasons({
  rejectedBy,
  rejected = [],
}: {
  rejectedBy: Readonly<Record<string, number>>
  rejected?: readonly { reason: string; rows: readonly PreviewRowWire[] }[]
}) {
  const { t } = useTranslation('imports')
  const reasons = Object.entries(rejectedBy).sort(([, left], [, right]) => right - left)
  if (reasons.length === 0) return null
  const examples = new Map(rejected.map(({ reason, rows }) => [reason, rows]))
  return (
    <Card title={t('reasons.title')}>
      <ShowMore items={reasons} limit={SHOWN_REASONS} label={t('reasons.showAll', { count: reasons.length })}>
        {(shown) => (
          <ul className="upload-reasons">
            {shown.map(([reason, rows]) => (
              <li key={reason}>
                <p>
                  <strong>{formatCount(rows)}</strong> {reason}
                  {isFixable(reason) && rejected.length > 0 ? <span className="muted"> {fixHint(reason)}</span> : null}
                </p>
                {(examples.get(reason) ?? []).map(({ line, raw }) => (
                  <p key={line} className="muted upload-example">
                    {t('reasons.example', { line: formatCount(line), text: raw || t('reasons.empty') })}
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
  preview: { unknown_models: unknown, added },
  assigned,
  assign,
}: {
  preview: Pick<UploadPreviewWire, 'unknown_models' | 'added'>
  /** The model that the user gave to each title. */
  assigned: Readonly<Record<string, string>>
  assign: (title: string, model: string) => void
}) {
  const { t } = useTranslation('imports')
  return (
    <>
      {unknown.length > 0 ? (
        <Card title={t('unknown.title')} note={t('unknown.note')}>
          <ShowMore items={unknown} limit={SHOWN_NAMES} label={t('unknown.showAll', { count: unknown.length })}>
            {(shown) => (
              <ul className="plain-list">
                {shown.map(({ name, count }) => (
                  <li key={name}>
                    <span className="upload-name">{name}</span>
                    <span className="muted">{t('rows', { count })}</span>
                    <input
                      aria-label={t('unknown.modelOf', { name })}
                      placeholder={t('unknown.placeholder')}
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
        <Card title={t('sizes.title')} note={t('sizes.note')}>
          <Names named={added.map(({ variant_id, rows }) => [variant_id, rows])} />
        </Card>
      ) : null}
    </>
  )
}

function Names({ named }: { named: readonly (readonly [string, number])[] }) {
  const { t } = useTranslation('imports')
  return (
    <ShowMore items={named} limit={SHOWN_NAMES} label={t('sizes.showAll', { count: named.length })}>
      {(shown) => (
        <ul className="plain-list">
          {shown.map(([name, rows]) => (
            <li key={name}>
              <span className="upload-name">{name}</span>
              <span className="muted">{t('rows', { count: rows })}</span>
            </li>
          ))}
        </ul>
      )}
    </ShowMore>
  )
}
