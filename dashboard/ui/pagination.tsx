import { useTranslation } from 'react-i18next'
import { MAX_NUMBERED_ROWS } from '../../src/contract/account-limits.ts'
import type { CursorMeta, HistoryMeta, PageMeta } from '../../src/contract/paging.ts'
import { Button } from './button.tsx'

/** Query parameters of a page; empty ones are removed. */
type PagePosition = { readonly page: string; readonly after: string }

/** Previous and next page of a list. A history continues by cursor where its numbered pages end. */
export function Pagination({
  meta,
  onChange,
}: {
  meta: PageMeta | HistoryMeta
  onChange: (position: PagePosition) => void
}) {
  const { t } = useTranslation()
  if (meta.total_pages <= 1) return null
  // Requested with `after`.
  const isCursor = meta.page === 1 && meta.has_prev
  const toPage = (page: number) => onChange({ page: String(page), after: '' })
  const next = () => {
    const after = 'next_after' in meta ? (meta.next_after ?? '') : ''
    if (after && (isCursor || (meta.page + 1) * meta.limit > MAX_NUMBERED_ROWS)) onChange({ page: '', after })
    else toPage(meta.page + 1)
  }
  return (
    <nav className="pages" aria-label={t('pages.label')}>
      <Button disabled={!meta.has_prev} onClick={() => toPage(isCursor ? 1 : meta.page - 1)}>
        {t(isCursor ? 'pages.first' : 'pages.previous')}
      </Button>
      <span>{isCursor ? t('pages.older') : t('pages.current', { page: meta.page, total: meta.total_pages })}</span>
      <Button disabled={!meta.has_next} onClick={next}>
        {t('pages.next')}
      </Button>
    </nav>
  )
}

/** First and next page of a list that only knows what follows. */
export function CursorPagination({
  meta,
  isFirst,
  onChange,
}: {
  meta: CursorMeta
  isFirst: boolean
  onChange: (after: string) => void
}) {
  const { t } = useTranslation()
  if (isFirst && !meta.has_next) return null
  return (
    <nav className="pages" aria-label={t('pages.label')}>
      <Button disabled={isFirst} onClick={() => onChange('')}>
        {t('pages.first')}
      </Button>
      <Button disabled={!meta.has_next} onClick={() => onChange(meta.next_after ?? '')}>
        {t('pages.next')}
      </Button>
    </nav>
  )
}
