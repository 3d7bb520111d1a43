import { Trans, useTranslation } from 'react-i18next'
import type { PreviewRowWire, UploadPreviewWire } from '../../../src/contract/uploads.ts'
import { formatCount, formatDay } from '../../format.ts'
import { type Money, useMoney } from '../../money.ts'
import { Badge } from '../../ui/badge.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Card, Fact } from '../../ui/page.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { figureName, fixHint, gradeLabel, rejectionReason } from './upload-labels.ts'

const SHOWN_NAMES = 8
const SHOWN_ROWS = 5
const SHOWN_REASONS = 6

export function ImportSummary({ counts, done = false }: Pick<UploadPreviewWire, 'counts'> & { done?: boolean }) {
  const { t } = useTranslation('imports')
  const { rows = 0, rejected = 0, ...others } = counts
  const taken = rows - rejected
  const shown = Object.entries(others).filter(
    ([name, value]) => value !== 0 && value !== taken && name !== 'observations',
  )
  return (
    <div className="upload-shares">
      <dl className="figures">
        <Fact name={t('summary.read')}>{formatCount(rows)}</Fact>
        <Fact name={t(done ? 'state.imported' : 'summary.toImport')}>{formatCount(taken)}</Fact>
        <Fact name={t('column.rejected')}>{formatCount(rejected)}</Fact>
        {shown.map(([name, value]) => (
          <Fact key={name} name={figureName(name)}>
            {formatCount(value)}
          </Fact>
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
            rows={shown}
            rowKey={(row) => row.line}
            columns={[
              { title: t('column.line'), className: 'number', cell: (row) => row.line },
              { title: t('column.source'), className: 'muted upload-raw', cell: (row) => row.raw || '–' },
              { title: t('column.readAs'), cell: (row) => <ParsedRow row={row} money={money} /> },
            ]}
          />
        )}
      </ShowMore>
    </Card>
  )
}

function ParsedRow({ row: { parsed, problem }, money }: { row: PreviewRowWire; money: Money }) {
  const { t } = useTranslation('imports')
  if (!parsed) {
    return (
      <span>
        <Badge tone="warn">{t('column.rejected')}</Badge> {problem && rejectionReason(problem)}
      </span>
    )
  }
  return (
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
                  <strong>{formatCount(rows)}</strong> {rejectionReason(reason)}
                  {rejected.length > 0 ? <span className="muted"> {fixHint(reason)}</span> : null}
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

/** Models that the catalogue does not have; the user may name the model of each title. */
export function UnknownModels({
  models,
  assigned,
  assign,
}: {
  models: UploadPreviewWire['unknown_models']
  /** The model that the user gave to each title. */
  assigned: Readonly<Record<string, string>>
  assign: (title: string, model: string) => void
}) {
  const { t } = useTranslation('imports')
  if (models.length === 0) return null
  return (
    <Card title={t('unknown.title')} note={t('unknown.note')}>
      <ShowMore items={models} limit={SHOWN_NAMES} label={t('unknown.showAll', { count: models.length })}>
        {(shown) => (
          <ul className="plain-list">
            {shown.map(({ name, count }) => (
              <li key={name}>
                <span>{name}</span>
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
  )
}

/** Sizes that the import adds to the catalogue. */
export function AddedVariants({ added }: Pick<UploadPreviewWire, 'added'>) {
  const { t } = useTranslation('imports')
  if (added.length === 0) return null
  return (
    <Card title={t('sizes.title')} note={t('sizes.note')}>
      <ShowMore items={added} limit={SHOWN_NAMES} label={t('sizes.showAll', { count: added.length })}>
        {(shown) => (
          <ul className="plain-list">
            {shown.map(({ variant_id: id, rows }) => (
              <li key={id}>
                <span>{id}</span>
                <span className="muted">{t('rows', { count: rows })}</span>
              </li>
            ))}
          </ul>
        )}
      </ShowMore>
    </Card>
  )
}
